import json

import exchange
import numpy
import shap

rows = exchange.Rows()
with open(rows.exported, encoding="utf-8") as file:
    model = json.load(file)
features = model["feature_names"]
matrix = numpy.zeros((rows.count, max(len(features), 1)))
for name, column in zip(rows.names, rows.columns):
    matrix[:, features.index(name)] = column
model["trees"] = [{name: numpy.array(values) for name, values in tree.items()} for tree in model["trees"]]
explainer = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
numbers = explainer.model.predict(matrix).reshape(rows.count, -1)
# What the columns add up to is what the tree says.
some = matrix[numpy.isfinite(matrix).all(axis=1)][:200]
if len(some):
    said = numpy.reshape(explainer.shap_values(some, check_additivity=False), (len(some), matrix.shape[1], -1)).sum(axis=1)
    said = said + numpy.reshape(explainer.expected_value, (1, -1))
    own = explainer.model.predict(some).reshape(len(some), -1)
    assert numpy.allclose(said, own, rtol=1e-6, atol=1e-6 * max(1.0, abs(own).max())), abs(said - own).max()
exchange.answer(numbers=numbers.ravel().tolist())
