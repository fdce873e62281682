//! A scorecard: points for every leaf of a tree with two classes, with weight of evidence and information value.
//!
//! With `gᵢ` and `bᵢ` the weights of the good and the bad class at leaf `i`, and `s` added to both in every leaf so that none is 0:
//!
//! ```text
//! share of the good   Gᵢ = (gᵢ + s) / Σ (gⱼ + s)          share of the bad   Bᵢ = (bᵢ + s) / Σ (bⱼ + s)
//! weight of evidence  wᵢ = ln (Gᵢ / Bᵢ)                    information value  Σ (Gᵢ − Bᵢ) wᵢ
//! odds                oᵢ = (gᵢ + s) / (bᵢ + s)             points             base + pdo / ln 2 · ln (oᵢ / odds)
//! ```
//!
//! so `base` points stand for the odds `odds`, and every `pdo` points double them. Weight of evidence after I. J. Good: Probability and
//! the Weighing of Evidence (1950); information value after S. Kullback: Information Theory and Statistics (1959), where it is the
//! divergence of the two distributions; the scale of points after N. Siddiqi: Credit Risk Scorecards (2006), chapter 6.

use secateur::error::{shown, suggestion};
use secateur::report::Rule;
use secateur::{Error, Result};

use super::csv;
use super::format::refused;
use super::rule_table::{Cell, RuleTable, conditions};
use super::said::leaves;
use super::{Carried, Carries, Format, Job, OptionKind, OptionSpec, Written};

/// A scorecard.
pub(super) static FORMAT: Format = Format {
    id: "scorecard",
    one_line: "points, weight of evidence and information value of every leaf, as a table (two classes)",
    extension: "scorecard.csv",
    options: &[
        OptionSpec {
            name: "good",
            kind: OptionKind::AnyText,
            default: "",
            help: "the class that more points stand for; the first one if none is named",
        },
        OptionSpec {
            name: "base",
            kind: OptionKind::Number(-1e9, 1e9),
            default: "600",
            help: "the points for the odds `odds`",
        },
        OptionSpec {
            name: "odds",
            kind: OptionKind::Number(1e-9, 1e9),
            default: "50",
            help: "the odds (good to bad) that `base` points stand for",
        },
        OptionSpec {
            name: "pdo",
            kind: OptionKind::Number(1e-9, 1e9),
            default: "20",
            help: "the points that double the odds",
        },
        OptionSpec {
            name: "smoothing",
            kind: OptionKind::Number(1e-9, 1e9),
            default: "0.5",
            help: "what is added to the weight of both classes in every leaf, so that none is 0",
        },
    ],
    carries: Carries {
        numbers: Carried::No,
        probabilities: Carried::Partly("as points"),
        classes: Carried::Partly("two"),
        note: "needs the counts of training rows; for people: what happens to rows without a value is not shown",
        ..csv::RULES
    },
    write: |job: &Job| Ok(Written::from(csv::text(&card(job)?))),
    consumers: |_| Vec::new(),
};

/// The places of the good and the bad class.
fn sides(job: &Job) -> Result<(usize, usize)> {
    let classes = job.classes();
    if classes.len() != 2 {
        return Err(refused(
            FORMAT.id,
            format!("a scorecard is for two classes, and it has {}", classes.len()),
        ));
    }
    match job.options.text("good") {
        "" => Ok((0, 1)),
        good => match classes.iter().position(|class| class == good) {
            Some(place) => Ok((place, 1 - place)),
            None => {
                let meant = suggestion(good, classes.iter().map(String::as_str));
                let [first, second] = [&classes[0], &classes[1]].map(|class| shown(class));
                Err(Error::parameter(format!(
                    "scorecard: there is no class {}{meant}; there are {first} and {second}",
                    shown(good)
                )))
            }
        },
    }
}

/// The card: a line for every leaf, and one for all.
fn card(job: &Job) -> Result<RuleTable> {
    let (good, bad) = sides(job)?;
    let (tree, inputs, classes) = (job.tree(), job.inputs(), job.classes());
    if !tree.has_counts() {
        return Err(refused(FORMAT.id, "it has no counts of training rows"));
    }
    let [base, odds, pdo, smoothing] =
        ["base", "odds", "pdo", "smoothing"].map(|name| job.options.number(name));
    let counts: Vec<[f64; 2]> =
        leaves(tree).iter().map(|&leaf| [good, bad].map(|class| tree.class_weights(leaf)[class])).collect();
    let all = [0, 1].map(|side| counts.iter().map(|leaf| leaf[side] + smoothing).sum::<f64>());
    let mut columns = vec!["leaf".to_string()];
    columns.extend(inputs.iter().map(|input| input.name().to_string()));
    let names = [good, bad].map(|class| classes[class].as_str());
    columns.extend(names.map(|name| format!("weight of {name}")));
    columns.extend(names.map(|name| format!("share of {name}")));
    columns.extend(["weight of evidence", "information value", "points"].map(String::from));
    let (mut lines, mut information) = (Vec::new(), 0.0);
    for (rule, count) in Rule::of_leaves(tree).zip(&counts) {
        let [g, b] = count.map(|weight| weight + smoothing);
        let shares = [g / all[0], b / all[1]];
        let evidence = (shares[0] / shares[1]).ln();
        let value = (shares[0] - shares[1]) * evidence;
        information += value;
        let points = base + pdo / std::f64::consts::LN_2 * (g / b / odds).ln();
        let mut line = vec![Cell::Number(rule.node as f64)];
        line.extend(conditions(tree, &inputs, rule));
        line.extend(
            [count[0], count[1], shares[0], shares[1], evidence, value, points.round()].map(Cell::Number),
        );
        lines.push(line);
    }
    let mut total = vec![Cell::Text("all".into())];
    total.extend(vec![Cell::Nothing; inputs.len()]);
    let sums = [0, 1].map(|side| counts.iter().map(|leaf| leaf[side]).sum::<f64>());
    total.extend([sums[0], sums[1], 1.0, 1.0].map(Cell::Number));
    total.extend([Cell::Nothing, Cell::Number(information), Cell::Nothing]);
    lines.push(total);
    Ok(RuleTable { columns, lines })
}
