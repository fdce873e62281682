//! Weka's internal folds, made again from the seed.
//!
//! The generator is that of `java.util.Random`, as its documentation defines it: a linear congruential one on 48 bits.
//! SimpleCart and BFTree shuffle the training rows with a fresh generator, leave out the last row, group the rows by class
//! in place, deal them out and take blocks.

/// The generator: its state.
pub struct Random(u64);

const MASK: u64 = (1 << 48) - 1;
const FACTOR: u64 = 0x5_DEEC_E66D;

impl Random {
    pub fn new(seed: u64) -> Self {
        Self((seed ^ FACTOR) & MASK)
    }

    fn bits(&mut self, bits: u32) -> u64 {
        self.0 = self.0.wrapping_mul(FACTOR).wrapping_add(0xB) & MASK;
        self.0 >> (48 - bits)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> usize {
        if n.is_power_of_two() {
            return ((n * self.bits(31)) >> 31) as usize;
        }
        loop {
            let drawn = self.bits(31);
            let rest = drawn % n;
            if drawn - rest + n - 1 < 1 << 31 {
                return rest as usize;
            }
        }
    }
}

pub fn shuffle(rows: &mut [usize], random: &mut Random) {
    for j in (1..rows.len()).rev() {
        rows.swap(j, random.below(j as u64 + 1));
    }
}

/// Brings rows of the same class together, in place.
fn group(rows: &mut [usize], class: impl Fn(usize) -> u32) {
    let mut i = 1;
    while i < rows.len() {
        let wanted = class(rows[i - 1]);
        let mut j = i;
        while j < rows.len() {
            if class(rows[j]) == wanted {
                rows.swap(i, j);
                i += 1;
            }
            j += 1;
        }
        i += 1;
    }
}

/// The fold of every row; none for the one left out.
pub fn weka_folds(classes: &[u32], folds: usize, seed: u64) -> Vec<Option<u32>> {
    let mut rows: Vec<usize> = (0..classes.len()).collect();
    shuffle(&mut rows, &mut Random::new(seed));
    rows.pop();
    group(&mut rows, |row| classes[row]);
    let dealt: Vec<usize> = (0..folds).flat_map(|f| rows.iter().copied().skip(f).step_by(folds)).collect();
    let mut of_row = vec![None; classes.len()];
    let mut next = dealt.into_iter();
    for fold in 0..folds {
        let size = rows.len() / folds + usize::from(fold < rows.len() % folds);
        next.by_ref().take(size).for_each(|row| of_row[row] = Some(fold as u32));
    }
    of_row
}

#[test]
fn the_generator_is_that_of_java() {
    // The first numbers below 10 and below 16 of `new java.util.Random(42)`.
    let mut random = Random::new(42);
    assert_eq!([0; 8].map(|_| random.below(10)), [0, 3, 8, 4, 0, 5, 5, 8]);
    let mut random = Random::new(42);
    assert_eq!([0; 8].map(|_| random.below(16)), [11, 0, 10, 0, 4, 15, 4, 11]);
}
