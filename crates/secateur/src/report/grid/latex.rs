//! A grid as LaTeX: a float with a caption and a `tabular`, without packages.

use super::report::apart;
use super::{Align, Cell, Emphasis, Grid, Report, safe};

/// One grid.
pub(super) fn grid(grid: &Grid) -> String {
    let mut out = String::from("\\begin{table}\n\\centering\n");
    if !grid.title.is_empty() {
        out += &format!("\\caption{{{}}}\n", escaped(&grid.title));
    }
    if !grid.columns.is_empty() {
        let letter = |align: Align| if align == Align::Left { 'l' } else { 'r' };
        let letters: String = grid.columns.iter().map(|c| letter(c.align)).collect();
        out += &format!("\\begin{{tabular}}{{{letters}}}\n\\hline\n");
        if grid.has_groups() {
            out += &line(grid.groups().into_iter().map(|(group, range)| {
                let text = group.map(escaped).unwrap_or_default();
                match range.len() {
                    1 if group.is_none() => text,
                    n => format!("\\multicolumn{{{n}}}{{c}}{{{text}}}"),
                }
            }));
            for (_, range) in grid.groups().iter().filter(|(group, _)| group.is_some()) {
                out += &format!("\\cline{{{}-{}}}\n", range.start + 1, range.end);
            }
        }
        out += &line(grid.columns.iter().map(|c| escaped(&c.head)));
        out += "\\hline\n";
        for row in grid.all_lines() {
            out += &row.map_or_else(|| "\\hline\n".into(), |cells| line(cells.iter().map(shown)));
        }
        out += "\\hline\n\\end{tabular}\n";
    }
    for note in &grid.notes {
        out += &format!("\n\\smallskip\n{{\\footnotesize {}\\par}}\n", escaped(note));
    }
    out + "\\end{table}\n"
}

/// A whole report: a section.
pub(super) fn report(report: &Report) -> String {
    let title = (!report.title.is_empty()).then(|| format!("\\section*{{{}}}\n", escaped(&report.title)));
    let before = report.paragraphs.iter().map(|p| escaped(p) + "\n");
    let after = report.notes.iter().map(|p| escaped(p) + "\n");
    apart(title.into_iter().chain(before).chain(report.grids.iter().map(grid)).chain(after))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

fn shown(cell: &Cell) -> String {
    let text = escaped(&cell.text);
    match cell.emphasis {
        _ if text.is_empty() => text,
        Emphasis::Strong | Emphasis::Good => format!("\\textbf{{{text}}}"),
        Emphasis::Bad => format!("\\textit{{{text}}}"),
        Emphasis::Plain | Emphasis::Faint => text,
    }
}

/// A text without meaning for TeX. A bracket or a star would be taken by the end of the line before it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in safe(text).chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '[' | ']' | '*' => {
                out.push('{');
                out.push(c);
                out.push('}');
            }
            '±' => out += "$\\pm$",
            '×' => out += "$\\times$",
            '−' => out += "$-$",
            '≤' => out += "$\\le$",
            '≥' => out += "$\\ge$",
            '≠' => out += "$\\ne$",
            '→' => out += "$\\to$",
            '●' | '•' => out += "$\\bullet$",
            '○' => out += "$\\circ$",
            'α' => out += "$\\alpha$",
            '…' => out += "\\ldots{}",
            _ => out.push(c),
        }
    }
    out
}
