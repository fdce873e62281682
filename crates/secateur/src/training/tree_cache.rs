//! Trees grown once: the full tree and the fold trees of one training part, for every scheme that wants them.
//!
//! Schemes that share a learner share its trees: cost-complexity, best-first post-pruning, k-norm and their
//! one-standard-error forms all read off the same full tree and the same fold trees. A tree depends on the table, the row
//! weights and the [`GrowSpec`] alone, so it does not matter who asked for it first.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::priors::weighted;
use super::{FitOptions, Folds, Grown, held_out};
use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::grow::grow_weighted;
use crate::progress::Progress;
use crate::schema::{Costs, Task};
use crate::spec::GrowSpec;
use crate::threads;
use crate::tree::Tree;

/// Which rows a tree is grown from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TrainingRows {
    All,
    Fold { folds: usize, fold: usize },
    HeldOut { share: u64 },
}

/// The trees of one training part.
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::fit::{FitOptions, fit_in};
/// use secateur::progress::Silent;
/// use secateur::training::TreeCache;
///
/// let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
/// let options = FitOptions::default();
/// let tree_cache = TreeCache::new(&table, &options)?;
/// let plain = fit_in(&tree_cache, &"cart/cost-complexity:cv=10".parse()?, &Silent)?;
/// // The same eleven trees:
/// let one_se = fit_in(&tree_cache, &"cart/cost-complexity:cv=10,1se".parse()?, &Silent)?;
/// assert!(one_se.tree.leaves() <= plain.tree.leaves());
/// assert_eq!(tree_cache.grown(), 11);
/// # Ok::<(), secateur::Error>(())
/// ```
pub struct TreeCache<'a> {
    table: &'a CodedTable,
    options: &'a FitOptions,
    /// The priors of the options, in the table's order of the classes and adding up to 1.
    priors: Option<Vec<f64>>,
    /// What a row weighs on average.
    row_weight: f64,
    /// Those of the options, with the classes in the table's order.
    costs: Option<Arc<Costs>>,
    folds: Mutex<HashMap<usize, Arc<Folds>>>,
    trees: Mutex<HashMap<(String, TrainingRows), Arc<Grown>>>,
    expected: HashSet<(String, usize)>,
    spared: Mutex<f64>,
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the rows that have weight weigh on average; 1 where there are none.
fn mean_weight(table: &CodedTable, options: &FitOptions) -> f64 {
    let weight = |row: usize| options.weights.as_ref().map_or(table.weight(row), |weights| weights[row]);
    let used = (0..table.rows()).map(weight).filter(|weight| *weight > 0.0);
    let (rows, sum) = used.fold((0.0, 0.0), |(rows, sum), weight| (rows + 1.0, sum + weight));
    if rows > 0.0 { sum / rows } else { 1.0 }
}

fn key(spec: &GrowSpec) -> String {
    format!("{spec:?}")
}

impl<'a> TreeCache<'a> {
    /// An empty cache for the rows that the options name.
    pub fn new(table: &'a CodedTable, options: &'a FitOptions) -> Result<Self> {
        let costs = match &options.costs {
            Some(_) if table.task() == Task::Regression => {
                return Err(Error::parameter("costs are for classes; the target here has numbers"));
            }
            Some(costs) => Some(costs.bound(table.schema().target.classes())?),
            None => None,
        };
        for weights in [&options.weights, &options.held_out].into_iter().flatten() {
            if weights.len() != table.rows() {
                return Err(Error::parameter(format!(
                    "{} weights for a table of {} rows",
                    weights.len(),
                    table.rows()
                )));
            }
        }
        if let Some(folds) = &options.folds
            && folds.rows() != table.rows()
        {
            return Err(Error::parameter(format!(
                "folds of {} rows for a table of {} rows",
                folds.rows(),
                table.rows()
            )));
        }
        if let Some(groups) = &options.groups
            && groups.len() != table.rows()
        {
            let (groups, rows) = (groups.len(), table.rows());
            return Err(Error::parameter(format!("groups of {groups} rows for a table of {rows} rows")));
        }
        let priors = match &options.priors {
            Some(_) if table.task() == Task::Regression => {
                return Err(Error::parameter("priors are for classes; the target here has numbers"));
            }
            Some(priors) => Some(priors.shares(table.schema().target.classes())?),
            None => None,
        };
        let row_weight = mean_weight(table, options);
        Ok(Self {
            table,
            options,
            priors,
            row_weight,
            costs,
            folds: Mutex::default(),
            trees: Mutex::default(),
            expected: HashSet::new(),
            spared: Mutex::default(),
        })
    }

    /// Says that fold trees of this kind will be asked for, so that others may rely on them.
    pub fn expect(&mut self, spec: &GrowSpec, folds: usize) {
        self.expected.insert((key(spec), folds));
    }

    /// Whether fold trees of this kind will be grown anyway.
    pub fn expects(&self, spec: &GrowSpec, folds: usize) -> bool {
        self.expected.contains(&(key(spec), folds))
    }

    /// The table.
    pub fn table(&self) -> &'a CodedTable {
        self.table
    }

    /// The settings of the fits.
    pub fn options(&self) -> &'a FitOptions {
        self.options
    }

    /// What mistakes cost, with the classes in the table's order.
    pub fn costs(&self) -> Option<&Arc<Costs>> {
        self.costs.as_ref()
    }

    /// Whether the target holds classes or numbers.
    pub fn task(&self) -> Task {
        self.table.task()
    }

    /// The weight of the rows to learn from.
    pub fn weight(&self) -> f64 {
        match &self.options.weights {
            Some(weights) => weights.iter().sum(),
            None => (0..self.table.rows()).map(|row| self.table.weight(row)).sum(),
        }
    }

    /// The number of rows of average weight that weigh this much: what standard errors count.
    pub fn rows_of(&self, weight: f64) -> f64 {
        weight / self.row_weight
    }

    /// The weights to grow the final tree with; `None` for the table's own.
    pub fn learning_weights(&self) -> Option<Vec<f64>> {
        let Some(shares) = &self.priors else { return self.options.weights.clone() };
        let own = || (0..self.table.rows()).map(|row| self.table.weight(row)).collect();
        let weights: Vec<f64> = self.options.weights.clone().unwrap_or_else(own);
        Some(weighted(self.table, &weights, &weights, shares))
    }

    /// The weights to grow without a fold, and those of the fold's rows when a choice is made on them.
    pub fn fold_weights(&self, folds: &Folds, fold: usize) -> (Vec<f64>, Vec<f64>) {
        let (grow, held) = folds.weights(self.table, self.options.weights.as_deref(), fold);
        let Some(shares) = &self.priors else { return (grow, held) };
        // A row is in one of the two: all folds together have the priors' shares.
        let all: Vec<f64> = grow.iter().zip(&held).map(|(a, b)| a + b).collect();
        (weighted(self.table, &grow, &grow, shares), weighted(self.table, &held, &all, shares))
    }

    /// The same for a held-out part.
    fn part_weights(&self, grow: Option<Vec<f64>>, held: Vec<f64>) -> (Option<Vec<f64>>, Vec<f64>) {
        let Some(shares) = &self.priors else { return (grow, held) };
        let own = || (0..self.table.rows()).map(|row| self.table.weight(row)).collect();
        let grow: Vec<f64> = grow.unwrap_or_else(own);
        (Some(weighted(self.table, &grow, &grow, shares)), weighted(self.table, &held, &held, shares))
    }

    /// How many trees were grown.
    pub fn grown(&self) -> usize {
        open(&self.trees).len()
    }

    /// Seconds of growing that were spared since the last time this was asked, because the trees were there.
    pub fn take_spared(&self) -> f64 {
        std::mem::take(&mut *open(&self.spared))
    }

    /// The folds of the rows to learn from.
    pub fn folds(&self, folds: usize) -> Result<Arc<Folds>> {
        if let Some(known) = open(&self.folds).get(&folds) {
            return Ok(known.clone());
        }
        let made = Arc::new(match &self.options.folds {
            Some(given) => given.clone(),
            None => Folds::stratified(self.table, self.options.weights.as_deref(), folds, self.options.seed)?,
        });
        Ok(open(&self.folds).entry(folds).or_insert(made).clone())
    }

    /// Takes the full tree, which was grown elsewhere.
    pub(crate) fn insert_full(&mut self, spec: &GrowSpec, grown: Grown) {
        self.row_weight = grown.tree.row_weight();
        self.insert(spec, TrainingRows::All, grown);
    }

    /// Takes the tree that was grown elsewhere without a fold.
    pub(crate) fn insert_fold(&mut self, spec: &GrowSpec, folds: usize, fold: usize, grown: Grown) {
        self.insert(spec, TrainingRows::Fold { folds, fold }, grown);
    }

    /// Takes the tree that was grown elsewhere without a held-out share of the rows.
    pub(crate) fn insert_held_out(&mut self, spec: &GrowSpec, share: f64, grown: Grown) {
        self.insert(spec, TrainingRows::HeldOut { share: share.to_bits() }, grown);
    }

    /// Takes the folds that rows elsewhere were left out by.
    pub(crate) fn insert_folds(&mut self, folds: usize, parts: Folds) {
        open(&self.folds).insert(folds, Arc::new(parts));
    }

    fn insert(&self, spec: &GrowSpec, rows: TrainingRows, grown: Grown) {
        open(&self.trees).insert((key(spec), rows), Arc::new(grown));
    }

    /// The full tree.
    pub fn full(&self, spec: &GrowSpec, progress: &dyn Progress) -> Result<Arc<Grown>> {
        self.tree(spec, TrainingRows::All, progress, || Ok((self.learning_weights(), Vec::new())))
    }

    /// The tree grown without a held-out share of the rows; with the options' own rows to choose on, the full tree.
    pub fn without(&self, share: f64, spec: &GrowSpec, progress: &dyn Progress) -> Result<Arc<Grown>> {
        self.tree(spec, TrainingRows::HeldOut { share: share.to_bits() }, progress, || {
            match &self.options.held_out {
                Some(held) => Ok(self.part_weights(self.options.weights.clone(), held.clone())),
                None => {
                    let weights = self.options.weights.as_deref();
                    let (grow, held) = held_out(self.table, weights, share, self.options.seed)?;
                    Ok(self.part_weights(Some(grow), held))
                }
            }
        })
    }

    /// One tree for every fold, grown without it.
    pub fn fold_trees(
        &self,
        spec: &GrowSpec,
        folds: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Arc<Grown>>> {
        let parts = self.folds(folds)?;
        progress.stage("cross-validating", parts.len() as u64);
        threads::try_map(parts.len(), |fold| {
            let grown = self.tree(spec, TrainingRows::Fold { folds, fold }, &Watch(progress), || {
                let (grow, held) = self.fold_weights(&parts, fold);
                if grow.iter().all(|w| *w == 0.0) || held.iter().all(|w| *w == 0.0) {
                    return Err(Error::parameter(format!("fold {fold} or its complement has no rows")));
                }
                Ok((Some(grow), held))
            })?;
            progress.advance(1);
            Ok(grown)
        })
    }

    /// A tree that was grown in another way, with the weights it was grown with and those of the rows held out.
    pub(crate) fn grown_apart(&self, tree: Tree, rows: (Option<Vec<f64>>, Vec<f64>)) -> Result<Grown> {
        self.grown_in(tree, rows, 0.0)
    }

    fn grown_in(&self, tree: Tree, rows: (Option<Vec<f64>>, Vec<f64>), seconds: f64) -> Result<Grown> {
        Grown::new(tree, self.costs.clone(), rows, seconds, self.options.to_the_bit)
    }

    fn tree(
        &self,
        spec: &GrowSpec,
        part: TrainingRows,
        progress: &dyn Progress,
        rows: impl FnOnce() -> Result<(Option<Vec<f64>>, Vec<f64>)>,
    ) -> Result<Arc<Grown>> {
        let key = (key(spec), part);
        if let Some(known) = open(&self.trees).get(&key).cloned() {
            *open(&self.spared) += known.seconds;
            return Ok(known);
        }
        // Not locked while growing: growing may run other work of this thread's pool in between.
        let (weights, held) = rows()?;
        let start = Instant::now();
        let tree = grow_weighted(self.table, weights.as_deref(), spec, progress)?;
        let seconds = start.elapsed().as_secs_f64();
        let grown = Arc::new(self.grown_in(tree, (weights, held), seconds)?);
        Ok(open(&self.trees).entry(key).or_insert(grown).clone())
    }
}

/// Passes a request to stop on, but not the small steps.
struct Watch<'a>(&'a dyn Progress);

impl Progress for Watch<'_> {
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
