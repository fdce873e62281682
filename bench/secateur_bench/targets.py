"""What is asked of this program, and whether a run met it."""


class Results:
    """Looks contestants up in the races of a run."""

    def __init__(self, steps):
        self.races = {race["key"]: race for step in steps for race in step["races"]}

    def of(self, key, name):
        """A contestant of a race, if it was measured."""
        found = self.races.get(key, {"contestants": []})["contestants"]
        return next((c for c in found if c["name"] == name and "seconds" in c), None)

    def times(self, key, peer, ours="Secateur"):
        """How many times as long the peer takes."""
        theirs, mine = self.of(key, peer), self.of(key, ours)
        return theirs["seconds"] / mine["seconds"] if theirs and mine else None

    def share(self, key, pruner):
        """The time of a pruner as a share of growing, in percent."""
        mine = self.of(key, "Secateur")
        found = next((p for p in mine["pruners"] if p["pruner"] == pruner), None) if mine else None
        return 100 * found["seconds"] / mine["seconds"] if found else None

    def memory(self, peer):
        """Peak memory in units of the peer's, the worst of all tables that both grew a tree on."""
        pairs = [(self.of(key, "Secateur"), self.of(key, peer)) for key in self.races if key.startswith("grow/")]
        shares = [mine["memory"] / theirs["memory"] for mine, theirs in pairs if mine and theirs]
        return max(shares, default=None)

    def growth(self, small, large):
        """How many times as long the larger table takes."""
        a, b = self.of(small, "Secateur"), self.of(large, "Secateur")
        return b["seconds"] / a["seconds"] if a and b else None


# What, against whom, the number asked for, whether it is the least or the most that is allowed, and where it is found.
TARGETS = [
    ("exact full tree, 100k × 10", "scikit-learn", 14, "least", lambda r: r.times("grow/gaussian-100k", "scikit-learn")),
    ("exact full tree, 1M × 10", "scikit-learn", 22, "least", lambda r: r.times("grow/gaussian-1m", "scikit-learn")),
    ("exact full tree, 1M × 10", "ydf CART", 7, "least", lambda r: r.times("grow/gaussian-1m", "ydf")),
    (
        "exact full tree, 1M × 10, two threads", "scikit-learn", 36, "least",
        lambda r: r.times("grow/gaussian-1m", "scikit-learn", "Secateur, 2 threads"),
    ),
    ("exact full tree, covtype", "scikit-learn", 15, "least", lambda r: r.times("grow/covtype", "scikit-learn")),
    (
        "binned best-first tree of 256 leaves, 1M × 10, two threads, binning included", "LightGBM", 1.5, "least",
        lambda r: r.times("binned/gaussian-1m", "LightGBM, 2 threads", "Secateur, binned, weighted, 2 threads"),
    ),
    (
        "cost-complexity path of a regression tree of 100,000 leaves", "scikit-learn", 500, "least",
        lambda r: r.times("path/numbers-100k", "scikit-learn"),
    ),
    (
        "cross-validated cost-complexity, 10 folds, full trees, 20k × 10", "rpart, xval=10", 20, "least",
        lambda r: r.times("cross-validate/gaussian-20k", "rpart"),
    ),
    (
        "nominal columns with missing values, 100k rows", "Weka J48", 40, "least",
        lambda r: r.times("nominal/mixed", "J48, unpruned", "Secateur, c45"),
    ),
    ("batch prediction, 1M rows", "scikit-learn", 3, "least", lambda r: r.times("predict/gaussian-1m", "scikit-learn")),
    ("k-norm pruning, % of growing", "itself", 0.5, "most", lambda r: r.share("prune/tree", "k-norm")),
    ("peak memory while growing, worst table", "scikit-learn", 1, "most", lambda r: r.memory("scikit-learn")),
    ("time from 100k to 1M rows (n log n: 12)", "itself", 12, "most", lambda r: r.growth("grow/gaussian-100k", "grow/gaussian-1m")),
]


def judged(steps):
    """Every target with what was measured; `met` is None where nothing was."""
    results = Results(steps)
    told = []
    for target, peer, asked, bound, find in TARGETS:
        measured = find(results)
        met = None if measured is None else measured >= asked if bound == "least" else measured <= asked
        told.append({"target": target, "peer": peer, "asked": asked, "bound": bound, "measured": measured, "met": met})
    return told
