"""Cross-validation of best-first trees and CART, by Weka and by the program, on UCI data sets."""

import json
import os
import re

from .. import places
from ..measure import Contestant
from ..step import Step

SETS = ["vehicle", "segment", "kr-vs-kp", "letter"]
# A learner of Weka with its options, and the scheme that is the same.
PAIRS = [
    ("BFTree, post-pruned", "BFTree", ["-P", "POSTPRUNED"], "best-first:min-leaf-rule=node/post:cv=10"),
    ("BFTree, pre-pruned", "BFTree", ["-P", "PREPRUNED"], "best-first:min-leaf-rule=node/pre:cv=10"),
    ("SimpleCart", "SimpleCart", [], "cart:min-leaf=2,min-leaf-rule=node/cost-complexity:cv=10"),
]


def _theirs(text):
    correct = re.findall(r"Correctly Classified Instances\s+\S+\s+(\S+)", text)
    return {"accuracy": float(correct[-1]) / 100} if correct else {}


def _ours(text):
    told = json.loads(text)
    told = told[0] if isinstance(told, list) else told
    return {"accuracy": told["accuracy"]["mean"]}


def weka_cv(suite):
    races = []
    for name in ["iris"] if suite.quick else SETS:
        file = os.path.join(suite.data, "classification", name + ".arff")
        absent = None if os.path.exists(file) else f"no classification/{name}.arff in the folder of --data"
        for title, learner, options, scheme in PAIRS:
            weka = ["java", "-Xmx4g", "-cp", places.WEKA_JAR, "weka.classifiers.trees." + learner]
            weka += ["-t", file, "-x", "10", "-N", "10", "-M", "2", *options]
            program = [suite.tools.program, "evaluate", file, "--scheme", scheme, "--cv", "10", "--json"]
            contestants = [
                Contestant("Weka", weka, absent or suite.tools.is_absent("Weka"), whole=True, reads=_theirs),
                Contestant("Secateur", program, absent, whole=True, reads=_ours),
            ]
            races.append(suite.race(f"weka-cv/{name}/{title}", f"{name}, {title}", contestants))
    return races


STEPS = [
    Step(
        "weka-cv",
        "Ten-fold cross-validation of learners that prune by ten inner folds: whole processes, reading included, all cores for both.",
        ["Weka"],
        weka_cv,
    ),
]
