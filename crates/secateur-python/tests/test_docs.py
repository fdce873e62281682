"""Everything public is explained, with an example that is tested."""

import inspect

import pytest

import secateur


def public():
    for name in secateur.__all__:
        thing = getattr(secateur, name)
        yield name, thing
        if inspect.isclass(thing):
            for method, function in inspect.getmembers(thing):
                where = getattr(inspect.unwrap(getattr(function, "fget", None) or function), "__module__", None)
                if not method.startswith("_") and str(where).startswith("secateur"):
                    yield f"{name}.{method}", function


def test_the_list_is_not_empty():
    assert len(list(public())) > 40


@pytest.mark.parametrize("name, thing", list(public()), ids=[name for name, _ in public()])
def test_everything_public_has_an_example(name, thing):
    assert ">>>" in (inspect.getdoc(thing) or ""), name


def test_both_estimators_take_the_same_parameters():
    ours, theirs = (set(inspect.signature(c).parameters) for c in (secateur.TreeClassifier, secateur.TreeRegressor))
    assert ours - theirs == {"costs", "class_weight"} and theirs < ours


def test_options_stand_in_the_table_of_methods():
    from secateur import _options

    known = {option.replace("-", "_") for option in secateur.schemes()["option"]}
    assert {*_options.LEARNING, *_options.PRUNING, "cv"} <= known
