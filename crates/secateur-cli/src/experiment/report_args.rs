//! Where a report goes, and in which format.

use clap::Args;
use secateur::report::grid::{Format, Style};

use super::style;
use crate::args::Output;
use crate::failure::Result;
use crate::files::OutFile;
use crate::output;

/// Where a report goes, and in which format.
#[derive(Args)]
pub struct ReportArgs {
    /// text, markdown, csv, latex or html [default: by the name of --output, else text]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Write the report here [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<OutFile>,
}

impl ReportArgs {
    /// The format that is asked for.
    pub fn format(&self) -> Result<Format> {
        let known = ".txt, .md, .csv, .tex or .html, or give --format";
        match (&self.format, &self.output) {
            (Some(name), _) => Ok(Format::parse(name)?),
            (None, Some(file)) => file.format_of(Format::default(), known, |name| Format::parse(name).ok()),
            (None, None) => Ok(Format::default()),
        }
    }

    /// What it may look like there.
    pub fn style(&self, how: &Output) -> Style {
        if self.output.is_none() {
            return style();
        }
        let width = how.width.map_or(Style::default().width, |width| width as usize);
        Style { width, ascii: how.ascii, ..Style::default() }
    }

    /// Writes a report, or prints it.
    pub fn write(&self, how: &Output, report: &str) -> Result<()> {
        let Some(file) = &self.output else {
            match self.format()? {
                Format::Text => output::text(report)?,
                _ => output::contents(|out| out.write_all(report.as_bytes()))?,
            }
            return Ok(());
        };
        file.write(|out| out.write_all(report.as_bytes()))?;
        how.note(&format!("the report is in {file}"));
        Ok(())
    }
}
