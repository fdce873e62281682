"""Drawings with matplotlib: nothing overlaps, nothing is cut off."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from secateur import TreeClassifier, TreeRegressor, load_builtin


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def table(leaves):
    """A table from which a tree of this many leaves is grown."""
    values = np.arange(leaves)
    X = pd.DataFrame({"a rather long name": values})
    return X, [f"class {i % 3}" for i in values]


def boxes(ax):
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in ax.texts if text.get_text()]


def check(ax):
    found = boxes(ax)
    outside = ax.figure.bbox
    for i, (first, a) in enumerate(found):
        assert a.x0 >= outside.x0 and a.x1 <= outside.x1 and a.y0 >= outside.y0 and a.y1 <= outside.y1, first
        for second, b in found[:i]:
            apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
            assert apart, (first, second)


@pytest.mark.parametrize("leaves", [2, 3, 6, 13, 30, 60])
def test_texts_never_overlap(leaves):
    X, y = table(leaves)
    tree = TreeClassifier("cart:min-leaf=1").fit(X, y)
    ax = tree.plot()
    assert sum(text == "1 row" for text, _ in boxes(ax)) == leaves
    check(ax)


def test_the_drawing_fits_axes_of_ones_own():
    X, y = load_builtin("iris")
    _, axes = plt.subplots(1, 2, figsize=(9, 4))
    ax = TreeClassifier("cart").fit(X, y).plot(axes[1])
    assert ax is axes[1] and len(axes[0].texts) == 0
    check(ax)


def test_a_depth_and_a_number_of_leaves_limit_the_drawing():
    X, y = table(60)
    tree = TreeClassifier("cart:min-leaf=1").fit(X, y)
    for limited in (tree.plot(max_depth=2), tree.plot(max_leaves=5)):
        assert any(text.startswith("… ") and text.endswith("leaves below") for text, _ in boxes(limited))
        check(limited)


def test_numbers_are_drawn():
    ax = TreeRegressor("cart:min-leaf=1").fit([[float(i)] for i in range(8)], [float(i * i) for i in range(8)]).plot()
    check(ax)


def test_a_path_is_drawn_with_its_marks():
    X, y = load_builtin("iris")
    tree = TreeClassifier("cart/cost-complexity:cv=5,1se").fit(X, y)
    ax = tree.plot_path()
    named = ax.get_legend_handles_labels()[1]
    assert named[0] == "training" and any(name.startswith("chosen") for name in named)
    assert any(name.startswith("lowest") for name in named) and ax.get_ylabel() == "error rate"
    path = tree.path()
    np.testing.assert_allclose(sorted(ax.lines[0].get_xdata()), sorted(path["leaves"]))
    _, own = plt.subplots()
    assert tree.plot_path("k-norm", ax=own) is own
