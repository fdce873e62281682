//! Numbers that are coded as they are give the trees that ranks give.

use proptest::prelude::*;

use super::grow_weighted;
use crate::criterion::Criterion;
use crate::data::{CodedTable, Column, Nominal, Roles, Scale, Table, Values, floats};
use crate::progress::Silent;
use crate::schema::Task;
use crate::spec::{GrowSpec, MissingGain, ThresholdRule};

fn cells(rows: usize) -> impl Strategy<Value = Vec<f64>> {
    let cell = prop_oneof![
        1 => Just(f64::NAN),
        4 => (-4i32..4).prop_map(|i| f64::from(i as f32 / 3.0)),
        4 => (-1e30f32..1e30).prop_map(f64::from),
    ];
    prop::collection::vec(cell, rows)
}

fn spec(task: Task, criterion: Option<Criterion>, which: u8) -> GrowSpec {
    let mut spec = GrowSpec::cart(task);
    spec.criterion = criterion.unwrap_or(spec.criterion);
    match which {
        1 => spec.threshold = ThresholdRule::DataValue,
        2 => spec.bins = Some(3),
        3 => spec.max_leaves = Some(4),
        4 => spec.missing = MissingGain::Branch,
        _ => {}
    }
    spec
}

proptest! {
    #[test]
    fn floats_and_ranks_give_the_same_tree(
        (columns, classes, numbers, weights) in (2usize..60).prop_flat_map(|rows| (
            prop::collection::vec(cells(rows), 1..4),
            prop::collection::vec(0u32..3, rows),
            prop::collection::vec(-9i32..9, rows),
            prop::option::of(prop::collection::vec(0u8..3, rows)),
        )),
        missing: bool, which in 0u8..5, absolute: bool,
    ) {
        let list = |columns: &[Vec<f64>], y: Values| {
            let known = |x: &f64| if x.is_nan() && !missing { 0.5 } else { *x };
            let mut all: Vec<Column> = columns.iter().enumerate().map(|(i, cells)| Column {
                name: format!("x{i}"), values: Values::Numeric(cells.iter().map(known).collect()),
            }).collect();
            all.push(Column { name: "y".into(), values: y });
            Table::new("t", all).unwrap()
        };
        let levels = ["a", "b", "c"].map(String::from).to_vec();
        let weights: Option<Vec<f64>> = weights.filter(|w| w.iter().any(|w| *w > 0)).map(|w| w.into_iter().map(f64::from).collect());
        for (task, y, criterion) in [
            (Task::Classification, Values::Nominal(Nominal { levels, codes: classes.clone() }), None),
            (Task::Regression, Values::Numeric(numbers.iter().map(|y| f64::from(*y)).collect()), absolute.then_some(Criterion::Mae)),
        ] {
            let table = list(&columns, y);
            let roles = Roles { task: Some(task), ..Roles::default() };
            let ranked = CodedTable::new(&table, &roles).unwrap();
            let as_floats = table.columns()[..columns.len()].iter().map(|column| match &column.values {
                Values::Numeric(cells) => floats::coded(cells).unwrap().unwrap(),
                Values::Nominal(_) => unreachable!(),
            });
            let plain = ranked.with_columns(as_floats.collect());
            prop_assert!(plain.columns().iter().all(|column| column.scale == Scale::Floats));
            let spec = spec(task, criterion, which);
            let grown = |table| grow_weighted(table, weights.as_deref(), &spec, &Silent).unwrap();
            prop_assert_eq!(grown(&plain), grown(&ranked));
        }
    }
}
