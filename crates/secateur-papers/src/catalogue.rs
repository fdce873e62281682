//! The experiments that come with the program: their files, embedded.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::experiment::Experiment;
use super::published::Published;
use secateur::error::{Error, Result, shown, suggestion};

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/experiments");

/// The ids of all experiments, by document and then in the order of the tables.
///
/// ```
/// let ids = secateur_papers::catalogue::ids();
/// assert!(ids.contains(&"shi-4.14"));
/// ```
pub fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&str> = FILES
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "toml"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .collect();
    ids.sort_by(|a, b| in_order(a).cmp(&in_order(b)));
    ids
}

/// Sorts `shi-4.9` before `shi-4.10`, and figures and tables before appendices.
fn in_order(id: &str) -> Vec<(u64, &str)> {
    id.split(['-', '.']).map(|part| (part.parse().unwrap_or(u64::MAX), part)).collect()
}

/// All experiments, in the order of [`ids`].
///
/// ```
/// for experiment in secateur_papers::catalogue::experiments()? {
///     assert!(!experiment.title.is_empty());
/// }
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn experiments() -> Result<Vec<Experiment>> {
    ids().into_iter().map(find).collect()
}

/// The experiment with this id.
///
/// ```
/// use secateur_papers::catalogue::find;
/// assert_eq!(find("zhong-6.2")?.schemes.len(), 3);
/// let unknown = find("zhong-62").unwrap_err().to_string();
/// assert!(unknown.starts_with("there is no experiment 'zhong-62' (did you mean 'zhong-6.2'?)"));
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn find(id: &str) -> Result<Experiment> {
    let name = format!("{id}.toml");
    match FILES.get_file(&name).and_then(|file| file.contents_utf8()) {
        Some(text) => Experiment::parse(text, &name),
        None => Err(Error::parameter(format!(
            "there is no experiment {}{}; there are {}",
            shown(id),
            suggestion(id, ids()),
            ids().join(", ")
        ))),
    }
}

/// The experiment of a file of one's own; [`published_beside`] reads what it names as published.
///
/// ```
/// use secateur_papers::catalogue;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.toml");
/// let text = "id = 'mine'\ntitle = 'mine'\ndocument = 'none'\nkind = 'table'\npublished = ['mine.csv']\n\
///             protocol = { name = 'cv', folds = 10 }";
/// std::fs::write(&path, text)?;
/// std::fs::write(folder.path().join("mine.csv"), "dataset,metric,value\niris,accuracy,94.2\n")?;
/// let experiment = catalogue::load_file(&path)?;
/// assert_eq!(catalogue::published_beside(&experiment, &path)?.cells[0].value, 94.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_file(path: &Path) -> Result<Experiment> {
    Experiment::parse(&read(path)?, &path.to_string_lossy())
}

/// What was printed, for an experiment that comes with the program.
///
/// ```
/// use secateur_papers::{Key, catalogue};
/// let published = catalogue::published(&catalogue::find("shi-4.14")?)?;
/// let printed = published.results().mean(&Key::new("iris", "best-first-post", "accuracy"));
/// assert_eq!(printed, Some(94.20));
/// # Ok::<(), secateur::Error>(())
/// ```
pub fn published(experiment: &Experiment) -> Result<Published> {
    read_all(experiment, |name| {
        let text = FILES.get_file(format!("published/{name}")).and_then(|file| file.contents_utf8());
        text.map(str::to_owned).ok_or_else(|| {
            let known = FILES.get_dir("published").into_iter().flat_map(|dir| dir.files());
            let known: Vec<&str> = known.filter_map(|file| file.path().file_name()?.to_str()).collect();
            Error::parameter(format!(
                "{}: there is no published file {}{}",
                experiment.id,
                shown(name),
                suggestion(name, known)
            ))
        })
    })
}

/// What was printed, for an experiment of one's own in the file `path`: published files stand beside it, or in a
/// folder `published` beside it.
pub fn published_beside(experiment: &Experiment, path: &Path) -> Result<Published> {
    read_all(experiment, |name| read(&beside(path, name)))
}

/// The files that [`published_beside`] reads.
pub fn files_beside(experiment: &Experiment, path: &Path) -> Vec<PathBuf> {
    experiment.published.iter().map(|name| beside(path, name)).collect()
}

fn beside(path: &Path, name: &str) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new("."));
    let beside = folder.join(name);
    if beside.exists() { beside } else { folder.join("published").join(name) }
}

/// The rows and folds (`row,fold`) of a file in `experiments/folds`, as text.
///
/// ```
/// let folds = secateur_papers::catalogue::folds("glass-shi-3.4.csv").unwrap();
/// assert_eq!(folds.lines().count(), 215);
/// ```
pub fn folds(name: &str) -> Option<&'static str> {
    FILES.get_file(format!("folds/{name}")).and_then(|file| file.contents_utf8())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|source| Error::Read { file: path.to_owned(), source })
}

fn read_all(experiment: &Experiment, text_of: impl Fn(&str) -> Result<String>) -> Result<Published> {
    let mut all = Published::default();
    for name in &experiment.published {
        all.cells.extend(Published::parse(&text_of(name)?, name)?.cells);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::conclusions::{self, Verdict};
    use crate::experiment::ExperimentKind;
    use crate::protocol::Protocol;
    use secateur::scheme::Scheme;

    /// Names that a data folder is expected to know; see `experiments/README.md`.
    const KNOWN: &str = "abalone abalone-3class adult anneal anneal-orig arrhythmia audiology australian autos \
        balance-scale balloons-adult-plus-stretch balloons-adult-stretch balloons-yellow-small \
        balloons-yellow-small-plus-adult-stretch breast-cancer breast-w bridges-material bridges-rel-l bridges-span \
        bridges-t-or-d bridges-type car computer-hardware covtype credit-rating ecoli flags forest-fires german-credit glass \
        hayes-roth heart-c heart-h heart-statlog hepatitis horse-colic hypothyroid image-segmentation ionosphere iris \
        kr-vs-kp labor lenses letter liver-disorders lung-cancer lymphography monks-1 monks-2 monks-3 mushroom \
        new-thyroid o-ring-erosion optdigits page-blocks pendigits pima-diabetes post-operative primary-tumor promoters \
        satellite segment shuttle shuttle-landing-control sick solar-flare sonar soybean soybean-small spectrometer \
        splice splice-with-name sponge thyroid-allbp thyroid-allhyper thyroid-allrep thyroid-ann thyroid-hypothyroid \
        thyroid-sick-euthyroid tic-tac-toe trains vehicle vote vowel waveform-21 waveform-40 wine zoo";

    fn all() -> Vec<(Experiment, Published)> {
        let with_print = |e: Experiment| (published(&e).unwrap_or_else(|error| panic!("{error}")), e);
        experiments().unwrap().into_iter().map(with_print).map(|(print, e)| (e, print)).collect()
    }

    #[test]
    fn every_id_of_the_catalogue_is_its_own_file_name() {
        let ids = ids();
        for (id, experiment) in ids.iter().zip(experiments().unwrap()) {
            assert_eq!(*id, experiment.id);
        }
        let shi_2 = (1..=3).map(|n| format!("shi-2.{n}"));
        let shi_3 = (1..=5).map(|n| format!("shi-3.{n}"));
        let shi_4 = (1..=20).map(|n| format!("shi-4.{n}"));
        let shi_b = ["shi-a".to_owned()].into_iter().chain((1..=8).map(|n| format!("shi-b.{n}")));
        let shi_figures = ["shi-fig-3.1", "shi-fig-3.8"].map(str::to_owned);
        let shi = shi_2.chain(shi_3).chain(shi_4).chain(shi_b).chain(shi_figures);
        let zhong_6 = (1..=5).map(|n| format!("zhong-6.{n}"));
        let zhong_others = ["zhong-6.5.1", "zhong-b", "zhong-b-sequence", "zhong-fig-5.2"].map(str::to_owned);
        let elkhouri = (3..=8).map(|n| format!("elkhouri-{n}"));
        let holder = ["holder-curves", "holder-hypotheses"].map(str::to_owned);
        let mansour = (1..=4).map(|n| format!("mansour-{n}")).chain(["mansour-artificial".to_owned()]);
        let expected = elkhouri.chain(holder).chain(mansour).chain(shi).chain(zhong_6).chain(zhong_others);
        assert_eq!(ids, expected.collect::<Vec<_>>());
    }

    #[test]
    fn schemes_are_schemes_of_this_program() {
        // Conventions of one author's program; they are left out where the learner does not know them.
        const CONVENTIONS: [&str; 3] = ["gain-decimals=7", "threshold-decimals=5", "ties=newest"];
        for experiment in experiments().unwrap() {
            for row in &experiment.schemes {
                let mut text = row.scheme.clone();
                for option in CONVENTIONS.iter().filter(|o| format!("cart:{o}").parse::<Scheme>().is_err()) {
                    text = text.replace(&format!(",{option}"), "");
                }
                text.parse::<Scheme>().unwrap_or_else(|e| panic!("{} {}: {e}", experiment.id, row.name));
            }
            let names: BTreeSet<&str> = experiment.schemes.iter().map(|row| row.name.as_str()).collect();
            assert_eq!(names.len(), experiment.schemes.len(), "{}: a scheme stands twice", experiment.id);
        }
    }

    #[test]
    fn every_printed_cell_has_a_measure_and_a_scheme_or_is_only_quoted() {
        for (experiment, print) in all() {
            assert_eq!(
                print.cells.is_empty(),
                experiment.kind == ExperimentKind::Hypotheses,
                "{}",
                experiment.id
            );
            let mut keys = BTreeSet::new();
            for cell in &print.cells {
                let key = &cell.key;
                assert!(keys.insert(key), "{}: {key:?} stands twice", experiment.id);
                let fact = matches!(experiment.kind, ExperimentKind::Properties | ExperimentKind::Splits);
                assert_eq!(fact, key.scheme.is_empty(), "{}: {key:?}", experiment.id);
                if fact {
                    assert!(experiment.measure(&key.metric).is_some(), "{}: {key:?}", experiment.id);
                    continue;
                }
                let quoted = key.scheme.starts_with("reference-") || key.scheme == "best-classifier";
                assert_eq!(quoted, experiment.scheme(&key.scheme).is_none(), "{}: {key:?}", experiment.id);
                assert!(quoted || experiment.measure(&key.metric).is_some(), "{}: {key:?}", experiment.id);
            }
            // Of some curves only a few points were printed, or survive.
            let curve = [ExperimentKind::Hypotheses, ExperimentKind::Nodes].contains(&experiment.kind)
                || matches!(experiment.protocol, Protocol::Growing { .. });
            for row in experiment.schemes.iter().filter(|_| !curve) {
                assert!(keys.iter().any(|key| key.scheme == row.name), "{} {}", experiment.id, row.name);
            }
            for doubt in &experiment.doubts {
                assert!(print.cells.iter().any(|cell| doubt.is_about(cell)), "{}: {doubt:?}", experiment.id);
            }
        }
    }

    #[test]
    fn every_data_set_is_known_or_built_in_or_said_to_be_missing() {
        let known: BTreeSet<&str> = KNOWN.split_whitespace().collect();
        for (experiment, print) in all() {
            let names = experiment.dataset_names(&print);
            for name in &names {
                let source = experiment.source(name);
                if let Some(builtin) = source.builtin.iter().chain(&source.test).next() {
                    secateur::data::builtin::load(builtin).unwrap();
                }
                let had = known.contains(source.indexed.as_str()) || source.builtin.is_some();
                assert!(had != source.missing.is_some(), "{} {name}", experiment.id);
            }
            let quick = &experiment.quick.datasets;
            assert!(quick.iter().all(|name| names.contains(name)), "{}: {quick:?}", experiment.id);
            for name in
                names.iter().filter(|name| !quick.is_empty() && experiment.source(name).builtin.is_some())
            {
                assert!(quick.contains(name), "{}: {name} is built in and quick", experiment.id);
            }
        }
    }

    #[test]
    fn conclusions_hold_on_the_printed_numbers_or_say_why_not() {
        for (experiment, print) in all() {
            assert!(!experiment.conclusions.is_empty(), "{}", experiment.id);
            for finding in conclusions::check(&experiment, &print, &print.results()) {
                let text = &finding.conclusion.text;
                let holds = finding.published.verdict == Verdict::Holds;
                let why = finding.conclusion.because.is_some();
                assert!(holds != why, "{}: {text}: {}", experiment.id, finding.published.sentence());
                for rule in &finding.conclusion.rules {
                    assert!(experiment.measure(rule.metric()).is_some(), "{}: {text}", experiment.id);
                    for scheme in rule.schemes() {
                        let quoted = scheme.starts_with("reference-") || scheme.is_empty();
                        assert!(quoted || experiment.scheme(scheme).is_some(), "{}: {scheme}", experiment.id);
                    }
                }
            }
        }
    }

    #[test]
    fn marks_count_up_to_the_printed_summaries() {
        let text = FILES.get_file("published/summary.csv").unwrap().contents_utf8().unwrap();
        let mut lines = 0;
        for record in csv::Reader::from_reader(text.as_bytes()).records() {
            let record = record.unwrap();
            let [document, table, percent, scheme, than, metric, plus, equal, minus] =
                std::array::from_fn(|i| record.get(i).unwrap());
            let id = format!("{}-{table}", document.split('-').next().unwrap());
            let results = published(&find(&id).unwrap()).unwrap().results();
            let group = (!percent.is_empty()).then_some(percent);
            let count = |wanted| {
                let keys = results.keys(scheme, metric, group);
                keys.filter(|key| results.sign(key, than) == Some(wanted)).count().to_string()
            };
            use crate::Sign::{Larger, Same, Smaller};
            assert_eq!([count(Larger), count(Same), count(Smaller)], [plus, equal, minus], "{record:?}");
            lines += 1;
        }
        assert_eq!(lines, 38);
    }

    #[test]
    fn folds_named_by_experiments_are_there() {
        let mut named = 0;
        for experiment in experiments().unwrap() {
            if let Protocol::Whole { folds_file: Some(name), .. } = &experiment.protocol {
                assert!(folds(name).unwrap().starts_with("row,fold\n"));
                named += 1;
            }
        }
        assert_eq!((named, folds("none.csv")), (2, None));
    }

    #[test]
    fn a_file_of_ones_own_is_read_with_its_published_file_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let toml = "id = 'mine'\ntitle = 't'\ndocument = 'd'\nkind = 'table'\npublished = ['mine.csv']\n\
                    [protocol]\nname = 'cv'\nfolds = 5\n";
        std::fs::write(&path, toml).unwrap();
        let experiment = load_file(&path).unwrap();
        assert!(published_beside(&experiment, &path).unwrap_err().to_string().contains("mine.csv"));
        std::fs::write(folder.path().join("mine.csv"), "dataset,metric,value\niris,x,1\n").unwrap();
        assert_eq!(published_beside(&experiment, &path).unwrap().cells.len(), 1);
        let wrong = format!("{toml}fold = 3\n");
        std::fs::write(&path, &wrong).unwrap();
        let problem = load_file(&path).unwrap_err().to_string();
        assert!(
            problem.contains("mine.toml, line 6: not a valid experiment: unknown field `fold`"),
            "{problem}"
        );
    }
}
