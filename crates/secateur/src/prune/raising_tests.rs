//! Raising against a plain recursive description of it, and what must hold for every raised tree.

use super::*;
use crate::data::{Column, Nominal, Roles, Table, Values, builtin};
use crate::grow::{grow, grow_weighted};
use crate::progress::Silent;
use crate::prune::bottom_up::cut;
use crate::prune::error_based::{self, ConfidenceLimit, Limit};
use crate::prune::size_pessimistic::SizePenalty;
use crate::route::Routed;
use crate::schema::Task;
use crate::spec::{GrowSpec, NominalSplits};
use crate::tree::Condition;
use crate::tree::testing::{Dice, chain};
use proptest::prelude::*;

/// Numbers and values, some missing, and a class that depends on a few of them.
fn table(seed: u64, rows: usize, classes: usize, missing: f64) -> CodedTable {
    let mut dice = Dice(seed);
    let gap = |dice: &mut Dice| dice.unit() < missing;
    let mut columns = Vec::new();
    for c in 0..3 {
        let cells =
            (0..rows).map(|_| if gap(&mut dice) { f64::NAN } else { dice.below(12) as f64 }).collect();
        columns.push(Column { name: format!("x{c}"), values: Values::Numeric(cells) });
        let levels = (0..3 + c).map(|v| format!("v{v}")).collect();
        let codes = (0..rows)
            .map(|_| if gap(&mut dice) { crate::data::MISSING } else { dice.below(3 + c) as u32 })
            .collect();
        columns.push(Column { name: format!("n{c}"), values: Values::Nominal(Nominal { levels, codes }) });
    }
    let Values::Numeric(x) = &columns[0].values else { unreachable!() };
    let class = |x: f64, dice: &mut Dice| {
        if dice.below(3) == 0 || x.is_nan() { dice.below(classes) } else { x as usize / 4 % classes }
    };
    let codes = x.clone().into_iter().map(|x| class(x, &mut dice) as u32).collect();
    let levels = (0..classes).map(|c| format!("c{c}")).collect();
    columns.push(Column { name: "class".into(), values: Values::Nominal(Nominal { levels, codes }) });
    CodedTable::new(&Table::new("random", columns).unwrap(), &Roles::default()).unwrap()
}

/// A subtree without rows.
#[derive(Clone)]
struct Plain {
    split: Option<(Condition, Vec<Plain>)>,
}

struct Naive<'a, J> {
    table: &'a CodedTable,
    estimator: &'a J,
}

impl<J: Estimator> Naive<'_, J> {
    fn plain(tree: &Tree, id: usize) -> Plain {
        let split = tree.node(id).condition.clone();
        Plain { split: split.map(|s| (s, tree.children(id).map(|c| Self::plain(tree, c)).collect())) }
    }

    fn rows_of(&self, split: &Condition, rows: &[usize]) -> Vec<Vec<usize>> {
        let column = &self.table.columns()[split.attribute()];
        let mut branches = vec![Vec::new(); split.branches()];
        for &row in rows {
            branches[split.route(column.cell(column.codes.get(row))).unwrap()].push(row);
        }
        branches
    }

    fn leaf(&self, rows: &[usize]) -> f64 {
        let CodedTarget::Classes { classes, codes } = self.table.target() else { unreachable!() };
        let mut counts = vec![0.0; *classes];
        rows.iter().for_each(|&r| counts[codes[r] as usize] += 1.0);
        let weight: f64 = counts.iter().sum();
        let most = counts.iter().copied().fold(0.0, f64::max);
        self.estimator.leaf(weight, weight - most)
    }

    fn seen(&self, tree: &Plain, rows: &[usize]) -> SubtreeEstimate {
        let Some((split, children)) = &tree.split else {
            return SubtreeEstimate { estimate: self.leaf(rows), nodes: 1 };
        };
        let below: Vec<SubtreeEstimate> =
            self.rows_of(split, rows).iter().zip(children).map(|(rows, c)| self.seen(c, rows)).collect();
        together(&below)
    }

    fn prune(&self, tree: Plain, rows: &[usize]) -> Plain {
        let Some((split, children)) = tree.split else { return tree };
        let parts = self.rows_of(&split, rows);
        let children: Vec<Plain> =
            children.into_iter().zip(&parts).map(|(c, rows)| self.prune(c, rows)).collect();
        let most = parts.iter().map(Vec::len).max().unwrap();
        let largest = children[parts.iter().position(|p| p.len() == most).unwrap()].clone();
        let raised = largest.split.is_some().then(|| self.seen(&largest, rows));
        let whole = Plain { split: Some((split, children)) };
        match self.estimator.decide(rows.len() as f64, self.leaf(rows), self.seen(&whole, rows), raised) {
            Verdict::Keep => whole,
            Verdict::Leaf => Plain { split: None },
            Verdict::Raise => self.prune(largest, rows),
        }
    }

    fn same(&self, plain: &Plain, tree: &Tree, id: usize, rows: &[usize]) {
        assert_eq!(tree.node(id).rows, rows.len() as u64);
        assert_eq!(tree.node(id).condition, plain.split.as_ref().map(|s| s.0.clone()));
        if let Some((split, children)) = &plain.split {
            for ((c, plain), rows) in tree.children(id).zip(children).zip(self.rows_of(split, rows)) {
                self.same(plain, tree, c, &rows);
            }
        }
    }
}

/// Raises whatever costs few errors, and makes few leaves.
struct Eager {
    room: f64,
}

impl Estimator for Eager {
    fn leaf(&self, _: f64, errors: f64) -> f64 {
        errors
    }

    fn decide(
        &self,
        _: f64,
        leaf: f64,
        subtree: SubtreeEstimate,
        raised: Option<SubtreeEstimate>,
    ) -> Verdict {
        match raised {
            _ if leaf <= subtree.estimate => Verdict::Leaf,
            Some(raised) if raised.estimate <= subtree.estimate + self.room => Verdict::Raise,
            _ => Verdict::Keep,
        }
    }
}

fn errors(tree: &Tree) -> Vec<f64> {
    (0..tree.nodes().len()).map(|id| tree.error(id)).collect()
}

/// Whether raising changed anything, once it is what its description says.
fn compare(table: &CodedTable, tree: &Tree, estimator: &impl Estimator) -> usize {
    let raised = raise(tree, table, (None, 1.0), estimator).unwrap();
    let naive = Naive { table, estimator };
    let rows: Vec<usize> = (0..table.rows()).collect();
    naive.same(&naive.prune(Naive::<ConfidenceLimit>::plain(tree, 0), &rows), &raised, 0, &rows);
    Tree::checked(raised.schema().clone(), raised.nodes().to_vec(), raised.stats().clone()).unwrap();
    let cut = tree.cut(&cut(tree, &errors(tree), estimator));
    usize::from(cut.nodes().iter().map(|n| &n.condition).ne(raised.nodes().iter().map(|n| &n.condition)))
}

#[test]
fn raising_is_what_its_description_says() {
    let mut differ = 0;
    for seed in 0..60 {
        let table = table(seed, 150, 2 + seed as usize % 4, 0.0);
        let cart = GrowSpec { nominal: NominalSplits::Multiway, ..GrowSpec::cart(Task::Classification) };
        let spec = if seed % 2 == 0 { GrowSpec::c45(Task::Classification) } else { cart };
        let tree = grow(&table, &spec, &Silent).unwrap();
        for cf in [0.02, 0.25, 0.6] {
            for limit in [Limit::Exact, Limit::C45, Limit::Normal] {
                differ += compare(&table, &tree, &ConfidenceLimit { cf, limit });
            }
        }
        for room in [0.5, 1.5, 4.5] {
            differ += compare(&table, &tree, &Eager { room });
        }
        for c in [0.0, 0.05, 0.2] {
            differ += compare(&table, &tree, &SizePenalty { c, attributes: 6 });
        }
    }
    assert!(differ > 100, "raising did something only {differ} times");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_raised_tree_is_a_good_tree_with_the_counts_of_its_rows(
        seed in any::<u64>(), five in any::<bool>(), gaps in 0.0..0.4f64, cf in 0.01..1.0f64, cart in any::<bool>(),
    ) {
        let table = table(seed, 120, if five { 5 } else { 2 }, gaps);
        let weights: Vec<f64> = (0..120).map(|row| [0.0, 1.0, 2.5][row % 3]).collect();
        let spec = if cart { GrowSpec::cart(Task::Classification) } else { GrowSpec::c45(Task::Classification) };
        let tree = grow_weighted(&table, Some(&weights), &spec, &Silent).unwrap();
        for limit in [Limit::Exact, Limit::C45, Limit::Normal] {
            let raised = error_based::raise(&tree, &table, (Some(&weights), 1.0), cf, limit).unwrap();
            prop_assert!(raised.leaves() <= tree.leaves());
            let (nodes, stats) = (raised.nodes().to_vec(), raised.stats().clone());
            prop_assert!(Tree::checked(raised.schema().clone(), nodes, stats).is_ok());
            let routed = Routed::new(&raised, &table, Some(&weights)).unwrap();
            for id in 0..raised.nodes().len() {
                for (a, b) in routed.class_weights(id).iter().zip(raised.class_weights(id)) {
                    prop_assert!((a - b).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn the_counts_of_a_tree_that_is_not_pruned_stay() {
    let iris = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    let tree = grow(&iris, &GrowSpec::c45(Task::Classification), &Silent).unwrap();
    let never = SizePenalty { c: 0.0, attributes: 4 };
    let raised = raise(&tree, &iris, (None, 1.0), &never).unwrap();
    assert_eq!(raised, tree.cut(&cut(&tree, &errors(&tree), &never)));
    let friedman = CodedTable::new(&builtin::load("friedman?n=50").unwrap(), &Roles::default()).unwrap();
    let numbers = grow(&friedman, &GrowSpec::cart(Task::Regression), &Silent).unwrap();
    assert!(raise(&numbers, &friedman, (None, 1.0), &never).is_err());
    assert!(error_based::raise(&tree, &iris, (None, 1.0), 0.0, Limit::Exact).is_err());
}

#[test]
fn a_long_chain_is_settled() {
    let splits = 3000;
    let tree = chain(2 * splits + 1);
    let x = Column { name: "x".into(), values: Values::Numeric((0..=splits).map(|k| k as f64).collect()) };
    let codes = (0..=splits).map(|k| (k % 2 * usize::from(k < splits)) as u32).collect();
    let class = Nominal { levels: vec!["even".into(), "odd".into()], codes };
    let y = Column { name: "class".into(), values: Values::Nominal(class) };
    let table = CodedTable::new(&Table::new("rows", vec![x, y]).unwrap(), &Roles::default()).unwrap();
    let kept = raise(&tree, &table, (None, 1.0), &SizePenalty { c: 0.0, attributes: 1 }).unwrap();
    assert_eq!(kept.leaves(), splits + 1);
    let pruned = error_based::raise(&tree, &table, (None, 1.0), 0.25, Limit::Exact).unwrap();
    assert!(pruned.leaves() < splits);
}
