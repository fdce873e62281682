"""Rows for a consumer in Python, and its answers back: the files that protocol.rs describes."""
import array
import json
import struct
import sys


class Rows:
    """The rows to answer. Columns are lists: numbers (NaN is missing) or texts (None is missing)."""

    def __init__(self):
        with open("rows.json", encoding="utf-8") as file:
            head = json.load(file)
        self.count = head["rows"]
        self.classes = head["classes"]
        self.target = head["target"]
        self.attributes = head["attributes"]
        self.options = head["options"]
        self.exported = head["exported"]
        self.names = [column["name"] for column in head["inputs"]]
        self.places = [column["place"] for column in head["inputs"]]
        self.levels = [column["levels"] for column in head["inputs"]]
        #: The values that the tree knows, in its order.
        self.known = {column["name"]: (column["levels"] or [])[: column["known"]] for column in head["inputs"]}
        self.shown_as = [column["shown_as"] for column in head["inputs"]]
        self.columns = []
        for place, levels in enumerate(self.levels):
            cells = array.array("d" if levels is None else "I")
            with open(f"column-{place}.bin", "rb") as file:
                cells.frombytes(file.read())
            if sys.byteorder == "big":
                cells.byteswap()
            if levels is None:
                self.columns.append(cells.tolist())
            else:
                missing = head["missing"]
                self.columns.append([None if code == missing else levels[code] for code in cells])

    def __iter__(self):
        """The rows as tuples."""
        return zip(*self.columns) if self.columns else (() for _ in range(self.count))


def _write(name, kind, values):
    values = array.array(kind, values)
    if sys.byteorder == "big":
        values.byteswap()
    with open(name, "wb") as file:
        values.tofile(file)


def answer(labels=None, numbers=None, leaves=None):
    """Hands the answers back: a label for every row (texts), the probabilities or numbers row by row, and the leaves."""
    if labels is not None:
        names = {}
        codes = [names.setdefault(label, len(names)) for label in labels]
        with open("names.bin", "wb") as file:
            for name in names:
                text = name.encode("utf-8")
                file.write(struct.pack("<I", len(text)) + text)
        _write("labels.bin", "I", codes)
    if numbers is not None:
        _write("numbers.bin", "d", numbers)
    if leaves is not None:
        _write("leaves.bin", "I", leaves)
