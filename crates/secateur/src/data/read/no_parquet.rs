//! Parquet files where the library was built without its feature `parquet`: recognised, and told.

use super::{Content, Reader};
use crate::error::{Error, Place};

pub(super) const READER: Reader = Reader {
    names: &["parquet"],
    begins: |bytes| bytes.starts_with(b"PAR1"),
    content: Content::Bytes(|name, _, _, _| {
        Err(Error::input(
            Place::file(name),
            "Parquet files are not read here: the library was built without its feature `parquet`; build it with the \
             feature, or turn the file into CSV",
        ))
    }),
};
