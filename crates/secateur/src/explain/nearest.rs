//! The nearest change of a row that gives another answer.
//!
//! A tree's answer as a function of one attribute changes only where the tree has a threshold on it, or from value to value. So one
//! attribute is searched by asking the tree for every piece between its thresholds, at the number that is nearest to
//! the row's, or for every value: that is exact whatever is missing elsewhere in the row, and whatever mistakes cost. Where no single
//! attribute will do, every leaf with another answer says which attributes keep the row from it (its rule), and by how
//! much: a leaf is a box, so each of them moves on its own.

use std::ops::Range;

use super::Ranges;
use crate::report::{Rule, Test};
use crate::schema::{AttributeKind, Cell};
use crate::tree::{NodeAnswers, Tree, share_out};

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
    let search =
        Search { tree, cell: &cell, ranges, answers: NodeAnswers::new(tree), thresholds: tree.thresholds() };
    let now = search.ask();
    let tested = tested(tree);
    let single = (0..tested.len()).filter(|&a| tested[a]).filter_map(|a| search.one(a, &now));
    single.reduce(nearer).or_else(|| search.several(&now))
}

/// The nearer of two changes, the first of equal ones.
fn nearer(best: NearestChange, other: NearestChange) -> NearestChange {
    if is_nearer(&other, &best) { other } else { best }
}

fn is_nearer(one: &NearestChange, other: &NearestChange) -> bool {
    (one.changes.len(), one.distance) < (other.changes.len(), other.distance)
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
    thresholds: Vec<Vec<f64>>,
}

impl<C: Fn(usize) -> Cell> Search<'_, C> {
    /// What the tree says to the row.
    fn ask(&self) -> Vec<f64> {
        let mut numbers = vec![0.0; self.answers.width()];
        self.answers.add_row(self.cell, &mut Vec::new(), &mut numbers);
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
        let (all, width) = (self.ask_all(attribute, &pieces), self.answers.width());
        let said = |i: usize| &all[i * width..][..width];
        let others = (0..pieces.len()).filter(|&i| !self.same(said(i), now));
        let best = others.reduce(|a, b| if pieces[b].distance < pieces[a].distance { b } else { a })?;
        let mut change = pieces[best].clone();
        // Beside it, the same answer may go on.
        let alike = |i: usize| self.same(said(i), said(best));
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
        Some(NearestChange { changes: vec![change], distance, numbers: said(best).to_vec() })
    }

    /// What the tree says to the row with each of the pieces of an attribute. All of them go down the tree together, and part where
    /// it tests the attribute: the way is long only once.
    fn ask_all(&self, attribute: usize, pieces: &[Change]) -> Vec<f64> {
        let (nodes, width) = (self.tree.nodes(), self.answers.width());
        let mut said = vec![0.0; pieces.len() * width];
        // Numbers are in their order, and stay so; the codes of a list are put beside those that go the same way.
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        let mut stack = vec![(0, 1.0, 0..pieces.len())];
        while let Some((id, share, range)) = stack.pop() {
            let mut ends = |range: Range<usize>, order: &[usize]| {
                order[range]
                    .iter()
                    .for_each(|&i| self.answers.add(id, share, &mut said[i * width..][..width]));
            };
            let (Some(condition), Some(first)) = (&nodes[id].condition, nodes[id].first_child) else {
                ends(range, &order);
                continue;
            };
            let first = first as usize;
            let mut groups: Vec<(Option<usize>, Range<usize>)> = Vec::new();
            if condition.attribute() != attribute {
                groups.push((condition.route((self.cell)(condition.attribute())), range));
            } else {
                let own = &mut order[range.clone()];
                let branch = |i: usize| condition.route(pieces[i].to);
                if self.is_nominal(attribute) {
                    own.sort_by_key(|&i| branch(i));
                }
                let mut start = 0;
                while start < own.len() {
                    let goes = branch(own[start]);
                    let count = own[start..].partition_point(|&i| branch(i) == goes);
                    groups.push((goes, range.start + start..range.start + start + count));
                    start += count;
                }
            }
            for (branch, range) in groups {
                if let Some(branch) = branch {
                    stack.push((first + branch, share, range));
                    continue;
                }
                let children = &nodes[first..first + condition.branches()];
                let shares = share_out(children.iter().map(|child| child.weight)).map(|s| share * s);
                let before = stack.len();
                let parts = shares.enumerate().rev().filter(|&(_, s)| s > 0.0);
                stack.extend(parts.map(|(branch, s)| (first + branch, s, range.clone())));
                if stack.len() == before {
                    ends(range, &order);
                }
            }
        }
        said
    }

    /// All that an attribute can be as far as the tree can tell: intervals between its thresholds, or values; each with the nearest
    /// number in it.
    fn pieces(&self, attribute: usize) -> Vec<Change> {
        if let AttributeKind::Nominal { values } = &self.tree.schema().attributes[attribute].kind {
            let value = |code: u32| self.moved(attribute, Test::Values { codes: vec![code], missing: false });
            return (0..values.len() as u32).map(value).collect();
        }
        let thresholds = &self.thresholds[attribute];
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
        let leaves =
            Rule::of_leaves(self.tree).filter_map(|rule| Some((rule.node, self.to_leaf(rule, now)?)));
        // Of equal ones, the leaf that was made first.
        let nearest = leaves
            .reduce(|a, b| if is_nearer(&b.1, &a.1) || b.0 < a.0 && !is_nearer(&a.1, &b.1) { b } else { a });
        nearest.map(|(_, change)| change)
    }

    fn to_leaf(&self, rule: Rule, now: &[f64]) -> Option<NearestChange> {
        let mut numbers = vec![0.0; self.answers.width()];
        self.answers.add(rule.node, 1.0, &mut numbers);
        if self.same(&numbers, now) {
            return None;
        }
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
