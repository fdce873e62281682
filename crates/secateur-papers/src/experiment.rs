//! What an experiment file says: which table, by which schemes and protocol, on which data, and what was concluded.

use serde::Deserialize;

use super::checks;
use super::conclusions::Conclusion;
use super::protocol::{Protocol, Quick, Test};
use super::published::Published;
use super::toml_file;
use secateur::data::builtin;
use secateur::error::{Error, Place, Result};

/// An experiment, as its TOML file describes it.
///
/// ```
/// use secateur_papers::Experiment;
/// let experiment = Experiment::parse(
///     r#"
///     id = "mine"
///     title = "Two ways to prune"
///     document = "my notes"
///     kind = "table"
///     protocol = { name = "cv", folds = 10, repeats = 2 }
///     scheme = [{ name = "a", scheme = "cart/mdl" }]
///     measure = [{ metric = "size", measure = "nodes" }]
///     "#,
///     "mine.toml",
/// )?;
/// assert_eq!(experiment.schemes[0].scheme, "cart/mdl");
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name, as in `shi-4.14`.
    pub id: String,
    /// What is compared, in a line.
    pub title: String,
    /// The document and the place in it.
    pub document: String,
    /// What kind of run it is.
    pub kind: ExperimentKind,
    /// What differs from the document, or cannot be known.
    pub note: Option<String>,
    /// The files that hold what was printed.
    #[serde(default)]
    pub published: Vec<String>,
    /// How rows are divided.
    pub protocol: Protocol,
    /// How often the whole is run, each time with another seed, to say how far a print is away in standard deviations.
    #[serde(default = "once")]
    pub seeds: usize,
    /// What is left of it in a quick run.
    #[serde(default)]
    pub quick: Quick,
    /// The test behind the marks.
    pub test: Option<Test>,
    /// The schemes, by the names of the published files.
    #[serde(default, rename = "scheme")]
    pub schemes: Vec<NamedScheme>,
    /// The measures, by the metrics of the published files.
    #[serde(default, rename = "measure")]
    pub measures: Vec<Measure>,
    /// The data sets, where no published file names them.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Data sets whose name or preparation differs.
    #[serde(default, rename = "dataset")]
    pub prepared: Vec<Dataset>,
    /// Cells whose print is doubtful.
    #[serde(default, rename = "doubt")]
    pub doubts: Vec<Doubt>,
    /// What the document concludes.
    #[serde(default, rename = "conclusion")]
    pub conclusions: Vec<Conclusion>,
}

/// What kind of run an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExperimentKind {
    /// A value per data set, scheme and metric.
    Table,
    /// The members of a pruning path of one tree.
    Sequence,
    /// The internal error after each expansion.
    Expansions,
    /// A table for each share of the training rows.
    Curve,
    /// Computed from a curve: where accuracy ceases to grow.
    Derived,
    /// One training table and one test table, made by rule.
    Artificial,
    /// No printed numbers, only statements.
    Hypotheses,
    /// What data sets are like: rows, attributes, classes.
    Properties,
    /// Gains of named splits of all rows.
    Splits,
    /// The nodes of one tree from all rows.
    Nodes,
}

/// A scheme under the name that the document's file gives it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedScheme {
    /// The name in the published file.
    pub name: String,
    /// The scheme, as everywhere in this program.
    pub scheme: String,
    /// On which rows the pruner's choice is made.
    #[serde(default)]
    pub choose: Choose,
    /// Options tuned by hill climbing to the smallest mean test error, starting from those given.
    #[serde(default)]
    pub tune: Vec<String>,
}

/// On which rows a pruner chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choose {
    /// As the scheme says, from training rows.
    #[default]
    Training,
    /// On the protocol's validation rows.
    Validation,
    /// On the test rows: not a method, but a bound on what a choice could reach.
    Test,
}

fn unit() -> f64 {
    1.0
}

fn once() -> usize {
    1
}

/// A measure under the name of the published metric, and how near is near.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The metric in the published file.
    pub metric: String,
    /// The measure of this program.
    pub measure: String,
    /// The rows it is taken on.
    #[serde(default)]
    pub part: RowSet,
    /// What the measure is multiplied with to stand beside the printed number: 100 for percent.
    #[serde(default = "unit")]
    pub scale: f64,
    /// A difference up to this, in printed units, is close.
    pub within: Option<f64>,
    /// The same for data sets of fewer than [`SMALL`] rows.
    pub within_small: Option<f64>,
    /// A difference up to this share of the printed number is close.
    pub share: Option<f64>,
    /// The same for data sets of fewer than [`SMALL`] rows.
    pub share_small: Option<f64>,
}

impl Measure {
    /// How near is near, in words; `None` when numbers are shown but not judged.
    ///
    /// ```
    /// let experiment = secateur_papers::catalogue::find("shi-4.14")?;
    /// let words = experiment.measures[0].tolerance();
    /// assert_eq!(words.as_deref(), Some("1.5 (3 below 200 rows)"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn tolerance(&self) -> Option<String> {
        let percent = |share: f64| format!("{} % of the print", (1e6 * share).round() / 1e4);
        let room = |within: Option<f64>, share: Option<f64>| {
            let both = [within.map(|w| w.to_string()), share.map(percent)];
            both.into_iter().flatten().collect::<Vec<_>>().join(" or ")
        };
        let usual = room(self.within, self.share);
        let small = room(self.within_small.or(self.within), self.share_small.or(self.share));
        match (usual.as_str(), small.as_str()) {
            ("", "") => None,
            ("", _) => Some(format!("{small}, for data sets below {SMALL} rows alone")),
            _ if usual == small => Some(usual),
            _ => Some(format!("{usual} ({small} below {SMALL} rows)")),
        }
    }
}

/// Data sets with fewer rows than this are small.
pub const SMALL: usize = 200;

/// The rows a measure is taken on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowSet {
    /// Test rows.
    #[default]
    Test,
    /// Validation rows.
    Validation,
    /// Training rows.
    Training,
}

/// A data set whose name or preparation differs from the folder's.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// The name in the published file.
    pub name: String,
    /// The name in the folder's `INDEX.csv`; the same name when it is left out.
    pub data: Option<String>,
    /// A built-in data set where no file is given; the one of the same name when it is left out.
    pub builtin: Option<String>,
    /// The built-in test table of an artificial experiment.
    pub test: Option<String>,
    /// Columns left out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Numeric columns that the document's data declare nominal.
    #[serde(default)]
    pub nominal: Vec<String>,
    /// Classes that the document's data declare although no row has them.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Why it cannot be had.
    pub missing: Option<String>,
}

/// A printed cell that cannot be right, or contradicts another print of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// The data set.
    pub dataset: String,
    /// The scheme.
    pub scheme: String,
    /// The metric.
    pub metric: String,
    /// The group; every group when it is left out.
    pub group: Option<String>,
    /// What was probably meant.
    pub likely: Option<f64>,
    /// Why it is doubted.
    pub because: String,
}

/// Where the rows of a data set come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name in a folder's `INDEX.csv`.
    pub indexed: String,
    /// The built-in data set (`builtin:…`) where no file is given.
    pub builtin: Option<String>,
    /// The built-in test table, where there is a separate one.
    pub test: Option<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Numeric columns to make nominal.
    pub nominal: Vec<String>,
    /// Classes to declare beside those of the rows.
    pub classes: Vec<String>,
    /// Why it cannot be had, where it cannot.
    pub missing: Option<String>,
}

impl Experiment {
    /// Reads an experiment from TOML; `name` is the file as errors shall name it.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let experiment: Self = toml_file::parse(text, name, "experiment")?;
        checks::check(&experiment).map_err(|problem| {
            Error::input(Place::file(name), format!("not a valid experiment: {problem}"))
        })?;
        Ok(experiment)
    }

    /// The measure of a published metric.
    pub fn measure(&self, metric: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.metric == metric)
    }

    /// The scheme of this name.
    pub fn scheme(&self, name: &str) -> Option<&NamedScheme> {
        self.schemes.iter().find(|scheme| scheme.name == name)
    }

    /// The names of the data sets: those of the published cells in their order, then those only the experiment names.
    ///
    /// ```
    /// use secateur_papers::catalogue;
    /// let experiment = catalogue::find("zhong-6.5")?;
    /// let names = experiment.dataset_names(&catalogue::published(&experiment)?);
    /// assert_eq!(names, ["iris", "glass", "promoters", "page-blocks"]);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn dataset_names(&self, published: &Published) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in published.cells.iter().map(|cell| &cell.key.dataset).chain(&self.datasets) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Where the rows of a data set come from.
    ///
    /// ```
    /// let experiment = secateur_papers::catalogue::find("zhong-6.2")?;
    /// assert_eq!(experiment.source("abalone").indexed, "abalone-3class");
    /// assert_eq!(experiment.source("g2c15").builtin.as_deref(), Some("builtin:g2c15"));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn source(&self, dataset: &str) -> Source {
        let row = self.prepared.iter().find(|row| row.name == dataset);
        let indexed = row.and_then(|row| row.data.clone()).unwrap_or_else(|| dataset.to_owned());
        let same_name =
            || builtin::all().iter().find(|b| b.name == indexed).map(|b| format!("builtin:{}", b.name));
        Source {
            builtin: row.and_then(|row| row.builtin.clone()).or_else(same_name),
            test: row.and_then(|row| row.test.clone()),
            ignore: row.map(|row| row.ignore.clone()).unwrap_or_default(),
            nominal: row.map(|row| row.nominal.clone()).unwrap_or_default(),
            classes: row.map(|row| row.classes.clone()).unwrap_or_default(),
            missing: row.and_then(|row| row.missing.clone()),
            indexed,
        }
    }

    /// The comparisons that were tested: metric, scheme and the scheme it is compared with. Those of the published marks
    /// come first, then those that only a conclusion asks for.
    ///
    /// ```
    /// use secateur_papers::catalogue;
    /// let experiment = catalogue::find("zhong-6.2")?;
    /// let compared = experiment.comparisons(&catalogue::published(&experiment)?);
    /// let names: Vec<_> = compared.iter().map(|(metric, a, b)| [metric.as_str(), a, b]).collect();
    /// assert_eq!(names, [["accuracy", "2-norm", "ccp"], ["accuracy", "2-norm", "ebp"]]);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn comparisons(&self, published: &Published) -> Vec<(String, String, String)> {
        let mut list: Vec<(String, String, String)> = Vec::new();
        let marked = published.cells.iter().flat_map(|cell| {
            let key = &cell.key;
            cell.marks.iter().map(|(than, _)| (key.metric.clone(), key.scheme.clone(), than.clone()))
        });
        let asked = self.conclusions.iter().flat_map(|c| &c.rules).filter_map(|rule| rule.comparison());
        for comparison in marked.chain(asked) {
            let (metric, scheme, than) = &comparison;
            let reversed = (metric.clone(), than.clone(), scheme.clone());
            if !list.contains(&comparison) && !list.contains(&reversed) {
                list.push(comparison);
            }
        }
        list
    }
}
