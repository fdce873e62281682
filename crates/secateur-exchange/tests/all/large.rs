//! A tree of a hundred thousand leaves is exported in seconds, or refused with a reason.

use std::time::Instant;

use secateur::prelude::*;
use secateur_exchange::export::{self, FORMATS, Options};

use crate::trees::Numbers;

#[test]
fn a_hundred_thousand_leaves_take_seconds() {
    let mut random = Numbers(23);
    let rows = 100_000;
    let mut column = || (0..rows).map(|_| random.next()).collect::<Vec<f64>>();
    let table = Table::builder()
        .numeric("a", column())
        .numeric("b", column())
        .numeric("y", column())
        .build()
        .unwrap();
    let model = Fit::new(&table, "y").scheme("cart:min-leaf=1").model().unwrap();
    assert!(model.tree.leaves() > 99_000, "{}", model.tree.leaves());
    for format in FORMATS {
        let begun = Instant::now();
        match export::export(&model, format, &Options::default_of(format), None) {
            Ok(written) => assert!(written.bytes.len() > 100_000, "{}", format.id),
            Err(error) => assert!(error.to_string().contains("cannot"), "{}: {error}", format.id),
        }
        assert!(begun.elapsed().as_secs() < 60, "{} took {:?}", format.id, begun.elapsed());
    }
}
