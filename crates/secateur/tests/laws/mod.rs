//! Laws over the registry: settings of every method, samples and what may be done to them, and the verdict.
//!
//! A new learner or pruner is held to every law as soon as it stands in its list; no test names it.

pub mod outside;
pub mod sample;
pub mod settings;
pub mod trees;
pub mod verdict;

use secateur::fit::Fitted;
use secateur::method::Law;
use secateur::prune::Pruner;
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, Scheme};

use sample::Sample;
use verdict::Verdict;

/// Two fits of one scheme compared; the error says how they differ.
pub type Compare<'a> = &'a dyn Fn(&Fitted, &Fitted) -> Result<(), String>;

/// Holds schemes to a law: on every sample, and on the same sample after a change that must not matter.
pub fn hold(
    verdict: &mut Verdict,
    samples: &[Sample],
    schemes: impl Fn(&Sample, usize) -> Vec<Scheme>,
    change: impl Fn(&Sample) -> Sample,
    compare: Compare,
) {
    for (i, sample) in samples.iter().enumerate() {
        let changed = change(sample);
        let (one, other) = (sample.ready(), changed.ready());
        let (one, other) = (one.trees(), other.trees());
        for scheme in schemes(sample, i) {
            if !verdict.wants(&scheme) {
                continue;
            }
            let found = match (one.fit(&scheme), other.fit(&scheme)) {
                (Ok(a), Ok(b)) => compare(&a, &b),
                // What a method cannot do, it cannot do either way.
                (Err(_), Err(_)) => continue,
                (Err(e), Ok(_)) | (Ok(_), Err(e)) => Err(format!("only one of two fits works: {e}")),
            };
            verdict.add(&scheme, sample.name, found);
        }
    }
}

/// Tries a law on all learners.
pub fn law_of_learners(law: Law, run: impl Fn(&mut Verdict)) {
    judged(Verdict::new(law, LEARNERS.to_vec()), run);
}

/// Tries a law on all pruners.
pub fn law_of_pruners(law: Law, run: impl Fn(&mut Verdict)) {
    law_of_those_pruners(law, |_| true, run);
}

/// Tries a law on all pruners that it has a meaning for.
pub fn law_of_those_pruners(law: Law, which: impl Fn(&Pruner) -> bool, run: impl Fn(&mut Verdict)) {
    let pruners = outside::pruners().into_iter().filter(|p| which(p));
    judged(Verdict::new(law, pruners.map(|p| &p.info).collect()), run);
}

/// Whether a pruner is made for classes.
pub fn for_classes(pruner: &Pruner) -> bool {
    pruner.only.fits(Task::Classification)
}

fn judged(mut verdict: Verdict, run: impl Fn(&mut Verdict)) {
    run(&mut verdict);
    while verdict.goes_on() {
        run(&mut verdict);
    }
    verdict.end();
}

/// Runs something on a pool of this many threads.
pub fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Every law is tried on all pruners, and those of growth on all learners: a law without a test binds nobody.
#[test]
fn every_law_is_tried() {
    let pruners = [
        include_str!("../pruners/needs.rs"),
        include_str!("../pruners/obeyed.rs"),
        include_str!("../pruners/paths.rs"),
        include_str!("../pruners/shapes.rs"),
    ]
    .concat();
    let learners = include_str!("../learners.rs");
    let names = |law: &Law| format!("(Law::{law:?},");
    for law in Law::ALL {
        assert!(pruners.contains(&names(law)), "no pruner is held to {law:?}");
        assert_eq!(learners.contains(&names(law)), Law::OF_GROWTH.contains(law), "learners and {law:?}");
    }
    for info in LEARNERS {
        let declared = info.exceptions.iter().chain(info.params.iter().flat_map(|p| p.exceptions));
        for exception in declared {
            assert!(Law::OF_GROWTH.contains(&exception.law), "{} declares {:?}", info.id, exception.law);
        }
    }
}
