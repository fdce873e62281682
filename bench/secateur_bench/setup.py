"""Builds this program, and installs its peers where they are missing."""

import json
import os
import shutil
import subprocess
import sys

from . import places
from .progress import say

# What a peer is called, the package that holds it, and its name when imported.
PYTHON_PEERS = [
    ("scikit-learn", "scikit-learn", "sklearn"),
    ("LightGBM", "lightgbm", "lightgbm"),
    ("XGBoost", "xgboost", "xgboost"),
    ("ydf", "ydf", "ydf"),
    ("pandas", "pandas", "pandas"),
    ("PyArrow", "pyarrow", "pyarrow"),
]
# What a peer is called, its Debian packages, and the question whether it works.
DEBIAN_PEERS = [
    ("rpart", ["r-base-core", "r-cran-rpart"], ["Rscript", "-e", "library(rpart)"]),
    ("Weka", ["weka", "default-jdk-headless"], ["sh", "-c", f"javac -version && test -r '{places.WEKA_JAR}'"]),
]
NEEDS_ROOT = "not installed, and installing Debian packages needs root"


def quiet(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def why(done):
    """The last line of what a failed command said."""
    lines = (done.stderr or done.stdout or "").strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


class Tools:
    """What there is to measure with: programs by their path, and for each absent peer the reason."""

    def __init__(self):
        self.absent = {}
        self.versions = {}
        self.steps = self.program = None

    def is_absent(self, peer):
        return self.absent.get(peer)

    def ready(self, peers):
        """Makes everything ready that the wanted peers need."""
        os.makedirs(places.SCRATCH, exist_ok=True)
        self._build()
        self._python(peers)
        if "secateur (Python)" in peers:
            self._own_package()
        for name, packages, question in DEBIAN_PEERS:
            if name in peers:
                self._debian(name, packages, question)
        if "Weka" in peers and "Weka" not in self.absent:
            self._weka()
        self._rpart_version(peers)

    def _build(self):
        say("building this program")
        done = quiet(["cargo", "build", "--release", "--quiet", "-p", "secateur-cli", "--message-format=json"], cwd=places.ROOT)
        if done.returncode:
            sys.exit(f"bench: the program cannot be built:\n{done.stderr}")
        self.program = _executable(done.stdout, "secateur")
        command = ["cargo", "bench", "-p", "secateur", "--bench", "steps", "--no-run", "--quiet", "--message-format=json"]
        done = quiet(command, cwd=places.ROOT)
        if done.returncode:
            sys.exit(f"bench: the benchmark cannot be built:\n{done.stderr}")
        self.steps = _executable(done.stdout, "steps")

    def _python(self, peers):
        if not os.path.exists(places.PYTHON):
            say("making a Python environment")
            subprocess.run([sys.executable, "-m", "venv", places.VENV], check=True)
        pip = [places.PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wanted = [("NumPy", "numpy", "numpy")] + [peer for peer in PYTHON_PEERS if peer[0] in peers]
        for name, package, module in wanted:
            if quiet([places.PYTHON, "-c", f"import {module}"]).returncode:
                say(f"installing {package}")
                done = quiet([*pip, package])
                if not done.returncode:
                    done = quiet([places.PYTHON, "-c", f"import {module}"])
                if done.returncode:
                    self.absent[name] = why(done)
                    continue
            question = f"from importlib.metadata import version; print(version({package!r}))"
            self.versions[name] = quiet([places.PYTHON, "-c", question]).stdout.strip()
        if "NumPy" in self.absent:
            sys.exit(f"bench: the tables need NumPy: {self.absent['NumPy']}")

    def _own_package(self):
        """A wheel, so that the checkout is left alone."""
        say("building the Python package")
        wheels = os.path.join(places.CACHE, "wheels")
        shutil.rmtree(wheels, ignore_errors=True)
        pip = [places.PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = quiet([*pip, "maturin>=1.9,<2"])
        if not done.returncode:
            build = [places.PYTHON, "-m", "maturin", "build", "--release", "--quiet", "--out", wheels]
            done = quiet(build, cwd=os.path.join(places.ROOT, "crates", "secateur-python"))
        if not done.returncode:
            built = [os.path.join(wheels, name) for name in os.listdir(wheels)]
            done = quiet([*pip, "--force-reinstall", "--no-deps", *built])
        if done.returncode:
            self.absent["secateur (Python)"] = why(done)

    def _debian(self, name, packages, question):
        if _works(question):
            return
        if not shutil.which("apt-get") or os.geteuid() != 0:
            self.absent[name] = NEEDS_ROOT
            return
        say(f"installing {' and '.join(packages)}")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
        done = quiet(install, env=environment)
        if done.returncode:
            quiet(["apt-get", "update", "-q"], env=environment)
            done = quiet(install, env=environment)
        if done.returncode:
            self.absent[name] = why(done)
        elif not _works(question):
            self.absent[name] = f"installed, but this does not work: {' '.join(question)}"

    def _weka(self):
        os.makedirs(places.WEKA_CLASSES, exist_ok=True)
        source = os.path.join(places.PEERS, "WekaSteps.java")
        done = quiet(["javac", "-nowarn", "-cp", places.WEKA_JAR, "-d", places.WEKA_CLASSES, source])
        if done.returncode:
            self.absent["Weka"] = why(done)
            return
        told = quiet(["java", "-cp", places.WEKA_JAR, "weka.core.Version"])
        self.versions["Weka"] = (told.stdout.split() or ["unknown"])[0]

    def _rpart_version(self, peers):
        if "rpart" in peers and "rpart" not in self.absent:
            told = quiet(["Rscript", "-e", "cat(format(packageVersion('rpart')), 'on', R.version.string)"])
            self.versions["rpart"] = told.stdout.strip()


def _works(question):
    try:
        return quiet(question).returncode == 0
    except OSError:
        return False


def _executable(messages, name):
    built = [json.loads(line) for line in messages.splitlines() if line.startswith("{")]
    return next(b["executable"] for b in built if b.get("target", {}).get("name") == name and b.get("executable"))
