//! Texts that a spreadsheet runs as formulas when it opens a file of separated values.
//!
//! Those are texts that begin with =, +, - or @, or with a tab or a carriage return before them
//! (<https://owasp.org/www-community/attacks/CSV_Injection>). An apostrophe before them makes them texts again.

use std::borrow::Cow;

use secateur::data::{Column, Values};
use secateur::report::PredictionFormat;
use secateur::schema::Target;

/// Whether spreadsheets open files of this format.
pub fn are_run_in(format: PredictionFormat) -> bool {
    matches!(format, PredictionFormat::Csv | PredictionFormat::Tsv)
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

fn escape(text: &mut String) {
    if is_formula(text) {
        text.insert(0, '\'');
    }
}

/// Whether a column has such texts, its name included.
pub fn is_in_column(column: &Column) -> bool {
    let in_values = matches!(&column.values, Values::Nominal(values) if values.levels.iter().any(|level| is_formula(level)));
    in_values || is_formula(&column.name)
}

/// Whether there are such texts among the classes.
pub fn is_in_target(target: &Target) -> bool {
    target.classes().iter().any(|class| is_formula(class))
}

/// The column with an apostrophe before such texts.
pub fn escaped_column(column: &Column) -> Cow<'_, Column> {
    if !is_in_column(column) {
        return Cow::Borrowed(column);
    }
    let mut column = column.clone();
    escape(&mut column.name);
    if let Values::Nominal(values) = &mut column.values {
        values.levels.iter_mut().for_each(escape);
    }
    Cow::Owned(column)
}

/// The target with an apostrophe before such classes.
pub fn escaped_target(target: &Target) -> Cow<'_, Target> {
    if !is_in_target(target) {
        return Cow::Borrowed(target);
    }
    let mut target = target.clone();
    if let Target::Classes { classes, .. } = &mut target {
        classes.iter_mut().for_each(escape);
    }
    Cow::Owned(target)
}

#[cfg(test)]
mod tests {
    use super::is_formula;

    #[test]
    fn numbers_are_no_formulas() {
        for text in ["=1+1", "+a", "-a", "@x", "\t=1", "\r=1", "=", "-"] {
            assert!(is_formula(text), "{text:?}");
        }
        for text in ["-1", "+2.5e3", "-inf", "", "a=b", "a-b", "'=1"] {
            assert!(!is_formula(text), "{text:?}");
        }
    }
}
