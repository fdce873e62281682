use super::*;
use crate::data::{Roles, builtin};
use crate::grow::grow;
use crate::progress::Silent;
use crate::schema::Task;

const DATA: [&str; 5] =
    ["iris", "credit?n=300&missing=0.2", "friedman?n=200", "houses?n=200&missing=0.1", "tic-tac-toe"];

fn specs(task: Task) -> Vec<GrowSpec> {
    let mut specs = vec![GrowSpec::cart(task)];
    match task {
        Task::Classification => {
            specs.extend([
                GrowSpec::c45(task),
                GrowSpec { criterion: Criterion::Entropy, ..specs[0].clone() },
            ]);
        }
        Task::Regression => specs.push(GrowSpec { criterion: Criterion::Mae, ..specs[0].clone() }),
    }
    specs
}

/// Every data set with some specifications.
fn each(check: impl Fn(&str, &CodedTable, &GrowSpec)) {
    for name in DATA {
        let table = CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap();
        specs(table.task()).iter().for_each(|spec| check(name, &table, spec));
    }
}

#[test]
fn a_rival_is_what_its_attribute_alone_would_give() {
    each(|name, table, spec| {
        let tree = grow(table, spec, &Silent).unwrap();
        let root = rivals(table, None, spec, &tree, &[0], &Silent).unwrap().remove(0);
        assert!(!root.is_empty(), "{name}");
        let raw = builtin::load(name).unwrap();
        for rival in &root {
            let own = &table.schema().attributes[rival.condition.attribute()].name;
            let others = table.schema().attributes.iter().map(|a| a.name.clone()).filter(|n| n != own);
            let alone = Roles { ignore: others.collect(), ..Roles::default() };
            let alone = CodedTable::new(&raw, &alone).unwrap();
            let stump = grow(&alone, &GrowSpec { max_splits: Some(1), ..spec.clone() }, &Silent).unwrap();
            let off = (stump.node(0).gain - rival.gain).abs();
            assert!(off <= 1e-9 * rival.gain, "{name}: {own} gains {} or {}", stump.node(0).gain, rival.gain);
        }
    });
}

#[test]
fn every_split_is_the_best_of_its_node_s_rivals() {
    each(|name, table, spec| {
        let tree = grow(table, spec, &Silent).unwrap();
        let nodes: Vec<usize> = (0..tree.nodes().len()).collect();
        let all = rivals(table, None, spec, &tree, &nodes, &Silent).unwrap();
        for (&id, list) in nodes.iter().zip(&all) {
            let Some(condition) = &tree.node(id).condition else {
                assert!(list.is_empty(), "{name}: leaf {id}");
                continue;
            };
            let own = list.iter().find(|rival| rival.condition == *condition);
            let own = own.unwrap_or_else(|| panic!("{name}: node {id} is not split by {list:?}"));
            assert_eq!(own.gain, tree.node(id).gain, "{name}: {id}");
            assert!(own.score >= list[0].score * (1.0 - 1e-9) - 1e-9, "{name}: {id} {own:?} {list:?}");
            assert!(list.is_sorted_by(|a, b| a.score >= b.score));
            let mut attributes: Vec<usize> = list.iter().map(|r| r.condition.attribute()).collect();
            attributes.sort_unstable();
            attributes.dedup();
            assert_eq!(attributes.len(), list.len(), "{name}: one for every attribute");
        }
    });
}

#[test]
fn rows_left_out_leave_no_trace() {
    let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
    let weights: Vec<f64> = (0..table.rows()).map(|row| f64::from(row % 3 > 0)).collect();
    let spec = GrowSpec::cart(table.task());
    let tree = crate::grow::grow_weighted(&table, Some(&weights), &spec, &Silent).unwrap();
    let root = rivals(&table, Some(&weights), &spec, &tree, &[0], &Silent).unwrap().remove(0);
    assert_eq!(Some(&root[0].condition), tree.node(0).condition.as_ref());
    assert_eq!(root[0].gain, tree.node(0).gain);
}
