//! `secateur export`: a tree for other software, proven in the software itself.

use clap::Args;
use secateur::error::shown;
use secateur_exchange::export::{self, FORMATS, Format, OptionKind, Options, Written};
use secateur_exchange::verify::{self, Report};
use serde::Serialize;

use crate::args::{Output, Types};
use crate::failure::{Failure, Result};
use crate::files::{InFile, InModel, OutFile};
use crate::loading::load_model;
use crate::output::{self, Align, count, table, thousands};
use crate::progress::Bars;

/// Hand a saved tree to other software, and prove that it answers the same there
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur export --list                        all formats, what each carries
  secateur export model.json --format python -o tree.py
  secateur export model.json -o tree.py --verify test.csv
  secateur export model.json -o tree.py --verify   rows made for the tree only

--verify runs what was exported in the software it is for, on the rows of the
data and on rows made for the edges of the tree: values at, just below and just
above every threshold, missing, unseen and infinite ones. If one answer differs
the exit code is 1 and no file is written.")]
pub struct Export {
    /// A file that `secateur fit -o` has written
    #[arg(required_unless_present = "list")]
    model: Option<InModel>,
    /// What to write; `--list` lists the formats [default: by the file's extension]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<String>,
    /// Short for --option dialect=D
    #[arg(long, value_name = "D")]
    dialect: Option<String>,
    /// An option of the format; `--list` lists them
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<OutFile>,
    /// Run it in the software it is for, on these rows and on rows made for the tree
    #[arg(id = "data", long = "verify", value_name = "DATA", num_args = 0..=1)]
    data: Option<Option<InFile>>,
    /// List the formats, their options, and what each can carry
    #[arg(long, conflicts_with_all = ["model", "output", "data"])]
    list: bool,
    #[command(flatten)]
    types: Types,
}

/// What `export --json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    format: &'a str,
    file: Option<String>,
    verified: Option<&'a Report>,
    notes: &'a [String],
    /// What was exported, unless it is in a file or is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// What `export --list --json` prints.
#[derive(Serialize)]
struct FormatSummary {
    id: &'static str,
    one_line: &'static str,
    extension: &'static str,
    options: Vec<OptionSummary>,
    carries: export::Carries,
}

#[derive(Serialize)]
struct OptionSummary {
    name: &'static str,
    choices: &'static [&'static str],
    default: &'static str,
    help: &'static str,
}

impl Export {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let Some(model) = &self.model else { return self.print_list(how) };
        let format = self.format()?;
        let options = Options::new(format, self.options()?)?;
        let model = load_model(model)?;
        let bars = Bars::new(how.quiet);
        let data = self.data.as_ref().and_then(Option::as_ref);
        let told = data.map(|data| self.types.load_for(data, &model, &bars)).transpose()?;
        let rows = told.as_ref().map(|told| &told.table);
        let written = export::export(&model, format, &options, rows)?;
        if self.output.is_none() && written.text().is_none() && !how.json {
            return Err(Failure::call(format!("{} is not text; -o names the file to write", format.id)));
        }
        let verified = match &self.data {
            None => None,
            Some(_) => Some(
                verify::verify(&model, format, &options, &written, rows).map_err(|f| failure(f, format))?,
            ),
        };
        drop(bars);
        if let Some(file) = &self.output {
            file.write(|out| out.write_all(&written.bytes))?;
        }
        self.tell(how, format, &written, verified.as_ref())
    }

    fn tell(
        &self,
        how: &Output,
        format: &Format,
        written: &Written,
        verified: Option<&Report>,
    ) -> Result<()> {
        if how.json {
            let text = if self.output.is_some() { None } else { written.text() };
            let file = self.output.as_ref().map(ToString::to_string);
            output::json(&Summary { format: format.id, file, verified, notes: &written.notes, text })?;
            return Ok(());
        }
        if self.output.is_none() {
            output::contents(|out| out.write_all(&written.bytes))?;
        }
        for note in &written.notes {
            how.note(note);
        }
        if let Some(report) = verified {
            how.note(&in_words(report));
        }
        if let Some(file) = &self.output {
            how.note(&format!("the tree is in {file}"));
        }
        Ok(())
    }

    /// The format that is named, or the one that the file is named after.
    fn format(&self) -> Result<&'static Format> {
        if let Some(name) = &self.format {
            return Ok(export::find(name)?);
        }
        let known: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
        let Some(extension) = self.output.as_ref().and_then(OutFile::extension) else {
            return Err(Failure::call(format!("--format is missing; there are {}", known.join(", "))));
        };
        FORMATS.iter().copied().find(|format| format.extension == extension).ok_or_else(|| {
            Failure::call(format!(
                "no format has files that end in .{extension}; --format names one of {}",
                known.join(", ")
            ))
        })
    }

    fn options(&self) -> Result<Vec<(&str, &str)>> {
        let pair = |text: &'_ String| match text.split_once('=') {
            Some(_) => Ok(()),
            None => Err(Failure::call(format!("--option {} is not NAME=VALUE", shown(text)))),
        };
        self.options.iter().try_for_each(pair)?;
        let given = self.options.iter().filter_map(|text| text.split_once('='));
        Ok(self.dialect.iter().map(|dialect| ("dialect", dialect.as_str())).chain(given).collect())
    }

    fn print_list(&self, how: &Output) -> Result<()> {
        let wanted = self.format.as_deref().map(export::find).transpose()?;
        let formats: Vec<&Format> =
            FORMATS.iter().copied().filter(|f| wanted.is_none_or(|wanted| wanted.id == f.id)).collect();
        if how.json {
            let summary: Vec<FormatSummary> = formats.iter().map(|format| summary_of(format)).collect();
            output::json(&serde_json::json!({ "formats": summary }))?;
            return Ok(());
        }
        Ok(output::text(&list(&formats))?)
    }
}

/// What was proven, in words.
fn in_words(report: &Report) -> String {
    let Report { rows, edge_rows, to_heaviest, left_out, labels_equal, largest_difference, consumer, .. } =
        report;
    let apart = if *largest_difference == 0.0 { "0".into() } else { format!("{largest_difference:e}") };
    let mut text = format!(
        "verified with {consumer}: {} ({} made for the edges of the tree), {} equal, largest difference {apart}",
        count(*rows as u64, "row", "rows"),
        thousands(*edge_rows as u64),
        count(*labels_equal as u64, "label", "labels"),
    );
    if *to_heaviest > 0 {
        text += &format!(
            "; {} that the tree shares among branches held against the heaviest branch",
            count(*to_heaviest as u64, "row", "rows")
        );
    }
    if *left_out > 0 {
        let rows = count(*left_out as u64, "row", "rows");
        text += &format!("; {rows} with missing or unseen values left out");
    }
    text
}

fn failure(failure: verify::Failure, format: &Format) -> Failure {
    match failure {
        verify::Failure::Library(error) => error.into(),
        verify::Failure::Differs(report) => Failure::Work(vec![format!(
            "{}: the exported tree answers differently; no file is written. {report}",
            format.id
        )]),
        // What other software has printed.
        other => Failure::Work(other.to_string().lines().map(str::to_owned).collect()),
    }
}

fn summary_of(format: &Format) -> FormatSummary {
    let option = |option: &export::OptionSpec| OptionSummary {
        name: option.name,
        choices: match option.kind {
            OptionKind::Words(words) => words,
            _ => &[],
        },
        default: option.default,
        help: option.help,
    };
    FormatSummary {
        id: format.id,
        one_line: format.one_line,
        extension: format.extension,
        options: format.options.iter().map(option).collect(),
        carries: format.carries,
    }
}

/// The formats, a block for each.
fn list(formats: &[&Format]) -> String {
    let block = |format: &&Format| {
        let mut out = format!("{}\n", output::bold(format.id));
        let mut rows = vec![vec!["  ".into(), format.one_line.to_string()]];
        let cells = format.carries.cells();
        let carried: Vec<String> = cells.iter().map(|(name, text)| format!("{name}: {text}")).collect();
        rows.push(vec!["  ".into(), carried.join(", ")]);
        if !format.carries.note.is_empty() {
            rows.push(vec!["  ".into(), format.carries.note.into()]);
        }
        for option in format.options {
            let choices = match option.kind {
                OptionKind::Words(words) => words.join("|"),
                OptionKind::Text | OptionKind::AnyText => "NAME".into(),
                OptionKind::Number(..) => "NUMBER".into(),
            };
            let name = format!(
                "--option {}={choices} [{}]: {}",
                option.name,
                if option.default.is_empty() { "none" } else { option.default },
                option.help
            );
            rows.push(vec!["  ".into(), name]);
        }
        out += &table(&[Align::Left, Align::Left], 80, &rows);
        out
    };
    formats.iter().map(block).collect::<Vec<_>>().join("\n")
}
