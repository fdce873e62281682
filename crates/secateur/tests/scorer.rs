//! A scored row costs no allocation, whatever is missing in it.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]
#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use secateur::data::{CodedTable, Roles, Values, builtin};
use secateur::fit::{FitOptions, fit};
use secateur::predict::{Field, LeafValues, Scorer};
use secateur::progress::Silent;
use secateur::schema::{CostEntry, Costs};
use secateur::tree::Tree;

/// The allocator of the system, which counts what a thread asks for.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the allocator of the system as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn asked(run: impl FnOnce()) -> usize {
    let before = ASKED.get();
    run();
    ASKED.get() - before
}

fn tree(data: &str, scheme: &str, costs: Option<CostEntry>) -> Tree {
    let table = builtin::load(data).unwrap();
    let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    let tree = fit(&coded, &scheme.parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
    let costs = costs.map(|entry| Arc::new(Costs::new(tree.schema().target.classes(), &[entry]).unwrap()));
    tree.with_costs(costs).unwrap()
}

fn field(values: &Values, row: usize) -> Field<'_> {
    match values {
        Values::Numeric(numbers) => Field::Number(numbers[row]),
        Values::Nominal(n) => n.levels.get(n.codes[row] as usize).map(String::as_str).into(),
    }
}

/// Every row of the data, then the same with one field after the other missing, unknown or a number.
fn allocations(data: &str, scheme: &str, costs: Option<CostEntry>) -> (usize, usize) {
    let table = builtin::load(data).unwrap();
    let (mut in_parts, mut all) = (0, 0);
    for values in [LeafValues::Raw, LeafValues::Shrink(10.0)] {
        let scorer = Scorer::with_leaf_values(tree(data, scheme, costs.clone()), values).unwrap();
        let mut buffer = scorer.buffer();
        let columns: Vec<_> =
            scorer.columns().map(|name| table.columns().iter().find(|c| c.name == name).unwrap()).collect();
        for row in 0..table.rows() {
            let fields: Vec<Field> = columns.iter().map(|column| field(&column.values, row)).collect();
            for place in 0..=fields.len() {
                let mut changed = fields.clone();
                for other in [Field::Missing, Field::Text("of no list"), Field::Number(f64::NAN)] {
                    let numeric = matches!(fields.get(place), Some(Field::Number(_)));
                    match changed.get_mut(place) {
                        Some(_) if numeric && matches!(other, Field::Text(_)) => continue,
                        Some(field) => *field = other,
                        None => {}
                    }
                    all += asked(|| {
                        let scored = scorer.score(&changed, &mut buffer).unwrap();
                        in_parts += usize::from(!scored.is_whole);
                    });
                }
            }
        }
    }
    (all, in_parts)
}

#[test]
fn no_row_allocates() {
    let cost = CostEntry { actual: "bad".into(), predicted: "good".into(), cost: 5.0 };
    for (data, scheme, costs) in [
        ("iris", "cart", None),
        ("weather", "c45", None),
        ("credit?n=300", "cart", Some(cost.clone())),
        ("credit?n=300", "c45", Some(cost)),
        ("friedman?n=200", "cart:leaf=median", None),
    ] {
        let (asked, in_parts) = allocations(data, scheme, costs);
        assert!(in_parts > 0, "{data} {scheme}: no row went down in parts");
        assert_eq!(asked, 0, "{data} {scheme}");
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(asked(|| drop(std::hint::black_box(vec![1u8; 10]))), 1);
}
