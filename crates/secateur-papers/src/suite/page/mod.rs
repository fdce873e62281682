//! What a suite came to, as a page with pictures and numbers beside it.
//!
//! The page is a text with blocks such as `{{kinds classes}}` (`suites/which-tree.md`), which are filled here: every number on it is
//! computed. Times differ from run to run, so they stand in a file of their own; all other files are the same bytes for the same results.

mod files;
mod grids;
mod guide;
mod peers;
mod pictures;
mod sentences;

use secateur::error::{Error, Result};
use secateur::report::grid::{Format, Grid, Style, markdown_text};
use secateur::report::safe;
use secateur::schema::Task;

use super::rule::{self, Decision};
use super::{Ran, Results, Suite};

pub use grids::overview;
pub use peers::Peers;

/// A page, and the files of the folder beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The page itself, in Markdown.
    pub text: String,
    /// The other files, by name.
    pub files: Vec<(String, String)>,
}

static TEMPLATE: &str = include_str!("../../../suites/which-tree.md");

/// A contest with what the rule says of it.
pub(super) struct Judged<'a> {
    results: &'a Results,
    decision: Decision,
    /// All tables.
    all: Vec<usize>,
}

impl<'a> Judged<'a> {
    fn of(results: &'a Results) -> Result<Self> {
        let all = results.all();
        Ok(Self { results, decision: rule::decide(results, &all)?, all })
    }

    /// `classes` or `numbers`.
    fn word(&self) -> &'static str {
        match self.results.task {
            Task::Classification => "classes",
            Task::Regression => "numbers",
        }
    }

    /// The default by the rule; the default so far where the rule leaves none.
    fn chosen(&self) -> usize {
        self.decision.chosen().unwrap_or(self.results.before)
    }

    /// The schemes of pictures and tables by kind: those that the suite shows, the default and the default so far.
    fn shown(&self) -> Vec<usize> {
        let mut list = vec![self.chosen()];
        for scheme in self.results.shown.iter().copied().chain([self.results.before]) {
            if !list.contains(&scheme) {
                list.push(scheme);
            }
        }
        list
    }
}

/// Writes the page. `folder` is the name of the folder beside it, `call` the command that made it.
pub fn write(suite: &Suite, ran: &Ran, peers: Option<&Peers>, folder: &str, call: &str) -> Result<Page> {
    let classes = ran.classes.as_ref().map(Judged::of).transpose()?;
    let numbers = ran.numbers.as_ref().map(Judged::of).transpose()?;
    let judged: Vec<&Judged> = [&classes, &numbers].into_iter().flatten().collect();
    let mut files = Vec::new();
    for judged in &judged {
        files.extend(pictures::of(judged)?);
        files.push((format!("tables-{}.md", judged.word()), files::tables(judged)?));
        files.push((format!("schemes-{}.md", judged.word()), files::schemes(judged)?));
    }
    files.push(("means.csv".into(), files::means(&judged)));
    files.push(("times.md".into(), files::times(&judged, peers)));
    let fill = |block: &str| -> Result<String> {
        let (name, of) = match block.rsplit_once(' ') {
            Some((name, of @ ("classes" | "numbers"))) => (name, of),
            _ => (block, ""),
        };
        let contest = match of {
            "classes" => classes.as_ref(),
            "numbers" => numbers.as_ref(),
            _ => None,
        };
        Ok(match (name, contest) {
            ("title", _) => markdown_text(&suite.title),
            ("call", _) => safe(call),
            ("folder", _) => in_link(folder),
            ("short answer", _) => sentences::short_answer(&judged),
            ("protocol", _) => sentences::protocol(suite, ran, &judged),
            ("left out", _) => sentences::left_out(ran),
            ("kinds in words", _) => sentences::kinds(&judged),
            ("peers", _) => peers.map_or_else(sentences::no_peers, Peers::section),
            (_, None) if !of.is_empty() => format!("No table with {of} took part."),
            ("against", Some(judged)) => sentences::against(judged)?,
            ("decision", Some(judged)) => sentences::decision(judged),
            ("guide", Some(judged)) => markdown(&guide::grid(judged)?),
            ("left", Some(judged)) => markdown(&grids::left(judged)),
            ("by kind", Some(judged)) => {
                grids::by_kind(judged).iter().map(markdown).collect::<Vec<_>>().join("\n")
            }
            ("pictures", Some(judged)) => pictures::links(judged, &in_link(folder)),
            _ => {
                return Err(Error::parameter(format!(
                    "the page has a block {{{{{block}}}}} that nobody fills"
                )));
            }
        })
    };
    Ok(Page { text: filled(TEMPLATE, fill)?, files })
}

/// A text with its blocks filled.
fn filled(text: &str, fill: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (block, after) =
            after.split_once("}}").ok_or_else(|| Error::parameter("a block of the page has no end"))?;
        out += before;
        out += fill(block.trim())?.trim_end();
        rest = after;
    }
    Ok(out + rest)
}

/// The name of a folder as a link has it.
fn in_link(folder: &str) -> String {
    let mut out = String::new();
    for byte in folder.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => out.push(byte.into()),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

/// A grid in Markdown.
fn markdown(grid: &Grid) -> String {
    grid.render(Format::Markdown, &Style::default())
}

/// A number with its digits, or a dash.
fn digits(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "–".into(), |number| format!("{number:.digits$}"))
}

/// A share in percent.
fn percent(share: Option<f64>, digits: usize) -> String {
    self::digits(share.map(|share| 100.0 * share), digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_filled_and_those_that_nobody_knows_refused() {
        let fill = |block: &str| match block {
            "a b" => Ok("1\n".to_string()),
            other => Err(Error::parameter(other.to_string())),
        };
        assert_eq!(filled("x {{a b}}, {{ a b }}\n", fill).unwrap(), "x 1, 1\n");
        assert!(filled("{{c}}", fill).is_err());
        assert!(filled("{{a b", fill).is_err());
    }

    #[test]
    fn the_documentation_has_the_words_of_the_template_and_what_other_programs_came_to() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
        let page = read("docs/which-tree.md");
        let words =
            TEMPLATE.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, after)| after).trim());
        for words in words {
            assert!(page.contains(words), "docs/which-tree.md lacks: {words}");
        }
        let peers = Peers::read(&root.join("bench/which_tree.csv")).unwrap();
        assert!(page.contains(peers.section().trim_end()), "other programs: {}", peers.section());
        assert!(read("docs/which-tree/times.md").ends_with(&peers.times()), "times: {}", peers.times());
    }
}
