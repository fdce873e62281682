"""What LightGBM, XGBoost and ydf answer with one tree each, and the tree as they write it: foreign_trees.json.

    pip install lightgbm==4.7.0 xgboost==3.2.0 ydf==0.16.1 pandas
    python foreign_trees.py > foreign_trees.json

The tests read the trees with `secateur import` and must get the same answers. ydf writes no file that says enough; its tree is what
`secateur.from_ydf` of the Python package makes of a model.
"""
import json
import os
import re
import tempfile

import lightgbm
import numpy as np
import pandas as pd
import xgboost
import ydf

random = np.random.default_rng(7)
ROWS, TOLD = 300, 40


def table():
    """Two columns of numbers and one of values, with gaps; a number and two classes that follow from them."""
    x, y = random.normal(size=ROWS).round(3), random.uniform(0, 9, size=ROWS)
    colour = random.choice(["red", "green", "blue", "light grey"], size=ROWS)
    number = 3 * (x > 0.2) + np.sqrt(y) * (colour == "blue") + (colour == "red") + random.normal(size=ROWS) / 3
    frame = pd.DataFrame({"x": x, "y one": y, "colour": pd.Categorical(colour)})
    for name in ("x", "y one", "colour"):
        frame.loc[random.random(ROWS) < 0.1, name] = np.nan
    return frame, number, (number > 2).astype(int)


def told(frame, count=TOLD):
    """Rows as lists; null is missing."""
    missing = lambda cell: cell == "" or isinstance(cell, float) and np.isnan(cell)
    return [[None if missing(cell) else cell for cell in row] for row in frame.head(count).values.tolist()]


def case(program, name, text, frame, answers, classes=()):
    answers = [float(one) for one in np.ravel(answers)[:TOLD]]
    return {
        "program": program, "case": name, "text": text, "columns": list(frame.columns), "classes": list(classes),
        "rows": told(frame), "answers": answers,
    }


def of_lightgbm():
    frame, number, yes = table()
    frame = frame.rename(columns={"y one": "y_one"})
    small = {"verbose": -1, "num_leaves": 9, "min_data_in_leaf": 5, "learning_rate": 1.0, "num_threads": 1, "seed": 1}
    for objective, target in (("regression", number), ("binary", yes)):
        model = lightgbm.train({**small, "objective": objective}, lightgbm.Dataset(frame, target), 1)
        classes = ["0", "1"] if objective == "binary" else []
        yield case("lightgbm", f"{objective}, text", model.model_to_string(), frame, model.predict(frame), classes)
        yield case("lightgbm", f"{objective}, JSON", json.dumps(model.dump_model()), frame, model.predict(frame), classes)


def of_xgboost():
    frame, number, yes = table()
    for objective, target in (("reg:squarederror", number), ("binary:logistic", yes)):
        data = xgboost.DMatrix(frame, target, enable_categorical=True)
        model = xgboost.train({"objective": objective, "max_depth": 4, "eta": 1.0, "nthread": 1}, data, 1)
        classes = ["0", "1"] if "binary" in objective else []
        yield case("xgboost", objective, model.save_raw("json").decode(), frame, model.predict(data), classes)


def ydf_json():
    """The function of the Python package, without the package."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../crates/secateur-python/python/secateur/_foreign.py"), encoding="utf-8") as file:
        source = file.read()
    found = re.search(r"^def ydf_json.*?(?=^def |\Z)", source, re.S | re.M)
    names = {"json": json, "np": np, "Any": object}
    exec(found[0], names)
    return names["ydf_json"]


def of_ydf():
    frame, number, _ = table()
    write = ydf_json()
    three = np.where(number > 3, "large", np.where(number > 1, "middle", "small"))
    # An empty text is a missing value of ydf.
    with_missing = frame.assign(colour=frame["colour"].astype(object).fillna(""))
    for task, target in ((ydf.Task.REGRESSION, number), (ydf.Task.CLASSIFICATION, three)):
        learner = ydf.CartLearner(label="target", task=task, max_depth=5, min_examples=5, validation_ratio=0.0)
        model = learner.train(with_missing.assign(target=target), verbose=0)
        text = write(model)
        answers = model.predict(with_missing)[:TOLD]
        classes = model.label_classes() if task == ydf.Task.CLASSIFICATION else []
        one = case("ydf", task.name.lower(), text, with_missing, [], classes)
        yield {**one, "answers": [float(number) for number in np.ravel(answers)]}


ydf.verbose(0)
versions = {"lightgbm": lightgbm.__version__, "xgboost": xgboost.__version__, "ydf": ydf.__version__}
cases = [*of_lightgbm(), *of_xgboost(), *of_ydf()]
print(json.dumps({"made_with": versions, "cases": cases}, indent=None, separators=(",", ":")).replace('{"program"', '\n{"program"'))
