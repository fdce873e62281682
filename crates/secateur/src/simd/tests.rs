//! Both kernels give the same answers, and both refuse places that are not there.

use proptest::prelude::*;

use super::*;

/// The vectors of this processor, if it has any.
fn vectors() -> Option<Kernel> {
    match Kernel::detect() {
        Kernel::Portable => None,
        #[cfg(target_arch = "x86_64")]
        found => Some(found),
    }
}

/// The vectors of this processor. A test that compares them with portable loops is skipped where there are none.
fn vectors_or_skip() -> Option<Kernel> {
    let found = vectors();
    if found.is_none() {
        secateur_testing::skip(
            "vectors",
            "the processor has no 512-bit vectors to compare with portable loops",
        );
    }
    found
}

#[test]
fn vectors_are_found_where_the_system_says_there_are() {
    assert!(
        vectors().is_some() || !has_vectors(),
        "the processor has 512-bit vectors, and they were not found"
    );
}

/// Whether the system says that the processor has 512-bit vectors.
fn has_vectors() -> bool {
    let said = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = said.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    ["avx512f", "avx512dq", "avx512bw", "avx512vl"].iter().all(|flag| flags.split(' ').any(|f| f == *flag))
}

struct All(Vec<(usize, f64)>);

impl Visit for All {
    const LARGEST: bool = false;

    fn visit(&mut self, place: usize, score: f64) -> f64 {
        self.0.push((place, score));
        0.0
    }
}

struct Largest(f64);

impl Visit for Largest {
    const LARGEST: bool = true;

    fn visit(&mut self, _: usize, score: f64) -> f64 {
        self.0 = self.0.max(score);
        self.0
    }
}

/// The way of all rows to their ends, step by step; ends are what `otherwise` or the last test says.
fn descend(kernel: Kernel, words: &[u64], shift: u32, numbers: &[f32], count: usize) -> [u32; CHUNK] {
    let mut rows = Rows::new(numbers.len() / CHUNK);
    rows.numbers.copy_from_slice(numbers);
    rows.start(count);
    for _ in 0..1000 {
        let otherwise = |slot, row| if row % 3 == 0 { Next::End(slot + 1000) } else { Next::End(row) };
        kernel.step(Tests { words, shift }, &mut rows, otherwise);
        if rows.running == 0 {
            break;
        }
    }
    assert_eq!(rows.running, 0);
    rows.ends
}

/// A test word: below the threshold the row goes to slot `2 · pair`, above it to the next one.
fn word(threshold: f32, pair: u32, column: u32, ends: u32, shift: u32) -> u64 {
    u64::from(pair << shift | column << 2 | ends) << 32 | u64::from(threshold.to_bits())
}

/// How the properties are tested: nothing is written beside the sources.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn partitions_are_equal() {
    let Some(vectors) = vectors_or_skip() else { return };
    proptest!(config(), |(rows in prop::collection::vec((any::<bool>(), any::<bool>(), 0u32..4), 0..200))| {
        let list: Vec<u32> =
            rows.iter().zip(0u32..).map(|(r, id)| u32::from(r.0) << 31 | id << 2 | r.2).collect();
        let side: Vec<u8> = rows.iter().map(|r| u8::from(r.1)).chain([9; SIDES_BEHIND]).collect();
        let (mut plain, mut wide) = (list.clone(), list.clone());
        if !list.is_empty() {
            let lefts = Kernel::Portable.partition(&mut plain, &mut list.clone(), &side, 2);
            prop_assert_eq!(lefts, vectors.partition(&mut wide, &mut list.clone(), &side, 2));
        }
        prop_assert_eq!(plain, wide);
    });
}

#[test]
fn bytes_are_equal() {
    let Some(vectors) = vectors_or_skip() else { return };
    proptest!(config(), |(cells in prop::collection::vec(prop_oneof![
        (0u8..=255).prop_map(f64::from), (-3i32..300).prop_map(f64::from), Just(0.5), Just(f64::NAN), Just(-0.0)], 0..60))| {
        let (mut plain, mut wide) = (vec![0; cells.len()], vec![0; cells.len()]);
        let fit = Kernel::Portable.bytes(&cells, &mut plain);
        prop_assert_eq!(fit, vectors.bytes(&cells, &mut wide));
        prop_assert!(!fit || plain == wide);
    });
}

#[test]
fn scores_are_equal() {
    let Some(vectors) = vectors_or_skip() else { return };
    proptest!(config(), |(
        (classes, rows) in (2usize..=16).prop_flat_map(|c|
            (Just(c), prop::collection::vec((0..c as u32, any::<bool>()), 2..150))),
        from in 1usize..20, bound in 0.0..40.0f64,
    )| {
        let class_bits = if classes == 2 { 1 } else { 4 };
        let list: Vec<u32> =
            rows.iter().zip(0u32..).map(|(r, id)| u32::from(r.1) << 31 | id << class_bits | r.0).collect();
        let mut totals = vec![0.0; classes];
        rows.iter().for_each(|r| totals[r.0 as usize] += 1.0);
        let cuts = Cuts { rows: &list, class_bits, totals: &totals, places: from..list.len() };
        let (mut plain, mut wide) = (All(Vec::new()), All(Vec::new()));
        Kernel::Portable.visit_cuts(&cuts, 0.0, &mut plain);
        vectors.visit_cuts(&cuts, 0.0, &mut wide);
        prop_assert_eq!(plain.0.len(), wide.0.len());
        for (a, b) in plain.0.iter().zip(&wide.0) {
            prop_assert!(a.0 == b.0 && (a.1 - b.1).abs() <= 1e-12 * a.1, "{:?} {:?}", a, b);
        }
        let (mut plain, mut wide) = (Largest(bound), Largest(bound));
        Kernel::Portable.visit_cuts(&cuts, bound, &mut plain);
        vectors.visit_cuts(&cuts, bound, &mut wide);
        prop_assert!((plain.0 - wide.0).abs() <= 1e-12 * plain.0);
    });
}

#[test]
fn rounding_down_is_equal() {
    let Some(vectors) = vectors_or_skip() else { return };
    proptest!(config(), |(numbers in prop::collection::vec(any::<f64>(), 0..40))| {
        let (mut plain, mut wide) = (vec![0f32; 40], vec![0f32; 40]);
        Kernel::Portable.round_down(&numbers, &mut plain);
        vectors.round_down(&numbers, &mut wide);
        for ((x, p), w) in numbers.iter().zip(&plain).zip(&wide) {
            prop_assert!(p.to_bits() == w.to_bits() || x.is_nan() && p.is_nan() && w.is_nan(), "{x} {p} {w}");
            prop_assert!(x.is_nan() || f64::from(*p) <= *x);
        }
    });
}

#[test]
fn descents_are_equal() {
    let Some(vectors) = vectors_or_skip() else { return };
    proptest!(config(), |(
        tests in prop::collection::vec((-2i32..3, 0u32..3, 0u32..4, any::<bool>()), 1..30),
        cells in prop::collection::vec(prop_oneof![(-3i32..4).prop_map(|x| x as f32), Just(f32::NAN)], 3),
        count in 1usize..=CHUNK,
    )| {
        // Pair `i + 1` holds the children of test `i`, of which the first may be another test and the second is a leaf.
        let shift = 4;
        let mut words = vec![0u64; 2 * tests.len() + 4];
        for (i, &(threshold, column, ends, open)) in tests.iter().enumerate() {
            let last = i + 1 == tests.len();
            let threshold = if open { f32::NAN } else { threshold as f32 };
            words[2 * i] = word(threshold, i as u32 + 1, column, if last { 3 } else { ends | 2 }, shift);
        }
        let numbers: Vec<f32> =
            (0..3 * CHUNK).map(|i| cells[(i + i / CHUNK) % 3] * ((i % 7) as f32 - 3.0)).collect();
        let plain = descend(Kernel::Portable, &words, shift, &numbers, count);
        prop_assert_eq!(plain, descend(vectors, &words, shift, &numbers, count));
    });
}

/// Both kernels, or the one there is.
fn kernels() -> impl Iterator<Item = Kernel> {
    [Kernel::Portable].into_iter().chain(vectors())
}

fn panics(work: impl FnOnce() + std::panic::UnwindSafe) -> bool {
    std::panic::catch_unwind(work).is_err()
}

#[test]
fn rows_without_a_side_and_short_lists_are_refused() {
    for kernel in kernels() {
        for id in [3, 4, 1000, (1 << 29) - 1] {
            assert!(panics(|| _ = kernel.partition(&mut [id << 2], &mut [0], &[0, 1, 0, 9, 9, 9], 2)));
        }
        assert!(panics(|| _ = kernel.partition(&mut [0, 4], &mut [0], &[0; 8], 2)));
        assert!(panics(|| kernel.round_down(&[1.0, 2.0], &mut [0.0])));
    }
}

#[test]
fn slots_rows_and_columns_outside_are_refused() {
    let step = |kernel: Kernel, slot: u32, row: u32, column: u32| {
        let words = [word(0.5, 1, column, 3, 4), 0, 0, 0];
        let mut rows = Rows::new(2);
        rows.numbers.fill(1.0);
        rows.start(3);
        (rows.slots[1], rows.rows[1]) = (slot, row);
        kernel.step(Tests { words: &words, shift: 4 }, &mut rows, |_, _| Next::End(7));
    };
    for kernel in kernels() {
        assert!(!panics(|| step(kernel, 0, 1, 1)));
        for (slot, row, column) in
            [(4, 1, 0), (u32::MAX, 1, 0), (0, CHUNK as u32, 0), (0, u32::MAX, 0), (0, 1, 2)]
        {
            assert!(panics(|| step(kernel, slot, row, column)), "{kernel:?} {slot} {row} {column}");
        }
    }
}
