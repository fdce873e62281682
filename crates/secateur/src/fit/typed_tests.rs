//! Every pruner with every option, by type and as text.

use crate::data::{Table, builtin};
use crate::error::{Error, Result};
use crate::fit::Fit;
use crate::method::{Method, ParamKind, Value};
use crate::prune::{PRUNERS, TYPED, ToPruner, options};
use crate::scheme::Scheme;
use crate::tree::Tree;

/// Values of an option, allowed ones and others.
fn values(kind: ParamKind) -> Vec<Value> {
    match kind {
        ParamKind::Number { min, max, .. } => {
            [min, min + 0.25, 0.05, 3.0, max, -1.0, f64::NAN, f64::INFINITY].map(Value::Number).into()
        }
        ParamKind::Integer { min, max } => [min, min + 1, 4, max].map(Value::Integer).into(),
        ParamKind::Choice(_) | ParamKind::OpenChoice(..) => {
            kind.words().into_iter().map(Value::Word).collect()
        }
        ParamKind::Flag => vec![Value::Flag(true), Value::Flag(false)],
    }
}

fn told<T>(result: Result<T>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// What a pruner does to a tree without rows, or says about it.
fn cut(tree: &Tree, method: &Result<Method, String>) -> Option<Result<Tree, String>> {
    Some(told(tree.prune(method.as_ref().ok()?)))
}

#[test]
fn every_option_has_its_type_and_gives_the_same_tree() {
    let table = builtin::load("iris").unwrap();
    let full = Fit::new(&table, "class").scheme("cart").model().unwrap().tree;
    assert_eq!(TYPED.len(), PRUNERS.len());
    let mut cuts = 0;
    for (typed, pruner) in TYPED.iter().zip(PRUNERS) {
        let id = pruner.info.id;
        assert!(std::ptr::eq(typed.pruner, *pruner), "{id} stands beside other options");
        assert_eq!((typed.plain)().unwrap(), id.to_pruner().unwrap());
        let described: Vec<_> = typed.options.iter().map(|(name, help, _)| (*name, *help)).collect();
        let table: Vec<_> = pruner.info.params.iter().map(|spec| (spec.name, spec.help)).collect();
        assert_eq!(described, table, "{id}");
        for (spec, (name, _, with)) in pruner.info.params.iter().zip(typed.options) {
            for value in values(spec.kind) {
                let by_text = told(format!("{id}:{name}={value}").to_pruner());
                let by_type = with(value).map(told);
                assert_eq!(by_type, Some(by_text.clone()), "{id}:{name}={value}");
                let by_type = by_type.unwrap();
                assert_eq!(cut(&full, &by_type), cut(&full, &by_text), "{id}:{name}={value}");
                cuts += usize::from(matches!(cut(&full, &by_type), Some(Ok(_))));
            }
        }
    }
    assert!(cuts > 40, "{cuts} trees were cut");
}

#[test]
fn options_by_type_go_wherever_text_goes() {
    let table: Table = builtin::load("iris").unwrap();
    let typed = options::CostComplexity::new().cv(5).one_se(true);
    let by_type = Fit::new(&table, "class").pruner(&typed).model().unwrap();
    let by_text = Fit::new(&table, "class").scheme("cart/cost-complexity:cv=5,1se").model().unwrap();
    assert_eq!(by_type, by_text);
    let scheme: Scheme = "cart".parse().unwrap();
    assert_eq!(scheme.pruned_by(&typed).unwrap().to_string(), by_text.scheme);
    let full = Fit::new(&table, "class").scheme("cart").model().unwrap();
    let path = full.tree.path(&options::CostComplexity::new()).unwrap();
    assert_eq!(path, full.tree.path("cost-complexity").unwrap());
    for (i, member) in path.iter().enumerate() {
        let alone = full.tree.prune(&options::CostComplexity::new().alpha(member.parameter)).unwrap();
        assert_eq!((path.tree(i).unwrap(), alone.leaves()), (alone, member.leaves));
    }
    assert!(path.tree(path.len()).is_err());
}

#[test]
fn an_option_out_of_its_range_is_refused_where_it_is_used() {
    let table = builtin::load("iris").unwrap();
    let fit = || Fit::new(&table, "class");
    let refused = fit().pruner(&options::KNorm::new().k(0.5)).model().unwrap_err();
    assert_eq!(refused.to_string(), "pruner k-norm: option k: '0.5' is not a number of at least 1");
    assert!(matches!(fit().pruner("k-morn").model(), Err(Error::Unknown { name, .. }) if name == "k-morn"));
    // A later value takes the place of an earlier one.
    let twice = options::KNorm::new().k(0.5).k(3.0);
    assert_eq!(twice.to_pruner().unwrap().to_string(), "k-norm:k=3");
}
