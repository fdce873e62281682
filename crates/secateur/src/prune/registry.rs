//! Pruners from outside the library: registered once, then known by name like its own.

use std::sync::{PoisonError, RwLock};

use super::{PRUNERS, PruneKind, Pruner};
use crate::error::{Error, Result};
use crate::method::Needs;

/// Those from outside, in the order in which they came.
static ADDED: RwLock<Vec<&'static Pruner>> = RwLock::new(Vec::new());

/// Makes a pruner known to the whole program: to schemes (`cart/its-name:option=value`), selectors, experiments and lists of methods.
/// To register the same one again changes nothing.
///
/// ```
/// use secateur::method::{Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
/// use secateur::prune::{PruneKind, Pruner, register};
///
/// static TINY: Pruner = Pruner {
///     info: MethodInfo {
///         id: "tiny",
///         one_line: "turns light nodes into leaves",
///         paper: "none",
///         params: &[ParamSpec::new("w", ParamKind::POSITIVE, "the weight a node must have").default("5")],
///         needs: Needs::Counts,
///         exceptions: &[Exception::new(Law::UnitOfWeights, "w is a weight")],
///     },
///     only: For::Both,
///     kind: PruneKind::Cut(|job| {
///         let least = job.number("w");
///         Ok(job.tree.nodes().iter().map(|node| node.weight < least).collect())
///     }),
/// };
///
/// register(&TINY)?;
/// let scheme: secateur::scheme::Scheme = "cart/tiny:w=20".parse()?;
/// assert_eq!(scheme.to_string(), "cart/tiny:w=20");
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// When another pruner has its name, or what it says of itself does not fit together: a name that no scheme can hold, a default
/// that is not allowed, an option that its kind needs and its table lacks.
pub fn register(pruner: &'static Pruner) -> Result<()> {
    let id = pruner.info.id;
    let problem = |what: String| Error::parameter(format!("pruner '{id}' cannot be registered: {what}"));
    pruner.info.check_table().map_err(problem)?;
    if let Some(option) = needed(pruner).into_iter().find(|name| pruner.info.param(name).is_none()) {
        return Err(problem(format!("its table has no option '{option}', which its kind needs")));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    match PRUNERS.iter().chain(added.iter()).find(|known| known.info.id == id) {
        Some(known) if std::ptr::eq(*known, pruner) => {}
        Some(_) => return Err(problem("another one has this name".into())),
        None => added.push(pruner),
    }
    Ok(())
}

/// The options that a kind of pruner reads by name.
fn needed(pruner: &Pruner) -> Vec<&'static str> {
    let mut names: Vec<&str> = pruner.parameter().map(|parameter| parameter.name).into_iter().collect();
    match pruner.kind {
        PruneKind::HeldOut(_) => names.push("holdout"),
        PruneKind::Own { .. } if pruner.info.needs == Needs::Folds => names.push("cv"),
        PruneKind::Family { raise: Some(_), .. } => names.push("raising"),
        _ => {}
    }
    names
}

/// All pruners: the library's own, then those that were [registered](register).
pub fn pruners() -> Vec<&'static Pruner> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    PRUNERS.iter().chain(added.iter()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::{For, MethodInfo, ParamKind, ParamSpec};
    use crate::prune::{Parameter, Spacing, Tried};

    const fn info(id: &'static str, params: &'static [ParamSpec]) -> MethodInfo {
        MethodInfo { id, one_line: "a test", paper: "none", params, needs: Needs::Counts, exceptions: &[] }
    }

    fn problem(info: MethodInfo, kind: PruneKind) -> String {
        let pruner = Box::leak(Box::new(Pruner { info, only: For::Both, kind }));
        register(pruner).unwrap_err().to_string()
    }

    fn nothing() -> PruneKind {
        PruneKind::Cut(|job| Ok(vec![false; job.tree.nodes().len()]))
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        assert!(problem(info("mdl", &[]), nothing()).contains("another one has this name"));
        assert!(problem(info("my/own", &[]), nothing()).contains("'my/own'"));
        const BAD: &[ParamSpec] = &[ParamSpec::new("x", ParamKind::SHARE, "a share").default("2")];
        assert!(problem(info("bad", BAD), nothing()).contains("'2' is not a number above 0 and at most 1"));
        const TWICE: &[ParamSpec] = &[
            ParamSpec::new("x", ParamKind::SHARE, "a share"),
            ParamSpec::new("x", ParamKind::SHARE, "a share"),
        ];
        assert!(problem(info("twice", TWICE), nothing()).contains("option 'x' twice"));
        let path = PruneKind::Nested {
            parameter: Parameter { name: "x", spacing: Spacing::Exact },
            tried: Tried::All(|_| 0.0),
            fall: |job| Ok(vec![0.0; job.tree.nodes().len()]),
            cut: None,
        };
        assert!(problem(info("path", &[]), path).contains("no option 'x', which its kind needs"));
    }
}
