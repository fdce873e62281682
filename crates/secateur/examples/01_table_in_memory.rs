//! A table in memory, a tree fitted to it, one row predicted, the model saved and loaded again.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::prelude::*;

fn main() -> Result<()> {
    let table = Table::builder()
        .numeric("age", [23, 35, 61, 48, 29, 55, 42, 38, 67, 31])
        .numeric("income", [18.0, 52.5, 30.0, f64::NAN, 21.0, 64.0, 58.5, f64::NAN, 25.0, 47.0])
        .text("city", ["Lima", "Oslo", "Lima", "Oslo", "Lima", "Oslo", "Oslo", "Lima", "Lima", "Oslo"])
        .text("buys", ["no", "yes", "no", "yes", "no", "yes", "yes", "no", "no", "yes"])
        .build()?;

    let model = secateur::fit(&table, "buys")?;
    println!("{model}");

    // What is not said about a row is missing.
    let said = model.predict_row(row! { "age" => 55.0, "city" => "Lima" })?;
    println!("buys: {} (yes with probability {:.2})", said.label()?, said.probability("yes")?);

    let file = std::env::temp_dir().join("secateur-example.json");
    model.save(&file)?;
    assert_eq!(Model::load(&file)?, model);
    std::fs::remove_file(&file).ok();
    Ok(())
}
