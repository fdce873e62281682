//! A tree of numbers, from rows that weigh differently.

use secateur::prelude::*;

fn main() -> Result<()> {
    let size: Vec<f64> = (0..200).map(|i| 20.0 + f64::from(i)).collect();
    let price = size.iter().map(|m2| if *m2 < 90.0 { 3.0 * m2 } else { 2.0 * m2 + 150.0 });
    let table = Table::builder()
        .numeric("size", &size)
        .numeric("price", price)
        .numeric("weight", (0..200).map(|i| 1 + i % 3))
        .build()?;
    let model =
        Fit::new(&table, "price").weights("weight").pruner(&pruners::CostComplexity::new().cv(5)).model()?;
    println!("{model}");
    println!("120 m²: {:.0}", model.predict_row(row! { "size" => 120 })?.value()?);
    Ok(())
}
