//! Finding a number among ascending borders, in a few steps.

use crate::data::key;

/// Ascending borders, by their keys ([`key`]), with a list that says where to look for a key.
pub(super) struct Finder {
    borders: Vec<u64>,
    low: u64,
    shift: u32,
    /// For every narrow place the number of borders before it, and at the end that of all.
    starts: Vec<u32>,
}

impl Finder {
    pub(super) fn new(borders: Vec<u64>) -> Self {
        let (low, high) =
            (borders.first().copied().unwrap_or(u64::MAX), borders.last().copied().unwrap_or(u64::MAX));
        let wanted = (4 * borders.len()).clamp(256, 1 << 17) as u64;
        let mut shift = 0;
        while (high - low) >> shift >= wanted {
            shift += 1;
        }
        let places = ((high - low) >> shift) as usize + 1;
        let mut starts = vec![0u32; places + 1];
        for &border in &borders {
            starts[((border - low) >> shift) as usize + 1] += 1;
        }
        for place in 0..places {
            starts[place + 1] += starts[place];
        }
        Self { borders, low, shift, starts }
    }

    /// How many borders are not above a number.
    #[inline]
    pub(super) fn count(&self, x: f64) -> usize {
        self.count_key(key(x))
    }

    /// How many borders are not above a key.
    #[inline]
    pub(super) fn count_key(&self, key: u64) -> usize {
        if key < self.low {
            return 0;
        }
        let place = ((key - self.low) >> self.shift) as usize;
        let (Some(&from), Some(&to)) = (self.starts.get(place), self.starts.get(place + 1)) else {
            return self.borders.len();
        };
        let (mut from, mut to) = (from as usize, to as usize);
        while to - from > 8 {
            let middle = from + (to - from) / 2;
            if self.borders[middle] <= key { from = middle + 1 } else { to = middle }
        }
        from + self.borders[from..to].iter().take_while(|border| **border <= key).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn borders_are_counted(mut borders in prop::collection::vec(-1e3f64..1e3, 0..300), odd in any::<f64>(), x in -2e3f64..2e3) {
            prop_assume!(odd.is_finite());
            borders.push(odd);
            borders.sort_by(f64::total_cmp);
            let finder = Finder::new(borders.iter().map(|b| key(*b)).collect());
            for x in borders.iter().copied().chain([x, odd, 0.0, -0.0, f64::MAX, f64::MIN]) {
                prop_assert_eq!(finder.count(x), borders.iter().filter(|b| **b <= x).count());
            }
        }
    }
}
