//! Schemes on the same divisions of a table, and a test of their difference.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::evaluate::comparison::Test;
use secateur::prelude::*;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("credit?n=500")?;
    let schemes = ["cart/cost-complexity:cv=10,1se", "c45/error-based", "cart/k-norm:k=2"];
    let compared = compare(&table, "class", schemes, Cv(10).repeats(2))?;
    println!("{compared}");
    let found = compared.test("accuracy", 1, 0, &Test::default())?;
    println!(
        "{} − {}: {:+.3}, p = {:.3}",
        found.scheme,
        found.base,
        found.difference.unwrap_or(0.0),
        found.p.unwrap_or(1.0)
    );
    Ok(())
}
