//! Whether the numbers of an experiment file make sense, before anything is run.

use super::conclusions::Rule;
use super::experiment::Experiment;
use super::protocol::Protocol;
use secateur::error::shown;
use secateur::write::check_file_name;

/// The file beside the reports of single experiments, which have the names of these.
pub const SUMMARY: &str = "summary";

/// What is wrong with the experiment, if anything is.
pub(super) fn check(experiment: &Experiment) -> Result<(), String> {
    let ensure = |right: bool, problem: &dyn Fn() -> String| if right { Ok(()) } else { Err(problem()) };
    let share = |name: &str, x: f64| {
        ensure(x > 0.0 && x < 1.0, &|| format!("{name} is {x}; it must be a share between 0 and 1"))
    };
    let count = |name: &str, x: usize, least: usize| {
        ensure(x >= least, &|| format!("{name} is {x}; it must be at least {least}"))
    };
    let percents = |list: &[f64]| match list.iter().find(|x| !(**x > 0.0 && **x <= 100.0)) {
        Some(x) => Err(format!("training_percent holds {x}; write numbers above 0 and at most 100")),
        None => Ok(()),
    };
    check_file_name(&experiment.id).map_err(|problem| format!("id: {problem}"))?;
    ensure(experiment.id != SUMMARY, &|| format!("id: {SUMMARY} is the name of the summary of all reports"))?;
    match &experiment.protocol {
        Protocol::Cv { folds, repeats, training_percent, .. } => {
            count("folds", *folds, 2)?;
            count("repeats", *repeats, 1)?;
            percents(training_percent)?;
        }
        Protocol::Window { parts, training_percent } => {
            count("parts", *parts, 2)?;
            count("the number of training_percent", training_percent.len(), 1)?;
            percents(training_percent)?;
        }
        Protocol::ValidatedCv { validation, folds, .. } => {
            share("validation", *validation)?;
            count("folds", *folds, 2)?;
        }
        Protocol::Random { trials, train } => {
            count("trials", *trials, 1)?;
            share("train", *train)?;
        }
        Protocol::Growing { sizes } => {
            count("the number of sizes", sizes.len(), 1)?;
            count("the smallest of sizes", sizes.iter().copied().min().unwrap_or(0), 2)?;
        }
        Protocol::TrainTest {} | Protocol::Whole { .. } => {}
    }
    count("seeds", experiment.seeds, 1)?;
    if let Some(test) = &experiment.test {
        share("test.level", test.level)?;
        ensure(test.threshold >= 0.0, &|| "test.threshold is negative".into())?;
    }
    for (i, scheme) in experiment.schemes.iter().enumerate() {
        let again = experiment.schemes[..i].iter().any(|other| other.name == scheme.name);
        ensure(!again, &|| format!("scheme {} stands twice", shown(&scheme.name)))?;
    }
    for measure in &experiment.measures {
        let room = [measure.within, measure.within_small, measure.share, measure.share_small];
        let right = room.iter().flatten().all(|x| *x >= 0.0) && measure.scale.is_finite();
        ensure(right, &|| {
            format!("the numbers of measure {} are not all at least 0", shown(&measure.metric))
        })?;
    }
    for rule in experiment.conclusions.iter().flat_map(|conclusion| &conclusion.rules) {
        let x = rule.share();
        ensure((0.0..=1.0).contains(&x), &|| format!("the share {x} of a rule is not between 0 and 1"))?;
        if let Rule::Falls { schemes, .. } | Rule::Valley { schemes, .. } = rule {
            let least = if matches!(rule, Rule::Falls { .. }) { 2 } else { 3 };
            count("the number of schemes of a rule", schemes.len(), least)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(protocol: &str, rest: &str) -> String {
        let head = "id = 'x'\ntitle = 'x'\ndocument = 'x'\nkind = 'table'\n";
        let text = format!("{head}protocol = {{ {protocol} }}\n{rest}");
        Experiment::parse(&text, "x.toml").map(|_| String::new()).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn numbers_that_cannot_be_run_are_told_by_name() {
        for (protocol, expected) in [
            ("name = 'cv', folds = 1", "folds is 1; it must be at least 2"),
            ("name = 'cv', folds = 2, repeats = 0", "repeats is 0; it must be at least 1"),
            ("name = 'cv', folds = 2, training_percent = [0]", "training_percent holds 0"),
            ("name = 'window', parts = 20, training_percent = [101]", "training_percent holds 101"),
            ("name = 'window', parts = 20, training_percent = []", "the number of training_percent is 0"),
            ("name = 'validated-cv', validation = 1.0, folds = 5", "validation is 1; it must be a share"),
            ("name = 'growing', sizes = []", "the number of sizes is 0"),
            ("name = 'growing', sizes = [4, 1]", "the smallest of sizes is 1"),
            ("name = 'random', trials = 0, train = 0.5", "trials is 0"),
            ("name = 'random', trials = 2, train = nan", "train is NaN; it must be a share"),
        ] {
            let problem = problem(protocol, "");
            assert!(
                problem.starts_with("x.toml: not a valid experiment: ") && problem.contains(expected),
                "{problem}"
            );
        }
        assert_eq!(problem("name = 'train-test'", ""), "");
    }

    #[test]
    fn ids_become_file_names() {
        for id in ["../../evil", "/evil", "a\\\\b", "..", "nul", "", "summary"] {
            let text = format!(
                "id = \"{id}\"\ntitle = 'x'\ndocument = 'x'\nkind = 'table'\nprotocol = {{ name = 'train-test' }}"
            );
            let problem = Experiment::parse(&text, "x.toml").unwrap_err().to_string();
            assert!(problem.starts_with("x.toml: not a valid experiment: id: "), "{problem}");
        }
    }

    #[test]
    fn the_rest_of_the_file_is_checked_too() {
        let whole = "name = 'whole'";
        for (rest, expected) in [
            ("test = { kind = 'paired-t', level = 5 }", "test.level is 5"),
            ("seeds = 0", "seeds is 0; it must be at least 1"),
            (
                "scheme = [{ name = 'a', scheme = 'cart' }, { name = 'a', scheme = 'id3' }]",
                "scheme 'a' stands twice",
            ),
            ("measure = [{ metric = 'm', measure = 'nodes', within = -1 }]", "the numbers of measure 'm'"),
            (
                "conclusion = [{ text = 't', rules = [{ kind = 'value', metric = 'm', scheme = 's', share = 2 }] }]",
                "the share 2 of a rule",
            ),
            (
                "conclusion = [{ text = 't', rules = [{ kind = 'falls', metric = 'm', schemes = ['s'] }] }]",
                "the number of schemes of a rule is 1; it must be at least 2",
            ),
            ("conclusion = [{ text = 't', rules = [{ kind = 'fall' }] }]", "unknown variant `fall`"),
            ("protokol = 3", "unknown field `protokol`"),
        ] {
            let problem = problem(whole, rest);
            assert!(problem.contains(expected), "{problem}");
        }
        assert!(problem("name = 'cv', fold = 2", "").contains("unknown field `fold`"));
    }
}
