"""A decision tree as a fitted estimator of scikit-learn, written by secateur.

    import {module}
    model = {module}.model                # predict, predict_proba, apply, tree_ ...
    shap.TreeExplainer(model)

scikit-learn keeps numbers in 32 bits. A missing value goes to one branch: where the tree sends it, or to the heavier one.
"""
import json

import numpy
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

LISTS = json.loads(r'''{lists}''')


def build(lists):
    """The estimator, from the lists of its nodes."""
    is_classifier = bool(lists["classes"])
    Estimator = DecisionTreeClassifier if is_classifier else DecisionTreeRegressor
    model = Estimator()
    # The layout of a node is that of this version of scikit-learn.
    sample = Estimator().fit([[0.0], [1.0]], [0, 1]).tree_
    nodes = numpy.zeros(len(lists["feature"]), sample.__getstate__()["nodes"].dtype)
    given = dict(lists, left_child=lists["children_left"], right_child=lists["children_right"])
    given["threshold"] = [numpy.inf if t is None else t for t in lists["threshold"]]
    for name in nodes.dtype.names:
        nodes[name] = given[name]
    width = max(len(lists["classes"]), 1)
    values = numpy.array(lists["value"], numpy.float64).reshape(len(nodes), 1, width)
    features = len(lists["features"])
    tree = type(sample)(features, numpy.array([width], numpy.intp), 1)
    tree.__setstate__({"max_depth": lists["max_depth"], "node_count": len(nodes), "nodes": nodes, "values": values})
    model.tree_ = tree
    model.n_features_in_ = model.max_features_ = features
    model.n_outputs_ = 1
    if features:
        model.feature_names_in_ = numpy.array(lists["features"], object)
    if is_classifier:
        kinds = {"integer": int, "number": float, "boolean": lambda text: text == "true"}
        kind = kinds.get(lists["labels"])
        model.classes_ = numpy.array([kind(name) for name in lists["classes"]] if kind else lists["classes"])
        model.n_classes_ = width
    return model


model = build(LISTS)
