//! Which member of a path is taken, given an error and a size for each.

use crate::error::{Error, Result};

/// Errors of the members of a path, the standard error of each, and the leaves that the member has in the tree that is cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    errors: Vec<f64>,
    se: Vec<f64>,
    leaves: Vec<usize>,
}

impl Curve {
    /// A curve of at least one member. An error may be NaN where nothing is known; such a member is never taken while another
    /// is known.
    pub fn new(errors: Vec<f64>, se: Vec<f64>, leaves: Vec<usize>) -> Result<Self> {
        if errors.is_empty() || errors.len() != se.len() || errors.len() != leaves.len() {
            return Err(Error::parameter(format!(
                "a curve of {} errors, {} standard errors and {} sizes; expected as many of each, and at least one",
                errors.len(),
                se.len(),
                leaves.len()
            )));
        }
        Ok(Self { errors, se, leaves })
    }

    /// The error of every member, per unit of weight.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// The standard error of every member's error.
    pub fn se(&self) -> &[f64] {
        &self.se
    }

    /// The leaves of every member.
    pub fn leaves(&self) -> &[usize] {
        &self.leaves
    }

    /// The member to take: of those whose error is at most the least error plus `se` standard errors of it, the one with
    /// the fewest leaves; of these the one with the smallest error, and then the last (Breiman et al. 1984; Shi 2.1.1). A
    /// path's members need not shrink from the first to the last.
    ///
    /// ```
    /// use secateur::training::Curve;
    /// let errors = vec![0.20, 0.18, 0.18, 0.19, 0.30];
    /// let curve = Curve::new(errors.clone(), vec![0.02; 5], vec![9, 7, 5, 3, 1])?;
    /// assert_eq!((curve.choose(0.0), curve.choose(1.0)), (2, 3));
    /// // The second member is the smallest.
    /// let curve = Curve::new(errors, vec![0.02; 5], vec![9, 2, 5, 3, 1])?;
    /// assert_eq!((curve.choose(0.0), curve.choose(1.0)), (1, 1));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn choose(&self, se: f64) -> usize {
        // Sums of the same losses in another order differ in their last digits.
        self.choose_within(se, 1e-12)
    }

    /// The same; errors whose relative difference is at most `tolerance` are equal.
    pub fn choose_within(&self, se: f64, tolerance: f64) -> usize {
        self.smallest_within(self.limit(se, tolerance), tolerance)
    }

    /// The error that members are chosen within: the lowest plus `se` standard errors of it.
    pub(crate) fn limit(&self, se: f64, tolerance: f64) -> f64 {
        let least = self.least_within(tolerance);
        let limit = self.errors[least] + se * self.se[least];
        limit + tolerance * limit.abs()
    }

    /// The member with the least error, the smallest tree among equal ones.
    pub fn least(&self) -> usize {
        self.least_within(1e-12)
    }

    fn least_within(&self, tolerance: f64) -> usize {
        let lowest = self.errors.iter().copied().fold(f64::INFINITY, f64::min);
        self.smallest_within(lowest + tolerance * lowest.abs(), tolerance)
    }

    /// The smallest member with at most this error; the last one where no error is known.
    fn smallest_within(&self, limit: f64, tolerance: f64) -> usize {
        let better = |i: usize, best: usize| {
            let (a, b) = (self.errors[i], self.errors[best]);
            self.leaves[i] < self.leaves[best]
                || self.leaves[i] == self.leaves[best] && a < b - tolerance * b.abs()
        };
        (0..self.errors.len())
            .rev()
            .filter(|&i| self.errors[i] <= limit)
            .reduce(|best, i| if better(i, best) { i } else { best })
            .unwrap_or(self.errors.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_leaves_then_the_smallest_error_then_the_last() {
        let curve = |errors: &[f64], leaves: &[usize]| {
            Curve::new(errors.to_vec(), vec![0.1; errors.len()], leaves.to_vec()).unwrap()
        };
        assert_eq!(curve(&[0.3, 0.2, 0.25, 0.4], &[9, 5, 5, 1]).choose(1.0), 1);
        assert_eq!(curve(&[0.25, 0.2, 0.25, 0.4], &[5, 9, 5, 1]).choose(1.0), 2);
        assert_eq!(curve(&[0.2, 0.2, 0.2, 0.4], &[5, 3, 4, 1]).choose(0.0), 1);
        // Nothing is known of the smallest one.
        assert_eq!(curve(&[0.2, 0.3, f64::NAN], &[5, 3, 1]).choose(9.0), 1);
        assert_eq!(curve(&[f64::NAN, f64::NAN], &[5, 3]).choose(1.0), 1);
        // Rounding alone makes no member better.
        assert_eq!(curve(&[0.3, 0.1 + 0.2], &[4, 2]).choose(0.0), 1);
    }

    #[test]
    fn curves_without_members_or_with_short_lists_are_refused() {
        assert!(Curve::new(vec![], vec![], vec![]).is_err());
        assert!(Curve::new(vec![0.1], vec![], vec![1]).is_err());
        assert!(Curve::new(vec![0.1], vec![0.1], vec![1, 2]).unwrap_err().to_string().contains("2 sizes"));
    }
}
