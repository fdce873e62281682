//! A walk over a tree: every node with its depth, its test and what it says; then the leaves, the importances, and why one row
//! ends where it ends.
#![allow(clippy::print_stdout, reason = "an example prints")]

use secateur::prelude::*;
use secateur::report::explain;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("iris")?;
    let tree = secateur::fit(&table, "class")?.tree;
    for node in tree.root().descendants() {
        println!("{:1$}{2} {3:?}", "", 2 * node.depth(), node.branch_text(), node.class_weights());
    }
    for leaf in tree.root().leaves() {
        println!("{} holds {:.0} % of the rows", leaf.outcome_text(), 100.0 * leaf.support());
    }
    for (attribute, share) in tree.schema().attributes.iter().zip(tree.importances()) {
        println!("{}: {share:.3}", attribute.name);
    }
    let cells = tree.cells(row! { "petallength" => 4.4, "petalwidth" => 1.5 })?;
    print!("{}", explain(&tree, |attribute| cells[attribute]));
    Ok(())
}
