//! Error against size: one point for every scheme, with a number that a list explains.

use super::node::SMALL;
use super::ranks::NAME;
use super::scale::{Chart, Scale};
use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, Shape, shortened};

/// A scheme: its name, its size and its error.
#[derive(Debug, Clone, PartialEq)]
pub struct Scattered {
    /// The name.
    pub name: String,
    /// How large its trees are.
    pub size: f64,
    /// Its error.
    pub error: f64,
}

const FRAME: [f64; 4] = [60.0, 40.0, 420.0, 260.0];
/// The radius of a number, and of a point.
const RADIUS: f64 = 8.0;
const POINT: f64 = 2.5;

/// Draws error against size. Schemes that no other beats in both stand on a line: smaller ones only at the cost of more errors.
pub fn scatter(points: &[Scattered], names: (&str, &str), percent: bool, font: &dyn Measure) -> Drawing {
    let texts: Vec<String> = points.iter().map(|p| shortened(font, &p.name, SMALL, NAME)).collect();
    let wide = texts.iter().map(|text| font.width(text, SMALL)).fold(40.0, f64::max) + 22.0;
    let height = (FRAME[1] + FRAME[3] + 46.0).max(60.0 + 16.0 * texts.len() as f64);
    let mut drawing = Drawing::new(
        FRAME[0] + FRAME[2] + 24.0 + wide + 16.0,
        height,
        format!("{} against {}", names.1, names.0),
    );
    drawing.filled([0.0, 0.0, drawing.width, drawing.height], Ink::Paper);
    let ends = |of: fn(&Scattered) -> f64| {
        let all = points.iter().map(of);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((small, large), (low, high)) = (ends(|p| p.size), ends(|p| p.error));
    let chart = Chart { frame: FRAME, x: Scale::sizes(small, large), y: Scale::linear(low, high) };
    chart.axes(&mut drawing, names, percent);
    let places: Vec<[f64; 2]> = points.iter().map(|p| chart.at(p.size, p.error)).collect();
    // Only schemes that no other beats.
    let mut best: Vec<usize> = (0..points.len()).collect();
    best.sort_by(|&a, &b| {
        points[a].size.total_cmp(&points[b].size).then(points[a].error.total_cmp(&points[b].error))
    });
    let mut least = f64::INFINITY;
    best.retain(|&place| {
        let is_better = points[place].error < least;
        least = least.min(points[place].error);
        is_better
    });
    let mut steps: Vec<[f64; 2]> = Vec::new();
    for &place in &best {
        if let Some(last) = steps.last().copied() {
            steps.push([places[place][0], last[1]]);
        }
        steps.push(places[place]);
    }
    drawing.line(steps, Pen::new(Ink::Tint, 3.0));
    let labels = apart(&places);
    for (place, label) in places.iter().zip(&labels) {
        drawing.line([*place, *label], Pen::new(Ink::Faint, 0.8));
        drawing.shapes.push(Shape::Disc { middle: *place, radius: POINT, fill: Ink::Accent, edge: None });
    }
    for (i, [x, y]) in labels.iter().enumerate() {
        let edge = Some(Pen::new(Ink::Accent, 1.0));
        drawing.shapes.push(Shape::Disc { middle: [*x, *y], radius: RADIUS, fill: Ink::Paper, edge });
        drawing.text(*x, y + 3.4, SMALL - 0.5, Anchor::Middle, Ink::Text, (i + 1).to_string());
    }
    let left = FRAME[0] + FRAME[2] + 24.0;
    drawing.text(left + 22.0, 30.0, SMALL, Anchor::Start, Ink::Faint, "scheme");
    for (i, text) in texts.iter().enumerate() {
        let y = 48.0 + 16.0 * i as f64;
        drawing.text(left + 14.0, y, SMALL, Anchor::End, Ink::Faint, (i + 1).to_string());
        drawing.text(left + 22.0, y, SMALL, Anchor::Start, Ink::Text, text.as_str());
    }
    drawing
}

/// Places for the numbers of points: beside them, clear of other numbers and points, within the frame.
fn apart(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut labels: Vec<[f64; 2]> = Vec::new();
    let [left, top, width, height] = FRAME;
    let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    for &[x, y] in points {
        let around = (1..12).flat_map(|ring| {
            (0..8 * ring).map(move |step| {
                let angle = f64::from(step) / f64::from(8 * ring) * std::f64::consts::TAU
                    - std::f64::consts::FRAC_PI_4;
                let radius = 3.0 + 11.0 * f64::from(ring);
                [x + radius * angle.cos(), y + radius * angle.sin()]
            })
        });
        let is_free = |at: &[f64; 2]| {
            let inside = at[0] > left + RADIUS
                && at[0] < left + width + 12.0
                && at[1] > top - 2.0
                && at[1] < top + height - RADIUS;
            inside
                && labels.iter().all(|label| far(*label, *at) >= 2.0 * RADIUS + 2.0)
                && points.iter().all(|point| far(*point, *at) >= RADIUS + POINT + 1.0)
        };
        let mut around = around;
        labels.push(around.find(is_free).unwrap_or([x, y]));
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clear_of_each_other() {
        let points: Vec<[f64; 2]> =
            (0..20).map(|i| [200.0 + f64::from(i % 5), 150.0 + f64::from(i / 5)]).collect();
        let labels = apart(&points);
        for (i, a) in labels.iter().enumerate() {
            for b in &labels[..i] {
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) >= 2.0 * RADIUS, "{a:?} {b:?}");
            }
        }
    }
}
