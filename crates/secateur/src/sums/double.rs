//! A sum with twice the digits of a number: what is added and taken away again leaves nothing behind.

/// See the module's description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds a number (Knuth's exact addition of two).
    #[inline]
    pub(crate) fn add(&mut self, x: f64) {
        let sum = self.high + x;
        let moved = sum - self.high;
        self.low += (self.high - (sum - moved)) + (x - moved);
        self.high = sum;
    }

    /// Adds another sum.
    pub(crate) fn add_sum(&mut self, other: Self) {
        self.add(other.high);
        self.low += other.low;
    }

    /// The sum as a number.
    #[inline]
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_away_leaves_nothing_behind() {
        let numbers = [0.1, 0.7, 1.0 / 3.0, 1e-9, 0.9];
        let mut sum = Sum::default();
        numbers.iter().for_each(|x| sum.add(*x));
        assert!((sum.value() - 2.033_333_334_333_333_5).abs() < 1e-15);
        let mut plain = numbers.iter().sum::<f64>();
        for x in [0.7, 0.9, 1e-9, 1.0 / 3.0] {
            sum.add(-x);
            plain -= x;
        }
        assert_eq!(sum.value(), 0.1);
        assert_ne!(plain, 0.1);
        sum.add_sum(Sum { high: -0.1, low: 0.0 });
        assert!(sum.value().abs() < 1e-30);
    }
}
