//! The cells of columns while chunks fill them.

use super::columns::ColumnKind;
use super::memo::Memo;
use super::sink::{Marks, MissingRule, Numbers, OddNumbers, Sink};
use crate::data::intern::Interner;
use crate::data::{Nominal, Values};

/// The cells of a column while it is filled.
pub(super) enum Cells {
    Skip,
    Numbers(Vec<f64>),
    Codes(Vec<u32>),
}

impl Cells {
    pub(super) fn new(kind: &ColumnKind, rows: usize) -> Self {
        match kind {
            ColumnKind::Skip => Self::Skip,
            ColumnKind::Numbers | ColumnKind::Guess => Self::Numbers(vec![0.0; rows]),
            ColumnKind::Open | ColumnKind::Declared(_) => Self::Codes(vec![0; rows]),
        }
    }

    pub(super) fn finish(self, counts: &[(usize, usize)], levels: Vec<String>) -> Option<Values> {
        match self {
            Self::Skip => None,
            Self::Numbers(cells) => Some(Values::Numeric(closed_up(cells, counts))),
            Self::Codes(cells) => Some(Values::Nominal(Nominal { levels, codes: closed_up(cells, counts) })),
        }
    }
}

/// Moves the cells of all chunks together: each has room for `.0` and holds `.1`.
fn closed_up<T: Copy>(mut cells: Vec<T>, counts: &[(usize, usize)]) -> Vec<T> {
    let (mut from, mut to) = (0, 0);
    for &(room, rows) in counts {
        if from != to {
            cells.copy_within(from..from + rows, to);
        }
        from += room;
        to += rows;
    }
    cells.truncate(to);
    cells
}

/// The part of a column that no chunk has taken yet.
pub(super) enum Rest<'c> {
    Skip,
    Numbers(&'c mut [f64]),
    Codes(&'c mut [u32]),
}

impl<'c> Rest<'c> {
    pub(super) fn of(cells: &'c mut Cells) -> Self {
        match cells {
            Cells::Skip => Self::Skip,
            Cells::Numbers(cells) => Self::Numbers(cells),
            Cells::Codes(cells) => Self::Codes(cells),
        }
    }

    pub(super) fn take<'t>(
        &mut self,
        rows: usize,
        (kind, missing): (&ColumnKind, MissingRule),
        declared: &'c Interner<String>,
        text: bool,
    ) -> Sink<'c, 't> {
        match self {
            Self::Skip => Sink::Skip,
            Self::Numbers(rest) => {
                let (cells, tail) = std::mem::take(rest).split_at_mut(rows);
                *rest = tail;
                let forced = matches!(kind, ColumnKind::Numbers);
                Sink::Numbers(Numbers {
                    cells,
                    forced,
                    text,
                    zeros: false,
                    infinite: None,
                    odd: OddNumbers::default(),
                })
            }
            Self::Codes(rest) => {
                let (cells, tail) = std::mem::take(rest).split_at_mut(rows);
                *rest = tail;
                match kind {
                    ColumnKind::Declared(_) => {
                        let memo = Memo::for_rows(rows, declared.levels().len());
                        Sink::Declared { cells, levels: declared, memo, marks: Marks::new(missing) }
                    }
                    _ => {
                        let (levels, memo) = (Interner::default(), Memo::for_rows(rows, 0));
                        Sink::Open { cells, levels, memo, marks: Marks::new(missing) }
                    }
                }
            }
        }
    }
}
