//! Whole numbers so large that different ones are read as one: numbers are kept in 53 bits.

use super::table::{has_fraction, position};
use super::{Table, Values};
use crate::threads;

const EXACT: f64 = 9_007_199_254_740_992.0;
/// Numbers that no identifier has are measurements.
const MOST: f64 = 2048.0 * EXACT;

/// What is known of the columns of a table, as far as its portions have been added.
#[derive(Debug, Clone, Default)]
pub struct BeyondExact {
    columns: Vec<Numbers>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Numbers {
    /// The first row with such a number.
    first: Option<u64>,
    has_fractions: bool,
}

impl BeyondExact {
    /// Adds a portion, whose first row has this number among all (from 0).
    pub fn add(&mut self, table: &Table, first_row: u64) {
        let columns = table.columns();
        self.columns.resize(columns.len(), Numbers::default());
        let known = &self.columns;
        self.columns = threads::map(columns.len(), |c| {
            let (mut numbers, Values::Numeric(cells)) = (known[c], &columns[c].values) else {
                return known[c];
            };
            if !numbers.has_fractions {
                numbers.has_fractions = position(cells, has_fraction).is_some();
            }
            if numbers.first.is_none() && !numbers.has_fractions {
                let row = position(cells, |x| x.abs() >= EXACT && x.abs() < MOST);
                numbers.first = row.map(|row| first_row + row as u64);
            }
            numbers
        });
    }

    /// The columns, each with its first such row (both from 0).
    pub fn found(&self) -> Vec<(usize, u64)> {
        let found = |(column, numbers): (usize, &Numbers)| {
            Some((column, numbers.first.filter(|_| !numbers.has_fractions)?))
        };
        self.columns.iter().enumerate().filter_map(found).collect()
    }
}

impl Table {
    /// Columns of whole numbers of which some lie beyond 2^53, each with the first such row (both from 0). Numbers are kept in 53 bits, so
    /// that neighbours out there are read as one number.
    ///
    /// ```
    /// use secateur::data::{Format, ReadOptions, read_bytes};
    /// use secateur::progress::Silent;
    /// let text = b"x,id\n1,7\n2,9007199254740993\n3,9007199254740992\n";
    /// let table = read_bytes("ids.csv", text, Format::Csv, &ReadOptions::default(), &Silent).unwrap();
    /// assert_eq!(table.beyond_exact(), [(1, 1)]);
    /// ```
    pub fn beyond_exact(&self) -> Vec<(usize, u64)> {
        let mut all = BeyondExact::default();
        all.add(self, 0);
        all.found()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    #[test]
    fn portions_tell_what_the_whole_does() {
        let table = |x: &[f64], y: &[f64]| {
            let column =
                |name: &str, x: &[f64]| Column { name: name.into(), values: Values::Numeric(x.to_vec()) };
            Table::new("t", vec![column("x", x), column("y", y)]).unwrap()
        };
        let mut all = BeyondExact::default();
        all.add(&table(&[1.0, 2.0], &[1.0, EXACT]), 0);
        all.add(&table(&[f64::NAN, EXACT + 2.0], &[3.0, 4.0]), 2);
        assert_eq!(all.found(), [(0, 3), (1, 1)]);
        all.add(&table(&[1.0], &[0.5]), 4);
        assert_eq!(all.found(), [(0, 3)], "a fraction later says that these are measurements");
    }
}
