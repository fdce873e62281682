"""A tree as HTML: nested lists that fold, with a bar for the classes of every node."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ._explain import _number, test_as_text

if TYPE_CHECKING:
    from ._estimator import Tree

#: Colours that people who see colours differently can tell apart (Okabe and Ito).
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00")

_STYLE = (
    "<style>.secateur{font:13px/1.5 system-ui,sans-serif}.secateur details{margin-left:1.2em}"
    ".secateur .leaf{margin-left:2.2em}.secateur .bar{display:inline-flex;width:6em;height:.8em;margin:0 .5em;"
    "vertical-align:middle;border:1px solid #8888}.secateur small{opacity:.7}</style>"
)


def _bar(counts: Any) -> str:
    total = sum(counts)
    if total <= 0:
        return ""
    parts = "".join(
        f'<span style="width:{100 * count / total:.1f}%;background:{COLOURS[i % len(COLOURS)]}"></span>'
        for i, count in enumerate(counts)
        if count > 0
    )
    return f'<span class="bar">{parts}</span>'


def tree_as_html(tree: "Tree", max_nodes: int) -> str:
    nodes = tree.model_.nodes()
    answers = tree._predictions_of(nodes)
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(nodes["parent"]):
        if parent is not None:
            children.setdefault(parent, []).append(node)
    out = [_STYLE, f'<div class="secateur"><b>{escape(tree.model_.target)}</b> <small>{escape(tree.scheme_)}</small>']
    if "counts" in nodes:
        key = "".join(
            f' <span style="color:{COLOURS[i % len(COLOURS)]}">■</span> {escape(name)}'
            for i, name in enumerate(tree.model_.classes[:20])
        )
        out.append(f"<div>{key}</div>")
    # Nothing recurses: a closing tag waits on the stack until the nodes before it are written.
    stack: list[Any] = [0]
    shown = 0
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        shown += 1
        branch = nodes["branch"][node]
        words = "all rows" if branch is None else test_as_text(*branch)
        bar = _bar(nodes["counts"][node]) if "counts" in nodes else ""
        answer = answers[node] if "counts" in nodes else _number(answers[node])
        about = f"{bar}<small>{nodes['rows'][node]} rows</small>"
        if nodes["leaf"][node]:
            out.append(f'<div class="leaf">{escape(words)} → <b>{escape(str(answer))}</b> {about}</div>')
        elif shown + len(stack) > max_nodes:
            out.append(f'<div class="leaf">{escape(words)} … {about}</div>')
        else:
            out.append(f"<details open><summary>{escape(words)} {about}</summary>")
            stack.append("</details>")
            stack.extend(reversed(children[node]))
    out.append("</div>")
    return "\n".join(out)
