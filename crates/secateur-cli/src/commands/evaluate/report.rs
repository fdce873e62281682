//! What `secateur evaluate` prints: the numbers of every data set, its classes and what was confused; an overview for pages.

use secateur::evaluate::comparison::{Sheet, heading, shown};
use secateur::evaluate::measures::{Measure, class_scores, macro_average};
use secateur::evaluate::{Baseline, Protocol};
use secateur::report::grid::{Cell, Column, Figure, Format, Grid, Report, Style};
use secateur::schema::Task;

use super::calibration::SetCalibration;
use super::{Done, to_priors};
use crate::experiment::{Mean, Set, Sets};
use crate::output;

impl Done<'_> {
    /// The report in a format.
    pub(super) fn report(
        &self,
        sets: &Sets,
        printed: &[&'static Measure],
        format: Format,
        style: &Style,
    ) -> Report {
        // The extremes have no room in a narrow terminal.
        let is_wide = format != Format::Text || style.width >= 90;
        let sheets: Vec<&Sheet> =
            printed.iter().filter_map(|m| self.sheets.iter().find(|s| s.measure == *m)).collect();
        if format == Format::Csv {
            return Report { grids: vec![self.list(&sheets)], ..Report::default() };
        }
        let mut report = Report { title: self.scheme.into(), ..Report::default() };
        let seed = match self.protocol {
            Protocol::TrainTest { .. } | Protocol::Given(_) => String::new(),
            _ => format!(", seed {}", self.seed),
        };
        report.paragraphs.push(format!("{}{seed}.", self.protocol.in_words()));
        for (place, set) in sets.list.iter().enumerate() {
            if sheets.first().is_some_and(|sheet| sheet.shares.len() > 1) {
                report.grids.push(self.curve(&sheets, place, &set.name));
            } else {
                report.grids.push(self.numbers(&sheets, place, set, is_wide));
            }
            let several = sets.list.len() > 1;
            if let Some(mut grid) = self.seen(set).and_then(|seen| seen.grid()) {
                if several {
                    grid.title = format!("{}: {}", set.name, grid.title);
                }
                report.grids.push(grid);
            }
            self.tell_classes(&mut report, set, several, (format, style));
        }
        if sheets.iter().any(|sheet| sheet.measure.id.starts_with("brier-")) {
            report.notes.push(
                "The Brier score is its reliability − resolution + uncertainty, over rows with the same probabilities (Murphy 1973)."
                    .into(),
            );
        }
        if !matches!(self.protocol, Protocol::TrainTest { .. }) {
            report.notes.push(
                "Intervals are for 95 % and allow for training parts that overlap (Nadeau and Bengio 2003)."
                    .into(),
            );
        }
        report
    }

    /// Adds what is known of the classes of a data set, which may be one of several.
    fn tell_classes(&self, report: &mut Report, set: &Set, several: bool, (format, style): (Format, &Style)) {
        let share = self.sheets[0].shares[self.last()];
        let Some(confusion) = self.confusion(&set.name, share) else { return };
        let classes = set.coded.schema().target.classes();
        let told = self.calibration_of(set);
        let calibration = told.as_ref().map(|told| told.grid(format, style.ascii));
        let grids = by_class(classes, &confusion, told.as_ref()).into_iter().chain(calibration);
        report.grids.extend(grids.map(|mut grid| {
            if several {
                // Names of classes in a title keep their letters.
                let (first, rest) = grid.title.split_at(1);
                grid.title = format!("{}: {}{rest}", set.name, first.to_lowercase());
            }
            grid
        }));
        if let Some((error, loss)) = to_priors(set, &confusion) {
            let costs = set.options.costs.as_ref();
            let cost = costs.map_or(String::new(), |_| format!(", mean cost {loss:.4}"));
            report.notes.push(format!(
                "{}: measures are over the test rows as they are; weighted exactly to the priors (all test parts \
                 together): accuracy {:.2} %{cost}.",
                set.name,
                100.0 * (1.0 - error)
            ));
        }
    }

    /// The calibration of a data set with all rows to learn from.
    pub(super) fn calibration_of<'a>(&self, set: &'a Set) -> Option<SetCalibration<'a>> {
        let (classes, rows) = (set.coded.schema().target.classes(), set.rows as usize);
        self.calibration(&set.name, self.sheets[0].shares[self.last()], classes, rows)
    }

    /// The reliability diagrams, each with the name of its data set.
    pub(super) fn pictures(&self, sets: &Sets) -> Vec<(String, Figure)> {
        let of = |set: &Set| {
            let told = self.calibration_of(set)?;
            let caption = format!(
                "{}: how often it happened against how probable it was said to be, in ten bins, all test parts together. On the \
                 dashed line probabilities are honest; lines are 95 % intervals.",
                set.name
            );
            Some((
                set.name.clone(),
                Figure { name: "calibration", caption, drawing: told.picture(&set.name) },
            ))
        };
        sets.list.iter().filter_map(of).collect()
    }

    fn numbers(&self, sheets: &[&Sheet], place: usize, set: &Set, is_wide: bool) -> Grid {
        let heads = ["mean ± sd", "baseline", "95 % interval", "smallest", "largest"];
        let heads = &heads[..if is_wide { 5 } else { 3 }];
        let columns =
            std::iter::once(Column::left("measure")).chain(heads.iter().map(|head| Column::decimal(*head)));
        let mut grid = Grid::new(format!("{}: {}", set.name, rows_in_words(set)), columns);
        for sheet in sheets {
            let summary = sheet.cell(place, 0, 0);
            let Some(mean) = summary.mean else { continue };
            let write = |x: f64| shown(sheet.measure, x, None);
            let interval = Mean::of(sheet, summary).interval;
            let ends = |f: fn(f64, f64) -> f64| {
                summary.values.iter().copied().reduce(f).map(write).unwrap_or_default()
            };
            let cells = [
                heading(sheet.measure),
                shown(sheet.measure, mean, summary.sd),
                self.baselines[place].get(sheet.measure.id).map(write).unwrap_or_default(),
                interval.map(|i| format!("{} to {}", write(i.low), write(i.high))).unwrap_or_default(),
                ends(f64::min),
                ends(f64::max),
            ];
            grid.row(cells.into_iter().take(1 + heads.len()));
            if let ("mae", Some(r2)) = (sheet.measure.id, self.r2(place, 0)) {
                let baseline = &self.baselines[place];
                let constant = baseline.get("mse").and_then(|mse| baseline.r2(mse));
                let constant = constant.map(|r2| format!("{r2:.4}")).unwrap_or_default();
                let cells = ["R²".to_string(), format!("{r2:.4}"), constant];
                grid.row(cells.into_iter().chain(vec![String::new(); heads.len() - 2]));
            }
        }
        grid.notes.push(in_words(set, &self.baselines[place]));
        grid
    }

    /// A line for every data set: its size, the most important error beside its baseline, the leaves.
    pub(super) fn overview(&self, sets: &Sets) -> Grid {
        let id = match (sets.task, sets.has_costs()) {
            (Task::Regression, _) => "rmse",
            (Task::Classification, true) => "loss",
            (Task::Classification, false) => "error",
        };
        let of = |id: &str| self.sheets.iter().find(|sheet| sheet.measure.id == id);
        let title = of(id).map(|sheet| heading(sheet.measure)).unwrap_or_default();
        let heads = ["rows".to_string(), title, "baseline".into(), "leaves".into()];
        let columns = std::iter::once(Column::left("data set")).chain(heads.into_iter().map(Column::decimal));
        let mut grid = Grid::new("Overview", columns);
        for (place, set) in sets.list.iter().enumerate() {
            let mean = |id: &str| {
                let sheet = of(id)?;
                let summary = sheet.cell(place, 0, self.last());
                Some(shown(sheet.measure, summary.mean?, summary.sd))
            };
            let baseline = of(id).and_then(|sheet| Some((sheet, self.baselines[place].get(id)?)));
            let cells = [
                Some(output::thousands(set.rows)),
                mean(id),
                baseline.map(|(sheet, x)| shown(sheet.measure, x, None)),
                mean("leaves"),
            ];
            let cells = cells.into_iter().map(|cell| Cell::from(cell.unwrap_or_default()));
            grid.row(std::iter::once(Cell::from(set.name.as_str())).chain(cells));
        }
        grid
    }

    fn curve(&self, sheets: &[&Sheet], place: usize, name: &str) -> Grid {
        let heads = sheets.iter().map(|sheet| Column::decimal(heading(sheet.measure)));
        let first = [Column::right("share"), Column::right("rows")];
        let mut grid = Grid::new(format!("{name}: learning curve"), first.into_iter().chain(heads));
        for (share, value) in self.sheets[0].shares.iter().enumerate() {
            let (train, _) = self.rows(name, *value);
            let mut row: Vec<Cell> = vec![value.to_string().into(), format!("{train:.0}").into()];
            row.extend(sheets.iter().map(|sheet| {
                let summary = sheet.cell(place, 0, share);
                summary
                    .mean
                    .map_or(Cell::faint("failed"), |mean| shown(sheet.measure, mean, summary.sd).into())
            }));
            grid.row(row);
        }
        grid
    }

    /// All numbers without rounding, one to a line.
    fn list(&self, sheets: &[&Sheet]) -> Grid {
        let heads = ["data set", "scheme", "share", "measure", "mean", "sd", "low", "high", "values"];
        let mut grid = Grid::new("", heads.map(Column::left));
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        for sheet in sheets {
            for (place, name) in sheet.datasets.iter().enumerate() {
                for (share, value) in sheet.shares.iter().enumerate() {
                    let summary = sheet.cell(place, 0, share);
                    let interval = Mean::of(sheet, summary).interval;
                    grid.row([
                        name.clone(),
                        self.scheme.into(),
                        value.to_string(),
                        sheet.measure.id.into(),
                        number(summary.mean),
                        number(summary.sd),
                        number(interval.map(|i| i.low)),
                        number(interval.map(|i| i.high)),
                        summary.values.len().to_string(),
                    ]);
                }
            }
        }
        grid
    }
}

/// What the baseline is.
fn in_words(set: &Set, baseline: &Baseline) -> String {
    match (baseline.class, set.options.costs.is_some()) {
        (Some(class), costs) => {
            let name = output::shortened(&set.coded.schema().target.classes()[class], 40);
            let why = if costs { "the class that costs least for all rows" } else { "the largest class" };
            format!("The baseline answers {name} to every row: {why}, by those learned from.")
        }
        (None, _) => {
            "The baseline predicts the mean of the training rows for every row; R² compares with the mean of the scored rows."
                .into()
        }
    }
}

fn rows_in_words(set: &Set) -> String {
    output::count(set.rows, "row", "rows")
}

/// Classes with more than this are reported in JSON only.
const MOST_CLASSES: usize = 30;

/// Precision, recall and F1 of every class, and what was taken for what.
fn by_class(classes: &[String], confusion: &[Vec<f64>], told: Option<&SetCalibration>) -> Vec<Grid> {
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let error = |x: f64| format!("{x:.4}");
    let mut scores = Grid::new(
        "Classes",
        [
            Column::left("class"),
            Column::decimal("precision %"),
            Column::decimal("recall %"),
            Column::decimal("F1 %"),
            Column::decimal("rows"),
            Column::decimal("calibration error"),
        ],
    );
    if classes.len() > MOST_CLASSES {
        scores.notes.push(format!("{} classes; --json has their scores.", classes.len()));
    } else {
        for (class, (name, s)) in classes.iter().zip(class_scores(confusion)).enumerate() {
            let calibration = told.and_then(|told| told.calibrated.classes.get(class)?.error());
            scores.row([
                name.clone(),
                percent(s.precision),
                percent(s.recall),
                percent(s.f1),
                output::number(s.support),
                calibration.map(error).unwrap_or_default(),
            ]);
        }
    }
    if let Some(s) = macro_average(confusion) {
        scores.footer([
            "mean".into(),
            percent(s.precision),
            percent(s.recall),
            percent(s.f1),
            output::number(s.support),
            told.and_then(|told| told.calibrated.classwise_error()).map(error).unwrap_or_default(),
        ]);
    }
    if classes.len() > MOST_CLASSES {
        return vec![scores];
    }
    let columns = classes.iter().map(|name| Column::decimal(name.clone()).under("taken for"));
    let mut matrix = Grid::new("Confusion", std::iter::once(Column::left("class")).chain(columns));
    for (i, (name, row)) in classes.iter().zip(confusion).enumerate() {
        let cells = row.iter().enumerate().map(|(j, &count)| match (i == j, count == 0.0) {
            (true, _) => Cell::strong(output::number(count)),
            (false, true) => Cell::faint("0"),
            (false, false) => output::number(count).into(),
        });
        matrix.row(std::iter::once(Cell::from(name.as_str())).chain(cells));
    }
    vec![scores, matrix]
}
