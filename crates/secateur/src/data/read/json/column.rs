//! A column of a JSON file while its rows arrive: numbers as long as there are no others, else texts.

use crate::data::cell::is_missing;
use crate::data::intern::Interner;
use crate::data::{MISSING, Nominal, Values};

/// What a column is read as.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    Anything,
    Text,
    Nothing,
}

/// The cells of a column so far.
enum Cells {
    Numbers(Vec<f64>),
    Text(Interner<String>, Vec<u32>),
}

/// A column so far.
pub(super) struct Building {
    pub(super) name: String,
    pub(super) wanted: Wanted,
    cells: Cells,
    /// The last row that has this name (from 1).
    pub(super) last: usize,
    /// The first row (from 1) with a number, with a text, and with a truth value.
    first: [usize; 3],
}

const NUMBER: usize = 0;
pub(super) const TEXT: usize = 1;
pub(super) const TRUTH: usize = 2;

impl Building {
    pub(super) fn new(name: &str, wanted: Wanted) -> Self {
        Self { name: name.into(), wanted, cells: Cells::Numbers(Vec::new()), last: 0, first: [0; 3] }
    }

    /// The list of cells, as text; numbers that are there already are written out.
    fn texts(&mut self) -> (&mut Interner<String>, &mut Vec<u32>) {
        if let Cells::Numbers(numbers) = &self.cells {
            let mut levels = Interner::default();
            let code = |x: &f64| if x.is_nan() { MISSING } else { levels.code(x.to_string()) };
            let codes = numbers.iter().map(code).collect();
            self.cells = Cells::Text(levels, codes);
        }
        match &mut self.cells {
            Cells::Text(levels, codes) => (levels, codes),
            Cells::Numbers(_) => unreachable!("they have just become text"),
        }
    }

    /// Puts a number, which has this text, into a row (from 0).
    pub(super) fn number(&mut self, row: usize, number: f64, text: impl FnOnce() -> String) {
        self.see(NUMBER, row);
        match &mut self.cells {
            Cells::Numbers(numbers) if self.wanted == Wanted::Anything => {
                numbers.resize(row, f64::NAN);
                numbers.push(number);
            }
            _ => self.put(row, &text()),
        }
    }

    pub(super) fn text(&mut self, row: usize, text: &str, kind: usize) {
        // Beside numbers they are missing values.
        if !is_missing(text) {
            self.see(kind, row);
        }
        self.put(row, text);
    }

    fn see(&mut self, kind: usize, row: usize) {
        if self.first[kind] == 0 {
            self.first[kind] = row + 1;
        }
    }

    fn put(&mut self, row: usize, text: &str) {
        let (levels, codes) = self.texts();
        codes.resize(row, MISSING);
        codes.push(levels.code(text));
    }

    /// The column with all its rows.
    pub(super) fn finish(self, rows: usize) -> Option<Values> {
        if self.wanted == Wanted::Nothing {
            return None;
        }
        Some(match self.cells {
            Cells::Numbers(mut numbers) => {
                numbers.resize(rows, f64::NAN);
                Values::Numeric(numbers)
            }
            Cells::Text(levels, mut codes) => {
                codes.resize(rows, MISSING);
                Values::Nominal(Nominal { levels: levels.into_levels(), codes })
            }
        })
    }

    /// Where numbers, texts and truth values meet: the first row (from 1) that differs from those before, and what it holds.
    pub(super) fn mixed(&self) -> Option<(usize, String)> {
        const NAMES: [&str; 3] = ["a number", "a text", "true or false"];
        let mut seen: Vec<(usize, &str)> =
            self.first.into_iter().zip(NAMES).filter(|(row, _)| *row > 0).collect();
        seen.sort_unstable();
        let [(before, usual), (row, other), ..] = seen[..] else { return None };
        Some((row, format!("row {row} has {other} where row {before} has {usual}")))
    }
}
