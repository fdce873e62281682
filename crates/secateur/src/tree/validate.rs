//! What every tree must satisfy, checked in one pass: the gate through which a loaded model comes in.

use std::collections::HashSet;
use std::sync::Arc;

use super::limits::{MOST_SQUARE, MOST_TARGET, MOST_WEIGHT, is_weight, numbers};
use super::{Condition, Node, Stats, Tree};
use crate::error::shown;
use crate::schema::{AttributeKind, Schema, Target};

/// How far sums of weights may be off, relative to the sum.
const TOLERANCE: f64 = 1e-6;
/// And relative to all the training weight: tiny nodes inherit the rounding of large ones.
const ROUNDING: f64 = 1e-9;

impl Tree {
    /// Puts a tree together after checking everything a tree promises, so that nothing that reads it can
    /// go wrong: the order of the arena, links, conditions that fit their attributes, finite numbers,
    /// weights that add up. The error says which node or name is at fault.
    ///
    /// ```
    /// use secateur::tree::{Condition, Node, Stats, Tree};
    /// use secateur::schema::{Attribute, AttributeKind, Schema, ShownAs, Target};
    /// let schema = Schema::new(
    ///     vec![Attribute { name: "petal width".into(), kind: AttributeKind::Numeric, shown_as: ShownAs::Plain }],
    ///     Target::Classes { name: "species".into(), classes: vec!["setosa".into(), "other".into()] },
    /// );
    /// let leaf = |weight: f64| Node {
    ///     parent: Some(0), first_child: None, condition: None, rows: weight as u64, weight, gain: 0.0, rank: 0,
    /// };
    /// let root = Node {
    ///     parent: None,
    ///     first_child: Some(1),
    ///     condition: Some(Condition::Threshold { attribute: 0, below: 0.8, missing: None }),
    ///     gain: 0.444,
    ///     ..leaf(150.0)
    /// };
    /// let stats = Stats::Classes { classes: 2, weights: vec![50.0, 100.0, 50.0, 0.0, 0.0, 100.0] };
    /// let nodes = vec![root, leaf(50.0), leaf(100.0)];
    /// let tree = Tree::checked(schema.clone(), nodes.clone(), stats).unwrap();
    /// assert_eq!(tree.leaves(), 2);
    ///
    /// let stats = Stats::Classes { classes: 2, weights: vec![50.0, 100.0, 50.0, 0.0, 0.0, 99.0] };
    /// let problem = Tree::checked(schema, nodes, stats).unwrap_err();
    /// assert_eq!(problem, "node 2: its class weights add up to 99, but its weight is 100");
    /// ```
    pub fn checked(schema: impl Into<Arc<Schema>>, nodes: Vec<Node>, stats: Stats) -> Result<Tree, String> {
        let schema = schema.into();
        names(&schema)?;
        for (id, node) in nodes.iter().enumerate() {
            numbers(node).and_then(|()| condition(&schema, node)).map_err(|e| format!("node {id}: {e}"))?;
        }
        arena(&nodes)?;
        weights(&nodes)?;
        target(&schema, &nodes, &stats)?;
        Ok(Tree::from_parts(schema, nodes, stats))
    }
}

fn unique<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = HashSet::new();
    match names.into_iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(format!("{what} {} appears twice", shown(name))),
        None => Ok(()),
    }
}

/// Names point at one thing each.
fn names(schema: &Schema) -> Result<(), String> {
    let attributes = schema.attributes.iter().map(|a| a.name.as_str());
    unique("the column name", attributes.chain([schema.target.name()]))?;
    for attribute in &schema.attributes {
        unique("the value", attribute.values().iter().map(String::as_str))
            .map_err(|e| format!("attribute {}: {e}", shown(&attribute.name)))?;
        if u32::try_from(attribute.values().len()).is_err() {
            return Err(format!("attribute {}: too many values", shown(&attribute.name)));
        }
    }
    if let Target::Classes { classes, .. } = &schema.target {
        if classes.is_empty() {
            return Err("the target has no classes".into());
        }
        unique("the class", classes.iter().map(String::as_str))?;
    }
    Ok(())
}

/// The order of the arena: after the root come families of siblings, in the order of their parents' ranks.
fn arena(nodes: &[Node]) -> Result<(), String> {
    let Some(root) = nodes.first() else { return Err("there are no nodes".into()) };
    if u32::try_from(nodes.len()).is_err() {
        return Err(format!("{} nodes are too many", nodes.len()));
    }
    if root.parent.is_some() {
        return Err("node 0 is the root, but it has a parent".into());
    }
    for (id, node) in nodes.iter().enumerate() {
        if node.condition.is_some() != node.first_child.is_some() {
            return Err(format!("node {id}: a split needs a first child, and a leaf has none"));
        }
    }
    let (mut id, mut families, mut last_rank) = (1, 0, None);
    while id < nodes.len() {
        let Some(parent) = nodes[id].parent else {
            return Err(format!("node {id} has no parent, but only node 0 is the root"));
        };
        let Some(above) = nodes.get(parent as usize).filter(|_| (parent as usize) < id) else {
            return Err(format!("node {id}: its parent {parent} does not stand before it"));
        };
        let Some(condition) = above.condition.as_ref().filter(|_| above.first_child == Some(id as u32))
        else {
            return Err(format!("node {id} is not where its parent {parent} expects its children"));
        };
        let family = nodes[id..].iter().take(condition.branches());
        if family.len() != condition.branches() || family.clone().any(|n| n.parent != Some(parent)) {
            return Err(format!(
                "node {parent} has {} branches, but its children are not all there from node {id} on",
                condition.branches()
            ));
        }
        if last_rank.is_some_and(|rank| rank >= above.rank) {
            return Err(format!(
                "node {parent}: its rank {} does not fit the order in which its children were added",
                above.rank
            ));
        }
        last_rank = Some(above.rank);
        families += 1;
        id += condition.branches();
    }
    let splits = nodes.iter().filter(|n| n.condition.is_some()).count();
    if splits != families {
        return Err(format!("{splits} nodes are split, but only {families} of them have their children"));
    }
    Ok(())
}

/// A condition tests an attribute of its own kind and has somewhere to send rows.
fn condition(schema: &Schema, node: &Node) -> Result<(), String> {
    let Some(condition) = &node.condition else { return Ok(()) };
    let Some(attribute) = schema.attributes.get(condition.attribute()) else {
        return Err(format!(
            "it tests attribute {}, but there are {}",
            condition.attribute(),
            schema.attributes.len()
        ));
    };
    let name = shown(&attribute.name);
    match (condition, &attribute.kind) {
        (Condition::Known { .. }, _) => Ok(()),
        (Condition::Threshold { below, .. }, AttributeKind::Numeric) if below.is_finite() => Ok(()),
        (Condition::Threshold { below, .. }, AttributeKind::Numeric) => {
            Err(format!("its threshold on {name} is {below}; expected a finite number"))
        }
        (Condition::Subset { subsets, .. }, AttributeKind::Nominal { values }) => {
            let (left, right) = (subsets.left(), subsets.right());
            let mut codes = [left, right].concat();
            codes.sort_unstable();
            if let Some(code) = codes.last().filter(|&&code| code as usize >= values.len()) {
                Err(format!("its split on {name} names value {code}, but there are {}", values.len()))
            } else if let Some(twice) = codes.windows(2).find(|w| w[0] == w[1]) {
                let value = shown(&values[twice[0] as usize]);
                Err(format!("the value {value} appears twice in its split on {name}"))
            } else if left.is_empty() || right.is_empty() {
                Err(format!("its split on {name} leaves one side without values"))
            } else {
                Ok(())
            }
        }
        (Condition::EachValue { values: branches, .. }, AttributeKind::Nominal { values }) => {
            if values.is_empty() || *branches as usize != values.len() {
                Err(format!("it has {branches} branches for {name}, which has {} values", values.len()))
            } else {
                Ok(())
            }
        }
        (Condition::Threshold { .. }, AttributeKind::Nominal { .. }) => {
            Err(format!("it compares {name} with a number, but its values are from a list"))
        }
        (_, AttributeKind::Numeric) => {
            Err(format!("it splits {name} by values from a list, but it is numeric"))
        }
    }
}

/// Children share out the weight of their parent.
fn weights(nodes: &[Node]) -> Result<(), String> {
    let all = nodes[0].weight;
    if all <= 0.0 {
        return Err("node 0: its weight is 0, so the tree has seen no rows".into());
    }
    for (id, node) in nodes.iter().enumerate() {
        if let (Some(condition), Some(first)) = (&node.condition, node.first_child) {
            let family = &nodes[first as usize..][..condition.branches()];
            let sum = family.iter().map(|n| n.weight).sum::<f64>();
            if sum <= 0.0 || node.weight <= 0.0 || !close(sum, node.weight, all) {
                return Err(format!(
                    "node {id}: the weights of its children add up to {sum}, but its weight is {}",
                    node.weight
                ));
            }
        }
    }
    Ok(())
}

/// Every node has its numbers about the target, and they fit its weight.
fn target(schema: &Schema, nodes: &[Node], stats: &Stats) -> Result<(), String> {
    match (stats, &schema.target) {
        (Stats::Classes { classes, weights }, Target::Classes { classes: labels, .. }) => {
            if *classes != labels.len() || Some(weights.len()) != classes.checked_mul(nodes.len()) {
                return Err(format!("not every node has {} class weights", labels.len()));
            }
            for (id, (node, own)) in nodes.iter().zip(weights.chunks_exact(*classes)).enumerate() {
                if let Some(bad) = own.iter().find(|w| !is_weight(**w)) {
                    return Err(format!(
                        "node {id}: a class weight is {bad:?}; expected a number from 0 to {MOST_WEIGHT:e}"
                    ));
                }
                let sum = own.iter().sum::<f64>();
                if !close(sum, node.weight, nodes[0].weight) || (sum > 0.0) != (node.weight > 0.0) {
                    return Err(format!(
                        "node {id}: its class weights add up to {sum}, but its weight is {}",
                        node.weight
                    ));
                }
            }
        }
        (Stats::Numbers { mean, mse, median }, Target::Number { .. }) => {
            let all = nodes.len();
            if mean.len() != all || mse.len() != all || !(median.is_empty() || median.len() == all) {
                return Err("not every node has a mean and its mean squared error".into());
            }
            for id in 0..all {
                let values = [mean[id], median.get(id).copied().unwrap_or(0.0)];
                if let Some(bad) = values.iter().find(|value| !(-MOST_TARGET..=MOST_TARGET).contains(*value))
                {
                    return Err(format!(
                        "node {id}: its mean or median is {bad:?}; expected a number from -1e150 to 1e150"
                    ));
                }
                if !(0.0..=MOST_SQUARE).contains(&mse[id]) {
                    return Err(format!(
                        "node {id}: its mean squared error is {:?}; expected a number from 0 to 1e300",
                        mse[id]
                    ));
                }
            }
        }
        _ => return Err("what the nodes know of the target does not fit the target".into()),
    }
    Ok(())
}

fn close(a: f64, b: f64, all: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.max(b) + ROUNDING * all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{chain, iris, weather};

    type Parts = (Schema, Vec<Node>, Stats);

    fn parts(tree: Tree) -> Parts {
        (tree.schema().clone(), tree.nodes().to_vec(), tree.stats().clone())
    }

    /// What is wrong after a change to a good tree.
    fn problem(tree: Tree, change: impl FnOnce(&mut Parts)) -> String {
        let mut parts = parts(tree);
        change(&mut parts);
        Tree::checked(parts.0, parts.1, parts.2).expect_err("the change should matter")
    }

    #[test]
    fn good_trees_pass() {
        for tree in [weather(), iris(), chain(1001)] {
            let (schema, nodes, stats) = parts(tree.clone());
            assert_eq!(Tree::checked(schema, nodes, stats).unwrap(), tree);
        }
    }

    #[test]
    fn ranks_may_have_gaps_but_not_fall_or_repeat() {
        let (schema, mut nodes, stats) = parts(iris());
        let splits: Vec<usize> = (0..nodes.len()).filter(|&id| nodes[id].condition.is_some()).collect();
        for &id in &splits {
            nodes[id].rank = nodes[id].rank * 10 + 3;
        }
        Tree::checked(schema, nodes, stats).unwrap();
        assert!(problem(iris(), |p| p.1[splits[1]].rank = 0).contains("rank 0"));
        assert!(problem(iris(), |p| p.1[splits[0]].rank = 99).contains("does not fit the order"));
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a list of cases")]
    fn every_broken_promise_is_named() {
        let no_leaf = |p: &mut Parts| p.1[1].first_child = Some(3);
        let cases: Vec<(&str, String)> = vec![
            ("no nodes", problem(iris(), |p| p.1.clear())),
            ("has a parent", problem(iris(), |p| p.1[0].parent = Some(0))),
            ("first child", problem(iris(), no_leaf)),
            ("no parent", problem(iris(), |p| p.1[1].parent = None)),
            ("does not stand before", problem(iris(), |p| p.1[1].parent = Some(7))),
            ("does not stand before", problem(iris(), |p| p.1[1].parent = Some(1))),
            ("expects its children", problem(iris(), |p| p.1[0].first_child = Some(2))),
            ("expects its children", problem(iris(), |p| p.1[0].first_child = Some(u32::MAX))),
            ("not all there", problem(iris(), |p| p.1[2].parent = Some(1))),
            ("its weight is -1.0; expected", problem(iris(), |p| p.1[1].weight = -1.0)),
            ("its weight is NaN", problem(iris(), |p| p.1[1].weight = f64::NAN)),
            ("gain is inf", problem(iris(), |p| p.1[0].gain = f64::INFINITY)),
            (
                "tests attribute 9",
                problem(iris(), |p| {
                    p.1[0].condition = Some(Condition::Threshold { attribute: 9, below: 1.0, missing: None });
                }),
            ),
            (
                "threshold on 'petal width' is NaN",
                problem(iris(), |p| {
                    p.1[0].condition =
                        Some(Condition::Threshold { attribute: 1, below: f64::NAN, missing: None });
                }),
            ),
            (
                "from a list",
                problem(iris(), |p| {
                    p.1[0].condition = Some(Condition::EachValue { attribute: 1, values: 2, missing: false });
                }),
            ),
            (
                "compares 'outlook' with a number",
                problem(weather(), |p| {
                    p.1[1].condition = Some(Condition::Threshold { attribute: 0, below: 1.0, missing: None });
                }),
            ),
            ("add up to", problem(iris(), |p| p.1[1].weight = 60.0)),
            ("add up to 0", problem(iris(), |p| p.1[1..].iter_mut().for_each(|n| n.weight = 0.0))),
            ("no rows", problem(iris(), |p| p.1.iter_mut().for_each(|n| n.weight = 0.0))),
            (
                "class weight is -5.0",
                problem(iris(), |p| match &mut p.2 {
                    Stats::Classes { weights, .. } => weights[3] = -5.0,
                    Stats::Numbers { .. } => unreachable!(),
                }),
            ),
            (
                "class weights add up to",
                problem(iris(), |p| match &mut p.2 {
                    Stats::Classes { weights, .. } => weights[3] += 1.0,
                    Stats::Numbers { .. } => unreachable!(),
                }),
            ),
            (
                "not every node has 3",
                problem(iris(), |p| match &mut p.2 {
                    Stats::Classes { weights, .. } => weights.truncate(4),
                    Stats::Numbers { .. } => unreachable!(),
                }),
            ),
            (
                "does not fit the target",
                problem(iris(), |p| {
                    p.2 = Stats::Numbers { mean: vec![], mse: vec![], median: vec![] };
                }),
            ),
            (
                "'petal width' appears twice",
                problem(iris(), |p| p.0.attributes[0].name = "petal width".into()),
            ),
            ("'species' appears twice", problem(iris(), |p| p.0.attributes[0].name = "species".into())),
            (
                "'setosa' appears twice",
                problem(iris(), |p| match &mut p.0.target {
                    Target::Classes { classes, .. } => classes[1] = "setosa".into(),
                    Target::Number { .. } => unreachable!(),
                }),
            ),
        ];
        for (expected, found) in cases {
            assert!(found.contains(expected), "{expected:?} not in {found:?}");
        }
    }
}
