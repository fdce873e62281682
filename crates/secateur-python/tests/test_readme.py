"""The snippets of the README run as they stand, one after the other."""

import pathlib
import re

import matplotlib.pyplot as plt
import pytest

README = pathlib.Path(__file__).parent.parent / "README.md"


@pytest.mark.filterwarnings("ignore::secateur.TableWarning")
def test_snippets_run(capsys):
    snippets = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert len(snippets) == 3
    names: dict = {}
    for snippet in snippets:
        exec(compile(snippet, str(README), "exec"), names)
    plt.close("all")
    assert "credit" in capsys.readouterr().out or names["small"].get_n_leaves() >= 1
