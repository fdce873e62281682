//! The nearest change of a row that gives another answer.
//!
//! A tree's answer as a function of one attribute changes only where the tree has a threshold on it, or from value to value. So one
//! attribute is searched by asking the tree once for every piece between its thresholds, at the number that is nearest to
//! the row's, or for every value: that is exact whatever is missing elsewhere in the row, and whatever mistakes cost. Where no single
//! attribute will do, every leaf with another answer says which attributes keep the row from it (its rule), and by how
//! much: a leaf is a box, so each of them moves on its own.

use super::Ranges;
use crate::report::{Rule, Test};
use crate::schema::{AttributeKind, Cell};
use crate::tree::{Condition, NodeAnswers, NodeId, Tree};

/// One attribute with another value.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The attribute.
    pub attribute: usize,
    /// What its value must pass for the new answer, all else being as it is.
    pub test: Test,
    /// The nearest value that does.
    pub to: Cell,
    /// How far a number moves; `None` for values of a list and in the place of a missing one.
    pub by: Option<f64>,
    /// The distance, from 0 to 1.
    pub distance: f64,
}

/// A change of a row that gives another answer.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestChange {
    /// What changes, and nothing else does.
    pub changes: Vec<Change>,
    /// The sum of the distances.
    pub distance: f64,
    /// The probability of every class then, or the predicted number alone.
    pub numbers: Vec<f64>,
}

/// The nearest change of a row, whose cells are asked for by attribute, that gives another class, or another number: the one of the
/// fewest attributes, then the one of the shortest distance. Of single attributes it is the nearest there is. Of several it is
/// the nearest one that brings the whole row to one leaf. `None` where the tree says the same to every row.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::explain::{Ranges, nearest_change};
/// use secateur::schema::Cell;
/// # let table = builtin::load("iris")?;
/// # let coded = CodedTable::new(&table, &Roles::default())?;
/// # let spec = secateur::spec::GrowSpec { max_depth: Some(2), ..secateur::spec::GrowSpec::cart(coded.task()) };
/// # let tree = secateur::grow::grow(&coded, &spec, &secateur::progress::Silent)?;
/// let row = [5.1, 3.5, 4.5, 1.5]; // versicolor, as its petals are long, and less than 1.75 wide
/// let near = nearest_change(&tree, |attribute| Cell::Number(row[attribute]), &Ranges::of(&tree, &table)).unwrap();
/// assert_eq!((near.changes[0].attribute, near.changes[0].to), (3, Cell::Number(1.75)));
/// assert_eq!(tree.decide(&near.numbers), 2);
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn nearest_change(tree: &Tree, cell: impl Fn(usize) -> Cell, ranges: &Ranges) -> Option<NearestChange> {
    let search = Search { tree, cell: &cell, ranges, answers: NodeAnswers::new(tree) };
    let now = search.ask(None);
    let tested = tested(tree);
    let single = (0..tested.len()).filter(|&a| tested[a]).filter_map(|a| search.one(a, &now));
    single.reduce(nearer).or_else(|| search.several(&now))
}

/// The nearer of two changes, the first of equal ones.
fn nearer(best: NearestChange, other: NearestChange) -> NearestChange {
    let key = |change: &NearestChange| (change.changes.len(), change.distance);
    if key(&other).partial_cmp(&key(&best)) == Some(std::cmp::Ordering::Less) { other } else { best }
}

fn tested(tree: &Tree) -> Vec<bool> {
    let mut tested = vec![false; tree.schema().attributes.len()];
    tree.nodes().iter().filter_map(|n| n.condition.as_ref()).for_each(|c| tested[c.attribute()] = true);
    tested
}

struct Search<'a, C> {
    tree: &'a Tree,
    cell: &'a C,
    ranges: &'a Ranges,
    answers: NodeAnswers<&'a Tree>,
}

impl<C: Fn(usize) -> Cell> Search<'_, C> {
    /// What the tree says to the row, perhaps with another cell.
    fn ask(&self, other: Option<(usize, Cell)>) -> Vec<f64> {
        let mut numbers = vec![0.0; self.answers.width()];
        let cell = |attribute: usize| match other {
            Some((changed, to)) if changed == attribute => to,
            _ => (self.cell)(attribute),
        };
        self.answers.add_row(cell, &mut Vec::new(), &mut numbers);
        numbers
    }

    /// Whether two answers are the same to the user.
    fn same(&self, a: &[f64], b: &[f64]) -> bool {
        match self.tree.is_classifier() {
            true => self.tree.decide(a) == self.tree.decide(b),
            // Sums of parts differ in their last digits.
            false => (a[0] - b[0]).abs() <= 1e-12 * a[0].abs().max(b[0].abs()),
        }
    }

    /// The nearest change of one attribute.
    fn one(&self, attribute: usize, now: &[f64]) -> Option<NearestChange> {
        let pieces = self.pieces(attribute);
        let said: Vec<Vec<f64>> = pieces.iter().map(|piece| self.ask(Some((attribute, piece.to)))).collect();
        let others = (0..pieces.len()).filter(|&i| !self.same(&said[i], now));
        let best = others.reduce(|a, b| if pieces[b].distance < pieces[a].distance { b } else { a })?;
        let mut change = pieces[best].clone();
        // Beside it, the same answer may go on.
        let alike = |i: usize| self.same(&said[i], &said[best]);
        match &mut change.test {
            Test::Range { low, high, .. } => {
                let first = (0..best).rev().take_while(|&i| alike(i)).last().unwrap_or(best);
                let last = (best + 1..pieces.len()).take_while(|&i| alike(i)).last().unwrap_or(best);
                (*low, *high) = (ends(&pieces[first].test).0, ends(&pieces[last].test).1);
            }
            Test::Values { codes, .. } => {
                *codes = (0..pieces.len()).filter(|&i| alike(i)).map(|i| i as u32).collect()
            }
            Test::Known | Test::Missing => {}
        }
        let distance = change.distance;
        Some(NearestChange { changes: vec![change], distance, numbers: said[best].clone() })
    }

    /// All that an attribute can be as far as the tree can tell: intervals between its thresholds, or values; each with the nearest
    /// number in it.
    fn pieces(&self, attribute: usize) -> Vec<Change> {
        if let AttributeKind::Nominal { values } = &self.tree.schema().attributes[attribute].kind {
            let value = |code: u32| self.moved(attribute, Test::Values { codes: vec![code], missing: false });
            return (0..values.len() as u32).map(value).collect();
        }
        let mut thresholds: Vec<f64> = Vec::new();
        for node in self.tree.nodes() {
            match node.condition {
                Some(Condition::Threshold { attribute: own, below, .. }) if own as usize == attribute => {
                    thresholds.push(below);
                }
                _ => {}
            }
        }
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        let interval = |i: usize| {
            let low = i.checked_sub(1).map(|i| thresholds[i]);
            self.moved(attribute, Test::Range { low, high: thresholds.get(i).copied(), missing: false })
        };
        (0..=thresholds.len()).map(interval).collect()
    }

    fn is_nominal(&self, attribute: usize) -> bool {
        matches!(self.tree.schema().attributes[attribute].kind, AttributeKind::Nominal { .. })
    }

    /// The row's value of an attribute moved to where it passes a test.
    fn moved(&self, attribute: usize, test: Test) -> Change {
        let from = (self.cell)(attribute);
        let (to, by, distance) = match (&test, from) {
            (Test::Values { codes, .. }, Cell::Code(code)) if codes.contains(&code) => (from, None, 0.0),
            (Test::Values { codes, .. }, _) => {
                (codes.first().map_or(Cell::Missing, |&c| Cell::Code(c)), None, 1.0)
            }
            (Test::Known, _) if !from.is_missing() => (from, None, 0.0),
            (Test::Known, _) if self.is_nominal(attribute) => (Cell::Code(0), None, 1.0),
            (Test::Known, _) => (Cell::Number(0.0), None, 1.0),
            (Test::Missing, _) => (Cell::Missing, None, 1.0),
            (Test::Range { low, high, .. }, Cell::Number(x)) if !x.is_nan() => {
                let to = match (*low, *high) {
                    (Some(low), _) if x < low => low,
                    (_, Some(high)) if x >= high => high.next_down(),
                    _ => x,
                };
                (Cell::Number(to), Some(to - x), self.ranges.distance(attribute, x, to))
            }
            (Test::Range { low, high, .. }, _) => {
                let to = low.or(high.map(f64::next_down)).unwrap_or(0.0);
                (Cell::Number(to), None, 1.0)
            }
        };
        Change { attribute, test, to, by, distance }
    }

    /// The nearest change of several attributes that brings the row to a leaf with another answer.
    fn several(&self, now: &[f64]) -> Option<NearestChange> {
        let leaves = (0..self.tree.nodes().len()).filter(|&id| self.tree.is_leaf(id));
        leaves.filter_map(|leaf| self.to_leaf(leaf, now)).reduce(nearer)
    }

    fn to_leaf(&self, leaf: NodeId, now: &[f64]) -> Option<NearestChange> {
        let mut numbers = vec![0.0; self.answers.width()];
        self.answers.add(leaf, 1.0, &mut numbers);
        if self.same(&numbers, now) {
            return None;
        }
        let rule = Rule::of(self.tree, leaf);
        // Nothing passes tests that contradict each other, and to have no value is not a change to ask for.
        let failed = rule.tests.into_iter().filter(|(attribute, test)| !test.passes((self.cell)(*attribute)));
        let failed: Vec<(usize, Test)> = failed.collect();
        if failed.iter().any(|(_, test)| test.has_no_value()) {
            return None;
        }
        let changes: Vec<Change> =
            failed.into_iter().map(|(attribute, test)| self.moved(attribute, test)).collect();
        let distance = changes.iter().map(|change| change.distance).sum();
        (!changes.is_empty()).then_some(NearestChange { changes, distance, numbers })
    }
}

fn ends(test: &Test) -> (Option<f64>, Option<f64>) {
    match test {
        Test::Range { low, high, .. } => (*low, *high),
        _ => (None, None),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
