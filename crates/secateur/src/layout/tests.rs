use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::tree::testing::{Dice, chain, iris, random, weather};

const GAPS: Gaps = Gaps { siblings: 4.0, cousins: 9.5, levels: 30.0 };

/// Widths and heights like those of texts.
fn sizes(dice: &mut Dice, n: usize) -> Vec<(f64, f64)> {
    (0..n).map(|_| (20.0 + 90.0 * dice.unit(), [18.0, 36.0, 54.5][dice.below(3)])).collect()
}

/// Every level without overlap, parents over the middle of their children.
fn check(part: &ShownNodes, sizes: &[(f64, f64)], placed: &Placed) {
    let mut levels: Vec<Vec<usize>> = vec![];
    // From left to right: the order of the leaves.
    let mut stack = vec![0];
    while let Some(place) = stack.pop() {
        let depth = part.depths()[place] as usize;
        levels.resize(levels.len().max(depth + 1), vec![]);
        levels[depth].push(place);
        stack.extend(part.children(place).rev());
        let children = part.children(place);
        if !children.is_empty() {
            let middle = (placed.x[children.start] + placed.x[children.end - 1]) / 2.0;
            assert!((placed.x[place] - middle).abs() < 1e-6, "{place} is not over its children");
            assert!(placed.y[children.start] - placed.y[place] >= sizes[place].1 + GAPS.levels - 1e-9);
        }
    }
    for level in levels {
        for pair in level.windows(2) {
            let gap = if part.parent(pair[0]) == part.parent(pair[1]) { GAPS.siblings } else { GAPS.cousins };
            let apart = placed.x[pair[1]] - placed.x[pair[0]];
            let need = (sizes[pair[0]].0 + sizes[pair[1]].0) / 2.0 + gap;
            assert!(apart >= need - 1e-6, "{pair:?} are {apart} apart, {need} are needed");
        }
    }
    for (place, size) in sizes.iter().enumerate() {
        assert!(
            placed.x[place] - size.0 / 2.0 >= -1e-6 && placed.x[place] + size.0 / 2.0 <= placed.width + 1e-6
        );
        assert!(placed.y[place] + size.1 <= placed.height + 1e-6);
    }
}

/// The definition, in quadratic time, for at most two children: each subtree has for every level its left and right end, and the second
/// is moved right until no level overlaps.
fn plainly(part: &ShownNodes, sizes: &[(f64, f64)]) -> Vec<f64> {
    let n = part.len();
    let mut x = vec![0.0; n];
    let mut below: Vec<Vec<usize>> = (0..n).map(|place| vec![place]).collect();
    for place in (0..n).rev() {
        let children = part.children(place);
        if children.len() == 2 {
            let (a, b) = (children.start, children.start + 1);
            let mut by = f64::NEG_INFINITY;
            for &left in &below[a] {
                for &right in below[b].iter().filter(|&&right| part.depths()[left] == part.depths()[right]) {
                    let gap = if (left, right) == (a, b) { GAPS.siblings } else { GAPS.cousins };
                    by = by.max(x[left] + (sizes[left].0 + sizes[right].0) / 2.0 + gap - x[right]);
                }
            }
            below[b].clone().into_iter().for_each(|right| x[right] += by);
        }
        if !children.is_empty() {
            x[place] = (x[children.start] + x[children.end - 1]) / 2.0;
        }
        for child in children {
            let more = std::mem::take(&mut below[child]);
            below[place].extend(more);
        }
    }
    let left = (0..n).map(|place| x[place] - sizes[place].0 / 2.0).fold(f64::INFINITY, f64::min);
    x.iter().map(|x| x - left).collect()
}

/// A random shape of at most two children.
fn binary(dice: &mut Dice, splits: usize) -> ShownNodes {
    let (mut parents, mut leaves) = (vec![0], vec![0]);
    for _ in 0..splits {
        let leaf = leaves.swap_remove(dice.below(leaves.len()));
        for _ in 0..2 {
            leaves.push(parents.len() as u32);
            parents.push(leaf);
        }
    }
    ShownNodes::of_shape(parents)
}

proptest! {
    #[test]
    fn nothing_overlaps_and_parents_stand_over_their_children(
        seed in any::<u64>(), splits in 0usize..80, shape in 0usize..3,
    ) {
        let tree = random(seed, splits, shape);
        let mut dice = Dice(seed);
        let part = ShownNodes::open(&tree, |id| id == 0 || !(id as u64 ^ seed).is_multiple_of(5));
        let sizes = sizes(&mut dice, part.len());
        check(&part, &sizes, &tidy(&part, &sizes, GAPS));
    }

    #[test]
    fn a_binary_tree_is_as_narrow_as_its_levels_allow(seed in any::<u64>(), splits in 0usize..60) {
        let mut dice = Dice(seed);
        let part = binary(&mut dice, splits);
        let sizes = sizes(&mut dice, part.len());
        let placed = tidy(&part, &sizes, GAPS);
        for (x, plain) in placed.x.iter().zip(plainly(&part, &sizes)) {
            prop_assert!((x - plain).abs() < 1e-6, "{} and {plain}", x);
        }
    }

    #[test]
    fn bands_fill_the_band_above(seed in any::<u64>(), splits in 0usize..60, shape in 0usize..3) {
        let tree = random(seed, splits, shape);
        let part = ShownNodes::whole(&tree);
        let weights: Vec<f64> = tree.nodes().iter().map(|node| node.weight).collect();
        let bands = icicle(&part, &weights);
        for place in 0..part.len() {
            let inside: f64 = part.children(place).map(|child| bands.width[child]).sum();
            if !part.children(place).is_empty() && weights[place] > 0.0 {
                prop_assert!((inside - bands.width[place]).abs() < 1e-9);
            }
            let ratio = weights[place] / weights[0];
            prop_assert!(weights[0] == 0.0 || (bands.width[place] - ratio).abs() < 1e-9);
        }
    }
}

#[test]
fn a_part_shows_what_is_below_open_nodes() {
    let tree = iris();
    assert_eq!(ShownNodes::whole(&tree).len(), 7);
    assert_eq!(ShownNodes::to_depth(&tree, 1).nodes(), [0, 1, 2]);
    assert_eq!(ShownNodes::open(&tree, |id| id != 2).nodes(), [0, 1, 2]);
    assert_eq!(ShownNodes::open(&tree, |_| false).nodes(), [0]);
    assert_eq!(ShownNodes::to_depth(&weather(), 2).depths(), [0, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn the_heaviest_nodes_are_opened_first() {
    let tree = iris();
    assert_eq!(ShownNodes::heaviest(&tree, 3).nodes(), [0, 1, 2, 3, 4]);
    assert_eq!(ShownNodes::heaviest(&tree, 2).nodes(), [0, 1, 2]);
    assert_eq!(ShownNodes::heaviest(&tree, 1).nodes(), [0]);
    assert_eq!(ShownNodes::heaviest(&tree, 100), ShownNodes::whole(&tree));
    // A split into three does not fit; a lighter one into two might.
    assert_eq!(ShownNodes::heaviest(&weather(), 2).nodes(), [0]);
}

#[test]
fn a_chain_of_a_million_nodes_is_placed() {
    let part = ShownNodes::whole(&chain(1_000_001));
    let sizes = vec![(50.0, 20.0); part.len()];
    check(&part, &sizes, &tidy(&part, &sizes, GAPS));
    assert_eq!(icicle(&part, &vec![1.0; part.len()]).width[2], 0.5);
}

/// Shapes with the positions computed here, for the page's tests.
fn cases() -> Value {
    let case = |number: u64| {
        let tree = random(number, 3 * number as usize, number as usize % 3);
        let mut dice = Dice(number);
        let part = ShownNodes::whole(&tree);
        let sizes = sizes(&mut dice, part.len());
        let weights: Vec<f64> = tree.nodes().iter().map(|node| node.weight).collect();
        let (placed, bands) = (tidy(&part, &sizes, GAPS), icicle(&part, &weights));
        json!({
            "parents": (1..part.len()).map(|place| part.parent(place)).collect::<Vec<_>>(),
            "sizes": sizes,
            "weights": weights,
            "gaps": [GAPS.siblings, GAPS.cousins, GAPS.levels],
            "x": placed.x, "y": placed.y, "width": placed.width, "height": placed.height,
            "left": bands.left, "band": bands.width,
        })
    };
    Value::Array((0..12).map(case).collect())
}

#[test]
fn the_positions_that_the_page_is_tested_with_are_those_computed_here() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/layout.json");
    let text = cases().to_string().replace("},{", "},\n{") + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|word| word == "always") {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == text,
        "tests/layout.json is not what the layout gives now (INSTA_UPDATE=always writes it)"
    );
}
