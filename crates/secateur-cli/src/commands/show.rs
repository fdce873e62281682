//! `secateur show`: look at a saved tree.

use std::fmt::Display;

use clap::{Args, ValueEnum};
use secateur::prune::k_norm::{KNorm, Reliability, model_reliability};
use secateur::report::{DotOptions, RuleOrder, RulesOptions, TextOptions, dot, rules, text};
use secateur::tree::Size;
use serde::Serialize;

use crate::args::{Output, load_model};
use crate::failure::{Failure, Result};
use crate::files::InModel;
use crate::output;

/// Look at a saved tree: as text, as rules, as a drawing
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur show model.json
  secateur show model.json --depth 3
  secateur show model.json --format rules --order coverage
  secateur show model.json --format dot | dot -Tsvg > tree.svg")]
pub struct Show {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// A line per branch, a rule per leaf, or a drawing for Graphviz
    #[arg(long, short, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show splits down to this depth only (text, dot)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Show everything, however long it is (text, rules)
    #[arg(long)]
    all: bool,
    /// Columns to stay within [default: 80] (text, rules)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(40..=10_000))]
    width: Option<u32>,
    /// Plain characters only (text, rules)
    #[arg(long)]
    ascii: bool,
    /// Rules as the leaves stand, or those for most rows first [default: tree]
    #[arg(long, value_enum)]
    order: Option<Order>,
}

/// How a tree is shown.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Rules,
    Dot,
}

/// The order of rules.
#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Tree,
    Coverage,
}

/// What `show --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    scheme: &'a str,
    tree: Size,
    /// The error rate that the training counts alone suggest (Zhong 4.5); classes without costs.
    reliability: Option<Reliability>,
    format: &'static str,
    text: String,
}

impl Show {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        self.check()?;
        let model = load_model(&self.model)?;
        let (tree, width) = (&model.tree, self.width.unwrap_or(80) as usize);
        let max_depth = self.depth.map(|depth| depth as usize);
        let (name, shown): (_, Box<dyn Display + '_>) = match self.format {
            Format::Text => {
                let mut options =
                    TextOptions { width, ascii: self.ascii, max_depth, ..TextOptions::default() };
                if self.all {
                    options.max_lines = None;
                }
                ("text", Box::new(text(tree, options)))
            }
            Format::Rules => {
                let mut options = RulesOptions { width, ascii: self.ascii, ..RulesOptions::default() };
                if self.all {
                    options.max_rules = None;
                }
                if let Some(Order::Coverage) = self.order {
                    options.order = RuleOrder::Coverage;
                }
                if tree.is_classifier() {
                    options.sure = Some(KNorm::of(tree));
                }
                ("rules", Box::new(rules(tree, options)))
            }
            Format::Dot => ("dot", Box::new(dot(tree, DotOptions { max_depth }))),
        };
        let reliability = model_reliability(&model);
        let head = match &reliability {
            Some(reliability) if self.format == Format::Text => {
                output::sure(reliability, width, self.ascii) + "\n"
            }
            _ => String::new(),
        };
        if how.json {
            let text = format!("{head}{shown}");
            output::json(&Summary {
                scheme: &model.scheme,
                tree: tree.size(),
                reliability,
                format: name,
                text,
            })?;
        } else {
            output::stream(|out| write!(out, "{head}{shown}"))?;
        }
        Ok(())
    }

    /// Refuses options that would change nothing.
    fn check(&self) -> Result<()> {
        let (text, rules, dot) = (Format::Text, Format::Rules, Format::Dot);
        for (given, name, formats) in [
            (self.depth.is_some(), "--depth", [text, dot].as_slice()),
            (self.all, "--all", &[text, rules]),
            (self.width.is_some(), "--width", &[text, rules]),
            (self.ascii, "--ascii", &[text, rules]),
            (self.order.is_some(), "--order", &[rules]),
        ] {
            if given && !formats.contains(&self.format) {
                let format = self.format.to_possible_value().map_or(String::new(), |v| v.get_name().into());
                return Err(Failure::call(format!(
                    "{name} changes nothing with --format {format}; leave it out"
                )));
            }
        }
        Ok(())
    }
}
