//! How a format describes itself.

use secateur::data::Table;
use secateur::tree::{Model, Tree};
use secateur::{Error, Result};

use super::{Carries, Inputs, OptionSpec, Options};
use crate::verify::Consumer;

/// A format that trees are exported to.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name.
    pub id: &'static str,
    /// What it is, in a line.
    pub one_line: &'static str,
    /// How names of its files end, without the dot.
    pub extension: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// What it carries.
    pub carries: Carries,
    /// Writes a tree.
    pub write: fn(&Job) -> Result<Written>,
    /// The programs that read it, any of which proves an export; none for what people read.
    pub consumers: fn(&Options) -> Vec<&'static Consumer>,
}

/// A tree to be written.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The model.
    pub model: &'a Model,
    /// The options of the format.
    pub options: &'a Options,
    /// Rows that the export has to keep apart as the tree does.
    pub rows: Option<&'a Table>,
}

impl<'a> Job<'a> {
    /// The tree.
    pub fn tree(&self) -> &'a Tree {
        &self.model.tree
    }

    /// What the tree asks for.
    pub fn inputs(&self) -> Inputs<'a> {
        Inputs::of(&self.model.tree)
    }

    /// The classes; none where the tree predicts numbers.
    pub fn classes(&self) -> &'a [String] {
        self.model.tree.schema().target.classes()
    }
}

/// A tree in some format.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Written {
    /// What goes into a file.
    pub bytes: Vec<u8>,
    /// What the reader should know of it: what was not carried, or how.
    pub notes: Vec<String>,
    /// Whether rows that go down the tree in parts get another answer.
    pub whole_rows_only: bool,
    /// Whether a row that the tree shares among branches goes down the heaviest branch only.
    pub to_heaviest: bool,
    /// Whether an empty text stands for no value, because the format has nothing else for that.
    pub empty_is_missing: bool,
    /// How far numbers may be from those of the tree, where they are not the same to the last bit.
    pub tolerance: f64,
    /// Where numbers are kept in 32 bits: for every node the one below which rows go to the first branch ([`super::single`]).
    pub cuts: Option<Vec<f32>>,
}

impl Written {
    /// The text, for formats that are text.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }
}

impl From<String> for Written {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes(), ..Self::default() }
    }
}

impl From<Vec<u8>> for Written {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }
}

/// The error of a tree that a format cannot carry.
pub(crate) fn refused(format: &str, reason: impl AsRef<str>) -> Error {
    Error::parameter(format!("{format} cannot carry this tree: {}", reason.as_ref()))
}
