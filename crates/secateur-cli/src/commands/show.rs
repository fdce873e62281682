//! `secateur show`: look at a saved tree.

use std::fmt::Display;

use clap::{Args, ValueEnum};
use secateur::drawing::{Arimo, Drawing};
use secateur::page::Page;
use secateur::picture::TreeOptions;
use secateur::prune::k_norm::{KNorm, Reliability};
use secateur::prune::reliability_of;
use secateur::report::{DotOptions, RuleOrder, RulesOptions, TextOptions, dot, rules, text};
use secateur::tree::{Model, Size, Tree};
use serde::Serialize;

use crate::args::Output;
use crate::call;
use crate::failure::{Failure, Result};
use crate::files::{InModel, OutFile};
use crate::importance::{self, Importance};
use crate::loading::load_model;
use crate::output;
use crate::pictures::{self, PictureKind};
use crate::terminal::{self, Terminal};

/// Look at a saved tree: as text, as rules, as a drawing
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur show model.json
  secateur show model.json --depth 3
  secateur show model.json --format rules --order coverage
  secateur show model.json --format rules -o rules.txt
  secateur show model.json -o tree.html              a page for a browser
  secateur show model.json -o tree.svg               a picture; also tree.png
  secateur show model.json -o tree.png --depth 4
  secateur show model.json --format dot | dot -Tpdf > tree.pdf

A picture of a large tree shows the heaviest nodes, up to 80 leaves; --depth
shows all nodes down to a depth, --all the whole tree.")]
pub struct Show {
    /// A file that `secateur fit -o` has written
    model: InModel,
    /// A line per branch, a rule per leaf, a picture, a drawing for Graphviz, or a page for a browser [default: by the file's extension, else text]
    #[arg(long, short, value_enum)]
    format: Option<Format>,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<OutFile>,
    /// Show splits down to this depth only (text, dot, svg, png)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Show everything, however large it is (text, rules, svg, png)
    #[arg(long)]
    all: bool,
    /// Rules as the leaves stand, or those for most rows first [default: tree]
    #[arg(long, value_enum)]
    order: Option<Order>,
}

/// How a tree is shown.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Rules,
    Svg,
    Png,
    Dot,
    Html,
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
    /// The attributes that are tested, the most important one first.
    importance: Vec<Importance<'a>>,
    format: String,
    /// What is shown, except for a PNG picture.
    text: Option<String>,
    output: Option<String>,
}

/// How a tree is printed here.
pub fn text_options() -> TextOptions {
    let Terminal { width, ascii, .. } = terminal::here();
    TextOptions { width, ascii, ..TextOptions::default() }
}

impl Show {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let format = self.format()?;
        self.check(format, how)?;
        let model = load_model(&self.model)?;
        let reliability = reliability_of(&model.tree);
        if let Some(kind) = format.picture() {
            let drawing = self.drawing(&model.tree, how);
            if how.json {
                let bytes = pictures::bytes(&drawing, kind, how)?;
                if let Some(file) = &self.output {
                    file.write(|out| out.write_all(&bytes))?;
                }
                let text = (kind == PictureKind::Svg).then(|| String::from_utf8_lossy(&bytes).into_owned());
                return self.json(&model, format, reliability, text);
            }
            return pictures::write(&drawing, kind, self.output.as_ref(), how);
        }
        let shown: Box<dyn Display + '_> = match format {
            Format::Html => Box::new(Page::of_model(&model, &call::of_model(&self.model))?),
            _ => self.shown(&model.tree, format),
        };
        let mut facts: Vec<(&str, String)> = Vec::new();
        if format == Format::Text {
            facts.extend(
                reliability.map(|r| ("in-sample", output::reliability(&r, model.tree.is_classifier()))),
            );
            facts.extend(importance::in_words(&model.tree).map(|text| ("importance", text)));
        }
        let mut head = output::facts(&facts);
        if !head.is_empty() {
            head.push('\n');
        }
        if let Some(file) = &self.output {
            file.write(|out| write!(out, "{head}{shown}"))?;
        }
        if how.json {
            return self.json(&model, format, reliability, Some(format!("{head}{shown}")));
        } else if let Some(file) = &self.output {
            how.note(&format!("the tree is in {file}"));
        } else {
            match format {
                Format::Html | Format::Dot => output::contents(|out| write!(out, "{shown}"))?,
                _ => output::stream(|out| write!(out, "{head}{shown}"))?,
            }
        }
        Ok(())
    }

    /// The format that is asked for, or that the file's extension says.
    fn format(&self) -> Result<Format> {
        let (None, Some(file)) = (self.format, &self.output) else {
            return Ok(self.format.unwrap_or(Format::Text));
        };
        file.format_of(Format::Text, ".txt, .dot, .svg, .png or .html, or give --format", |name| match name {
            "txt" => Some(Format::Text),
            "dot" | "gv" => Some(Format::Dot),
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "html" | "htm" => Some(Format::Html),
            _ => None,
        })
    }

    /// The tree as text of some kind.
    fn shown<'a>(&self, tree: &'a Tree, format: Format) -> Box<dyn Display + 'a> {
        let max_depth = self.depth.map(|depth| depth as usize);
        match format {
            Format::Rules => {
                let Terminal { width, ascii, .. } = terminal::here();
                let hint = "use --all".into();
                let mut options = RulesOptions { width, ascii, hint, ..RulesOptions::default() };
                if self.all {
                    options.max_rules = None;
                }
                if let Some(Order::Coverage) = self.order {
                    options.order = RuleOrder::Coverage;
                }
                if tree.is_classifier() && tree.has_counts() {
                    options.sure = Some(KNorm::of(tree));
                }
                Box::new(rules(tree, options))
            }
            Format::Dot => Box::new(dot(tree, DotOptions { max_depth })),
            Format::Text | Format::Svg | Format::Png | Format::Html => {
                let hint = "use --depth N or --all".into();
                let mut options = TextOptions { max_depth, hint, ..text_options() };
                if self.all {
                    options.max_lines = None;
                }
                Box::new(text(tree, options))
            }
        }
    }

    /// The tree as a picture; a note says what is left out.
    fn drawing(&self, tree: &Tree, how: &Output) -> Drawing {
        let mut options =
            TreeOptions { max_depth: self.depth.map(|depth| depth as usize), ..TreeOptions::default() };
        if self.all {
            options.max_leaves = usize::MAX;
        }
        let picture = secateur::picture::tree(tree, options, &Arimo::new());
        if !picture.is_whole && self.depth.is_none() {
            how.note(&format!(
                "the tree has {} leaves; the picture shows its heaviest nodes, {} of them as leaves (--depth N shows all \
                 nodes down to a depth, --all everything)",
                output::thousands(tree.leaves() as u64),
                picture.shown
            ));
        }
        picture.drawing
    }

    fn json(
        &self,
        model: &Model,
        format: Format,
        reliability: Option<Reliability>,
        text: Option<String>,
    ) -> Result<()> {
        Ok(output::json(&Summary {
            scheme: &model.scheme,
            tree: model.tree.size(),
            reliability,
            importance: importance::list(&model.tree),
            format: format.name(),
            text,
            output: self.output.as_ref().map(ToString::to_string),
        })?)
    }

    /// Refuses options that would change nothing.
    fn check(&self, format: Format, how: &Output) -> Result<()> {
        let (text, rules, dot, svg, png) =
            (Format::Text, Format::Rules, Format::Dot, Format::Svg, Format::Png);
        for (given, name, formats) in [
            (self.depth.is_some(), "--depth", [text, dot, svg, png].as_slice()),
            (self.all, "--all", &[text, rules, svg, png]),
            (how.width.is_some(), "--width", &[text, rules]),
            (how.ascii, "--ascii", &[text, rules]),
            (self.order.is_some(), "--order", &[rules]),
        ] {
            if given && !formats.contains(&format) {
                return Err(Failure::call(format!(
                    "{name} changes nothing with --format {}; leave it out",
                    format.name()
                )));
            }
        }
        if self.all && self.depth.is_some() && format.picture().is_some() {
            return Err(Failure::call("--all shows everything and --depth a part of it; leave one out"));
        }
        Ok(())
    }
}

impl Format {
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().into())
    }

    /// How it is written, if it is a picture.
    fn picture(self) -> Option<PictureKind> {
        match self {
            Self::Svg => Some(PictureKind::Svg),
            Self::Png => Some(PictureKind::Png),
            Self::Text | Self::Rules | Self::Dot | Self::Html => None,
        }
    }
}
