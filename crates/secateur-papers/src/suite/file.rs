//! What a suite file says: how rows are divided, which schemes take part, and which tables beside those of a folder.

use std::path::Path;

use secateur::error::{Error, Place, Result, shown};
use secateur::evaluate::Named;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use serde::Deserialize;

use crate::toml_file;

/// A suite, as its TOML file describes it.
///
/// ```
/// use secateur::schema::Task;
/// use secateur_papers::suite::Suite;
/// let suite = Suite::parse(
///     r#"
///     id = "mine"
///     title = "Two ways to prune"
///     repeats = [{ rows = 100, times = 2 }, { times = 1 }]
///     classes = { before = "cart", root = "cart:max-depth=0", trees = ["cart", "cart/mdl"], shown = ["cart"] }
///     "#,
///     "mine.toml",
/// )?;
/// assert_eq!((suite.repeats(100), suite.repeats(101)), (2, 1));
/// assert_eq!(suite.contest(Task::Classification).unwrap().schemes()?.len(), 2);
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub id: String,
    /// What it asks.
    pub title: String,
    /// The seed of folds and parts.
    #[serde(default = "one")]
    pub seed: u64,
    /// The folds of a table.
    #[serde(default = "ten")]
    pub folds: usize,
    /// Tables with fewer rows are left out.
    #[serde(default)]
    pub least_rows: usize,
    /// Of a larger table every second, third … row takes part, so that no more are left.
    pub most_rows: Option<usize>,
    /// How often the folds are drawn, by the rows of a table: the first that fits.
    #[serde(default)]
    pub repeats: Vec<Repeats>,
    /// The schemes for classes.
    pub classes: Option<Contest>,
    /// The schemes for numbers.
    pub numbers: Option<Contest>,
    /// Tables beside those of the folder.
    #[serde(default, rename = "table")]
    pub tables: Vec<NamedTable>,
}

/// How often the folds of a table are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeats {
    /// For tables of at most this many rows.
    pub rows: Option<usize>,
    /// How often.
    pub times: usize,
}

/// A table of one's own, or another target of one of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedTable {
    /// Its name in results.
    pub name: String,
    /// Its name in the folder, or `builtin:NAME`.
    pub data: String,
    /// The target; the last column when it is left out.
    pub target: Option<String>,
}

/// The schemes for one kind of target.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// The default so far.
    pub before: String,
    /// A scheme that never splits: what others are better than, or not. It is not ranked.
    pub root: String,
    /// Schemes that each take part with each of the leaf values.
    #[serde(default)]
    pub trees: Vec<String>,
    /// Leaf values (`raw`, `laplace`, `m`, `shrink` …); where there are none, trees take part as they are.
    #[serde(default)]
    pub leaf_values: Vec<String>,
    /// Schemes that take part as they are.
    #[serde(default)]
    pub schemes: Vec<String>,
    /// Those of them that stand in pictures and in the tables by kind.
    pub shown: Vec<String>,
}

fn one() -> u64 {
    1
}

fn ten() -> usize {
    10
}

static WHICH_TREE: &str = include_str!("../../suites/which-tree.toml");

/// The suite of this name that comes with the program.
///
/// ```
/// let suite = secateur_papers::suite::find("which-tree")?;
/// assert!(suite.classes.unwrap().schemes()?.len() > 30);
/// assert!(secateur_papers::suite::find("which").is_err());
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn find(id: &str) -> Result<Suite> {
    match id {
        "which-tree" => Suite::parse(WHICH_TREE, "which-tree.toml"),
        _ => Err(Error::parameter(format!(
            "there is no suite {}; there is which-tree, or name a .toml file",
            shown(id)
        ))),
    }
}

/// The suite of a file.
pub fn load_file(path: &Path) -> Result<Suite> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Read { file: path.into(), source })?;
    Suite::parse(&text, &path.to_string_lossy())
}

impl Suite {
    /// Reads a suite from TOML; `name` is the file as errors shall name it.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let suite: Self = toml_file::parse(text, name, "suite")?;
        suite
            .check()
            .map_err(|problem| Error::input(Place::file(name), format!("not a valid suite: {problem}")))?;
        Ok(suite)
    }

    fn check(&self) -> Result<()> {
        if self.folds < 2 {
            return Err(Error::parameter("folds must be at least 2"));
        }
        if self.repeats.iter().any(|repeats| repeats.times == 0) {
            return Err(Error::parameter("times must be at least 1"));
        }
        if self.most_rows.is_some_and(|most| most < self.least_rows.max(1)) {
            return Err(Error::parameter("most_rows must not be below least_rows"));
        }
        for task in [Task::Classification, Task::Regression] {
            let Some(contest) = self.contest(task) else { continue };
            for named in contest.with_root()? {
                named.scheme.check(task)?;
            }
        }
        Ok(())
    }

    /// The schemes for a kind of target.
    pub fn contest(&self, task: Task) -> Option<&Contest> {
        match task {
            Task::Classification => self.classes.as_ref(),
            Task::Regression => self.numbers.as_ref(),
        }
    }

    /// How often the folds of a table are drawn.
    pub fn repeats(&self, rows: usize) -> usize {
        let fits = |repeats: &&Repeats| repeats.rows.is_none_or(|most| rows <= most);
        self.repeats.iter().find(fits).map_or(1, |repeats| repeats.times)
    }
}

impl Contest {
    /// The schemes that take part, under their canonical names. The default so far and those that are shown must be among them.
    pub fn schemes(&self) -> Result<Vec<Named>> {
        let mut schemes: Vec<Scheme> = Vec::new();
        for tree in &self.trees {
            let tree: Scheme = tree.parse()?;
            match self.leaf_values.as_slice() {
                [] => schemes.push(tree),
                values => {
                    for value in values {
                        schemes.push(tree.clone().with_leaf_values(value)?);
                    }
                }
            }
        }
        for text in &self.schemes {
            schemes.push(text.parse()?);
        }
        let mut list: Vec<Named> = Vec::new();
        for named in schemes.into_iter().map(Named::plain) {
            if list.iter().any(|known| known.name == named.name) {
                return Err(Error::parameter(format!("the scheme {} appears twice", named.name)));
            }
            list.push(named);
        }
        for name in self.shown()?.iter().chain([&canonical(&self.before)?]) {
            if !list.iter().any(|named| named.name == *name) {
                return Err(Error::parameter(format!("{name} is not among the schemes")));
            }
        }
        Ok(list)
    }

    /// The same, and at the end the scheme that never splits.
    pub fn with_root(&self) -> Result<Vec<Named>> {
        let (mut list, root) = (self.schemes()?, Named::plain(self.root.parse()?));
        if list.iter().any(|named| named.name == root.name) {
            return Err(Error::parameter(format!("{} is the root, so it cannot take part", root.name)));
        }
        list.push(root);
        Ok(list)
    }

    /// The schemes that are shown, under their canonical names.
    pub fn shown(&self) -> Result<Vec<String>> {
        self.shown.iter().map(|text| canonical(text)).collect()
    }
}

/// A scheme's canonical name.
pub(super) fn canonical(text: &str) -> Result<String> {
    Ok(text.parse::<Scheme>()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_takes_part_with_every_leaf_value() {
        let suite = Suite::parse(
            "id = 'a'\ntitle = 'b'\n[classes]\nbefore = 'cart'\nroot = 'cart:max-depth=0'\ntrees = ['cart', 'c45/mdl']\n\
             leaf_values = ['raw', 'm=1']\nschemes = ['id3']\nshown = []",
            "mine.toml",
        );
        let names: Vec<String> =
            suite.unwrap().classes.unwrap().schemes().unwrap().into_iter().map(|named| named.name).collect();
        let made =
            ["cart", "cart:leaf-values=m,leaf-m=1", "c45/mdl", "c45:leaf-values=m,leaf-m=1/mdl", "id3"];
        assert_eq!(names, made);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_place() {
        let refused = |text: &str| Suite::parse(text, "mine.toml").unwrap_err().to_string();
        let with = |contest: &str| refused(&format!("id = 'a'\ntitle = 'b'\n[classes]\n{contest}"));
        assert!(
            refused("id = 'a'\nfold = 3").starts_with("mine.toml, line 2"),
            "{}",
            refused("id = 'a'\nfold = 3")
        );
        let twice =
            "before = 'cart'\nroot = 'cart:max-depth=0'\ntrees = ['cart', 'cart:min-leaf=1']\nshown = []";
        assert!(with(twice).contains("the scheme cart appears twice"), "{}", with(twice));
        let absent = "before = 'c45'\nroot = 'cart:max-depth=0'\ntrees = ['cart']\nshown = []";
        assert!(with(absent).contains("c45 is not among the schemes"), "{}", with(absent));
        let numbers = "before = 'cart'\nroot = 'cart:max-depth=0'\ntrees = ['cart', 'cart/early-stop:cv=10']\nshown = []";
        assert!(with(numbers).contains("early-stop"), "{}", with(numbers));
    }
}
