//! How many rows the branches of a split have, whatever their weight.
//!
//! A row without a value goes to every branch that has rows with one, and counts as a row in each.

use super::View;
use crate::schema::Cell;
use crate::tree::Condition;

/// The number of rows in every branch of a condition.
pub(crate) fn rows_of_branches(condition: &Condition, cells: impl Iterator<Item = Cell>) -> Vec<usize> {
    let mut branches = vec![0; condition.branches()];
    let mut unknown = 0;
    for cell in cells {
        match condition.route(cell) {
            Some(branch) => branches[branch] += 1,
            None => unknown += 1,
        }
    }
    branches.iter_mut().filter(|rows| **rows > 0).for_each(|rows| *rows += unknown);
    branches
}

/// Whether two of the branches have enough rows.
pub(crate) fn has_rows(view: &View, condition: &Condition, branches: &[usize]) -> bool {
    let floor = match condition {
        Condition::Threshold { .. } => view.numeric_floor(view.size),
        Condition::Subset { attribute, .. } if view.rules.in_order[*attribute as usize] => {
            view.numeric_floor(view.size)
        }
        Condition::Subset { .. } | Condition::EachValue { .. } | Condition::Known { .. } => {
            view.rules.min_leaf
        }
    };
    branches.iter().filter(|rows| **rows > 0 && view.rules.is_enough(**rows as f64, floor)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_value_counts_in_every_branch_that_is_not_empty() {
        let below = |below: f64| Condition::Threshold { attribute: 0, below, missing: None };
        let cells = || {
            [1.0, 2.0, f64::NAN, 3.0, f64::NAN]
                .into_iter()
                .map(|x| if x.is_nan() { Cell::Missing } else { Cell::Number(x) })
        };
        assert_eq!(rows_of_branches(&below(1.5), cells()), [3, 4]);
        assert_eq!(rows_of_branches(&below(0.5), cells()), [0, 5]);
        let each = Condition::EachValue { attribute: 0, values: 3, missing: false };
        let cells = [Cell::Code(2), Cell::Missing, Cell::Code(0)].into_iter();
        assert_eq!(rows_of_branches(&each, cells), [2, 0, 2]);
    }
}
