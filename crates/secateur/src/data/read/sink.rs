//! Where cells go while a chunk of text is parsed: numbers, codes of values as they come, codes of declared values.

use std::borrow::Cow;
use std::ops::Range;

use super::memo::{Key, Memo};
use super::text::Fault;
use crate::data::MISSING;
use crate::data::cell::{Cell, cell, is_missing};
use crate::data::intern::Interner;
use crate::error::{shown, suggestion};

/// Where the cells of one column of one chunk go.
pub(super) enum Sink<'c, 't> {
    Skip,
    Numbers(Numbers<'c>),
    Open { cells: &'c mut [u32], levels: Interner<Cow<'t, str>>, memo: Memo, marks: Marks },
    Declared { cells: &'c mut [u32], levels: &'c Interner<String>, memo: Memo, marks: Marks },
}

/// Which texts are missing values in columns of text, and which of these are worth a note.
#[derive(Clone, Copy)]
pub(super) struct MissingRule {
    pub is_missing: fn(&str) -> bool,
    pub is_noted: fn(&str) -> bool,
}

impl MissingRule {
    /// Files that do not say their types: `?`, nothing, `NA` and `NaN`.
    pub(super) const USUAL: Self = Self { is_missing, is_noted: |text| !text.is_empty() };
    /// Only nothing at all is missing.
    pub(super) const KEEP_NA: Self = Self { is_missing: str::is_empty, is_noted: |_| false };
    /// As usual; `?` is the format's own mark.
    pub(super) const ARFF: Self = Self { is_missing, is_noted: |text| !matches!(text, "" | "?") };
    /// Only nothing and the format's own mark are missing.
    pub(super) const ARFF_KEEP_NA: Self =
        Self { is_missing: |text| matches!(text, "" | "?"), is_noted: |_| false };
}

/// The texts that became missing values in a column of text.
pub(super) struct Marks {
    rule: MissingRule,
    pub cells: usize,
    /// The row of the first of them, and its text.
    pub first: Option<(usize, String)>,
}

impl Marks {
    pub(super) fn new(rule: MissingRule) -> Self {
        Self { rule, cells: 0, first: None }
    }

    /// Whether a text is a missing value; it is counted.
    fn take(&mut self, row: usize, text: &str) -> bool {
        let is_missing = (self.rule.is_missing)(text);
        if is_missing && (self.rule.is_noted)(text) {
            self.cells += 1;
            self.first.get_or_insert_with(|| (row, text.to_string()));
        }
        is_missing
    }

    /// Adds those of a chunk that begins with a row.
    pub(super) fn add(&mut self, later: Self, first_row: usize) {
        self.cells += later.cells;
        let first = later.first.map(|(row, text)| (first_row + row, text));
        self.first = self.first.take().or(first);
    }
}

/// Numbers of one column of one chunk.
pub(super) struct Numbers<'c> {
    pub cells: &'c mut [f64],
    /// Text is an error.
    pub forced: bool,
    /// There is text: the column is not numeric after all.
    pub text: bool,
    /// Some number begins with a zero before other digits, as codes do.
    pub zeros: bool,
    /// The first number that is not finite, and where it is in the chunk.
    pub infinite: Option<(usize, String)>,
    /// The first numbers that are not what they seem, with their rows: `1e5`, which may be a code, and one that became 0.
    pub odd: OddNumbers,
}

/// The first cell of each kind that is read as a number and may mean another: its row and its text.
#[derive(Default, Clone)]
pub(super) struct OddNumbers {
    pub exponent: Option<(usize, String)>,
    pub too_small: Option<(usize, String)>,
}

impl OddNumbers {
    /// Looks at the text of a number with an exponent.
    pub(super) fn look(&mut self, row: usize, text: &str, value: f64) {
        let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits(mantissa) && digits(exponent) {
            self.exponent.get_or_insert_with(|| (row, text.to_string()));
        }
        if value == 0.0 && mantissa.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
            self.too_small.get_or_insert_with(|| (row, text.to_string()));
        }
    }

    /// Adds those of a chunk that begins with a row.
    pub(super) fn add(&mut self, later: Self, first_row: usize) {
        let moved = |(row, text)| (first_row + row, text);
        self.exponent = self.exponent.take().or(later.exponent.map(moved));
        self.too_small = self.too_small.take().or(later.too_small.map(moved));
    }
}

impl<'t> Sink<'_, 't> {
    /// Puts a part of the chunk's text into a row, like [`put`](Self::put).
    #[inline(always)]
    pub(super) fn put_part(
        &mut self,
        row: usize,
        text: &'t str,
        part: Range<usize>,
        literal: bool,
        offset: usize,
    ) -> Result<(), Fault> {
        let key = match self {
            Self::Open { cells, memo, .. } | Self::Declared { cells, memo, .. } => {
                let key = Key::of(text.as_bytes(), part.clone());
                if let Some(code) = key.and_then(|key| memo.get(key)) {
                    if let Some(place) = cells.get_mut(row) {
                        *place = code;
                    }
                    return Ok(());
                }
                key
            }
            Self::Skip => return Ok(()),
            Self::Numbers(_) => None,
        };
        let text = text.get(part).unwrap_or_default();
        self.put(row, Cow::Borrowed(text), literal, offset)?;
        if let Some(key) = key {
            self.remember(row, text, key);
        }
        Ok(())
    }

    /// Remembers the code that a row got for a text, unless it could mean something else where it is (not) literal.
    fn remember(&mut self, row: usize, text: &str, key: Key) {
        if let Self::Open { cells, memo, .. } | Self::Declared { cells, memo, .. } = self
            && let Some(&code) = cells.get(row)
            && !is_missing(text)
        {
            memo.set(key, code);
        }
    }

    /// Puts a cell into a row. Literal text is never a missing value. The fault says only what is wrong.
    pub(super) fn put(
        &mut self,
        row: usize,
        text: Cow<'t, str>,
        literal: bool,
        offset: usize,
    ) -> Result<(), Fault> {
        match self {
            Self::Skip => {}
            Self::Numbers(numbers) => return numbers.put(row, &text, offset),
            Self::Open { cells, levels, marks, .. } => {
                if let Some(place) = cells.get_mut(row) {
                    *place = if !literal && marks.take(row, &text) { MISSING } else { levels.code(text) };
                }
            }
            Self::Declared { cells, levels, marks, .. } => {
                let code = match levels.find(&text) {
                    _ if !literal && text == "?" => MISSING,
                    Some(code) => code,
                    None if !literal && is_missing(&text) => {
                        marks.take(row, &text);
                        MISSING
                    }
                    None => return Err(undeclared(&text, levels.levels(), offset)),
                };
                if let Some(place) = cells.get_mut(row) {
                    *place = code;
                }
            }
        }
        Ok(())
    }
}

impl Numbers<'_> {
    /// Puts a number, or NaN for a missing one, into a row.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, value: f64) {
        if let Some(cell) = self.cells.get_mut(row) {
            *cell = value;
        }
    }

    fn put(&mut self, row: usize, text: &str, offset: usize) -> Result<(), Fault> {
        if self.text {
            return Ok(());
        }
        let value = match cell(text) {
            Cell::Missing => f64::NAN,
            Cell::Number(value) => value,
            Cell::Infinite if self.forced => return Err(Fault::new(offset, None, not_finite(text))),
            Cell::Infinite => {
                self.infinite.get_or_insert_with(|| (offset, text.to_string()));
                f64::NAN
            }
            Cell::Text if self.forced => {
                let problem = format!("{} is not a number; {EXPECTED}", shown(text));
                return Err(Fault::new(offset, None, problem));
            }
            Cell::Text => {
                self.text = true;
                return Ok(());
            }
        };
        self.zeros |= text.starts_with('0') && text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        self.odd.look(row, text, value);
        self.set(row, value);
        Ok(())
    }
}

const EXPECTED: &str = "expected a finite number or a missing value (?) in a numeric column";

pub(super) fn not_finite(text: &str) -> String {
    format!("{} is not finite; {EXPECTED}", shown(text))
}

fn undeclared(text: &str, levels: &[String], offset: usize) -> Fault {
    let first: Vec<String> = levels.iter().take(5).map(|level| shown(level)).collect();
    let expected = match levels.len() {
        0 => "no value but ? (none is declared)".to_string(),
        1..=5 => format!("one of {}", first.join(", ")),
        count => format!("one of {}, … ({count} values)", first.join(", ")),
    };
    let near = suggestion(text, levels.iter().take(10_000).map(String::as_str));
    Fault::new(offset, None, format!("{} is not a declared value; expected {expected}{near}", shown(text)))
}
