"""A full tree by ydf's CART: exact splits, no pruning, one thread. Its own form of the table is made before the clock starts."""

import ydf
from common import call, load, tell, timed


def main():
    _, file, options = call()
    X, y = load(file, options)
    columns = {f"x{i}": X[:, i].copy() for i in range(X.shape[1])}
    data = ydf.create_vertical_dataset({**columns, "class": y.astype(str)})
    del columns, X
    learner = ydf.CartLearner(
        label="class", task=ydf.Task.CLASSIFICATION, validation_ratio=0.0, max_depth=-1, min_examples=1,
        num_threads=int(options.get("threads", 1)),
    )
    seconds, model = timed(lambda: learner.train(data, verbose=0))
    nodes = model.num_nodes()
    tell(seconds=seconds, leaves=(nodes + 1) // 2)


main()
