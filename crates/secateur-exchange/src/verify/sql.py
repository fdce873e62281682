"""An exported tree in a database: a table of the rows, the exported statements, and the answers by their rows.

The driver of a database has run(script), which runs statements, and ask(script), which runs them and gives the rows that the
last one gives, as lists of Python values.
"""
import exchange

ROW = "secateur row"


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def qualified(name):
    # The parts of a name, as the export reads them.
    parts, part, inside = [], "", False
    for c in name:
        if c == '"':
            inside = not inside
        elif c == "." and not inside:
            parts.append(part)
            part = ""
        else:
            part += c
    return ".".join(quoted(part) for part in parts + [part])


def kept(rows):
    # The columns that the query gives beside the answers.
    names = [name.strip() for name in rows.options["keep"].split(",")]
    return [name for name in names if name] or rows.names


def columns(rows, types):
    """The columns of the table: (name, type, cells). The number of the row stands in all that are not inputs."""
    numbers = list(range(rows.count))
    list_ = [(ROW, types["integer"], numbers)]
    for name, levels, shown_as, cells in zip(rows.names, rows.levels, rows.shown_as, rows.columns):
        kind = types["text"] if levels is not None else types["double"]
        if levels is None and shown_as != "numeric" and rows.options["dates"] == "dates":
            kind = types["time"] if shown_as == "time" else types["timestamp"]
        if levels is None:
            # NaN is a missing value, too, where there is one.
            keep_nan = kind == types.get("nan")
            missing = lambda row: float("nan") if keep_nan and row % 2 else None
            cells = [missing(row) if cell != cell else cell for row, cell in enumerate(cells)]
        list_.append((name, kind, cells))
    known = {name for name, _, _ in list_}
    extra = [name for name in kept(rows) if name not in known]
    return list_ + [(name, types["integer"], numbers) for name in dict.fromkeys(extra)]


def _key(cells):
    return tuple("NaN" if cell != cell else cell for cell in cells)


def answer(rows, script, run, ask, call):
    """Runs the exported script and hands back its answers. `call` makes a query of a function's name and arguments."""
    form, table = rows.options["form"], qualified(rows.options["table"])
    width = max(len(rows.classes), 1)
    if form == "function":
        run(script)
        arguments = ", ".join("d." + quoted(name) for name in rows.names)
        said = ask(call(qualified(rows.options["name"]), arguments, table, quoted(ROW)))
        by_row = {int(row[0]): row[1:] for row in said}
    else:
        if form == "view":
            run(script)
            said = ask("SELECT * FROM " + qualified(rows.options["name"]))
        else:
            said = ask(script)
        names = kept(rows)
        keys = ask("SELECT " + ", ".join("d." + quoted(name) for name in [ROW] + names) + f" FROM {table} AS d")
        assert len(said) == rows.count, f"{len(said)} answers for {rows.count} rows"
        answers = {}
        for row in said:
            key, values = _key(row[: len(names)]), row[len(names) :]
            if answers.setdefault(key, values) != values:
                raise SystemExit("rows cannot be told apart: keep must name no columns, or one that is not an input")
        by_row = {int(row[0]): answers[_key(row[1:])] for row in keys}
    said = [by_row[row] for row in range(rows.count)]
    leaves = [int(row[-1]) for row in said]
    if rows.classes:
        numbers = [float(x) for row in said for x in row[1 : 1 + width]]
        exchange.answer([row[0] for row in said], numbers, leaves)
    else:
        exchange.answer(numbers=[float(row[0]) for row in said], leaves=leaves)
