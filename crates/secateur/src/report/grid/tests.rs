//! What the formats look like, and that no text can break them.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

/// Heads over several columns, every emphasis, a separator, a footer, notes.
fn sample() -> Grid {
    let mut grid = Grid::new(
        "Error rates & sizes",
        [
            Column::left("data"),
            Column::decimal("error").under("cart/k-norm"),
            Column::right("leaves").under("cart/k-norm"),
            Column::decimal("error").under("c45"),
            Column::right("leaves").under("c45"),
        ],
    );
    grid.row(["iris".into(), Cell::good("4.67 ± 0.9"), "4".into(), "5.3".into(), Cell::faint("5")]);
    grid.row(["balance_scale".into(), Cell::strong("21"), "1,024".into(), Cell::bad("23.25"), "n/a".into()]);
    grid.separator().row(["日本語", "100.0", "7"]);
    grid.footer(["mean", "41.89", "", "14.3"]);
    grid.notes.push("Percent of 10 × 10 folds; bold is better, p < 0.05.".into());
    grid.notes.push("* after tuning".into());
    grid
}

fn written(format: Format) -> String {
    sample().render(format, &Style::default())
}

/// A grid with one text everywhere.
fn hostile(text: &str) -> Grid {
    let mut grid = Grid::new(text, [Column::left(text), Column::decimal("x").under(text)]);
    grid.row([text, "1.5"]).row(["plain", text]).row([Cell::good(text), Cell::bad(text)]);
    grid.footer([text, text]);
    grid.notes.push(text.into());
    grid
}

#[test]
fn text_is_aligned_by_width_and_by_points() {
    assert_snapshot!(written(Format::Text), @r"
    Error rates & sizes

                       cart/k-norm            c45
                   ────────────────────  ─────────────
    data                  error  leaves  error  leaves
    ──────────────────────────────────────────────────
    iris             4.67 ± 0.9       4   5.3        5
    balance_scale   21            1,024  23.25     n/a
    ──────────────────────────────────────────────────
    日本語         100.0              7
    ──────────────────────────────────────────────────
    mean            41.89                14.3

    Percent of 10 × 10 folds; bold is better, p < 0.05.
    * after tuning
    ");
}

#[test]
fn a_grid_wider_than_the_terminal_continues_below() {
    let style = Style { width: 40, ascii: true, ..Style::default() };
    assert_snapshot!(sample().render(Format::Text, &style), @r"
    Error rates & sizes

                       cart/k-norm
                   --------------------
    data                  error  leaves
    -----------------------------------
    iris             4.67 ± 0.9       4
    balance_scale   21            1,024
    -----------------------------------
    日本語         100.0              7
    -----------------------------------
    mean            41.89

                        c45
                   -------------
    data           error  leaves
    ----------------------------
    iris            5.3        5
    balance_scale  23.25     n/a
    ----------------------------
    日本語
    ----------------------------
    mean           14.3

    Percent of 10 × 10 folds; bold is
    better, p < 0.05.
    * after tuning
    ");
}

#[test]
fn the_heads_stand_again_under_a_long_grid() {
    let mut grid = Grid::new("", [Column::right("row")]);
    for row in 0..=40 {
        grid.row([row.to_string()]);
    }
    let text = grid.render(Format::Text, &Style::default());
    assert!(text.starts_with("row\n───\n  0\n") && text.ends_with(" 40\n───\nrow\n"), "{text}");
}

#[test]
fn colour_is_only_where_it_is_wanted_and_keeps_the_alignment() {
    let plain = written(Format::Text);
    assert!(!plain.contains('\u{1b}'));
    let coloured = sample().render(Format::Text, &Style { color: true, ..Style::default() });
    assert!(coloured.contains("\u{1b}[32m4.67 ± 0.9\u{1b}[0m       4"), "{coloured}");
    let mut stripped = coloured.replace("\u{1b}[0m", "");
    for code in ["[1m", "[2m", "[31m", "[32m"] {
        assert!(stripped.contains(code), "{code}");
        stripped = stripped.replace(&format!("\u{1b}{code}"), "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn markdown_joins_heads_and_escapes() {
    assert_snapshot!(written(Format::Markdown), @r"
    **Error rates \& sizes**

    | data | cart/k-norm: error | cart/k-norm: leaves | c45: error | c45: leaves |
    | :--- | ---: | ---: | ---: | ---: |
    | iris | **4.67 ± 0.9** | 4 | 5.3 | 5 |
    | balance\_scale | **21** | 1,024 | *23.25* | n/a |
    | 日本語 | 100.0 | 7 | | |
    | **mean** | **41.89** | | **14.3** | |

    Percent of 10 × 10 folds; bold is better, p \< 0.05.

    \* after tuning
    ");
    let report = Report { paragraphs: vec!["1. first".into(), "# no head".into()], ..Report::default() };
    assert_eq!(report.render(Format::Markdown, &Style::default()), "1\\. first\n\n\\# no head\n");
}

#[test]
fn csv_has_the_grid_alone() {
    assert_snapshot!(written(Format::Csv), @r#"
    data,cart/k-norm: error,cart/k-norm: leaves,c45: error,c45: leaves
    iris,4.67 ± 0.9,4,5.3,5
    balance_scale,21,"1,024",23.25,n/a
    日本語,100.0,7,,
    mean,41.89,,14.3,
    "#);
    let report = Report { title: "R".into(), grids: vec![sample(), sample()], ..Report::default() };
    let text = report.render(Format::Csv, &Style::default());
    assert_eq!(text.matches("Error rates & sizes\ndata,").count(), 2);
    assert_eq!(text.matches("\n\n").count(), 1);
}

#[test]
fn a_spreadsheet_finds_no_formula() {
    let mut grid = Grid::new("", [Column::left("x")]);
    for text in ["=1+1", "@sum(a)", "-2+3", "+", "-", "-2.5", "-2.5 %", "=", "-inf"] {
        grid.row([text]);
    }
    assert_eq!(
        grid.render(Format::Csv, &Style::default()),
        "x\n'=1+1\n'@sum(a)\n'-2+3\n+\n-\n-2.5\n-2.5 %\n=\n-inf\n"
    );
}

#[test]
fn latex_needs_no_package() {
    assert_snapshot!(written(Format::Latex), @r"
    \begin{table}
    \centering
    \caption{Error rates \& sizes}
    \begin{tabular}{lrrrr}
    \hline
     & \multicolumn{2}{c}{cart/k-norm} & \multicolumn{2}{c}{c45} \\
    \cline{2-3}
    \cline{4-5}
    data & error & leaves & error & leaves \\
    \hline
    iris & \textbf{4.67 $\pm$ 0.9} & 4 & 5.3 & 5 \\
    balance\_scale & \textbf{21} & 1,024 & \textit{23.25} & n/a \\
    \hline
    日本語 & 100.0 & 7 &  &  \\
    \hline
    mean & 41.89 &  & 14.3 &  \\
    \hline
    \end{tabular}

    \smallskip
    {\footnotesize Percent of 10 $\times$ 10 folds; bold is better, p \textless{} 0.05.\par}

    \smallskip
    {\footnotesize {*} after tuning\par}
    \end{table}
    ");
    let report = Report { title: "50 % of _all_".into(), ..Report::default() };
    assert_eq!(report.render(Format::Latex, &Style::default()), "\\section*{50 \\% of \\_all\\_}\n");
}

#[test]
fn html_has_a_caption_heads_and_a_footer() {
    assert_snapshot!(written(Format::Html), @r#"
    <div class="grid" tabindex="0">
    <table>
    <caption>Error rates &amp; sizes</caption>
    <thead>
    <tr class="groups"><td></td><th scope="colgroup" class="over" colspan="2">cart/k-norm</th><th scope="colgroup" class="over" colspan="2">c45</th></tr>
    <tr><th scope="col">data</th><th scope="col" class="number">error</th><th scope="col" class="number">leaves</th><th scope="col" class="number">error</th><th scope="col" class="number">leaves</th></tr>
    </thead>
    <tbody>
    <tr><th scope="row">iris</th><td class="number good">4.67 ± 0.9</td><td class="number">4</td><td class="number">5.3</td><td class="number faint">5</td></tr>
    <tr><th scope="row">balance_scale</th><td class="number strong">21</td><td class="number">1,024</td><td class="number bad">23.25</td><td class="number">n/a</td></tr>
    <tr class="under"><th scope="row">日本語</th><td class="number">100.0</td><td class="number">7</td><td class="number"></td><td class="number"></td></tr>
    </tbody>
    <tfoot>
    <tr><th scope="row">mean</th><td class="number">41.89</td><td class="number"></td><td class="number">14.3</td><td class="number"></td></tr>
    </tfoot>
    </table>
    </div>
    <p class="note">Percent of 10 × 10 folds; bold is better, p &lt; 0.05.</p>
    <p class="note">* after tuning</p>
    "#);
}

#[test]
fn a_page_needs_nothing_else_and_a_fragment_is_its_body() {
    let report = Report {
        title: "A <b> report".into(),
        paragraphs: vec!["First & foremost.".into()],
        grids: vec![sample()],
        notes: vec!["The end.".into()],
        ..Report::default()
    };
    let page = report.render(Format::Html, &Style::default());
    let body = report.render(Format::Html, &Style { fragment: true, ..Style::default() });
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>A &lt;b&gt; report</title>"));
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("position: sticky"));
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("src="));
    assert!(page.contains(&format!("<body>\n{body}</body>")));
    assert!(body.starts_with("<h1>A &lt;b&gt; report</h1>\n<p>First &amp; foremost.</p>\n<div"), "{body}");
    assert!(body.ends_with("<p class=\"note\">The end.</p>\n"));
}

#[test]
fn a_report_in_text_has_its_parts_apart() {
    let mut grid = Grid::new("Sizes", [Column::left("data")]);
    grid.row(["iris"]);
    let report = Report {
        title: "Two grids".into(),
        paragraphs: vec!["One   paragraph.".into()],
        grids: vec![grid.clone(), grid],
        notes: vec!["The end.".into()],
        ..Report::default()
    };
    assert_snapshot!(report.render(Format::Text, &Style::default()), @r"
    Two grids
    ═════════

    One paragraph.

    Sizes

    data
    ────
    iris

    Sizes

    data
    ────
    iris

    The end.
    ");
}

#[test]
fn rows_of_any_length_and_grids_of_nothing_are_written() {
    let mut grid = Grid::new("", []);
    assert_eq!(grid.render(Format::Csv, &Style::default()), "");
    for format in [Format::Text, Format::Markdown, Format::Latex, Format::Html] {
        grid.render(format, &Style { width: 0, ..Style::default() });
        Report::default().render(format, &Style::default());
    }
    grid.separator().row(["a"]).separator().separator().row(["b", "c"]).footer(["d"]).separator();
    assert_eq!(grid.render(Format::Csv, &Style::default()), ",\na,\nb,c\nd,\n");
    let lines: Vec<bool> = grid.all_lines().iter().map(Option::is_some).collect();
    assert_eq!(lines, [true, false, true, false, true], "lines stand between rows only");
}

/// Texts made of what the formats are made of.
fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "1.5",
        " ",
        "|",
        "\\",
        "\n",
        "\r\n",
        "\t",
        "\u{1b}[31m",
        "<script>",
        "</td>",
        "&amp;",
        "\"",
        "'",
        ",",
        ";",
        "{",
        "}",
        "$",
        "%",
        "#",
        "_",
        "^",
        "~",
        "*",
        "**",
        "`",
        "[x](y)",
        "--",
        "\u{202e}",
        "\u{2028}",
        "\u{0}",
        "שלום",
        "日本",
        "e\u{301}",
        "=1+1",
        "- ",
        "\u{85}",
        "\\\\",
        "\u{200b}",
        "<!--",
        "]]>",
    ];
    let piece = proptest::sample::select(pieces.to_vec());
    let pieces = proptest::collection::vec(piece, 0..12).prop_map(|p| p.concat());
    prop_oneof![3 => pieces, 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_breaks_a_row(text in texts()) {
        let grid = hostile(&text);
        let written = |format| grid.render(format, &Style { width: 10_000, ..Style::default() });
        for format in [Format::Text, Format::Markdown, Format::Csv, Format::Latex, Format::Html] {
            let harmful = |c: char| c != '\n' && safe(&c.to_string()) != c.to_string();
            prop_assert!(!written(format).contains(harmful), "{:?}", format);
        }

        // A head and four rows of two cells, on five lines.
        let csv = written(Format::Csv);
        prop_assert_eq!(csv.lines().count(), 5);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
        let records: Vec<::csv::StringRecord> = reader.records().map(|r| r.unwrap()).collect();
        prop_assert_eq!(records.len(), 5);
        prop_assert!(records.iter().all(|r| r.len() == 2));
        prop_assert!(records[1][0].ends_with(&safe(&text)));

        // The same with a line of dashes, and three bars on each that are not escaped.
        let markdown = written(Format::Markdown);
        let table: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
        prop_assert_eq!(table.len(), 6);
        for line in table {
            let (mut bars, mut escaped) = (0, false);
            for c in line.chars() {
                bars += usize::from(c == '|' && !escaped);
                escaped = c == '\\' && !escaped;
            }
            prop_assert_eq!(bars, 3, "{}", line);
        }

        let html = written(Format::Html);
        prop_assert_eq!(html.matches("<tr").count(), 6);
        prop_assert_eq!(html.matches("<td").count() + html.matches("<th ").count(), 2 * 6);
        prop_assert!(!html.contains("<s") && !html.contains("<!"));

        let latex = written(Format::Latex);
        prop_assert_eq!(latex.matches(" \\\\\n").count(), 6);
        let (mut depth, mut escaped) = (0i32, false);
        for c in latex.chars() {
            depth += i32::from(c == '{' && !escaped) - i32::from(c == '}' && !escaped);
            escaped = c == '\\' && !escaped;
            prop_assert!(depth >= 0);
        }
        prop_assert_eq!(depth, 0);

        // Title, heads with their line, rule, rows, rule, footer, note: no line ends with a blank.
        let plain = written(Format::Text);
        prop_assert!(plain.lines().all(|line| line == line.trim_end()), "{}", plain);
        let blank = safe(&text).trim().is_empty();
        prop_assert_eq!(plain.lines().count(), if blank { 9 } else { 13 }, "{}", plain);
    }
}
