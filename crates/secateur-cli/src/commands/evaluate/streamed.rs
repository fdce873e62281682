//! Evaluating where the rows to learn from, or those to test on, are larger than memory.

use secateur::data::read::portions::{Pass, Portions};
use secateur::data::{CodedTable, Note, NoteKind, Plan, Table, builtin, check_attributes, read};
use secateur::evaluate::measures::{JudgedRows, Judging};
use secateur::evaluate::{Details, Named, Protocol, Record};
use secateur::fit::{FitOptions, Fitted, fit};
use secateur::progress::Progress;
use secateur::scheme::Scheme;
use secateur::stream::{fit_file, larger_table};
use secateur::tree::Tree;

use super::{Evaluate, Ran};
use crate::args::ReadTable;
use crate::experiment::Sets;
use crate::failure::{Failure, Result};
use crate::files::InFile;
use crate::progress::Bars;
use crate::tables::{self, NoteSummary};

/// A tree that was fitted, with what is known of the table it was fitted to.
struct Learned {
    fitted: Fitted,
    coded: CodedTable,
    options: FitOptions,
    scheme: Scheme,
    rows: u64,
    plan: Plan,
    notes: Vec<NoteSummary>,
}

/// Notes on the values that the tree does not know, one for each attribute.
fn unseen(judging: &Judging, tree: &Tree) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for value in judging.unseen().values(tree) {
        match notes.last_mut() {
            Some(note) if note.column.as_ref() == Some(&value.attribute) => {
                (note.cells, note.of) = (note.cells + value.rows, note.of + 1);
                if note.values.len() < 5 {
                    note.values.push(value.value);
                }
            }
            _ => {
                let note = Note::new(NoteKind::Unseen).column(value.attribute).cells(value.rows, 1);
                notes.push(note.values([value.value]));
            }
        }
    }
    notes
}

impl Evaluate {
    /// Learns and judges where one of the tables is larger than the memory; nothing where all fits.
    pub(super) fn streamed(&self, given: Option<&Scheme>, bars: &Bars) -> Result<Option<Ran>> {
        let Some(memory) = self.streaming.memory()? else { return Ok(None) };
        let (options, keep) = self.columns.reading_options()?;
        let mut large = Vec::new();
        for data in &self.data {
            large.push(self.streaming.portions(data, &options)?);
        }
        let test_is_larger =
            self.test_file().is_some_and(|test| larger_table(test.as_ref(), &options, memory, 0).is_some());
        if large.iter().all(Option::is_none) && !test_is_larger {
            return Ok(None);
        }
        let ([data], Some(test)) = (self.data.as_slice(), self.test_file()) else {
            return Err(Failure::call(
                "tables larger than the memory are judged on rows of a file of their own: name it with --test-data (one table at a \
                 time); or let `fit --memory` measure the error, on held-out rows (SCHEME/cost-complexity:holdout=0.1) or by folds (:cv=10)",
            ));
        };
        self.refuse_for_streams()?;
        let learned = match large.pop().flatten() {
            Some(portions) => self.learn_streamed(&portions, given, keep, bars)?,
            None => self.learn(data, given, bars)?,
        };
        self.judge(data, test, learned, bars).map(Some)
    }

    /// What needs all rows at once.
    fn refuse_for_streams(&self) -> Result<()> {
        let refused = |flag: &str, instead: &str| {
            Err(Failure::call(format!("{flag} needs all rows in memory; {instead}, or give more memory")))
        };
        if self.sets.is_some() {
            return refused("--sets", "`predict MODEL TEST --sets 0.9` shows how many rows are covered");
        }
        if self.results.file().is_some() {
            return refused("--results", "leave it out");
        }
        if self.dividing.shares()? != [1.0] {
            return refused("--learning-curve", "leave it out");
        }
        Ok(())
    }

    /// Fits a table in memory.
    fn learn(&self, data: &InFile, given: Option<&Scheme>, bars: &Bars) -> Result<Learned> {
        let ReadTable { table, notes, plan } = self.columns.load(data, bars)?;
        let coded = CodedTable::new(&table, &self.columns.roles(self.drop_missing_target))?;
        let options = self.weighing.options(&coded)?;
        let usual = || Scheme::default_for(coded.task(), coded.rows());
        let scheme = self.scheme.or_else(given.cloned(), usual)?;
        let fitted = fit(&coded, &scheme, &options, bars)?;
        let rows = coded.rows() as u64;
        Ok(Learned { fitted, coded, options, scheme, rows, plan, notes })
    }

    /// Fits a table that is larger than memory.
    fn learn_streamed(
        &self,
        portions: &Portions,
        given: Option<&Scheme>,
        keep: Vec<String>,
        bars: &Bars,
    ) -> Result<Learned> {
        self.scheme.check_streamed()?;
        let roles = self.columns.roles(self.drop_missing_target);
        let how = self.streaming.how(self.weighing.seed, keep)?;
        check_attributes(&portions.empty()?, &roles)?;
        let mut refused = None;
        let options = |coded: &CodedTable| {
            self.weighing.options(coded).map_err(|failure| {
                refused = Some(failure);
                secateur::Error::parameter("the options do not fit the table")
            })
        };
        let streamed = fit_file(portions, &roles, given, &how, options, bars);
        if let Some(failure) = refused {
            return Err(failure);
        }
        let streamed = streamed?;
        Ok(Learned {
            notes: {
                let other = self.columns.other_target(&portions.plan().0);
                tables::told(
                    &other.into_iter().chain(streamed.notes).collect::<Vec<_>>(),
                    portions.name(),
                    bars,
                )
            },
            fitted: streamed.fitted,
            coded: streamed.table,
            options: streamed.options,
            scheme: streamed.scheme,
            rows: streamed.rows,
            plan: portions.plan().0,
        })
    }

    /// Judges a tree on the rows of a file, portion by portion.
    fn judge(&self, data: &InFile, test: &InFile, learned: Learned, bars: &Bars) -> Result<Ran> {
        let Learned { fitted, coded, options, scheme, rows: train, plan, mut notes } = learned;
        let tree = fitted.tree.clone().with_missing_texts(plan.missing_texts());
        let judging = self.judged(test, &tree, plan, bars)?;
        notes.extend(tables::told(&unseen(&judging, &tree), test, bars));
        let rows = train + judging.rows();
        let mut measured = judging.measured(Details { calibration: true, sets: None })?;
        if let Some(estimate) = &fitted.estimate {
            measured.set("estimate", estimate.error)?;
            measured.set("apparent", estimate.apparent())?;
        }
        let (grow, prune) = fitted.seconds;
        let scheme = Named::plain(scheme).name;
        let sets = Sets::streamed(data, (train as usize, rows), coded, options, notes)?;
        let record = Record {
            dataset: sets.list[0].name.clone(),
            scheme: scheme.clone(),
            repeat: 0,
            fold: 0,
            share: 1.0,
            train: train as usize,
            test: judging.rows() as usize,
            measured: Some(measured),
            on_training: None,
            on_validation: None,
            error: None,
            seconds: Some((grow + prune, prune)),
        };
        Ok(Ran {
            scheme,
            protocol: Protocol::TrainTest { train: train as usize },
            baselines: vec![judging.baseline()],
            records: vec![record],
            sets,
        })
    }

    fn judged<'t>(&self, test: &InFile, tree: &'t Tree, plan: Plan, bars: &Bars) -> Result<Judging<'t>> {
        let options = self.columns.options_for(tree, plan)?;
        let asked = JudgedRows {
            weights: self.columns.weights().cloned(),
            drop_missing_target: self.drop_missing_target,
        };
        let new = || Judging::new(tree, asked.clone());
        let readable = !test.starts_with("builtin:") && &**test != "-";
        let Some(portions) = readable.then(|| Portions::open(test, &options).ok()).flatten() else {
            // What cannot be read in portions is small, or standard input.
            let table: Table = match test.starts_with("builtin:") {
                true => builtin::load(test)?,
                false => read(test, &options, bars)?,
            };
            let mut judging = new();
            judging.add(&table, 0)?;
            return Ok(judging);
        };
        loop {
            let mut judging = new();
            match portions.rows() {
                Some(rows) => bars.stage_of_rows("judging", rows),
                None => bars.stage("judging", portions.total()),
            }
            let pass = portions.in_order(None, bars, &mut |first, table| judging.add(&table, first))?;
            if pass == Pass::Done {
                return Ok(judging);
            }
        }
    }
}
