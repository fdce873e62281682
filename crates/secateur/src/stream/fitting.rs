//! Fitting a table that is larger than memory.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::budget::{Memory, Shares};
use super::decide::{Deciding, decided};
use super::files::Files;
use super::held::held_out;
use super::workers::{Coded, Workers};
use crate::data::read::portions::Portions;
use crate::data::{CodedTable, Note, ReadOptions, Roles};
use crate::error::{Error, Result};
use crate::fit::{Fitted, fit_plan};
use crate::grow::{check_counts, grow_from_shards, no_rows};
use crate::progress::Progress;
use crate::prune::PruneKind;
use crate::schema::Task;
use crate::scheme::{LeafPlan, Plan, Scheme};
use crate::shard::{Coding, Levels, Tagging};
use crate::training::{FitOptions, Folds, Grown, TreeCache};
use crate::tree::LeafValues;
use crate::write::Scratch;

/// The bins of numbers where the scheme does not say: a byte for each cell.
const BINS: usize = 255;

/// The settings of a streamed fit beside table and scheme.
#[derive(Debug, Clone)]
pub struct StreamFit {
    /// How much memory may be used.
    pub memory: Memory,
    /// Where coded rows are kept meanwhile; else where the system keeps such things.
    pub scratch: Option<PathBuf>,
    /// How the memory is divided; else as usual.
    pub shares: Option<Shares>,
    /// The seed of folds and held-out parts.
    pub seed: u64,
    /// In which order nominal values stand.
    pub levels: Levels,
    /// Columns whose values stand in their natural order all the same.
    pub natural: Vec<String>,
    /// Whether identifiers and row numbers are left out, except for the columns named here.
    pub leave_out: Option<Vec<String>>,
}

impl StreamFit {
    /// This much memory, and nothing else set.
    pub fn within(memory: Memory) -> Self {
        Self {
            memory,
            scratch: None,
            shares: None,
            seed: FitOptions::default().seed,
            levels: Levels::First,
            natural: Vec::new(),
            leave_out: None,
        }
    }
}

/// A fit of a streamed table.
pub struct Streamed {
    /// The tree and how it was found.
    pub fitted: Fitted,
    /// The settings of the fit.
    pub options: FitOptions,
    /// The scheme that was used.
    pub scheme: Scheme,
    /// The table without its rows.
    pub table: CodedTable,
    /// The rows with weight.
    pub rows: u64,
    /// What was noticed.
    pub notes: Vec<Note>,
    /// How often the files were read, and the coded rows.
    pub passes: (usize, usize),
    /// The bytes of the coded rows.
    pub coded_bytes: u64,
    /// Seconds for reading and coding.
    pub load_seconds: f64,
}

impl Scheme {
    /// The scheme for a streamed table of this many rows when none is named: CART's own pruning on a tenth of the rows that is held out,
    /// which is enough to be as sure as cross-validation; leaves have at least a hundred-thousandth of the rows, so that the tree that is
    /// pruned fits into memory.
    ///
    /// ```
    /// use secateur::Scheme;
    /// let scheme = Scheme::default_for_stream(50_000_000)?;
    /// assert_eq!(scheme.to_string(), "cart:min-leaf=500,bins=255/cost-complexity:holdout=0.1,1se");
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn default_for_stream(rows: u64) -> Result<Self> {
        let least = rows.div_ceil(100_000).max(1);
        format!("cart:bins={BINS},min-leaf={least}/cost-complexity:holdout=0.1,1se").parse()
    }

    /// The same scheme with its numbers cut into bins, as streamed tables have them.
    pub fn binned(&self) -> Result<Self> {
        if self.learner.given().iter().any(|(param, _)| param.name == "bins") {
            return Ok(self.clone());
        }
        let learner = self.learner.to_string();
        let separator = if learner.contains(':') { ',' } else { ':' };
        let pruner = self.pruner.as_ref().map(|pruner| format!("/{pruner}")).unwrap_or_default();
        format!("{learner}{separator}bins={BINS}{pruner}").parse()
    }
}

/// What a scheme means for a streamed table, or why it cannot be used for one.
pub fn plan_streamed(scheme: &Scheme, task: Task) -> Result<Plan> {
    let plan = scheme.plan(task)?;
    check_counts(&plan.spec)?;
    if plan.leaves != LeafPlan::Fixed(LeafValues::Raw) {
        return Err(Error::parameter(
            "leaf values are chosen on rows in memory; for a streamed table use leaf-values=raw, and give the tree others afterwards",
        ));
    }
    let Some(pruning) = &plan.pruning else { return Ok(plan) };
    let id = pruning.pruner.info.id;
    let refused = |instead: &str| {
        Err(Error::parameter(format!("{id} needs all rows in memory; for a streamed table use {instead}")))
    };
    match &pruning.pruner.kind {
        PruneKind::Own { .. } => {
            return refused("a pruner that looks at grown trees, such as post, cost-complexity or k-norm");
        }
        _ if pruning.raises() => {
            return refused(&format!("{id}:raising=off, which replaces no subtree by another"));
        }
        _ => {}
    }
    if plan.folds().is_some_and(|folds| folds > 200) {
        return Err(Error::parameter("a streamed table has at most 200 folds; use cv=10, or holdout=0.1"));
    }
    Ok(plan)
}

/// Grows a tree from files and prunes it as the scheme says ([`Scheme::default_for_stream`] where there is none). `options` is asked for once
/// the classes are known.
pub fn fit_file(
    portions: &Portions,
    roles: &Roles,
    scheme: Option<&Scheme>,
    how: &StreamFit,
    options: impl FnOnce(&CodedTable) -> Result<FitOptions>,
    progress: &dyn Progress,
) -> Result<Streamed> {
    let scratch = Scratch::new(how.scratch.as_deref())?;
    let mut files = Files::new(portions, &scratch, progress);
    let how = StreamFit { natural: portions.natural(), ..how.clone() };
    let mut streamed = fit_with(&mut files, roles, scheme, &how, options, progress)?;
    streamed.coded_bytes = files.coded_bytes();
    // What was noticed while the beginning was read comes first.
    let mut notes = portions.plan().1;
    notes.append(&mut streamed.notes);
    Ok(Streamed { notes, ..streamed })
}

/// The same from whoever holds the rows.
pub fn fit_with(
    workers: &mut dyn Workers,
    roles: &Roles,
    scheme: Option<&Scheme>,
    how: &StreamFit,
    options: impl FnOnce(&CodedTable) -> Result<FitOptions>,
    progress: &dyn Progress,
) -> Result<Streamed> {
    let begun = Instant::now();
    let shares = how.shares.map_or_else(|| Ok(Shares::of(how.memory.check()?)), Ok::<_, Error>)?;
    let sample = workers.sample()?;
    let cast = roles.cast(&sample)?;
    // The default stays the same when not all columns are read.
    let target = sample.columns()[cast.target].name.clone();
    let roles = Roles { target: Some(target), ..roles.clone() };
    let scheme = match scheme {
        Some(scheme) => {
            plan_streamed(scheme, cast.task)?;
            scheme.binned()?
        }
        None => Scheme::default_for_stream(workers.rows_about()?)?,
    };
    let plan = plan_streamed(&scheme, cast.task)?;
    let seed = how.seed;
    let tagging = match (plan.folds(), plan.held_out_share()) {
        (Some(folds), _) => Tagging::Folds { folds: folds as u8, seed },
        (None, Some(share)) => Tagging::HeldOut { share, seed },
        (None, None) => Tagging::None,
    };
    let deciding = Deciding {
        roles,
        bins: plan.spec.bins.unwrap_or(BINS),
        tagging,
        levels: how.levels,
        natural: how.natural.clone(),
        leave_out: how.leave_out.clone(),
    };
    let (coding, notes) = decided(workers, &sample, deciding, &shares)?;
    drop(sample);
    let stub = coding.table(no_rows(&coding))?;
    let options = options(&stub)?;
    check_options(&options)?;
    workers.code(&coding)?;
    let load_seconds = begun.elapsed().as_secs_f64();
    let fitted = grown_and_chosen(workers, &coding, &plan, &options, &shares, progress)?;
    let (passes, rows) = (workers.passes(), coding.rows());
    Ok(Streamed { fitted, options, scheme, table: stub, rows, notes, passes, coded_bytes: 0, load_seconds })
}

/// Grows the trees that a scheme wants and chooses among their prunings.
fn grown_and_chosen(
    workers: &mut dyn Workers,
    coding: &Coding,
    plan: &Plan,
    options: &FitOptions,
    shares: &Shares,
    progress: &dyn Progress,
) -> Result<Fitted> {
    let parts: Vec<Option<u8>> = match coding.tagging() {
        Tagging::None => vec![None],
        Tagging::Folds { folds, .. } => [None].into_iter().chain((0..folds).map(Some)).collect(),
        Tagging::HeldOut { .. } => vec![Some(1)],
    };
    let growing = Instant::now();
    let mut shards = Coded { workers, coding };
    let trees = grow_from_shards(&mut shards, coding, &plan.spec, &parts, shares.grow, progress)?;
    let seconds = growing.elapsed().as_secs_f64() / trees.len() as f64;
    let judged: Vec<_> = trees.iter().zip(&parts).filter_map(|(tree, part)| Some((tree, (*part)?))).collect();
    let held = if judged.is_empty() { None } else { Some(held_out(shards.workers, coding, &judged)?) };
    let table = match &held {
        Some(held) => held.table.clone(),
        None => coding.table(no_rows(coding))?,
    };
    let mut told = held.into_iter().flat_map(|held| held.trees);
    let mut cache = TreeCache::new(&table, options)?;
    for (tree, part) in trees.into_iter().zip(&parts) {
        let mut grown = Grown::elsewhere(tree, cache.costs().cloned(), seconds)?;
        if part.is_some()
            && let Some(held) = told.next()
        {
            grown = grown.judged(held.routed, held.squares, held.weight, held.apart);
        }
        match (part, coding.tagging()) {
            (Some(fold), Tagging::Folds { folds, .. }) => {
                cache.insert_fold(&plan.spec, usize::from(folds), usize::from(*fold), grown);
            }
            (Some(_), Tagging::HeldOut { share, .. }) => cache.insert_held_out(&plan.spec, share, grown),
            _ => cache.insert_full(&plan.spec, grown),
        }
    }
    if let Tagging::Folds { folds, .. } = coding.tagging() {
        cache.insert_folds(usize::from(folds), Folds::elsewhere(u32::from(folds)));
    }
    // The rows are not here to be asked once more: a streamed fit has no scores for sets.
    fit_plan(&cache, plan, progress)
}

/// Refuses what cannot be done from a stream.
fn check_options(options: &FitOptions) -> Result<()> {
    if options.priors.is_some() {
        return Err(Error::parameter(
            "priors need all rows in memory; for a streamed table name a column that holds the rows' weights",
        ));
    }
    if options.folds.is_some() {
        return Err(Error::parameter(
            "given folds need all rows in memory; for a streamed table folds follow from the rows' values and the seed",
        ));
    }
    if options.weights.is_some() || options.held_out.is_some() {
        return Err(Error::parameter("weights of rows in memory do not fit a streamed table"));
    }
    Ok(())
}

/// Opens a file or folder to be streamed, if it is larger than the budget: nothing otherwise.
pub fn larger_than(path: &Path, options: &ReadOptions, memory: Memory) -> Result<Option<Portions>> {
    let portions = match Portions::open(path, options) {
        Ok(portions) => portions.within(memory.bytes()),
        Err(error) => {
            // What cannot be streamed is read as a whole, if it is small.
            let small =
                std::fs::metadata(path).is_ok_and(|file| file.is_file() && 4 * file.len() <= memory.bytes());
            return if small { Ok(None) } else { Err(error) };
        }
    };
    Ok(Some(portions).filter(|portions| portions.needed() > memory.bytes()))
}

/// Opens a file or folder whose table would take more memory than this to predict its rows, each with an answer of this many bytes;
/// nothing for any other, and for what cannot be read in portions.
pub fn larger_table(path: &Path, options: &ReadOptions, memory: Memory, answer: u64) -> Option<Portions> {
    // Beside the table stands what is said of its rows.
    let is_larger = |bytes: u64| bytes.saturating_mul(2) > memory.bytes();
    let name = path.to_string_lossy().to_lowercase();
    let of_file = |file: std::fs::Metadata| {
        let text = if name.ends_with(".gz") { 20 } else { 2 };
        // A row has two bytes at least.
        let most = file.len().saturating_mul(text + text * answer / 4);
        file.is_dir() || name.ends_with(".parquet") || is_larger(most)
    };
    // Small files are not even opened.
    std::fs::metadata(path).is_ok_and(of_file).then_some(())?;
    let portions = Portions::open(path, options).ok()?.within(memory.bytes());
    let answers = |portions: &Portions| portions.rows_about().saturating_mul(answer);
    Some(portions).filter(|portions| is_larger(portions.bytes().saturating_add(answers(portions))))
}
