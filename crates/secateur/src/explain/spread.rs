//! The ranges of attributes, in which distances are measured.

use std::collections::HashMap;

use crate::data::{Table, Values};
use crate::tree::{Condition, Tree};

/// The smallest and the largest known number of every attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranges(Vec<Option<(f64, f64)>>);

impl Ranges {
    /// Ranges from the thresholds of a tree and, where a column has an attribute's name, the numbers of a table.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::explain::Ranges;
    /// # let table = builtin::load("iris")?;
    /// # let coded = CodedTable::new(&table, &Roles::default())?;
    /// # let tree = secateur::grow::grow(&coded, &secateur::spec::GrowSpec::cart(coded.task()), &secateur::progress::Silent)?;
    /// assert_eq!(Ranges::of(&tree, &table).get(3), Some((0.1, 2.5)));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(tree: &Tree, table: &Table) -> Self {
        let attributes = &tree.schema().attributes;
        let mut ranges = Self(vec![None; attributes.len()]);
        for node in tree.nodes() {
            if let Some(Condition::Threshold { attribute, below, .. }) = node.condition {
                ranges.add(attribute as usize, below);
            }
        }
        let places: HashMap<&str, usize> = attributes.iter().map(|a| a.name.as_str()).zip(0..).collect();
        for column in table.columns() {
            if let (Some(&place), Values::Numeric(numbers)) =
                (places.get(column.name.as_str()), &column.values)
            {
                numbers.iter().for_each(|&x| ranges.add(place, x));
            }
        }
        ranges
    }

    fn add(&mut self, attribute: usize, x: f64) {
        if x.is_finite() {
            let (low, high) = self.0[attribute].unwrap_or((x, x));
            self.0[attribute] = Some((low.min(x), high.max(x)));
        }
    }

    /// The range of an attribute, if any number of it is known.
    pub fn get(&self, attribute: usize) -> Option<(f64, f64)> {
        self.0.get(attribute).copied().flatten()
    }

    /// How far two numbers are apart, as a share of the attribute's range. What is outside widens the range: a distance is at
    /// most 1.
    pub fn distance(&self, attribute: usize, a: f64, b: f64) -> f64 {
        let (low, high) = self.get(attribute).unwrap_or((a, a));
        let (low, high) = (low.min(a).min(b), high.max(a).max(b));
        // Halves, as the whole range may be too large for a number.
        let (apart, range) = ((a / 2.0 - b / 2.0).abs(), high / 2.0 - low / 2.0);
        if range > 0.0 { (apart / range).min(1.0) } else { 0.0 }
    }
}
