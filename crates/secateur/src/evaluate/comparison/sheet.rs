//! One measure of all schemes on all data sets, and the schemes against a base.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::difference::{Difference, Test, difference};
use super::overall::Overall;
use crate::error::{Error, Name, Result, shown, suggestion};
use crate::evaluate::Record;
use crate::evaluate::measures::{Measure, Unit};
use crate::statistics::{Interval, Marks, corrected_interval, wilson_interval};

/// One measure of one scheme on one data set, over all divisions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The mean over the divisions that have a value.
    pub mean: Option<f64>,
    /// The standard deviation, with `n − 1`; from two values on.
    pub sd: Option<f64>,
    /// The values, in the order of the records.
    pub values: Vec<f64>,
    /// Divisions without a value because the scheme failed there.
    pub failures: usize,
    /// The repetition and fold of every value.
    #[serde(skip)]
    pub(super) places: Vec<(u32, u32)>,
    /// Rows learned from and rows judged on, over all values.
    #[serde(skip)]
    pub(super) rows: (usize, usize),
    /// The sum over all values of the value times the rows it was taken on.
    #[serde(skip)]
    pub(super) of_rows: f64,
}

impl Summary {
    fn finish(&mut self) {
        let n = self.values.len() as f64;
        let first = self.values.first().copied();
        // Equal values have their own mean and no deviation, whatever the rounding.
        if let Some(first) = first.filter(|x| self.values.iter().all(|v| v == x)) {
            self.mean = Some(first);
            self.sd = (n > 1.0).then_some(0.0);
        } else if n > 0.0 {
            let mean = self.values.iter().sum::<f64>() / n;
            let squares: f64 = self.values.iter().map(|v| (v - mean) * (v - mean)).sum();
            self.mean = Some(mean);
            self.sd = Some((squares / (n - 1.0)).sqrt());
        }
    }

    /// Rows judged on for every row learned from.
    pub fn test_to_train(&self) -> f64 {
        self.rows.1 as f64 / self.rows.0.max(1) as f64
    }
}

/// One measure of all schemes on all data sets, for every share of the training rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sheet {
    /// The measure.
    #[serde(serialize_with = "id")]
    pub measure: &'static Measure,
    /// The data sets, in the order of the records.
    pub datasets: Vec<String>,
    /// The schemes, in the order of the records.
    pub schemes: Vec<String>,
    /// The shares of the training rows, in the order of the records; `[1.0]` except for learning curves.
    pub shares: Vec<f64>,
    cells: Vec<Summary>,
}

fn id<S: Serializer>(measure: &&'static Measure, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(measure.id)
}

/// The place of every name, in the order of its first appearance.
fn in_order<'r>(names: impl Iterator<Item = &'r str>) -> (Vec<String>, HashMap<&'r str, usize>) {
    let (mut list, mut places) = (Vec::new(), HashMap::new());
    for name in names {
        places.entry(name).or_insert_with(|| {
            list.push(name.to_owned());
            list.len() - 1
        });
    }
    (list, places)
}

impl Sheet {
    /// Gathers a measure from records.
    ///
    /// ```
    /// use secateur::evaluate::{Record, comparison::Sheet, measures::Measure};
    /// let lines = [
    ///     r#"{"dataset":"d","scheme":"a","repeat":0,"fold":0,"train":9,"test":1,"measured":{"nodes":3}}"#,
    ///     r#"{"dataset":"d","scheme":"a","repeat":0,"fold":1,"train":9,"test":1,"measured":{"nodes":5}}"#,
    /// ];
    /// let records: Vec<Record> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    /// let sheet = Sheet::of(&records, Measure::of("nodes")?);
    /// assert_eq!((sheet.cell(0, 0, 0).mean, sheet.cell(0, 0, 0).sd), (Some(4.0), Some(2f64.sqrt())));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn of(records: &[Record], measure: &'static Measure) -> Self {
        let (datasets, dataset) = in_order(records.iter().map(|r| r.dataset.as_str()));
        let (schemes, scheme) = in_order(records.iter().map(|r| r.scheme.as_str()));
        let mut shares: Vec<f64> = Vec::new();
        let mut cells = Vec::new();
        for record in records {
            let share = shares.iter().position(|s| *s == record.share).unwrap_or_else(|| {
                shares.push(record.share);
                cells.resize_with(shares.len() * datasets.len() * schemes.len(), Summary::default);
                shares.len() - 1
            });
            let row = share * datasets.len() + dataset[record.dataset.as_str()];
            let cell = &mut cells[row * schemes.len() + scheme[record.scheme.as_str()]];
            match record.get(measure.id) {
                Some(value) => {
                    cell.values.push(value);
                    cell.places.push((record.repeat, record.fold));
                    cell.rows.0 += record.train;
                    cell.rows.1 += record.test;
                    cell.of_rows += value * record.test as f64;
                }
                None => cell.failures += usize::from(record.measured.is_none()),
            }
        }
        cells.iter_mut().for_each(Summary::finish);
        Self { measure, datasets, schemes, shares, cells }
    }

    /// The data sets of several sheets with the same measure, schemes and shares, one after the other.
    ///
    /// ```
    /// use secateur::evaluate::{Record, comparison::Sheet, measures::Measure};
    /// let of = |data: &str, nodes: f64| -> Sheet {
    ///     let line = format!(r#"{{"dataset":"{data}","scheme":"a","repeat":0,"fold":0,"train":9,"test":1,"measured":{{"nodes":{nodes}}}}}"#);
    ///     Sheet::of(&[serde_json::from_str::<Record>(&line).unwrap()], Measure::of("nodes").unwrap())
    /// };
    /// let both = Sheet::joined(vec![of("x", 3.0), of("y", 5.0)])?;
    /// assert_eq!((both.datasets.len(), both.cell(1, 0, 0).mean), (2, Some(5.0)));
    /// assert_eq!(both.part(&[1], &[0]), of("y", 5.0));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn joined(sheets: Vec<Self>) -> Result<Self> {
        let mut sheets = sheets.into_iter();
        let Some(mut all) = sheets.next() else {
            return Err(Error::parameter("there is no sheet to join to others"));
        };
        for sheet in sheets {
            let is_same = sheet.measure == all.measure && sheet.schemes == all.schemes;
            if !is_same || sheet.shares != all.shares || all.shares.len() != 1 {
                return Err(Error::parameter(
                    "sheets can be joined that have the same measure and schemes, and one share of the rows",
                ));
            }
            all.datasets.extend(sheet.datasets);
            all.cells.extend(sheet.cells);
        }
        Ok(all)
    }

    /// Some data sets and some schemes, by their places in the lists.
    pub fn part(&self, datasets: &[usize], schemes: &[usize]) -> Self {
        let mut cells = Vec::with_capacity(self.shares.len() * datasets.len() * schemes.len());
        for share in 0..self.shares.len() {
            for &dataset in datasets {
                cells.extend(schemes.iter().map(|&scheme| self.cell(dataset, scheme, share).clone()));
            }
        }
        Self {
            measure: self.measure,
            datasets: datasets.iter().map(|&place| self.datasets[place].clone()).collect(),
            schemes: schemes.iter().map(|&place| self.schemes[place].clone()).collect(),
            shares: self.shares.clone(),
            cells,
        }
    }

    /// What a scheme came to on a data set with a share of the training rows, by their places in the lists.
    pub fn cell(&self, dataset: usize, scheme: usize, share: usize) -> &Summary {
        &self.cells[(share * self.datasets.len() + dataset) * self.schemes.len() + scheme]
    }

    /// The place of a scheme.
    pub fn scheme(&self, name: &str) -> Result<usize> {
        self.schemes.iter().position(|s| s == name).ok_or_else(|| {
            let known = suggestion(name, self.schemes.iter().map(String::as_str));
            let problem = format!("there are no results of a scheme {}{known}", shown(name));
            Error::unknown(Name::Scheme, name, problem)
        })
    }

    /// The interval of a mean at a level such as 0.95: by Student's t, widened for training parts that overlap (Nadeau and
    /// Bengio 2003); for a share of one test set by Wilson. None where one number is all there is.
    pub fn interval(&self, cell: &Summary, level: f64) -> Option<Interval> {
        let share = self.measure.unit == Unit::Share;
        if let (true, [value]) = (share, cell.values.as_slice()) {
            let n = cell.rows.1 as u64;
            return wilson_interval((value * n as f64).round() as u64, n, level).ok();
        }
        let interval = corrected_interval(&cell.values, cell.test_to_train(), level).ok()?;
        // No measure is below 0.
        let most = if share || self.measure.id == "auc" { 1.0 } else { f64::INFINITY };
        Some(Interval { low: interval.low.max(0.0), high: interval.high.min(most) })
    }

    /// How one scheme differs from another on a data set, by their places in the lists.
    pub fn difference(
        &self,
        dataset: usize,
        scheme: usize,
        base: usize,
        share: usize,
        test: &Test,
    ) -> Result<Difference> {
        let cells = [scheme, base].map(|s| self.cell(dataset, s, share));
        let mut found = difference(self.measure, cells[0], cells[1], test)?;
        found.dataset.clone_from(&self.datasets[dataset]);
        found.scheme.clone_from(&self.schemes[scheme]);
        found.base.clone_from(&self.schemes[base]);
        found.share = self.shares[share];
        Ok(found)
    }

    /// Tests every scheme against a base, and all of them over the data sets.
    pub fn against(&self, base: &str, test: &Test) -> Result<Comparison<'_>> {
        test.check()?;
        let base = self.scheme(base)?;
        let mut differences = Vec::new();
        let mut counts = vec![Marks::default(); self.schemes.len()];
        for share in 0..self.shares.len() {
            for dataset in 0..self.datasets.len() {
                for scheme in (0..self.schemes.len()).filter(|s| *s != base) {
                    let found = self.difference(dataset, scheme, base, share, test)?;
                    if let Some(mark) = found.mark {
                        counts[scheme].add(mark);
                    }
                    differences.push(found);
                }
            }
        }
        let overall =
            (0..self.shares.len()).map(|share| Overall::of(self, share, base, test.level)).collect();
        Ok(Comparison { sheet: self, base, test: *test, differences, counts, overall })
    }
}

/// All schemes of a sheet against a base.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison<'s> {
    /// The means.
    pub sheet: &'s Sheet,
    /// The place of the base among the schemes.
    pub base: usize,
    /// The test.
    pub test: Test,
    /// Every scheme but the base on every data set, for every share: shares outermost, schemes innermost.
    pub differences: Vec<Difference>,
    /// For every scheme, on how many data sets its number is significantly larger than the base's, the same, or
    /// smaller. Larger is not the same as better.
    pub counts: Vec<Marks>,
    /// Ranks and tests over all data sets, for every share.
    pub overall: Vec<Overall>,
}

impl Comparison<'_> {
    /// How a scheme differs from the base on a data set, by their places; `None` for the base itself.
    pub fn difference(&self, dataset: usize, scheme: usize, share: usize) -> Option<&Difference> {
        if scheme == self.base {
            return None;
        }
        let others = self.sheet.schemes.len() - 1;
        let place = scheme - usize::from(scheme > self.base);
        self.differences.get((share * self.sheet.datasets.len() + dataset) * others + place)
    }
}

/// A scheme that failed on a data set, wholly or on some divisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// The data set.
    pub dataset: String,
    /// The scheme.
    pub scheme: String,
    /// On how many divisions (all shares counted).
    pub failures: usize,
    /// Of how many.
    pub of: usize,
    /// The first of the reasons.
    pub error: String,
}

/// All failures, in the order of the records.
pub fn failures(records: &[Record]) -> Vec<Failed> {
    let mut list: Vec<Failed> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for record in records {
        let place = *places.entry((&record.dataset, &record.scheme)).or_insert_with(|| {
            list.push(Failed {
                dataset: record.dataset.clone(),
                scheme: record.scheme.clone(),
                failures: 0,
                of: 0,
                error: String::new(),
            });
            list.len() - 1
        });
        let entry = &mut list[place];
        entry.of += 1;
        if record.measured.is_none() {
            entry.failures += 1;
            if entry.error.is_empty() {
                entry.error = record.error.clone().unwrap_or_else(|| "no reason is recorded".into());
            }
        }
    }
    list.retain(|entry| entry.failures > 0);
    list
}
