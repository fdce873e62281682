//! The runner: all schemes on all divisions of all data sets, on all cores, resumable.
//!
//! One unit of work is one division of one data set with all schemes: the columns are coded once per data set, the full tree
//! and the fold trees are grown once per division ([`TreeCache`](crate::training::TreeCache)) and pruned many ways. Units are worked on in order by as
//! many workers as there are threads, and their records are written in order, so the results do not depend on the number
//! of threads, and a run that was stopped continues where it ended.

use std::path::Path;

use super::data_set::DataSet;
use super::journal::{Journal, Section};
use super::measures::Details;
use super::{Protocol, Record};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::scheme::Scheme;

/// A scheme under a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name in records and tables.
    pub name: String,
    /// The scheme.
    pub scheme: Scheme,
    /// Whether it chooses on the test rows: not a method then, but a bound on what a choice could reach.
    pub sees_test_rows: bool,
}

impl Named {
    /// A scheme under its own text.
    pub fn plain(scheme: Scheme) -> Self {
        Self { name: scheme.to_string(), scheme, sees_test_rows: false }
    }
}

/// An experiment: data sets, schemes, and how both are brought together.
pub struct Experiment {
    /// The data sets.
    pub datasets: Vec<DataSet>,
    /// The schemes.
    pub schemes: Vec<Named>,
    /// How a data set is divided.
    pub protocol: Protocol,
    /// Shares of the training rows to learn from, for learning curves; `[1.0]` otherwise.
    pub shares: Vec<f64>,
    /// The seed of folds and parts.
    pub seed: u64,
    /// Whether schemes use each other's trees. Times are those of a scheme alone either way, except that pre-pruning
    /// then reads its stopping point off trees that are grown to the end.
    pub sharing: bool,
    /// Whether trees are also measured on the rows they learned from and on those they chose on.
    pub all_parts: bool,
    /// What is kept of every tree beside the numbers.
    pub details: Details,
}

impl Experiment {
    /// Runs all units. With a file, results are appended to it as they come, and those that are there are not computed again:
    /// divisions that an earlier run finished, and schemes that an earlier run had, in any order.
    pub fn run(&self, file: Option<&Path>, progress: &dyn Progress) -> Result<Vec<Record>> {
        if self.datasets.is_empty() || self.schemes.is_empty() {
            return Err(Error::parameter("an experiment needs at least one data set and one scheme"));
        }
        if let Some(twice) = twice(self.schemes.iter().map(|s| s.name.as_str())) {
            return Err(Error::parameter(format!("the scheme {twice} appears twice")));
        }
        if let Some(twice) = twice(self.datasets.iter().map(|d| d.name.as_str())) {
            return Err(Error::parameter(format!("the data set {twice} appears twice")));
        }
        if self.shares.is_empty() {
            return Err(Error::parameter("an experiment needs at least one share of the rows to learn from"));
        }
        let per_set = self.protocol.count();
        if per_set == 0 {
            return Err(Error::parameter(format!(
                "{}: expected at least one division of the rows",
                self.protocol.in_words()
            )));
        }
        let Some(total) = per_set.checked_mul(self.datasets.len()) else {
            return Err(Error::parameter("there are more divisions than can be counted; ask for fewer"));
        };
        let (mut journal, mut sections) = match file {
            Some(path) => {
                let (journal, sections) = Journal::open(path, self, total)?;
                (Some(journal), sections)
            }
            None => (None, Vec::new()),
        };
        let is_new = |place: &usize| !sections.iter().any(|section| section.schemes.contains(place));
        let new: Vec<usize> = (0..self.schemes.len()).filter(is_new).collect();
        if !new.is_empty() {
            sections.push(Section { schemes: new, ..Section::default() });
        }
        progress.stage("running", (total as u64).saturating_mul(sections.len() as u64));
        for section in &mut sections {
            let schemes = section.of(self);
            let done = section.records.len() / (self.shares.len() * schemes.len());
            progress.advance(done as u64);
            if let (false, Some(journal)) = (section.begun, &mut journal) {
                journal.begin(&self.header(&schemes))?;
            }
            self.work(&schemes, done, total, progress, |unit| {
                if let Some(journal) = &mut journal {
                    journal.append(&unit)?;
                }
                section.records.extend(unit);
                progress.advance(1);
                Ok(())
            })?;
        }
        if let Some(journal) = journal {
            journal.finish()?;
        }
        Ok(self.in_order(sections))
    }

    /// The records of all sections as if all schemes had been run together.
    fn in_order(&self, sections: Vec<Section>) -> Vec<Record> {
        let mut all = Vec::new();
        for Section { schemes, records, .. } in sections {
            // Units and shares follow each other; within them come the schemes.
            let placed = records.into_iter().enumerate();
            all.extend(placed.map(|(i, record)| ((i / schemes.len(), schemes[i % schemes.len()]), record)));
        }
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, record)| record).collect()
    }
}

fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
