"""Tests that cannot run are skipped out loud, or fail where they are asked for."""

import os
import subprocess
import sys

import conftest


def run(tmp_path, **environment):
    """A file with one test that needs the program, and one that needs a package, run on its own."""
    (tmp_path / "conftest.py").write_text(open(conftest.__file__).read())
    (tmp_path / "test_it.py").write_text(
        "import pytest\ndef test_program(program): pass\ndef test_package(): pytest.importorskip('no_such_package')\n"
    )
    given = {k: v for k, v in os.environ.items() if k not in ("SECATEUR_PROGRAM", "SECATEUR_REQUIRE", "SECATEUR_SKIPPED")}
    given.update(environment, PATH="")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


def test_skips_are_counted(tmp_path):
    listed = tmp_path / "skipped"
    done = run(tmp_path, SECATEUR_SKIPPED=str(listed))
    assert done.returncode == 0 and "2 skipped" in done.stdout
    assert len(listed.read_text().splitlines()) == 2


def test_what_is_required_is_not_skipped(tmp_path):
    done = run(tmp_path, SECATEUR_REQUIRE="data, program")
    assert done.returncode == 1 and "1 skipped" in done.stdout and "SECATEUR_REQUIRE asks for program" in done.stdout
    done = run(tmp_path, SECATEUR_REQUIRE="program,python-packages")
    assert done.returncode == 1 and "skipped" not in done.stdout.splitlines()[-1] and "SECATEUR_REQUIRE asks for python-packages" in done.stdout
