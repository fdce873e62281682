//! Cutting a text at record borders, so that the pieces can be parsed in parallel.
//!
//! A line end inside a quoted field is no border, and whether a byte is inside one depends on everything
//! before it. So every piece is scanned twice, once for each answer, in parallel; afterwards the answers
//! are chained from the front. The scan jumps from quote to quote, and without quotes it only counts lines.

use crate::error::{Error, Result};
use crate::progress::Progress;
use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
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
    first_line_end: Option<usize>,
    line_ends: usize,
}

/// Cuts `bytes[start..]` into chunks of about `size` bytes.
pub(super) fn split(
    bytes: &[u8],
    start: usize,
    size: usize,
    quotes: Quotes,
    progress: &dyn Progress,
) -> Result<Vec<Chunk>> {
    let end = bytes.len();
    let mut cuts = vec![start];
    let mut cut = start.saturating_add(size.max(1));
    while cut < end {
        // After a quote it would be open whether the next one is its twin.
        while cut < end && bytes[cut - 1] == b'"' {
            cut += 1;
        }
        if cut < end {
            cuts.push(cut);
        }
        cut = cut.saturating_add(size.max(1));
    }
    cuts.push(end);

    progress.stage("finding the lines", (end - start) as u64);
    let scans: Vec<[Scan; 2]> = cuts
        .par_windows(2)
        .map(|piece| {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let range = piece[0]..piece[1];
            let found = match quotes {
                Quotes::Fields(delimiter) if memchr(b'"', &bytes[range.clone()]).is_some() => [
                    scan_quoted(bytes, start, range.clone(), delimiter, false),
                    scan_quoted(bytes, start, range.clone(), delimiter, true),
                ],
                _ => {
                    let mut outside = Scan::default();
                    outside.lines(bytes, range.clone());
                    [outside, Scan { inside_at_end: true, ..Scan::default() }]
                }
            };
            progress.advance(range.len() as u64);
            Ok(found)
        })
        .collect::<Result<_>>()?;

    let mut chunks: Vec<Chunk> = Vec::new();
    let mut inside = false;
    for (piece, scans) in scans.iter().enumerate() {
        let scan = scans[usize::from(inside)];
        inside = scan.inside_at_end;
        if piece == 0 {
            chunks.push(Chunk { range: start..end, rows: scan.line_ends + 1 });
        } else if let Some(at) = scan.first_line_end {
            if let Some(last) = chunks.last_mut() {
                last.range.end = at + 1;
            }
            // Its first line end closes the chunk before, but one more may come from the piece after.
            chunks.push(Chunk { range: at + 1..end, rows: scan.line_ends });
        }
    }
    chunks.retain(|chunk| !chunk.range.is_empty());
    Ok(chunks)
}

impl Scan {
    /// Counts the line ends of a range outside quotes.
    fn lines(&mut self, bytes: &[u8], range: Range<usize>) {
        let part = &bytes[range.clone()];
        if self.first_line_end.is_none() {
            self.first_line_end = memchr(b'\n', part).map(|at| range.start + at);
        }
        self.line_ends += memchr_iter(b'\n', part).count();
    }
}

fn scan_quoted(bytes: &[u8], start: usize, range: Range<usize>, delimiter: u8, inside: bool) -> Scan {
    let mut scan = Scan { inside_at_end: inside, ..Scan::default() };
    let mut from = range.start;
    let mut at = range.start;
    while let Some(next) = memchr(b'"', &bytes[at..range.end]) {
        let quote = at + next;
        at = quote + 1;
        if scan.inside_at_end {
            if bytes.get(at) == Some(&b'"') {
                at = (at + 1).min(range.end);
            } else {
                scan.inside_at_end = false;
                from = at;
            }
        } else if opens(bytes, start, quote, delimiter) {
            scan.lines(bytes, from..quote);
            scan.inside_at_end = true;
        }
    }
    if !scan.inside_at_end {
        scan.lines(bytes, from..range.end);
    }
    scan
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
