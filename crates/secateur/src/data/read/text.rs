//! A text file in memory, and errors at a byte of it.

use crate::error::{Error, Place, Result};
use std::ops::Range;

/// The bytes of a text file with the name it has for the user.
pub(super) struct Text<'a> {
    pub name: &'a str,
    /// Without a byte order mark.
    pub bytes: &'a [u8],
}

/// A problem at a byte of the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub offset: usize,
    /// The number of the field, from 0.
    pub column: Option<usize>,
    pub problem: String,
}

impl Fault {
    pub(super) fn new(offset: usize, column: impl Into<Option<usize>>, problem: impl Into<String>) -> Self {
        Self { offset, column: column.into(), problem: problem.into() }
    }
}

impl<'a> Text<'a> {
    /// Takes off a byte order mark; an empty file is an error.
    pub(super) fn new(name: &'a str, bytes: &'a [u8]) -> Result<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let fail = |problem: &str| Err(Error::input(Place::file(name), problem));
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return fail("it is empty; expected a header and at least one row of data");
        }
        Ok(Self { name, bytes })
    }

    /// A part as text; `field_at` gives the number of the field at an offset in the part.
    pub(super) fn part(
        &self,
        range: Range<usize>,
        field_at: impl Fn(&[u8], usize) -> usize,
    ) -> Result<&'a str, Fault> {
        let start = range.start;
        let bytes = self.bytes.get(range).unwrap_or_default();
        let fault = |at: usize, problem: String| Fault::new(start + at, field_at(bytes, at), problem);
        let text = std::str::from_utf8(bytes);
        // Of two faults the first is reported, so that the message does not depend on where chunks end.
        let valid = text.map_or_else(|error| error.valid_up_to(), str::len);
        if let Some(at) = memchr::memchr(0, &bytes[..valid]) {
            return Err(fault(at, "a NUL byte; expected text (is this another format?)".into()));
        }
        text.map_err(|error| {
            let at = error.valid_up_to();
            fault(at, format!("byte 0x{:02x} is not valid UTF-8; save the file as UTF-8", bytes[at]))
        })
    }

    /// The line number of a byte, from 1.
    pub(super) fn line(&self, offset: usize) -> u64 {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        memchr::memchr_iter(b'\n', before).count() as u64 + 1
    }

    /// The error that a fault is, given the names of the columns.
    pub(super) fn error(&self, fault: Fault, names: &[String]) -> Error {
        let mut place = Place::file(self.name).line(self.line(fault.offset));
        if let Some(column) = fault.column {
            place = place.column(column as u64 + 1);
            if let Some(name) = names.get(column) {
                place = place.attribute(name);
            }
        }
        Error::input(place, fault.problem)
    }
}
