//! Bands: every node as wide as its weight, below the node it comes from.

use super::ShownNodes;

/// Where the bands of a part are, for every place. One row of bands per depth ([`ShownNodes::depths`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Bands {
    /// The left end, from 0 to 1.
    pub left: Vec<f64>,
    /// The width; the root has 1.
    pub width: Vec<f64>,
}

/// The bands of a part, where every place has this weight. Children share the band above them in proportion to their weights; where
/// none has any, their bands have no width.
pub fn icicle(part: &ShownNodes, weights: &[f64]) -> Bands {
    let weight = |place: usize| weights.get(place).copied().unwrap_or(0.0).max(0.0);
    let mut bands = Bands { left: vec![0.0; part.len()], width: vec![0.0; part.len()] };
    bands.width[0] = 1.0;
    for place in 0..part.len() {
        let mut all = 0.0;
        for child in part.children(place) {
            all += weight(child);
        }
        let mut before = 0.0;
        for child in part.children(place) {
            if all > 0.0 {
                bands.left[child] = bands.left[place] + bands.width[place] * (before / all);
                bands.width[child] = bands.width[place] * (weight(child) / all);
            } else {
                bands.left[child] = bands.left[place];
            }
            before += weight(child);
        }
    }
    bands
}
