//! The text that `Booster.save_model` writes: lines of a key and its values.

use secateur::error::shown;

use super::{Child, Leaf, Missing, Model, Node, Test, add_tested, check, values_of};
use crate::import::Problem;

/// What the text of a model says.
pub(super) fn model(text: &str) -> Result<Model, Problem> {
    let lines = Lines((1..).zip(text.lines()).collect());
    let text_of = |key: &str| lines.one(key).map_or("", |(_, text)| text);
    let trees = lines.all("Tree").count();
    check(trees, text_of("num_tree_per_iteration"), text_of("is_linear").trim() == "1")?;
    let splits = splits(&lines)?;
    let counts: Vec<f64> = lines.numbers("leaf_count")?;
    let leaf = |(leaf, value)| Leaf { value, count: counts.get(leaf).copied() };
    let leaves = lines.numbers("leaf_value")?.into_iter().enumerate().map(leaf).collect();
    let texts = || lines.0.iter().map(|(_, line)| line);
    let lists = texts().find_map(|line| line.strip_prefix("pandas_categorical:"));
    let named = texts().find_map(|line| line.strip_prefix("[categorical_feature:")?.strip_suffix(']'));
    let mut nominal: Vec<usize> = named
        .map(|list| list.split(',').filter_map(|word| word.trim().parse().ok()).collect())
        .unwrap_or_default();
    let values = values_of(lists.and_then(|list| serde_json::from_str(list).ok()));
    add_tested(&mut nominal, &splits);
    Ok(Model {
        objective: text_of("objective").into(),
        features: text_of("feature_names").split(' ').map(String::from).collect(),
        values: if nominal.len() == values.len() { values } else { Vec::new() },
        nominal,
        splits,
        leaves,
    })
}

/// The lines of a model and their numbers.
struct Lines<'a>(Vec<(usize, &'a str)>);

impl<'a> Lines<'a> {
    /// What stands behind a key, wherever it does.
    fn all(&self, key: &str) -> impl Iterator<Item = (usize, &'a str)> {
        self.0
            .iter()
            .filter_map(move |&(number, line)| Some((number, line.strip_prefix(key)?.strip_prefix('=')?)))
    }

    /// What stands behind a key first.
    fn one(&self, key: &str) -> Option<(usize, &'a str)> {
        self.all(key).next()
    }

    /// The numbers behind a key; none where it is not there.
    fn numbers<T: std::str::FromStr>(&self, key: &str) -> Result<Vec<T>, Problem> {
        let Some((line, text)) = self.one(key) else { return Ok(Vec::new()) };
        let number = |word: &str| {
            word.parse().map_err(|_| Problem::at(line, format!("{key}: {} is not a number", shown(word))))
        };
        text.split_whitespace().map(number).collect()
    }
}

/// The splits of the tree.
fn splits(lines: &Lines) -> Result<Vec<Node>, Problem> {
    let features: Vec<usize> = lines.numbers("split_feature")?;
    let thresholds: Vec<f64> = lines.numbers("threshold")?;
    let kinds: Vec<u32> = lines.numbers("decision_type")?;
    let gains: Vec<f64> = lines.numbers("split_gain")?;
    let sides: [Vec<i64>; 2] = [lines.numbers("left_child")?, lines.numbers("right_child")?];
    let bounds: Vec<usize> = lines.numbers("cat_boundaries")?;
    let bits: Vec<u32> = lines.numbers("cat_threshold")?;
    let count = features.len();
    if [thresholds.len(), kinds.len(), sides[0].len(), sides[1].len()].iter().any(|length| *length != count) {
        return Err(Problem::new("the lists of the tree's splits are not of the same length"));
    }
    let child =
        |child: i64| if child < 0 { Child::Leaf(!child as usize) } else { Child::Split(child as usize) };
    let mut splits = Vec::with_capacity(count);
    for split in 0..count {
        let kind = kinds[split];
        let test = if kind & 1 == 1 {
            let place = thresholds[split] as usize;
            let (Some(begin), Some(end)) = (bounds.get(place), bounds.get(place + 1)) else {
                return Err(Problem::new(format!("split {split} names a list of values that is not there")));
            };
            let words = bits.get(*begin..*end).unwrap_or_default();
            let is_set = |code: &u32| words[*code as usize / 32] >> (code % 32) & 1 == 1;
            Test::Among((0..words.len() as u32 * 32).filter(is_set).collect())
        } else {
            Test::AtMost(thresholds[split])
        };
        splits.push(Node {
            feature: features[split],
            gain: gains.get(split).copied().unwrap_or(0.0),
            test,
            default_left: kind & 2 == 2,
            missing: [Missing::None, Missing::Zero, Missing::Nan, Missing::Nan][(kind >> 2 & 3) as usize],
            children: [child(sides[0][split]), child(sides[1][split])],
        });
    }
    Ok(splits)
}
