//! Mistakes that cost differently, and classes that are rarer than the rows say.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use secateur::prelude::*;

fn main() -> Result<()> {
    let table = secateur::data::builtin::load("credit?n=1000")?;
    let fit = || Fit::new(&table, "class");
    let costs = fit().cost("bad", "good", 3.0); // a bad risk that is called good
    let priors = fit().prior("good", 0.8); // the other classes have the rest
    for (name, fit) in [("plain", fit()), ("costs", costs), ("priors", priors)] {
        let FitReport { model, estimate, .. } = fit.report()?;
        let bad = model
            .predict(&table)?
            .iter()
            .filter(|said| said.label().is_ok_and(|label| label == "bad"))
            .count();
        println!("{name:<7}{bad} of {} rows are called bad, by {} leaves", table.rows(), model.tree.leaves());
        if let Some(estimate) = estimate {
            println!("       {:.3} ± {:.3} on new rows, by {}", estimate.error, estimate.se, estimate.method);
        }
    }
    Ok(())
}
