//! The folds behind Shi's tables.
//!
//! They follow from small seeds and the 48-bit linear congruential generator that `java.util.Random` is documented to be:
//! the state is `(seed XOR 0x5DEECE66D) mod 2^48`, a step `state · 0x5DEECE66D + 0xB mod 2^48`, and `b` random bits are the
//! top `b` of the 48.

/// The generator.
struct Generator(u64);

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;

impl Generator {
    fn new(seed: u64) -> Self {
        Self((seed ^ MULTIPLIER) & MASK)
    }

    /// 31 random bits.
    fn bits(&mut self) -> u64 {
        self.0 = (self.0.wrapping_mul(MULTIPLIER).wrapping_add(0xB)) & MASK;
        self.0 >> 17
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        if n.is_power_of_two() {
            return ((n * self.bits()) >> 31) as usize;
        }
        loop {
            let u = self.bits();
            let v = u % n;
            if u - v + (n - 1) < 1 << 31 {
                return v as usize;
            }
        }
    }

    fn shuffle(&mut self, rows: &mut [u32]) {
        for j in (1..rows.len()).rev() {
            rows.swap(j, self.below(j + 1));
        }
    }
}

/// Brings rows of one class together, in place.
fn group(rows: &mut [u32], class: &[u32]) {
    let mut i = 1;
    while i < rows.len() {
        let first = class[rows[i - 1] as usize];
        let mut next = i;
        for j in i..rows.len() {
            if class[rows[j] as usize] == first {
                rows.swap(next, j);
                next += 1;
            }
        }
        i = next + 1;
    }
}

/// Rows 0, F, 2F, …, then 1, F + 1, …, and so on.
fn deal(rows: &[u32], folds: usize) -> Vec<u32> {
    (0..folds).flat_map(|start| rows.iter().skip(start).step_by(folds)).copied().collect()
}

/// Where fold `f` begins and ends in a dealt list.
fn block(rows: usize, folds: usize, f: usize) -> std::ops::Range<usize> {
    let (size, more) = (rows / folds, rows % folds);
    let begin = f * size + f.min(more);
    begin..begin + size + usize::from(f < more)
}

/// The training rows (in order) and the test rows of every fold of one run. The order of the training rows matters: the
/// internal folds follow from it.
pub(super) fn outer(class: &[u32], folds: usize, run: u64) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut generator = Generator::new(run);
    let mut rows: Vec<u32> = (0..class.len() as u32).collect();
    generator.shuffle(&mut rows);
    group(&mut rows, class);
    let rows = deal(&rows, folds);
    (0..folds)
        .map(|f| {
            let block = block(rows.len(), folds, f);
            let mut train = [&rows[..block.start], &rows[block.end..]].concat();
            generator.shuffle(&mut train);
            (train, rows[block].to_vec())
        })
        .collect()
}

/// The internal fold of the first training rows after shuffling: a share of them less one. The others have none. (What the
/// thesis's learning curves limit is this share.)
pub(super) fn inner(train: &[u32], class: &[u32], folds: usize, seed: u64, share: f64) -> Vec<Option<u32>> {
    let mut of_row = vec![None; class.len()];
    let mut rows = train.to_vec();
    Generator::new(seed).shuffle(&mut rows);
    let kept = (train.len() as f64 * share) as usize;
    rows.truncate(kept.saturating_sub(1));
    group(&mut rows, class);
    let rows = deal(&rows, folds);
    for f in 0..folds {
        for &row in &rows[block(rows.len(), folds, f)] {
            of_row[row as usize] = Some(f as u32);
        }
    }
    of_row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_documented_one() {
        // The first numbers below 10 for seed 42, as any program that follows the definition prints them.
        let mut generator = Generator::new(42);
        let first: Vec<usize> = (0..10).map(|_| generator.below(10)).collect();
        assert_eq!(first, [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]);
    }

    #[test]
    fn every_row_is_tested_once_and_folds_are_stratified() {
        let class: Vec<u32> = (0..103).map(|i| u32::from(i % 3 == 0)).collect();
        let folds = outer(&class, 10, 1);
        let mut tested: Vec<u32> = folds.iter().flat_map(|(_, test)| test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..103).collect::<Vec<u32>>());
        for (train, test) in &folds {
            assert_eq!(train.len() + test.len(), 103);
            let ones = test.iter().filter(|&&r| class[r as usize] == 1).count();
            assert!((3..=4).contains(&ones), "{ones}");
            for share in [0.3, 1.0] {
                let inner = inner(train, &class, 10, 1, share);
                let kept = (train.len() as f64 * share) as usize;
                assert_eq!(inner.iter().flatten().count(), kept - 1);
                assert!(test.iter().all(|&row| inner[row as usize].is_none()));
            }
        }
        assert_ne!(outer(&class, 10, 2), folds);
    }
}
