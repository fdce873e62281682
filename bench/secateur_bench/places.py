"""Where things are."""

import os

BENCH = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ROOT = os.path.dirname(BENCH)
PEERS = os.path.join(BENCH, "peers")
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "secateur", "bench")
VENV = os.path.join(CACHE, "venv")
PYTHON = os.path.join(VENV, "bin", "python")
TABLES = os.path.join(CACHE, "tables")
SCRATCH = os.path.join(CACHE, "scratch")
DATA = os.path.join(ROOT, "..", "shared", "data")
WEKA_JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
WEKA_CLASSES = os.path.join(CACHE, "weka")
