//! What all schemes of one contest came to on all tables: a sheet for every measure, and averages over tables.

use secateur::error::{Error, Result};
use secateur::evaluate::Record;
use secateur::evaluate::comparison::{Sheet, Test};
use secateur::evaluate::measures::{Better, Measure};
use secateur::schema::Task;
use secateur::statistics::{Mark, ranks};

use super::file::{Contest, canonical};
use super::{Facts, KINDS, TableKind};

/// The measures of a contest; the first one is what schemes must not be worse in.
pub(super) fn measures(task: Task) -> &'static [&'static str] {
    match task {
        Task::Classification => &["accuracy", "error", "log-loss", "brier", "auc", "leaves", "fit-seconds"],
        Task::Regression => &["rmse", "mae", "leaves", "fit-seconds"],
    }
}

/// The results of one table.
pub(super) struct Gathered {
    facts: Facts,
    sheets: Vec<Sheet>,
}

/// Gathers the records of a table, and leaves the rest of them behind.
pub(super) fn gather(facts: Facts, records: &[Record]) -> Result<Gathered> {
    let sheets = measures(facts.task).iter().map(|id| Ok(Sheet::of(records, Measure::of(id)?)));
    let sheets = sheets.collect::<Result<_>>()?;
    Ok(Gathered { facts, sheets })
}

/// All schemes of one contest on all tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Whether classes or numbers are predicted.
    pub task: Task,
    /// The tables on which every scheme has results.
    pub tables: Vec<Facts>,
    /// Tables on which some scheme failed: they are not counted.
    pub incomplete: Vec<String>,
    /// The schemes that are ranked.
    pub schemes: Vec<String>,
    /// The default so far, by its place.
    pub before: usize,
    /// The schemes that are shown, by their places.
    pub shown: Vec<usize>,
    /// The ranked schemes, and at the end the root.
    sheets: Vec<Sheet>,
}

impl Results {
    pub(super) fn of(contest: &Contest, task: Task, gathered: Vec<Gathered>) -> Result<Self> {
        let (mut tables, mut incomplete) = (Vec::new(), Vec::new());
        let mut by_measure: Vec<Vec<Sheet>> = vec![Vec::new(); measures(task).len()];
        for Gathered { facts, sheets } in gathered {
            let first = &sheets[0];
            if (0..first.schemes.len()).any(|scheme| first.cell(0, scheme, 0).mean.is_none()) {
                incomplete.push(facts.name);
                continue;
            }
            tables.push(facts);
            by_measure.iter_mut().zip(sheets).for_each(|(list, sheet)| list.push(sheet));
        }
        if tables.is_empty() {
            return Err(Error::parameter(format!(
                "there is no table on which all schemes have results; the first of {} is {}",
                incomplete.len(),
                incomplete.first().map_or("", String::as_str)
            )));
        }
        let sheets: Vec<Sheet> = by_measure.into_iter().map(Sheet::joined).collect::<Result<_>>()?;
        let mut schemes = sheets[0].schemes.clone();
        schemes.pop();
        let place = |name: &str| {
            let found = schemes.iter().position(|scheme| scheme == name);
            found.ok_or_else(|| Error::parameter(format!("there are no results of the scheme {name}")))
        };
        let before = place(&canonical(&contest.before)?)?;
        let shown = contest.shown()?.iter().map(|name| place(name)).collect::<Result<_>>()?;
        Ok(Self { task, tables, incomplete, before, shown, schemes, sheets })
    }

    /// What schemes must not be worse in: accuracy, or root mean squared error.
    pub fn first_measure(&self) -> &'static str {
        measures(self.task)[0]
    }

    /// One measure of the schemes and, at the end, of the root.
    ///
    /// # Panics
    /// When it is not a measure of the contest.
    pub fn sheet(&self, measure: &str) -> &Sheet {
        let found = self.sheets.iter().find(|sheet| sheet.measure.id == measure);
        found.unwrap_or_else(|| panic!("{measure} is not a measure of the contest"))
    }

    /// The place of the root on the sheets.
    pub fn root(&self) -> usize {
        self.schemes.len()
    }

    /// A mean over the divisions of a table.
    pub fn mean(&self, measure: &str, table: usize, scheme: usize) -> Option<f64> {
        self.sheet(measure).cell(table, scheme, 0).mean
    }

    /// The share of the fits on a table that gave a bare root.
    pub fn bare_roots(&self, table: usize, scheme: usize) -> f64 {
        let leaves = &self.sheet("leaves").cell(table, scheme, 0).values;
        leaves.iter().filter(|leaves| **leaves <= 1.0).count() as f64 / leaves.len().max(1) as f64
    }

    /// The mean over tables of the logarithm of the mean number of leaves.
    pub fn log_leaves(&self, tables: &[usize], scheme: usize) -> f64 {
        let of = |&table: &usize| self.mean("leaves", table, scheme).map(f64::ln);
        average(tables.iter().filter_map(of)).unwrap_or(f64::INFINITY)
    }

    /// The share of the root's error, or of its squared error, that the best scheme leaves on a table.
    pub fn left(&self, table: usize) -> f64 {
        let (measure, power) = match self.task {
            Task::Classification => ("error", 1),
            Task::Regression => ("rmse", 2),
        };
        let of = |scheme| self.mean(measure, table, scheme).unwrap_or(f64::NAN);
        let best = (0..self.schemes.len()).map(of).fold(f64::INFINITY, f64::min);
        match of(self.root()) {
            0.0 => 1.0,
            root => (best / root).powi(power),
        }
    }

    /// The tables of a kind.
    pub fn of_kind(&self, kind: &TableKind) -> Vec<usize> {
        (0..self.tables.len()).filter(|&table| (kind.is)(&self.tables[table], self.left(table))).collect()
    }

    /// The kinds that exist for this contest.
    pub fn kinds(&self) -> impl Iterator<Item = &'static TableKind> + use<> {
        let task = self.task;
        KINDS.iter().filter(move |kind| kind.fits(task))
    }

    /// All tables.
    pub fn all(&self) -> Vec<usize> {
        (0..self.tables.len()).collect()
    }

    /// Whether some scheme is better than the root on a table, by the corrected resampled t test at a level.
    pub fn beats_root(&self, table: usize, level: f64) -> Result<bool> {
        let sheet = self.sheet(self.first_measure());
        let test = Test { level, ..Test::default() };
        let wanted = match sheet.measure.better {
            Better::Larger => Mark::Larger,
            _ => Mark::Smaller,
        };
        for scheme in 0..self.schemes.len() {
            if sheet.difference(table, scheme, self.root(), 0, &test)?.mark == Some(wanted) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The means of some schemes on some tables, a list for every table; `None` where one is missing.
    pub(super) fn scores(&self, measure: &str, tables: &[usize], schemes: &[usize]) -> Option<Vec<Vec<f64>>> {
        let of = |&table: &usize| schemes.iter().map(|&scheme| self.mean(measure, table, scheme)).collect();
        tables.iter().map(of).collect()
    }

    /// The average ranks of some schemes among themselves on some tables, 1 being the best. Tables without the measure are passed over.
    pub fn average_ranks(&self, measure: &str, tables: &[usize], schemes: &[usize]) -> Vec<f64> {
        let larger = self.sheet(measure).measure.better == Better::Larger;
        let mut sums = vec![0.0; schemes.len()];
        let mut counted = 0.0;
        for table in tables {
            let Some(scores) = self.scores(measure, &[*table], schemes) else { continue };
            sums.iter_mut().zip(ranks(&scores[0], larger)).for_each(|(sum, rank)| *sum += rank);
            counted += 1.0;
        }
        sums.iter_mut().for_each(|sum| *sum /= counted);
        sums
    }

    /// What a scheme, or the root, came to on average over some tables.
    pub fn averages(&self, tables: &[usize], scheme: usize) -> Averages {
        let mean = |measure: &str| {
            let of = |&table: &usize| self.mean(measure, table, scheme);
            average(tables.iter().filter_map(of))
        };
        let relative = |measure: &str| {
            let of = |&table: &usize| {
                Some(self.mean(measure, table, scheme)? / self.mean(measure, table, self.root())?)
            };
            average(tables.iter().filter_map(of).filter(|x| x.is_finite()))
        };
        let classes = self.task == Task::Classification;
        let of = |measure: &str| mean(measure).filter(|_| classes);
        let leaves = tables.iter().filter_map(|&table| self.mean("leaves", table, scheme));
        Averages {
            accuracy: classes.then(|| mean("accuracy")).flatten(),
            log_loss: classes.then(|| mean("log-loss")).flatten(),
            brier: classes.then(|| mean("brier")).flatten(),
            auc: classes.then(|| of("auc")).flatten(),
            rmse: (!classes).then(|| relative("rmse")).flatten(),
            mae: (!classes).then(|| relative("mae")).flatten(),
            leaves: median(leaves.collect()),
            bare_roots: average(tables.iter().map(|&table| self.bare_roots(table, scheme))).unwrap_or(0.0),
        }
    }
}

/// Averages over tables.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Averages {
    /// The mean accuracy.
    pub accuracy: Option<f64>,
    /// The mean log loss.
    pub log_loss: Option<f64>,
    /// The mean Brier score.
    pub brier: Option<f64>,
    /// The mean area under the ROC curve.
    pub auc: Option<f64>,
    /// The mean of the root mean squared errors, each divided by that of the root.
    pub rmse: Option<f64>,
    /// The same of the mean absolute errors.
    pub mae: Option<f64>,
    /// The median of the tables' mean numbers of leaves.
    pub leaves: Option<f64>,
    /// The mean of the tables' shares of bare roots.
    pub bare_roots: f64,
}

impl Averages {
    /// The average of a measure; of errors of numbers in parts of the root's.
    pub fn of(&self, measure: &str) -> Option<f64> {
        match measure {
            "accuracy" => self.accuracy,
            "log-loss" => self.log_loss,
            "brier" => self.brier,
            "auc" => self.auc,
            "rmse" => self.rmse,
            "mae" => self.mae,
            _ => None,
        }
    }
}

/// The mean of some numbers, if there are any.
pub(super) fn average(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let list: Vec<f64> = numbers.collect();
    (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64)
}

/// The median, of two middle ones their mean.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        n if n % 2 == 0 => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
        _ => Some(numbers[middle]),
    }
}

#[cfg(test)]
pub(super) mod made {
    //! Results that are written down, for tests of what is computed from them.

    use secateur::evaluate::measures::Measured;

    use super::*;

    /// The folds of every table.
    pub const FOLDS: u32 = 10;

    /// Results for classes: `of(table, fold, scheme)` gives accuracy, Brier score, log loss and leaves; the last scheme is the root.
    pub fn classes(tables: usize, schemes: &[&str], of: impl Fn(usize, u32, usize) -> [f64; 4]) -> Results {
        let contest = Contest {
            before: schemes[0].into(),
            root: "cart:max-depth=0".into(),
            trees: schemes.iter().map(|name| name.to_string()).collect(),
            leaf_values: Vec::new(),
            schemes: Vec::new(),
            shown: schemes.iter().map(|name| name.to_string()).collect(),
        };
        let names: Vec<String> = contest.with_root().unwrap().into_iter().map(|named| named.name).collect();
        let gathered = (0..tables).map(|table| {
            let mut records = Vec::new();
            for fold in 0..FOLDS {
                for (scheme, name) in names.iter().enumerate() {
                    let [accuracy, brier, log_loss, leaves] = of(table, fold, scheme);
                    let mut measured = Measured::default();
                    for (id, number) in [
                        ("accuracy", accuracy),
                        ("error", 1.0 - accuracy),
                        ("brier", brier),
                        ("log-loss", log_loss),
                        ("auc", accuracy),
                        ("leaves", leaves),
                    ] {
                        measured.set(id, number).unwrap();
                    }
                    records.push(Record {
                        dataset: format!("t{table:02}"),
                        scheme: name.clone(),
                        repeat: 0,
                        fold,
                        share: 1.0,
                        train: 90,
                        test: 10,
                        measured: Some(measured),
                        on_training: None,
                        on_validation: None,
                        error: None,
                        seconds: Some((0.1, 0.01)),
                    });
                }
            }
            let facts = Facts {
                name: format!("t{table:02}"),
                task: Task::Classification,
                rows: 100,
                of_rows: 100,
                columns: 4,
                nominal: 0,
                missing: 0.0,
                classes: 2,
                rarest: 0.5,
                repeats: 1,
            };
            gather(facts, &records).unwrap()
        });
        Results::of(&contest, Task::Classification, gathered.collect()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_ranks_and_bare_roots_are_those_of_their_definitions() {
        // The second scheme is better by accuracy on two of three tables, and a bare root in three folds of the last one.
        let results = made::classes(3, &["cart", "c45"], |table, fold, scheme| {
            let wobble = f64::from(fold) * 0.002;
            match scheme {
                0 => [0.8 + wobble, 0.3, 0.5, 7.0],
                1 if table == 2 => [0.7 + wobble, 0.2, 0.6, if fold < 3 { 1.0 } else { 11.0 }],
                1 => [0.9 + wobble, 0.2, 0.6, 9.0],
                _ => [0.6, 0.5, 0.7, 1.0],
            }
        });
        let all = results.all();
        assert_eq!(results.average_ranks("accuracy", &all, &[0, 1]), [5.0 / 3.0, 4.0 / 3.0]);
        assert_eq!(results.average_ranks("brier", &all, &[0, 1]), [2.0, 1.0]);
        assert_eq!((results.bare_roots(1, 1), results.bare_roots(2, 1)), (0.0, 0.3));
        let averages = results.averages(&all, 1);
        assert!((averages.accuracy.unwrap() - (2.5 / 3.0 + 0.009)).abs() < 1e-12);
        assert_eq!((averages.leaves, averages.log_loss), (Some(9.0), Some(0.6)));
        assert!((averages.bare_roots - 0.1).abs() < 1e-12);
        // On the last table the first scheme leaves 0.191 of 0.4.
        assert!((results.left(2) - 0.191 / 0.4).abs() < 1e-12);
        assert!(results.beats_root(0, 0.05).unwrap());
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
