//! A table of text cells, and the report it stands in.
//!
//! A [`Grid`] is filled once and written in any [`Format`]. Cells may hold anything, names from data files for
//! example: what could disturb a format is escaped there, and characters that move a cursor or turn a line
//! are written as their codes.
//!
//! ```
//! use secateur::report::grid::{Cell, Column, Format, Grid, Style};
//! let mut grid = Grid::new("Errors", [Column::left("data"), Column::decimal("cart"), Column::decimal("c45")]);
//! grid.row(["iris".into(), Cell::good("4.67"), "5.3".into()]);
//! grid.row(["glass", "31.3", "32.24"]);
//! grid.notes.push("Percent of the test rows.".into());
//! assert_eq!(
//!     grid.render(Format::Text, &Style::default()),
//!     "Errors\n\n\
//!      data    cart    c45\n\
//!      ───────────────────\n\
//!      iris    4.67   5.3\n\
//!      glass  31.3   32.24\n\n\
//!      Percent of the test rows.\n"
//! );
//! ```

mod csv;
mod html;
mod latex;
mod markdown;
mod report;
mod text;

pub use markdown::markdown_text;
pub use report::{Cover, Figure, Format, Report, Style};

use super::formatting::safe;

/// How the cells of a column are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// To the left, as names are.
    #[default]
    Left,
    /// To the right.
    Right,
    /// At the decimal points, where the format can; else to the right.
    Decimal,
}

/// A column: what stands above its cells, and how they are aligned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    /// The head.
    pub head: String,
    /// A head above this and the neighbouring columns with the same one.
    pub group: Option<String>,
    /// How its cells are aligned.
    pub align: Align,
}

impl Column {
    /// A column of names.
    ///
    /// ```
    /// # use secateur::report::grid::{Align, Column};
    /// assert_eq!(Column::left("data").align, Align::Left);
    /// ```
    pub fn left(head: impl Into<String>) -> Self {
        Self { head: head.into(), group: None, align: Align::Left }
    }

    /// A column aligned to the right.
    ///
    /// ```
    /// # use secateur::report::grid::{Align, Column};
    /// assert_eq!(Column::right("rows").align, Align::Right);
    /// ```
    pub fn right(head: impl Into<String>) -> Self {
        Self { head: head.into(), group: None, align: Align::Right }
    }

    /// A column of numbers.
    ///
    /// ```
    /// # use secateur::report::grid::{Align, Column};
    /// assert_eq!(Column::decimal("error").align, Align::Decimal);
    /// ```
    pub fn decimal(head: impl Into<String>) -> Self {
        Self { head: head.into(), group: None, align: Align::Decimal }
    }

    /// The same column under a head that it shares with its neighbours.
    ///
    /// ```
    /// # use secateur::report::grid::Column;
    /// assert_eq!(Column::decimal("error").under("cart").group.as_deref(), Some("cart"));
    /// ```
    pub fn under(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }

    /// Both heads in one, for formats with one line of heads.
    fn joined(&self) -> String {
        match &self.group {
            Some(group) if self.head.is_empty() => group.clone(),
            Some(group) => format!("{group}: {}", self.head),
            None => self.head.clone(),
        }
    }
}

/// How a cell stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Emphasis {
    /// Not at all.
    #[default]
    Plain,
    /// The best of its row, or a sum.
    Strong,
    /// Better than what it is compared with.
    Good,
    /// Worse than what it is compared with.
    Bad,
    /// Of little interest.
    Faint,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How it stands out.
    pub emphasis: Emphasis,
}

impl Cell {
    /// A cell that stands out in some way.
    ///
    /// ```
    /// # use secateur::report::grid::{Cell, Emphasis};
    /// assert_eq!(Cell::new("-", Emphasis::Faint).text, "-");
    /// ```
    pub fn new(text: impl Into<String>, emphasis: Emphasis) -> Self {
        Self { text: text.into(), emphasis }
    }

    /// A cell with [`Emphasis::Strong`].
    ///
    /// ```
    /// # use secateur::report::grid::{Cell, Emphasis};
    /// assert_eq!(Cell::strong("5.3"), Cell::new("5.3", Emphasis::Strong));
    /// ```
    pub fn strong(text: impl Into<String>) -> Self {
        Self::new(text, Emphasis::Strong)
    }

    /// A cell with [`Emphasis::Good`].
    ///
    /// ```
    /// # use secateur::report::grid::{Cell, Emphasis};
    /// assert_eq!(Cell::good("5.3"), Cell::new("5.3", Emphasis::Good));
    /// ```
    pub fn good(text: impl Into<String>) -> Self {
        Self::new(text, Emphasis::Good)
    }

    /// A cell with [`Emphasis::Bad`].
    ///
    /// ```
    /// # use secateur::report::grid::{Cell, Emphasis};
    /// assert_eq!(Cell::bad("5.3"), Cell::new("5.3", Emphasis::Bad));
    /// ```
    pub fn bad(text: impl Into<String>) -> Self {
        Self::new(text, Emphasis::Bad)
    }

    /// A cell with [`Emphasis::Faint`].
    ///
    /// ```
    /// # use secateur::report::grid::{Cell, Emphasis};
    /// assert_eq!(Cell::faint("5.3"), Cell::new("5.3", Emphasis::Faint));
    /// ```
    pub fn faint(text: impl Into<String>) -> Self {
        Self::new(text, Emphasis::Faint)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::new(text, Emphasis::Plain)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text, Emphasis::Plain)
    }
}

/// A line of a grid.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    Row(Vec<Cell>),
    Separator,
}

/// A titled table of text cells. Every row has a cell for every column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// What stands above it; may be empty.
    pub title: String,
    /// Lines of text under it.
    pub notes: Vec<String>,
    columns: Vec<Column>,
    lines: Vec<Line>,
    footer: Vec<Vec<Cell>>,
}

impl Grid {
    /// A grid without rows.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Grid};
    /// let grid = Grid::new("Sizes", [Column::left("data"), Column::right("rows")]);
    /// assert_eq!((grid.columns().len(), grid.rows()), (2, 0));
    /// ```
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// The columns.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Grid};
    /// assert_eq!(Grid::new("", [Column::left("data")]).columns()[0].head, "data");
    /// ```
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of rows, those of the footer included.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Grid};
    /// let mut grid = Grid::new("", [Column::left("data")]);
    /// grid.row(["iris"]).separator().row(["glass"]).footer(["mean"]);
    /// assert_eq!(grid.rows(), 3);
    /// ```
    pub fn rows(&self) -> usize {
        self.all_rows().count()
    }

    /// Adds a row. Cells that are not given are empty; cells beyond the last column make columns without a head.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Grid};
    /// let mut grid = Grid::new("", [Column::left("data")]);
    /// grid.row(["iris", "150"]);
    /// assert_eq!(grid.columns().len(), 2);
    /// ```
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) -> &mut Self {
        let cells = self.fitted(cells);
        self.lines.push(Line::Row(cells));
        self
    }

    /// Draws a line under the rows so far.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Format, Grid, Style};
    /// let mut grid = Grid::new("", [Column::left("data")]);
    /// grid.row(["iris"]).separator().row(["glass"]);
    /// assert_eq!(grid.render(Format::Text, &Style::default()), "data\n─────\niris\n─────\nglass\n");
    /// ```
    pub fn separator(&mut self) -> &mut Self {
        self.lines.push(Line::Separator);
        self
    }

    /// Adds a row to the footer, which stands under a line at the end: sums and means.
    ///
    /// ```
    /// # use secateur::report::grid::{Column, Format, Grid, Style};
    /// let mut grid = Grid::new("", [Column::right("rows")]);
    /// grid.footer(["3"]).row(["1"]).row(["2"]);
    /// assert_eq!(grid.render(Format::Csv, &Style::default()), "rows\n1\n2\n3\n");
    /// ```
    pub fn footer<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) -> &mut Self {
        let cells = self.fitted(cells);
        self.footer.push(cells);
        self
    }

    /// A row as wide as the grid; where it is wider, the grid grows.
    fn fitted<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        if cells.len() > self.columns.len() {
            self.columns.resize(cells.len(), Column::default());
            let rows = self.lines.iter_mut().filter_map(|line| match line {
                Line::Row(cells) => Some(cells),
                Line::Separator => None,
            });
            rows.chain(&mut self.footer).for_each(|row| row.resize(cells.len(), Cell::default()));
        }
        cells.resize(self.columns.len(), Cell::default());
        cells
    }

    /// All rows, those of the footer last.
    fn all_rows(&self) -> impl Iterator<Item = &[Cell]> {
        let rows = self.lines.iter().filter_map(|line| match line {
            Line::Row(cells) => Some(cells.as_slice()),
            Line::Separator => None,
        });
        rows.chain(self.footer.iter().map(Vec::as_slice))
    }

    /// All lines, the footer under one more separator; no two separators stand together or at an end.
    fn all_lines(&self) -> Vec<Option<&[Cell]>> {
        let own = self.lines.iter().map(|line| match line {
            Line::Row(cells) => Some(cells.as_slice()),
            Line::Separator => None,
        });
        let footer = self.footer.iter().map(|cells| Some(cells.as_slice()));
        let mut lines: Vec<Option<&[Cell]>> = Vec::new();
        for line in own.chain([None]).chain(footer) {
            if line.is_some() || matches!(lines.last(), Some(Some(_))) {
                lines.push(line);
            }
        }
        if let Some(None) = lines.last() {
            lines.pop();
        }
        lines
    }

    /// Whether any column has a head above its own.
    fn has_groups(&self) -> bool {
        self.columns.iter().any(|c| c.group.is_some())
    }

    /// Neighbouring columns under one head, and columns without such a head one by one.
    fn groups(&self) -> Vec<(Option<&str>, std::ops::Range<usize>)> {
        let mut groups: Vec<(Option<&str>, std::ops::Range<usize>)> = Vec::new();
        for (i, column) in self.columns.iter().enumerate() {
            match groups.last_mut() {
                Some((group, range)) if group.is_some() && *group == column.group.as_deref() => {
                    range.end = i + 1;
                }
                _ => groups.push((column.group.as_deref(), i..i + 1)),
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests;
