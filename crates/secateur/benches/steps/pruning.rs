//! Pruning beside growing: every pruner that needs only the counts in the tree, and the path of cost-complexity.

use secateur::data::{CodedTable, Roles, Table};
use secateur::grow::grow;
use secateur::progress::Silent;
use secateur::prune::{Job, PruneKind, Pruner};
use secateur::scheme::Scheme;
use secateur::tree::Tree;
use secateur::{Error, Result};
use serde_json::{Value, json};

use crate::options::Options;
use crate::timed;

/// A pruner, its parameter where it has one, and whether it visits every node once.
const PRUNERS: &[(&str, f64, bool)] = &[
    ("cost-complexity", 1e-5, false),
    ("k-norm", 2.0, true),
    ("k-norm:of=probability", 2.0, false),
    ("error-based", 0.25, false),
    ("error-based:limit=c45", 0.25, false),
    ("size-pessimistic", 0.2, false),
    ("pessimistic", 0.0, true),
    ("min-error", 2.0, true),
    ("mdl", 0.0, true),
    ("critical-value", 1e-3, false),
    ("post", -1000.0, false),
    ("breadth-first", -1000.0, false),
    ("depth-first", -1000.0, false),
    ("optimal-size", 50.0, false),
];

fn parts(scheme: &Scheme) -> Result<(&'static Pruner, &secateur::method::Method)> {
    let method = scheme.pruner.as_ref().ok_or_else(|| Error::parameter("the scheme has no pruner"))?;
    Ok((Pruner::of(method)?, method))
}

fn grown(table: &Table, roles: &Roles, options: &Options) -> Result<(f64, Tree)> {
    let coded = CodedTable::new(table, roles)?;
    let spec = options.scheme.grow_spec(coded.task())?;
    timed(1, || grow(&coded, &spec, &Silent))
}

/// The pruned tree.
fn pruned(tree: &Tree, scheme: &Scheme, parameter: f64) -> Result<Tree> {
    let (pruner, method) = parts(scheme)?;
    let job = Job::new(tree, method);
    let leaf = match &pruner.kind {
        PruneKind::Cut(cut) => cut(&job)?,
        _ => pruner.cut_at(&job, parameter)?,
    };
    Ok(tree.cut(&leaf))
}

/// Grows one tree and prunes it in every way.
pub fn every(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let (growing, tree) = grown(table, roles, options)?;
    let mut pruners = vec![];
    for &(name, parameter, one_pass) in PRUNERS {
        if options.one_pass && !one_pass {
            continue;
        }
        let scheme: Scheme = format!("cart/{name}").parse()?;
        let (seconds, small) = timed(options.repeats, || pruned(&tree, &scheme, parameter))?;
        pruners.push(json!({"pruner": name, "seconds": seconds, "leaves": small.leaves()}));
    }
    Ok(json!({
        "seconds": growing, "nodes": tree.nodes().len(), "leaves": tree.leaves(), "depth": tree.depth(), "pruners": pruners,
    }))
}

/// Times the whole path of cost-complexity; growing stands beside it.
pub fn path(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let (growing, tree) = grown(table, roles, options)?;
    let scheme: Scheme = "cart/cost-complexity".parse()?;
    let (pruner, method) = parts(&scheme)?;
    let (seconds, path) = timed(options.repeats, || pruner.path(&Job::new(&tree, method)))?;
    let leaves = tree.leaves() as f64;
    Ok(json!({
        "seconds": seconds, "grow": growing, "leaves": tree.leaves(), "members": path.parameters().len(),
        "per_l_log_l": seconds / (leaves * leaves.ln()),
    }))
}
