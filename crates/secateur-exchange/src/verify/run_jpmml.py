import xml.etree.ElementTree

import exchange
import pandas
from jpmml_evaluator import make_evaluator

rows = exchange.Rows()
evaluator = make_evaluator(rows.exported)
# Numbers as objects, so that None stays a missing value.
columns = {
    name: pandas.Series([None if cell != cell else cell for cell in column], dtype=object)
    for name, column in zip(rows.names, rows.columns)
}
table = pandas.DataFrame(columns, index=range(rows.count))
said = evaluator.evaluateAll(table, nan_as_missing=True) if rows.names else None
space = {"p": "http://www.dmg.org/PMML-4_4"}
fields = [
    field.get("name")
    for field in xml.etree.ElementTree.parse(rows.exported).getroot().iterfind(".//p:Output/p:OutputField", space)
    if field.get("isFinalResult") != "false"
]
if said is None:
    # A table without columns has no rows for it.
    one = evaluator.evaluate({})
    said = pandas.DataFrame([one] * rows.count)
if rows.classes:
    numbers = said[fields[2 : 2 + len(rows.classes)]].to_numpy(float).ravel().tolist()
    exchange.answer([str(label) for label in said[fields[1]]], numbers)
else:
    exchange.answer(numbers=said[fields[1]].to_numpy(float).tolist())
