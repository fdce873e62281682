//! The curve of a path: the error of every member against its size.

use super::node::{LARGE, SMALL};
use super::scale::{Chart, Scale};
use crate::drawing::{Anchor, Drawing, Ink, Measure, Pen, Shape, shortened};
use crate::fit::{Step, TreePath};
use crate::report::formatting::rounded;

/// What the errors of a path are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurveOptions {
    /// What stands above the picture: the data and the scheme.
    pub title: String,
    /// The name of the error, such as `error rate`.
    pub error: String,
    /// Whether it is written in percent.
    pub percent: bool,
}

const WIDTH: f64 = 560.0;
const FRAME: [f64; 4] = [64.0, 98.0, 474.0, 240.0];

/// Draws a path: the training error as a dashed line, the validated error as a line within a band of one standard error to both
/// sides, the member that is chosen as a disc, the lowest error as a ring.
pub fn curve(report: &TreePath, options: &CurveOptions, font: &dyn Measure) -> Drawing {
    let mut steps: Vec<(usize, &Step)> = report.steps.iter().enumerate().collect();
    steps.sort_by_key(|(_, step)| step.leaves);
    let error = |step: &Step| step.validated.map_or(step.training_error, |(error, _)| error);
    let lowest = steps.iter().min_by(|a, b| error(a.1).total_cmp(&error(b.1))).copied();
    let lowest = lowest.filter(|(_, step)| step.validated.is_some());
    let mut drawing = Drawing::new(
        WIDTH,
        FRAME[1] + FRAME[3] + 44.0,
        format!("{}: {} against leaves", options.title, options.error),
    );
    drawing.filled([0.0, 0.0, drawing.width, drawing.height], Ink::Paper);
    drawing.text(
        14.0,
        24.0,
        LARGE,
        Anchor::Start,
        Ink::Text,
        shortened(font, &options.title, LARGE, WIDTH - 28.0),
    );
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    for (_, step) in &steps {
        let (middle, se) = step.validated.unwrap_or((step.training_error, 0.0));
        low = low.min(middle - se).min(step.training_error);
        high = high.max(middle + se).max(step.training_error);
    }
    let sizes = steps.iter().map(|(_, step)| step.leaves as f64);
    let most = sizes.clone().fold(1.0, f64::max);
    let chart = Chart {
        frame: FRAME,
        x: Scale::sizes(sizes.fold(most, f64::min), most),
        y: Scale::linear(low.max(0.0), high),
    };
    chart.axes(&mut drawing, ("leaves", &options.error), options.percent);
    let at = |step: &Step, y: f64| chart.at(step.leaves as f64, y);
    let validated: Vec<(&Step, f64, f64)> =
        steps.iter().filter_map(|(_, step)| step.validated.map(|(error, se)| (*step, error, se))).collect();
    if !validated.is_empty() {
        let upper = validated.iter().map(|(step, error, se)| at(step, error + se));
        let lower = validated.iter().rev().map(|(step, error, se)| at(step, error - se));
        drawing.shapes.push(Shape::Area { points: upper.chain(lower).collect(), fill: Ink::Tint });
    }
    let training: Vec<[f64; 2]> = steps.iter().map(|(_, step)| at(step, step.training_error)).collect();
    drawing.line(training, Pen::new(Ink::Second, 1.5).dashed());
    let line: Vec<[f64; 2]> = validated.iter().map(|(step, error, _)| at(step, *error)).collect();
    drawing.line(line, Pen::new(Ink::Accent, 2.0));
    let chosen = report.selected.and_then(|place| report.steps.get(place));
    if let Some(step) = chosen {
        let [x, y] = at(step, error(step));
        drawing.line([[x, y], [x, FRAME[1] + FRAME[3]]], Pen::new(Ink::Text, 0.8).dashed());
        drawing.shapes.push(mark([x, y], true));
    }
    if let Some((_, step)) = lowest {
        drawing.shapes.push(mark(at(step, error(step)), false));
    }
    legend(&mut drawing, &validated, (chosen, lowest.map(|(_, step)| step)), options, font);
    drawing
}

/// A disc for what is chosen, a ring for what is lowest; both can be at one place.
fn mark(middle: [f64; 2], chosen: bool) -> Shape {
    match chosen {
        true => Shape::Disc { middle, radius: 4.0, fill: Ink::Text, edge: None },
        false => {
            // A ring leaves what is inside it in sight.
            let points = (0..=24).map(|i| {
                let angle = f64::from(i) / 24.0 * std::f64::consts::TAU;
                [middle[0] + 7.0 * angle.cos(), middle[1] + 7.0 * angle.sin()]
            });
            Shape::Line { points: points.collect(), pen: Pen::new(Ink::Text, 1.5) }
        }
    }
}

fn legend(
    drawing: &mut Drawing,
    validated: &[(&Step, f64, f64)],
    (chosen, lowest): (Option<&Step>, Option<&Step>),
    options: &CurveOptions,
    font: &dyn Measure,
) {
    let told = |step: &Step| {
        let number =
            |x: f64| if options.percent { format!("{} %", rounded(100.0 * x, 3)) } else { rounded(x, 4) };
        let leaves = if step.leaves == 1 { "leaf" } else { "leaves" };
        let size = format!("{} {leaves}", step.leaves);
        match step.validated {
            Some((error, se)) => format!("{size}, {} ± {}", number(error), number(se)),
            None => format!("{size}, training {}", number(step.training_error)),
        }
    };
    let half = WIDTH / 2.0;
    let mut entry = |place: usize, draw: &dyn Fn(&mut Drawing, f64, f64), text: String| {
        let (x, y) = (14.0 + half * (place % 2) as f64, 46.0 + 18.0 * (place / 2) as f64);
        draw(drawing, x, y - 3.5);
        drawing.text(
            x + 28.0,
            y,
            SMALL,
            Anchor::Start,
            Ink::Text,
            shortened(font, &text, SMALL, half - 50.0),
        );
    };
    let mut place = 0;
    if !validated.is_empty() {
        entry(
            place,
            &|drawing, x, y| {
                drawing.filled([x, y - 5.0, 20.0, 10.0], Ink::Tint);
                drawing.line([[x, y], [x + 20.0, y]], Pen::new(Ink::Accent, 2.0));
            },
            "validated, ± 1 standard error".into(),
        );
        place += 1;
    }
    entry(
        place,
        &|drawing, x, y| drawing.line([[x, y], [x + 20.0, y]], Pen::new(Ink::Second, 1.5).dashed()),
        "training".into(),
    );
    place = 2;
    for (step, word, is_chosen) in [(chosen, "chosen", true), (lowest, "lowest", false)] {
        if let Some(step) = step {
            let text = format!("{word}: {}", told(step));
            entry(place, &|drawing, x, y| drawing.shapes.push(mark([x + 10.0, y], is_chosen)), text);
            place += 1;
        }
    }
}
