"""Keywords of the estimators are options of the registry, with its kinds and defaults; all others stand in the text of a scheme."""

import inspect

import pytest

from secateur import TreeClassifier, TreeRegressor, _native, _options

LEARNERS, PRUNERS = _native.methods()


def options(methods):
    return [(method["id"], option) for method in methods for option in method["options"]]


def names(methods):
    return {option["name"].replace("-", "_") for _, option in options(methods)}


def test_every_keyword_is_an_option():
    assert {*_options.LEARNING} <= names(LEARNERS)
    assert {*_options.PRUNING, "cv"} <= names(PRUNERS)
    # What a method does not call a flag can be written as a value; flags stand in the text of a scheme.
    assert not [name for name in (*_options.LEARNING, *_options.PRUNING) if _options.OPTIONS[name]["kind"] == "flag"]


@pytest.mark.parametrize("estimator", [TreeClassifier, TreeRegressor])
def test_the_keywords_are_those_options_and_leave_their_defaults_to_the_registry(estimator):
    parameters = inspect.signature(estimator.__init__).parameters
    known = names(LEARNERS) | names(PRUNERS)
    keywords = [name for name in parameters if name in known]
    assert keywords == [*_options.LEARNING, *_options.PRUNING, "cv"]
    assert {parameters[name].default for name in keywords} == {None}


def test_the_words_of_an_option_are_those_of_the_registry():
    described = inspect.getdoc(TreeClassifier)
    words = ", ".join(f'"{word}"' for word in _options.OPTIONS["leaf_values"]["words"])
    assert f"leaf_values : {{{words}}}" in described
    with pytest.raises(ValueError, match="missing: expected 'known', 'spread' or 'branch', got 'a,b'"):
        _options.compose("cart", None, None, {"missing": "a,b"}, {}, None, 9)
    with pytest.raises(TypeError, match="max_leaves"):
        _options.compose("cart", None, None, {"max_leaves": 2.5}, {}, None, 9)


@pytest.mark.parametrize("regression", [False, True])
def test_the_default_scheme_is_the_one_that_is_described(regression):
    described = " ".join(inspect.getdoc(TreeClassifier).split())
    assert f"``{_native.default_scheme(regression, 100)}``" in described


def test_every_keyword_is_described():
    # The regressor refers to the classifier.
    described = inspect.getdoc(TreeClassifier).partition("Attributes\n")[0].replace(",", " ").split()
    assert [name for name in (*_options.LEARNING, *_options.PRUNING, "cv") if name not in described] == []


@pytest.mark.parametrize("regression", [False, True])
def test_a_default_that_is_given_changes_nothing(regression):
    default = "default_regression" if regression else "default"
    tried = 0
    for methods, keywords, kind in [(LEARNERS, _options.LEARNING, "learner"), (PRUNERS, _options.PRUNING, "pruning")]:
        for method, option in options(methods):
            name = option["name"].replace("-", "_")
            if name not in keywords or option[default] is None or option["default"] != option["default_regression"]:
                continue
            given = {name: option[default] if option["kind"] == "word" else float(option[default])}
            learning, choosing = (given, {}) if kind == "learner" else ({}, given)
            text = _options.compose(None, *((method, None) if kind == "learner" else ("cart", method)), learning, choosing, None, 9)
            try:
                checked = _native.check_scheme(text, regression)
            except ValueError:
                continue  # for the other task, or only beside another option
            assert checked == (method if kind == "learner" else f"cart/{method}")
            tried += 1
    assert tried > 8
