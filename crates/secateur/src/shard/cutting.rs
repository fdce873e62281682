//! A column of numbers that is being cut into bins, exactly: the cells in which bins begin are looked at closer and closer until so few
//! rows are left in them that all their values can be listed.

use super::amounts::AMOUNT;
use super::borders::{Cell, Cells, within};
use super::column_looked::NumbersLooked;
use super::look::Looked;
use super::near::{Closer, CloserAnswer};
use crate::data::{Bins, unkey};
use crate::error::{Error, Result};

/// A column that is being cut.
pub(super) struct Cutting {
    bins: usize,
    /// The weight of all rows with a value, and how it is divided.
    total: i128,
    unit: Unit,
    /// The smallest and the largest key.
    least: u64,
    most: u64,
    /// Where bins begin, as far as it is known.
    windows: Vec<Window>,
    /// The values of all windows, once they are known.
    values: Option<Vec<(u64, i128)>>,
}

/// In what weights are counted.
#[derive(Clone, Copy)]
enum Unit {
    /// Whole multiples of this.
    Whole(i128),
    /// Anything; with this many rows.
    Fractions(u64),
}

/// A range of keys in which one bin begins, or several.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Window {
    /// The smallest and the largest key that rows have.
    least: u64,
    largest: u64,
    /// The weight of the rows before.
    before: i128,
    inside: i128,
    /// The largest key before.
    below: Option<u64>,
}

impl Window {
    fn is_one_value(&self) -> bool {
        self.least == self.largest
    }

    fn range(&self) -> (u64, u64) {
        (self.least, self.largest + 1)
    }
}

impl Cutting {
    pub(super) fn new(numbers: &NumbersLooked, bins: usize, looked: &Looked) -> Self {
        let weights = &looked.weights;
        let unit = if !weights.given {
            Unit::Whole(1)
        } else if weights.whole {
            Unit::Whole(1 << 64)
        } else if weights.lightest == weights.heaviest {
            Unit::Whole((weights.heaviest * AMOUNT) as i128)
        } else {
            Unit::Fractions(weights.rows)
        };
        let cells = &numbers.cells;
        let Cell { sum: total, least, largest } = cells.all();
        let (least, most) = if total > 0 { (least, largest) } else { (0, 0) };
        let all = Window { least, largest: most, before: 0, inside: total, below: None };
        let mut cutting = Self { bins, total, unit, least, most, windows: vec![all], values: None };
        cutting.windows = cutting.narrowed(&numbers.borders, cells);
        cutting
    }

    /// Whether the weight up to somewhere is more than what lies before the beginning of a bin.
    fn passes(&self, weight: i128, bin: usize) -> bool {
        match self.unit {
            Unit::Whole(unit) => weight / unit * self.bins as i128 > self.total / unit * bin as i128,
            Unit::Fractions(rows) => {
                let total = self.total as f64 / AMOUNT;
                // As in memory: a millionth of a row is nothing.
                let room = 1e-6 * total / rows as f64;
                weight as f64 / AMOUNT > bin as f64 * total / self.bins as f64 + room
            }
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.values.is_some() || self.windows.iter().all(Window::is_one_value)
    }

    /// What to ask next: the values, if they are few.
    pub(super) fn question(&self, most: usize) -> Closer {
        let open = self.windows.iter().filter(|window| !window.is_one_value());
        let ranges: Vec<(u64, u64)> = open.clone().map(Window::range).collect();
        let rows: i128 = match self.unit {
            Unit::Whole(unit) => open.map(|window| window.inside / unit).sum(),
            Unit::Fractions(rows) => {
                let inside: i128 = open.map(|window| window.inside).sum();
                (inside as f64 / self.total as f64 * rows as f64) as i128
            }
        };
        let keys: u128 = ranges.iter().map(|(from, to)| u128::from(to - from)).sum();
        if rows <= most as i128 || keys <= most as u128 {
            Closer::Values(ranges)
        } else {
            Closer::Cells(within(&ranges))
        }
    }

    pub(super) fn take(&mut self, closer: &Closer, answer: CloserAnswer) -> Result<()> {
        match (closer, answer) {
            (Closer::Values(_), CloserAnswer::Values(values)) => self.values = Some(values),
            (Closer::Cells(borders), CloserAnswer::Cells(cells)) => {
                self.windows = self.narrowed(borders, &cells);
            }
            _ => return Err(Error::internal("an answer to another question")),
        }
        Ok(())
    }

    /// The windows again, those with several values as narrow as the cells within them.
    fn narrowed(&self, borders: &[u64], cells: &Cells) -> Vec<Window> {
        let mut narrow = Vec::new();
        let mut bin = 1;
        for (number, window) in self.windows.iter().enumerate() {
            // The bins that begin in this window are those that its end passes.
            let end = window.before + window.inside;
            let is_last = number + 1 == self.windows.len();
            let first = bin;
            while bin < self.bins && (self.passes(end, bin) || is_last) {
                bin += 1;
            }
            if window.is_one_value() {
                narrow.push(*window);
                continue;
            }
            let from = borders.partition_point(|border| *border <= window.least);
            let to = borders.partition_point(|border| *border <= window.largest);
            let (mut before, mut below, mut at) = (window.before, window.below, first);
            for cell in from..=to {
                let Cell { sum: inside, least, largest } = cells.0[cell];
                if inside == 0 {
                    continue;
                }
                let begun = at;
                while at < bin && (self.passes(before + inside, at) || before + inside == end) {
                    at += 1;
                }
                if at > begun {
                    narrow.push(Window { least, largest, before, inside, below });
                }
                before += inside;
                below = Some(largest);
            }
        }
        narrow
    }

    /// The bins, when it is known where they begin.
    pub(super) fn bins(&self) -> Bins {
        let values = self.values.as_deref().unwrap_or_default();
        // For every bin but the first where it begins, and the value before.
        let mut starts: Vec<(u64, u64)> = Vec::new();
        let mut bin = 1;
        for (number, window) in self.windows.iter().enumerate() {
            let one = [(window.least, window.inside)];
            let inside = if window.is_one_value() {
                &one[..]
            } else {
                let from = values.partition_point(|(key, _)| *key < window.least);
                let to = values.partition_point(|(key, _)| *key <= window.largest);
                &values[from..to]
            };
            let is_last = number + 1 == self.windows.len();
            let (mut before, mut below) = (window.before, window.below);
            for (place, &(key, weight)) in inside.iter().enumerate() {
                let ends = place + 1 == inside.len() && is_last;
                while bin < self.bins && (self.passes(before + weight, bin) || ends) {
                    if let Some(below) = below
                        && starts.last().is_none_or(|last| last.0 != key)
                    {
                        starts.push((key, below));
                    }
                    bin += 1;
                }
                before += weight;
                below = Some(key);
            }
        }
        let first = [self.least].into_iter().chain(starts.iter().map(|start| start.0)).map(unkey).collect();
        let last = starts.iter().map(|start| start.1).chain([self.most]).map(unkey).collect();
        Bins { first, last }
    }
}
