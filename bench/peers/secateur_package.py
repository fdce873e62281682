"""Secateur's own Python package: a full tree from an array, conversion included."""

from common import call, load, tell, timed

import secateur


def main():
    _, file, options = call()
    X, y = load(file, options)
    make = secateur.TreeRegressor if options.get("task") == "numbers" else secateur.TreeClassifier
    tree = make("cart", n_jobs=int(options.get("threads", 1)))
    seconds, fitted = timed(lambda: tree.fit(X, y))
    tell(seconds=seconds, leaves=int(fitted.get_n_leaves()), depth=int(fitted.get_depth()))


main()
