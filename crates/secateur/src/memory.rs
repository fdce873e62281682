//! Memory that is asked for before it is used, so that too little of it is an error and not the end of the process.
//!
//! What grows with the data (columns, codes, lists of rows, trees, predictions) is taken by `reserve` or [`filled`], or asked for
//! as a whole by `ask` before work begins. Small lists are taken as always; a program can catch those that fail with an
//! allocator of its own, which leaves requests alone that are [tried](is_trying).

use std::cell::Cell;
use std::io::{self, Read};

use crate::error::{Error, Result};

thread_local! {
    static TRYING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread asks for memory that may be refused. For allocators, which must answer such a request.
pub fn is_trying() -> bool {
    TRYING.get()
}

/// Asks for memory, and has it refused in words.
fn tried<T>(
    bytes: usize,
    what: &str,
    ask: impl FnOnce() -> Result<T, std::collections::TryReserveError>,
) -> Result<T> {
    let before = TRYING.replace(true);
    let answer = ask();
    TRYING.set(before);
    answer.map_err(|_| Error::Memory { what: what.into(), bytes: bytes as u64 })
}

/// Room for more entries of a list, exactly this many.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize, what: &str) -> Result<()> {
    let bytes = (list.len().saturating_add(more)).saturating_mul(size_of::<T>());
    tried(bytes, what, || list.try_reserve_exact(more))
}

/// A list of equal entries.
///
/// ```
/// use secateur::{Error, memory};
/// assert_eq!(memory::filled(7u8, 3, "sevens").unwrap(), [7, 7, 7]);
/// assert!(matches!(memory::filled(7u8, usize::MAX, "sevens"), Err(Error::Memory { .. })));
/// ```
pub fn filled<T: Clone>(value: T, length: usize, what: &str) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserve(&mut list, length, what)?;
    list.resize(length, value);
    Ok(list)
}

/// Refuses work that needs this many bytes when they are not there. They are given back at once.
pub(crate) fn ask(bytes: usize, what: &str) -> Result<()> {
    // The system answers for a large piece by itself, without handing it out.
    tried(bytes, what, || Vec::<u8>::new().try_reserve_exact(bytes))
}

/// A list of equal entries that asks for no memory where it is short.
pub(crate) struct ShortList<T> {
    few: [T; ShortList::<()>::FEW],
    many: Vec<T>,
    length: usize,
}

impl<T> ShortList<T> {
    const FEW: usize = 16;
}

impl<T: Copy> ShortList<T> {
    /// This many times this value.
    #[inline]
    pub(crate) fn filled(value: T, length: usize) -> Self {
        let many = if length <= Self::FEW { Vec::new() } else { vec![value; length] };
        Self { few: [value; ShortList::<()>::FEW], many, length }
    }

    /// Its entries.
    #[inline]
    pub(crate) fn entries(&mut self) -> &mut [T] {
        if self.length <= Self::FEW { &mut self.few[..self.length] } else { &mut self.many }
    }
}

/// Everything that a reader gives.
pub(crate) fn read_to_end(mut reader: impl Read, what: &str) -> Result<io::Result<Vec<u8>>> {
    const FIRST: usize = 1 << 16;
    let mut bytes = Vec::new();
    loop {
        if bytes.len() == bytes.capacity() {
            let more = bytes.len().max(FIRST);
            reserve(&mut bytes, more, what)?;
        }
        // No more than there is room for: the list does not grow by itself.
        let room = bytes.capacity() - bytes.len();
        match reader.by_ref().take(room as u64).read_to_end(&mut bytes) {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_refused_in_words() {
        let mut list = vec![0u64; 3];
        reserve(&mut list, 5, "the numbers").unwrap();
        assert!(list.capacity() >= 8);
        for error in [
            reserve(&mut list, usize::MAX / 16, "the numbers").unwrap_err(),
            filled(0u64, usize::MAX / 16, "the numbers").unwrap_err(),
            ask(usize::MAX / 2, "the numbers").unwrap_err(),
        ] {
            let text = error.to_string();
            assert!(text.starts_with("there is not enough memory for the numbers"), "{text}");
            assert!(!error.is_callers());
        }
        assert!(!is_trying());
    }

    #[test]
    fn readers_are_read_to_their_end() {
        for length in [0, 1, 65_535, 65_536, 65_537, 1_000_000] {
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            assert!(read_to_end(&bytes[..], "bytes").unwrap().unwrap() == bytes, "{length}");
        }
    }
}
