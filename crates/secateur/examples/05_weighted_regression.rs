//! A tree of numbers, from rows that weigh differently.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::prelude::*;

fn main() -> Result<()> {
    let table = Table::builder()
        .numeric("rooms", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
        .text("centre", [true, false].into_iter().cycle().take(12))
        .numeric("rent", [620, 410, 700, 430, 980, 610, 1050, 640, 1400, 820, 1450, 870])
        .numeric("flats", [9, 12, 7, 15, 6, 11, 5, 8, 2, 4, 1, 3])
        .build()?;
    let pruner = pruners::CostComplexity::new().cv(6).one_se(true);
    let model = Fit::new(&table, "rent").weights("flats").pruner(&pruner).model()?;
    println!("{model}");
    println!(
        "4 rooms in the centre: {:.0}",
        model.predict_row(row! { "rooms" => 4, "centre" => true })?.value()?
    );
    Ok(())
}
