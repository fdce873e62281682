//! Values in order are divided as numbers are, whatever the learner takes from their gains.

use secateur::data::{CodedTable, Column, MISSING, Nominal, Roles, Table, Values};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::scheme::Scheme;
use secateur::tree::Tree;

use crate::common::*;

/// What C4.5 takes from the gain of a threshold, and the rows that it leaves on each side, too.
#[test]
fn values_in_order_are_divided_as_numbers_are() {
    let mut splits = 0;
    for seed in 0..12 {
        let base = random_table(
            Shape { rows: 240, classes: 3, missing: 0.1, weights: false, nominal_values: 4 },
            seed,
        );
        // The number of every row, cut to steps, as numbers and as values in order.
        let Values::Numeric(numbers) = &base.columns()[0].values else { panic!("no numbers") };
        let low = numbers.iter().copied().filter(|x| !x.is_nan()).fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().filter(|x| !x.is_nan()).fold(f64::NEG_INFINITY, f64::max);
        let step = |x: &f64| ((x - low) / (high - low) * 11.0).floor();
        let target = base.columns().iter().find(|column| column.name == "y").unwrap().clone();
        let steps: Vec<f64> = numbers.iter().map(step).collect();
        let code = |x: &f64| if x.is_nan() { MISSING } else { *x as u32 };
        let levels = (0..12).map(|level| format!("step {level}")).collect();
        let ordered = Nominal { levels, codes: steps.iter().map(code).collect() };
        let grown = |values: Values, ordered: Vec<String>, scheme: &str| {
            let column = Column { name: "step".into(), values };
            let table = Table::new("t", vec![column, target.clone()]).unwrap();
            let roles = Roles { target: Some("y".into()), ordered, ..Roles::default() };
            let coded = CodedTable::new(&table, &roles).unwrap();
            let spec = scheme.parse::<Scheme>().unwrap().grow_spec(coded.task()).unwrap();
            grow(&coded, &spec, &Silent).unwrap()
        };
        for scheme in ["c45", "c45:min-leaf=1", "cart", "c45:guards=off", "c45:missing=branch"] {
            let as_numbers = grown(Values::Numeric(steps.clone()), Vec::new(), scheme);
            let in_order = grown(Values::Nominal(ordered.clone()), vec!["step".into()], scheme);
            let nodes = |tree: &Tree| -> Vec<(u64, Vec<f64>, f64)> {
                let of =
                    |id: usize| (tree.node(id).rows, tree.class_weights(id).to_vec(), tree.node(id).gain);
                (0..tree.nodes().len()).map(of).collect()
            };
            assert_eq!(nodes(&as_numbers), nodes(&in_order), "{scheme}, {seed}");
            splits += as_numbers.splits();
        }
    }
    assert!(splits > 100, "{splits}");
}
