//! Lines that show whether they were changed: JSON that ends with a checksum of what stands before it.
//!
//! An object gets a last key, `{…,"check":"1f0c93ab"}`, a list a last entry, `[…,"1f0c93ab"]`: the CRC-32 of the bytes before the
//! comma, in hexadecimal.

use serde::Serialize;

use crate::error::{Error, Result};

/// What is found at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seal {
    /// The checksum fits.
    Whole,
    /// It does not.
    Broken,
    /// There is none.
    None,
}

/// The line for an object or a list that is not empty, with its end.
pub(super) fn sealed(value: &impl Serialize) -> Result<String> {
    let problem = |e: serde_json::Error| Error::internal(format!("a result cannot be written: {e}"));
    let mut line = serde_json::to_string(value).map_err(problem)?;
    let (before, after) = match line.pop() {
        Some(']') => ("\"", "\"]\n"),
        _ => ("\"check\":\"", "\"}\n"),
    };
    let check = checksum(line.as_bytes());
    line += &format!(",{before}{check:08x}{after}");
    Ok(line)
}

/// Whether a line, with or without its end, is as it was written.
pub(super) fn seal(line: &[u8]) -> Seal {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let parts = match line {
        [b'[', .., b'"', b']'] => split(line, b",\"", 2),
        [b'{', .., b'"', b'}'] => split(line, b",\"check\":\"", 2),
        _ => None,
    };
    match parts {
        Some((body, check)) if format!("{:08x}", checksum(body)).as_bytes() == check => Seal::Whole,
        Some(_) => Seal::Broken,
        None => Seal::None,
    }
}

/// What stands before a mark and the eight digits after it, at the end of a line except for some characters.
fn split<'a>(line: &'a [u8], mark: &[u8], after: usize) -> Option<(&'a [u8], &'a [u8])> {
    let (rest, check) = line.split_at_checked(line.len().checked_sub(8 + after)?)?;
    let body = rest.strip_suffix(mark)?;
    Some((body, &check[..8]))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_are_json_and_show_every_change() {
        for value in [json!({"a": 0.25, "b": [1, 2]}), json!([0.125, null]), json!({"check": "00000000"})] {
            let line = sealed(&value).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
            assert_eq!(seal(line.as_bytes()), Seal::Whole);
            assert_eq!(seal(line.trim_end().as_bytes()), Seal::Whole);
            let bytes = line.as_bytes();
            for place in 0..bytes.len() - 1 {
                for other in [b'0', b'7', b'"', b' '] {
                    let mut changed = bytes.to_vec();
                    changed[place] = other;
                    assert_eq!(seal(&changed) == Seal::Whole, changed == bytes, "{place}");
                }
                let mut less = bytes.to_vec();
                less.remove(place);
                assert_ne!(seal(&less), Seal::Whole);
            }
        }
        // CRC-32 of the nine digits, as everyone computes it.
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        for none in ["", "{}", "[]", "{\"a\":1}", "my notes", "{\"check\":\"", "\"]"] {
            assert_eq!(seal(none.as_bytes()), Seal::None, "{none}");
        }
    }
}
