//! The columns that a query gives: names that are all different, and short enough for the database.

use std::collections::HashSet;

use secateur::error::shown;
use secateur::{Error, Result};

use super::dialect::Dialect;
use crate::export::Inputs;

/// The columns of the answer, in quotes.
pub(super) struct Names {
    /// The columns that are kept: those that were asked for, else the inputs. Each with the name of the column it comes from.
    pub(super) kept: Vec<(String, String)>,
    /// The predicted class or number.
    pub(super) prediction: String,
    /// The probability of every class.
    pub(super) probabilities: Vec<String>,
    pub(super) leaf: String,
}

impl Names {
    /// Names for a tree with these classes; `keep` lists columns with commas between them.
    pub(super) fn new(dialect: Dialect, inputs: &Inputs, classes: &[String], keep: &str) -> Result<Self> {
        let mut used = HashSet::new();
        for input in inputs.iter() {
            if !used.insert(dialect.key(input.name())) {
                return Err(Error::parameter(format!(
                    "sql: {} has a column of the same name for {}: rename one before growing",
                    dialect.name(),
                    shown(input.name()),
                )));
            }
        }
        used.clear();
        let asked: Vec<&str> = keep.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let kept = match asked.is_empty() {
            true => inputs.iter().map(|input| input.name()).collect(),
            false => asked,
        };
        let columns = kept.iter().map(|name| {
            used.insert(dialect.key(name));
            Ok((dialect.identifier(name)?, dialect.identifier(name)?))
        });
        let kept = columns.collect::<Result<_>>()?;
        let mut fresh = |wanted: String| {
            let mut name = wanted.clone();
            let mut more = 1;
            while !used.insert(dialect.key(&name)) {
                more += 1;
                name = format!("{wanted}_{more}");
            }
            dialect.identifier(&name)
        };
        let prediction = fresh("prediction".into())?;
        let leaf = fresh("leaf".into())?;
        let probability = |(place, class): (usize, &String)| {
            let plain = class.len() <= 40 && !class.contains(|c: char| c.is_control());
            fresh(if plain { format!("probability_{class}") } else { format!("probability_{}", place + 1) })
        };
        let probabilities = classes.iter().enumerate().map(probability).collect::<Result<_>>()?;
        Ok(Self { kept, prediction, probabilities, leaf })
    }
}
