//! Prediction: a whole table at once, and one row after the other.

use std::hint::black_box;

use secateur::Result;
use secateur::data::{CodedTable, Roles, Table};
use secateur::grow::grow_weighted;
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::tree::Tree;
use serde_json::{Value, json};

use crate::options::Options;
use crate::timed;

/// How many rows are asked one by one.
const ONE_BY_ONE: usize = 10_000;

fn grown(table: &Table, roles: &Roles, options: &Options) -> Result<Tree> {
    let coded = CodedTable::new(table, roles)?;
    let spec = options.scheme.grow_spec(coded.task())?;
    let first = options.grown.unwrap_or(table.rows());
    let weights: Vec<f64> = (0..table.rows()).map(|row| f64::from(u8::from(row < first))).collect();
    grow_weighted(&coded, Some(&weights), &spec, &Silent)
}

/// Labels and probabilities of all rows.
pub fn at_once(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let tree = grown(table, roles, options)?;
    let predictor = Predictor::bind(&tree, table)?;
    let (seconds, _) = timed(options.repeats, || Ok(predictor.predict()))?;
    Ok(json!({"seconds": seconds, "leaves": tree.leaves(), "rows": table.rows()}))
}

/// The seconds of one row, when rows are asked one by one.
pub fn one_by_one(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let tree = grown(table, roles, options)?;
    let predictor = Predictor::bind(&tree, table)?;
    let sample = table.rows().min(ONE_BY_ONE);
    let (seconds, ()) = timed(options.repeats, || {
        (0..sample).for_each(|row| drop(black_box(predictor.leaf_weights(row))));
        Ok(())
    })?;
    Ok(json!({"seconds": seconds / sample as f64, "leaves": tree.leaves(), "rows": sample}))
}
