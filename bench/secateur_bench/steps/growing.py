"""Growing: exact, binned, nominal."""

from ..step import Step

LEAVES = 256
# LightGBM and XGBoost split next where the gain times the rows is largest; that is the weighted order.
BINNED = {
    "Secateur, binned, weighted": "bins=255,order=best-first-weighted",
    "Secateur, binned": "bins=255",
    "Secateur, exact, weighted": "order=best-first-weighted",
}


def grow(suite):
    races = []
    for name in ["gaussian-10k", "gaussian-100k", "gaussian-1m", "covtype", "wide", "noise-100k", "numbers-1m"]:
        if suite.quick and name == "covtype":
            continue
        table = suite.table(name)
        contestants = [
            suite.peer("scikit-learn", "grow", table),
            suite.ours("grow", table),
            suite.ours("grow", table, name="Secateur, 2 threads", threads=2),
        ]
        if name in ("gaussian-100k", "gaussian-1m"):
            contestants.append(suite.peer("ydf", "grow", table))
        if name == "gaussian-100k":
            contestants.append(suite.rpart(table, 0))
        races.append(suite.race(f"grow/{name}", table.title, contestants))
    return races


def binned(suite):
    races = []
    for name in ["gaussian-100k", "gaussian-1m"]:
        table = suite.table(name)
        contestants = []
        for threads, more in [(2, ", 2 threads"), (1, "")]:
            for peer, (ours, options) in zip(["LightGBM", "XGBoost", None], BINNED.items()):
                if peer:
                    contestants.append(suite.peer(peer, "grow", table, name=peer + more, leaves=LEAVES, threads=threads))
                scheme = f"best-first:{options},max-leaves={LEAVES}"
                contestants.append(suite.ours("grow", table, name=ours + more, threads=threads, scheme=scheme))
        races.append(suite.race(f"binned/{name}", f"{table.title}, {LEAVES} leaves", contestants))
    return races


def nominal(suite):
    races = []
    for name, format in [("mixed", "arff"), ("gaussian-100k", "arff")]:
        table = suite.table(name)
        pruned = "c45/error-based:limit=c45,raising"
        contestants = [
            suite.weka("J48, unpruned", "j48", table, "-U"),
            suite.ours("grow", table, format, "Secateur, c45", scheme="c45"),
            suite.weka("J48, pruned", "j48", table),
            suite.ours("fit", table, format, f"Secateur, {pruned}", scheme=pruned),
            suite.ours("grow", table, format, "Secateur, cart", scheme="cart"),
        ]
        races.append(suite.race(f"nominal/{name}", table.title, contestants))
    return races


STEPS = [
    Step(
        "grow",
        "Exact full trees: no limit on depth, leaves down to one row. Secateur's time is coding and growing, scikit-learn's is `fit` on "
        "32-bit numbers, ydf's is `train` on its own form of the table, rpart's ends at depth 30.",
        ["scikit-learn", "ydf", "rpart"],
        grow,
    ),
    Step(
        "binned",
        "One tree of 256 leaves, best first, from 255 bins a column; making the bins is included. The weighted order is that of LightGBM "
        "and XGBoost. `error` is the share of training rows that the tree gets wrong.",
        ["LightGBM", "XGBoost"],
        binned,
    ),
    Step(
        "nominal",
        "C4.5 with nominal columns of 2 to 1,000 values and a tenth of the cells missing, and with numbers only.",
        ["Weka"],
        nominal,
    ),
]
