//! A program that reads an export, and what it answers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use secateur::tree::Model;

use super::{Failure, Rows};
use crate::export::Options;

/// A program that reads a format.
pub struct Consumer {
    /// Its name.
    pub id: &'static str,
    /// How to get it.
    pub get: &'static str,
    /// Finds it.
    pub find: fn() -> Option<Tool>,
    /// Asks it for all rows.
    pub run: fn(&Tool, &Trial) -> Result<Answers, Failure>,
}

/// An installed program.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The file to start.
    pub program: PathBuf,
    /// What it is called in reports, with its version.
    pub name: String,
}

/// An export to be tried.
pub struct Trial<'a> {
    /// What was written.
    pub exported: &'a [u8],
    /// The model it was written from.
    pub model: &'a Model,
    /// The options it was written with.
    pub options: &'a Options,
    /// The rows to answer.
    pub rows: &'a Rows,
    /// An empty folder to work in.
    pub folder: &'a Path,
}

/// What a consumer says to all rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// Different labels, as the consumer writes them.
    pub names: Vec<String>,
    /// For every row the place of its label among the names; empty for numbers.
    pub labels: Vec<u32>,
    /// The probability of every class, row by row, or one number for every row. Empty where the format has no probabilities.
    pub numbers: Vec<f64>,
    /// The leaf of every row, or none where the format gives no leaves.
    pub leaves: Vec<u32>,
}

impl Consumer {
    /// The program, where it is installed. What was found once is not looked for again: some take seconds to print their version.
    pub(super) fn found(&self) -> Option<Tool> {
        static FOUND: Mutex<Option<HashMap<&'static str, Tool>>> = Mutex::new(None);
        let known = |tools: &Option<HashMap<&'static str, Tool>>| tools.as_ref()?.get(self.id).cloned();
        if let Some(tool) = known(&FOUND.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(tool);
        }
        let tool = (self.find)()?;
        let mut tools = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        tools.get_or_insert_default().insert(self.id, tool.clone());
        Some(tool)
    }
}

/// The first consumer that is installed.
pub(super) fn first_found(
    format: &str,
    consumers: &[&'static Consumer],
) -> Result<(&'static Consumer, Tool), Failure> {
    let found = consumers.iter().find_map(|consumer| Some((*consumer, consumer.found()?)));
    found.ok_or_else(|| {
        let ways: Vec<String> = consumers.iter().map(|c| format!("{} ({})", c.id, c.get)).collect();
        Failure::Missing(format!("--verify: no program for {format} is installed; get {}", ways.join(" or ")))
    })
}
