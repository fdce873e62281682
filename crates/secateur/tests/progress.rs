//! Progress adds up: every stage that names a total reaches it, and none goes beyond.

use std::sync::Mutex;

use crate::common::coded;
use secateur::data::{Format, ReadOptions, builtin, read_bytes};
use secateur::fit::{FitOptions, fit, path_of};
use secateur::progress::Progress;

/// Every stage with its total and what was reported of it.
#[derive(Default)]
struct Watcher(Mutex<Vec<(String, u64, u64)>>);

impl Progress for Watcher {
    fn stage(&self, name: &str, total: u64) {
        self.0.lock().unwrap().push((name.into(), total, 0));
    }

    fn advance(&self, amount: u64) {
        self.0.lock().unwrap().last_mut().unwrap().2 += amount;
    }
}

#[test]
fn every_stage_reaches_its_total() {
    let schemes = [
        ("iris", "cart"),
        ("iris", "cart:max-leaves=4"),
        ("iris", "best-first:max-splits=100"),
        ("iris", "best-first:max-splits=2,max-leaves=9"),
        ("credit?n=300", "c45/error-based:cv=3"),
        ("credit?n=300", "cart/cost-complexity:cv=4,1se"),
        ("friedman?n=200", "cart/cost-complexity:holdout=0.3"),
    ];
    for (name, text) in schemes {
        let table = coded(&builtin::load(name).unwrap());
        let scheme = text.parse().unwrap();
        let watcher = Watcher::default();
        fit(&table, &scheme, &FitOptions::default(), &watcher).unwrap();
        if scheme.pruner.is_some() {
            path_of(&table, &scheme, None, &FitOptions::default(), &watcher).unwrap();
        }
        let stages = watcher.0.into_inner().unwrap();
        assert!(!stages.is_empty(), "{name} {text}");
        for (stage, total, done) in stages.iter().filter(|(_, total, _)| *total > 0) {
            assert_eq!(done, total, "{name} {text}: {stage}");
        }
    }
}

#[test]
fn reading_reaches_its_total() {
    let rows: String = (0..5000).map(|row| format!("{row},{}\n", row % 7)).collect();
    let arff = format!("@relation t\n@attribute x numeric\n@attribute y numeric\n@data\n{rows}");
    for (format, text) in [(Format::Csv, format!("x,y\n{rows}")), (Format::Arff, arff)] {
        let watcher = Watcher::default();
        read_bytes("t", text.as_bytes(), format, &ReadOptions::default(), &watcher).unwrap();
        for (stage, total, done) in watcher.0.into_inner().unwrap().iter().filter(|(_, total, _)| *total > 0)
        {
            assert_eq!(done, total, "{format:?}: {stage}");
        }
    }
}
