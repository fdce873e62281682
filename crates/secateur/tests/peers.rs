//! Trees against what rpart, Weka and scikit-learn answered on public data (`conformance/`, where the numbers and the
//! scripts that wrote them are). Where an answer differs, both are pinned here, with the reason. The data are not part
//! of the project: without them the tests say so and pass.

use std::collections::BTreeMap;
use std::path::Path;

use secateur::data::{CodedTable, ReadOptions, Roles, Table, Values, read};
use secateur::fit::{FitOptions, fit, path_of};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::prune::cost_complexity;
use secateur::prune::error_based::{self, Limit};
use secateur::scheme::Scheme;
use secateur::training::Folds;
use secateur::tree::Tree;
use secateur_testing::data;

/// A data set, as read and as coded. Nominal columns of regression sets are left out, as rpart was not given them.
fn load(folder: &Path, name: &str) -> (Table, CodedTable) {
    let classes = folder.join("classification").join(format!("{name}.arff"));
    let regression = !classes.exists();
    let file = if regression { folder.join("regression").join(format!("{name}.arff")) } else { classes };
    let table = read(file.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
    let nominal = table.columns().iter().filter(|c| regression && matches!(c.values, Values::Nominal(_)));
    let roles = Roles { ignore: nominal.map(|c| c.name.clone()).collect(), ..Roles::default() };
    let coded = CodedTable::new(&table, &roles).unwrap();
    (table, coded)
}

/// The rows of a recorded file.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

/// The rows in groups with the same first fields.
fn groups(text: &str, key: usize) -> BTreeMap<Vec<&str>, Vec<Vec<&str>>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in rows(text) {
        groups.entry(row[..key].to_vec()).or_default().push(row[key..].to_vec());
    }
    groups
}

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn tree(coded: &CodedTable, text: &str) -> Tree {
    fit(coded, &scheme(text), &FitOptions::default(), &Silent).unwrap().tree
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

fn whole(text: &str) -> usize {
    text.parse().unwrap()
}

/// Leaves, all nodes, and the training rows predicted wrongly.
fn measures(tree: &Tree, table: &Table) -> [usize; 3] {
    let predictor = Predictor::bind(tree, table).unwrap();
    let right = predictor.accuracy(&predictor.predict()).unwrap().mean.unwrap();
    let rows = table.rows() as f64;
    [tree.leaves(), tree.nodes().len(), (rows - right * rows).round() as usize]
}

/// The cost-complexity path from the root on: alpha in errors (or squares) per leaf, leaves, errors (or squares).
fn path(coded: &CodedTable, min_leaf: &str) -> Vec<(f64, usize, f64)> {
    let scheme = scheme(&format!("cart:min-leaf={min_leaf}/cost-complexity"));
    let path = path_of(coded, &scheme, Some(0), &FitOptions::default(), &Silent).unwrap();
    let n = coded.rows() as f64;
    path.steps.iter().rev().map(|s| (s.parameter * n, s.leaves, s.training_error * n)).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9
}

/// Where a tie between splits goes another way than in rpart: the minimum in a leaf; leaves, errors (squares for abalone)
/// and depth of our full tree. rpart has these very numbers for pima-diabetes and segment with the sign of every column
/// changed, for tic-tac-toe with the values or the classes declared in reverse, for abalone with 10 or 1000 added to the target.
const TIES: [(&str, &str, [usize; 3]); 5] = [
    ("pima-diabetes", "2", [113, 28, 13]),
    ("segment", "1", [72, 0, 16]),
    ("segment", "2", [66, 15, 15]),
    ("tic-tac-toe", "2", [65, 14, 11]),
    ("abalone", "5", [671, 8895, 19]),
];

/// The same after the splits that save no errors are gone: leaves and errors. tic-tac-toe is then the same as in rpart.
const TIES_THAT_STAY: [(&str, &str, [usize; 2]); 3] =
    [("pima-diabetes", "2", [93, 28]), ("segment", "1", [72, 0]), ("segment", "2", [55, 15])];

#[test]
fn full_trees_are_those_of_rpart() {
    let Some(folder) = data() else { return };
    let mut equal = 0;
    for row in rows(include_str!("../../../conformance/rpart_full.csv")) {
        let (table, coded) = load(&folder, row[0]);
        let ours = tree(&coded, &format!("cart:min-leaf={}", row[1]));
        let risk = ours.training_error() * table.rows() as f64;
        if let Some(tie) = TIES.iter().find(|t| (t.0, t.1) == (row[0], row[1])) {
            assert_eq!([ours.leaves(), risk.round() as usize, ours.depth()], tie.2, "{row:?}");
            continue;
        }
        assert_eq!([ours.leaves(), ours.depth()], [whole(row[2]), whole(row[4])], "{row:?}");
        assert!((risk - number(row[3])).abs() <= 1e-9 * risk.max(1.0), "{row:?}: {risk}");
        equal += 1;
    }
    assert_eq!(equal, 41);
}

#[test]
fn weakest_links_are_those_of_rparts_trees() {
    let Some(folder) = data() else { return };
    let mut equal = 0;
    for (key, steps) in groups(include_str!("../../../conformance/rpart_weakest_links.csv"), 2) {
        let (_, coded) = load(&folder, key[0]);
        let ours = path(&coded, key[1]);
        let theirs = steps.iter().map(|s| (number(s[0]), whole(s[1]), number(s[2])));
        let same = |(a, b): &(&(f64, usize, f64), (f64, usize, f64))| {
            close(a.0, b.0) && a.1 == b.1 && close(a.2, b.2)
        };
        let agree = ours.iter().zip(theirs).take_while(same).count();
        if let Some(tie) = TIES_THAT_STAY.iter().find(|t| (t.0, t.1) == (key[0], key[1])) {
            // The top of the tree is the same.
            assert!(agree >= 14, "{key:?}: {agree}");
            let last = ours.last().unwrap();
            assert_eq!([last.1, last.2.round() as usize], tie.2, "{key:?}");
            continue;
        }
        assert_eq!((agree, ours.len()), (steps.len(), steps.len()), "{key:?}");
        equal += 1;
    }
    assert_eq!(equal, 39);
}

/// rpart's own table is not always the weakest-link sequence. Where it differs from ours it contradicts itself: the fall in
/// error per split from a row to the next must be the `cp` of the upper row.
#[test]
fn tables_of_rpart_are_equal_or_contradict_themselves() {
    let Some(folder) = data() else { return };
    let classes = groups(include_str!("../../../conformance/rpart_cptable.csv"), 2);
    let numbers = groups(include_str!("../../../conformance/rpart_anova.csv"), 2);
    let mut equal = vec![];
    let mut contradicts = 0;
    for (key, steps) in classes.into_iter().chain(numbers) {
        let (_, coded) = load(&folder, key[0]);
        let root = number(steps[0][3]);
        let ours: Vec<(f64, usize, f64)> =
            path(&coded, key[1]).iter().map(|s| (s.0 / root, s.1 - 1, s.2 / root)).collect();
        let theirs: Vec<(f64, usize, f64)> =
            steps.iter().map(|s| (number(s[0]), whole(s[1]), number(s[2]))).collect();
        let same = ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|(a, b)| close(a.0, b.0) && a.1 == b.1 && close(a.2, b.2));
        let consistent = |table: &[(f64, usize, f64)]| {
            table.windows(2).all(|w| close((w[0].2 - w[1].2) / (w[1].1 - w[0].1) as f64, w[0].0))
        };
        assert!(consistent(&ours), "{key:?}");
        if same {
            equal.push(key);
        } else if !TIES_THAT_STAY.iter().any(|t| (t.0, t.1) == (key[0], key[1])) {
            assert!(!consistent(&theirs), "{key:?}");
            contradicts += 1;
        }
    }
    assert_eq!((equal.len(), contradicts), (22, 21), "{equal:?}");
    for name in ["iris", "heart-statlog", "sonar", "wine", "new-thyroid"] {
        assert_eq!(equal.iter().filter(|key| key[0] == name).count(), 3, "{name}");
    }
    assert_eq!(equal.iter().filter(|key| key[0] == "computer-hardware").count(), 2);
}

/// Row `i` in fold `i mod 10`. Errors and, for classes, standard errors; for numbers rpart takes the standard error over
/// rows, we take it over folds.
#[test]
fn cross_validated_errors_are_those_of_rpart() {
    let Some(folder) = data() else { return };
    let mut equal = vec![];
    for (key, steps) in groups(include_str!("../../../conformance/rpart_xval.csv"), 2) {
        let (table, coded) = load(&folder, key[0]);
        let folds = Folds::given((0..table.rows()).map(|i| Some((i % 10) as u32)).collect()).unwrap();
        let options = FitOptions { folds: Some(folds), ..FitOptions::default() };
        let scheme = scheme(&format!("cart:min-leaf={}/cost-complexity", key[1]));
        let path = path_of(&coded, &scheme, Some(10), &options, &Silent).unwrap();
        let root = path.steps.last().unwrap().training_error;
        let same = path.steps.len() == steps.len()
            && path.steps.iter().rev().zip(&steps).all(|(ours, theirs)| {
                let (error, se) = ours.validated.unwrap();
                ours.leaves - 1 == whole(theirs[1])
                    && close(error / root, number(theirs[3]))
                    && (coded.classes() == 0 || close(se / root, number(theirs[4])))
            });
        if same {
            equal.push((key[0], key[1]));
        }
    }
    assert_eq!(equal, EQUAL_FOLDS);
}

/// Not the others: the table of pima-diabetes is not the weakest-link sequence, so that other trees are asked about. With two
/// rows per leaf, the table of the ninth fold of heart-statlog is none either (one held-out row differs); the fold trees of glass
/// and computer-hardware are as large as rpart's, with other splits among equal ones.
const EQUAL_FOLDS: [(&str, &str); 7] = [
    ("computer-hardware", "10"),
    ("glass", "10"),
    ("heart-statlog", "10"),
    ("ionosphere", "10"),
    ("ionosphere", "2"),
    ("iris", "10"),
    ("iris", "2"),
];

fn errors(tree: &Tree) -> Vec<f64> {
    (0..tree.nodes().len()).map(|id| tree.error(id)).collect()
}

/// J48 replaces subtrees that do not lower the training error before it does anything else, with `-U` too.
fn collapse(tree: &Tree) -> Tree {
    let fall = cost_complexity::fall(tree, &errors(tree), tree.node(0).weight);
    tree.cut(&fall.iter().map(|f| *f <= 0.0).collect::<Vec<_>>())
}

/// What J48's options ask for: the minimum, the confidence (none with `-U`), and whether branches are raised.
fn j48_options(text: &str) -> (&str, Option<f64>, bool) {
    let words: Vec<&str> = text.split(' ').collect();
    let after = |option: &str| words.iter().position(|w| *w == option).map(|at| words[at + 1]);
    (after("-M").unwrap(), after("-C").map(number), !words.contains(&"-S"))
}

/// J48 takes its confidence limits with the exact quantile of the normal distribution (0.6745 at 0.25), as `limit=normal`
/// does; C4.5 and `limit=c45` take it from a short table (0.6925).
const QUANTILE: &str = "quantile";
/// J48 offers no threshold between values less than 1e-5 apart. At one node 25 thresholds are left of 30, the price
/// log2(thresholds)/rows falls below the gain, and J48 splits once more.
const CLOSE_VALUES: &str = "close values";
/// In J48 nominal attributes that gain nothing count in the mean gain an attribute must reach; here only positive gains do.
const GAINLESS: &str = "gainless";

/// Where we differ from J48: leaves, nodes and training errors of ours (those of J48 are in the file), and why.
const J48_DIFFERS: [(&str, &str, [usize; 3], &str); 9] = [
    ("balance-scale", "-C 0.25 -M 2", [58, 115, 58], QUANTILE),
    ("breast-w", "-C 0.25 -M 2", [16, 31, 11], QUANTILE),
    ("breast-w", "-C 0.25 -M 2 -S", [16, 31, 11], QUANTILE),
    ("glass", "-C 0.25 -M 2", [26, 51, 13], CLOSE_VALUES),
    ("glass", "-C 0.25 -M 2 -S", [26, 51, 13], CLOSE_VALUES),
    ("glass", "-U -M 2", [26, 51, 13], CLOSE_VALUES),
    ("pima-diabetes", "-C 0.25 -M 2", [22, 43, 120], QUANTILE),
    ("pima-diabetes", "-C 0.25 -M 2 -S", [22, 43, 120], QUANTILE),
    ("soybean", "-U -M 1", [178, 260, 2], GAINLESS),
];

#[test]
fn c45_trees_are_those_of_j48() {
    let Some(folder) = data() else { return };
    let mut equal = [0; 2];
    for (key, answers) in groups(include_str!("../../../conformance/weka_j48.csv"), 1) {
        let (table, coded) = load(&folder, key[0]);
        // `-B` splits one value from the rest, which no learner here does.
        for answer in answers.iter().filter(|a| !a[0].contains("-B")) {
            let (min_leaf, cf, raising) = j48_options(answer[0]);
            let full = collapse(&tree(&coded, &format!("c45:min-leaf={min_leaf}")));
            let theirs = [1, 2, 3].map(|i| whole(answer[i]));
            for (limit, equal) in [Limit::C45, Limit::Normal].into_iter().zip(&mut equal) {
                let tree = match cf {
                    None => full.clone(),
                    Some(cf) if raising => error_based::raise(&full, &coded, (None, 1.0), cf, limit).unwrap(),
                    Some(cf) => full.cut(&error_based::cut(&full, &errors(&full), cf, limit)),
                };
                let ours = measures(&tree, &table);
                let differs = J48_DIFFERS.iter().find(|d| (d.0, d.1) == (key[0], answer[0]));
                match differs.filter(|d| limit == Limit::C45 || d.3 != QUANTILE) {
                    Some((.., pinned, reason)) => {
                        assert_eq!(ours, *pinned, "{} {}", key[0], answer[0]);
                        assert_ne!(ours, theirs, "{} {}: no longer different ({reason})", key[0], answer[0]);
                    }
                    None => {
                        assert_eq!(ours, theirs, "{} {} {limit:?}", key[0], answer[0]);
                        *equal += 1;
                    }
                }
            }
        }
    }
    assert_eq!(equal, [111, 116]);
}

#[test]
fn unpruned_trees_are_those_of_simple_cart_and_bf_tree() {
    let Some(folder) = data() else { return };
    let mut equal = 0;
    for row in rows(include_str!("../../../conformance/weka_trees.csv")) {
        let learner = match (row[1], row[2]) {
            ("SimpleCart", "-U -M 2") => "cart:min-leaf-rule=node,min-leaf=2,min-split=4",
            ("SimpleCart", "-U -M 1") => "cart",
            ("BFTree", "-P UNPRUNED -M 2") => "best-first:min-leaf-rule=node,min-leaf=2,min-split=4",
            ("BFTree", "-P UNPRUNED -M 1") => "best-first:min-leaf=1",
            ("BFTree", "-P UNPRUNED -M 2 -G") => {
                "best-first:criterion=entropy,min-leaf-rule=node,min-leaf=2,min-split=4"
            }
            _ => continue,
        };
        let (table, coded) = load(&folder, row[0]);
        let ours = measures(&tree(&coded, learner), &table);
        if (row[0], row[1], row[2]) == ("pima-diabetes", "SimpleCart", "-U -M 2") {
            // At a node of nine rows several splits gain 1/9. The first cuts off one row, so that the node is a leaf; in
            // SimpleCart one that leaves three rows is larger in the last digit. BFTree has our tree.
            assert_eq!(ours, [79, 157, 43]);
            continue;
        }
        assert_eq!(ours, [3, 4, 5].map(|i| whole(row[i])), "{row:?}");
        equal += 1;
    }
    assert_eq!(equal, 39);
}

#[test]
fn full_trees_are_those_of_scikit_learn() {
    let Some(folder) = data() else { return };
    let mut compared = 0;
    for (key, seeds) in groups(include_str!("../../../conformance/sklearn_full.csv"), 2) {
        let (table, coded) = load(&folder, key[0]);
        let tree = tree(&coded, &format!("cart:min-leaf={}", key[1]));
        let [leaves, _, errors] = measures(&tree, &table);
        let theirs: Vec<[usize; 3]> = seeds.iter().map(|s| [1, 2, 3].map(|i| whole(s[i]))).collect();
        if key[1] == "10" {
            // Next to no ties: every seed gives this tree, except for an error of ionosphere.
            assert!(theirs.iter().all(|t| [t[0], t[2]] == [leaves, tree.depth()]), "{key:?}: {theirs:?}");
            assert!(theirs.contains(&[leaves, errors, tree.depth()]), "{key:?}: {errors} {theirs:?}");
        } else {
            let all = theirs.iter().map(|t| t[0]);
            let (least, most) = (all.clone().min().unwrap(), all.max().unwrap());
            // Two trees have a leaf less here, as in rpart: scikit-learn splits four rows of two classes, two and two, into
            // one and one twice, which gains nothing.
            let refused =
                usize::from([["heart-statlog", "2"], ["liver-disorders", "2"]].contains(&[key[0], key[1]]));
            assert!((least..=most).contains(&(leaves + refused)), "{key:?}: {leaves} {theirs:?}");
        }
        compared += 1;
    }
    assert_eq!(compared, 36);
}
