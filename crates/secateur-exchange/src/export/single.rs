//! Thresholds for software that keeps numbers in 32 bits.
//!
//! A number is rounded to the nearest of 32 bits before it is compared. Between two neighbours of 32 bits a threshold cannot
//! divide, so it moves to the next one above; where rows are given, to one that keeps them apart as the tree does, or the tree is
//! refused.

use secateur::data::{Table, Values};
use secateur::error::shown;
use secateur::tree::{Condition, Tree};

/// For every node the number of 32 bits below which rows go to the first branch; 0 where the node divides no numbers.
///
/// # Errors
/// A text that says which split cannot be kept.
pub fn cuts(tree: &Tree, rows: Option<&Table>) -> Result<Vec<f32>, String> {
    let mut columns: Vec<Option<Vec<f64>>> = vec![None; tree.schema().attributes.len()];
    let mut cuts = vec![0.0; tree.nodes().len()];
    for (id, node) in tree.nodes().iter().enumerate() {
        let Some(Condition::Threshold { attribute, below, .. }) = &node.condition else { continue };
        let attribute = *attribute as usize;
        let name = &tree.schema().attributes[attribute].name;
        let values = columns[attribute].get_or_insert_with(|| sorted(rows, name));
        let after = values.partition_point(|x| x < below);
        let (low, high) = (after.checked_sub(1).map(|at| values[at]), values.get(after).copied());
        cuts[id] = cut(*below, low, high).ok_or_else(|| {
            format!(
                "node {id} divides {} at {below} between {} and {}, which are one number in 32 bits",
                shown(name),
                low.unwrap_or(f64::NAN),
                high.unwrap_or(f64::NAN)
            )
        })?;
        collapsed(tree, &cuts, id)?;
    }
    Ok(cuts)
}

/// The numbers of a column, ascending; none without rows.
fn sorted(rows: Option<&Table>, name: &str) -> Vec<f64> {
    let column = rows.and_then(|table| table.columns().iter().find(|column| column.name == name));
    let mut numbers: Vec<f64> = match column.map(|column| &column.values) {
        Some(Values::Numeric(numbers)) => numbers.iter().copied().filter(|x| !x.is_nan()).collect(),
        _ => Vec::new(),
    };
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The number of 32 bits nearest to a threshold that divides the neighbours on both sides, if there is one.
fn cut(below: f64, low: Option<f64>, high: Option<f64>) -> Option<f32> {
    let up = {
        let near = below as f32;
        if f64::from(near) < below { near.next_up() } else { near }
    };
    let least = low.map_or(f32::NEG_INFINITY, |low| (low as f32).next_up());
    let most = high.map_or(f32::INFINITY, |high| high as f32);
    (least <= most).then(|| up.clamp(least, most))
}

/// An error where a split divides nothing any more that the splits above it have left.
fn collapsed(tree: &Tree, cuts: &[f32], id: usize) -> Result<(), String> {
    let threshold = |id: usize| match &tree.node(id).condition {
        Some(Condition::Threshold { attribute, below, .. }) => Some((*attribute, *below)),
        _ => None,
    };
    let own = threshold(id);
    let mut above = tree.node(id).parent;
    while let Some(parent) = above {
        let parent = parent as usize;
        if let (Some((a, t)), Some((b, s))) = (own, threshold(parent))
            && a == b
            && t != s
            && cuts[id] == cuts[parent]
        {
            let name = shown(&tree.schema().attributes[a as usize].name);
            return Err(format!(
                "nodes {parent} and {id} divide {name} at {s} and {t}, which are one number in 32 bits"
            ));
        }
        above = tree.node(parent).parent;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_moves_as_little_as_its_neighbours_allow() {
        assert_eq!(cut(0.8, None, None), Some(0.8f32));
        assert_eq!(cut(2.5, Some(2.0), Some(3.0)), Some(2.5));
        // 0.1 of 32 bits is above 0.1: what is below 0.1 stays below.
        assert_eq!(cut(0.1, None, None), Some(0.1f32));
        let third = f64::from(1.0f32 / 3.0);
        assert_eq!(cut(third - 1e-12, None, None), Some(1.0f32 / 3.0));
        // Two seconds of the year 2023 are one number in 32 bits, two minutes are not.
        let second = 1_700_000_000.0;
        assert_eq!(cut(second + 0.5, Some(second), Some(second + 1.0)), None);
        let apart = cut(second + 100.0, Some(second), Some(second + 200.0)).unwrap();
        assert!((second as f32) < apart && (second + 200.0) as f32 >= apart);
    }

    #[test]
    fn every_cut_divides_its_neighbours() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let low = next() * 10f64.powi((next() * 40.0) as i32 - 20);
            let high = low * (1.0 + next() * 10f64.powi(-(next() * 9.0) as i32));
            let below = low + (high - low) * next();
            if !(low < below && below <= high) {
                continue;
            }
            match cut(below, Some(low), Some(high)) {
                Some(cut) => assert!((low as f32) < cut && high as f32 >= cut, "{low} {below} {high}"),
                None => assert_eq!(low as f32, high as f32),
            }
        }
    }
}
