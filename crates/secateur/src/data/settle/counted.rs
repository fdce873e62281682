//! The different values of a column, and how often each occurs.

use crate::data::note::{Note, NoteKind};
use crate::data::{MISSING, Nominal};

/// Different values and how often each occurs.
pub(super) struct Counted<'a> {
    pub(super) levels: &'a [String],
    counts: Vec<usize>,
    codes: &'a [u32],
}

impl<'a> Counted<'a> {
    pub(super) fn of(nominal: &'a Nominal) -> Self {
        let mut counts = vec![0; nominal.levels.len()];
        for &code in nominal.codes.iter().filter(|&&code| code != MISSING) {
            counts[code as usize] += 1;
        }
        Self { levels: &nominal.levels, counts, codes: &nominal.codes }
    }

    /// The cells, given a number for every level.
    pub(super) fn cells_of(&self, values: &[f64]) -> Vec<f64> {
        self.codes.iter().map(|&code| values.get(code as usize).copied().unwrap_or(f64::NAN)).collect()
    }

    pub(super) fn first_row(&self, level: usize) -> usize {
        self.codes.iter().position(|&code| code as usize == level).unwrap_or(0)
    }

    /// The levels that occur and for which something does not hold.
    pub(super) fn failing(&self, holds: impl Fn(&str) -> bool) -> Vec<usize> {
        let occurs = |&level: &usize| self.counts[level] > 0;
        (0..self.levels.len()).filter(occurs).filter(|&level| !holds(&self.levels[level])).collect()
    }

    pub(super) fn cells(&self, levels: &[usize]) -> usize {
        levels.iter().map(|&level| self.counts[level]).sum()
    }

    pub(super) fn known(&self) -> usize {
        self.counts.iter().sum()
    }

    /// A note on some levels: the first by row gives the place.
    pub(super) fn note(&self, kind: NoteKind, name: &str, levels: &[usize]) -> Note {
        let mut places: Vec<(usize, usize)> =
            levels.iter().map(|&level| (self.first_row(level), level)).collect();
        places.sort_unstable();
        let note = Note::new(kind).column(name).cells(self.cells(levels), self.known());
        let values = places.iter().take(3).map(|(_, level)| self.levels[*level].clone());
        let note = note.values(values.collect::<Vec<_>>());
        match places.first() {
            Some((row, _)) => note.row(*row),
            None => note,
        }
    }
}
