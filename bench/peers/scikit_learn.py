"""The steps by scikit-learn."""

from common import call, load, tell, timed
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def tree(options):
    make = DecisionTreeRegressor if options.get("task") == "numbers" else DecisionTreeClassifier
    leaves = options.get("leaves")
    return make(random_state=0, max_leaf_nodes=int(leaves) if leaves else None)


def main():
    step, file, options = call()
    repeats = int(options.get("repeats", 1))
    if step == "whole":
        # From the file to the tree, as a script would do it.
        import pandas

        table = pandas.read_csv(file)
        fitted = tree(options).fit(table.iloc[:, :-1].to_numpy("float32"), table.iloc[:, -1])
        return tell(leaves=int(fitted.get_n_leaves()))
    X, y = load(file, options)
    rows = int(options.get("grown", len(X)))
    if step == "grow":
        seconds, fitted = timed(lambda: tree(options).fit(X, y))
        return tell(seconds=seconds, leaves=int(fitted.get_n_leaves()), depth=int(fitted.get_depth()))
    growing, fitted = timed(lambda: tree(options).fit(X[:rows], y[:rows]))
    leaves = int(fitted.get_n_leaves())
    if step == "path":
        # The public call grows the tree again; only the path is wanted.
        from sklearn.tree._tree import ccp_pruning_path

        seconds, path = timed(lambda: ccp_pruning_path(fitted.tree_))
        tell(seconds=seconds, grow=growing, leaves=leaves, members=len(path["ccp_alphas"]))
    elif step == "predict":
        seconds, _ = timed(lambda: fitted.predict(X), repeats)
        tell(seconds=seconds, leaves=leaves, rows=len(X))
    elif step == "one-row":
        sample = [X[row:row + 1] for row in range(min(len(X), 1000))]
        seconds, _ = timed(lambda: [fitted.predict(row) for row in sample], repeats)
        tell(seconds=seconds / len(sample), leaves=leaves, rows=len(sample))


main()
