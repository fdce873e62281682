//! Costs: those of one are errors, and others matter.

use secateur::schema::Task;
use secateur::scheme::Scheme;

use crate::laws::sample::classifiers;
use crate::laws::settings::all_pruners;
use crate::laws::trees::same_splits;

#[test]
fn costs_of_one_are_errors() {
    for (turn, sample) in classifiers(0).iter().enumerate() {
        let (plain, ones) =
            (sample.clone().without_costs().ready(), sample.clone().with_costs_of_one().ready());
        let (plain, ones) = (plain.trees(), ones.trees());
        for scheme in all_pruners(Task::Classification, turn, &[]) {
            let (Ok(a), Ok(b)) = (plain.fit(&scheme), ones.fit(&scheme)) else { continue };
            same_splits(&a.tree, &b.tree).unwrap_or_else(|how| panic!("{scheme} on {}: {how}", sample.name));
            if let (Some(a), Some(b)) = (a.estimate, b.estimate) {
                assert!(
                    (a.error - b.error).abs() < 1e-9 && (a.se - b.se).abs() < 1e-9,
                    "{scheme}: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn costs_change_trees() {
    for sample in classifiers(0).iter().filter(|s| s.has_costs()) {
        let (plain, dear) = (sample.clone().without_costs().ready(), sample.ready());
        let (plain, dear) = (plain.trees(), dear.trees());
        let changes = |scheme: &Scheme| {
            let (Ok(a), Ok(b)) = (plain.fit(scheme), dear.fit(scheme)) else { return false };
            a.tree != b.tree.with_costs(None).unwrap()
        };
        let changed =
            all_pruners(Task::Classification, 0, &[]).iter().filter(|scheme| changes(scheme)).count();
        assert!(changed > 20, "{}: {changed}", sample.name);
    }
}
