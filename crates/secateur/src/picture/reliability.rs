//! Reliability diagrams: how often something happened against how probable it was said to be.

use super::node::{LARGE, SMALL};
use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, Shape, shortened};
use crate::statistics::{Calibration, CalibrationBin};

/// One diagram of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct ReliabilityPanel {
    /// What was said to happen.
    pub title: String,
    /// How probable it was said to be, and how often it happened.
    pub calibration: Calibration,
}

/// The sides of the square, of a panel with its texts, and the height of the bars under the square.
const SIDE: f64 = 190.0;
const PANEL: [f64; 2] = [248.0, 316.0];
const LEFT: f64 = 44.0;
const TOP: f64 = 34.0;
const BARS: f64 = 34.0;
/// Panels beside each other.
const ACROSS: usize = 3;

/// Draws a panel for each: the diagonal, on which honest probabilities lie; a disc for every bin, with a line for where the true share
/// lies (95 %, when every row counts as often as it is there: `times` says how often it was judged); below it, how many
/// rows each bin has.
pub fn reliability(title: &str, panels: &[ReliabilityPanel], times: f64, font: &dyn Measure) -> Drawing {
    let across = panels.len().clamp(1, ACROSS);
    let down = panels.len().div_ceil(ACROSS).max(1);
    let (width, height) = (PANEL[0] * across as f64 + 16.0, PANEL[1] * down as f64 + 30.0);
    let mut drawing = Drawing::new(width, height, title);
    drawing.filled([0.0, 0.0, width, height], Ink::Paper);
    let head = shortened(font, title, LARGE, width - 28.0);
    drawing.text(14.0, 22.0, LARGE, Anchor::Start, Ink::Text, head);
    for (place, panel) in panels.iter().enumerate() {
        let left = PANEL[0] * (place % ACROSS) as f64;
        let top = 30.0 + PANEL[1] * (place / ACROSS) as f64;
        square(&mut drawing, [left, top], panel, times, font);
    }
    drawing
}

/// One panel with its left upper corner.
fn square(
    drawing: &mut Drawing,
    [left, top]: [f64; 2],
    panel: &ReliabilityPanel,
    times: f64,
    font: &dyn Measure,
) {
    let (x0, y0) = (left + LEFT, top + TOP);
    let at = |x: f64, y: f64| [x0 + SIDE * x, y0 + SIDE * (1.0 - y)];
    let head = shortened(font, &panel.title, SMALL, PANEL[0] - LEFT);
    drawing.text(x0, top + 16.0, SMALL, Anchor::Start, Ink::Text, head);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let ([_, y], [x, bottom]) = (at(0.0, tick), at(tick, 0.0));
        drawing.line([[x0, y], [x0 + SIDE, y]], Pen::new(Ink::Line, 0.5));
        drawing.text(x0 - 6.0, y + 3.5, SMALL, Anchor::End, Ink::Faint, tick.to_string());
        drawing.line([[x, bottom], [x, bottom + 3.0]], Pen::new(Ink::Faint, 1.0));
        drawing.text(x, bottom + 14.0, SMALL, Anchor::Middle, Ink::Faint, tick.to_string());
    }
    drawing.line([at(0.0, 0.0), at(1.0, 1.0)], Pen::new(Ink::Faint, 1.0).dashed());
    let bins = panel.calibration.bins();
    let points: Vec<[f64; 2]> = bins.iter().map(|bin| at(bin.predicted, bin.observed)).collect();
    for (bin, point) in bins.iter().zip(&points) {
        if let Some(interval) = bin.interval(times) {
            let ends = [at(bin.predicted, interval.low), at(bin.predicted, interval.high)];
            drawing.line(ends, Pen::new(Ink::Second, 1.2));
        }
        let words = in_words(bin, times);
        drawing.shapes.push(Shape::Open(words));
        drawing.shapes.push(Shape::Disc { middle: *point, radius: 3.5, fill: Ink::Accent, edge: None });
        drawing.shapes.push(Shape::Close);
    }
    // Nothing is known between bins that are apart.
    for (pair, places) in bins.windows(2).zip(points.windows(2)) {
        if pair[1].low - pair[0].high < 1e-9 {
            drawing.line(places, Pen::new(Ink::Accent, 1.2));
        }
    }
    let below = y0 + SIDE + 24.0;
    let most = bins.iter().map(|bin| bin.weight).fold(0.0, f64::max);
    for bin in &bins {
        let high = (BARS * bin.weight / most).max(1.0);
        let frame = [x0 + SIDE * bin.low + 1.0, below + BARS - high, SIDE * (bin.high - bin.low) - 2.0, high];
        drawing.filled(frame, Ink::Tint);
    }
    drawing.line([[x0, below + BARS], [x0 + SIDE, below + BARS]], Pen::new(Ink::Faint, 1.0));
    drawing.text(x0 - 6.0, below + BARS, SMALL, Anchor::End, Ink::Faint, "rows");
    let name = "said (across), happened (up)";
    drawing.text(x0 + SIDE / 2.0, below + BARS + 16.0, SMALL, Anchor::Middle, Ink::Text, name);
}

fn in_words(bin: &CalibrationBin, times: f64) -> String {
    let rows = bin.weight / times.max(1.0);
    format!("said {:.3}, happened {:.3} ({:.0} rows)", bin.predicted, bin.observed, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{Arimo, svg};

    #[test]
    fn every_bin_has_a_disc_within_the_square() {
        let mut calibration = Calibration::default();
        for i in 0..100 {
            calibration.add(f64::from(i) / 99.0, i % 3 == 0, 1.0);
        }
        let panel = |title: &str| ReliabilityPanel { title: title.into(), calibration: calibration.clone() };
        let panels = ["label", "a < b", "c", "d"].map(panel);
        let drawing = reliability("All & everything", &panels, 1.0, &Arimo::new());
        let discs = drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Disc { .. }));
        assert_eq!(discs.count(), 4 * 10);
        for shape in &drawing.shapes {
            if let Shape::Disc { middle: [x, y], .. } = shape {
                assert!(*x > 0.0 && *x < drawing.width && *y > 0.0 && *y < drawing.height);
            }
        }
        assert!(svg(&drawing).to_string().contains("a &lt; b"));
        // Nothing to draw is not a reason to fail.
        let empty = ReliabilityPanel { title: String::new(), calibration: Calibration::default() };
        reliability("", &[empty], 1.0, &Arimo::new());
        reliability("", &[], 0.0, &Arimo::new());
    }
}
