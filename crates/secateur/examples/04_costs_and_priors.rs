//! Mistakes that cost differently, and classes that are rarer than the rows say.

use secateur::prelude::*;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("credit?n=1000")?;
    let plain = secateur::fit(&table, "class")?;
    let careful = Fit::new(&table, "class").cost("bad", "good", 5.0).prior("good", 0.9).report()?;
    for (name, model) in [("plain", &plain), ("careful", &careful.model)] {
        let called_bad = model
            .predict(&table)?
            .iter()
            .filter(|said| said.label().is_ok_and(|label| label == "bad"))
            .count();
        println!("{name}: {} leaves, {called_bad} rows are called bad", model.tree.leaves());
    }
    if let Some(estimate) = careful.estimate {
        println!("mean cost on new rows: {:.2} ± {:.2} ({})", estimate.error, estimate.se, estimate.method);
    }
    Ok(())
}
