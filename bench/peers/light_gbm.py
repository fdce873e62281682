"""One tree by LightGBM: its bins and its tree, from an array."""

import lightgbm
import numpy as np
from common import call, load, tell, timed


def main():
    _, file, options = call()
    X, y = load(file, options)
    threads = int(options.get("threads", 1))
    settings = {
        "objective": "binary", "num_leaves": int(options["leaves"]), "max_bin": 255, "learning_rate": 1.0,
        "min_data_in_leaf": 2, "min_sum_hessian_in_leaf": 0.0, "num_threads": threads, "verbosity": -1,
    }

    def grow():
        data = lightgbm.Dataset(X, y, params=settings).construct()
        return lightgbm.train(settings, data, num_boost_round=1)

    seconds, model = timed(grow)
    leaves = model.dump_model()["tree_info"][0]["num_leaves"]
    wrong = np.mean((model.predict(X, num_threads=threads) > 0.5) != y)
    tell(seconds=seconds, leaves=leaves, error=float(wrong))


main()
