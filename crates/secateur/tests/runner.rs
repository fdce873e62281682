//! The runner: the same records on any number of threads, and nothing of the test rows in a tree.

use secateur::data::{CodedTable, Column, Roles, Table, Values, builtin};
use secateur::evaluate::{DataSet, Details, Experiment, FoldOrder, Named, Protocol, Record};
use secateur::fit::{FitOptions, fit};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;

fn coded(table: &Table) -> CodedTable {
    CodedTable::new(table, &Roles::default()).unwrap()
}

fn experiment(protocol: Protocol, tables: &[CodedTable], schemes: &[&str]) -> Experiment {
    let datasets = tables.iter().map(|t| DataSet::ready(t.name(), t.clone(), FitOptions::default()));
    Experiment {
        datasets: datasets.collect(),
        schemes: schemes.iter().map(|s| Named::plain(s.parse().unwrap())).collect(),
        protocol,
        shares: vec![1.0],
        seed: 3,
        sharing: true,
        all_parts: false,
        details: Details::default(),
    }
}

fn cv(folds: usize, repeats: usize) -> Protocol {
    Protocol::Cv { folds, repeats, order: FoldOrder::Stratified }
}

/// Records without their times.
fn untimed(records: Vec<Record>) -> Vec<Record> {
    records.into_iter().map(|r| Record { seconds: None, ..r }).collect()
}

#[test]
fn records_do_not_depend_on_threads_nor_on_sharing() {
    let tables = [coded(&builtin::load("iris").unwrap()), coded(&builtin::load("weather").unwrap())];
    let schemes =
        ["cart/cost-complexity:cv=5", "best-first/pre:cv=5", "best-first/post:cv=5,1se", "c45/error-based"];
    let with = |threads: usize, sharing: bool| {
        let experiment =
            Experiment { sharing, shares: vec![0.5, 1.0], ..experiment(cv(3, 2), &tables, &schemes) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        untimed(pool.install(|| experiment.run(None, &Silent)).unwrap())
    };
    let one = with(1, true);
    assert_eq!(one.len(), 2 * 6 * 2 * 4);
    assert!(one.iter().any(|r| r.measured.is_some()));
    assert_eq!(with(2, true), one);
    assert_eq!(with(4, true), one);
    assert_eq!(with(2, false), one);
}

#[test]
fn what_cannot_be_run_is_an_error_before_the_work() {
    let iris = [coded(&builtin::load("iris").unwrap())];
    let problem = |experiment: Experiment| experiment.run(None, &Silent).unwrap_err().to_string();
    for protocol in [
        cv(0, 1),
        cv(3, 0),
        Protocol::Random { trials: 0, train: 0.5 },
        Protocol::Window { parts: 0, train: 0 },
    ] {
        let said = problem(experiment(protocol, &iris, &["cart"]));
        assert!(said.contains("expected at least one division"), "{said}");
    }
    let none = Experiment { shares: Vec::new(), ..experiment(cv(3, 1), &iris, &["cart"]) };
    assert!(problem(none).contains("share"));
    assert!(problem(experiment(cv(3, 1), &[], &["cart"])).contains("at least one data set"));
    let twice = [iris[0].clone(), iris[0].clone()];
    assert!(problem(experiment(cv(3, 1), &twice, &["cart"])).contains("appears twice"));
    // Countless divisions are refused, not counted.
    assert!(
        problem(experiment(
            cv(usize::MAX, 2),
            &[iris[0].clone(), coded(&builtin::load("weather").unwrap())],
            &["cart"]
        ))
        .contains("fewer")
    );
}

/// The same table with other targets in the rows that a function names.
fn with_other_targets(table: &Table, changed: impl Fn(usize) -> bool) -> Table {
    let mut columns: Vec<Column> = table.columns().to_vec();
    match &mut columns.last_mut().unwrap().values {
        Values::Numeric(values) => {
            values
                .iter_mut()
                .enumerate()
                .filter(|(row, _)| changed(*row))
                .for_each(|(_, x)| *x = 40.0 - 2.0 * *x);
        }
        Values::Nominal(nominal) => {
            let levels = nominal.levels.len() as u32;
            let codes = nominal.codes.iter_mut().enumerate();
            codes.filter(|(row, _)| changed(*row)).for_each(|(_, code)| *code = (*code + 1) % levels);
        }
    }
    Table::new(table.name(), columns).unwrap()
}

/// A scheme with every pruner that fits the target, at its defaults, and with every selector.
fn schemes(task: Task) -> Vec<Scheme> {
    let mut list: Vec<String> = vec!["cart".into(), "c45".into()];
    for pruner in crate::laws::outside::pruners() {
        if pruner.only.fits(task) {
            list.extend(["cart", "best-first"].map(|learner| format!("{learner}/{}", pruner.info.id)));
            list.push(format!("cart/{}:cv=4,1se", pruner.info.id));
            list.push(format!("cart/{}:holdout=0.3", pruner.info.id));
        }
    }
    list.iter().filter_map(|text| text.parse().ok()).collect()
}

#[test]
fn the_targets_of_test_rows_do_not_reach_a_tree() {
    for name in ["iris", "credit?n=200", "friedman?n=150"] {
        let table = builtin::load(name).unwrap();
        let own = coded(&table);
        let split = cv(4, 1).splits(&own, 5).unwrap().remove(1);
        let other = coded(&with_other_targets(&table, |row| split.test.contains(&(row as u32))));
        let mut fitted = 0;
        for scheme in schemes(own.task()) {
            let grown = |table: &CodedTable| {
                let options = split.options(table, &FitOptions::default(), 10).unwrap();
                fit(table, &scheme, &options, &Silent)
            };
            // Schemes that need an option first are none of this test's business.
            let Ok(first) = grown(&own) else { continue };
            let second = grown(&other).unwrap_or_else(|e| panic!("{name} {scheme}: {e}"));
            fitted += 1;
            assert!(first.tree == second.tree, "{name} {scheme}");
        }
        assert!(fitted >= 10, "{name}: {fitted}");
    }
}

#[test]
fn the_targets_of_test_rows_change_scores_only() {
    let table = builtin::load("credit?n=300").unwrap();
    let other = with_other_targets(&table, |row| row >= 200);
    let schemes =
        ["cart/cost-complexity:cv=10,1se", "cart/reduced-error", "c45/error-based", "cart/k-norm:cv=5"];
    let run = |table: &Table| {
        experiment(Protocol::TrainTest { train: 200 }, &[coded(table)], &schemes).run(None, &Silent).unwrap()
    };
    for (a, b) in run(&table).iter().zip(&run(&other)) {
        for measure in ["nodes", "leaves", "depth"] {
            assert_eq!(a.get(measure).unwrap(), b.get(measure).unwrap(), "{}", a.scheme);
        }
        assert_ne!(a.get("accuracy").unwrap(), b.get("accuracy").unwrap(), "{}", a.scheme);
    }
}

fn lines(path: &std::path::Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

/// A file of some schemes goes on with more of them: what is there stays, byte for byte, and the records are those of one run.
/// Wherever the file was cut, running again completes it.
#[test]
fn a_result_file_is_extended_by_other_schemes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let tables = [coded(&builtin::load("iris").unwrap()), coded(&builtin::load("weather").unwrap())];
    let (a, b, c) = ("cart/mdl", "best-first/pre:cv=3", "best-first/post:cv=3");
    let run = |schemes: &[&str], file: Option<&std::path::Path>| {
        let experiment = Experiment { shares: vec![0.6, 1.0], ..experiment(cv(3, 2), &tables, schemes) };
        experiment.run(file, &Silent).map(untimed)
    };
    run(&[a, b], Some(&path)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let scratch = run(&[c, b, a], None).unwrap();
    assert_eq!(run(&[c, b, a], Some(&path)).unwrap(), scratch);
    let whole = std::fs::read(&path).unwrap();
    assert!(whole.starts_with(&before));
    assert_eq!(lines(&path).len(), 2 + scratch.len());
    assert_eq!(lines(&folder.path().join("r.jsonl.seconds")).len(), scratch.len());
    assert_eq!(run(&[c, b, a], Some(&path)).unwrap(), scratch);
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    for end in (0..whole.len()).step_by(whole.len() / 37) {
        std::fs::write(&path, &whole[..end]).unwrap();
        assert_eq!(run(&[c, b, a], Some(&path)).unwrap(), scratch, "cut at {end}");
        // A beginning of the first section is completed before the second one follows.
        if end > lines_end(&whole, 1) {
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {end}");
        }
    }
    std::fs::write(&path, &whole).unwrap();
    let problem = run(&[a], Some(&path)).unwrap_err().to_string();
    assert!(problem.contains("line 1: ") && problem.contains("results of the scheme"), "{problem}");
}

/// Where a number of lines end.
fn lines_end(bytes: &[u8], lines: usize) -> usize {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(place, _)| place).nth(lines - 1).unwrap()
}

#[test]
fn a_line_that_was_edited_is_refused_and_what_differs_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let iris = [coded(&builtin::load("iris").unwrap())];
    let here = || experiment(cv(3, 1), &iris, &["cart/mdl"]);
    here().run(Some(&path), &Silent).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    for (line, from, to) in [(2, "\"accuracy\":0.", "\"accuracy\":0.1"), (0, "\"seed\":3", "\"seed\":4")] {
        let mut lines: Vec<String> = whole.lines().map(String::from).collect();
        let changed = lines[line].replacen(from, to, 1);
        assert_ne!(changed, lines[line]);
        lines[line] = changed;
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let problem = here().run(Some(&path), &Silent).unwrap_err().to_string();
        let place = format!("r.jsonl, line {}: this line was changed", line + 1);
        assert!(problem.contains(&place), "{problem}");
    }
    std::fs::write(&path, &whole).unwrap();
    let problem = |experiment: Experiment| experiment.run(Some(&path), &Silent).unwrap_err().to_string();
    for (other, words) in [
        (Experiment { seed: 4, ..here() }, "another experiment: seed is 3 in the file and 4 here"),
        (Experiment { shares: vec![0.5], ..here() }, "shares is [1.0] in the file and [0.5] here"),
        (Experiment { protocol: cv(4, 1), ..here() }, "folds of protocol is 3 in the file and 4 here"),
        (Experiment { protocol: cv(3, 2), ..here() }, "repeats of protocol is 1 in the file and 2 here"),
        (experiment(cv(3, 1), &iris, &["cart"]), "results of the scheme 'cart/mdl' too"),
    ] {
        let said = problem(other);
        assert!(said.contains(words) && said.contains("r.jsonl, line 1: "), "{said}");
    }
    let mut named = here();
    named.schemes[0] = Named { name: "cart/mdl".into(), ..Named::plain("cart".parse().unwrap()) };
    assert!(
        problem(named).contains("scheme of the scheme 'cart/mdl' is 'cart/mdl' in the file and 'cart' here")
    );
    // Rows are known by a fingerprint, where there is one.
    let printed = |print: u64| {
        let mut experiment = here();
        experiment.datasets =
            vec![DataSet::ready("iris", iris[0].clone(), FitOptions::default()).with_fingerprint(print)];
        experiment
    };
    let path = folder.path().join("p.jsonl");
    printed(1).run(Some(&path), &Silent).unwrap();
    let said = printed(2).run(Some(&path), &Silent).unwrap_err().to_string();
    assert!(said.contains("'iris' has other rows, columns, weights or costs here"), "{said}");
}
