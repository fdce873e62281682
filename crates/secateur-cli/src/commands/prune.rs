//! `secateur prune`: cut a saved tree, without its data.

use std::time::Instant;

use clap::Args;
use secateur::prune::k_norm::Reliability;
use secateur::prune::reliability_of;
use secateur::report::{TextOptions, text};
use secateur::tree::{Model, Size};
use serde::Serialize;

use crate::args::Output;
use crate::failure::{Hint, Result};
use crate::files::{InModel, OutModel};
use crate::fit_text::{SHOW_MORE, size};
use crate::importance::{self, Importance};
use crate::leaf_values::{self, LeafValuesSummary, NamedLeafValues};
use crate::output;
use crate::scheme_args::SCHEMES;
use crate::summary::{Seconds, TreeSummary};

/// Prune a saved tree; no data needed
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur fit train.csv --scheme cart -o full.json
  secateur prune full.json --with mdl -o small.json
  secateur prune full.json --with cost-complexity:alpha=0.01
  secateur prune full.json --with k-norm:k=2

Pruners that choose by held-out rows or folds need the data: use
`secateur fit`.")]
pub struct Prune {
    /// A saved model, best a full one
    model: InModel,
    /// PRUNER[:option=value,...]
    #[arg(long, value_name = "PRUNER")]
    with: String,
    /// Let the leaves say something else than the model's do: raw, laplace, m[=2] or shrink[=10]
    #[arg(long, value_name = "VALUES")]
    leaf_values: Option<NamedLeafValues>,
    /// Save the pruned tree here
    #[arg(long, short, value_name = "MODEL.json")]
    output: Option<OutModel>,
}

/// What `prune --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    scheme: String,
    rows: u64,
    full: Size,
    tree: TreeSummary,
    leaf_values: LeafValuesSummary,
    estimate: Option<()>,
    /// The error rate that the training counts alone suggest (Zhong 4.5); classes without costs.
    reliability: Option<Reliability>,
    /// The attributes that are tested, the most important one first.
    importance: Vec<Importance<'a>>,
    seconds: Seconds,
    model: Option<String>,
}

impl Prune {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let begun = Instant::now();
        let model = Model::load(&*self.model)?;
        let load = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let mut model = model.prune(&self.with).hint(SCHEMES)?;
        if let Some(named) = &self.leaf_values {
            let values = named.for_saved(&model.tree);
            model = model.with_leaf_values(values)?;
        }
        let prune = begun.elapsed().as_secs_f64();
        if let Some(file) = &self.output {
            file.save(&model)?;
        }
        if how.json {
            output::json(&Summary {
                scheme: model.scheme.clone(),
                rows: model.about.rows,
                full: model.about.full,
                tree: TreeSummary::of(&model.tree),
                leaf_values: LeafValuesSummary::of(&model.tree, None),
                estimate: None,
                reliability: reliability_of(&model.tree),
                importance: importance::list(&model.tree),
                seconds: Seconds { load, prune, ..Seconds::default() },
                model: self.output.as_ref().map(ToString::to_string),
            })?;
        } else {
            let full = format!("{}, before pruning", size(model.about.full));
            let mut facts = vec![("scheme", model.scheme.clone()), ("full tree", full)];
            facts.extend(leaf_values::in_words(&model.tree, None).map(|text| ("leaf values", text)));
            facts.extend(
                reliability_of(&model.tree)
                    .map(|r| ("in-sample", output::reliability(&r, model.tree.is_classifier()))),
            );
            facts.extend(importance::in_words(&model.tree).map(|text| ("importance", text)));
            let (facts, tree) = (
                output::facts(&facts),
                text(&model.tree, TextOptions { hint: SHOW_MORE.into(), ..super::show::text_options() }),
            );
            output::stream(|out| write!(out, "{facts}\n{tree}"))?;
            if let Some(file) = &self.output {
                how.note(&format!("the model is in {file}"));
            }
        }
        Ok(())
    }
}
