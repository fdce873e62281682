//! Tables whose numbers are cut into bins, and large nodes that are counted by value.

use secateur::data::{CodedTable, CodedTarget, Column, Nominal, Roles, Scale, Table, Values, builtin};
use secateur::fit::{self, FitOptions};
use secateur::grow::{Counting, Grower, RowCounter, grow};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::spec::GrowSpec;
use secateur::tree::{Condition, Tree};

/// The tree of an engine that counts every node anew and keeps no list in order.
fn counted(coded: &CodedTable, spec: &GrowSpec) -> Tree {
    let engine = Counting::new(RowCounter::new(coded, 0..coded.rows()), coded, spec).expect("an engine");
    let mut grower = Grower::new(engine, spec).expect("a root");
    while grower.expand().expect("a split") {}
    grower.finish(coded)
}

fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(run)
}

/// Numbers with few and with many values, names, a flag; three classes that depend on all of them, and some noise.
fn large(rows: usize, missing: bool) -> Table {
    let spin = |row: usize, k: u64| {
        let x = (row as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(k.wrapping_mul(0xd1b5_4a32_d192_ed03));
        (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
    };
    let numeric = |name: &str, f: &dyn Fn(usize) -> f64| Column {
        name: name.into(),
        values: Values::Numeric((0..rows).map(f).collect()),
    };
    let few = |row: usize| (spin(row, 1) % 40) as f64;
    let names = |row: usize| (spin(row, 2) % 7) as u32;
    let many = |row: usize| spin(row, 3) as f64;
    let hole = |row: usize| missing && spin(row, 4) % 50 == 0;
    let class = |row: usize| {
        let noise = spin(row, 5) % 10 == 0;
        let sum = few(row) as u64 / 9 + u64::from(names(row) > 3) + u64::from(many(row) > 4e12);
        if noise { (spin(row, 6) % 3) as u32 } else { (sum % 3) as u32 }
    };
    let nominal = |name: &str, levels: usize, code: &dyn Fn(usize) -> u32| {
        let levels = (0..levels).map(|l| format!("{name} {l}")).collect();
        let values = Values::Nominal(Nominal { levels, codes: (0..rows).map(code).collect() });
        Column { name: name.into(), values }
    };
    let columns = vec![
        numeric("few", &|row| if hole(row) { f64::NAN } else { few(row) }),
        nominal("name", 7, &names),
        numeric("many", &many),
        numeric("flag", &|row| f64::from(u8::from(spin(row, 7) % 30 == 0))),
        nominal("class", 3, &class),
    ];
    Table::new("large", columns).expect("columns of one length")
}

#[test]
fn counted_nodes_split_like_any_others() {
    let specs = [
        GrowSpec { min_leaf: 200.0, ..GrowSpec::cart(Task::Classification) },
        GrowSpec { max_leaves: Some(60), ..GrowSpec::best_first(Task::Classification) },
        GrowSpec { max_leaves: Some(60), bins: Some(30), ..GrowSpec::best_first(Task::Classification) },
        GrowSpec { min_leaf: 300.0, ..GrowSpec::c45(Task::Classification) },
    ];
    for missing in [false, true] {
        let coded = CodedTable::new(&large(40_000, missing), &Roles::default()).unwrap();
        for spec in &specs {
            let one = with_threads(1, || grow(&coded, spec, &Silent).unwrap());
            let two = with_threads(2, || grow(&coded, spec, &Silent).unwrap());
            assert_eq!(one, two);
            assert!(one.leaves() > 8, "{}", one.leaves());
            if !missing && spec.bins.is_none() {
                assert_eq!(one, counted(&coded, spec));
            }
        }
    }
}

#[test]
fn a_binned_table_gives_the_tree_of_binned_growing() {
    let table = large(33_000, true);
    let (exact, binned) = (
        CodedTable::new(&table, &Roles::default()).unwrap(),
        CodedTable::binned(&table, &Roles::default(), 50).unwrap(),
    );
    assert!(matches!(&binned.columns()[2].scale, Scale::Bins(bins) if bins.first.len() == 50));
    assert_eq!(exact.columns()[0], binned.columns()[0]);
    for spec in [
        GrowSpec { max_leaves: Some(40), ..GrowSpec::best_first(Task::Classification) },
        GrowSpec::c45(Task::Classification),
    ] {
        let spec = GrowSpec { bins: Some(50), min_leaf: 100.0, ..spec };
        let tree = grow(&exact, &spec, &Silent).unwrap();
        assert_eq!(tree, grow(&binned, &spec, &Silent).unwrap());
        assert_eq!(tree, grow(&binned, &GrowSpec { bins: None, ..spec }, &Silent).unwrap());
    }
}

#[test]
fn thresholds_part_bins_and_send_cells_where_their_bins_were_counted() {
    let table = builtin::load("waveform-21?n=500").unwrap();
    let coded = CodedTable::binned(&table, &Roles::default(), 16).unwrap();
    let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
    let Some(Condition::Threshold { attribute, below, .. }) = &tree.node(0).condition else {
        panic!("no threshold")
    };
    let Scale::Bins(bins) = &coded.columns()[*attribute as usize].scale else { panic!("not cut") };
    assert_eq!(bins.first.len(), 16);
    // All bins occur at the root, so the threshold lies between two of them.
    assert!(bins.first.iter().zip(&bins.last).all(|(first, last)| last < below || below <= first));
    let CodedTarget::Classes { codes, .. } = coded.target() else { panic!("no classes") };
    let predictor = Predictor::bind(&tree, &table).unwrap();
    let wrong = (0..table.rows()).filter(|&row| {
        let leaf = predictor.leaf_weights(row);
        assert_eq!(leaf.len(), 1);
        tree.label(leaf[0].0) != codes[row] as usize
    });
    assert_eq!(wrong.count() as f64, tree.training_error());
}

#[test]
fn as_many_bins_as_values_change_nothing() {
    for name in ["iris", "waveform-21?n=300", "balance-scale"] {
        let coded = CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap();
        let exact = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
        let spec = GrowSpec { bins: Some(300), ..GrowSpec::cart(Task::Classification) };
        assert_eq!(exact, grow(&coded, &spec, &Silent).unwrap());
        let rough =
            grow(&coded, &GrowSpec { bins: Some(2), ..GrowSpec::cart(Task::Classification) }, &Silent)
                .unwrap();
        assert!(rough.training_error() > exact.training_error());
    }
}

#[test]
fn a_fit_codes_the_table_as_its_scheme_needs_it() {
    let table = builtin::load("waveform-21?n=400").unwrap();
    let (roles, options) = (Roles::default(), FitOptions::default());
    for (text, cut) in [
        ("cart:bins=20", true),
        ("cart:bins=20/k-norm:k=2", true),
        ("cart:bins=20/cost-complexity:cv=5", false),
        ("cart:bins=20/reduced-error", false),
        ("cart", false),
    ] {
        let scheme: Scheme = text.parse().unwrap();
        let coded = fit::coded(&table, &roles, &scheme).unwrap();
        assert_eq!(matches!(coded.columns()[0].scale, Scale::Bins(_)), cut, "{text}");
        let exact = CodedTable::new(&table, &roles).unwrap();
        let trees = [&coded, &exact].map(|coded| fit::fit(coded, &scheme, &options, &Silent).unwrap().tree);
        assert_eq!(trees[0], trees[1], "{text}");
    }
}
