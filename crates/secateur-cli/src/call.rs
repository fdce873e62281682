//! The call itself as text, for pages that say how they were made.

use secateur::page::PageInfo;

/// Options that say what becomes of the tree and not what it is.
const OUTPUTS: [&str; 5] = ["--output", "-o", "--report", "--report-folds", "--threads"];
/// Those without a value.
const FLAGS: [&str; 3] = ["--json", "--quiet", "-q"];

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn line(words: &[String]) -> String {
    ["secateur".to_string()]
        .into_iter()
        .chain(words.iter().map(|word| quoted(word)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The words of the call.
fn words() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// What the page of a fitted tree says: the call, and how to call for another pruning of the same tree.
pub fn of_fit() -> PageInfo {
    let words = words();
    let recipe = format!("{} --scheme {{}} -o pruned.json", line(&without_outputs(&words)));
    let judging_hint = format!("{} --report-folds 10", line(&words));
    PageInfo { command: line(&words), recipe, recipe_takes_scheme: true, judging_hint, ..PageInfo::default() }
}

/// The same for a saved tree.
pub fn of_model(model: &std::path::Path) -> PageInfo {
    let model = model.display().to_string();
    let recipe = format!("{} --with {{}} -o pruned.json", line(&["prune".into(), model]));
    PageInfo { command: line(&words()), recipe, recipe_takes_scheme: false, ..PageInfo::default() }
}

/// A call of `fit` without its scheme and its outputs.
fn without_outputs(words: &[String]) -> Vec<String> {
    let (mut kept, mut words) = (Vec::new(), words.iter());
    let takes = |name: &str| name == "--scheme" || name == "-s" || OUTPUTS.contains(&name);
    while let Some(word) = words.next() {
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) if name.starts_with("--") => (name, true),
            _ => (word.as_str(), false),
        };
        let joined = ["-s", "-o"].iter().any(|short| word.len() > 2 && word.starts_with(short));
        if takes(name) {
            if !has_value {
                words.next();
            }
        } else if !joined && !FLAGS.contains(&name) {
            kept.push(word.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(call: &str) -> String {
        line(&without_outputs(&call.split(' ').map(String::from).collect::<Vec<_>>()))
    }

    #[test]
    fn what_makes_the_tree_stays() {
        let call = "fit a.csv --target y -s cart -o m.json --report=r.html --costs c.csv --json --ignore=id -scart -om";
        assert_eq!(kept(call), "secateur fit a.csv --target y --costs c.csv --ignore=id");
        assert_eq!(
            kept("fit a.csv --scheme=c45 --drop-missing-target -q"),
            "secateur fit a.csv --drop-missing-target"
        );
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(
            [quoted("a b"), quoted("it's"), quoted(""), quoted("x.csv")].join(" "),
            r"'a b' 'it'\''s' '' x.csv"
        );
    }
}
