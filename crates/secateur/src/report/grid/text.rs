//! A grid as aligned text for a terminal.
//!
//! Widths are those of the characters on a terminal, not their number. A cell that is too wide is shortened. A grid wider
//! than the terminal continues below with its first column again, and under a long one the heads stand once more.

use unicode_width::UnicodeWidthChar;

use super::super::formatting::{Glyphs, is_harmful, width};
use super::report::apart;
use super::{Align, Cell, Emphasis, Grid, Report, Style, safe};

/// The columns one cell takes at most.
const WIDEST: usize = 48;
/// Blanks between columns.
const GAP: usize = 2;
/// Lines after which the heads are out of sight.
const LONG: usize = 40;

/// One grid.
pub(super) fn grid(grid: &Grid, style: &Style) -> String {
    let mut parts = vec![lined(&grid.title, style.width, style.color && !grid.title.is_empty())];
    let columns: Vec<Laid> = (0..grid.columns.len()).map(|i| Laid::new(grid, i, style)).collect();
    parts.extend(blocks(&columns, style.width).iter().map(|block| drawn(grid, &columns, block, style)));
    parts.push(grid.notes.iter().map(|note| lined(note, style.width, false)).collect());
    apart(parts)
}

/// A whole report.
pub(super) fn report(report: &Report, style: &Style) -> String {
    let text = |text: &String| lined(text, style.width, false);
    let title = match lined(&report.title, style.width, false) {
        title if title.is_empty() => title,
        title => {
            let wide = title.lines().map(width).max().unwrap_or(0);
            format!("{title}{}\n", if style.ascii { "=" } else { "═" }.repeat(wide))
        }
    };
    let grids = report.grids.iter().map(|one| grid(one, style));
    let notes = report.notes.iter().map(text).collect();
    apart([title].into_iter().chain(report.paragraphs.iter().map(text)).chain(grids).chain([notes]))
}

/// A text in lines of at most `most` columns, broken at blanks.
fn lined(text: &str, most: usize, bold: bool) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in safe(text).split_whitespace() {
        let wide = width(word);
        if used > 0 && used + 1 + wide > most {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += wide;
    }
    match (out.is_empty(), bold) {
        (true, _) => out,
        (false, true) => format!("\u{1b}[1m{out}\u{1b}[0m\n"),
        (false, false) => out + "\n",
    }
}

/// A column with its texts cut to size.
struct Laid {
    align: Align,
    head: String,
    /// In the order of the rows; for decimal columns already aligned with each other.
    cells: Vec<String>,
    width: usize,
}

impl Laid {
    fn new(grid: &Grid, place: usize, style: &Style) -> Self {
        let cut = |text: &str| cut(text, style);
        let column = &grid.columns[place];
        let head = cut(&column.head);
        let mut cells: Vec<String> = grid.all_rows().map(|row| cut(&row[place].text)).collect();
        if column.align == Align::Decimal {
            align_points(&mut cells);
        }
        let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        Self { align: column.align, width: widest.max(width(&head)), head, cells }
    }
}

fn cut(text: &str, style: &Style) -> String {
    if text.is_empty() { String::new() } else { short(text, WIDEST, Glyphs::of(style.ascii)) }
}

/// A user's text in at most `most` columns, with nothing in it that moves the cursor or turns the line.
fn short(text: &str, most: usize, glyphs: &Glyphs) -> String {
    if text.is_empty() {
        return "''".into();
    }
    let (mut out, mut used) = (String::new(), 0);
    let room = most.max(width(glyphs.more) + 1);
    let mut fits = 0; // the length of what still leaves room for the sign that something is left out
    for c in text.chars() {
        let piece = if is_harmful(c) { c.escape_default().to_string() } else { c.to_string() };
        let wide = if is_harmful(c) { piece.len() } else { c.width().unwrap_or(0) };
        if used + wide > room {
            out.truncate(fits);
            out += glyphs.more;
            return out;
        }
        out += &piece;
        used += wide;
        if used + width(glyphs.more) <= room {
            fits = out.len();
        }
        // Marks without a width could go on for ever.
        if out.len() > 8 * room + 64 {
            out.truncate(fits);
            out += glyphs.more;
            return out;
        }
    }
    out
}

/// Pads numbers on the right so that, with their ends aligned, their points are below each other.
fn align_points(cells: &mut [String]) {
    let after = |cell: &String| whole_part(cell).map(|whole| width(&cell[whole..]));
    let most = cells.iter().filter_map(after).max().unwrap_or(0);
    for cell in cells {
        if let Some(own) = after(cell) {
            cell.extend(std::iter::repeat_n(' ', most - own));
        }
    }
}

/// The length of a number up to its point, or up to the end of its digits; `None` when the text is not a number.
fn whole_part(cell: &str) -> Option<usize> {
    let start = cell.len() - cell.trim_start_matches(['-', '+', '−', '<', '>', '≤', '≥', '~']).len();
    let digits = cell[start..].bytes().take_while(|b| b.is_ascii_digit() || *b == b',').count();
    let is_number = digits > 0 || cell[start..].starts_with('.');
    is_number.then_some(start + digits)
}

/// Which columns stand beside each other: as many as fit, the first one always among them.
fn blocks(columns: &[Laid], most: usize) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = 0;
    for (i, column) in columns.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if used + GAP + column.width <= most || block.len() < 2 => {
                block.push(i);
                used += GAP + column.width;
            }
            Some(_) => {
                blocks.push(vec![0, i]);
                used = columns[0].width + GAP + column.width;
            }
            None => {
                blocks.push(vec![0]);
                used = column.width;
            }
        }
    }
    blocks
}

/// Some columns of a grid, drawn beside each other.
fn drawn(grid: &Grid, columns: &[Laid], block: &[usize], style: &Style) -> String {
    let mut widths: Vec<usize> = block.iter().map(|&i| columns[i].width).collect();
    let groups = groups(grid, block);
    let span = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    for (group, range) in &groups {
        let wanted = group.map_or(0, |group| width(&cut(group, style)));
        let have = span(&widths[range.clone()]);
        widths[range.end - 1] += wanted.saturating_sub(have);
    }
    let stroke = if style.ascii { "-" } else { "─" };
    let rule = format!("{}\n", stroke.repeat(span(&widths)));
    let mut heads = String::new();
    if groups.iter().any(|(group, _)| group.is_some()) {
        let (mut over, mut under) = (String::new(), String::new());
        for (group, range) in &groups {
            let room = span(&widths[range.clone()]);
            let text = group.map(|group| cut(group, style)).unwrap_or_default();
            let left = (room - width(&text)) / 2;
            over += &format!("{}{text}{}", blank(left), blank(room - left - width(&text) + GAP));
            under += &if group.is_some() { stroke.repeat(room) } else { blank(room) };
            under += &blank(GAP);
        }
        heads += &format!("{}\n{}\n", over.trim_end(), under.trim_end());
    }
    let head = block.iter().map(|&i| (columns[i].head.as_str(), columns[i].align, Emphasis::Plain));
    heads += &line(head, &widths, false);

    let mut out = heads.clone() + &rule;
    let (mut row, lines) = (0, grid.all_lines());
    for cells in &lines {
        let Some(cells): &Option<&[Cell]> = cells else {
            out += &rule;
            continue;
        };
        let own = block.iter().map(|&i| {
            let column = &columns[i];
            (column.cells[row].as_str(), column.align, cells[i].emphasis)
        });
        out += &line(own, &widths, style.color);
        row += 1;
    }
    if lines.len() > LONG {
        out += &rule;
        out += &heads;
    }
    out
}

/// The heads over several columns of a block, each with its places in the block.
fn groups<'a>(grid: &'a Grid, block: &[usize]) -> Vec<(Option<&'a str>, std::ops::Range<usize>)> {
    let mut groups: Vec<(Option<&str>, std::ops::Range<usize>)> = Vec::new();
    for (group, columns) in grid.groups() {
        let start = block.iter().take_while(|i| **i < columns.start).count();
        let end = block.iter().take_while(|i| **i < columns.end).count();
        if end > start {
            groups.push((group, start..end));
        }
    }
    groups
}

/// A line of cells, without blanks at its end.
fn line<'a>(
    cells: impl Iterator<Item = (&'a str, Align, Emphasis)>,
    widths: &[usize],
    color: bool,
) -> String {
    let mut out = String::new();
    for ((text, align, emphasis), wide) in cells.zip(widths) {
        let pad = blank(wide.saturating_sub(width(text)));
        let code = match emphasis {
            _ if !color || text.is_empty() => "",
            Emphasis::Plain => "",
            Emphasis::Strong => "\u{1b}[1m",
            Emphasis::Good => "\u{1b}[32m",
            Emphasis::Bad => "\u{1b}[31m",
            Emphasis::Faint => "\u{1b}[2m",
        };
        // The blanks behind a number that is aligned at its point stay outside the colour.
        let bare = text.trim_end();
        let end = if code.is_empty() { "" } else { "\u{1b}[0m" };
        let rest = &text[bare.len()..];
        out += &match align {
            Align::Left => format!("{code}{bare}{end}{rest}{pad}"),
            Align::Right | Align::Decimal => format!("{pad}{code}{bare}{end}{rest}"),
        };
        out += &blank(GAP);
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

fn blank(n: usize) -> String {
    " ".repeat(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_by_their_width_and_cannot_disturb() {
        let [unicode, ascii] = [false, true].map(Glyphs::of);
        assert_eq!(short("setosa", 6, unicode), "setosa");
        assert_eq!(short("versicolor", 6, unicode), "versi…");
        assert_eq!(short("versicolor", 6, ascii), "ver...");
        assert_eq!(short("日本語の列", 6, unicode), "日本…");
        assert_eq!(short("a\u{1b}[31m\nb\u{202e}", 80, unicode), "a\\u{1b}[31m\\nb\\u{202e}");
        assert_eq!(short("", 6, unicode), "''");
        assert!(short(&"e\u{301}".repeat(1_000_000), 10, unicode).len() < 200);
        assert!(short(&format!("e{}", "\u{301}".repeat(1_000_000)), 10, unicode).len() < 200);
    }
}
