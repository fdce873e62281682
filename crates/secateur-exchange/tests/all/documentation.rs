//! The table of formats in the documentation is the one that the formats give.

use std::path::Path;

use secateur_exchange::export::{FORMATS, markdown};

/// What stands around the table.
const MARKS: (&str, &str) =
    ("<!-- formats: written by the tests, SECATEUR_WRITE_DOCS=1 -->\n", "<!-- end of formats -->");

fn page() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/exports.md")
}

#[test]
fn the_table_of_formats_is_up_to_date() {
    let text = std::fs::read_to_string(page()).unwrap();
    let (before, rest) = text.split_once(MARKS.0).unwrap();
    let (table, after) = rest.split_once(MARKS.1).unwrap();
    if std::env::var_os("SECATEUR_WRITE_DOCS").is_some() {
        std::fs::write(page(), format!("{before}{}\n{}\n{}{after}", MARKS.0, markdown(), MARKS.1)).unwrap();
        return;
    }
    assert_eq!(
        table.trim(),
        markdown().trim(),
        "SECATEUR_WRITE_DOCS=1 writes the table into docs/exports.md"
    );
}

#[test]
fn every_format_has_an_example() {
    let text = std::fs::read_to_string(page()).unwrap();
    for format in FORMATS {
        assert!(
            text.contains(&format!("\n## {}", format.id)),
            "docs/exports.md has no part for {}",
            format.id
        );
    }
}
