//! `secateur fit`: grow a tree, print it, save it.

use std::collections::HashSet;
use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use secateur::data::read::portions::Portions;
use secateur::data::{CodedTable, Note, Plan, check_attributes};
use secateur::fit::{
    Estimate, EstimateBy, FitReport, LambdaChoice, TreePath, Validation, fit_judged, larger_than_root,
};
use secateur::page::Page;
use secateur::prune::k_norm::Reliability;
use secateur::prune::reliability_of;
use secateur::schema::Target;
use secateur::scheme::Scheme;
use secateur::stream::fit_file;
use secateur::training::TreeCache;
use secateur::tree::{Model, Size, Tree};
use serde::Serialize;

use crate::args::{Choosing, Output, ReadTable, RoleArgs, Threads};
use crate::call;
use crate::estimate::EstimateSummary;
use crate::failure::{Failure, Hint, Result};
use crate::files::{InFile, OutFile, OutModel};
use crate::fit_text::FitText;
use crate::importance::{self, Importance};
use crate::leaf_values::LeafValuesSummary;
use crate::no_better::{self, Larger, StepSummary};
use crate::output;
use crate::progress::Bars;
use crate::scheme_args::{SCHEMES, SchemeArgs};
use crate::streaming::{StreamArgs, StreamSummary};
use crate::summary::{Seconds, TreeSummary};
use crate::tables::{self, NoteSummary};

/// Grow a tree from data, prune it, print it, save it
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur fit builtin:iris
  secateur fit train.csv --target price -o model.json
  secateur fit credit.csv --report tree.html
  secateur fit small.csv --estimate nested        an error that had no part in choosing
  secateur fit credit.csv --scheme cart/k-norm:k=2 --costs costs.csv
  secateur fit credit.csv --max-leaves 8          a tree of eight leaves at most
  secateur fit credit.csv --leaf-values shrink    probabilities that hold on new rows
  secateur fit train.parquet --scheme c45:min-leaf=5 --ignore id,date
  secateur fit big.parquet --memory 2GB --scheme cart:bins=255 --max-leaves 256
  zcat big.csv.gz | secateur fit - --scheme best-first:max-leaves=20 --json

`secateur schemes` lists all learners and pruners with their options.")]
pub struct Fit {
    /// .csv, .tsv, .json, .jsonl, .arff or .parquet, plain or .gz; a folder of .parquet files; - for standard input; or builtin:NAME
    data: InFile,
    #[command(flatten)]
    scheme: SchemeArgs,
    /// Save the tree here
    #[arg(long, short, value_name = "MODEL.json")]
    output: Option<OutModel>,
    /// Write a page to look at the tree and all its prunings with; one file, for any browser
    #[arg(long, value_name = "PAGE.html")]
    report: Option<OutFile>,
    /// Folds to judge the prunings on the page with, where the scheme has none of its own; 0: none [default: 10 for up to a
    /// million cells, else none]
    #[arg(long, value_name = "N", requires = "report", allow_negative_numbers = true)]
    report_folds: Option<usize>,
    /// How the error on new rows is estimated: corrected, by the rows that choose the tree; nested, by folds around the whole fit (takes as many
    /// fits as folds, for any scheme); off
    #[arg(long, value_name = "HOW", default_value = "corrected")]
    estimate: EstimateBy,
    /// Set this share of the rows aside, such as 0.2: sets and intervals of `predict --sets` then cover what they say, whatever the tree
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    calibrate: Option<f64>,
    /// Print also how the tree was made: scheme, leaf values, estimates, times
    #[arg(long)]
    details: bool,
    /// Leave out rows without a target instead of refusing them
    #[arg(long)]
    drop_missing_target: bool,
    #[command(flatten)]
    choosing: Choosing,
    #[command(flatten)]
    columns: RoleArgs,
    #[command(flatten)]
    streaming: StreamArgs,
    #[command(flatten)]
    threads: Threads,
}

/// What `fit --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    scheme: String,
    data: &'a str,
    rows: u64,
    target: &'a Target,
    full: Size,
    tree: TreeSummary,
    leaf_values: LeafValuesSummary,
    /// The error to expect on new rows, where the scheme measures it.
    estimate: Option<EstimateSummary>,
    /// Which rows sets and intervals are made with.
    sets: Option<SetsSummary<'a>>,
    /// The error rate (or RMSE) estimated from the training rows alone (k-norm); not with costs.
    reliability: Option<Reliability>,
    /// Of a tree of one leaf: what the next larger trees of its path would give.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_larger: Option<Vec<StepSummary>>,
    /// The pruner of that path, where it is not that of the scheme, which has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_larger_by: Option<&'static str>,
    /// The attributes that are tested, the most important one first.
    importance: Vec<Importance<'a>>,
    seconds: &'a Seconds,
    /// How the table was streamed, where it was larger than the memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    streamed: Option<&'a StreamSummary>,
    notes: &'a [NoteSummary],
    model: Option<String>,
    report: Option<String>,
}

#[derive(Serialize)]
struct SetsSummary<'a> {
    by: &'a str,
    rows: u64,
}

/// A fit that is done, however the table was read.
struct Done {
    model: Model,
    estimate: Option<Estimate>,
    path: Option<TreePath>,
    /// Of a bare root without a path of its own: cost-complexity's.
    instead: Option<TreePath>,
    lambda: Option<LambdaChoice>,
    validation: Option<Validation>,
    seconds: Seconds,
    streamed: Option<StreamSummary>,
    notes: Vec<NoteSummary>,
}

impl Fit {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let given = self.scheme.given(&self.columns)?;
        if let Some(page) = &self.report {
            page.format_of((), ".html", |name| ["html", "htm"].contains(&name).then_some(()))?;
        }
        self.threads.start();
        let bars = Bars::new(how.quiet);
        let (options, keep) = self.columns.reading_options()?;
        let done = match self.streaming.portions(&self.data, &options)? {
            None => self.in_memory(given, &bars)?,
            Some(portions) => self.streamed(&portions, given, keep, &bars)?,
        };
        if let Some(file) = &self.output {
            file.save(&done.model)?;
        }
        drop(bars);
        self.tell(&done, how)
    }

    /// Fits a table in memory.
    fn in_memory(&self, given: Option<Scheme>, bars: &Bars) -> Result<Done> {
        let begun = Instant::now();
        let ReadTable { table, notes, plan } = self.columns.load(&self.data, bars)?;
        let roles = self.columns.roles(self.drop_missing_target);
        // Bins of numbers belong to the rows that are learned from.
        let is_parted = self.calibrate.is_some() || self.estimate == EstimateBy::Nested;
        let coded = self.choosing.coded(&table, &roles, given.as_ref().filter(|_| !is_parted))?;
        drop(table);
        let load = begun.elapsed().as_secs_f64();
        let mut options = self.choosing.options(&coded)?;
        let mut aside = None;
        if let Some(share) = self.calibrate {
            let (others, rows) = options.set_aside(&coded, share)?;
            (options, aside) = (others, Some(rows));
        }
        let scheme = self.scheme.or_else(given, || Scheme::default_for(coded.task(), coded.rows()))?;
        let trees = TreeCache::new(&coded, &options)?;
        let mut fitted = fit_judged(&trees, &scheme, self.estimate, bars).hint(SCHEMES)?;
        if let Some(rows) = &aside {
            fitted = fitted.calibrated(&coded, rows)?;
        }
        let is_cut_down = fitted.tree.is_leaf(0) && fitted.full.leaves > 1 && fitted.path.is_none();
        let instead = if is_cut_down { larger_than_root(&trees, &scheme, bars)? } else { None };
        let mut report = fitted.into_report(&coded, &scheme, &options);
        let reading = reading_of(&plan, &report.model.tree);
        report.model.set_reading(reading);
        if let Some(file) = &self.report {
            let folds = self.report_folds.unwrap_or_else(|| usual_folds(&coded));
            let page = Page::of_fit(&report, (&trees, &scheme), folds, &call::of_fit(), bars)?;
            file.write(|out| page.write(out))?;
        }
        let FitReport { model, estimate, validation, path, lambda, seconds: (grow, prune), .. } = report;
        let seconds = Seconds { load, grow, prune };
        Ok(Done { model, estimate, path, instead, lambda, validation, seconds, streamed: None, notes })
    }

    /// Fits a table that is larger than memory.
    fn streamed(
        &self,
        portions: &Portions,
        given: Option<Scheme>,
        keep: Vec<String>,
        bars: &Bars,
    ) -> Result<Done> {
        if self.report_folds.is_some_and(|folds| folds > 0) {
            return Err(Failure::call(
                "--report-folds needs all rows in memory; leave it out, or give more memory",
            ));
        }
        if self.estimate == EstimateBy::Nested || self.calibrate.is_some() {
            let flag = if self.calibrate.is_some() { "--calibrate" } else { "--estimate nested" };
            return Err(Failure::call(format!(
                "{flag} needs all rows in memory; leave it out, or give more memory"
            )));
        }
        self.scheme.check_streamed()?;
        let roles = self.columns.roles(self.drop_missing_target);
        check_attributes(&portions.empty()?, &roles)?;
        let how = self.streaming.how(self.choosing.seed(), keep)?;
        let mut refused = None;
        let options = |coded: &CodedTable| {
            self.choosing.options(coded).map_err(|failure| {
                refused = Some(failure);
                secateur::Error::parameter("the options do not fit the table")
            })
        };
        let fitted = fit_file(portions, &roles, given.as_ref(), &how, options, bars);
        if let Some(failure) = refused {
            return Err(failure);
        }
        let streamed = match fitted {
            // A file that is not what it was is not the fault of the scheme.
            Err(error @ (secateur::Error::Read { .. } | secateur::Error::Input { .. })) => {
                return Err(error.into());
            }
            fitted => fitted.hint(SCHEMES)?,
        };
        let noted: Vec<Note> =
            self.columns.other_target(&portions.plan().0).into_iter().chain(streamed.notes.clone()).collect();
        let notes = tables::told(&noted, portions.name(), bars);
        let summary = StreamSummary::of(&streamed);
        let load = streamed.load_seconds;
        let FitReport { mut model, estimate, path, lambda, seconds: (grow, prune), .. } =
            streamed.fitted.into_report(&streamed.table, &streamed.scheme, &streamed.options);
        let reading = reading_of(&portions.plan().0, &model.tree);
        model.set_reading(reading);
        if let Some(file) = &self.report {
            let page = Page::of_model(&model, &call::of_fit())?;
            file.write(|out| page.write(out))?;
        }
        let seconds = Seconds { load, grow, prune };
        let streamed = Some(summary);
        let estimate = estimate.filter(|_| self.estimate != EstimateBy::Off);
        Ok(Done { model, estimate, path, instead: None, lambda, validation: None, seconds, streamed, notes })
    }

    /// Prints what was found.
    fn tell(&self, done: &Done, how: &Output) -> Result<()> {
        let Done { model, estimate, lambda, validation, seconds, streamed, notes, .. } = done;
        let larger = Larger { own: done.path.as_ref(), instead: done.instead.as_ref() };
        if how.json {
            return Ok(output::json(&Summary {
                scheme: model.scheme.clone(),
                data: &model.about.data,
                rows: model.about.rows,
                target: &model.tree.schema().target,
                full: model.about.full,
                tree: TreeSummary::of(&model.tree),
                leaf_values: LeafValuesSummary::of(&model.tree, lambda.as_ref()),
                estimate: estimate.as_ref().map(|e| EstimateSummary::of(e, validation.as_ref(), &model.tree)),
                sets: model.tree.conformal().map(|c| SetsSummary { by: &c.by, rows: c.scores.rows() }),
                reliability: reliability_of(&model.tree),
                next_larger: no_better::as_json(&model.tree, larger),
                next_larger_by: larger.instead.map(|_| "cost-complexity"),
                importance: importance::list(&model.tree),
                seconds,
                streamed: streamed.as_ref(),
                notes,
                model: self.output.as_ref().map(ToString::to_string),
                report: self.report.as_ref().map(ToString::to_string),
            })?);
        }
        let text = FitText {
            model,
            estimate: estimate.as_ref(),
            validation: validation.as_ref(),
            lambda: lambda.as_ref(),
            path: done.path.as_ref(),
            instead: done.instead.as_ref(),
            seconds,
            streamed: streamed.as_ref(),
            details: self.details,
        };
        output::text(&text.text())?;
        self.suggest(how);
        if let Some(file) = &self.output {
            how.note(&format!("the model is in {file}"));
        }
        if let Some(file) = &self.report {
            how.note(&format!("the page is in {file}; open it in a browser"));
        }
        Ok(())
    }
}

impl Fit {
    /// On a terminal, a line on what to do next.
    fn suggest(&self, how: &Output) {
        if how.quiet || !std::io::stdout().is_terminal() {
            return;
        }
        let text = "`path` shows every size, `--report tree.html` a page, `explain` one row";
        output::say("next", "36", text);
    }
}

/// How other files for a tree are read.
fn reading_of(plan: &Plan, tree: &Tree) -> Plan {
    let schema = tree.schema();
    let attributes = schema.attributes.iter().map(|attribute| attribute.name.as_str());
    let names: HashSet<&str> = attributes.chain([schema.target.name()]).collect();
    plan.for_other_files(|name: &str| names.contains(name))
}

/// The folds that a page is made with unless others are asked for: judging all paths takes a second or two, or is left out.
fn usual_folds(table: &CodedTable) -> usize {
    const CELLS: usize = 1_000_000;
    let cells = table.rows().saturating_mul(table.columns().len());
    if cells <= CELLS { table.rows().min(10) } else { 0 }
}
