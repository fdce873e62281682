//! How honest probabilities are: calibration as a table with a small diagram, as a picture and as JSON.

use secateur::drawing::{Arimo, Drawing};
use secateur::evaluate::measures::Calibrated;
use secateur::picture::{ReliabilityPanel, reliability};
use secateur::report::grid::{Column, Format, Grid};
use secateur::statistics::{Calibration, CalibrationBin};
use serde_json::{Value, json};

use super::Done;
use crate::output;

/// Classes that have a diagram of their own, at most.
const MOST_PANELS: usize = 11;

/// The calibration of one data set, all divisions together.
pub(super) struct SetCalibration<'a> {
    pub classes: &'a [String],
    pub calibrated: Calibrated,
    /// How often every row was judged.
    pub times: f64,
}

impl Done<'_> {
    /// The calibration of a data set with a share of the rows; `None` for numbers, and for results that were kept without it.
    pub(super) fn calibration<'a>(
        &self,
        dataset: &str,
        share: f64,
        classes: &'a [String],
        rows: usize,
    ) -> Option<SetCalibration<'a>> {
        let mine = self.records.iter().filter(|r| r.dataset == dataset && r.share == share);
        let (mut calibrated, mut judged) = (Calibrated::default(), 0);
        for record in mine {
            let Some(measured) = &record.measured else { continue };
            calibrated.join(measured.calibration.as_ref()?);
            judged += record.test;
        }
        // A test part alone is judged once, however few of the rows it has.
        let times = (judged as f64 / rows.max(1) as f64).max(1.0);
        (judged > 0).then_some(SetCalibration { classes, calibrated, times })
    }
}

impl SetCalibration<'_> {
    /// What is drawn and printed first: the probability of the second of two classes, or that of the label.
    fn first(&self) -> (String, &Calibration) {
        match (self.classes, self.calibrated.classes.as_slice()) {
            ([_, second], [_, of_second]) => (format!("p({second})"), of_second),
            _ => ("probability of the label".into(), &self.calibrated.label),
        }
    }

    /// A line for every bin.
    pub(super) fn grid(&self, format: Format, ascii: bool) -> Grid {
        let (name, calibration) = self.first();
        let mut columns = vec![
            Column::left("probability"),
            Column::right("rows"),
            Column::decimal("said"),
            Column::decimal("happened"),
            Column::left("95 % interval"),
        ];
        let drawn = format == Format::Text;
        if drawn {
            columns.push(Column::left("0        0.5        1"));
        }
        let mut grid = Grid::new(format!("Calibration: {}", output::shortened(&name, 40)), columns);
        for bin in calibration.bins() {
            let interval = bin.interval(self.times);
            let interval = interval.map(|i| format!("{:.3} to {:.3}", i.low, i.high)).unwrap_or_default();
            let mut cells = vec![
                format!("{:.1} to {:.1}", bin.low, bin.high),
                output::rounded(bin.weight / self.times),
                format!("{:.3}", bin.predicted),
                format!("{:.3}", bin.observed),
                interval,
            ];
            if drawn {
                cells.push(diagram(&bin, self.times, ascii));
            }
            grid.row(cells);
        }
        let said = match self.classes.len() {
            2 => "how probable the class was said to be, and the share of rows that are of it",
            _ => "how probable the label was said to be, and the share of rows where it is right",
        };
        let signs = match (drawn, ascii) {
            (true, false) => " (│ said, ● happened, ─ interval)",
            (true, true) => " (| said, o happened, - interval)",
            (false, _) => "",
        };
        let number = |error: Option<f64>| error.map_or_else(|| "–".into(), |error| format!("{error:.4}"));
        grid.notes.push(format!(
            "All test parts together: {said}{signs}. Expected calibration error of the label {}, class by class {}; by single test \
             parts it is larger, as their bins have few rows.",
            number(self.calibrated.label.error()),
            number(self.calibrated.classwise_error()),
        ));
        grid
    }

    /// The diagrams: of two classes one, of more that of the label and those of the classes.
    pub(super) fn picture(&self, title: &str) -> Drawing {
        let (name, first) = self.first();
        let mut panels = vec![ReliabilityPanel { title: name, calibration: first.clone() }];
        if self.classes.len() > 2 && self.classes.len() <= MOST_PANELS {
            let of_class = self.classes.iter().zip(&self.calibrated.classes);
            panels.extend(of_class.map(|(class, calibration)| ReliabilityPanel {
                title: format!("p({class})"),
                calibration: calibration.clone(),
            }));
        }
        reliability(title, &panels, self.times, &Arimo::new())
    }

    /// Everything as JSON.
    pub(super) fn summary(&self) -> Value {
        let bins = |calibration: &Calibration| -> Vec<Value> {
            let bin = |bin: CalibrationBin| {
                json!({
                    "low": bin.low, "high": bin.high, "rows": bin.weight / self.times,
                    "predicted": bin.predicted, "observed": bin.observed, "interval": bin.interval(self.times),
                })
            };
            calibration.bins().into_iter().map(bin).collect()
        };
        let of_class = |(class, calibration): (&String, &Calibration)| json!({"class": class, "ece": calibration.error(), "bins": bins(calibration)});
        let classes = self.classes.iter().zip(&self.calibrated.classes);
        json!({
            "label": {"ece": self.calibrated.label.error(), "bins": bins(&self.calibrated.label)},
            "classwise_ece": self.calibrated.classwise_error(),
            "classes": classes.map(of_class).collect::<Vec<_>>(),
        })
    }
}

/// A bin on a line from 0 to 1: the interval, in it what happened, and what was said.
fn diagram(bin: &CalibrationBin, times: f64, ascii: bool) -> String {
    const WIDE: usize = 21;
    let [empty, inside, happened, said, both] =
        if ascii { ['.', '-', 'o', '|', '*'] } else { ['·', '─', '●', '│', '◉'] };
    let place = |share: f64| (share * (WIDE - 1) as f64).round() as usize;
    let mut line = [empty; WIDE];
    if let Some(interval) = bin.interval(times) {
        line[place(interval.low)..=place(interval.high)].fill(inside);
    }
    line[place(bin.predicted)] = said;
    let seen = place(bin.observed);
    line[seen] = if line[seen] == said { both } else { happened };
    line.iter().collect()
}
