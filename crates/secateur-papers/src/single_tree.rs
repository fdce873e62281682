//! Experiments on one tree from all rows: its pruning path, and the internal error along it.

use super::catalogue;
use super::experiment::{Experiment, ExperimentKind};
use super::protocol::FoldOrder;
use super::results::Key;
use super::running::{FoundData, Run};
use secateur::data::CodedTable;
use secateur::error::{Error, Place, Result};
use secateur::evaluate::shi_folds;
use secateur::fit::{FitOptions, path_of, splits_curve};
use secateur::progress::Progress;
use secateur::prune::pre::stopping_point;
use secateur::route::Loss;
use secateur::scheme::Scheme;
use secateur::training::{Folds, TreeCache};

/// Seeds, a file of folds, and where folds come from otherwise.
type Inside<'a> = (&'a [u64], Option<&'a str>, FoldOrder);

/// Runs every scheme on every data set.
pub(super) fn run(
    experiment: &Experiment,
    found: &[FoundData],
    (seeds, file, order): Inside,
    run: &mut Run,
    progress: &dyn Progress,
) -> Result<()> {
    for set in found {
        let table = match set.table(false) {
            Ok(table) => table,
            Err(why) => {
                run.fail(&set.name, "all", &why.to_string());
                continue;
            }
        };
        run.rows.insert(set.name.clone(), table.rows());
        for scheme in &experiment.schemes {
            let parsed: Scheme = scheme.scheme.parse()?;
            let seeds: Vec<Option<u64>> =
                if seeds.is_empty() { vec![None] } else { seeds.iter().copied().map(Some).collect() };
            for seed in seeds {
                let count = parsed.plan(table.task())?.folds();
                let folds = match (file, order, count) {
                    (_, _, None) => None,
                    (Some(file), ..) => Some(given(file, &table)?),
                    (None, FoldOrder::Shi2007, Some(count)) => {
                        Some(shi_folds(&table, count, seed.unwrap_or(1))?)
                    }
                    (None, FoldOrder::Stratified, Some(_)) => None,
                };
                let options =
                    FitOptions { seed: seed.unwrap_or(1), folds, to_the_bit: true, ..FitOptions::default() };
                let one = One {
                    experiment,
                    dataset: &set.name,
                    name: &scheme.name,
                    table: &table,
                    options: &options,
                };
                match experiment.kind {
                    ExperimentKind::Expansions => one.expansions(&parsed, run, progress)?,
                    _ => one.sequence(&parsed, seed, run, progress)?,
                }
            }
        }
    }
    Ok(())
}

/// The folds of a file that comes with the program: `row,fold`.
fn given(file: &str, table: &CodedTable) -> Result<Folds> {
    let bad = |line: usize| Error::input(Place::file(file).line(line as u64), "expected a row and a fold");
    let text = catalogue::folds(file)
        .ok_or_else(|| Error::parameter(format!("there is no file of folds {file}")))?;
    let mut of_row = vec![None; table.rows()];
    for (i, line) in text.lines().enumerate().skip(1) {
        let (row, fold) = line.split_once(',').ok_or_else(|| bad(i + 1))?;
        let row: usize = row.trim().parse().map_err(|_| bad(i + 1))?;
        let place = of_row.get_mut(row).ok_or_else(|| bad(i + 1))?;
        *place = match fold.trim() {
            "" => None,
            fold => Some(fold.parse().map_err(|_| bad(i + 1))?),
        };
    }
    Folds::given(of_row)
}

struct One<'a> {
    experiment: &'a Experiment,
    dataset: &'a str,
    name: &'a str,
    table: &'a CodedTable,
    options: &'a FitOptions,
}

impl One<'_> {
    fn set(&self, run: &mut Run, measure: &str, group: Option<String>, value: f64) {
        for wanted in self.experiment.measures.iter().filter(|m| m.measure == measure) {
            let key = Key { group: group.clone(), ..Key::new(self.dataset, self.name, &wanted.metric) };
            run.results.set(key, wanted.scale * value, None);
        }
    }

    /// The members of a path, from the largest tree on.
    fn sequence(
        &self,
        scheme: &Scheme,
        seed: Option<u64>,
        run: &mut Run,
        progress: &dyn Progress,
    ) -> Result<()> {
        let validated = scheme.plan(self.table.task())?.folds().is_some() && self.options.folds.is_some();
        let cv = if validated { None } else { Some(0) };
        let path = path_of(self.table, scheme, cv, self.options, progress)?;
        for (k, step) in (1..).zip(&path.steps) {
            let group = Some(match seed {
                Some(seed) => format!("{seed}/{k}"),
                None => format!("{k}"),
            });
            self.set(run, "leaves", group.clone(), step.leaves as f64);
            self.set(run, "alpha", group.clone(), step.parameter);
            if let Some((error, se)) = step.validated {
                self.set(run, "cv-error", group.clone(), error);
                self.set(run, "cv-error-se", group, se);
            }
        }
        if let Some(selected) = path.selected {
            self.set(run, "selected", seed.map(|s| s.to_string()), selected as f64 + 1.0);
        }
        Ok(())
    }

    /// The internal error after every expansion, and the number that is chosen.
    fn expansions(&self, scheme: &Scheme, run: &mut Run, progress: &dyn Progress) -> Result<()> {
        let plan = scheme.plan(self.table.task())?;
        let Some(pruning) = &plan.pruning else {
            return Err(Error::parameter("an experiment on expansions needs a pruner"));
        };
        let tree_cache = TreeCache::new(self.table, self.options)?;
        let curve = splits_curve(&tree_cache, scheme, progress)?;
        // Error rates and root mean squares stand under metrics of their own.
        let rmse = pruning.loss == Loss::Probabilities;
        for (n, (error, se)) in curve.errors().iter().zip(curve.se()).enumerate() {
            for (measure, value) in [("cv-error", *error), ("cv-error-se", *se)] {
                for wanted in self.experiment.measures.iter().filter(|m| m.measure == measure) {
                    if wanted.metric.contains("rmse") == rmse {
                        let key = Key::new(self.dataset, self.name, &wanted.metric).group(n.to_string());
                        run.results.set(key, wanted.scale * value, None);
                    }
                }
            }
        }
        let chosen = if plan.stops_growing() {
            stopping_point(&curve, pruning.se() > 0.0, 0.0)?.splits
        } else {
            curve.choose_within(pruning.se(), 0.0)
        };
        self.set(run, "selected", None, chosen as f64);
        Ok(())
    }
}
