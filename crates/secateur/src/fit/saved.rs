//! Pruning a tree without its rows.

use crate::error::{Error, Result};
use crate::method::Method;
use crate::prune::k_norm::prior_counts;
use crate::prune::{Job, PruneKind, ToPruner};
use crate::scheme::Scheme;
use crate::select::{Pruning, Selector};
use crate::tree::{LeafValues, Model, Tree};

impl Tree {
    /// Prunes the tree with a pruner that needs no rows: typed options of the pruner, or text such as `k-norm:k=2`.
    ///
    /// ```
    /// use secateur::{Fit, pruners};
    /// let table = secateur::data::builtin::load("iris")?;
    /// let full = Fit::new(&table, "class").scheme("cart").model()?.tree;
    /// let typed = full.prune(&pruners::KNorm::new().k(3.0))?;
    /// assert_eq!(typed, full.prune("k-norm:k=3")?);
    /// assert!(typed.leaves() < full.leaves());
    /// # Ok::<(), secateur::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the pruner needs rows to choose by, or is not made for this kind of tree.
    pub fn prune(&self, pruner: &(impl ToPruner + ?Sized)) -> Result<Self> {
        pruned(self, &pruner.to_pruner()?)
    }
}

impl Model {
    /// The same with its tree pruned: [`Tree::prune`]. Its scheme then names the pruner.
    pub fn prune(self, pruner: &(impl ToPruner + ?Sized)) -> Result<Self> {
        let method = pruner.to_pruner()?;
        let learner: Scheme = self.scheme.split('/').next().unwrap_or("cart").parse()?;
        // By a pruner that has no rows, a λ would not be chosen again.
        let learner = learner.naming(self.tree.leaf_values())?;
        let scheme = Scheme { pruner: Some(method.clone()), ..learner }.to_string();
        Ok(Self { tree: pruned(&self.tree, &method)?, scheme, about: self.about })
    }
}

impl Model {
    /// The same with other leaf values ([`Tree::with_leaf_values`]). Its scheme then names them.
    pub fn with_leaf_values(self, values: LeafValues) -> Result<Self> {
        let tree = self.tree.with_leaf_values(values)?;
        // A scheme from elsewhere stays as it is.
        let scheme = match self.scheme.parse::<Scheme>() {
            Ok(scheme) => scheme.with_leaf_values(&values.to_string())?.to_string(),
            Err(_) => self.scheme,
        };
        Ok(Self { tree, scheme, about: self.about })
    }
}

fn pruned(tree: &Tree, method: &Method) -> Result<Tree> {
    let pruning = Pruning::of(method, tree.task())?;
    tree.need_counts(method)?;
    // Pruning goes by what was counted, whatever the leaves make of it.
    let counted = tree.clone().with_leaf_values(LeafValues::Raw)?;
    let job = Job::with(&counted, &pruning.options);
    let needs_rows = |otherwise: &str| {
        Error::parameter(format!(
            "{method} needs the data to choose by; fit them with this pruner{otherwise}"
        ))
    };
    if pruning.raises() {
        return Err(needs_rows(", or leave out raising"));
    }
    let leaf = match (&pruning.pruner.kind, pruning.selector) {
        (PruneKind::Cut(cut), _) => cut(&job)?,
        (_, Some(Selector::Fixed(parameter))) => pruning.pruner.cut_at(&job, parameter)?,
        _ => {
            let fixed = pruning.pruner.parameter().map(|p| format!(", or give {} a value", p.name));
            return Err(needs_rows(&fixed.unwrap_or_default()));
        }
    };
    let counts = prior_counts(tree, &pruning.options);
    tree.cut(&leaf).with_prior_counts(counts)
}
