import exchange
import numpy
import tree

rows = exchange.Rows()
model = tree.model
matrix = numpy.zeros((rows.count, model.n_features_in_))
features = list(getattr(model, "feature_names_in_", []))
for name, column in zip(rows.names, rows.columns):
    matrix[:, features.index(name)] = column
matrix = matrix.astype(numpy.float32)
if not model.n_features_in_:
    raise SystemExit("scikit-learn has no trees without columns")
# The estimator refuses infinite numbers, its tree does not.
whole = ~numpy.isinf(matrix).any(axis=1)
numbers = model.tree_.predict(matrix)
numbers = numbers.reshape(rows.count, -1)
leaves = model.tree_.apply(matrix)
del model.feature_names_in_
if whole.any():
    own = model.predict_proba(matrix[whole]) if rows.classes else model.predict(matrix[whole]).reshape(-1, 1)
    assert (own == numbers[whole]).all() and (model.apply(matrix[whole]) == leaves[whole]).all()
if rows.classes:
    labels = model.classes_.take(numbers.argmax(axis=1))
    if whole.any():
        assert (model.predict(matrix[whole]) == labels[whole]).all()
    names = dict(zip(model.classes_.tolist(), rows.classes))
    exchange.answer([names[label] for label in labels.tolist()], numbers.ravel().tolist(), leaves.tolist())
else:
    exchange.answer(numbers=numbers.ravel().tolist(), leaves=leaves.tolist())
