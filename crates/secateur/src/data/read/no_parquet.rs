//! Parquet files where the library was built without its feature `parquet`: recognised, and refused with a message.

use super::portions::{InOrder, Work};
use super::{Content, ReadOptions, Reader};
use crate::data::{Note, Plan, Table, Values};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use std::convert::Infallible;
use std::path::PathBuf;

pub(super) const READER: Reader = Reader {
    names: &["parquet"],
    begins: |bytes| bytes.starts_with(b"PAR1"),
    content: Content::Bytes(|name, _, _, _| Err(not_built(name))),
};

fn not_built(name: &str) -> Error {
    Error::input(
        Place::file(name),
        "Parquet files are not read here: the library was built without its feature `parquet`; build it with the feature, or turn \
         the file into CSV",
    )
}

/// Parquet files in portions, of which there are none here.
pub(super) struct ParquetPortions(Infallible);

impl ParquetPortions {
    pub(super) fn open(name: &str, _: &[PathBuf], _: &ReadOptions) -> Result<Self> {
        Err(not_built(name))
    }

    pub(super) fn rows(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn with_pages_of(self, _: u64) -> Self {
        match self.0 {}
    }

    pub(super) fn bytes(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn natural(&self) -> Vec<String> {
        match self.0 {}
    }

    pub(super) fn plan(&self) -> (Plan, Vec<Note>) {
        match self.0 {}
    }

    pub(super) fn sample(&self) -> Result<Table> {
        match self.0 {}
    }

    pub(super) fn each(&self, _: Option<&[String]>, _: &dyn Progress, _: Work) -> Result<()> {
        match self.0 {}
    }

    pub(super) fn in_order(&self, _: Option<&[String]>, _: &dyn Progress, _: InOrder) -> Result<()> {
        match self.0 {}
    }
}

/// Only Parquet files have values in their natural order.
pub(super) fn sorted(levels: Vec<String>, codes: Vec<u32>) -> Values {
    Values::Nominal(crate::data::Nominal { levels, codes })
}
