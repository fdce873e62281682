//! What `fit` prints: first how well the tree predicts and how large it is, then the tree, then what explains it.

use secateur::fit::{Estimate, LambdaChoice, TreePath, Validation};
use secateur::prune::reliability_of;
use secateur::report::{TextOptions, safe, text};
use secateur::schema::Target;
use secateur::tree::{LeafValues, Model, Size, Tree};

use crate::commands::show::text_options;
use crate::estimate::{self, Unit};
use crate::importance;
use crate::leaf_values;
use crate::no_better::{self, Larger};
use crate::output;
use crate::streaming::StreamSummary;
use crate::summary::Seconds;
use crate::terminal;

/// A fit, as far as text tells of it.
pub struct FitText<'a> {
    pub model: &'a Model,
    pub estimate: Option<&'a Estimate>,
    pub validation: Option<&'a Validation>,
    pub lambda: Option<&'a LambdaChoice>,
    /// The pruning path that the tree was taken from, where the scheme has one.
    pub path: Option<&'a TreePath>,
    /// Of a bare root without such a path: cost-complexity's.
    pub instead: Option<&'a TreePath>,
    pub seconds: &'a Seconds,
    pub streamed: Option<&'a StreamSummary>,
    /// Whether to print how the tree was made, too.
    pub details: bool,
}

/// How to see what the printed tree leaves out.
pub const SHOW_MORE: &str = "save it with -o and use `secateur show --all`";

impl FitText<'_> {
    /// All of it.
    pub fn text(&self) -> String {
        let tree = &self.model.tree;
        let options = TextOptions { hint: SHOW_MORE.into(), has_header: false, ..text_options() };
        let larger = Larger { own: self.path, instead: self.instead };
        let told = (self.estimate, self.validation);
        let nothing = no_better::in_words(self.model, told, larger) + &overruled(tree);
        let confusion = estimate::confusion(self.validation, tree);
        let importance = importance::in_words(tree).map_or(String::new(), |shares| {
            let text = format!("Feature importance: {shares}");
            format!("\n{}\n", output::wrapped(&text, terminal::here().width, 0))
        });
        let details =
            if self.details { format!("\n{}", output::facts(&self.details())) } else { String::new() };
        format!("{}\n{}{nothing}{confusion}{importance}{details}", self.head(), text(tree, options))
    }

    /// At most five lines: data, size, and the scores beside the baseline.
    fn head(&self) -> String {
        let tree = &self.model.tree;
        let room = terminal::here().width;
        let mut size = size(tree.size());
        if self.model.about.full != tree.size() {
            size +=
                &format!(" (pruned from {})", output::count(self.model.about.full.leaves, "leaf", "leaves"));
        }
        let scores = match self.estimate {
            Some(estimate) => estimate::scores(estimate, self.validation, tree),
            None => {
                let unit = Unit::of(tree);
                let baseline = estimate::BaselineSummary::of(self.validation, tree);
                let constant =
                    format!("{} ({})", unit.words(&unit.cell(baseline.error)), baseline.words(unit));
                let text = format!(
                    "error on new rows: not estimated (--estimate nested does); baseline: {constant}"
                );
                output::wrapped(&text, room, 0) + "\n"
            }
        };
        format!("{}\n{size}\n{scores}", self.data(room))
    }

    /// The table in one line.
    fn data(&self, room: usize) -> String {
        let (about, schema) = (&self.model.about, self.model.tree.schema());
        let features = output::count(schema.attributes.len() as u64, "feature", "features");
        let target = safe(schema.target.name());
        let target = match &schema.target {
            Target::Classes { classes, .. } => {
                format!("{target} ({})", output::count(classes.len() as u64, "class", "classes"))
            }
            Target::Number { .. } => format!("{target} (numeric)"),
        };
        let rest = format!(": {}, {features}, target {target}", output::count(about.rows, "row", "rows"));
        let file = about.data.rsplit(['/', '\\']).next().unwrap_or(&about.data);
        output::wrapped(&(output::shortened(&safe(file), 40) + &rest), room, 2)
    }

    /// How the tree was made, and what else is known of it.
    fn details(&self) -> Vec<(&'static str, String)> {
        let tree = &self.model.tree;
        let unit = Unit::of(tree);
        let mut facts = vec![("scheme", self.model.scheme.clone())];
        facts.push(("full tree", size(self.model.about.full)));
        facts.extend(leaf_values::in_words(tree, self.lambda).map(|text| ("leaf values", text)));
        facts.extend(self.estimate.map(|estimate| ("estimate", estimate::method(estimate, unit))));
        if tree.has_counts() {
            facts.push(("training", unit.words(&unit.cell(tree.training_error()))));
        }
        let reliability = reliability_of(tree);
        facts.extend(reliability.map(|r| ("in-sample", output::reliability(&r, tree.is_classifier()))));
        let Seconds { load, grow, prune } = self.seconds;
        facts.push(("time", format!("load {load:.2} s, grow {grow:.2} s, prune {prune:.2} s")));
        facts.extend(self.streamed.map(|streamed| ("streamed", streamed.words())));
        facts
    }
}

/// Why leaves predict another class than most of their rows have, where some do.
fn overruled(tree: &Tree) -> String {
    let leaves = |is_such: &dyn Fn(usize) -> bool| match (0..tree.nodes().len())
        .filter(|&id| tree.is_leaf(id) && is_such(id))
        .count()
    {
        0 => None,
        1 => Some("In 1 leaf".to_string()),
        count => Some(format!("In {} leaves", output::thousands(count as u64))),
    };
    let is_rarer = |id: usize| {
        let weights = tree.class_weights(id);
        weights.iter().any(|weight| *weight > weights[tree.label(id)])
    };
    let mut out = String::new();
    let mut add = |text: String| out += &format!("\n{}\n", output::wrapped(&text, terminal::here().width, 0));
    if tree.costs().is_some()
        && let Some(leaves) = leaves(&is_rarer)
    {
        add(format!(
            "{leaves} the predicted class is not the most frequent one but the one with the lowest expected cost."
        ));
    }
    if let LeafValues::Shrink(lambda) = tree.leaf_values()
        && let Some(leaves) = leaves(&|id| tree.overruled(id).is_some())
    {
        let how_far = match lambda {
            LeafValues::LARGEST => "all the way: every leaf predicts what the root predicts".into(),
            _ => format!("towards the nodes above (λ = {})", output::number(lambda)),
        };
        add(format!(
            "{leaves} the rows alone would predict another class: leaf values are shrunken {how_far}."
        ));
    }
    out
}

/// The size of a tree in words.
pub fn size(size: Size) -> String {
    format!("{}, depth {}", output::count(size.leaves, "leaf", "leaves"), output::thousands(size.depth))
}
