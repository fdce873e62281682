//! The mean absolute deviation: splits by the distance from the median.
//!
//! Medians do not add up, so this criterion works on rows. Two Fenwick trees over the target's ranks keep the
//! sides of a scan; a cut costs `O(log n)`.

use super::divided::better;
use super::threshold::Best;
use super::{Candidate, How, View, middle};
use crate::data::CodedColumn;
use crate::data::Scale;
use crate::tree::Side;

/// A row with a value, or one without that goes to a branch: its code, its target, its weight and what it counts for the limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub code: u32,
    pub y: f64,
    pub weight: f64,
    pub size: f64,
}

/// The weighted median: the middle value, or the middle between the two middle ones when the weight
/// below and above is equal.
///
/// ```
/// use secateur::split::median;
/// assert_eq!(median(&mut [(3.0, 1.0), (1.0, 1.0), (2.0, 1.0)]), 2.0);
/// assert_eq!(median(&mut [(3.0, 1.0), (1.0, 2.0), (2.0, 1.0)]), 1.5);
/// ```
pub fn median(rows: &mut [(f64, f64)]) -> f64 {
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half: f64 = rows.iter().map(|r| r.1).sum::<f64>() / 2.0;
    let tolerance = half * 1e-12;
    let mut below = 0.0;
    for (i, &(y, weight)) in rows.iter().enumerate() {
        below += weight;
        if below > half + tolerance {
            return y;
        }
        if below >= half - tolerance {
            return rows.get(i + 1).map_or(y, |next| middle(y, next.0));
        }
    }
    rows.last().map_or(f64::NAN, |r| r.0)
}

/// The sum of weighted distances from the median.
pub(crate) fn deviation(rows: &mut [(f64, f64)]) -> f64 {
    let centre = median(rows);
    rows.iter().map(|(y, w)| w * (y - centre).abs()).sum()
}

/// Weights and sums over the ranks of the target, with the deviation from the median at hand.
struct Heap<'a> {
    values: &'a [f64],
    tree: Vec<(f64, f64)>,
    weight: f64,
    sum: f64,
}

impl<'a> Heap<'a> {
    fn new(values: &'a [f64]) -> Self {
        Self { values, tree: vec![(0.0, 0.0); values.len() + 1], weight: 0.0, sum: 0.0 }
    }

    fn add(&mut self, rank: usize, weight: f64) {
        let y = self.values[rank] * weight;
        self.weight += weight;
        self.sum += y;
        let mut i = rank + 1;
        while i < self.tree.len() {
            self.tree[i].0 += weight;
            self.tree[i].1 += y;
            i += i & i.wrapping_neg();
        }
    }

    /// Walks down to the first rank at which half the weight is reached.
    fn deviation(&self) -> f64 {
        let half = self.weight / 2.0 * (1.0 - 1e-12);
        let (mut at, mut weight, mut sum) = (0, 0.0, 0.0);
        let mut step = self.tree.len().next_power_of_two() / 2;
        while step > 0 {
            if let Some(part) = self.tree.get(at + step)
                && weight + part.0 < half
            {
                at += step;
                weight += part.0;
                sum += part.1;
            }
            step /= 2;
        }
        // `at` ranks lie strictly below the median.
        let centre = self.values[at.min(self.values.len() - 1)];
        centre * weight - sum + (self.sum - sum) - centre * (self.weight - weight)
    }
}

fn pairs(rows: &[Row]) -> Vec<(f64, f64)> {
    rows.iter().map(|r| (r.y, r.weight)).collect()
}

/// The best split of a column, from the rows of a node that have a value, and those that have none where these go to a branch.
pub(crate) fn best(view: &View, column: usize, coded: &CodedColumn, rows: &mut [Row]) -> Option<Candidate> {
    rows.sort_by_key(|r| r.code);
    let whole = (rows.iter().map(|r| r.weight).sum(), deviation(&mut pairs(rows)));
    let known = rows.partition_point(|r| r.code < coded.cardinality());
    let (rows, beside) = rows.split_at(known);
    let is_each = view.rules.multiway && matches!(coded.scale, Scale::Levels(_));
    let best = of_known(view, column, &coded.scale, (rows, beside), whole);
    if beside.is_empty() || rows.is_empty() || is_each {
        return best;
    }
    let parts = [rows, beside];
    let weights = parts.map(|part| part.iter().map(|r| r.weight).sum());
    let sizes = parts.map(|part| part.iter().map(|r| r.size).sum());
    let cost = parts.map(|part| deviation(&mut pairs(part))).iter().sum();
    better(view, best, view.candidate(column, How::Known, whole, cost, (&weights, &sizes), 1))
}

/// The best split of a column that divides rows with a value, beside which others stand.
fn of_known(
    view: &View,
    column: usize,
    scale: &Scale,
    (rows, beside): (&[Row], &[Row]),
    whole: (f64, f64),
) -> Option<Candidate> {
    let rules = view.rules;
    let best = |floor: f64| Best::new(rules.scan_floor(floor), 1.0, view.tolerance() * view.weight);
    let size = |rows: &[Row]| rows.iter().map(|r| r.size).sum::<f64>();
    let (levels, is_ordered) = match scale {
        Scale::Levels(levels) => (*levels, false),
        Scale::Ordered(levels) => (*levels, true),
        Scale::Values(_) | Scale::Bins(_) | Scale::Cuts(_) | Scale::Floats => {
            let cut = scan(rows, beside, best(view.numeric_floor(size(rows) + size(beside))))?;
            return super::threshold::candidate(view, column, cut, whole.0, whole.1);
        }
    };
    /// A value's code, its median, its rows and their size.
    type Group = (u32, f64, Vec<(f64, f64)>, f64);
    let mut groups: Vec<Group> = Vec::new();
    for group in rows.chunk_by(|a, b| a.code == b.code) {
        let mut list = pairs(group);
        let centre = median(&mut list);
        groups.push((group[0].code, centre, list, group.iter().map(|r| r.size).sum()));
    }
    if rules.multiway && !is_ordered {
        let missing = !beside.is_empty();
        if groups.len() + usize::from(missing) < 2 || groups.is_empty() || !view.can_branch(levels) {
            return None;
        }
        if missing {
            groups.push((levels, 0.0, pairs(beside), size(beside)));
        }
        let weights: Vec<f64> = groups.iter().map(|g| g.2.iter().map(|r| r.1).sum()).collect();
        let cost = groups.iter_mut().map(|g| deviation(&mut g.2)).sum();
        let sizes: Vec<f64> = groups.iter().map(|g| g.3).collect();
        let values = groups.len() as u32;
        return view.candidate(column, How::Each { missing }, whole, cost, (&weights, &sizes), values);
    }
    if groups.len() < 2 {
        return None;
    }
    if !is_ordered {
        groups.sort_by(|a, b| a.1.total_cmp(&b.1));
    }
    let ordered: Vec<Row> = groups
        .iter()
        .enumerate()
        .flat_map(|(place, g)| {
            // Which row of a value has which size is of no matter.
            let size = g.3 / g.2.len() as f64;
            g.2.iter().map(move |&(y, weight)| Row { code: place as u32, y, weight, size })
        })
        .collect();
    let cut = scan(&ordered, beside, best(rules.min_leaf))?;
    let codes = |part: &[Group]| part.iter().map(|g| g.0).collect();
    let (left, right) = groups.split_at(cut.upper as usize);
    let how = How::Subset { left: codes(left), right: codes(right), missing: cut.missing };
    let values = if is_ordered { 1 } else { groups.len() + usize::from(!beside.is_empty()) };
    view.candidate(column, how, whole, cut.cost, (&cut.weights, &cut.sizes), values as u32)
}

/// Every boundary between codes of rows sorted by code; others beside them are on one side and then on the other.
fn scan(rows: &[Row], beside: &[Row], mut best: Best) -> Option<super::threshold::Cut> {
    let mut values: Vec<f64> = rows.iter().chain(beside).map(|r| r.y).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let rank = |y: f64| values.partition_point(|v| *v < y);
    let all = rows.iter().chain(beside).map(|r| r.size).sum::<f64>();
    let tried: &[Option<Side>] =
        if beside.is_empty() { &[None] } else { &[Some(Side::Right), Some(Side::Left)] };
    for &side in tried {
        best.missing = side;
        let (mut left, mut right) = (Heap::new(&values), Heap::new(&values));
        let mut size = 0.0;
        for row in rows {
            right.add(rank(row.y), row.weight);
        }
        for row in beside {
            let is_left = side == Some(Side::Left);
            if is_left { &mut left } else { &mut right }.add(rank(row.y), row.weight);
            size += if is_left { row.size } else { 0.0 };
        }
        let mut code = rows.first()?.code;
        for row in rows {
            if row.code != code {
                let cost = left.deviation() + right.deviation();
                best.offer_cost([left.weight, right.weight], [size, all - size], cost, code, row.code);
                code = row.code;
            }
            size += row.size;
            left.add(rank(row.y), row.weight);
            right.add(rank(row.y), -row.weight);
        }
    }
    best.cut()
}
