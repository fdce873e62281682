//! A report of several grids, the formats it can be written in, and what they leave open.

use super::{Grid, csv, html, latex, markdown, text};
use crate::drawing::Drawing;
use crate::error::{Error, Name, Result, shown, suggestion};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Aligned text for a terminal.
    #[default]
    Text,
    /// Markdown with tables as on GitHub.
    Markdown,
    /// Comma-separated values: the grids only.
    Csv,
    /// Floats with `tabular`, without packages.
    Latex,
    /// A page that needs no other file.
    Html,
}

/// The names of the formats, the one that is listed first.
const NAMES: [(Format, &[&str]); 5] = [
    (Format::Text, &["text", "txt"]),
    (Format::Markdown, &["markdown", "md"]),
    (Format::Csv, &["csv"]),
    (Format::Latex, &["latex", "tex"]),
    (Format::Html, &["html", "htm"]),
];

impl Format {
    /// A format by its name or the extension of its files.
    ///
    /// ```
    /// use secateur::report::grid::Format;
    /// assert_eq!(Format::parse("md").unwrap(), Format::Markdown);
    /// let problem = Format::parse("htlm").unwrap_err().to_string();
    /// assert_eq!(
    ///     problem,
    ///     "unknown format 'htlm' (did you mean 'html'?); the formats are text, markdown, csv, latex and html"
    /// );
    /// ```
    pub fn parse(name: &str) -> Result<Self> {
        let known = NAMES.iter().flat_map(|(format, names)| names.iter().map(move |n| (*format, *n)));
        let wanted = name.trim().to_ascii_lowercase();
        known.clone().find(|(_, n)| *n == wanted).map(|(format, _)| format).ok_or_else(|| {
            let ids: Vec<&str> = NAMES.iter().map(|(_, names)| names[0]).collect();
            let (meant, list) =
                (suggestion(name, known.map(|(_, n)| n)), crate::method::in_words(&ids, "and"));
            let problem = format!("unknown format {}{meant}; the formats are {list}", shown(name));
            Error::unknown(Name::Format, name, problem)
        })
    }
}

/// What the formats leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Text: whether emphasis is shown with the colours of a terminal.
    pub color: bool,
    /// Text: whether lines are drawn with ASCII characters only.
    pub ascii: bool,
    /// Text: the columns of the terminal. A wider grid continues below, with its first column again.
    pub width: usize,
    /// HTML: whether only the part inside `body` is written.
    pub fragment: bool,
}

impl Default for Style {
    /// For a file: no colours, lines of 100 characters, a whole page.
    fn default() -> Self {
        Self { color: false, ascii: false, width: 100, fragment: false }
    }
}

/// A report: some text, some grids, some notes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// What it is about; may be empty.
    pub title: String,
    /// What is said before the grids.
    pub paragraphs: Vec<String>,
    /// The grids.
    pub grids: Vec<Grid>,
    /// What is said after them.
    pub notes: Vec<String>,
    /// What a page of HTML begins with.
    pub cover: Cover,
}

/// The beginning of a page of HTML; other formats leave it out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cover {
    /// The command that made the report; may be empty.
    pub call: String,
    /// The most important numbers.
    pub overview: Option<Grid>,
    /// Pictures.
    pub figures: Vec<Figure>,
}

/// A picture with what stands under it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// A word for it, such as the name of its file.
    pub name: &'static str,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub drawing: Drawing,
}

impl Report {
    /// The report in a format. CSV has the grids only, each under its title where there are several.
    ///
    /// ```
    /// use secateur::report::grid::{Column, Format, Grid, Report, Style};
    /// let mut grid = Grid::new("Sizes", [Column::left("data"), Column::right("rows")]);
    /// grid.row(["iris", "150"]);
    /// let report = Report { title: "Data".into(), grids: vec![grid], ..Report::default() };
    /// assert_eq!(report.render(Format::Csv, &Style::default()), "data,rows\niris,150\n");
    /// assert_eq!(
    ///     report.render(Format::Markdown, &Style::default()),
    ///     "# Data\n\n**Sizes**\n\n| data | rows |\n| :--- | ---: |\n| iris | 150 |\n"
    /// );
    /// ```
    pub fn render(&self, format: Format, style: &Style) -> String {
        match format {
            Format::Text => text::report(self, style),
            Format::Markdown => markdown::report(self),
            Format::Csv => csv::report(self),
            Format::Latex => latex::report(self),
            Format::Html => html::report(self, style.fragment),
        }
    }
}

impl Grid {
    /// The grid in a format; in HTML always as a part of a page.
    ///
    /// ```
    /// use secateur::report::grid::{Column, Format, Grid, Style};
    /// let mut grid = Grid::new("", [Column::left("data")]);
    /// grid.row(["<b>"]);
    /// assert!(grid.render(Format::Html, &Style::default()).contains("&lt;b&gt;"));
    /// ```
    pub fn render(&self, format: Format, style: &Style) -> String {
        match format {
            Format::Text => text::grid(self, style),
            Format::Markdown => markdown::grid(self),
            Format::Csv => csv::grid(self),
            Format::Latex => latex::grid(self),
            Format::Html => html::grid(self),
        }
    }
}

/// Parts of a report with an empty line between them; empty parts are left out.
pub(super) fn apart(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    parts.join("\n")
}
