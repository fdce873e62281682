"""What a step works with: tables, contestants, races."""

import json
import os

from . import places
from .measure import Contestant, race
from .tables import Missing, Table

SCRIPTS = {
    "scikit-learn": "scikit_learn.py",
    "LightGBM": "light_gbm.py",
    "XGBoost": "xg_boost.py",
    "ydf": "ydf_cart.py",
    "pandas": "read_file.py",
    "PyArrow": "read_file.py",
    "secateur (Python)": "secateur_package.py",
}
JAVA = ["java", "-Xmx4g", "-cp", places.WEKA_JAR + os.pathsep + places.WEKA_CLASSES]


class Suite:
    """One run of the suite."""

    def __init__(self, tools, quick, repeats, data):
        self.tools = tools
        self.quick = quick
        self.repeats = repeats
        self.data = data

    def table(self, name):
        return Table(name, self.quick, self.data)

    def race(self, key, title, contestants, repeats=None):
        return race(key, title, contestants, min(repeats or self.repeats, self.repeats))

    def ours(self, step, table, format="raw", name="Secateur", **options):
        """This program's benchmark `steps`; the table may also be the name of a built-in one."""
        build = lambda file: [self.tools.steps, step, file, *_pairs(table, options)]
        return self._contestant(name, None, table, format, build)

    def peer(self, peer, step, table, format="raw", name=None, whole=False, once=False, **options):
        """A peer that is a Python package."""
        script = os.path.join(places.PEERS, SCRIPTS[peer])
        build = lambda file: [places.PYTHON, script, step, file, *_pairs(table, options)]
        return self._contestant(name or peer, peer, table, format, build, whole=whole, once=once)

    def rpart(self, table, folds, once=False):
        script = os.path.join(places.PEERS, "rpart.R")
        build = lambda file: ["Rscript", script, file, str(table.columns), str(folds)]
        return self._contestant("rpart", "rpart", table, "raw", build, once=once)

    def weka(self, name, step, table, *options):
        build = lambda file: [*JAVA, "WekaSteps", step, file, *options]
        return self._contestant(name, "Weka", table, "arff", build)

    def program(self, table, *options, format="csv", name="Secateur"):
        """The program itself, from its start to its end, with `--json`; the table among the options stands for its file."""
        build = lambda file: [self.tools.program, *(file if option is table else option for option in options), "--json"]
        reads = lambda text: {"leaves": json.loads(text)["tree"]["leaves"]}
        return self._contestant(name, None, table, format, build, whole=True, reads=reads)

    def _contestant(self, name, peer, table, format, build, **more):
        absent = peer and self.tools.is_absent(peer)
        if absent:
            return Contestant(name, absent=absent)
        try:
            file = table if isinstance(table, str) else table.file(format)
        except Missing as reason:
            return Contestant(name, absent=str(reason))
        return Contestant(name, build(file), **more)


def _pairs(table, options):
    """The options as `name=value`, with what the table says of itself."""
    if not isinstance(table, str):
        options = {"columns": table.columns, "task": table.task, **options}
    # Underscores are for Python: `with` is a word of its own there.
    return [f"{name.rstrip('_')}={value}" for name, value in options.items()]
