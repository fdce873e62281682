//! A grid as HTML: a page that needs no other file, readable in light and dark, with heads that stay in view.

use super::{Align, Cell, Emphasis, Grid, Report, safe};

/// The look of a page.
const CSS: &str = "\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #ffffff; --faint: #6a7078; --line: #d5d9de;
  --band: #f4f6f8; --good: #12702f; --bad: #a8201f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e9; --paper: #16181b; --faint: #949ba4;
  --line: #363b42; --band: #1f2226; --good: #6fd08c; --bad: #ff8d85; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 76rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; }
.grid { max-height: 90vh; overflow: auto; margin: 1.5rem 0 .5rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .5rem; }
thead { position: sticky; top: 0; background: var(--paper); box-shadow: 0 1px var(--line); }
th, td { padding: .25rem .75rem; text-align: left; font-weight: 400; white-space: pre-wrap;
  overflow-wrap: anywhere; max-width: 28rem; }
thead th { font-weight: 600; vertical-align: bottom; }
thead th.over { text-align: center; border-bottom: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; max-width: none; }
tbody tr:nth-child(even) { background: var(--band); }
tbody tr.under > *, tfoot tr:first-child > * { border-top: 1px solid var(--line); }
tfoot > tr > * { font-weight: 600; }
.strong { font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-style: italic; }
.faint, .note { color: var(--faint); }
.note { margin: .25rem 0; font-size: .85rem; }
@media print { .grid { max-height: none; overflow: visible; } thead { position: static; } }
";

/// A whole report: a page, or what stands in its body.
pub(super) fn report(report: &Report, fragment: bool) -> String {
    let mut body = String::new();
    if !report.title.is_empty() {
        body += &format!("<h1>{}</h1>\n", escaped(&report.title));
    }
    for paragraph in &report.paragraphs {
        body += &format!("<p>{}</p>\n", escaped(paragraph));
    }
    body.extend(report.grids.iter().map(grid));
    for note in &report.notes {
        body += &format!("<p class=\"note\">{}</p>\n", escaped(note));
    }
    if fragment {
        return body;
    }
    let title = if report.title.is_empty() { "Report" } else { &report.title };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// One grid.
pub(super) fn grid(grid: &Grid) -> String {
    let mut out = String::from("<div class=\"grid\" tabindex=\"0\">\n<table>\n");
    if !grid.title.is_empty() {
        out += &format!("<caption>{}</caption>\n", escaped(&grid.title));
    }
    if !grid.columns.is_empty() {
        out += "<thead>\n";
        out += &heads(grid);
        out += "</thead>\n<tbody>\n";
        let (lines, mut under) = (grid.all_lines(), false);
        let mut left = grid.rows() - grid.footer.len();
        for line in &lines {
            let Some(cells) = line else {
                under = true;
                continue;
            };
            if left == 0 {
                break;
            }
            left -= 1;
            out += &row(grid, cells, under);
            under = false;
        }
        out += "</tbody>\n";
        if !grid.footer.is_empty() {
            out += "<tfoot>\n";
            out.extend(grid.footer.iter().map(|cells| row(grid, cells, false)));
            out += "</tfoot>\n";
        }
    }
    out += "</table>\n</div>\n";
    for note in &grid.notes {
        out += &format!("<p class=\"note\">{}</p>\n", escaped(note));
    }
    out
}

/// One line of heads, or two where some stand over several columns.
fn heads(grid: &Grid) -> String {
    let class = |align: Align| if align == Align::Left { "" } else { " class=\"number\"" };
    let mut out = String::new();
    if grid.has_groups() {
        out += "<tr>";
        for (group, range) in grid.groups() {
            out += &match group {
                Some(group) => format!(
                    "<th scope=\"colgroup\" class=\"over\" colspan=\"{}\">{}</th>",
                    range.len(),
                    escaped(group)
                ),
                None => "<td></td>".into(),
            };
        }
        out += "</tr>\n";
    }
    out += "<tr>";
    for column in &grid.columns {
        out += &format!("<th scope=\"col\"{}>{}</th>", class(column.align), escaped(&column.head));
    }
    out + "</tr>\n"
}

/// A row; names in its first column are its head.
fn row(grid: &Grid, cells: &[Cell], under: bool) -> String {
    let mut out = String::from(if under { "<tr class=\"under\">" } else { "<tr>" });
    for (i, (cell, column)) in cells.iter().zip(&grid.columns).enumerate() {
        let emphasis = match cell.emphasis {
            Emphasis::Plain => "",
            Emphasis::Strong => "strong",
            Emphasis::Good => "good",
            Emphasis::Bad => "bad",
            Emphasis::Faint => "faint",
        };
        let align = if column.align == Align::Left { "" } else { "number" };
        let classes = [align, emphasis].into_iter().filter(|c| !c.is_empty()).collect::<Vec<_>>().join(" ");
        let class = if classes.is_empty() { classes } else { format!(" class=\"{classes}\"") };
        let (open, close) = if i == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
        out += &format!("<{open}{class}>{}</{close}>", escaped(&cell.text));
    }
    out + "</tr>\n"
}

/// A text without meaning for HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in safe(text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ => out.push(c),
        }
    }
    out
}
