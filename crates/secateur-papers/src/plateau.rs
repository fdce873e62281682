//! Where accuracy ceases to grow with the training rows while the tree goes on growing.
//!
//! After T. Oates, D. Jensen: The effects of training set size on decision tree complexity, 1997, as H. Shi (2007),
//! Best-first decision tree learning, section 4.8, applies it: from the left, the first share of the training rows at which
//! the mean of the accuracies at that share and at its neighbours (one neighbour at the ends) is at most one point below
//! the accuracy with all rows. There the loss of accuracy is taken, and what the tree saves in percent of the full one.
//! Tables 4.19 and 4.20 follow from B.1 to B.8 with exactly this reading; a relative percent or a two-sided one does not fit.

use std::collections::BTreeMap;

use super::results::{Key, Results};

/// How many points the smoothed accuracy may lie below the full one.
const TOLERANCE: f64 = 1.0;

/// The metric that [`data_reduction`] gives the share of training rows, in percent.
pub const CEASE: &str = "cease_percent";
/// The metric of the accuracy lost there, in points.
pub const ACCURACY: &str = "accuracy_decrease";
/// The metric of the nodes saved there, in percent of the full tree.
pub const SIZE: &str = "size_decrease_percent";

/// The position in the curve at which accuracy, in percent, ceases to grow; the last position stands for all rows.
///
/// ```
/// use secateur_papers::plateau::start;
/// assert_eq!(start(&[80.0, 89.0, 90.2, 90.0]), Some(2)); // (89.0 + 90.2 + 90.0) / 3 is above 89
/// assert_eq!(start(&[50.0, 60.0, 70.0, 90.0]), Some(3)); // it never does before the end
/// assert_eq!(start(&[]), None);
/// ```
pub fn start(accuracies: &[f64]) -> Option<usize> {
    let last = accuracies.len().checked_sub(1)?;
    let least = accuracies[last] - TOLERANCE;
    let smooth = |i: usize| {
        let around = &accuracies[i.saturating_sub(1)..=(i + 1).min(last)];
        around.iter().sum::<f64>() / around.len() as f64
    };
    // The room is for sums of decimal numbers that should be equal and are not in binary.
    Some((0..last).find(|&i| smooth(i) >= least - 1e-9).unwrap_or(last))
}

/// From curves of accuracy and tree size over the share of training rows (the group, in percent), for every data set and
/// scheme: where accuracy ceases to grow ([`CEASE`]), and what is lost and saved there ([`ACCURACY`], [`SIZE`]).
///
/// ```
/// use secateur_papers::{Key, Results, plateau};
/// let mut curves = Results::default();
/// for (percent, accuracy, size) in [("10", 89.5, 10.0), ("50", 90.0, 30.0), ("100", 90.0, 40.0)] {
///     curves.set(Key::new("iris", "post", "accuracy").group(percent), accuracy, None);
///     curves.set(Key::new("iris", "post", "tree_size").group(percent), size, None);
/// }
/// let reduced = plateau::data_reduction(&curves, "accuracy", "tree_size");
/// let of = |metric| reduced.mean(&Key::new("iris", "post", metric));
/// assert_eq!((of(plateau::CEASE), of(plateau::ACCURACY), of(plateau::SIZE)), (Some(10.0), Some(0.5), Some(75.0)));
/// ```
pub fn data_reduction(curves: &Results, accuracy: &str, size: &str) -> Results {
    /// Percent of the training rows, accuracy and nodes.
    type Point = (f64, f64, Option<f64>);
    let mut by_curve: BTreeMap<(&str, &str), Vec<Point>> = BTreeMap::new();
    for (key, value) in curves.values().filter(|(key, _)| key.metric == accuracy) {
        let Some(percent) = key.group.as_deref().and_then(|group| group.parse::<f64>().ok()) else {
            continue;
        };
        let nodes = curves.mean(&Key { metric: size.to_owned(), ..key.clone() });
        by_curve.entry((&key.dataset, &key.scheme)).or_default().push((percent, value.mean, nodes));
    }
    let mut reduced = Results::default();
    for ((dataset, scheme), mut curve) in by_curve {
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        let accuracies: Vec<f64> = curve.iter().map(|point| point.1).collect();
        let (Some(at), Some(full)) = (start(&accuracies), curve.last()) else { continue };
        let (percent, accuracy, nodes) = curve[at];
        let mut set = |metric: &str, value: f64| reduced.set(Key::new(dataset, scheme, metric), value, None);
        set(CEASE, percent);
        set(ACCURACY, full.1 - accuracy);
        if let (Some(nodes), Some(full)) = (nodes, full.2.filter(|full| *full > 0.0)) {
            set(SIZE, 100.0 * (full - nodes) / full);
        }
    }
    reduced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn printed(id: &str) -> crate::Published {
        catalogue::published(&catalogue::find(id).unwrap()).unwrap()
    }

    #[test]
    fn the_printed_curves_give_all_printed_entries() {
        let mut entries = 0;
        for (table, accuracy, size) in [
            ("shi-4.19", "shi-b.1", "shi-b.2"),
            ("shi-4.19", "shi-b.3", "shi-b.4"),
            ("shi-4.20", "shi-b.5", "shi-b.6"),
            ("shi-4.20", "shi-b.7", "shi-b.8"),
        ] {
            let mut curves = printed(accuracy);
            curves.cells.extend(printed(size).cells);
            let reduced = data_reduction(&curves.results(), "accuracy", "tree_size");
            let scheme = &curves.cells[0].key.scheme;
            for cell in printed(table).cells.iter().filter(|cell| cell.key.scheme == *scheme) {
                let computed = reduced.mean(&cell.key).unwrap();
                // Zeros at the end were not printed: two decimals are meant throughout.
                assert!((computed - cell.value).abs() < 0.005 + 1e-9, "{:?} {computed}", cell);
                entries += usize::from(cell.key.metric == CEASE);
            }
        }
        assert_eq!(entries, 72);
    }

    #[test]
    fn the_artificial_set_ceases_where_the_text_says() {
        let mut all = printed("shi-4.17");
        all.cells.extend(printed("shi-4.18").cells);
        let reduced = data_reduction(&all.results(), "accuracy", "tree_size");
        for (scheme, percent) in [
            ("best-first-pre", 90.0),
            ("best-first-pre-1se", 100.0),
            ("best-first-post", 50.0),
            ("best-first-post-1se", 60.0),
        ] {
            assert_eq!(reduced.mean(&Key::new("arti1000", scheme, CEASE)), Some(percent), "{scheme}");
        }
    }

    #[test]
    fn a_curve_without_sizes_gives_no_size() {
        let mut curves = Results::default();
        curves.set(Key::new("a", "b", "accuracy").group("100"), 90.0, None);
        curves.set(Key::new("a", "b", "accuracy").group("all"), 90.0, None);
        let reduced = data_reduction(&curves, "accuracy", "tree_size");
        assert_eq!(reduced.mean(&Key::new("a", "b", CEASE)), Some(100.0));
        assert_eq!(reduced.mean(&Key::new("a", "b", SIZE)), None);
    }
}
