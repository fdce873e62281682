//! A tree that goes to PMML or scikit-learn and comes back predicts the same, to the last bit.

use secateur::predict::{Field, Scorer};
use secateur::prelude::*;
use secateur_exchange::export::{self, Options};
use secateur_exchange::import::{self, Source};

use crate::trees::{Numbers, Sample, mixed, samples};

/// What a tree says to a row: the numbers and the label.
pub(crate) fn said(model: &Model, rows: &[Vec<Field>]) -> Vec<(Vec<f64>, String)> {
    let scorer = Scorer::new(model.tree.clone());
    let mut buffer = scorer.buffer();
    let mut one = |row: &Vec<Field>| {
        let scored = scorer.score(row, &mut buffer).unwrap();
        match model.tree.is_classifier() {
            true => (scored.probabilities.to_vec(), scored.label.to_string()),
            false => (vec![scored.value], String::new()),
        }
    };
    rows.iter().map(&mut one).collect()
}

/// The rows of a table as a model asks for them.
fn fields<'t>(model: &Model, table: &'t Table) -> Vec<Vec<Field<'t>>> {
    let cell = |name: &str, row: usize| {
        let column = &table.columns()[table.position(name).unwrap()];
        match &column.values {
            secateur::data::Values::Numeric(numbers) if numbers[row].is_nan() => Field::Missing,
            secateur::data::Values::Numeric(numbers) => Field::Number(numbers[row]),
            secateur::data::Values::Nominal(nominal) => nominal
                .levels
                .get(nominal.codes[row] as usize)
                .map_or(Field::Missing, |text| Field::Text(text)),
        }
    };
    let attributes = &model.tree.schema().attributes;
    let row = |row: usize| attributes.iter().map(|attribute| cell(&attribute.name, row)).collect();
    (0..table.rows()).map(row).collect()
}

/// The tree as a format carries it and as it is read again; none where the format cannot carry it.
fn carried(sample: &Sample, format: &str) -> Option<Model> {
    let format = export::find(format).unwrap();
    let written =
        export::export(&sample.model, format, &Options::default_of(format), Some(&sample.table)).ok()?;
    let source = Source { text: written.text().unwrap(), target: None, table: None };
    Some(import::import("tree", &source, None).unwrap().model)
}

/// Holds both trees against each other on all rows, or on those without a gap.
fn assert_same(sample: &Sample, other: &Model, with_gaps: bool) {
    let rows = fields(&sample.model, &sample.table);
    let (ours, theirs) = (said(&sample.model, &rows), said(other, &fields(other, &sample.table)));
    let mut asked = 0;
    for (row, (ours, theirs)) in rows.iter().zip(ours.iter().zip(&theirs)) {
        if with_gaps || !row.iter().any(|field| matches!(field, Field::Missing)) {
            assert_eq!(ours, theirs, "{}: {row:?}", sample.name);
            asked += 1;
        }
    }
    assert!(asked > 0, "{}", sample.name);
}

#[test]
fn what_goes_to_pmml_comes_back() {
    for sample in samples() {
        let back = carried(&sample, "pmml").unwrap();
        assert_eq!(sample.model.tree.leaves(), back.tree.leaves(), "{}", sample.name);
        assert!(back.tree.has_counts(), "{}", sample.name);
        assert_same(&sample, &back, true);
    }
}

#[test]
fn what_goes_to_scikit_learn_comes_back() {
    let mut count = 0;
    for sample in samples() {
        if let Some(back) = carried(&sample, "sklearn") {
            // A missing value goes to one branch in scikit-learn.
            assert_same(&sample, &back, false);
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}

/// A tree of some kind, by chance.
fn any_tree(seed: u64) -> Sample {
    let mut random = Numbers(seed.wrapping_mul(7919));
    let (values, classes) = (2 + random.below(9), 2 + random.below(5));
    let gaps = if random.below(2) == 0 { 0.0 } else { random.next() * 0.3 };
    let mut table = mixed(60 + random.below(300), values, classes, gaps, seed);
    let is_numeric = random.below(3) == 0;
    let target = if is_numeric { "y one" } else { "class" };
    if random.below(3) == 0 {
        table = table.without(&["colour".to_string()]);
    }
    let leaf_values = ["raw", "laplace", "shrink,leaf-lambda=3", "m,leaf-m=2"]
        [random.below(if is_numeric { 1 } else { 4 })];
    let learner =
        ["cart", "c45", "cart:missing=branch", "c45:missing=branch", "cart:value-guard"][random.below(5)];
    let join = if learner.contains(':') { "," } else { ":" };
    let scheme = format!("{learner}{join}min-leaf={},leaf-values={leaf_values}", 1 + random.below(9));
    let mut fit = Fit::new(&table, target).scheme(scheme.as_str()).drop_missing_target();
    if !is_numeric && random.below(3) == 0 {
        fit = fit.cost("class 0", "class 1", 1.0 + random.next() * 6.0);
    }
    let model = fit.model().unwrap_or_else(|error| panic!("{scheme}: {error}"));
    Sample { name: Box::leak(format!("seed {seed}, {scheme}, {target}").into_boxed_str()), model, table }
}

#[test]
fn trees_by_chance_come_back_from_pmml_and_scikit_learn() {
    let mut from_sklearn = 0;
    for seed in 0..150 {
        let sample = any_tree(seed);
        assert_same(&sample, &carried(&sample, "pmml").unwrap(), true);
        if let Some(back) = carried(&sample, "sklearn") {
            from_sklearn += 1;
            assert_same(&sample, &back, false);
        }
    }
    assert!(from_sklearn > 10, "{from_sklearn}");
}
