//! Worked examples of the documents: Shi's weather data and nominal example, Zhong's iris tree, balance-scale.

use crate::common::{Impurity, gain, plain};
use secateur::criterion::{Criterion, Measure};
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values, builtin};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::GrowSpec;
use secateur::tree::{Condition, Subsets, Tree};

fn tree(table: &Table, roles: &Roles, spec: &GrowSpec) -> Tree {
    grow(&CodedTable::new(table, roles).unwrap(), spec, &Silent).unwrap()
}

fn close(got: f64, want: f64) {
    assert!((got - want).abs() < 1e-12, "{got} instead of {want}");
}

/// Gains of Shi's Figures 3.4 to 3.6 and Appendix A, recomputed: split, branches (yes, no), information and Gini gain.
type Branches = [[f64; 2]; 2];
const WEATHER: [(&str, Branches, f64, f64); 10] = [
    ("outlook=sunny", [[2., 3.], [7., 2.]], 0.10224356360985076, 0.06553287981859401),
    ("outlook=overcast", [[4., 0.], [5., 5.]], 0.22600024438491684, 0.10204081632653056),
    ("outlook=rainy", [[3., 2.], [6., 3.]], 0.003184853044648994, 0.002040816326530581),
    ("temperature<77.5", [[7., 3.], [2., 2.]], 0.02507817350585062, 0.016326530612244816),
    ("temperature<84", [[9., 4.], [0., 1.]], 0.1134008641811034, 0.06357927786499201),
    ("humidity<82.5", [[6., 1.], [3., 4.]], 0.15183550136234159, 0.09183673469387743),
    ("windy=false", [[6., 2.], [3., 3.]], 0.04812703040826949, 0.030612244897959162),
    ("temperature<64.5", [[1., 0.], [8., 5.]], 0.04770911142796064, 0.019623233908948157),
    ("temperature<66.5", [[1., 1.], [8., 4.]], 0.010318100909640249, 0.006802721088435382),
    ("temperature<70.5", [[4., 1.], [5., 4.]], 0.04533417202914447, 0.027437641723356054),
];

/// A split as Shi writes it.
fn condition(table: &Table, split: &str) -> Condition {
    if let Some((name, below)) = split.split_once('<') {
        return Condition::Threshold {
            attribute: table.position(name).unwrap() as u32,
            below: below.parse().unwrap(),
            missing: None,
        };
    }
    let (name, value) = split.split_once('=').unwrap();
    let attribute = table.position(name).unwrap();
    let Values::Nominal(nominal) = &table.columns()[attribute].values else { panic!("{name} is nominal") };
    let (left, right) = (0..nominal.levels.len() as u32).partition(|&c| nominal.levels[c as usize] == value);
    Condition::Subset {
        attribute: attribute as u32,
        subsets: Box::new(Subsets::new(left, right)),
        missing: None,
    }
}

#[test]
fn weather_gains_are_shis() {
    let table = builtin::load("weather").unwrap();
    let rows = plain(&table);
    let all: Vec<(usize, f64)> = (0..14).map(|row| (row, 1.0)).collect();
    for (split, branches, information, gini) in WEATHER {
        for (measure, impurity, want) in
            [(Measure::Entropy, Impurity::Entropy, information), (Measure::Gini, Impurity::Gini, gini)]
        {
            let costs: f64 = branches.iter().map(|b| measure.cost(b)).sum();
            close((measure.cost(&[9.0, 5.0]) - costs) / 14.0, want);
            // The table itself gives the same branches.
            close(gain(&rows, &all, &condition(&table, split), impurity).0, want);
        }
    }
}

/// Shi 3.3: with either criterion the best split of every attribute is the printed one, and the root asks for overcast.
#[test]
fn weather_splits_are_shis() {
    let table = builtin::load("weather").unwrap();
    for (criterion, column) in [(Criterion::Entropy, 0), (Criterion::Gini, 1)] {
        let spec = GrowSpec { criterion, max_depth: Some(1), ..GrowSpec::cart(Task::Classification) };
        for best in ["outlook=overcast", "temperature<84", "humidity<82.5", "windy=false"] {
            let name = best.split(['=', '<']).next().unwrap();
            let others = ["outlook", "temperature", "humidity", "windy"].into_iter().filter(|n| *n != name);
            let roles = Roles { ignore: others.map(String::from).collect(), ..Roles::default() };
            let stump = tree(&table, &roles, &spec);
            let want = WEATHER.iter().find(|w| w.0 == best).unwrap();
            close(stump.node(0).gain, if column == 0 { want.2 } else { want.3 });
            let mut got = stump.node(0).condition.clone().unwrap();
            if let Condition::Threshold { attribute, .. } = &mut got {
                *attribute = table.position(name).unwrap() as u32;
                assert_eq!(got, condition(&table, best));
            }
        }
        let root = tree(&table, &Roles::default(), &spec);
        assert_eq!(root.node(0).condition, Some(condition(&table, "outlook=overcast")));
        assert_eq!(root.class_weights(1), [4.0, 0.0]);
    }
}

/// Shi 3.2.2, Tables 3.2 and 3.3 with the gains that follow from the printed frequencies.
#[test]
fn nominal_example_is_shis() {
    const COUNTS: [[u32; 3]; 5] = [[40, 10, 10], [10, 40, 10], [20, 30, 10], [20, 15, 25], [10, 5, 45]];
    let mut values = Nominal { levels: (1..=5).map(|i| format!("a{i}")).collect(), codes: Vec::new() };
    let mut classes = Nominal { levels: (1..=3).map(|i| format!("c{i}")).collect(), codes: Vec::new() };
    for (value, counts) in (0..).zip(COUNTS) {
        for (class, count) in (0..).zip(counts) {
            values.codes.extend((0..count).map(|_| value));
            classes.codes.extend((0..count).map(|_| class));
        }
    }
    let column = |name: &str, values| Column { name: name.into(), values: Values::Nominal(values) };
    let table = Table::new("Shi, Table 3.2", vec![column("a", values), column("class", classes)]).unwrap();
    // The best of all 15 subsets is a prefix of the principal component's order for both criteria.
    for exhaustive in [0, 5] {
        let spec = |criterion| GrowSpec {
            criterion,
            exhaustive,
            max_depth: Some(1),
            ..GrowSpec::cart(Task::Classification)
        };
        let gini = tree(&table, &Roles::default(), &spec(Criterion::Gini));
        close(gini.node(0).gain, 0.06597222222222221);
        assert_eq!(gini.children(0).map(|c| gini.node(c).rows).collect::<Vec<_>>(), [240, 60]);
        let bits = tree(&table, &Roles::default(), &spec(Criterion::Entropy));
        assert!((bits.node(0).gain - 0.14278063000508623).abs() < 1e-12);
        let Some(Condition::Subset { subsets, .. }) = &bits.node(0).condition else { panic!("a subset") };
        let with_a2 = if subsets.branch(1) == Some(0) { subsets.left() } else { subsets.right() };
        assert!(with_a2 == [1, 2] || with_a2 == [0, 1, 2], "{with_a2:?}");
    }
}

/// Zhong, appendix B: iris on its petals. The splits that 2-norm pruning keeps, and the counts at their nodes.
#[test]
fn iris_petals_tree_is_zhongs() {
    let table = builtin::load("iris").unwrap();
    let sepals = table.columns().iter().map(|c| c.name.clone()).filter(|n| n.contains("sepal")).collect();
    let roles = Roles { ignore: sepals, ..Roles::default() };
    let mut leaves = Vec::new();
    for criterion in [Criterion::Gini, Criterion::Entropy] {
        let full = tree(&table, &roles, &GrowSpec { criterion, ..GrowSpec::cart(Task::Classification) });
        assert_eq!(full.class_weights(1), [50.0, 0.0, 0.0]);
        assert!(full.is_leaf(1));
        let below: Vec<&[f64]> = full.children(2).map(|c| full.class_weights(c)).collect();
        assert_eq!(below, [[0.0, 49.0, 5.0], [0.0, 1.0, 45.0]]);
        // One versicolor and one virginica have the same petals.
        assert_eq!(full.training_error(), 1.0 / 150.0);
        leaves.push(full.leaves());
    }
    // "If we use the entropy ... we get exactly the same tree."
    assert_eq!(leaves[0], leaves[1]);
}

/// Shi, section 2.1: the full tree behind Table 2.1, with two rows in a leaf and by either min-leaf rule.
#[test]
fn balance_scale_full_tree_is_shis() {
    let table = builtin::load("balance-scale").unwrap();
    for min_leaf_rule in [secateur::spec::MinLeafRule::Point, secateur::spec::MinLeafRule::Node] {
        let spec = GrowSpec { min_leaf: 2.0, min_leaf_rule, ..GrowSpec::cart(Task::Classification) };
        let full = tree(&table, &Roles::default(), &spec);
        let errors = full.training_error() * 625.0;
        assert_eq!((full.leaves(), errors.round()), (105, 56.0), "{min_leaf_rule:?}");
    }
}
