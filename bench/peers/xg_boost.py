"""One tree by XGBoost: its bins and its tree, from an array."""

import numpy as np
import xgboost
from common import call, load, tell, timed


def main():
    _, file, options = call()
    X, y = load(file, options)
    threads = int(options.get("threads", 1))
    settings = {
        "objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0,
        "max_leaves": int(options["leaves"]), "max_bin": 255, "eta": 1.0, "lambda": 0.0, "min_child_weight": 0.0,
        "nthread": threads, "verbosity": 0,
    }

    def grow():
        data = xgboost.QuantileDMatrix(X, y, max_bin=255, nthread=threads)
        return data, xgboost.train(settings, data, num_boost_round=1)

    seconds, (data, model) = timed(grow)
    leaves = model.get_dump()[0].count("leaf=")
    wrong = np.mean((model.predict(data) > 0.5) != y)
    tell(seconds=seconds, leaves=leaves, error=float(wrong))


main()
