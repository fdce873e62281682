//! A grid as HTML: a page that needs no other file, readable in light and dark, with heads that stay in view.

use super::{Align, Cell, Cover, Emphasis, Grid, Report, safe};
use crate::drawing::svg;

/// The look of a page.
const CSS: &str = "\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #ffffff; --faint: #5f656d; --line: #d5d9de;
  --band: #f4f6f8; --good: #12702f; --bad: #a8201f; --accent: #005a96; --tint: #d6e6f2; --second: #be5400; --rule: #b0b6bd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e9; --paper: #16181b; --faint: #a0a7b0;
  --line: #363b42; --band: #1f2226; --good: #6fd08c; --bad: #ff8d85; --accent: #6cb8ec; --tint: #23425a; --second: #f0a050;
  --rule: #59616a; } }
* { box-sizing: border-box; }
body { margin: 2rem auto; padding: 0 1rem; max-width: 100rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
p { max-width: 60rem; }
pre { max-width: 100%; padding: .5rem .75rem; overflow-x: auto; background: var(--band); font-size: .85rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.grid { max-width: 100%; width: fit-content; max-height: 90vh; overflow: auto; margin: 1.5rem 0 .5rem; }
table { border-collapse: separate; border-spacing: 0; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .5rem; }
thead th, thead td { position: sticky; top: 0; z-index: 1; background: var(--paper); }
thead tr:last-child > * { border-bottom: 1px solid var(--line); }
thead tr.groups > * { position: static; }
th, td { padding: .25rem .75rem; text-align: left; font-weight: 400; white-space: pre-wrap; overflow-wrap: anywhere;
  min-width: 5rem; max-width: 28rem; }
tr > th:first-child { position: sticky; left: 0; z-index: 1; background: var(--paper); padding-left: .25rem; }
tr > th:first-child:not(.number) { min-width: 8rem; }
th.number:first-child { min-width: 2rem; }
thead tr > th:first-child { z-index: 2; }
thead th { font-weight: 600; vertical-align: bottom; }
thead th.over { text-align: center; border-bottom: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; max-width: none; }
thead th.number { white-space: normal; overflow-wrap: normal; }
tbody tr:nth-child(even) > * { background: var(--band); }
tbody tr.under > *, tfoot tr:first-child > * { border-top: 1px solid var(--line); }
tfoot > tr > * { font-weight: 600; }
.strong { font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-style: italic; }
.faint, .note { color: var(--faint); }
.note { margin: .25rem 0; font-size: .85rem; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; min-width: 32rem; }
figcaption { max-width: 60rem; color: var(--faint); font-size: .85rem; }
.drawing .f-text { fill: var(--ink); } .drawing .s-text { stroke: var(--ink); }
.drawing .f-faint { fill: var(--faint); } .drawing .s-faint { stroke: var(--faint); }
.drawing .f-line { fill: var(--rule); } .drawing .s-line { stroke: var(--rule); }
.drawing .f-paper { fill: var(--paper); } .drawing .s-paper { stroke: var(--paper); }
.drawing .f-accent { fill: var(--accent); } .drawing .s-accent { stroke: var(--accent); }
.drawing .f-tint { fill: var(--tint); } .drawing .s-tint { stroke: var(--tint); }
.drawing .f-second { fill: var(--second); } .drawing .s-second { stroke: var(--second); }
@media (max-width: 40rem) { body { margin: 1rem auto; } tr > th:first-child { max-width: 40vw; } th, td { padding: .25rem .5rem; } }
@media print { :root { font-size: 11px; } body { margin: 0; max-width: none; } .grid { max-height: none; overflow: visible; }
  thead th, thead td, tr > th:first-child { position: static; } tr, figure { break-inside: avoid; } th, td { padding: .15rem .4rem; }
  figure svg { min-width: 0; } }
";

/// The hash of the style as it stands in a page, which a browser compares before it obeys it.
const CSS_HASH: &str = "sha256-xxZY5BDOlVY1iY2HFYhcLcFQQDEvbG7nTibX2W4/Z94=";

/// A whole report: a page, or what stands in its body.
pub(super) fn report(report: &Report, fragment: bool) -> String {
    let mut body = String::new();
    if !report.title.is_empty() {
        body += &format!("<h1>{}</h1>\n", escaped(&report.title));
    }
    for paragraph in &report.paragraphs {
        body += &format!("<p>{}</p>\n", escaped(paragraph));
    }
    body += &cover(&report.cover);
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
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{CSS_HASH}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// The call, the overview and the pictures.
fn cover(cover: &Cover) -> String {
    let mut out = String::new();
    if !cover.call.is_empty() {
        out += &format!("<pre><code>{}</code></pre>\n", escaped(&cover.call));
    }
    out.extend(cover.overview.iter().map(grid));
    for figure in &cover.figures {
        out += &format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            svg(&figure.drawing),
            escaped(&figure.caption)
        );
    }
    out
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
        out += "<tr class=\"groups\">";
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
        out += &format!("<th scope=\"col\"{}>{}</th>", class(column.align), breakable(&column.head));
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
        let text = if i == 0 { breakable(&cell.text) } else { escaped(&cell.text) };
        out += &format!("<{open}{class}>{text}</{close}>");
    }
    out + "</tr>\n"
}

/// A head that may go on in the next line after the signs between the parts of a scheme.
fn breakable(text: &str) -> String {
    let parts = text.split_inclusive(['/', ':', ',']).map(escaped);
    parts.collect::<Vec<_>>().join("<wbr>")
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
