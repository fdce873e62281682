//! A tree as a Graphviz drawing.

use std::fmt;

use super::conditions::Conditions;
use super::formatting::{UNICODE, counted, rounded, weight, whole};
use super::lines::Lines;
use crate::drawing::CLASS_COLOURS;
use crate::tree::{LeafValues, NodeId, Stats, Tree};

/// How a tree is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DotOptions {
    /// Nodes further down are not drawn.
    pub max_depth: Option<usize>,
}

/// A tree that displays as a Graphviz file; made by [`dot`].
pub struct Dot<'a> {
    tree: &'a Tree,
    options: DotOptions,
}

/// The tree in the language of Graphviz: `dot -Tsvg` draws it. A leaf has the colour of its class, the paler the
/// more other classes there are; a leaf of a regression tree is the darker the larger its number.
///
/// ```
/// use secateur::report::{DotOptions, dot};
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart",
/// #   "attributes": [],
/// #   "target": {"type": "classes", "name": "play", "classes": ["yes", "no"]},
/// #   "nodes": [{"rows": 14, "weight": 14, "counts": [9, 5]}]}"#;
/// # let tree = secateur::tree::Model::from_json("m", json.as_bytes()).unwrap().tree;
/// assert!(dot(&tree, DotOptions::default()).to_string().starts_with("digraph tree {"));
/// ```
pub fn dot(tree: &Tree, options: DotOptions) -> Dot<'_> {
    Dot { tree, options }
}

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.tree;
        let words = Conditions::new(tree, &UNICODE);
        let name = whole(tree.schema().target.name(), &UNICODE);
        writeln!(f, "digraph tree {{")?;
        writeln!(f, "  graph [label={}, labelloc=t, fontname=\"Helvetica\"];", Quoted(&name))?;
        writeln!(
            f,
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];"
        )?;
        writeln!(f, "  edge [fontname=\"Helvetica\", fontsize=11];")?;
        let limit = self.options.max_depth.unwrap_or(usize::MAX);
        let (depths, below) = (tree.depths(), tree.nodes_below());
        let shades = Shades::of(tree);
        for id in 0..tree.nodes().len() {
            let depth = depths[id] as usize;
            if depth > limit {
                continue;
            }
            let is_cut = !tree.is_leaf(id) && depth == limit;
            if tree.is_leaf(id) || is_cut {
                let predicted = in_lines(&[words.prediction(id)]);
                let mut label = format!("{predicted}\n{}", support(tree, id)).trim_end().to_string();
                let mut style = String::new();
                if is_cut {
                    label += &format!("\n… {} below", counted(u64::from(below[id]), "node"));
                    style = ", style=\"rounded,filled,dashed\"".into();
                }
                let [r, g, b] = shades.colour(tree, id);
                let fill = format!("#{r:02x}{g:02x}{b:02x}");
                writeln!(f, "  n{id} [label={}, fillcolor=\"{fill}\"{style}];", Quoted(&label))?;
            } else if let Some(condition) = &tree.node(id).condition {
                let tested =
                    in_lines(&[whole(&tree.schema().attributes[condition.attribute()].name, &UNICODE)]);
                let label = format!("{tested}\n{}", support(tree, id));
                let label = label.trim_end();
                writeln!(f, "  n{id} [label={}];", Quoted(label))?;
            }
            if let Some(parent) = tree.node(id).parent {
                let asked = in_lines(&words.branch_pieces(id, false, None));
                writeln!(f, "  n{parent} -> n{id} [label={}];", Quoted(&asked))?;
            }
        }
        writeln!(f, "}}")
    }
}

/// Pieces in lines that a label is made of.
fn in_lines(pieces: &[String]) -> String {
    let mut lines = Lines::of_columns(30, String::new(), String::new());
    lines.add("", pieces);
    lines.finish().join("\n")
}

/// The weight behind a node, class by class where these are few.
fn support(tree: &Tree, id: NodeId) -> String {
    if !tree.has_counts() {
        return String::new();
    }
    let node = tree.node(id);
    let mut out = if node.weight == node.rows as f64 {
        counted(node.rows, "row")
    } else {
        format!("{}, weight {}", counted(node.rows, "row"), weight(node.weight))
    };
    match tree.stats() {
        Stats::Classes { classes, .. } if (2..=6).contains(classes) && node.weight > 0.0 => {
            let weights: Vec<String> = tree.class_weights(id).iter().map(|&w| weight(w)).collect();
            out += &format!("\n{}", weights.join(" / "));
        }
        Stats::Numbers { .. } if !tree.is_leaf(id) || tree.leaf_values() != LeafValues::Raw => {
            out += &format!("\nmean {}", rounded(tree.counted_value(id), 5))
        }
        _ => {}
    }
    out
}

/// The smallest and largest number that leaves of a regression tree predict.
struct Shades {
    low: f64,
    high: f64,
}

impl Shades {
    fn of(tree: &Tree) -> Self {
        let mut shades = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        if !tree.is_classifier() {
            for value in (0..tree.nodes().len()).map(|id| tree.value(id)) {
                shades = Self { low: shades.low.min(value), high: shades.high.max(value) };
            }
        }
        shades
    }

    fn colour(&self, tree: &Tree, id: NodeId) -> [u8; 3] {
        let (base, strength) = if tree.is_classifier() {
            let (label, said) = (tree.label(id), tree.answer(id));
            let even = 1.0 / said.len() as f64;
            let purity = if said.len() > 1 { (said[label] - even) / (1.0 - even) } else { 1.0 };
            (CLASS_COLOURS[label % CLASS_COLOURS.len()], 0.15 + 0.7 * purity)
        } else {
            let range = self.high - self.low;
            let place = if range > 0.0 { (tree.value(id) - self.low) / range } else { 0.5 };
            (CLASS_COLOURS[0], 0.1 + 0.8 * place)
        };
        let strength = if strength.is_finite() { strength } else { 0.5 };
        base.map(|c| (255.0 + (f64::from(c) - 255.0) * strength).round() as u8)
    }
}

/// A text in quotes, as Graphviz reads them; lines are centred.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{build, chain, classes, iris, leaf, nominal, random, subset};

    #[test]
    fn iris_is_drawn() {
        insta::assert_snapshot!(dot(&iris(), DotOptions::default()), @r##"
        digraph tree {
          graph [label="species", labelloc=t, fontname="Helvetica"];
          node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=11];
          n0 [label="petal width\n150 rows\n50 / 50 / 50"];
          n1 [label="setosa\n50 rows\n50 / 0 / 0", fillcolor="#6fbfec"];
          n0 -> n1 [label="< 0.8"];
          n2 [label="petal width\n100 rows\n0 / 50 / 50"];
          n0 -> n2 [label="≥ 0.8"];
          n3 [label="petal length\n54 rows\n0 / 49 / 5"];
          n2 -> n3 [label="< 1.75"];
          n4 [label="virginica\n46 rows\n0 / 1 / 45", fillcolor="#2caf8b"];
          n2 -> n4 [label="≥ 1.75"];
          n5 [label="versicolor\n48 rows\n0 / 47 / 1", fillcolor="#eab02c"];
          n3 -> n5 [label="< 4.95"];
          n6 [label="virginica\n6 rows\n0 / 2 / 4", fillcolor="#80cfb9"];
          n3 -> n6 [label="≥ 4.95"];
        }
        "##);
    }

    #[test]
    fn depth_is_limited() {
        insta::assert_snapshot!(dot(&iris(), DotOptions { max_depth: Some(1) }), @r##"
        digraph tree {
          graph [label="species", labelloc=t, fontname="Helvetica"];
          node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=11];
          n0 [label="petal width\n150 rows\n50 / 50 / 50"];
          n1 [label="setosa\n50 rows\n50 / 0 / 0", fillcolor="#6fbfec"];
          n0 -> n1 [label="< 0.8"];
          n2 [label="versicolor\n100 rows\n0 / 50 / 50\n… 4 nodes below", fillcolor="#f7e0ac", style="rounded,filled,dashed"];
          n0 -> n2 [label="≥ 0.8"];
        }
        "##);
    }

    #[test]
    fn hostile_names_stay_inside_their_quotes() {
        let tree = build(
            vec![nominal("a\"]; b\\", &["x\"", "\n", "\\N", "{|}"])],
            classes("<b>t</b>\\", &["\"", "\\"]),
            subset(0, "lrrr", leaf(&[1.5, 0.0]), leaf(&[0.0, 2.0])),
        );
        insta::assert_snapshot!(dot(&tree, DotOptions::default()), @r##"
        digraph tree {
          graph [label="<b>t</b>\\", labelloc=t, fontname="Helvetica"];
          node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=11];
          n0 [label="a\"]; b\\\n4 rows, weight 3.5\n1.5 / 2"];
          n1 [label="\"\n2 rows, weight 1.5\n1.5 / 0", fillcolor="#6fbfec"];
          n0 -> n1 [label="= x\""];
          n2 [label="\\\n2 rows\n0 / 2", fillcolor="#eaad26"];
          n0 -> n2 [label="≠ x\""];
        }
        "##);
    }

    #[test]
    fn every_tree_can_be_drawn() {
        for seed in 0..50 {
            let tree = random(seed, seed as usize, 2);
            let drawn = dot(&tree, DotOptions::default()).to_string();
            assert_eq!(drawn.matches(" -> ").count(), tree.nodes().len() - 1);
        }
        let drawn = dot(&chain(100_001), DotOptions { max_depth: Some(3) }).to_string();
        assert!(drawn.contains("99,994 nodes below"), "{drawn}");
    }
}
