//! Full trees of real data sets against an independent grower (`conformance/full_trees.py`, which wrote the numbers).
//! The data are not part of the project: without them the test is skipped.

use secateur::data::{CodedTable, ReadOptions, Roles, read};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::GrowSpec;
use secateur_testing::data;

#[test]
fn full_trees_equal_those_of_an_independent_grower() {
    let Some(folder) = data() else { return };
    let expected = include_str!("../../../conformance/full_trees.csv");
    let mut compared = 0;
    for line in expected.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, numbers @ ..] = fields.as_slice() else { panic!("{line}") };
        let numbers: Vec<usize> = numbers.iter().map(|n| n.parse().unwrap()).collect();
        let plain = folder.join("classification").join(format!("{name}.arff"));
        let file = if plain.exists() { plain } else { plain.with_extension("arff.gz") };
        let table = read(file.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
        let coded = CodedTable::new(&table, &Roles::default()).unwrap();
        let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
        let errors = (tree.training_error() * table.rows() as f64).round() as usize;
        assert_eq!([table.rows(), tree.leaves(), errors, tree.depth()], numbers[..], "{name}");
        compared += 1;
    }
    assert!(compared >= 6);
}
