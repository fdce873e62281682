//! Facts about data sets, about single splits of all rows, and about the nodes of one tree.

use super::data::load;
use super::experiment::{Experiment, ExperimentKind};
use super::published::Published;
use super::results::Key;
use super::running::{FoundData, Run};
use secateur::criterion::Measure as Impurity;
use secateur::data::{Column, MISSING, Table, Values};
use secateur::error::{Error, Result};
use secateur::fit::{FitOptions, fit};
use secateur::progress::Progress;
use secateur::prune::k_norm::{KNorm, Lambda, norms};
use secateur::schema::Cell;
use secateur::scheme::Scheme;
use secateur::split::principal_scores;
use secateur::tree::{NodeId, Tree};

/// Runs an experiment of one of these kinds.
pub(super) fn run(
    experiment: &Experiment,
    published: &Published,
    found: &[FoundData],
    run: &mut Run,
    progress: &dyn Progress,
) -> Result<()> {
    for set in found {
        let table = match load(&set.from, &set.ignore) {
            Ok(table) => table,
            Err(why) => {
                run.fail(&set.name, "all", &why.to_string());
                continue;
            }
        };
        run.rows.insert(set.name.clone(), table.rows());
        match experiment.kind {
            ExperimentKind::Properties => {
                run.protocol = "the data sets as they are read".into();
                for measure in &experiment.measures {
                    if let Some(x) = property(&table, &measure.measure) {
                        run.results.set(Key::new(&set.name, "", &measure.metric), measure.scale * x, None);
                    }
                }
            }
            ExperimentKind::Nodes => {
                run.protocol = "one tree from all rows".into();
                for scheme in &experiment.schemes {
                    let parsed: Scheme = scheme.scheme.parse()?;
                    let tree = fit(&set.table(false)?, &parsed, &FitOptions::default(), progress)?.tree;
                    let facts = NodeFacts::new(&tree, &table, &parsed);
                    for (path, id) in paths(&tree) {
                        for measure in &experiment.measures {
                            if let Some(x) = facts.of(id, &measure.measure) {
                                let key = Key::new(&set.name, &scheme.name, &measure.metric).group(&path);
                                run.results.set(key, measure.scale * x, None);
                            }
                        }
                    }
                }
            }
            _ => {
                run.protocol = "splits of all rows".into();
                for cell in published.cells.iter().filter(|cell| cell.key.dataset == set.name) {
                    let Some(measure) = experiment.measure(&cell.key.metric) else { continue };
                    let group = cell.key.group.as_deref().unwrap_or_default();
                    match split_fact(&table, group, &measure.measure) {
                        Ok(x) => run.results.set(cell.key.clone(), measure.scale * x, None),
                        Err(why) => run.fail(&set.name, group, &why.to_string()),
                    }
                }
            }
        }
    }
    Ok(())
}

/// The target, and the columns before it.
fn parts(table: &Table) -> Option<(&Column, &[Column])> {
    table.columns().split_last()
}

/// How many rows have each value of a list.
fn counts(values: &Values) -> Option<Vec<f64>> {
    let is_list = matches!(values, Values::Nominal(_));
    is_list.then(|| values.counts().1.into_iter().map(|n| n as f64).collect())
}

/// How many values of a list some row has.
fn different(values: &Values) -> Option<usize> {
    counts(values).map(|counts| counts.iter().filter(|n| **n > 0.0).count())
}

/// What a data set is like.
fn property(table: &Table, measure: &str) -> Option<f64> {
    let (target, attributes) = parts(table)?;
    let count = |wanted: fn(&Values) -> bool| attributes.iter().filter(|c| wanted(&c.values)).count() as f64;
    Some(match measure {
        "rows" => table.rows() as f64,
        "numeric" => count(|values| matches!(values, Values::Numeric(_))),
        "nominal" => count(|values| matches!(values, Values::Nominal(_))),
        "classes" => different(&target.values)? as f64,
        "missing" => f64::from(u8::from(attributes.iter().any(|c| c.values.missing() > 0))),
        "most-values" => attributes.iter().filter_map(|column| different(&column.values)).max()? as f64,
        "majority-percent" => {
            let counts = counts(&target.values)?;
            100.0 * counts.iter().fold(0.0, |a: f64, b| a.max(*b)) / counts.iter().sum::<f64>()
        }
        _ => return None,
    })
}

/// A fact about a split (`temperature<64.5`, `outlook=sunny`, `value={a4 a5}`), or about a value of the first attribute.
fn split_fact(table: &Table, group: &str, measure: &str) -> Result<f64> {
    let unknown = || Error::parameter(format!("'{group}' is not a split of {} with {measure}", table.name()));
    let (target, attributes) = parts(table).ok_or_else(unknown)?;
    let all = counts(&target.values).ok_or_else(unknown)?;
    let Values::Nominal(target) = &target.values else { return Err(unknown()) };
    let classes = target.levels.len();
    // The class counts of the rows whose cell is wanted.
    let tally = |column: usize, wanted: &dyn Fn(usize, &Values) -> bool| {
        let mut tally = vec![0.0; classes];
        let values = &attributes[column].values;
        for (row, &class) in target.codes.iter().enumerate() {
            if class != MISSING && wanted(row, values) {
                tally[class as usize] += 1.0;
            }
        }
        tally
    };
    let is = |names: &[&str], row: usize, values: &Values| match values {
        Values::Nominal(nominal) => nominal
            .levels
            .get(nominal.codes[row] as usize)
            .is_some_and(|level| names.contains(&level.as_str())),
        Values::Numeric(_) => false,
    };
    if measure == "score" || measure.starts_with("class-") {
        let first = &attributes.first().ok_or_else(unknown)?.values;
        let tally = |level: &str| tally(0, &|row, values| is(&[level], row, values));
        return value_fact(first, group, measure, classes, tally).ok_or_else(unknown);
    }
    let left = if let Some((name, below)) = group.split_once('<') {
        let below: f64 = below.parse().map_err(|_| unknown())?;
        tally(table.position(name)?, &|row, values| match values {
            Values::Numeric(numbers) => numbers[row] < below,
            Values::Nominal(_) => false,
        })
    } else {
        let (name, values) = group.split_once('=').ok_or_else(unknown)?;
        let names: Vec<&str> = values.trim_matches(['{', '}']).split_whitespace().collect();
        tally(table.position(name)?, &|row, values| is(&names, row, values))
    };
    let right: Vec<f64> = all.iter().zip(&left).map(|(all, left)| all - left).collect();
    let n: f64 = all.iter().sum();
    let gain = |by: Impurity| (by.cost(&all) - by.cost(&left) - by.cost(&right)) / n;
    let side = |side: &[f64], class: &str| {
        let class: usize = class.parse().map_err(|_| unknown())?;
        class.checked_sub(1).and_then(|class| side.get(class)).copied().ok_or_else(unknown)
    };
    match measure {
        "gini-gain" => Ok(gain(Impurity::Gini)),
        "information-gain" => Ok(gain(Impurity::Entropy)),
        _ => match (measure.strip_prefix("left-"), measure.strip_prefix("right-")) {
            (Some(class), _) => side(&left, class),
            (_, Some(class)) => side(&right, class),
            _ => Err(unknown()),
        },
    }
}

/// A fact about a value of an attribute: its class counts, or its score on the first principal component of them.
fn value_fact(
    attribute: &Values,
    value: &str,
    measure: &str,
    classes: usize,
    tally: impl Fn(&str) -> Vec<f64>,
) -> Option<f64> {
    let Values::Nominal(attribute) = attribute else { return None };
    let place = attribute.levels.iter().position(|level| level == value)?;
    let tallies: Vec<f64> = attribute.levels.iter().flat_map(|level| tally(level)).collect();
    match measure.strip_prefix("class-") {
        Some(class) => {
            let class = class.parse::<usize>().ok().filter(|class| (1..=classes).contains(class))?;
            Some(tallies[place * classes + class - 1])
        }
        None => principal_scores(&tallies, classes).get(place).copied(),
    }
}

/// Every node with its way down: `root`, `1` and `2` below it, `21` the first branch of the second.
fn paths(tree: &Tree) -> Vec<(String, NodeId)> {
    let mut paths = vec![String::new(); tree.nodes().len()];
    for id in 0..tree.nodes().len() {
        for (branch, child) in (1..).zip(tree.children(id)) {
            paths[child] = format!("{}{branch}", paths[id]);
        }
    }
    paths[0] = "root".into();
    paths.into_iter().enumerate().map(|(id, path)| (path, id)).collect()
}

/// What is known of the nodes of a tree.
struct NodeFacts<'a> {
    tree: &'a Tree,
    table: &'a Table,
    rule: KNorm,
    norms: [Vec<f64>; 2],
}

impl<'a> NodeFacts<'a> {
    fn new(tree: &'a Tree, table: &'a Table, scheme: &Scheme) -> Self {
        let options = scheme.pruner.as_ref().map(|pruner| pruner.options(tree.task()));
        let value = |name: &str| options.as_ref().filter(|o| o.has(name)).and_then(|o| o.optional(name));
        let lambda = value("lambda").map_or(Lambda::default(), Lambda::Fixed);
        let rule = KNorm::new(tree, lambda, value("eta").unwrap_or(0.5));
        Self { tree, table, rule, norms: [1.0, 2.0].map(|k| norms(tree, &rule, k)) }
    }

    fn of(&self, id: NodeId, measure: &str) -> Option<f64> {
        let node = self.tree.node(id);
        let (one, two) = (self.norms[0][id], self.norms[1][id]);
        Some(match measure {
            "rows" => node.weight,
            "leaves" if id == 0 => self.tree.leaves() as f64,
            "nodes" if id == 0 => self.tree.nodes().len() as f64,
            "errors" => self.tree.error(id),
            // Classes count from 1, as in the document.
            "label" => self.tree.is_leaf(id).then(|| self.tree.label(id) + 1)? as f64,
            "attribute" => node.condition.as_ref()?.attribute() as f64 + 1.0,
            "largest-left" => self.largest_left(id)?,
            "expected-error" => one,
            "second-moment" => two * two,
            "deviation" => (two * two - one * one).max(0.0).sqrt(),
            "2-norm" => two,
            "share" => self.rule.share(self.tree, node.parent? as usize, id),
            _ => return None,
        })
    }

    /// The largest number in the data that a threshold sends to the first branch.
    fn largest_left(&self, id: NodeId) -> Option<f64> {
        let condition = self.tree.node(id).condition.as_ref()?;
        let Values::Numeric(numbers) = &self.table.columns()[condition.attribute()].values else {
            return None;
        };
        let left = numbers.iter().filter(|x| condition.route(Cell::Number(**x)) == Some(0));
        left.copied().max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur::data::builtin;

    #[test]
    fn what_a_table_is_like() {
        let iris = builtin::load("iris").unwrap();
        let of = |measure: &str| property(&iris, measure);
        assert_eq!(
            ["rows", "numeric", "nominal", "classes", "missing"].map(of),
            [150., 4., 0., 3., 0.].map(Some)
        );
        assert_eq!((of("most-values"), of("colour")), (None, None));
        let weather = builtin::load("weather").unwrap();
        assert_eq!(property(&weather, "most-values"), Some(3.0));
        assert!((property(&weather, "majority-percent").unwrap() - 900.0 / 14.0).abs() < 1e-12);
    }

    #[test]
    fn splits_are_read_as_they_are_written() {
        let weather = builtin::load("weather").unwrap();
        let of = |split: &str, measure: &str| split_fact(&weather, split, measure);
        // Shi 3.2.1: 2 and 3 of 5 to the left, 7 and 2 of 9 to the right.
        let counts = ["left-1", "left-2", "right-1", "right-2"].map(|m| of("outlook=sunny", m).unwrap());
        assert_eq!(counts, [2.0, 3.0, 7.0, 2.0]);
        let both = of("outlook={sunny rainy}", "gini-gain").unwrap();
        assert!((both - of("outlook=overcast", "gini-gain").unwrap()).abs() < 1e-15);
        assert!((of("temperature<84", "information-gain").unwrap() - 0.113).abs() < 0.0005);
        for (split, measure) in
            [("84", "gini-gain"), ("humidity<x", "gini-gain"), ("outlook=sunny", "left-3")]
        {
            assert!(of(split, measure).is_err(), "{split} {measure}");
        }
        assert!(of("sky=blue", "gini-gain").unwrap_err().to_string().contains("sky"));
    }

    #[test]
    fn nodes_are_named_by_their_way_down() {
        let table =
            secateur::data::CodedTable::new(&builtin::load("iris").unwrap(), &Default::default()).unwrap();
        let tree = fit(
            &table,
            &"cart:max-splits=2".parse().unwrap(),
            &FitOptions::default(),
            &secateur::progress::Silent,
        )
        .unwrap()
        .tree;
        let names: Vec<String> = paths(&tree).into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, ["root", "1", "2", "21", "22"]);
    }
}
