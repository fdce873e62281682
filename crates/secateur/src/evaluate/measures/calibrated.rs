//! How well calibrated the probabilities of a tree are: that of its label, and that of every class.
//!
//! For two classes, the probability of the second one says everything. For more, two questions are asked (Kull et al. 2019): is the label right
//! as often as its probability says (*confidence*), and is a row of a class as often as the class's probability says, whichever
//! label it gets (*class-wise*)?

use serde::{Deserialize, Serialize};

use super::scores::Judged;
use crate::statistics::Calibration;

/// Calibration of the labels and of every class.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Calibrated {
    /// The probability of the label, and whether it is right.
    pub label: Calibration,
    /// For every class its probability, and whether the row is of it.
    pub classes: Vec<Calibration>,
}

impl Calibrated {
    /// Adds that of other rows.
    pub fn join(&mut self, other: &Self) {
        self.label.join(&other.label);
        self.classes.resize_with(self.classes.len().max(other.classes.len()), Calibration::default);
        self.classes.iter_mut().zip(&other.classes).for_each(|(own, other)| own.join(other));
    }

    /// The mean of the expected calibration errors of all classes.
    pub fn classwise_error(&self) -> Option<f64> {
        let errors: Vec<f64> = self.classes.iter().filter_map(Calibration::error).collect();
        (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64)
    }
}

impl Judged {
    /// The probability of the label beside whether it is right.
    pub(super) fn confidence(&self) -> Calibration {
        let mut calibration = Calibration::default();
        self.rows().for_each(|(actual, label, p, weight)| calibration.add(p[label], actual == label, weight));
        calibration
    }

    /// That, and the probability of every class.
    pub(super) fn calibrated(&self) -> Calibrated {
        let mut classes = vec![Calibration::default(); self.classes];
        for (actual, _, p, weight) in self.rows() {
            for (class, calibration) in classes.iter_mut().enumerate() {
                calibration.add(p[class], actual == class, weight);
            }
        }
        Calibrated { label: self.confidence(), classes }
    }
}
