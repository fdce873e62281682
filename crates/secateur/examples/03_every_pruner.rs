//! One full tree, cut by every pruner that needs no rows; then by options with types.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::prelude::*;
use secateur::prune::PRUNERS;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("credit?n=1000")?;
    let full = Fit::new(&table, "class").scheme("cart").model()?.tree;
    println!("{:<20}{:>6} leaves", "full", full.leaves());
    for pruner in PRUNERS {
        match full.prune(pruner.info.id) {
            Ok(tree) => println!("{:<20}{:>6} leaves", pruner.info.id, tree.leaves()),
            Err(refused) => println!("{:<20}{refused}", pruner.info.id),
        }
    }
    let typed = full.prune(&pruners::KNorm::new().k(4.0).eta(1.0))?;
    assert_eq!(typed, full.prune("k-norm:k=4,eta=1")?);
    Ok(())
}
