//! Scoring the cuts of a sorted list.

use crate::memory::ShortList;
use crate::simd::{Cuts, NEW_VALUE, Visit};

/// The cuts of a list of two classes.
#[inline(never)]
pub(in crate::simd) fn two_classes(cuts: &Cuts, mut bound: f64, visit: &mut impl Visit) {
    let (total, ones) = (cuts.rows.len() as f64, cuts.totals[1]);
    let mut counted = 0u32;
    for (place, &row) in cuts.rows[..cuts.end()].iter().enumerate() {
        if row & NEW_VALUE != 0 && place >= cuts.places.start {
            let (l, a) = (place as f64, f64::from(counted));
            let (r, b) = (total - l, ones - a);
            let (upper, lower) = (a * a * r + b * b * l, l * r);
            if upper > bound * lower {
                bound = visit.visit(place, upper / lower);
            }
        }
        counted += row & 1;
    }
}

/// The cuts of a list of any number of classes.
#[inline(never)]
pub(in crate::simd) fn any_classes(cuts: &Cuts, mut bound: f64, visit: &mut impl Visit) {
    let (total, class_mask) = (cuts.rows.len() as f64, (1 << cuts.class_bits) - 1);
    // Of every class: its rows on the left and all its rows.
    let mut counts = ShortList::filled((0, 0), cuts.totals.len());
    let counts = counts.entries();
    let mut all_squares = 0;
    for (count, &total) in counts.iter_mut().zip(cuts.totals) {
        count.1 = total as i64;
        all_squares += count.1 * count.1;
    }
    // Of the rows on the left: the squares of their counts, and the products with the totals.
    let (mut squares, mut products) = (0i64, 0i64);
    for (place, &row) in cuts.rows[..cuts.end()].iter().enumerate() {
        if row & NEW_VALUE != 0 && place >= cuts.places.start {
            let (l, r) = (place as f64, total - place as f64);
            // Σ (t − a)² = Σ t² − 2 Σ ta + Σ a²
            let rest = all_squares - 2 * products + squares;
            let (upper, lower) = (squares as f64 * r + rest as f64 * l, l * r);
            if upper > bound * lower {
                bound = visit.visit(place, upper / lower);
            }
        }
        let (count, total) = &mut counts[(row & class_mask) as usize];
        squares += 2 * *count + 1;
        products += *total;
        *count += 1;
    }
}
