//! The cells of a line of an ARFF file: plain or quoted, between commas, or between spaces on a line without commas.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use crate::data::read::decimal;
use crate::data::read::scan::next_of;
use crate::data::read::text::Fault;

/// A cell of a line.
pub(super) struct Raw<'t> {
    pub text: Cow<'t, str>,
    pub quoted: bool,
    /// Where it begins on the line.
    pub offset: usize,
    /// Where what follows it begins.
    pub next: usize,
}

/// The quoted text that opens at a byte of a line, and where it ends.
pub(super) fn quoted(line: &str, open: usize) -> Result<(Cow<'_, str>, usize), Fault> {
    let quote = line.as_bytes()[open];
    let mut out: Option<String> = None;
    let mut from = open + 1;
    let mut at = from;
    while let Some(&byte) = line.as_bytes().get(at) {
        if byte == quote {
            let tail = &line[from..at];
            let text = match out {
                Some(out) => Cow::Owned(out + tail),
                None => Cow::Borrowed(tail),
            };
            return Ok((text, at + 1));
        }
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let Some(escaped) = line[at + 1..].chars().next() else { break };
        let out = out.get_or_insert_default();
        out.push_str(&line[from..at]);
        at += 1 + escaped.len_utf8();
        let unicode =
            |at: usize| u32::from_str_radix(line.get(at..at + 4)?, 16).ok().and_then(char::from_u32);
        match (escaped, unicode(at)) {
            ('n', _) => out.push('\n'),
            ('t', _) => out.push('\t'),
            ('r', _) => out.push('\r'),
            ('u', Some(c)) => {
                out.push(c);
                at += 4;
            }
            (other, _) => out.push(other),
        }
        from = at;
    }
    let problem = format!(
        "the quoted text that begins here is not closed on its line; expected another {}",
        quote as char
    );
    Err(Fault::new(open, None, problem))
}

/// The cell at a byte of a line, up to a byte that `stops` it, the end or a comment.
pub(super) fn raw<'t>(line: &'t str, at: usize, stops: impl Fn(u8) -> bool) -> Result<Raw<'t>, Fault> {
    let offset = line.len() - line[at..].trim_ascii_start().len();
    let bytes = line.as_bytes();
    if matches!(bytes.get(offset), Some(b'"' | b'\'')) {
        let (text, end) = quoted(line, offset)?;
        let after = line.len() - line[end..].trim_ascii_start().len();
        let next = if bytes.get(after) == Some(&b'%') { line.len() } else { after };
        return match bytes.get(next) {
            Some(&b) if !(stops(b) || stops(b' ') && next > end) => Err(Fault::new(
                next,
                None,
                "text after a closing quote; expected a comma or the end of the line",
            )),
            _ => Ok(Raw { text, quoted: true, offset, next }),
        };
    }
    let comment = |at: usize| bytes[at] == b'%' && (at == 0 || bytes[at - 1].is_ascii_whitespace());
    let mut end = offset;
    while end < bytes.len() && !stops(bytes[end]) && !comment(end) {
        end += 1;
    }
    let next = if end < bytes.len() && comment(end) { line.len() } else { end };
    Ok(Raw { text: Cow::Borrowed(line[offset..end].trim_ascii_end()), quoted: false, offset, next })
}

/// The values of a list `{a, b}` that opens at a byte of a line.
pub(super) fn listed(line: &str, open: usize) -> Result<Vec<String>, Fault> {
    let mut values = Vec::new();
    let mut at = open + 1;
    loop {
        let value = raw(line, at, |b| b == b',' || b == b'}')?;
        let end = line.as_bytes().get(value.next);
        if value.quoted || !value.text.is_empty() {
            values.push(value.text.into_owned());
        } else if end == Some(&b',') || !values.is_empty() && end.is_some() {
            return Err(Fault::new(value.offset, None, "an empty value in the list; expected {a, b}"));
        }
        match end {
            Some(b',') => at = value.next + 1,
            Some(_) => return Ok(values),
            None => {
                let problem = "the list of values is not closed on its line; expected {a, b}";
                return Err(Fault::new(open, None, problem));
            }
        }
    }
}

/// The cells of a dense row.
pub(super) struct Cells<'t> {
    /// The text with the line in it.
    text: &'t str,
    line: Range<usize>,
    spaced: bool,
    at: Option<usize>,
}

impl<'t> Cells<'t> {
    pub(super) fn new(text: &'t str, line: Range<usize>, columns: usize) -> Self {
        let spaced = columns > 1 && memchr(b',', &text.as_bytes()[line.clone()]).is_none();
        Self { text, line, spaced, at: Some(0) }
    }

    /// The next cell, if it is a plain number or `?` (which is NaN) between commas.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<f64> {
        let (bytes, start) = (self.text.as_bytes(), self.begin()?);
        let (value, end) = if bytes.get(start) == Some(&b'?') {
            (f64::NAN, start + 1)
        } else {
            decimal::plain(bytes, start)?
        };
        if end == self.line.end {
            self.at = None;
        } else if end < self.line.end && bytes[end] == b',' {
            self.at = Some(end + 1 - self.line.start);
        } else {
            return None;
        }
        Some(value)
    }

    /// Where the next cell is in the text, if there is nothing special about it: no quote, no comment.
    #[inline(always)]
    pub(super) fn word(&mut self) -> Option<Range<usize>> {
        let start = self.begin()?;
        // Eight bytes are looked at together, so some behind the line are, too.
        let bytes = self.text.as_bytes();
        let bytes = bytes.get(..self.line.end + 8).unwrap_or(bytes);
        let end = next_of(bytes, start, b',', b'%').min(self.line.end);
        let more = end < self.line.end;
        if matches!(bytes.get(start)?, b'"' | b'\'' | b'{') || more && bytes[end] == b'%' {
            return None;
        }
        let spaces = bytes.get(start..end)?.iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
        self.at = more.then(|| end + 1 - self.line.start);
        Some(start..end - spaces)
    }

    /// Where the next cell begins in the text, if commas are between cells.
    #[inline(always)]
    fn begin(&self) -> Option<usize> {
        let at = self.line.start + self.at.filter(|_| !self.spaced)?;
        let bytes = self.text.as_bytes().get(at..self.line.end)?;
        Some(at + bytes.iter().take_while(|b| b.is_ascii_whitespace()).count())
    }
}

impl<'t> Iterator for Cells<'t> {
    type Item = Result<Raw<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        let line = &self.text[self.line.clone()];
        let cell = if self.spaced {
            raw(line, at, |b| b.is_ascii_whitespace())
        } else {
            raw(line, at, |b| b == b',')
        };
        if let Ok(cell) = &cell {
            let rest = line.get(cell.next..).unwrap_or_default();
            let spaces = rest.len() - rest.trim_ascii_start().len();
            self.at = match rest.as_bytes().get(spaces) {
                Some(b',') if !self.spaced => Some(cell.next + spaces + 1),
                Some(b'%') | None => None,
                Some(_) => Some(cell.next + spaces),
            };
        }
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The cells of a line, or what is wrong with it, and whether some were found at a glance.
    fn cells(text: &str, line: Range<usize>, glance: bool) -> (Vec<String>, bool) {
        let mut cells = Cells::new(text, line.clone(), 3);
        let (mut told, mut glanced) = (Vec::new(), false);
        loop {
            if glance && let Some(part) = cells.word() {
                told.push(format!("{} {}", part.start - line.start, &text[part]));
                glanced = true;
                continue;
            }
            match cells.next() {
                Some(Ok(cell)) => told.push(format!("{} {}", cell.offset, cell.text)),
                Some(Err(fault)) => return ([told, vec![fault.problem]].concat(), glanced),
                None => return (told, glanced),
            }
        }
    }

    proptest! {
        #[test]
        fn words_are_the_cells_they_would_be_otherwise(before in "[a,% ]{0,2}", line in "[ab?{}'\"%\\\\, \t]{1,24}", after in "(\n[ab,%']{0,12})?") {
            let text = format!("{before}{line}{after}");
            let begin = before.len() + line.len() - line.trim_ascii_start().len();
            let line = begin..begin + line.trim_ascii().len();
            prop_assert_eq!(cells(&text, line.clone(), true).0, cells(&text, line, false).0);
        }
    }

    #[test]
    fn plain_cells_are_found_at_a_glance() {
        for (line, expected) in
            [("a,b b ,?", vec!["0 a", "2 b b", "7 ?"]), (" 'a', b,", vec!["1 a", "6 b", "8 "])]
        {
            let (told, glanced) = cells(line, 0..line.len(), true);
            assert_eq!(told, expected);
            assert!(glanced);
        }
    }
}
