//! A small tree as tests inside tests, which people can read; large trees are walked down by their tables.

use secateur::report::NodeText;

use super::flat::{Flat, NOWHERE, Test};

/// The most leaves and the greatest depth that are written as tests inside tests.
const MOST_LEAVES: usize = 64;
const DEEPEST: usize = 24;
/// The most values that one test names.
const MOST_VALUES: usize = 12;

/// How a language writes tests.
pub(super) struct Syntax {
    /// The lines around a branch: `if` and a test, `else if` and a test, what ends it.
    pub(super) first: fn(&str) -> String,
    pub(super) next: fn(&str) -> String,
    pub(super) end: &'static str,
    /// An input that is below a number, and one that is not.
    pub(super) below: fn(usize, &str) -> String,
    pub(super) not_below: fn(usize, &str) -> String,
    /// An input that is one of these codes; they are never none.
    pub(super) one_of: fn(usize, &[usize]) -> String,
    /// An input without a value, and one with a value.
    pub(super) missing: fn(usize) -> String,
    pub(super) known: fn(usize) -> String,
    /// The opposite of a test, and one of two tests.
    pub(super) not: fn(&str) -> String,
    pub(super) or: &'static str,
    /// The end at a leaf, and where no branch is known.
    pub(super) leaf: fn(usize) -> String,
    pub(super) nowhere: &'static str,
    /// A note at the end of a line.
    pub(super) note: fn(&str) -> String,
}

/// Whether a tree is small enough.
pub(super) fn is_small(flat: &Flat) -> bool {
    let names = |(place, node): (usize, &super::flat::FlatNode)| match node.test {
        Test::Listed(_) => {
            flat.inputs.iter().nth(flat.nodes[place].input).map_or(0, |input| input.values().len())
        }
        _ => 0,
    };
    flat.has_tests()
        && flat.leaves.len() <= MOST_LEAVES
        && flat.tree.depth() <= DEEPEST
        && flat.nodes.iter().enumerate().map(names).all(|values| values <= MOST_VALUES * 4)
}

/// The tests, every line behind this many spaces and four more for every level.
pub(super) fn tests(flat: &Flat, syntax: &Syntax, indent: usize) -> String {
    enum Piece {
        Node(usize, usize),
        Line(usize, String),
    }
    let words = NodeText::new(flat.tree);
    let mut out = String::new();
    let mut waiting = vec![Piece::Node(0, 0)];
    while let Some(piece) = waiting.pop() {
        match piece {
            Piece::Line(level, text) => {
                out.push_str(&" ".repeat(indent + 4 * level));
                out.push_str(&text);
                out.push('\n');
            }
            Piece::Node(node, level) => {
                let mut pieces = Vec::new();
                if let Test::Leaf(leaf) = flat.nodes[node].test {
                    pieces.push(Piece::Line(level, (syntax.leaf)(leaf) + &(syntax.note)(&what(flat, leaf))));
                } else {
                    for (place, (test, note, child)) in
                        branches(flat, syntax, &words, node).into_iter().enumerate()
                    {
                        let begin = if place == 0 { syntax.first } else { syntax.next };
                        pieces.push(Piece::Line(level, begin(&test) + &(syntax.note)(&note)));
                        pieces.push(Piece::Node(child, level + 1));
                    }
                    pieces.extend((!syntax.end.is_empty()).then(|| Piece::Line(level, syntax.end.into())));
                    pieces.push(Piece::Line(level, syntax.nowhere.into()));
                }
                waiting.extend(pieces.into_iter().rev());
            }
        }
    }
    out
}

/// The branches of a test that a value can lead to: the test, what it means, and the node.
fn branches(flat: &Flat, syntax: &Syntax, words: &NodeText, node: usize) -> Vec<(String, String, usize)> {
    let super::flat::FlatNode { test, input, first, missing, .. } = flat.nodes[node];
    let about = |child: usize| flat.tree.get(child).map_or(String::new(), |node| words.branch(node));
    match test {
        Test::Below(below) => {
            let below = super::text::number(below);
            // A comparison with a missing value is false.
            let (below, not_below) = ((syntax.below)(input, &below), (syntax.not_below)(input, &below));
            let left = if missing == 0 { (syntax.not)(&not_below) } else { below.clone() };
            let right = if missing == 1 { (syntax.not)(&below) } else { not_below };
            vec![(left, about(first), first), (right, about(first + 1), first + 1)]
        }
        Test::Listed(list) => {
            let values = flat.inputs.iter().nth(input).map_or(0, |input| input.values().len());
            let codes = &flat.branches[list..list + values];
            let of = |branch: usize| {
                let codes: Vec<usize> = (0..values)
                    .filter(|&code| codes[code] != NOWHERE && codes[code] as usize == branch)
                    .collect();
                let mut tests = Vec::new();
                tests.extend((!codes.is_empty()).then(|| (syntax.one_of)(input, &codes)));
                tests.extend((missing == branch as i64).then(|| (syntax.missing)(input)));
                let child = first + branch;
                (!tests.is_empty()).then(|| (tests.join(syntax.or), about(child), child))
            };
            (0..flat.tree.children(node).len()).filter_map(of).collect()
        }
        Test::Known => vec![
            ((syntax.known)(input), about(first), first),
            ((syntax.missing)(input), about(first + 1), first + 1),
        ],
        Test::Leaf(_) => Vec::new(),
    }
}

/// What a leaf says, in a word.
fn what(flat: &Flat, leaf: usize) -> String {
    let (_, said) = &flat.leaves[leaf];
    match flat.tree.schema().target.classes().get(said.label) {
        Some(class) => class.clone(),
        None => super::text::number(said.numbers[0]),
    }
}
