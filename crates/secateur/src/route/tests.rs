//! Rows arrive where prediction sends them, and nothing is lost on the way.

use super::*;
use crate::data::{Column, Nominal, Roles, Table, Values, builtin};
use crate::grow::{grow, grow_weighted};
use crate::predict::Predictor;
use crate::progress::Silent;
use crate::schema::Task;
use crate::spec::GrowSpec;
use crate::tree::Stats;
use crate::tree::testing::{Dice, chain, random, with_target};
use proptest::prelude::*;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn every_leaf_gets_what_prediction_sends_it(
        seed in any::<u64>(), splits in 0usize..40, shape in 0usize..3, gaps in 0usize..3,
    ) {
        let tree = random(seed, splits, shape);
        let (table, coded) = with_target(&tree, 60, seed, [0.0, 0.1, 0.5][gaps]);
        let mut dice = Dice(seed);
        let weights: Vec<f64> = (0..60).map(|_| dice.below(4) as f64 * 0.75).collect();
        let routed = Routed::new(&tree, &coded, Some(&weights)).unwrap();
        // The root has all rows, and children share out what their parent has.
        prop_assert!(close(routed.weight(0), weights.iter().sum()));
        for id in 0..tree.nodes().len() {
            // Errors are around the value of a node, and do not add up.
            if tree.is_leaf(id) {
                continue;
            }
            prop_assert!(close(routed.weight(id), tree.children(id).map(|c| routed.weight(c)).sum()));
            for (j, weight) in routed.class_weights(id).iter().enumerate() {
                let below = tree.children(id).map(|c| routed.class_weights(c)[j]).sum::<f64>();
                prop_assert!(close(*weight, below));
            }
        }
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let mut leaves = Tallies::new(&tree, &coded);
        for (row, weight) in weights.iter().enumerate() {
            for (leaf, share) in predictor.leaf_weights(row) {
                leaves.add(&tree, leaf, coded.target(), &[RowShare { row: row as u32, weight: weight * share }]);
            }
        }
        let leaves = Routed { tallies: leaves, apart: Vec::new() };
        for id in (0..tree.nodes().len()).filter(|&id| tree.is_leaf(id)) {
            prop_assert!(close(routed.weight(id), leaves.weight(id)));
            prop_assert!(close(routed.risk(&tree, id), leaves.risk(&tree, id)));
            let expected = leaves.class_weights(id);
            prop_assert!(routed.class_weights(id).iter().zip(expected).all(|(a, b)| close(*a, *b)));
        }
        let risks = routed.risks(&tree);
        prop_assert!(risks.iter().all(|r| *r >= 0.0));
        if routed.has_classes() {
            let classes = coded.classes();
            let one: Vec<f64> = (0..classes * classes).map(|i| f64::from(u8::from(i / classes != i % classes))).collect();
            let labels: Vec<usize> = (0..tree.nodes().len()).map(|id| tree.label(id)).collect();
            prop_assert!(routed.losses(&one, &labels).unwrap().iter().zip(&risks).all(|(a, b)| close(*a, *b)));
        }
    }

    #[test]
    fn training_rows_give_the_counts_of_the_tree(
        seed in any::<u64>(), shape in 0usize..3, gaps in 0usize..2, learner in 0usize..3,
    ) {
        let (_, coded) = with_target(&random(seed, 3, shape), 80, seed, [0.0, 0.15][gaps]);
        let task = coded.task();
        let spec = [GrowSpec::cart, GrowSpec::c45, GrowSpec::id3][learner](task);
        let weights: Vec<f64> = (0..80).map(|row| f64::from(row % 3 != 0)).collect();
        let tree = grow_weighted(&coded, Some(&weights), &spec, &Silent).unwrap();
        let routed = Routed::new(&tree, &coded, Some(&weights)).unwrap();
        for id in 0..tree.nodes().len() {
            prop_assert!(close(routed.weight(id), tree.node(id).weight));
            prop_assert!((routed.risk(&tree, id) - tree.error(id)).abs() < 1e-6);
            prop_assert!(tree.class_weights(id).iter().zip(routed.class_weights(id)).all(|(a, b)| close(*a, *b)));
        }
    }
}

#[test]
fn many_rows_are_sent_in_parts_and_threads_do_not_matter() {
    let table = CodedTable::new(&builtin::load("waveform-21?n=140000").unwrap(), &Roles::default()).unwrap();
    let spec = GrowSpec { max_depth: Some(4), ..GrowSpec::cart(Task::Classification) };
    let tree = grow(&table, &spec, &Silent).unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Routed::new(&tree, &table, None).unwrap())
    };
    let routed = with(1);
    assert_eq!(routed, with(3));
    let Stats::Classes { weights, .. } = tree.stats() else { unreachable!() };
    assert_eq!(routed.tallies, Tallies::Classes { classes: 3, weights: weights.clone() });
}

#[test]
fn a_long_chain_is_no_trouble() {
    let tree = chain(200_001);
    let x = Column { name: "x".into(), values: Values::Numeric(vec![0.0, 7.0, f64::NAN, 1e9]) };
    let class = Nominal { levels: vec!["even".into(), "odd".into()], codes: vec![0, 1, 1, 1] };
    let table = Table::new("rows", vec![x, Column { name: "class".into(), values: Values::Nominal(class) }]);
    let coded = CodedTable::new(&table.unwrap(), &Roles::default()).unwrap();
    let routed = Routed::new(&tree, &coded, None).unwrap();
    assert!(close(routed.weight(0), 4.0));
    assert_eq!(routed.weight(1), 1.0 + 1.0 / 100_001.0);
}

#[test]
fn other_columns_classes_and_weights_are_refused() {
    let tree = random(3, 3, 1);
    let iris = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    assert!(Routed::new(&tree, &iris, None).unwrap_err().to_string().contains("attributes"));
    let own = grow(&iris, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
    let short = Routed::new(&own, &iris, Some(&[1.0])).unwrap_err();
    assert!(short.to_string().contains("for every row"), "{short}");
    let routed = Routed::new(&own, &iris, None).unwrap();
    assert!(routed.losses(&[0.0; 4], &[]).unwrap_err().to_string().contains("3 × 3"));
    assert!(routed.losses(&[0.0; 9], &[0]).unwrap_err().to_string().contains("label"));
}
