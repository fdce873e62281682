//! Running a suite: table after table, each with a result file of its own.
//!
//! A run that was stopped resumes; tables and schemes that are added later are run alone. A table with other rows, or other folds, is
//! refused by its result file.

use std::path::{Path, PathBuf};

use secateur::error::{Error, Result, suggestion};
use secateur::evaluate::comparison::{Failed, failures};
use secateur::evaluate::{DataSet, Details, Experiment, FoldOrder, Protocol, Record, fingerprint};
use secateur::fit::FitOptions;
use secateur::progress::Progress;
use secateur::schema::Task;
use secateur::write::check_file_name;

use super::contest::{Gathered, Results};
use super::table::{Facts, Source, sources};
use super::{Suite, contest};

/// What a suite came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// Tables with classes.
    pub classes: Option<Results>,
    /// Tables with numbers.
    pub numbers: Option<Results>,
    /// Tables that took no part, and why.
    pub left_out: Vec<(String, String)>,
    /// What failed.
    pub failures: Vec<Failed>,
}

/// Runs a suite on tables that are given (folders, files, `builtin:NAME`s) and on its own; `only` names some of them. Results are kept
/// in the folder `kept`, a file to a table.
pub fn run(
    suite: &Suite,
    data: &[String],
    only: &[String],
    kept: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Ran> {
    let (mut list, absent) = sources(suite, data)?;
    for name in only {
        if !list.iter().any(|source| source.name == *name) {
            let meant = suggestion(name, list.iter().map(|source| source.name.as_str()));
            return Err(Error::parameter(format!("there is no table {name}{meant}")));
        }
    }
    let absent = if only.is_empty() { absent } else { Vec::new() };
    list.retain(|source| only.is_empty() || only.contains(&source.name));
    if let Some(kept) = kept {
        for source in &list {
            check_file_name(&source.name).map_err(|problem| {
                Error::parameter(format!(
                    "{problem}; the results of a table are kept in a file of its name: rename it in INDEX.csv or in the suite"
                ))
            })?;
        }
        std::fs::create_dir_all(kept).map_err(|source| Error::Write { file: kept.into(), source })?;
    }
    let mut ran =
        Running { suite, kept, progress, classes: Vec::new(), numbers: Vec::new(), failures: Vec::new() };
    let mut left_out: Vec<(String, String)> =
        absent.into_iter().map(|name| (name, "its file is not there".into())).collect();
    let total = list.len();
    for (place, source) in list.iter().enumerate() {
        if let Some(why) = ran.table(source, (place + 1, total))? {
            left_out.push((source.name.clone(), why));
        }
    }
    let Running { classes, numbers, failures, .. } = ran;
    let results = |task, gathered: Vec<_>| {
        let contest = suite.contest(task).filter(|_| !gathered.is_empty());
        contest.map(|contest| Results::of(contest, task, gathered)).transpose()
    };
    Ok(Ran {
        classes: results(Task::Classification, classes)?,
        numbers: results(Task::Regression, numbers)?,
        left_out,
        failures,
    })
}

/// A suite on its way.
struct Running<'a> {
    suite: &'a Suite,
    kept: Option<&'a Path>,
    progress: &'a dyn Progress,
    classes: Vec<Gathered>,
    numbers: Vec<Gathered>,
    failures: Vec<Failed>,
}

impl Running<'_> {
    /// Runs a table; a text says why it takes no part.
    fn table(&mut self, source: &Source, place: (usize, usize)) -> Result<Option<String>> {
        let suite = self.suite;
        let (table, facts) = source.load(suite)?;
        let Some(contest) = suite.contest(facts.task) else {
            return Ok(Some("no schemes are named for its kind of target".into()));
        };
        if facts.rows < suite.least_rows.max(suite.folds) {
            return Ok(Some(format!("it has {} rows", facts.rows)));
        }
        if facts.columns == 0 || facts.task == Task::Classification && facts.classes < 2 {
            return Ok(Some("there is nothing to tell apart".into()));
        }
        let options = FitOptions::default();
        let print = fingerprint(&table, &options);
        let experiment = Experiment {
            datasets: vec![DataSet::ready(&facts.name, table, options).with_fingerprint(print)],
            schemes: contest.with_root()?,
            protocol: protocol(suite, &facts),
            shares: vec![1.0],
            seed: suite.seed,
            sharing: true,
            all_parts: false,
            details: Details::default(),
        };
        let file: Option<PathBuf> = self.kept.map(|kept| kept.join(format!("{}.jsonl", facts.name)));
        let watched = OfTable { progress: self.progress, name: &facts.name, place };
        let records: Vec<Record> = experiment.run(file.as_deref(), &watched)?;
        self.failures.extend(failures(&records));
        let gathered = match facts.task {
            Task::Classification => &mut self.classes,
            Task::Regression => &mut self.numbers,
        };
        gathered.push(contest::gather(facts, &records)?);
        Ok(None)
    }
}

/// How a table is divided.
fn protocol(suite: &Suite, facts: &Facts) -> Protocol {
    Protocol::Cv { folds: suite.folds, repeats: facts.repeats, order: FoldOrder::Stratified }
}

/// Says which table is at work.
struct OfTable<'a> {
    progress: &'a dyn Progress,
    name: &'a str,
    place: (usize, usize),
}

impl Progress for OfTable<'_> {
    fn stage(&self, _: &str, total: u64) {
        let (place, of) = self.place;
        self.progress.stage(&format!("{} ({place} of {of})", self.name), total);
    }

    fn advance(&self, amount: u64) {
        self.progress.advance(amount);
    }

    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }
}
