//! A critical-difference diagram: average ranks on a line, and bars that join schemes which do not differ.
//!
//! J. Demšar (2006), *Statistical comparisons of classifiers over multiple data sets*, JMLR 7, section 3.2.2 and figure 1. The best
//! rank is on the left.

use super::node::SMALL;
use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, shortened};

/// The groups of schemes that do not differ: the largest runs of ranks, in ascending order, that are less than the critical difference
/// apart. A run of one is left out, and so is one inside another. Places in the list of `ranks`, which is sorted.
///
/// ```
/// use secateur::picture::cliques;
/// assert_eq!(cliques(&[1.5, 2.0, 3.0, 3.2], 1.25), [0..2, 1..4]);
/// assert_eq!(cliques(&[1.0, 2.0], 1.0), []);
/// ```
pub fn cliques(ranks: &[f64], critical_difference: f64) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for start in 0..ranks.len() {
        let end = ranks.partition_point(|rank| rank - ranks[start] < critical_difference);
        if end > start + 1 && groups.last().is_none_or(|last| end > last.end) {
            groups.push(start..end);
        }
    }
    groups
}

/// Room for a name: schemes often differ in their last words only.
pub(super) const NAME: f64 = 420.0;

/// Draws average ranks with their critical difference at a level; the ranks go from 1 to the number of schemes.
pub fn ranks(
    names: &[String],
    average: &[f64],
    critical_difference: f64,
    level: f64,
    font: &dyn Measure,
) -> Drawing {
    let mut order: Vec<usize> = (0..names.len().min(average.len())).collect();
    order.sort_by(|&a, &b| average[a].total_cmp(&average[b]).then(a.cmp(&b)));
    let sorted: Vec<f64> = order.iter().map(|&scheme| average[scheme]).collect();
    let groups = cliques(&sorted, critical_difference);
    let texts: Vec<String> =
        order.iter().map(|&scheme| shortened(font, &names[scheme], SMALL, NAME)).collect();
    let k = order.len();
    let wide = texts.iter().map(|text| font.width(text, SMALL)).fold(0.0, f64::max) + 40.0;
    let (left, axis) = (wide + 16.0, 340.0f64.max(26.0 * k as f64));
    let (top, gap) = (62.0, 17.0);
    let under = top + 12.0 + 9.0 * groups.len() as f64;
    let rows = k.div_ceil(2);
    let words =
        format!("Average ranks of {k} schemes; ranks {critical_difference:.2} apart differ at {level}");
    let mut drawing = Drawing::new(left + axis + wide + 16.0, under + gap * rows as f64 + 12.0, words);
    drawing.filled([0.0, 0.0, drawing.width, drawing.height], Ink::Paper);
    let at = |rank: f64| left + axis * ((rank - 1.0) / (k as f64 - 1.0).max(1.0)).clamp(0.0, 1.0);
    // The critical difference, above the axis.
    let wide_cd = axis * critical_difference / (k as f64 - 1.0).max(1.0);
    let cd_end = left + wide_cd.min(axis);
    drawing.line([[left, 26.0], [cd_end, 26.0]], Pen::new(Ink::Text, 1.5));
    for x in [left, cd_end] {
        drawing.line([[x, 22.0], [x, 30.0]], Pen::new(Ink::Text, 1.5));
    }
    let text = format!("critical difference {critical_difference:.2} (Nemenyi at {level})");
    drawing.text(left, 16.0, SMALL, Anchor::Start, Ink::Text, text);
    drawing.text(left - 14.0, top - 8.0, SMALL, Anchor::End, Ink::Faint, "better");
    drawing.text(left + axis + 14.0, top - 8.0, SMALL, Anchor::Start, Ink::Faint, "worse");
    drawing.line([[left, top], [left + axis, top]], Pen::new(Ink::Faint, 1.0));
    for rank in 1..=k {
        let x = at(rank as f64);
        drawing.line([[x, top - 5.0], [x, top]], Pen::new(Ink::Faint, 1.0));
        drawing.text(x, top - 8.0, SMALL, Anchor::Middle, Ink::Faint, rank.to_string());
    }
    // The better half goes down on the left, the other on the right, the outermost lowest: no two lines cross.
    for (place, rank) in sorted.iter().enumerate() {
        let (is_left, row) = if place < rows { (true, place) } else { (false, k - 1 - place) };
        let (x, y) = (at(*rank), under + gap * (row as f64 + 0.5));
        let (end, anchor, text_x) = match is_left {
            true => (left - 8.0, Anchor::End, left - 12.0),
            false => (left + axis + 8.0, Anchor::Start, left + axis + 12.0),
        };
        drawing.line([[x, top], [x, y], [end, y]], Pen::new(Ink::Faint, 1.0));
        let text = match is_left {
            true => format!("{} ({rank:.2})", texts[place]),
            false => format!("({rank:.2}) {}", texts[place]),
        };
        drawing.text(text_x, y + 3.5, SMALL, anchor, Ink::Text, text);
    }
    for (i, group) in groups.iter().enumerate() {
        let y = top + 10.0 + 9.0 * i as f64;
        let ends = [[at(sorted[group.start]) - 4.0, y], [at(sorted[group.end - 1]) + 4.0, y]];
        drawing.line(ends, Pen::new(Ink::Accent, 4.0));
    }
    drawing
}
