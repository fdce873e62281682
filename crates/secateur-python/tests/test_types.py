"""The declared types are right: a script that uses everything, and the stub of the compiled part."""

import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parent.parent / "checks" / "typed.py"


def clean(*command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_nothing(tmp_path):
    pytest.importorskip("mypy")
    clean("mypy", "--strict", "--cache-dir", str(tmp_path), str(SCRIPT))


def test_the_package_itself_is_typed(tmp_path):
    pytest.importorskip("mypy")
    folder = SCRIPT.parent.parent
    clean("mypy", "--config-file", str(folder / "pyproject.toml"), "--cache-dir", str(tmp_path), str(folder / "python" / "secateur"))


def test_the_stub_is_that_of_the_compiled_part():
    pytest.importorskip("mypy")
    clean("mypy.stubtest", "secateur._native", "--ignore-disjoint-bases")


def test_pyright_finds_nothing():
    pytest.importorskip("pyright")
    clean("pyright", "--pythonpath", sys.executable, str(SCRIPT))
