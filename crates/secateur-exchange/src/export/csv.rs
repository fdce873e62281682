//! The rules of a tree as comma-separated values, for spreadsheets.

use super::rule_table::{Cell, RuleTable};
use super::{Carried, Carries, Format, Job, Written};

/// Comma-separated values.
pub(super) static FORMAT: Format = Format {
    id: "csv",
    one_line: "a table of rules, a line for every leaf, for spreadsheets and for people",
    extension: "csv",
    options: &[],
    carries: RULES,
    write: |job: &Job| Ok(Written::from(text(&RuleTable::of(job)))),
    consumers: |_| Vec::new(),
};

/// What tables of rules carry.
pub(super) const RULES: Carries = Carries {
    missing_shared: Carried::No,
    costs: Carried::Partly("in the predictions"),
    precision: "text",
    note: "for people: what happens to rows without a value is not shown, and texts that a spreadsheet would take for formulas begin \
           with a quote (csv)",
    ..Carries::ALL
};

/// A table as text. What a spreadsheet would compute is kept from it by a quote.
pub(super) fn text(table: &RuleTable) -> String {
    let mut out = String::new();
    let names = table.columns.iter().map(|name| quoted(name));
    line(&mut out, names.collect());
    for cells in &table.lines {
        let cell = |cell: &Cell| match cell {
            Cell::Text(text) => quoted(text),
            Cell::Number(x) => x.to_string(),
            Cell::Nothing => String::new(),
        };
        line(&mut out, cells.iter().map(cell).collect());
    }
    out
}

fn line(out: &mut String, cells: Vec<String>) {
    out.push_str(&cells.join(","));
    out.push_str("\r\n");
}

fn quoted(text: &str) -> String {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.into() };
    match text.contains([',', '"', '\n', '\r', '\'']) || text.trim() != text {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1+1", "+1", "-x", "@sum", " =1", "\t=1"] {
            assert!(quoted(text).trim_start_matches('"').starts_with('\''), "{text}");
        }
        assert_eq!(quoted("≥ 2.45 and < 5"), "≥ 2.45 and < 5");
        assert_eq!(quoted("a \"b\",\nc"), "\"a \"\"b\"\",\nc\"");
    }
}
