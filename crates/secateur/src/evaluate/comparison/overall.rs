//! All schemes over all data sets: ranks, and the tests on them.

use serde::Serialize;

use super::sheet::Sheet;
use crate::error::Result;
use crate::evaluate::measures::Better;
use crate::statistics::{
    Friedman, Wilcoxon, Zeros, against_control, friedman, nemenyi_critical_difference, ranks, wilcoxon,
};

/// Ranks over the data sets on which all schemes have a mean, and what tests say of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Overall {
    /// The share of the training rows.
    pub share: f64,
    /// The schemes that are ranked: all that have a mean somewhere.
    pub schemes: Vec<String>,
    /// The data sets that are ranked on.
    pub datasets: Vec<String>,
    /// The average rank of every scheme, 1 being the best; empty when there is no data set to rank on.
    pub average_ranks: Vec<f64>,
    /// Whether the schemes differ at all: Friedman's test, corrected for ties, with the statistic of Iman and Davenport;
    /// from three schemes and two data sets on.
    pub friedman: Option<Friedman>,
    /// How far apart average ranks must be for two of all schemes to differ (Nemenyi).
    pub critical_difference: Option<f64>,
    /// Every scheme against the base by its rank, adjusted by Holm; as Friedman's test.
    pub versus: Vec<Versus>,
    /// Two schemes only: the first against the second by signed ranks, from two data sets on.
    pub wilcoxon: Option<Wilcoxon>,
}

/// A scheme against the base, over all data sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// The scheme.
    pub scheme: String,
    /// The base.
    pub base: String,
    /// Its average rank minus the base's in standard errors: above 0 where the base is better.
    pub z: f64,
    /// The probability of such a difference by chance.
    pub p: f64,
    /// The same, adjusted by Holm for as many comparisons as there are.
    pub adjusted_p: f64,
}

impl Overall {
    /// Ranks the schemes for one share.
    pub(super) fn of(sheet: &Sheet, share: usize, base: usize, level: f64) -> Self {
        let mean = |dataset: usize, scheme: usize| sheet.cell(dataset, scheme, share).mean;
        let all = 0..sheet.datasets.len();
        let schemes: Vec<usize> = (0..sheet.schemes.len())
            .filter(|&scheme| all.clone().any(|dataset| mean(dataset, scheme).is_some()))
            .collect();
        let (mut datasets, mut scores) = (Vec::new(), Vec::new());
        for dataset in all {
            let means: Option<Vec<f64>> = schemes.iter().map(|&scheme| mean(dataset, scheme)).collect();
            if let Some(means) = means.filter(|means| !means.is_empty()) {
                datasets.push(sheet.datasets[dataset].clone());
                scores.push(means);
            }
        }
        let mut overall = Self {
            share: sheet.shares[share],
            schemes: schemes.iter().map(|&s| sheet.schemes[s].clone()).collect(),
            datasets,
            ..Self::default()
        };
        let larger = match sheet.measure.better {
            Better::Larger => true,
            Better::Smaller => false,
            Better::Neither => return overall,
        };
        overall.rank(&scores, larger);
        if scores.len() >= 2 {
            let control = schemes.iter().position(|s| *s == base);
            // What cannot be computed from these numbers is left out.
            let _ = overall.test(&scores, larger, control, level);
        }
        overall
    }

    fn rank(&mut self, scores: &[Vec<f64>], larger: bool) {
        if scores.is_empty() {
            return;
        }
        self.average_ranks = vec![0.0; self.schemes.len()];
        for means in scores {
            for (sum, rank) in self.average_ranks.iter_mut().zip(ranks(means, larger)) {
                *sum += rank / scores.len() as f64;
            }
        }
    }

    fn test(&mut self, scores: &[Vec<f64>], larger: bool, base: Option<usize>, level: f64) -> Result<()> {
        if self.schemes.len() == 2 {
            let column = |i: usize| -> Vec<f64> { scores.iter().map(|means| means[i]).collect() };
            self.wilcoxon = Some(wilcoxon(&column(0), &column(1), Zeros::Dropped)?);
        }
        if self.schemes.len() < 3 {
            return Ok(());
        }
        let test = friedman(scores, larger)?.corrected_for_ties();
        self.critical_difference = nemenyi_critical_difference(self.schemes.len(), scores.len(), level).ok();
        if let Some(base) = base {
            for versus in against_control(&test, base)? {
                self.versus.push(Versus {
                    scheme: self.schemes[versus.scheme].clone(),
                    base: self.schemes[base].clone(),
                    z: versus.z,
                    p: versus.p,
                    adjusted_p: versus.adjusted_p,
                });
            }
        }
        self.average_ranks.clone_from(&test.average_ranks);
        self.friedman = Some(test);
        Ok(())
    }
}
