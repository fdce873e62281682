"""Pruning: every pruner beside growing, the path of cost-complexity, cross-validation."""

from ..step import Step


def prune(suite):
    rows = 10_000 if suite.quick else 390_000
    chain = 2_000 if suite.quick else 20_000
    races = []
    for key, title, table, pruners in [
        ("tree", f"two overlapping classes, {rows:,} rows", f"g2c25?n={rows}", "all"),
        ("million", f"the same, {5 * rows:,} rows, pruners of one pass", f"g2c25?n={5 * rows}", "one-pass"),
        ("chain", f"a chain of {chain:,} splits, pruners of one pass", f"chain?n={chain}", "one-pass"),
    ]:
        contestant = suite.ours("prune", "builtin:" + table, repeats=suite.repeats, pruners=pruners)
        races.append(suite.race(f"prune/{key}", title, [contestant]))
    return races


def path(suite):
    table = suite.table("numbers-100k")
    contestants = [suite.peer("scikit-learn", "path", table, once=True), suite.ours("path", table, repeats=suite.repeats)]
    races = [suite.race("path/numbers-100k", table.title, contestants)]
    rows = 10_000 if suite.quick else 390_000
    for key, count in [("tenth", rows // 10), ("all", rows)]:
        contestant = suite.ours("path", f"builtin:g2c25?n={count}", repeats=suite.repeats)
        races.append(suite.race(f"path/{key}", f"two overlapping classes, {count:,} rows", [contestant]))
    return races


def cross_validate(suite):
    table = suite.table("gaussian-20k")
    scheme = "cart/cost-complexity:cv=10"
    contestants = [
        suite.rpart(table, 10),
        suite.ours("fit", table, scheme=scheme),
        suite.ours("fit", table, name="Secateur, 2 threads", scheme=scheme, threads=2),
    ]
    races = [suite.race("cross-validate/gaussian-20k", f"{table.title}, 10 folds", contestants)]
    rows = 10_000 if suite.quick else 390_000
    contestant = suite.ours("fit", f"builtin:g2c25?n={rows}", scheme=scheme)
    title = f"two overlapping classes, {rows:,} rows, 10 folds"
    return [*races, suite.race("cross-validate/classes", title, [contestant], repeats=1)]


STEPS = [
    Step(
        "prune",
        "Every pruner that needs only the counts in the tree, its tree made, beside growing that tree on one thread (without coding).",
        [],
        prune,
    ),
    Step(
        "path",
        "The whole path of cost-complexity on a tree that is grown already. scikit-learn's takes the square of the leaves and runs once.",
        ["scikit-learn"],
        path,
    ),
    Step(
        "cross-validate",
        "Cost-complexity chosen by ten folds, from the table to the pruned tree. rpart with cp=0, minsplit=2, minbucket=1, xval=10; its "
        "trees end at depth 30, Secateur's are full. rpart's leaves are those before pruning, Secateur's `full` too.",
        ["rpart"],
        cross_validate,
    ),
]
