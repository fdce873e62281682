//! Which member of a path is taken, given an error for each.

/// Errors of the members of a path (from large to small trees) and the standard error of each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// The error of every member, per unit of weight.
    pub errors: Vec<f64>,
    /// The standard error of every member's error.
    pub se: Vec<f64>,
}

impl Curve {
    /// The member to take: the smallest tree (the last member) whose error is at most the least error plus `se` standard
    /// errors of it (Breiman et al. 1984; Shi 2.1.1).
    ///
    /// ```
    /// use secateur::select::Curve;
    /// let curve = Curve { errors: vec![0.20, 0.18, 0.18, 0.19, 0.30], se: vec![0.02; 5] };
    /// assert_eq!((curve.choose(0.0), curve.choose(1.0)), (2, 3));
    /// ```
    pub fn choose(&self, se: f64) -> usize {
        // Sums of the same losses in another order differ in their last digits.
        self.choose_within(se, 1e-12)
    }

    /// The same; errors whose relative difference is at most `room` are equal.
    pub fn choose_within(&self, se: f64, room: f64) -> usize {
        let least = self.least_within(room);
        let limit = self.errors[least] + se * self.se[least];
        let room = room * limit.abs();
        (0..self.errors.len()).rev().find(|&i| self.errors[i] <= limit + room).unwrap_or(least)
    }

    /// The member with the least error, the smallest tree among equal ones.
    pub fn least(&self) -> usize {
        self.least_within(1e-12)
    }

    fn least_within(&self, room: f64) -> usize {
        let mut least = self.errors.len() - 1;
        for i in (0..self.errors.len()).rev() {
            if self.errors[i] < self.errors[least] * (1.0 - room) {
                least = i;
            }
        }
        least
    }
}
