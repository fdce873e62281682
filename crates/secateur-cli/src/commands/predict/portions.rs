//! Tables that are predicted portion by portion: read, answered and written, and never in memory as a whole.

use std::borrow::Cow;
use std::io::{self, Write};

use secateur::data::read::portions::{Pass, Portions};
use secateur::data::{BeyondExact, Note, Table};
use secateur::predict::Predictor;
use secateur::progress::Progress;
use secateur::report::PredictionFormat;
use secateur::stream::{Memory, larger_table};
use secateur::tree::Model;

use super::Predict;
use super::summary::Answers;
use super::table::{keeps_all, kept};
use crate::args::Output;
use crate::failure::{Failure, Result};
use crate::loading::{inexact_note, is_for_predictions};
use crate::output;
use crate::progress::Bars;
use crate::tables::{self, NoteSummary};

/// How a pass over all portions ended.
enum Ended {
    Done,
    /// A column turned out to be something else: from the beginning.
    Again,
    Failed(Failure),
    NotWritten(io::Error),
}

/// What all portions have in common.
struct Job<'a> {
    portions: &'a Portions,
    format: PredictionFormat,
    /// The columns that are read; all of them without.
    only: Option<Vec<String>>,
    bars: &'a Bars,
    /// The rows that are answered at once: with very many classes fewer than a portion has.
    rows: usize,
}

/// Less memory is not enough for the program itself.
const LEAST: u64 = 64_000_000;

/// The bytes of what a model says to a row: the probability of every class.
fn answer_bytes(model: &Model) -> u64 {
    (model.tree.schema().target.classes().len() * size_of::<f64>()) as u64
}

/// As many rows as may be answered at once: their probabilities and the text of these take a part of the memory.
fn rows_at_once(model: &Model, memory: Memory) -> usize {
    (memory.bytes().max(LEAST) / 8 / (4 * answer_bytes(model)).max(1)).max(1) as usize
}

impl Predict {
    /// The data in portions, if the table would take more memory than it may.
    pub(super) fn portions(&self, model: &Model, how: &Output) -> Result<Option<Portions>> {
        let memory = self.memory.parse::<Memory>();
        let memory = memory.map_err(|error| Failure::call(format!("--memory: {error}")))?;
        if self.data.starts_with("builtin:") {
            return Ok(None);
        }
        let answer = answer_bytes(model);
        let tree = model.tree.nodes().len() as u64 * answer;
        if tree > memory.bytes().max(LEAST) {
            return Err(Failure::call(format!(
                "--memory: the model alone takes {} (the counts of {} classes in {} nodes), more than {memory}; give more",
                Memory::of(tree),
                model.tree.schema().target.classes().len(),
                model.tree.nodes().len(),
            )));
        }
        let portions = larger_table(self.data.as_ref(), &self.types.options_for(model)?, memory, answer);
        if portions.is_some() && how.json && self.output.is_none() {
            return Err(Failure::call(format!(
                "--json prints all predictions as one object, and this table takes more than {memory}; write them to a file with -o, \
                 or give --memory more"
            )));
        }
        Ok(portions)
    }

    /// Reads, answers and writes all portions in turn.
    pub(super) fn portion_by_portion<'a>(
        &self,
        portions: &Portions,
        model: &'a Model,
        format: PredictionFormat,
        bars: &Bars,
    ) -> Result<(Answers<'a>, Vec<NoteSummary>)> {
        // What is wrong with the columns is reported before anything is read.
        let empty = portions.empty()?;
        kept(&empty, &self.keep)?;
        Predictor::bind(&model.tree, &empty)?;
        let mut notes = portions.plan().1;
        notes.retain(|note| is_for_predictions(note.kind));
        let mut notes = tables::told(&notes, portions.name(), bars);
        let memory = self.memory.parse::<Memory>()?;
        let rows = rows_at_once(model, memory);
        let job = Job { portions, format, only: self.only(&empty, model), bars, rows };
        if self.output.is_none() {
            job.settle()?;
        }
        loop {
            let (mut answers, mut large) = (Answers::new(model), BeyondExact::default());
            let mut ended = Ended::Done;
            let write = |out: &mut dyn Write| {
                ended = self.write_all(&job, &mut answers, &mut large, out);
                match std::mem::replace(&mut ended, Ended::Done) {
                    Ended::Done => out.write_all(format.end(answers.totals.rows()).as_bytes()),
                    Ended::NotWritten(error) => Err(error),
                    stopped => {
                        ended = stopped;
                        Err(io::Error::other("it was not finished"))
                    }
                }
            };
            let written = match &self.output {
                Some(file) => file.write(write),
                None => output::contents(write).map_err(Failure::from),
            };
            match ended {
                Ended::Again => continue,
                Ended::Failed(failure) => return Err(failure),
                Ended::Done | Ended::NotWritten(_) => written?,
            }
            let large: Vec<Note> =
                large.found().into_iter().map(|found| inexact_note(&job.columns(&empty), found)).collect();
            notes.extend(tables::told(&large, portions.name(), bars));
            return Ok((answers, notes));
        }
    }

    /// The columns that have to be read: those the tree tests, its target, and those to keep.
    fn only(&self, empty: &Table, model: &Model) -> Option<Vec<String>> {
        if keeps_all(empty, &self.keep) {
            return None;
        }
        let schema = model.tree.schema();
        let tested = model.tree.nodes().iter().filter_map(|node| node.condition.as_ref());
        let mut names: Vec<String> =
            tested.map(|condition| schema.attributes[condition.attribute()].name.clone()).collect();
        names.push(schema.target.name().into());
        names.extend(self.keep.iter().cloned());
        names.sort();
        names.dedup();
        // Without any column the number of rows would be unknown.
        let is_there = empty.columns().iter().any(|column| names.contains(&column.name));
        is_there.then_some(names)
    }

    fn write_all(
        &self,
        job: &Job,
        answers: &mut Answers,
        large: &mut BeyondExact,
        out: &mut dyn Write,
    ) -> Ended {
        let mut stopped = None;
        job.begin("predicting");
        let pass = job.portions.in_order(job.only.as_deref(), job.bars, &mut |first, table| {
            large.add(&table, first);
            for start in (0..table.rows()).step_by(job.rows) {
                let rows = start..(start + job.rows).min(table.rows());
                let part = if rows.len() < table.rows() {
                    Cow::Owned(table.part(rows))
                } else {
                    Cow::Borrowed(&table)
                };
                let first = first + start as u64;
                let written = self.answer(answers, &part, (first, job.format), |written| {
                    Ok(written.write(out, job.format))
                });
                stopped = match written {
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => Some(Ended::NotWritten(error)),
                    Err(failure) => Some(Ended::Failed(failure)),
                };
                return Err(secateur::Error::Cancelled);
            }
            Ok(())
        });
        match (stopped, pass) {
            (Some(stopped), _) => stopped,
            (None, Ok(Pass::Done)) => Ended::Done,
            (None, Ok(Pass::Again)) => Ended::Again,
            (None, Err(error)) => Ended::Failed(error.into()),
        }
    }
}

impl Job<'_> {
    fn begin(&self, stage: &str) {
        match self.portions.rows() {
            Some(rows) => self.bars.stage_of_rows(stage, rows),
            None => self.bars.stage(stage, self.portions.total()),
        }
    }

    /// Reads what may yet turn out to be something else, where nothing that is written can be taken back.
    fn settle(&self) -> Result<()> {
        while self.portions.may_change(self.only.as_deref()) {
            self.begin("reading");
            if self.portions.in_order(self.only.as_deref(), self.bars, &mut |_, _| Ok(()))? == Pass::Done {
                break;
            }
        }
        Ok(())
    }

    /// The columns that are read.
    fn columns(&self, empty: &Table) -> Table {
        let is_read = |name: &String| self.only.as_ref().is_none_or(|only| only.contains(name));
        let names = empty.columns().iter().map(|column| column.name.clone());
        let others: Vec<String> = names.filter(|name| !is_read(name)).collect();
        empty.clone().without(&others)
    }
}
