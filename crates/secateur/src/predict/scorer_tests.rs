use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::data::{Column as TableColumn, MISSING, Nominal, Table, Values};
use crate::predict::Predictor;
use crate::schema::Costs;
use crate::tree::Stats;
use crate::tree::testing::{
    Dice, build, chain, classes, each, iris, leaf, nominal, of_all_kinds, random, random_table, weather,
};

/// The fields of a row of a table with the columns of the tree; nominal values by their text.
fn fields<'a>(table: &'a Table, row: usize) -> Vec<Field<'a>> {
    let field = |column: &'a TableColumn| match &column.values {
        Values::Numeric(numbers) => Field::Number(numbers[row]),
        Values::Nominal(nominal) => {
            nominal.levels.get(nominal.codes[row] as usize).map(String::as_str).into()
        }
    };
    table.columns().iter().map(field).collect()
}

/// Some nominal cells become a value that the tree does not know.
fn with_unseen(table: &Table, seed: u64) -> Table {
    let mut dice = Dice(seed);
    let strange = |column: &TableColumn| {
        let Values::Nominal(nominal) = &column.values else { return column.clone() };
        let mut levels = nominal.levels.clone();
        levels.push("strange".into());
        let code = |&code: &u32| if dice.below(8) == 0 { levels.len() as u32 - 1 } else { code };
        let codes = nominal.codes.iter().map(code).collect();
        TableColumn {
            name: column.name.clone(),
            values: Values::Nominal(Nominal { levels: levels.clone(), codes }),
        }
    };
    Table::new("rows", table.columns().iter().map(strange).collect()).unwrap()
}

/// The same tree with random costs, or with medians in its leaves.
fn with_costs_or_medians(tree: Tree, seed: u64) -> Tree {
    let mut dice = Dice(seed);
    let classes = tree.schema().target.classes().to_vec();
    if classes.len() > 1 {
        let matrix = (0..classes.len().pow(2))
            .map(|i| if i % (classes.len() + 1) == 0 { 0.0 } else { 1.0 + dice.unit() * 5.0 });
        let costs = Costs::from_matrix(&classes, matrix.collect()).unwrap();
        return tree.with_costs(Some(Arc::new(costs))).unwrap();
    }
    let Stats::Numbers { mean, mse, .. } = tree.stats().clone() else { return tree };
    let median = mean.iter().map(|m| m + dice.unit()).collect();
    tree.like(tree.nodes().to_vec(), Stats::Numbers { mean, mse, median })
}

fn check(tree: &Tree, table: &Table, values: LeafValues) -> Result<(), TestCaseError> {
    let predictor = Predictor::bind(tree, table).unwrap();
    let told = predictor.try_predict_by(values).unwrap();
    let scorer = Scorer::with_leaf_values(tree.clone(), values).unwrap();
    let mut buffer = scorer.buffer();
    let width = scorer.classes().len();
    for row in 0..table.rows() {
        let scored = scorer.score(&fields(table, row), &mut buffer).unwrap();
        prop_assert_eq!(scored.leaf as u32, told.leaf[row]);
        prop_assert_eq!(scored.is_whole, predictor.leaf_weights(row).len() == 1);
        if width > 0 {
            prop_assert_eq!(scored.class as u32, told.labels[row]);
            prop_assert_eq!(scored.label, &scorer.classes()[scored.class]);
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(scored.probabilities), bits(&told.probabilities[row * width..][..width]));
        } else {
            prop_assert_eq!(scored.value.to_bits(), told.values[row].to_bits());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_scored_row_is_a_predicted_row_to_the_last_bit(
        (seed, splits, shape) in (any::<u64>(), 0usize..40, 0usize..3),
        (rows, missing) in (prop_oneof![1usize..20, 150usize..300], prop_oneof![Just(0.0), Just(0.2)]),
        (other, kind) in (any::<bool>(), 0usize..8),
    ) {
        let tree = random(seed, splits, shape);
        let tree = if other { with_costs_or_medians(tree, seed) } else { tree };
        let table = with_unseen(&random_table(&tree, rows, seed ^ 5, missing), seed ^ 6);
        let kinds = of_all_kinds(tree.task());
        check(&tree, &table, kinds[kind % kinds.len()])?;
    }

    #[test]
    fn the_parts_that_wait_find_room(seed: u64, splits in 1usize..40, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let scorer = Scorer::new(tree);
        let mut buffer = scorer.buffer();
        let (room, place) = (buffer.stack.capacity(), buffer.stack.as_ptr());
        scorer.score(&vec![Field::Missing; scorer.columns().len()], &mut buffer).unwrap();
        prop_assert_eq!((buffer.stack.capacity(), buffer.stack.as_ptr()), (room, place));
    }
}

#[test]
fn a_chain_of_many_nodes_is_scored() {
    let scorer = Scorer::new(chain(1_000_001));
    let mut buffer = scorer.buffer();
    assert_eq!(scorer.score(&[Field::Number(400_001.0)], &mut buffer).unwrap().label, "odd");
    let scored = scorer.score(&[Field::Missing], &mut buffer).unwrap();
    assert!(!scored.is_whole && (scored.probabilities[0] - 0.5).abs() < 1e-3);
}

#[test]
fn values_are_named_by_text_code_or_number() {
    let tree = build(
        vec![nominal("cylinders", &["4", "6.0", "many"])],
        classes("c", &["a", "b", "c"]),
        each(0, vec![leaf(&[1.0, 0.0, 0.0]), leaf(&[0.0, 1.0, 0.0]), leaf(&[0.0, 0.0, 2.0])]),
    );
    let scorer = Scorer::new(tree);
    let mut buffer = Buffer::default();
    let mut label = |field: Field| scorer.score(&[field], &mut buffer).unwrap().label.to_string();
    assert_eq!([label("6.0".into()), label(6.0.into()), label(Field::Code(1))], ["b", "b", "b"]);
    assert_eq!([label("many".into()), label(8.0.into()), label(Field::Code(MISSING))], ["c", "c", "c"]);
    assert_eq!(
        (scorer.code(0, "many"), scorer.code(0, "few"), scorer.code(1, "many")),
        (Some(2), None, None)
    );
}

#[test]
fn what_is_wrong_with_a_row_is_said() {
    let scorer = Scorer::new(iris());
    let mut buffer = scorer.buffer();
    let problem = |row: &[Field], buffer: &mut Buffer| scorer.score(row, buffer).unwrap_err().to_string();
    assert_eq!(problem(&[], &mut buffer), "a row of 0 fields; the tree knows 2 attributes");
    assert_eq!(
        problem(&[Field::Missing, "wide".into()], &mut buffer),
        "attribute 'petal width': the tree was grown with numbers here, but the row has 'wide'"
    );
    assert!(problem(&[Field::Code(1), 1.0.into()], &mut buffer).contains("the code of a nominal value"));
    assert_eq!(
        scorer.column("petal widht").unwrap_err().to_string(),
        "row: there is no column 'petal widht' (did you mean 'petal width'?)"
    );
}

#[test]
fn one_buffer_serves_several_trees() {
    let (small, large) = (Scorer::new(weather()), Scorer::new(iris()));
    let mut buffer = small.buffer();
    assert_eq!(large.score(&[Field::Missing; 2], &mut buffer).unwrap().probabilities.len(), 3);
    assert_eq!(small.score(&[Field::Missing; 4], &mut buffer).unwrap().probabilities.len(), 2);
}

#[test]
fn a_scorer_is_shared_by_threads() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    is_shared(&Scorer::new(iris()));
}
