//! How honest estimates of the error are: the smallest cross-validated error, three corrections of it, and the truth by outer folds.
//!
//! ```sh
//! cargo bench -p secateur --bench estimates -- cart/cost-complexity:cv=10 builtin:credit DATA/*.arff > estimates.csv
//! ```
//!
//! The scheme is one of cost-complexity pruning chosen by ten folds, with or without `1se`. One line for every table: the error of outer folds
//! (squared for numbers), then the estimates made without their rows, all as means over the outer folds. `docs/estimates.md` is made of it by
//! `bench/honest.py`.

#![expect(clippy::print_stdout, reason = "a program")]

use std::process::ExitCode;

use rand::{RngExt, SeedableRng};
use secateur::data::{CodedTable, ReadOptions, Roles, Table, builtin, read};
use secateur::evaluate::measures::measure;
use secateur::evaluate::{FoldOrder, Protocol, Split};
use secateur::fit::{FitOptions, fit_in};
use secateur::progress::Silent;
use secateur::prune::{Job, Path};
use secateur::route::{Loss, Routed};
use secateur::schema::Task;
use secateur::scheme::{Plan, Scheme};
use secateur::select::{FoldPaths, Probes, Question};
use secateur::training::{Average, Curve, FoldLosses, Grown, TreeCache};
use secateur::tree::LeafValues;

/// The draws of the bootstrap.
const DRAWS: usize = 50;

fn main() -> ExitCode {
    // `cargo bench` says what it is.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let Some((scheme, tables)) = arguments.split_first().filter(|(scheme, _)| !scheme.starts_with('-'))
    else {
        eprintln!("usage: estimates SCHEME TABLE...");
        return ExitCode::SUCCESS;
    };
    println!("table,rows,task,truth,plain,corrected,tibshirani,bootstrap,leaves");
    let mut failed = false;
    for table in tables {
        match of_table(scheme, table) {
            Ok(line) => println!("{line}"),
            Err(problem) => {
                eprintln!("{table}: {problem}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn load(name: &str) -> secateur::Result<Table> {
    match name.strip_prefix("builtin:") {
        Some(name) => builtin::load(name),
        None => read(name, &ReadOptions::default(), &Silent),
    }
}

/// The line of a table.
fn of_table(scheme: &str, name: &str) -> secateur::Result<String> {
    let scheme: Scheme = scheme.parse()?;
    let table = CodedTable::new(&load(name)?, &Roles::default())?;
    let outer = Protocol::Cv { folds: 10, repeats: 1, order: FoldOrder::Stratified }.splits(&table, 1)?;
    let mut sums = [0.0; 6];
    for split in &outer {
        sums.iter_mut().zip(of_split(&scheme, &table, split)?).for_each(|(sum, x)| *sum += x);
    }
    let means: Vec<String> = sums.iter().map(|sum| (sum / outer.len() as f64).to_string()).collect();
    let task = if table.task() == Task::Classification { "classes" } else { "numbers" };
    let name = name.rsplit('/').next().unwrap_or(name);
    Ok(format!("{name},{},{task},{}", table.rows(), means.join(",")))
}

/// The truth, the estimates and the leaves without one outer fold.
fn of_split(scheme: &Scheme, table: &CodedTable, split: &Split) -> secateur::Result<[f64; 6]> {
    let options = split.options(table, &FitOptions::default(), 10)?;
    let trees = TreeCache::new(table, &options)?;
    let fitted = fit_in(&trees, scheme, &Silent)?;
    let measured = measure(&fitted.tree, table, &split.test_weights(table))?;
    let truth = measured.get(if table.task() == Task::Classification { "error" } else { "mse" });
    let leaves = fitted.tree.leaves() as f64;
    let estimate = fitted.estimate.ok_or_else(|| secateur::Error::parameter("the scheme gives no error"))?;
    let others = Others::of(&trees, scheme)?;
    Ok([
        truth.unwrap_or(f64::NAN),
        estimate.apparent(),
        estimate.error,
        others.tibshirani(),
        others.bootstrap()?,
        leaves,
    ])
}

/// What the corrections of the literature need: the losses of every fold in every member.
struct Others<'a> {
    trees: &'a TreeCache<'a>,
    plan: Plan,
    /// Within this many standard errors of the least error the smallest tree is taken.
    se: f64,
    members: Vec<f64>,
    leaves: Vec<usize>,
    validated: Vec<FoldLosses>,
}

impl<'a> Others<'a> {
    fn of(trees: &'a TreeCache<'a>, scheme: &Scheme) -> secateur::Result<Self> {
        let plan = scheme.plan(trees.task())?;
        let se = if scheme.to_string().contains("1se") { 1.0 } else { 0.0 };
        let pruning =
            plan.pruning.as_ref().ok_or_else(|| secateur::Error::parameter("a pruner is needed"))?;
        let full = trees.full(&plan.spec, &Silent)?;
        let path = pruning.pruner.path(&Job::with(&full.tree, &pruning.options))?;
        let at = path.parameters();
        // Between two members, as CART asks for them.
        let between = |i: usize| at.get(i + 1).map_or(f64::INFINITY, |next| (at[i] * next).sqrt());
        let members: Vec<f64> = (0..at.len()).map(between).collect();
        let ones = vec![1.0; full.tree.nodes().len()];
        let leaves = path.sums_at(&full.tree, at, &ones).iter().map(|x| x.round() as usize).collect();
        let question = Question {
            tree_cache: trees,
            spec: &plan.spec,
            pruner: pruning.pruner,
            options: &pruning.options,
            folds: 10,
        };
        let paths = FoldPaths::of(&question, Probes::At(&members), &Silent)?;
        let validated = paths.losses(&[LeafValues::Raw], &[Loss::Risk])?.swap_remove(0);
        Ok(Self { trees, se, members, leaves, validated, plan })
    }

    /// The member that some folds choose.
    fn chosen(&self, folds: &[FoldLosses]) -> secateur::Result<usize> {
        let (errors, se) = Average::Pooled.of(self.trees, Loss::Risk, &self.members, folds);
        Ok(Curve::new(errors, se, self.leaves.clone())?.choose(self.se))
    }

    /// Tibshirani and Tibshirani (2009): the mean over folds of how much more the common member loses than the fold's best one is added.
    fn tibshirani(&self) -> f64 {
        let folds = &self.validated;
        let (errors, se) = Average::Pooled.of(self.trees, Loss::Risk, &self.members, folds);
        let Ok(curve) = Curve::new(errors.clone(), se, self.leaves.clone()) else { return f64::NAN };
        let chosen = curve.choose(self.se);
        let more = |fold: &FoldLosses| {
            let least = fold.loss.iter().copied().fold(f64::INFINITY, f64::min);
            (fold.loss[chosen] - least) / fold.weight
        };
        errors[chosen] + folds.iter().map(more).sum::<f64>() / folds.len() as f64
    }

    /// Tsamardinos, Greasidou and Borboudakis (2018): rows drawn with replacement choose, the others judge.
    fn bootstrap(&self) -> secateur::Result<f64> {
        let grown = self.trees.fold_trees(&self.plan.spec, 10, &Silent)?;
        let Some(pruning) = &self.plan.pruning else { return Ok(f64::NAN) };
        let path = |grown: &Grown| pruning.pruner.path(&Job::with(&grown.tree, &pruning.options));
        let paths: Vec<Path> = grown.iter().map(|grown| path(grown)).collect::<Result<_, _>>()?;
        let rows = self.trees.table().rows();
        let used: Vec<usize> =
            (0..rows).filter(|&row| grown.iter().any(|grown| grown.held[row] > 0.0)).collect();
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let mut means = Vec::new();
        for _ in 0..DRAWS {
            let mut times = vec![0.0; rows];
            (0..used.len()).for_each(|_| times[used[random.random_range(0..used.len())]] += 1.0);
            let others: Vec<f64> = times.iter().map(|t| f64::from(u8::from(*t == 0.0))).collect();
            let folds = || grown.iter().zip(&paths);
            let drawn: Vec<FoldLosses> =
                folds().map(|(g, path)| self.losses(g, path, &times)).collect::<Result<_, _>>()?;
            let left: Vec<FoldLosses> =
                folds().map(|(g, path)| self.losses(g, path, &others)).collect::<Result<_, _>>()?;
            let chosen = self.chosen(&drawn)?;
            let weight: f64 = left.iter().map(|fold| fold.weight).sum();
            if weight > 0.5 {
                means.push(left.iter().map(|fold| fold.loss[chosen]).sum::<f64>() / weight);
            }
        }
        Ok(means.iter().sum::<f64>() / means.len() as f64)
    }

    /// What the held-out rows of a fold lose in every member, each counted so often.
    fn losses(&self, grown: &Grown, path: &Path, times: &[f64]) -> secateur::Result<FoldLosses> {
        let held = |(held, times): (&f64, &f64)| if *held > 0.0 { *times } else { 0.0 };
        let weights: Vec<f64> = grown.held.iter().zip(times).map(held).collect();
        let weight: f64 = weights.iter().sum();
        if weight == 0.0 {
            let none = vec![0.0; self.members.len()];
            return Ok(FoldLosses { loss: none.clone(), square: none, weight: 1e-300, splits: 0 });
        }
        let table = self.trees.table();
        let routed = Routed::apart(&grown.tree, table, Some(&weights))?;
        let (loss, square) = path.losses(&routed, &grown.tree, table, &self.members, Loss::Risk);
        Ok(FoldLosses { loss, square, weight, splits: 0 })
    }
}
