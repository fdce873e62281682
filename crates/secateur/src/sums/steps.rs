//! Weights as whole multiples of a step, of which sums of floating-point numbers are exact.

use serde::{Deserialize, Serialize};

use super::{ROUNDER, power_above};

/// A step so coarse that no sum up to a total is rounded: `2⁻⁵¹` of the power of two above the total.
///
/// ```
/// use secateur::sums::Steps;
/// let steps = Steps::below(1000.0);
/// let thirds = [steps.round(1.0 / 3.0), steps.round(2.0 / 3.0), steps.round(100.0 / 3.0)];
/// assert_eq!(thirds[0] + thirds[1] + thirds[2], thirds[2] + thirds[1] + thirds[0]);
/// assert!((thirds[0] - 1.0 / 3.0).abs() < 1e-12);
/// assert_eq!(steps.round(7.0), 7.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Steps {
    /// 0 where nothing is rounded.
    step: f64,
}

impl Steps {
    /// Steps for sums that do not exceed a total.
    pub fn below(total: f64) -> Self {
        Self { step: power_above(total) * 2f64.powi(-51) }
    }

    /// The nearest multiple of the step to a number, but no less than one step for a number above 0.
    #[inline(always)]
    pub fn round(self, x: f64) -> f64 {
        let rounder = self.step * ROUNDER;
        let rounded = (x + rounder) - rounder;
        if rounded > 0.0 || x <= 0.0 { rounded } else { self.step }
    }
}
