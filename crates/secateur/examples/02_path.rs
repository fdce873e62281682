//! A pruning path: everything a tree can be cut to, and one member taken by hand.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::prelude::*;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("iris")?;
    let path = Fit::new(&table, "class").scheme("cart/cost-complexity:cv=10").path()?;
    for member in &path {
        let (error, se) = member.validated.unwrap_or_default();
        println!(
            "{} {:.4}: {} leaves, error {error:.3} ± {se:.3}",
            path.parameter, member.parameter, member.leaves
        );
    }
    // The largest tree of at most four leaves.
    if let Some(small) = path.iter().position(|member| member.leaves <= 4) {
        println!("\n{}", path.tree(small)?);
    }
    Ok(())
}
