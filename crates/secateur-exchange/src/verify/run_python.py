import exchange
import exported_tree

rows = exchange.Rows()
said = list(exported_tree.predict_many(rows))
# By their names, too, for some rows.
for row, one in list(zip(rows, said))[::97]:
    assert repr(exported_tree.predict(dict(zip(rows.names, row)))) == repr(one), row
leaves = [one.leaf for one in said]
if rows.classes:
    exchange.answer([one.label for one in said], [p for one in said for p in one.probabilities.values()], leaves)
else:
    exchange.answer(numbers=[one.value for one in said], leaves=leaves)
