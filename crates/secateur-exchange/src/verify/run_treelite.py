import json

import exchange
import numpy
import treelite

rows = exchange.Rows()
model = treelite.Model.deserialize(rows.exported)
places = {name: place for place, name in enumerate(model.attributes["features"])}
matrix = numpy.zeros((rows.count, max(model.num_feature, 1)))
for name, levels, column in zip(rows.names, rows.levels, rows.columns):
    if levels is not None:
        # Places in the list of values; after them one for values that the tree has never seen.
        known = {value: code for code, value in enumerate(rows.known[name])}
        column = [float("nan") if cell is None else known.get(cell, len(known)) for cell in column]
    matrix[:, places[name]] = column
exchange.answer(numbers=treelite.gtil.predict(model, matrix).ravel().tolist())
