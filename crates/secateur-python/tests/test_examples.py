"""Every script of the gallery runs."""

import pathlib
import runpy

import matplotlib.pyplot as plt
import pytest

SCRIPTS = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("*.py"))


def test_the_gallery_is_there():
    assert len(SCRIPTS) == 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_examples_run(script, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    try:
        runpy.run_path(str(script), run_name="__main__")
    except ModuleNotFoundError as absent:
        pytest.skip(str(absent))
    plt.close("all")
    assert capsys.readouterr().out
