use proptest::prelude::*;

use super::super::batch::Batch;
use super::super::{Matrix, Numbers};
use super::*;
use crate::data::{Column, MISSING, Nominal, Values};
use crate::schema::{AttributeKind, Cell, Target};
use crate::simd::{CHUNK, Kernel};
use crate::tree::testing::{
    build, chain, classes, each, iris, leaf, nominal, of_all_kinds, random, random_table, subset, weather,
};

fn numbers(name: &str, values: &[f64]) -> Column {
    Column { name: name.into(), values: Values::Numeric(values.to_vec()) }
}

/// A nominal column from text; `?` is missing.
fn texts(name: &str, values: &[&str]) -> Column {
    let mut levels: Vec<String> = Vec::new();
    let mut code = |value: &&str| {
        if *value == "?" {
            return MISSING;
        }
        let place = levels.iter().position(|l| l == value).unwrap_or_else(|| {
            levels.push((*value).to_string());
            levels.len() - 1
        });
        place as u32
    };
    let codes = values.iter().map(&mut code).collect();
    Column { name: name.into(), values: Values::Nominal(Nominal { levels, codes }) }
}

fn table(columns: Vec<Column>) -> Table {
    Table::new("test", columns).unwrap()
}

#[test]
fn columns_are_found_by_name_and_levels_by_text() {
    let tree = weather();
    let table = table(vec![
        numbers("extra", &[1.0, 2.0, 3.0]),
        texts("windy", &["FALSE", "TRUE", "TRUE"]),
        texts("outlook", &["rainy", "overcast", "rainy"]),
        numbers("humidity", &[70.0, 70.0, 70.0]),
    ]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    assert!(predictor.unseen().is_empty());
    assert_eq!(predictor.predict().labels, [0, 0, 1]);
}

#[test]
fn absent_columns_are_listed_and_untested_ones_not_needed() {
    let tree = weather();
    let table = table(vec![texts("outlook", &["rainy"])]);
    let problem = Predictor::bind(&tree, &table).err().unwrap().to_string();
    assert_eq!(problem, "test: the tree needs columns that are not there: 'humidity', 'windy'");
}

#[test]
fn text_where_the_tree_wants_numbers_is_an_error_unless_all_missing() {
    let tree = iris();
    let bad = table(vec![numbers("petal length", &[1.0, 2.0]), texts("petal width", &["?", "wide"])]);
    let problem = Predictor::bind(&tree, &bad).err().unwrap().to_string();
    assert_eq!(
        problem,
        "test, attribute 'petal width': the tree was grown with numbers here, but row 2 is 'wide'"
    );
    let empty = table(vec![numbers("petal length", &[1.0, 2.0]), texts("petal width", &["?", "?"])]);
    let predictions = Predictor::bind(&tree, &empty).unwrap().predict();
    assert_eq!(predictions.labels, [1, 1]);
}

#[test]
fn numbers_meet_values_from_a_list_by_their_text() {
    let tree = build(
        vec![nominal("cylinders", &["4", "6.0", "many"])],
        classes("c", &["a", "b", "c"]),
        each(0, vec![leaf(&[1.0, 0.0, 0.0]), leaf(&[0.0, 1.0, 0.0]), leaf(&[0.0, 0.0, 2.0])]),
    );
    let table = table(vec![numbers("cylinders", &[4.0, 6.0, 8.0, f64::NAN, 8.0])]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    assert_eq!(predictor.predict().labels, [0, 1, 2, 2, 2]);
    assert_eq!(predictor.unseen(), [Unseen { attribute: "cylinders".into(), value: "8".into(), rows: 2 }]);
}

#[test]
fn unseen_values_go_down_every_branch_and_are_counted_by_row() {
    let tree = build(
        vec![nominal("colour", &["red", "green", "blue"]), nominal("unused", &["a"])],
        classes("c", &["yes", "no"]),
        subset(0, "lr-", leaf(&[3.0, 0.0]), leaf(&[0.0, 1.0])),
    );
    let table = table(vec![
        texts("colour", &["red", "pink", "blue", "pink", "?"]),
        texts("unused", &["z", "z", "z", "z", "z"]),
    ]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    assert_eq!(predictor.unseen(), [Unseen { attribute: "colour".into(), value: "pink".into(), rows: 2 }]);
    let predictions = predictor.predict();
    assert_eq!(predictions.probabilities, [1.0, 0.0, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25]);
    assert_eq!(predictor.leaf_weights(1), [(1, 0.75), (2, 0.25)]);
    let smooth = predictor.try_predict_by(LeafValues::Laplace).unwrap();
    assert_eq!(smooth.probabilities[..2], [4.0 / 5.0, 1.0 / 5.0]);
    assert_eq!(smooth.probabilities[2], 0.75 * 0.8 + 0.25 * (1.0 / 3.0));
    assert_eq!(smooth.labels, predictions.labels);
}

#[test]
fn a_branch_without_training_rows_speaks_with_its_parents_voice() {
    let tree = build(
        vec![nominal("n", &["a", "b", "c"])],
        classes("c", &["yes", "no"]),
        each(0, vec![leaf(&[1.0, 2.0]), leaf(&[0.0, 0.0]), leaf(&[2.0, 0.0])]),
    );
    let table = table(vec![texts("n", &["b", "?"])]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let predictions = predictor.predict();
    assert_eq!(predictions.labels, [0, 0]);
    assert_eq!(predictions.leaf, [2, 1]);
    assert_eq!(predictions.probabilities[..2], [0.6, 0.4]);
    assert!((predictions.probabilities[2] - 0.6).abs() < 1e-15);
    assert_eq!(predictor.leaf_weights(1), [(1, 0.6), (3, 0.4)]);
}

#[test]
fn accuracy_matches_classes_by_name() {
    let tree = weather();
    let table = table(vec![
        texts("outlook", &["overcast", "overcast", "overcast", "overcast"]),
        numbers("humidity", &[1.0; 4]),
        texts("windy", &["TRUE"; 4]),
        texts("play", &["no", "yes", "maybe", "?"]),
    ]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let predictions = predictor.predict();
    let score = predictor.accuracy(&predictions).unwrap();
    assert_eq!((score.mean, score.rows, score.left_out), (Some(1.0 / 3.0), 3, 1));
    assert!(predictor.mse(&predictions).is_err());
    // Two of three rows are wrong; without costs each of them costs 1.
    let score = predictor.mean_cost(&predictions).unwrap();
    assert_eq!((score.mean, score.rows, score.left_out), (Some(2.0 / 3.0), 3, 1));
}

#[test]
fn a_class_the_tree_does_not_know_costs_as_much_as_the_dearest_mistake() {
    use crate::schema::Costs;
    // To call a "no" yes costs 3, and the other way round 8: every leaf of pure rows keeps its label.
    let costs = Costs::from_matrix(weather().schema().target.classes(), vec![0.0, 8.0, 3.0, 0.0]).unwrap();
    let tree = weather().with_costs(Some(std::sync::Arc::new(costs))).unwrap();
    let table = table(vec![
        texts("outlook", &["overcast"; 5]),
        numbers("humidity", &[1.0; 5]),
        texts("windy", &["TRUE"; 5]),
        texts("play", &["no", "yes", "maybe", "?", "no"]),
    ]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let score = predictor.mean_cost(&predictor.predict()).unwrap();
    assert_eq!((score.mean, score.rows, score.left_out), (Some((3.0 + 0.0 + 8.0 + 3.0) / 4.0), 4, 1));
}

#[test]
fn squared_error_leaves_out_missing_targets() {
    use crate::tree::testing::{Sketch, below, numeric};
    let tree = build(
        vec![numeric("x")],
        Target::Number { name: "y".into() },
        below(0, 1.0, Sketch::Numbers(2.0, 10.0, 1.0), Sketch::Numbers(6.0, 20.0, 4.0)),
    );
    let table =
        table(vec![numbers("x", &[0.0, 1.0, f64::NAN, 0.0]), numbers("y", &[11.0, 20.0, 17.5, f64::NAN])]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let predictions = predictor.predict();
    assert_eq!(predictions.values, [10.0, 20.0, 17.5, 10.0]);
    assert_eq!(predictions.leaf, [1, 2, 2, 1]);
    let score = predictor.mse(&predictions).unwrap();
    assert_eq!((score.mean, score.rows, score.left_out), (Some(1.0 / 3.0), 3, 1));
    assert!(predictor.accuracy(&predictions).is_err());
    assert!(predictor.mean_cost(&predictions).is_err());
}

#[test]
fn a_chain_of_a_million_nodes_predicts() {
    let tree = chain(1_000_001);
    let table = table(vec![numbers("x", &[-1.0, 1.0, 1e9, f64::NAN])]);
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let predictions = predictor.predict();
    assert_eq!(predictions.leaf[..3], [1, 3, 1_000_000]);
    assert_eq!(predictions.labels[..3], [0, 1, 0]);
    let sum: f64 = predictions.probabilities[6..].iter().sum();
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
}

#[test]
fn an_empty_table_has_no_predictions() {
    let tree = iris();
    let table = table(vec![numbers("petal length", &[]), numbers("petal width", &[])]);
    let predictions = Predictor::bind(&tree, &table).unwrap().predict();
    assert!(predictions.is_empty() && predictions.labels.is_empty() && predictions.values.is_empty());
}

/// Neighbours of numbers of 32 and of 64 bits, and the ends of both scales.
fn hard_numbers() -> Vec<f64> {
    let mut numbers = vec![f64::MAX, f64::MIN_POSITIVE, 1e300, 1e-300, 5e-324, 0.0];
    for x in [1.0f32, 0.1, 16_777_217.0, f32::MAX, f32::MIN_POSITIVE, 1e-45] {
        let (x, above) = (f64::from(x), f64::from(x.next_up()));
        numbers.extend([x, x.next_up(), x.next_down(), above, (x + above) / 2.0]);
    }
    let negative: Vec<f64> = numbers.iter().map(|x| -x).collect();
    numbers.extend(negative);
    // A table has no others.
    numbers.retain(|x| x.is_finite());
    numbers
}

#[test]
fn numbers_that_32_bits_cannot_tell_apart_go_the_right_way() {
    use crate::tree::testing::{below, numeric};
    let hard = hard_numbers();
    let cells: Vec<f64> = hard.iter().copied().chain([f64::NAN]).cycle().take(CHUNK + 5).collect();
    let table = table(vec![numbers("x", &cells)]);
    for &threshold in &hard {
        let tree = build(
            vec![numeric("x")],
            classes("c", &["a", "b"]),
            below(0, threshold, leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])),
        );
        let mut predictor = Predictor::bind(&tree, &table).unwrap();
        for _ in 0..2 {
            let predictions = predictor.predict();
            for (row, x) in cells.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                assert_eq!(predictions.labels[row], u32::from(*x >= threshold), "{x} {threshold}");
            }
            predictor.router.batch.iter_mut().for_each(|batch| batch.kernel = Kernel::Portable);
        }
    }
}

/// One row down the tree in the plainest way; `None` when a value is missing or unseen on the way.
pub(crate) fn naive(tree: &Tree, table: &Table, row: usize) -> Option<NodeId> {
    let mut id = 0;
    while let Some(condition) = &tree.node(id).condition {
        let cell = match &table.columns()[condition.attribute()].values {
            Values::Numeric(x) => Cell::Number(x[row]),
            Values::Nominal(n) => Cell::Code(n.codes[row]),
        };
        id = tree.children(id).start + condition.route(cell)?;
    }
    Some(id)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shares_and_probabilities_add_up_to_one(seed: u64, splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let table = random_table(&tree, 30, seed ^ 1, 0.3);
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let classes = tree.schema().target.classes().len();
        for values in of_all_kinds(tree.task()) {
            let predictions = predictor.try_predict_by(values).unwrap();
            for row in 0..table.rows() {
                let fragments = predictor.leaf_weights(row);
                let sum: f64 = fragments.iter().map(|f| f.1).sum();
                prop_assert!((sum - 1.0).abs() < 1e-9);
                prop_assert!(fragments.iter().all(|f| tree.is_leaf(f.0) && f.1 > 0.0));
                if tree.is_classifier() {
                    let own = &predictions.probabilities[row * classes..][..classes];
                    prop_assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    prop_assert!(own.iter().all(|p| *p > 0.0 || *p == 0.0 && values == LeafValues::Raw));
                } else {
                    prop_assert!(predictions.values[row].is_finite());
                }
            }
        }
    }

    #[test]
    fn many_rows_together_go_where_each_goes_alone(seed: u64, splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let table = random_table(&tree, CHUNK + 70, seed ^ 3, 0.1);
        let mut predictor = Predictor::bind(&tree, &table).unwrap();
        for values in of_all_kinds(tree.task()) {
            predictor.router.batch = Batch::new(&tree, table.rows());
            let together = predictor.try_predict_by(values).unwrap();
            predictor.router.batch.iter_mut().for_each(|batch| batch.kernel = Kernel::Portable);
            prop_assert_eq!(&together, &predictor.try_predict_by(values).unwrap());
            predictor.router.batch = None;
            prop_assert_eq!(&together, &predictor.try_predict_by(values).unwrap());
            // A tree that has these values says the same.
            let own = tree.clone().with_leaf_values(values).unwrap();
            prop_assert_eq!(together, Predictor::bind(&own, &table).unwrap().predict());
        }
    }

    #[test]
    fn a_matrix_goes_where_its_table_goes(seed: u64, splits in 0usize..60, shape in 0usize..3, few: bool) {
        let tree = random(seed, splits, shape);
        let rows = if few { 30 } else { CHUNK + 70 };
        let table = random_table(&tree, rows, seed ^ 4, 0.1);
        let width = table.columns().len();
        let cell = |place: usize, row: usize| match &table.columns()[place].values {
            // Numbers that 32 bits can hold, for both kinds of matrix.
            Values::Numeric(cells) => f64::from(cells[row] as f32),
            Values::Nominal(_) => f64::NAN,
        };
        let columns = (0..width).map(|place| Column {
            name: table.columns()[place].name.clone(),
            values: Values::Numeric((0..rows).map(|row| cell(place, row)).collect()),
        });
        let rounded = Table::new("rounded", columns.collect()).unwrap();
        let by_rows: Vec<f64> = (0..rows * width).map(|at| cell(at % width, at / width)).collect();
        let by_columns: Vec<f64> = (0..rows * width).map(|at| cell(at / rows, at % rows)).collect();
        let single = |numbers: &[f64]| numbers.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let (short_rows, short_columns) = (single(&by_rows), single(&by_columns));
        let is_nominal = tree.nodes().iter().filter_map(|node| node.condition.as_ref()).any(|condition| {
            tree.schema().attributes[condition.attribute()].kind != AttributeKind::Numeric
        });
        for matrix in [
            Matrix::by_rows(Numbers::Double(&by_rows), width),
            Matrix::by_columns(Numbers::Double(&by_columns), width),
            Matrix::by_rows(Numbers::Single(&short_rows), width),
            Matrix::by_columns(Numbers::Single(&short_columns), width),
        ] {
            let found = tree.predict_matrix_by(&matrix, LeafValues::M(1.0));
            if is_nominal {
                prop_assert!(found.unwrap_err().to_string().contains("nominal"));
            } else {
                let predictor = Predictor::bind(&tree, &rounded).unwrap();
                prop_assert_eq!(&tree.predict_matrix(&matrix).unwrap(), &predictor.predict());
                let wanted = predictor.try_predict_by(LeafValues::M(1.0)).unwrap();
                prop_assert_eq!(found.unwrap(), wanted);
            }
        }
    }

    #[test]
    fn complete_rows_go_where_a_plain_walk_goes(seed: u64, splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let table = random_table(&tree, 30, seed ^ 2, 0.0);
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let predictions = predictor.predict();
        for row in 0..table.rows() {
            if let Some(leaf) = naive(&tree, &table, row) {
                prop_assert_eq!(predictions.leaf[row] as usize, leaf);
                prop_assert_eq!(predictor.leaf_weights(row), [(leaf, 1.0)]);
                if tree.is_classifier() {
                    prop_assert_eq!(predictions.labels[row] as usize, tree.label(leaf));
                } else {
                    prop_assert_eq!(predictions.values[row], tree.value(leaf));
                }
            }
        }
    }
}

#[test]
fn a_matrix_has_a_column_for_every_attribute() {
    let numbers = [1.0; 6];
    let wrong = iris().predict_matrix(&Matrix::by_rows(Numbers::Double(&numbers), 3)).unwrap_err();
    assert!(wrong.to_string().contains("3 columns; the tree knows 2 attributes"), "{wrong}");
}
