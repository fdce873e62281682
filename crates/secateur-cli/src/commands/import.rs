//! `secateur import`: a tree grown elsewhere.

use std::time::Instant;

use clap::Args;
use secateur::Error;
use secateur::prune::k_norm::Reliability;
use secateur::prune::reliability_of;
use secateur::report::{TextOptions, text};
use secateur::tree::Size;
use secateur_exchange::import::{self, READERS, Source};
use serde::Serialize;

use crate::args::{Output, Types};
use crate::failure::Result;
use crate::files::{InFile, OutModel};
use crate::fit_text::{SHOW_MORE, size};
use crate::importance::{self, Importance};
use crate::output::{self, Align, table};
use crate::progress::Bars;
use crate::summary::{Seconds, TreeSummary};

/// Take over a tree that another program has grown
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur import tree.pmml -o model.json
  secateur import j48.txt --data train.arff -o model.json
  secateur import --list                            all forms that are read

What a file does not say stays unknown: a tree without the counts of training
rows predicts, and pruners that need them refuse it. --data counts the rows of a
table anew.")]
pub struct Import {
    /// A tree of another program
    #[arg(required_unless_present = "list")]
    file: Option<InFile>,
    /// What the file is; `--list` lists the forms [default: by what is in it]
    #[arg(long, value_name = "FORM")]
    form: Option<String>,
    /// What the target is called, where the file does not say it
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// The table that the tree was grown from: its lists of values, and its rows to count
    #[arg(long, value_name = "DATA")]
    data: Option<InFile>,
    /// Save the tree here
    #[arg(long, short, value_name = "MODEL.json")]
    output: Option<OutModel>,
    /// List the forms that are read
    #[arg(long, conflicts_with_all = ["file", "output", "data"])]
    list: bool,
    #[command(flatten)]
    types: Types,
}

/// What `import --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    scheme: &'a str,
    made_by: &'a str,
    rows: u64,
    full: Size,
    tree: TreeSummary,
    /// Whether the counts of training rows are known.
    counts: bool,
    estimate: Option<()>,
    reliability: Option<Reliability>,
    importance: Vec<Importance<'a>>,
    seconds: Seconds,
    notes: &'a [String],
    model: Option<String>,
}

impl Import {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let Some(file) = &self.file else { return print_list(how) };
        let begun = Instant::now();
        let form = self.form.as_deref().map(import::find).transpose()?;
        let bytes = read(file)?;
        let text = String::from_utf8(bytes).map_err(|_| {
            Error::input(
                secateur::error::Place::file(file.to_string()),
                "it is not text in UTF-8, as every form of a tree is",
            )
        })?;
        let bars = Bars::new(how.quiet);
        let told = self.data.as_ref().map(|data| self.types.load(data, &bars)).transpose()?;
        drop(bars);
        let rows = told.as_ref().map(|told| &told.table);
        let source = Source { text: &text, target: self.target.as_deref(), table: rows };
        let mut imported = import::import(file, &source, form)?;
        if let Some(rows) = rows {
            imported = import::count(imported, rows)?;
        }
        let load = begun.elapsed().as_secs_f64();
        if let Some(file) = &self.output {
            file.save(&imported.model)?;
        }
        self.tell(how, &imported, load)
    }

    fn tell(&self, how: &Output, imported: &import::Imported, load: f64) -> Result<()> {
        let model = &imported.model;
        let (tree, has_counts) = (&model.tree, model.tree.has_counts());
        if how.json {
            output::json(&Summary {
                scheme: &model.scheme,
                made_by: &model.about.made_by,
                rows: model.about.rows,
                full: model.about.full,
                tree: TreeSummary::of(tree),
                counts: has_counts,
                estimate: None,
                reliability: reliability_of(tree),
                importance: if has_counts { importance::list(tree) } else { Vec::new() },
                seconds: Seconds { load, ..Seconds::default() },
                notes: &imported.notes,
                model: self.output.as_ref().map(ToString::to_string),
            })?;
            return Ok(());
        }
        let mut facts = vec![("made by", model.about.made_by.clone()), ("tree", size(tree.size()))];
        if !has_counts {
            facts.push(("counts", "not known".into()));
        }
        facts.extend(
            reliability_of(tree).map(|r| ("in-sample", output::reliability(&r, tree.is_classifier()))),
        );
        let options = TextOptions { hint: SHOW_MORE.into(), ..super::show::text_options() };
        let (facts, tree) = (output::facts(&facts), text(tree, options));
        output::stream(|out| write!(out, "{facts}\n{tree}"))?;
        for note in &imported.notes {
            how.note(note);
        }
        if let Some(file) = &self.output {
            how.note(&format!("the model is in {file}"));
        }
        Ok(())
    }
}

/// All of a file, or of standard input for `-`.
fn read(file: &InFile) -> Result<Vec<u8>> {
    let path: &std::path::Path = file.as_ref();
    let failed = |source| Error::Read { file: path.to_path_buf(), source };
    if path == std::path::Path::new("-") {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    Ok(std::fs::read(path).map_err(failed)?)
}

fn print_list(how: &Output) -> Result<()> {
    if how.json {
        let list: Vec<_> = READERS
            .iter()
            .map(|reader| serde_json::json!({ "id": reader.id, "one_line": reader.one_line }))
            .collect();
        output::json(&serde_json::json!({ "forms": list }))?;
        return Ok(());
    }
    let rows: Vec<Vec<String>> =
        READERS.iter().map(|reader| vec![reader.id.to_string(), reader.one_line.to_string()]).collect();
    Ok(output::text(&table(&[Align::Left, Align::Left], 80, &rows))?)
}
