//! The pieces of work that are counted. Each is prepared first, uncounted.

use std::hint::black_box;

use secateur::Result;
use secateur::data::{CodedTable, Format, ReadOptions, Roles, Table, builtin, read_bytes};
use secateur::fit::{FitOptions, fit};
use secateur::grow::grow;
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::prune::{Job, Pruner};
use secateur::report::{PredictionFormat, PredictionTable};
use secateur::scheme::Scheme;
use secateur::tree::Tree;

use crate::tables;

/// What is counted.
pub type Work = Box<dyn FnOnce() + Send>;

/// A name, and what prepares the work.
type Case = (&'static str, fn() -> Result<Work>);

/// The cases.
pub const CASES: &[Case] = &[
    ("read-csv", || read(Format::Csv, tables::csv(5_000).into())),
    ("read-arff", || read(Format::Arff, tables::arff(5_000).into())),
    #[cfg(feature = "parquet")]
    ("read-parquet", || read(Format::Parquet, tables::parquet(50_000))),
    ("span", || {
        let table = tables::classes(20_000)?;
        Ok(Box::new(move || {
            for column in table.columns() {
                black_box(column.values.span());
            }
        }))
    }),
    ("code", || {
        let table = tables::classes(20_000)?;
        Ok(Box::new(move || drop(black_box(CodedTable::new(&table, &Roles::default())))))
    }),
    ("code-bins", || {
        let table = tables::classes(20_000)?;
        Ok(Box::new(move || drop(black_box(CodedTable::binned(&table, &Roles::default(), 255)))))
    }),
    ("grow-classes", || growing(&tables::classes(20_000)?, "cart")),
    ("grow-numbers", || growing(&tables::numbers(10_000)?, "cart")),
    ("grow-nominal", || growing(&tables::mixed(10_000)?, "cart")),
    ("grow-many-classes", || growing(&builtin::load("g6c15?n=10000")?, "cart")),
    ("grow-many-classes-c45", || growing(&builtin::load("g6c15?n=10000")?, "c45")),
    ("grow-c45", || growing(&tables::mixed(10_000)?, "c45")),
    ("grow-best-first", || growing(&tables::classes(20_000)?, "best-first:max-leaves=256")),
    ("grow-binned", || growing(&tables::classes(20_000)?, "best-first:bins=255,max-leaves=256")),
    ("path", || pruning(&tables::numbers(10_000)?, "cart/cost-complexity", None)),
    ("k-norm", || pruning(&tables::classes(20_000)?, "cart/k-norm", Some(2.0))),
    ("fit-k-norm", || fitting(&builtin::load("g6c15?n=5000")?, "cart/k-norm:cv=10")),
    ("fit-cost-complexity", || fitting(&tables::numbers(2_000)?, "cart/cost-complexity:cv=10")),
    ("fit-reduced-error", || fitting(&tables::mixed(5_000)?, "cart/reduced-error:holdout=0.3")),
    ("predict", || predicting(tables::classes(20_000)?)),
    ("predict-mixed", || predicting(tables::mixed(5_000)?)),
    ("write-predictions", || writing(tables::classes(5_000)?)),
];

fn grown(table: &Table, scheme: &Scheme) -> Result<Tree> {
    let coded = CodedTable::new(table, &Roles::default())?;
    grow(&coded, &scheme.grow_spec(coded.task())?, &Silent)
}

fn read(format: Format, bytes: Vec<u8>) -> Result<Work> {
    Ok(Box::new(move || {
        let options = ReadOptions::default();
        drop(black_box(read_bytes("file", &bytes, format, &options, &Silent)));
    }))
}

fn growing(table: &Table, scheme: &str) -> Result<Work> {
    let scheme: Scheme = scheme.parse()?;
    let coded = CodedTable::new(table, &Roles::default())?;
    let spec = scheme.grow_spec(coded.task())?;
    Ok(Box::new(move || drop(black_box(grow(&coded, &spec, &Silent)))))
}

/// One cut at a parameter, or without one the whole path.
fn pruning(table: &Table, scheme: &str, parameter: Option<f64>) -> Result<Work> {
    let scheme: Scheme = scheme.parse()?;
    let tree = grown(table, &scheme)?;
    Ok(Box::new(move || {
        let Some(method) = &scheme.pruner else { return };
        let Ok(pruner) = Pruner::of(method) else { return };
        let job = Job::new(&tree, method);
        match parameter {
            Some(parameter) => drop(black_box(pruner.cut_at(&job, parameter).map(|leaf| tree.cut(&leaf)))),
            None => drop(black_box(pruner.path(&job))),
        }
    }))
}

/// All that a fit does: growth, the pruning of every fold, its choice, the answers of the tree.
fn fitting(table: &Table, scheme: &str) -> Result<Work> {
    let scheme: Scheme = scheme.parse()?;
    let coded = CodedTable::new(table, &Roles::default())?;
    Ok(Box::new(move || drop(black_box(fit(&coded, &scheme, &FitOptions::default(), &Silent)))))
}

fn predicting(table: Table) -> Result<Work> {
    let tree = grown(&table, &"cart".parse()?)?;
    Ok(Box::new(move || {
        if let Ok(predictor) = Predictor::bind(&tree, &table) {
            drop(black_box(predictor.predict()));
        }
    }))
}

fn writing(table: Table) -> Result<Work> {
    let tree = grown(&table, &"cart".parse()?)?;
    let predictions = tree.predict(&table)?;
    Ok(Box::new(move || {
        let written = PredictionTable {
            target: &tree.schema().target,
            first: 0,
            rows: table.rows(),
            kept: table.columns()[..2].iter().collect(),
            predictions: &predictions,
            reliability: None,
            sets: None,
        };
        drop(black_box(written.write(&mut std::io::sink(), PredictionFormat::Csv)));
    }))
}
