"""A tree drawn with matplotlib: leaves side by side, every split in the middle above its branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._explain import _number, test_as_text
from ._html import COLOURS

if TYPE_CHECKING:
    from ._estimator import Tree


def draw(tree: "Tree", ax: Any, max_depth: Optional[int]) -> Any:
    import matplotlib.pyplot as plt

    nodes = tree.model_.nodes()
    answers = tree._predictions_of(nodes)
    depth = nodes["depth"]
    shown = [node for node in range(len(depth)) if max_depth is None or depth[node] <= max_depth]
    if ax is None:
        _, ax = plt.subplots()
    ax.set_axis_off()
    children: dict[int, list[int]] = {}
    for node in shown[1:]:
        children.setdefault(nodes["parent"][node], []).append(node)
    place: dict[int, float] = {}
    stack = [0]
    while stack:
        node = stack.pop()
        if node in children:
            stack.extend(reversed(children[node]))
        else:
            place[node] = float(len(place))
    # Children have larger numbers than their parents.
    for node in reversed(shown):
        if node in children:
            spots = [place[child] for child in children[node]]
            place[node] = sum(spots) / len(spots)
    labels = nodes.get("label")
    for node in shown:
        at = (place[node], -depth[node])
        branch = nodes["branch"][node]
        words = [] if branch is None else [test_as_text(*branch)]
        answer = str(answers[node]) if labels is not None else _number(answers[node])
        if node not in children:
            words.append(answer)
        words.append(f"{nodes['rows'][node]} rows")
        if node:
            above = nodes["parent"][node]
            ax.plot([place[above], at[0]], [-depth[above], at[1]], color="0.6", zorder=1, linewidth=1)
        colour = "white"
        if node not in children:
            colour = COLOURS[labels[node] % len(COLOURS)] if labels is not None else "#dddddd"
        ax.text(*at, "\n".join(words), ha="center", va="center", fontsize=8, zorder=2,
                bbox={"boxstyle": "round", "facecolor": colour, "edgecolor": "0.4", "alpha": 1.0})
    ax.margins(0.15)
    return ax
