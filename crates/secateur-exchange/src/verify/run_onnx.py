import exchange
import numpy
import onnxruntime

rows = exchange.Rows()
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
session = onnxruntime.InferenceSession(rows.exported, options)
inputs = session.get_inputs()
kind = {"tensor(float)": numpy.float32, "tensor(double)": numpy.float64}
if rows.options["input"] == "matrix":
    matrix = numpy.zeros((rows.count, len(rows.attributes)), kind[inputs[0].type])
    for place, column in zip(rows.places, rows.columns):
        matrix[:, place] = column
    given = {inputs[0].name: matrix}
else:
    given = {}
    # A tree of one leaf asks for some column, to count the rows.
    for input, column in zip(inputs, rows.columns or [[float("nan")] * rows.count]):
        if input.type == "tensor(string)":
            cells = numpy.array(["" if cell is None else cell for cell in column], object)
        else:
            cells = numpy.array(column, kind[input.type])
        given[input.name] = cells.reshape(-1, 1)
said = session.run(None, given)
if rows.classes:
    exchange.answer(said[0].tolist(), said[1].ravel().tolist(), said[2].tolist())
else:
    exchange.answer(numbers=said[0].tolist(), leaves=said[1].tolist())
