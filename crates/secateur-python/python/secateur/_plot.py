"""A tree and its path drawn with matplotlib. The places come from the library, laid out for the font that paints the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from ._check import optional_whole

if TYPE_CHECKING:
    from ._estimator import Tree

#: Points to a unit of the drawing, where the figure is made for it.
_SCALE = 0.75


def _measure() -> Callable[[str, float], float]:
    """How wide a text is in the font of matplotlib, the sum of its letters."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties()))
    font.set_size(100, 72)
    known: dict[str, float] = {}

    def letter(c: str) -> float:
        if c not in known:
            known[c] = font.load_char(ord(c)).linearHoriAdvance / 65536 / 100
        return known[c]

    # A little more: letters are painted at whole pixels.
    return lambda text, size: size * (1.03 * sum(map(letter, text)) + 0.1)


def _pen(pen: Any, scale: float) -> dict[str, Any]:
    colour, width, dashed = pen
    return {"edgecolor": colour, "linewidth": width * scale, "linestyle": (0, (4, 3)) if dashed else "solid"}


def draw(tree: "Tree", ax: Any, max_depth: Optional[int], max_leaves: Optional[int]) -> Any:
    max_depth, max_leaves = optional_whole("max_depth", max_depth), optional_whole("max_leaves", max_leaves, 1)
    import matplotlib.pyplot as plt

    picture = tree.model_.picture(_measure(), max_depth, max_leaves)
    width, height = picture["width"], picture["height"]
    if ax is None:
        figure = plt.figure(figsize=(width * _SCALE / 72, height * _SCALE / 72))
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    # Texts have sizes in points: as many as a unit of the drawing has on these axes.
    box = ax.get_window_extent()
    scale = min(box.width / width, box.height / height) * 72 / ax.figure.dpi
    for shape in picture["shapes"]:
        _shape(ax, shape, scale)
    return ax


def _shape(ax: Any, shape: tuple[Any, ...], scale: float) -> None:
    from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon, Rectangle
    from matplotlib.path import Path

    kind, *rest = shape
    if kind == "text":
        (x, y), size, anchor, colour, words = rest
        # Names are texts, not formulas.
        ax.text(x, y, words, fontsize=size * scale, ha=anchor, va="baseline", color=colour, parse_math=False)
    elif kind == "rect":
        (x, y, width, height), rounding, fill, edge = rest
        look = {"facecolor": fill or "none", **(_pen(edge, scale) if edge else {"edgecolor": "none"})}
        if rounding:
            style = f"round,pad=0,rounding_size={rounding}"
            ax.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, **look))
        else:
            ax.add_patch(Rectangle((x, y), width, height, **look))
    elif kind == "curve":
        start, end, pen = rest
        middle = (start[1] + end[1]) / 2
        points = [start, (start[0], middle), (end[0], middle), end]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        ax.add_patch(PathPatch(Path(points, codes), facecolor="none", **_pen(pen, scale)))
    elif kind == "line":
        points, pen = rest
        ax.add_patch(PathPatch(Path(points), facecolor="none", **_pen(pen, scale)))
    elif kind == "lines":
        ends, pen = rest
        points = [point for x0, y0, x1, y1 in ends for point in ((x0, y0), (x1, y1))]
        codes = [Path.MOVETO, Path.LINETO] * len(ends)
        ax.add_patch(PathPatch(Path(points, codes), facecolor="none", **_pen(pen, scale)))
    elif kind == "area":
        points, fill = rest
        ax.add_patch(Polygon(points, facecolor=fill, edgecolor="none"))
    elif kind == "disc":
        middle, radius, fill, edge = rest
        look = _pen(edge, scale) if edge else {"edgecolor": "none"}
        ax.add_patch(Circle(middle, radius, facecolor=fill, **look))


def draw_path(tree: "Tree", path: Any, ax: Any) -> Any:
    import matplotlib.pyplot as plt
    import numpy as np

    if ax is None:
        _, ax = plt.subplots()
    leaves = np.asarray(path["leaves"], dtype=float)
    order = np.argsort(leaves, kind="stable")
    leaves = leaves[order]

    def column(name: str) -> Any:
        return np.asarray(path[name], dtype=float)[order]

    training = column("training_error")
    shown = training
    ax.plot(leaves, training, linestyle="--", color="#be5400", label="training")
    names = list(getattr(path, "columns", path))
    if "cv_error" in names and not np.all(np.isnan(column("cv_error"))):
        shown, spread = column("cv_error"), column("cv_se")
        ax.plot(leaves, shown, color="#005a96", label="validated, ± 1 standard error")
        ax.fill_between(leaves, shown - spread, shown + spread, color="#d6e6f2", linewidth=0)
        lowest = int(np.nanargmin(shown))
        ax.plot(leaves[lowest], shown[lowest], "o", markersize=11, markerfacecolor="none", markeredgecolor="#1c1e21",
                linestyle="none", label=f"lowest: {leaves[lowest]:.0f} leaves")  # fmt: skip
    if "selected" in names:
        chosen = int(np.argmax(np.asarray(path["selected"])[order]))
        ax.plot(leaves[chosen], shown[chosen], "o", markersize=6, color="#1c1e21", linestyle="none",
                label=f"chosen: {leaves[chosen]:.0f} leaves")  # fmt: skip
    if leaves[-1] > 6 * max(leaves[0], 1):
        ax.set_xscale("log")
    ax.set_xlabel("leaves")
    costs = getattr(tree, "costs", None) is not None
    ax.set_ylabel("mean squared error" if tree._regression else "mean cost" if costs else "error rate")
    ax.legend(frameon=False)
    return ax
