import xml.etree.ElementTree

import exchange
from pypmml import Model

rows = exchange.Rows()
model = Model.load(rows.exported)
space = {"p": "http://www.dmg.org/PMML-4_4"}
fields = [
    field.get("name")
    for field in xml.etree.ElementTree.parse(rows.exported).getroot().iterfind(".//p:Output/p:OutputField", space)
    if field.get("isFinalResult") != "false"
]
said = [model.predict({name: None if cell != cell else cell for name, cell in zip(rows.names, row)}) for row in rows]
if rows.classes:
    numbers = [one[field] for one in said for field in fields[2 : 2 + len(rows.classes)]]
    exchange.answer([one[fields[1]] for one in said], numbers)
else:
    exchange.answer(numbers=[one[fields[1]] for one in said])
