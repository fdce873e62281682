//! Choices and sizes that papers print.

use secateur::fit::FitOptions;
use secateur::training::Curve;

use super::support::*;

#[test]
fn the_choices_of_shi_tables_2_2_and_2_3() {
    // H. Shi (2007), Best-first Decision Tree Learning, Tables 2.2 (least error) and 2.3 (1SE rule): balance-scale, the
    // sixteen members of the cost-complexity sequence under ten-fold cross-validation with two seeds.
    let sizes = || (0..16).map(|member| 16 - member).collect();
    let first = Curve::new(
        vec![
            0.2291, 0.2292, 0.2260, 0.2178, 0.21629, 0.2195, 0.21628, 0.2322, 0.2548, 0.2692, 0.2836, 0.2868,
            0.3317, 0.3429, 0.4134, 0.5433,
        ],
        vec![
            0.0168, 0.0168, 0.0167, 0.0165, 0.0165, 0.0166, 0.0165, 0.0169, 0.0174, 0.0177, 0.0180, 0.0181,
            0.0188, 0.0190, 0.0197, 0.0199,
        ],
        sizes(),
    )
    .unwrap();
    let second = Curve::new(
        vec![
            0.2116, 0.2100, 0.2148, 0.2164, 0.2164, 0.2131, 0.2163, 0.2340, 0.2483, 0.2708, 0.2804, 0.3013,
            0.3413, 0.3541, 0.4134, 0.5417,
        ],
        vec![
            0.0163, 0.0163, 0.0164, 0.0165, 0.0165, 0.0164, 0.0165, 0.0169, 0.0173, 0.0178, 0.0180, 0.0184,
            0.0190, 0.0191, 0.0197, 0.0199,
        ],
        sizes(),
    )
    .unwrap();
    // Members are numbered from 1 there: 7 and 8, 2 and 7.
    assert_eq!((first.choose(0.0), first.choose(1.0)), (6, 7));
    assert_eq!((second.choose(0.0), second.choose(1.0)), (1, 6));
    // The printed standard errors are the binomial ones of 625 rows.
    for (error, se) in first.errors().iter().zip(first.se()).chain(second.errors().iter().zip(second.se())) {
        assert!(((error * (1.0 - error) / 625.0).sqrt() - se).abs() < 1e-4, "{error} {se}");
    }
}

#[test]
fn mansour_finds_the_tree_of_one_split() {
    // Section 4: 100 attributes, only the first says anything. The tree of three nodes is the best one.
    let table = load("mansour");
    let nodes = |pruner: &str| {
        let tree = fitted(&table, &format!("c45/{pruner}"), &FitOptions::default()).tree;
        (tree.nodes().len(), tree.node(0).condition.as_ref().map(|c| c.attribute()))
    };
    assert_eq!(nodes("size-pessimistic:c=0.5"), (3, Some(0)));
    assert_eq!(nodes("size-pessimistic:c=0.7"), (3, Some(0)));
    let error_based = nodes("error-based:cf=0.25").0;
    assert!(error_based > 300, "{error_based}");
}
