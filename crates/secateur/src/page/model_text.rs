//! The text of a model file around its nodes, for the page to save a pruned tree with.

use std::io;

use serde::Serialize;

use crate::tree::Model;

/// The lines before the nodes; what depends on the pruning is left out.
#[derive(Debug, Serialize)]
pub(super) struct ModelText {
    /// From the beginning to the scheme.
    before: String,
    /// Between the scheme and the size of the full tree.
    between: String,
    /// The size of the full tree, as the file of the whole tree says it, and as that of a pruned one does.
    full: [String; 2],
    /// From there to the prior counts.
    after: String,
}

impl ModelText {
    pub(super) fn of(model: &Model) -> io::Result<Self> {
        let plain = model.tree.clone().with_prior_counts(None).map_err(io::Error::other)?;
        // Only the lines before the nodes are wanted.
        let stump = plain.cut(&[true]);
        let lines = |tree| {
            let mut text = Vec::new();
            Model { tree, scheme: String::new(), about: model.about.clone() }.to_json(&mut text)?;
            let text = String::from_utf8(text).map_err(io::Error::other)?;
            Ok::<_, io::Error>(text.split("\n\"nodes\": [").next().unwrap_or_default().to_owned())
        };
        let pruned = lines(stump)?;
        let cut_from = model.tree.full_leaves() > model.tree.leaves();
        let whole =
            if cut_from || model.tree.is_leaf(0) { pruned.clone() } else { lines(like_whole(model))? };
        let (before, rest) = pruned.split_once("\"scheme\": \"\"").unwrap_or((&pruned, ""));
        let (between, rest) = rest.split_once("\n\"full\": ").unwrap_or((rest, ""));
        let (full, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let whole = whole.split("\n\"full\": ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or(full);
        Ok(Self {
            before: format!("{before}\"scheme\": "),
            between: format!("{between}\n\"full\": "),
            full: [format!("{whole}\n"), format!("{full}\n")],
            after: after.into(),
        })
    }
}

/// A tree of one node that was not cut, whose file says of the full tree what the whole one's does.
fn like_whole(model: &Model) -> crate::tree::Tree {
    model.tree.cut(&[true]).grown_this_far()
}
