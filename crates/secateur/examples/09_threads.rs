//! A model that threads share, and that scores one row at a time: what a server does.
#![allow(clippy::print_stdout, reason = "an example prints")]

use secateur::predict::{Field, Scorer};

fn main() -> secateur::Result<()> {
    let table = secateur::data::builtin::load("credit")?;
    let scorer = Scorer::new(secateur::fit(&table, "class")?.tree);
    let (duration, savings) = (scorer.column("duration")?, scorer.column("savings")?);
    std::thread::scope(|scope| {
        let ask = |months: f64| {
            let mut buffer = scorer.buffer(); // one for each thread: no row allocates
            let mut row = vec![Field::Missing; scorer.columns().len()];
            (row[duration], row[savings]) = (months.into(), "none".into());
            let scored = scorer.score(&row, &mut buffer)?;
            println!("{months} months: {} {:.2?}", scored.label, scored.probabilities);
            Ok(())
        };
        let threads = [6.0, 24.0, 60.0].map(|months| scope.spawn(move || ask(months)));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })
}
