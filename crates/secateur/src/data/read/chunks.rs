//! Cutting a text at record borders, so that the pieces can be parsed in parallel.
//!
//! A line end inside a quoted field is not a border, and whether a byte is inside one depends on everything
//! before it. So pieces are cut behind line ends, and each is scanned in parallel as if it began outside quotes; the
//! answers are chained from the front. Where one was wrong, the pieces from there on are scanned for the other case too.

use super::scan::next_of;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::threads;
use memchr::{memchr, memchr_iter};
use std::ops::Range;

/// Some whole records of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    pub range: Range<usize>,
    /// At most this many records are in it.
    pub rows: usize,
}

/// How fields are quoted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quotes {
    /// No quoted field reaches over a line end.
    Lines,
    /// Double quotes around whole fields, which may hold line ends; fields are separated by this byte.
    Fields(u8),
}

/// Whether a byte is a space around a field.
pub(super) fn is_blank(byte: u8, delimiter: u8) -> bool {
    byte == b' ' || (byte == b'\t' && delimiter != b'\t')
}

/// What a piece looks like when it begins outside (or inside) a quoted field.
#[derive(Debug, Clone, Copy, Default)]
struct Scan {
    inside_at_end: bool,
    /// Where the first line ends; known only for pieces with quotes.
    first_line_end: Option<usize>,
    line_ends: usize,
}

/// The first piece is at most this long: its chunk decides the types of the columns and is read twice.
const FIRST: usize = 64 << 10;

/// Cuts `bytes[start..]` into chunks of about `size` bytes.
pub(super) fn split(
    bytes: &[u8],
    start: usize,
    size: usize,
    quotes: Quotes,
    progress: &dyn Progress,
) -> Result<Vec<Chunk>> {
    let cuts = line_ends(bytes, start, size.max(1));
    progress.stage("finding the lines", (bytes.len() - start) as u64);
    let scans = |cuts: &[usize], inside: bool| -> Result<Vec<Scan>> {
        let scan = |piece: &[usize]| {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let range = piece[0]..piece[1];
            if !inside {
                progress.advance(range.len() as u64);
            }
            Ok(match quotes {
                Quotes::Fields(delimiter) if memchr(b'"', &bytes[range.clone()]).is_some() => {
                    scan_quoted(bytes, start, range, delimiter, inside)
                }
                _ if inside => Scan { inside_at_end: true, ..Scan::default() },
                _ => Scan { line_ends: memchr_iter(b'\n', &bytes[range]).count(), ..Scan::default() },
            })
        };
        threads::try_map(cuts.len().saturating_sub(1), |i| scan(&cuts[i..i + 2]))
    };
    chained(&cuts, scans)
}

/// The beginnings of pieces of about this size, each behind a line end, and the end of the text.
fn line_ends(bytes: &[u8], start: usize, size: usize) -> Vec<usize> {
    let mut cuts = vec![start];
    let mut cut = start.saturating_add(size.min(FIRST));
    while let Some(rest) = bytes.get(cut..)
        && let Some(at) = memchr(b'\n', rest)
        && cut + at + 1 < bytes.len()
    {
        cuts.push(cut + at + 1);
        cut = (cut + at + 1).saturating_add(size);
    }
    cuts.push(bytes.len());
    cuts
}

/// Chains the pieces from the front, each scanned as it really begins: outside a quoted field or inside one.
fn chained(cuts: &[usize], scans: impl Fn(&[usize], bool) -> Result<Vec<Scan>>) -> Result<Vec<Chunk>> {
    let end = cuts.last().copied().unwrap_or(0);
    let mut chunks: Vec<Chunk> = Vec::new();
    let outside = scans(cuts, false)?;
    let mut inside: Option<(usize, Vec<Scan>)> = None;
    let mut begins_inside = false;
    for (piece, mut scan) in outside.into_iter().enumerate() {
        if begins_inside {
            if inside.is_none() {
                inside = Some((piece, scans(&cuts[piece..], true)?));
            }
            if let Some((first, scans)) = &inside {
                scan = scans[piece - first];
            }
        }
        let (border, rows) = match scan.first_line_end {
            _ if !begins_inside => (Some(cuts[piece]), scan.line_ends),
            // What comes before belongs to the last record of the chunk before.
            Some(at) => (Some(at + 1), scan.line_ends - 1),
            None => (None, 0),
        };
        if let Some(border) = border {
            if let Some(last) = chunks.last_mut() {
                last.range.end = border;
                last.rows += usize::from(begins_inside);
            }
            chunks.push(Chunk { range: border..end, rows });
        }
        begins_inside = scan.inside_at_end;
    }
    if let Some(last) = chunks.last_mut() {
        // The last record may have no line end.
        last.rows += 1;
    }
    chunks.retain(|chunk| !chunk.range.is_empty());
    Ok(chunks)
}

fn scan_quoted(bytes: &[u8], start: usize, range: Range<usize>, delimiter: u8, inside: bool) -> Scan {
    let mut scan = Scan { inside_at_end: inside, ..Scan::default() };
    let piece = &bytes[..range.end];
    let mut at = range.start;
    loop {
        if scan.inside_at_end {
            at = next_of(piece, at, b'"', b'"');
            if at >= range.end {
                return scan;
            }
            if bytes.get(at + 1) == Some(&b'"') {
                at += 2;
            } else {
                scan.inside_at_end = false;
                at += 1;
            }
        } else {
            at = next_of(piece, at, b'"', b'\n');
            if at >= range.end {
                return scan;
            }
            if bytes[at] == b'\n' {
                scan.first_line_end.get_or_insert(at);
                scan.line_ends += 1;
            } else {
                scan.inside_at_end = opens(bytes, start, at, delimiter);
            }
            at += 1;
        }
    }
}

/// Whether a quote outside quoted fields opens one: it is the first in its field.
fn opens(bytes: &[u8], start: usize, quote: usize, delimiter: u8) -> bool {
    match bytes[start..quote].iter().rposition(|&b| !is_blank(b, delimiter)) {
        Some(at) => bytes[start + at] == delimiter || bytes[start + at] == b'\n',
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    fn pieces(text: &str, size: usize, quotes: Quotes) -> Vec<&str> {
        let chunks = split(text.as_bytes(), 0, size, quotes, &Silent).unwrap();
        for chunk in &chunks {
            let lines = text[chunk.range.clone()].lines().count();
            assert!(matches!(quotes, Quotes::Fields(_)) || lines <= chunk.rows, "{chunk:?}");
        }
        chunks.into_iter().map(|c| &text[c.range]).collect()
    }

    #[test]
    fn pieces_end_at_line_ends_and_lose_nothing() {
        let text = "a,b\n1,2\n\n3,4\n5,6";
        for size in 1..20 {
            let pieces = pieces(text, size, Quotes::Lines);
            assert_eq!(pieces.concat(), text);
            assert!(pieces[..pieces.len() - 1].iter().all(|p| p.ends_with('\n')), "{pieces:?}");
        }
    }

    #[test]
    fn quoted_line_ends_are_no_borders() {
        let records = ["a, \"b\n\"\"\nc\",5\" x\n", "\"\"\"\n\"\"\",\n", "\"\n\n\n\",\"\"\n", "1,\"2\"\n"];
        let text = records.concat();
        for size in 1..text.len() + 1 {
            let pieces = pieces(&text, size, Quotes::Fields(b','));
            let mut rest = &records[..];
            for piece in pieces {
                let count = (1..=rest.len()).find(|&n| rest[..n].concat() == piece);
                rest = &rest[count.unwrap_or_else(|| panic!("{size}: {piece:?}"))..];
            }
            assert!(rest.is_empty());
        }
    }
}
