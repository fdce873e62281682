//! The saved model: a tree, how it was made, and a documented file to keep both in.

mod reading;
mod writing;

use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Tree;
use crate::data::Plan;
use crate::error::{Error, Result};
use crate::memory;

/// The first word of every model file.
const FORMAT: &str = "secateur-model";
/// The newest version that is read. What needs nothing of it is written in the first, which older programs read.
const VERSION: u64 = 2;

/// The size of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Size {
    /// All nodes.
    pub nodes: u64,
    /// Those that are leaves.
    pub leaves: u64,
    /// The number of splits on the longest path.
    pub depth: u64,
}

impl Tree {
    /// Nodes, leaves and depth.
    pub fn size(&self) -> Size {
        Size { nodes: self.nodes().len() as u64, leaves: self.leaves() as u64, depth: self.depth() as u64 }
    }
}

/// What happens to a row whose value is missing or unknown at a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unknown {
    /// It goes down every branch, in proportion to the branches' weights.
    #[default]
    Fractional,
}

/// What the classes were in the program that grew the tree. A model knows them as text; who reads it can give them their type back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// Text.
    #[default]
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Truth values: `true` and `false`.
    Boolean,
}

/// How a model came about. Nothing here changes what it predicts, except `unknown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelInfo {
    /// The program and its version.
    pub made_by: String,
    /// The name of the data.
    pub data: String,
    /// The rows it was grown from.
    pub rows: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// The size of the tree before pruning.
    pub full: Size,
    /// How missing and unknown values are treated.
    pub unknown: Unknown,
    /// How its table was read, as far as that matters for other files ([`Plan::for_other_files`]).
    pub reading: Plan,
    /// What the classes were before they were text.
    pub labels: Labels,
}

impl Default for ModelInfo {
    fn default() -> Self {
        Self {
            made_by: concat!("secateur ", env!("CARGO_PKG_VERSION")).into(),
            data: String::new(),
            rows: 0,
            seed: 1,
            full: Size::default(),
            unknown: Unknown::default(),
            reading: Plan::default(),
            labels: Labels::default(),
        }
    }
}

/// A tree with its history.
///
/// ```
/// use secateur::tree::Model;
/// let json = r#"{
///     "format": "secateur-model", "version": 1, "scheme": "cart",
///     "attributes": [{"name": "petal width", "type": "numeric"}],
///     "target": {"type": "classes", "name": "species", "classes": ["setosa", "other"]},
///     "nodes": [
///         {"parent": null, "split": {"attribute": "petal width", "less_than": 0.8}, "first_child": 1,
///          "rows": 150, "weight": 150, "counts": [50, 100], "gain": 0.444, "rank": 0},
///         {"parent": 0, "rows": 50, "weight": 50, "counts": [50, 0]},
///         {"parent": 0, "rows": 100, "weight": 100, "counts": [0, 100]}
///     ]}"#;
/// let model = Model::from_json("iris.json", json.as_bytes()).unwrap();
/// assert_eq!(model.tree.leaves(), 2);
///
/// let mut saved = Vec::new();
/// model.to_json(&mut saved).unwrap();
/// assert_eq!(Model::from_json("again", saved.as_slice()).unwrap(), model);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The tree.
    pub tree: Tree,
    /// The scheme that made it, such as `cart/cost-complexity:cv=10,1se`.
    pub scheme: String,
    /// How it came about.
    pub about: ModelInfo,
}

impl Model {
    /// The `format` that every saved model names first.
    pub const FORMAT: &str = FORMAT;

    /// Keeps how the table was read: new rows are understood by it, whatever reads them.
    pub fn set_reading(&mut self, reading: Plan) {
        self.tree = self.tree.clone().with_missing_texts(reading.missing_texts());
        self.about.reading = reading;
    }

    /// Writes the model to a file, which either appears whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        crate::write::atomically(path.as_ref(), |out| self.to_json(out))
    }

    /// Writes the model as JSON, node by node; numbers keep every bit.
    pub fn to_json(&self, out: impl Write) -> std::io::Result<()> {
        writing::write(self, out)
    }

    /// Reads a saved model from a file and checks it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file =
            std::fs::File::open(path).map_err(|source| Error::Read { file: path.to_path_buf(), source })?;
        Self::from_json(&path.display().to_string(), file)
    }

    /// Reads a saved model and checks it: whatever the bytes are, the result is a good tree or an
    /// [`Error::Model`] that says what is wrong. `name` stands for the file in errors.
    pub fn from_json(name: &str, reader: impl Read) -> Result<Self> {
        let bytes = memory::read_to_end(reader, &format!("the text of {name}"))?;
        let bytes = bytes.map_err(|source| Error::reading(name, source))?;
        reading::read(&bytes).map_err(|problem| Error::Model { file: name.into(), problem })
    }
}

#[cfg(test)]
mod tests;
