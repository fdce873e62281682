"""The gallery and the README as notebooks: ``python checks/gallery.py FOLDER``.

Every script of ``examples/`` and the snippets of the README become notebooks, are run cell by cell as Jupyter does, and are written to
the folder with what they show: as notebooks, as pages, and each picture as a file of its own. A cell that fails is an error. At the end
of each notebook stands the tree, as Jupyter shows it. Needs nbclient, nbconvert and ipykernel (``requirements-gallery.txt``).
"""

from __future__ import annotations

import ast
import base64
import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HERE = pathlib.Path(__file__).parent.parent

#: What a notebook shows of what it has made.
SHOW = """
from IPython.display import display
for made in ("tree", "full", "search"):
    if hasattr(globals().get(made), "predict"):
        display(globals()[made])
"""


def cells(source: str) -> list[str]:
    """A script in cells: its statements, divided where a line is empty."""
    lines = source.splitlines()
    parts: list[list[str]] = []
    last = None
    for statement in ast.parse(source).body:
        first, end = statement.lineno, statement.end_lineno or statement.lineno
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        # What stands behind the statement in its last line is a part of it.
        if last is None or any(not line.strip() for line in lines[last : first - 1]):
            parts.append([])
        parts[-1] += lines[(first if last is None else max(first, last + 1)) - 1 : end]
        last = end
    return ["\n".join(part) for part in parts]


def notebooks() -> dict[str, nbformat.NotebookNode]:
    """By their names: the scripts, and the README."""
    made = {}
    for script in sorted((HERE / "examples").glob("*.py")):
        source = script.read_text()
        title = ast.get_docstring(ast.parse(source)) or script.stem
        body = [cell for cell in cells(source) if not cell.startswith('"""')]
        made[script.stem] = [new_markdown_cell(f"# {title}"), *map(new_code_cell, body)]
    snippets = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), flags=re.DOTALL)
    made["readme"] = [new_code_cell(cell) for snippet in snippets for cell in cells(snippet)]
    return {name: new_notebook(cells=[*parts, new_code_cell(SHOW)]) for name, parts in made.items()}


def pictures(notebook: nbformat.NotebookNode, place: pathlib.Path) -> int:
    """Writes each picture that the cells show; says how many there are."""
    count = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for kind, ending in (("image/png", "png"), ("image/svg+xml", "svg"), ("text/html", "html")):
                if kind in output.get("data", {}):
                    count += 1
                    file = place.with_name(f"{place.name}-{count}.{ending}")
                    data = output["data"][kind]
                    file.write_bytes(base64.b64decode(data) if ending == "png" else f'<meta charset="utf-8">{data}'.encode() if ending == "html" else data.encode())
    return count


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__.strip().splitlines()[0], file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, notebook in notebooks().items():
        client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}, allow_errors=True)
        client.execute()
        errors = [output for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "error"]
        nbformat.write(notebook, folder / f"{name}.ipynb")
        page, _ = HTMLExporter().from_notebook_node(notebook)
        (folder / f"{name}.html").write_text(page)
        shown = pictures(notebook, folder / name)
        print(f"{name}: {len(notebook.cells)} cells, {shown} pictures" + "".join(f"\n  {e.ename}: {e.evalue}" for e in errors))
        failed += bool(errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
