"""Tests that cannot run are skipped out loud, or fail where they are asked for."""

import os
import subprocess
import sys

import conftest


PROGRAM = "def test_program(program): pass\n"
PACKAGE = "import pytest\ndef test_package(): pytest.importorskip('no_such_package')\n"
#: No test of this file is ever seen.
FILE = "import pytest\npytest.importorskip('no_such_package')\ndef test_one(): pass\ndef test_two(): pass\n"
UNKNOWN = "import pytest\ndef test_moon(): pytest.skip('the moon is not full')\n"


def run(tmp_path, *files, **environment):
    """Files of tests, run on their own."""
    (tmp_path / "conftest.py").write_text(open(conftest.__file__).read())
    for number, text in enumerate(files):
        (tmp_path / f"test_{number}.py").write_text(text)
    given = {k: v for k, v in os.environ.items() if k not in ("SECATEUR_PROGRAM", "SECATEUR_REQUIRE", "SECATEUR_SKIPPED")}
    given.update(environment, PATH="")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


def test_skips_are_counted(tmp_path):
    listed = tmp_path / "skipped"
    done = run(tmp_path, PROGRAM, PACKAGE, FILE, SECATEUR_SKIPPED=str(listed))
    assert done.returncode == 0 and "3 skipped" in done.stdout
    lines = sorted(listed.read_text().splitlines())
    assert [line.split(": ")[1] for line in lines] == ["test_0.py::test_program", "test_1.py::test_package", "test_2.py"]
    assert all(line.split(": ")[2] == "Python" for line in lines)


def test_what_is_required_is_not_skipped(tmp_path):
    done = run(tmp_path, PROGRAM, PACKAGE, SECATEUR_REQUIRE="data, program")
    assert done.returncode == 1 and "1 skipped" in done.stdout and "SECATEUR_REQUIRE asks for program" in done.stdout
    done = run(tmp_path, PROGRAM, PACKAGE, SECATEUR_REQUIRE="program,python-packages")
    assert done.returncode == 1 and "skipped" not in done.stdout.splitlines()[-1] and "SECATEUR_REQUIRE asks for python-packages" in done.stdout


def test_a_file_that_is_required_is_not_skipped(tmp_path):
    listed = tmp_path / "skipped"
    done = run(tmp_path, FILE, SECATEUR_REQUIRE="python-packages", SECATEUR_SKIPPED=str(listed))
    assert done.returncode not in (0, 5) and "SECATEUR_REQUIRE asks for python-packages" in done.stdout
    assert not listed.exists()
    done = run(tmp_path, FILE, SECATEUR_REQUIRE="data", SECATEUR_SKIPPED=str(listed))
    assert "1 skipped" in done.stdout and listed.read_text().startswith("skipped: test_0.py: Python: could not import")


def test_an_unknown_reason_fails_where_anything_is_required(tmp_path):
    done = run(tmp_path, UNKNOWN, SECATEUR_REQUIRE="data")
    assert done.returncode == 1 and "not in MISSING of conftest.py: the moon is not full" in done.stdout
    done = run(tmp_path, UNKNOWN, SECATEUR_REQUIRE="")
    assert done.returncode == 0 and "1 skipped" in done.stdout
