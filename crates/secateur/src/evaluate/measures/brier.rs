//! The Brier score in parts: how well calibrated, how decided, and how hard.
//!
//! Rows that get the same probabilities `f_k` are a group of weight `w_k`; `o_k` are the shares of the classes in it, `o` those of
//! all rows. Then, with all sums over classes and `W` the weight of all rows (Murphy 1973),
//!
//! ```text
//! Brier = Σ_k w_k |f_k − o_k|² / W  −  Σ_k w_k |o_k − o|² / W  +  Σ_j o_j (1 − o_j)
//!          reliability                  resolution                uncertainty
//! ```
//!
//! Groups are rows with the same forecast and not bins, so nothing is left over: the three parts give the score exactly. The groups of
//! a tree are its leaves. Where they have few rows each, chance raises reliability and resolution by the same amount; only
//! their difference and the score are free of that.
//!
//! Source: A. H. Murphy (1973), *A new vector partition of the probability score*, Journal of Applied Meteorology 12.

use std::collections::HashMap;

use super::scores::{Judged, SCORE_STEP};

/// The parts of a Brier score: `reliability − resolution + uncertainty`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BrierParts {
    pub reliability: f64,
    pub resolution: f64,
    pub uncertainty: f64,
}

/// Rows with the same probabilities.
struct Group {
    weight: f64,
    /// Sums of the probabilities of every class, and then the weights of the rows of every class.
    said: Vec<f64>,
    classes: Vec<f64>,
}

impl Judged {
    /// The Brier score in parts.
    pub(super) fn brier_parts(&self) -> BrierParts {
        let (groups, all) = (self.groups(), self.weights.iter().sum::<f64>());
        let mut shares = vec![0.0; self.classes];
        for group in &groups {
            shares.iter_mut().zip(&group.classes).for_each(|(share, weight)| *share += weight / all);
        }
        let (mut reliability, mut resolution) = (0.0, 0.0);
        for Group { weight, said, classes } in &groups {
            for ((said, class), share) in said.iter().zip(classes).zip(&shares) {
                reliability += (said - class).powi(2) / weight;
                resolution += (class - share * weight).powi(2) / weight;
            }
        }
        BrierParts {
            reliability: reliability / all,
            resolution: resolution / all,
            uncertainty: shares.iter().map(|share| share * (1.0 - share)).sum(),
        }
    }

    /// The rows by their probabilities, in the order of their first row.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut places: HashMap<Vec<u64>, usize> = HashMap::new();
        for (actual, _, p, weight) in self.rows() {
            let key = p.iter().map(|p| (p / SCORE_STEP).round() as u64).collect();
            let place = *places.entry(key).or_insert_with(|| {
                let none = vec![0.0; self.classes];
                groups.push(Group { weight: 0.0, said: none.clone(), classes: none });
                groups.len() - 1
            });
            let group = &mut groups[place];
            group.weight += weight;
            group.said.iter_mut().zip(p).for_each(|(sum, p)| *sum += weight * p);
            group.classes[actual] += weight;
        }
        groups
    }
}
