//! A walk over a tree: every node with its depth, its test and what it says; then the leaves, the importances, and why one row
//! ends where it ends.
#![allow(clippy::print_stdout, reason = "an example prints")]

use secateur::data::{CodedTable, Roles, builtin};
use secateur::fit::{FitOptions, fit};
use secateur::progress::Silent;
use secateur::report::explain;
use secateur::schema::Cell;

fn main() -> secateur::Result<()> {
    let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
    let tree = fit(&table, &"cart/cost-complexity".parse()?, &FitOptions::default(), &Silent)?.tree;
    for node in tree.root().descendants() {
        println!(
            "{:indent$}{} {:?}",
            "",
            node.branch_text(),
            node.class_weights(),
            indent = 2 * node.depth()
        );
    }
    for leaf in tree.root().leaves() {
        println!("{} holds {:.0} % of the rows", leaf.outcome_text(), 100.0 * leaf.support());
    }
    for (attribute, share) in tree.schema().attributes.iter().zip(tree.importances()) {
        println!("{}: {share:.3}", attribute.name);
    }
    let row = [5.1, 3.5, 4.4, 1.5];
    print!("{}", explain(&tree, |attribute| Cell::Number(row[attribute])));
    Ok(())
}
