//! What SciPy answers to the same questions (`conformance/statistics.csv`, written by the script beside it).

use std::collections::BTreeMap;

use super::distributions::{chi2_tail, f_tail, normal_quantile, normal_tail, t_quantile, t_tail};
use super::*;

const RECORDED: &str = include_str!("../../../../conformance/statistics.csv");

/// The names on record; a name that is missing or new is an oversight.
const NAMES: [&str; 22] = [
    "average_ranks",
    "chi2_tail",
    "cliffs_delta",
    "control_first",
    "corrected_90",
    "critical_difference",
    "f_tail",
    "friedman",
    "friedman_tied",
    "mcnemar",
    "mean_interval",
    "nemenyi_first",
    "normal_quantile",
    "normal_tail",
    "pooled_proportions",
    "proportions",
    "range_quantile",
    "t_quantile",
    "t_tail",
    "t_test",
    "wilcoxon",
    "wilson",
];

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ').map(|number| number.parse().unwrap()).collect()
}

/// What this library answers, in the order of the script.
fn answer(name: &str, input: &[Vec<f64>]) -> Vec<f64> {
    let first = &input[0];
    let number = |i: usize| input[i][0];
    let count = |i: usize| first[i] as u64;
    let ends = |interval: Interval| [interval.low, interval.high];
    match name {
        "normal_tail" => vec![normal_tail(number(0))],
        "normal_quantile" => vec![normal_quantile(number(0))],
        "t_tail" => vec![t_tail(number(0), number(1))],
        "t_quantile" => vec![t_quantile(number(0), number(1))],
        "chi2_tail" => vec![chi2_tail(number(0), number(1))],
        "f_tail" => vec![f_tail(number(0), number(1), number(2))],
        "range_quantile" => vec![studentized_range::quantile(number(0), number(1) as usize).unwrap()],
        "critical_difference" => {
            vec![nemenyi_critical_difference(number(0) as usize, number(1) as usize, number(2)).unwrap()]
        }
        "t_test" => {
            let test = paired_t(first).unwrap();
            let side = |tail| one_sided_t(first, tail).unwrap().p;
            vec![test.t, test.p, side(Tail::Greater), side(Tail::Less), cohens_d(first).unwrap()]
        }
        "mean_interval" => ends(mean_interval(first, number(1)).unwrap()).to_vec(),
        "corrected_90" => {
            let test = corrected_t(first, number(1)).unwrap();
            let [low, high] = ends(corrected_interval(first, number(1), 0.9).unwrap());
            vec![test.t, test.p, low, high]
        }
        "proportions" | "pooled_proportions" => {
            let compare = if name == "proportions" { proportions } else { pooled_proportions };
            let test = compare(count(0), count(1), count(2), count(3)).unwrap();
            let [low, high] = ends(test.interval(0.9).unwrap());
            vec![test.z, test.p, low, high]
        }
        "mcnemar" => {
            let test = mcnemar(count(0), count(1));
            vec![test.exact_p, test.chi2, test.chi2_p]
        }
        "wilson" => ends(wilson_interval(count(0), count(1), number(1)).unwrap()).to_vec(),
        "average_ranks" => friedman(input, true).unwrap().average_ranks,
        "friedman" => {
            let test = friedman(input, true).unwrap();
            vec![test.chi2, test.p, test.f, test.f_p]
        }
        "friedman_tied" => {
            let test = friedman(input, true).unwrap().corrected_for_ties();
            vec![test.chi2, test.p]
        }
        "nemenyi_first" => nemenyi(&friedman(input, true).unwrap()).unwrap()[0][1..].to_vec(),
        "control_first" => {
            let against = against_control(&friedman(input, true).unwrap(), 0).unwrap();
            let z = against.iter().map(|versus| versus.z);
            z.chain(against.iter().map(|versus| versus.adjusted_p)).collect()
        }
        "wilcoxon" => {
            let p = |zeros| wilcoxon(first, &input[1], zeros).unwrap().p;
            vec![p(Zeros::Dropped), p(Zeros::Split)]
        }
        "cliffs_delta" => vec![cliffs_delta(first, &input[1]).unwrap()],
        _ => panic!("{name} is recorded but not compared"),
    }
}

#[test]
fn answers_are_those_of_scipy_to_nine_digits() {
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [name, input, value] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let input: Vec<Vec<f64>> = input.split(';').map(numbers).collect();
        let (got, want) = (answer(name, &input), numbers(value));
        assert_eq!(got.len(), want.len(), "{line}");
        for (got, want) in got.iter().zip(&want) {
            // Of these SciPy's own answers are differences of numbers near 1: smaller ones lack digits.
            let least =
                if ["nemenyi_first", "friedman", "control_first"].contains(&name) { 1e-3 } else { 1e-300 };
            let off = if got == want { 0.0 } else { (got - want).abs() / want.abs().max(least) };
            let most = worst.entry(name).or_default();
            *most = most.max(off);
            if off.is_nan() || off > 1e-9 {
                wrong.push(format!("{name} {input:?}: {got:?}, SciPy {want:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{worst:#?}", wrong.join("\n"));
    assert_eq!(worst.into_keys().collect::<Vec<_>>(), NAMES);
}
