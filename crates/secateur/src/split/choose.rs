//! The best splits of the columns of a node, and which of them wins.

use super::View;
use super::place::threshold;
use crate::data::floats::number;
use crate::data::{CodedColumn, Scale};
use crate::spec::GrowSpec;
use crate::tree::{Condition, Side, Subsets};

/// How a column would split a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum How {
    /// Between two neighbouring codes; rows without a value on a side.
    Cut { lower: u32, upper: u32, missing: Option<Side> },
    /// Codes to the left and codes to the right; rows without a value on a side.
    Subset { left: Vec<u32>, right: Vec<u32>, missing: Option<Side> },
    /// A branch for every value, and perhaps one for rows without a value.
    Each { missing: bool },
    /// Rows with a value, and rows without.
    Known,
}

/// The best split of one column at one node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub column: u32,
    /// What the split gains.
    pub gain: f64,
    /// What it gains beyond chance, where that is asked for; else the gain.
    pub worth: f64,
    /// What candidates are compared by: the worth, or its ratio to the split information.
    pub score: f64,
    /// Scores that differ by no more than this are equal.
    pub tolerance: f64,
    pub how: How,
    /// Whether the branches are large enough.
    pub admissible: bool,
}

/// Candidates of a node in column order, of which one leads: the one with the largest score, the earlier one among equal ones.
pub(crate) struct Race {
    lead: Option<Candidate>,
    tolerance: f64,
}

impl Race {
    pub(crate) fn new(view: &View) -> Self {
        Self { lead: None, tolerance: view.tolerance() }
    }

    /// The candidate, if it leads now.
    #[inline]
    pub(crate) fn offer(&mut self, candidate: Candidate) -> Option<&Candidate> {
        let beats = |lead: &Candidate| candidate.score > lead.score + candidate.tolerance.max(lead.tolerance);
        let leads = self.lead.as_ref().is_none_or(beats);
        leads.then(|| &*self.lead.insert(candidate))
    }

    /// What a candidate must gain at least to lead, where the gain is the score. (A little less: gains are rounded.)
    #[inline]
    pub(crate) fn least_gain(&self) -> f64 {
        self.lead.as_ref().map_or(0.0, |lead| lead.worth.max(0.0)) + 0.5 * self.tolerance
    }

    /// The one that leads, whether its branches are large enough or not.
    pub(crate) fn lead(self) -> Option<Candidate> {
        self.lead
    }

    /// The winner.
    pub(crate) fn winner(self) -> Option<Candidate> {
        self.lead.filter(|c| c.admissible)
    }
}

/// The candidates that may win: all, or with C4.5's guards those that gain as much as the average.
pub(crate) fn eligible(view: &View, candidates: Vec<Candidate>) -> Vec<Candidate> {
    if !view.rules.guards {
        return candidates;
    }
    let mean = candidates.iter().map(|c| c.worth).sum::<f64>() / candidates.len() as f64;
    // C4.5 lets a gain pass that is a thousandth of a bit below the average.
    candidates.into_iter().filter(|c| c.worth >= mean - 1e-3).collect()
}

/// The winner among the candidates of a node (in column order).
pub(crate) fn choose(view: &View, candidates: impl IntoIterator<Item = Candidate>) -> Option<Candidate> {
    let mut race = Race::new(view);
    eligible(view, candidates.into_iter().collect()).into_iter().for_each(|c| _ = race.offer(c));
    race.winner()
}

impl How {
    /// The condition that sends rows where the candidate counted them.
    pub(crate) fn condition(&self, column: u32, coded: &CodedColumn, spec: &GrowSpec) -> Condition {
        match self {
            Self::Cut { lower, upper, missing } => {
                let below = match &coded.scale {
                    Scale::Values(values) => threshold(values, values, *lower, *upper, spec),
                    Scale::Bins(bins) => threshold(&bins.last, &bins.first, *lower, *upper, spec),
                    Scale::Floats => threshold(&[number(*lower)], &[number(*upper)], 0, 0, spec),
                    Scale::Cuts(cuts) => cuts[*lower as usize],
                    Scale::Levels(_) | Scale::Ordered(_) => f64::from(*upper),
                };
                Condition::Threshold { attribute: column, below, missing: *missing }
            }
            Self::Subset { left, right, missing } => {
                let subsets = Subsets::new(left.clone(), right.clone());
                Condition::Subset { attribute: column, subsets: Box::new(subsets), missing: *missing }
            }
            Self::Each { missing } => {
                Condition::EachValue { attribute: column, values: coded.cardinality(), missing: *missing }
            }
            Self::Known => Condition::Known { attribute: column },
        }
    }
}
