"""Every option of every method is a keyword of the estimators or is left to the text of a scheme, on purpose."""

import inspect

import pytest

from secateur import TreeClassifier, TreeRegressor, _native, _options

LEARNERS, PRUNERS = _native.methods()
#: Options that stand in the text of a learner only.
LEARNING_BY_TEXT = {
    "guards", "nominal", "exhaustive", "order", "ties", "min_leaf_rule", "count", "gain_decimals", "max_splits",
    "chi2", "stop_mse", "threshold", "threshold_decimals", "leaf", "bins", "discretise", "cuts", "value_guard", "leaf_cv",
}  # fmt: skip
#: Options that stand in the text of a pruning only.
PRUNING_BY_TEXT = {
    "1se", "c", "cf_step", "count", "error", "eta", "fold_average", "gain", "lambda", "lambda0", "leaf_step", "leaves", "limit", "mse",
    "of", "raising", "rule", "significance", "splits",
}  # fmt: skip


def options(methods):
    return [(method["id"], option) for method in methods for option in method["options"]]


def names(methods):
    return {option["name"].replace("-", "_") for _, option in options(methods)}


def test_every_option_is_a_keyword_or_left_to_the_text():
    assert names(LEARNERS) == {*_options.LEARNING} | LEARNING_BY_TEXT
    assert not {*_options.LEARNING} & LEARNING_BY_TEXT
    assert names(PRUNERS) == {*_options.PRUNING, "cv"} | PRUNING_BY_TEXT
    assert not {*_options.PRUNING, "cv"} & PRUNING_BY_TEXT


@pytest.mark.parametrize("estimator", [TreeClassifier, TreeRegressor])
def test_the_keywords_are_those_options_and_leave_their_defaults_to_the_registry(estimator):
    parameters = inspect.signature(estimator.__init__).parameters
    known = names(LEARNERS) | names(PRUNERS)
    keywords = [name for name in parameters if name in known]
    assert keywords == [*_options.LEARNING, *_options.PRUNING, "cv"]
    assert {parameters[name].default for name in keywords} == {None}


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
            given = {name: option[default] if name in _options.WORDS else float(option[default])}
            learning, choosing = (given, {}) if kind == "learner" else ({}, given)
            text = _options.compose(None, *((method, None) if kind == "learner" else ("cart", method)), learning, choosing, None, 9)
            try:
                checked = _native.check_scheme(text, regression)
            except ValueError:
                continue  # for the other task, or only beside another option
            assert checked == (method if kind == "learner" else f"cart/{method}")
            tried += 1
    assert tried > 8
