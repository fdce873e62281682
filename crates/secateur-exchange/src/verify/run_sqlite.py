import sqlite3

import exchange
import sql

rows = exchange.Rows()
base = sqlite3.connect("rows.db")
types = {"integer": "INTEGER", "double": "REAL", "text": "TEXT", "timestamp": "TEXT", "time": "TEXT"}
columns = sql.columns(rows, types)
table = sql.qualified(rows.options["table"])
base.execute(f"CREATE TABLE {table} ({', '.join(f'{sql.quoted(name)} {kind}' for name, kind, _ in columns)})")


def cell(name, cells):
    place = rows.names.index(name) if name in rows.names else None
    shown_as = "numeric" if place is None or rows.levels[place] is not None else rows.shown_as[place]
    if shown_as == "numeric" or rows.options["dates"] == "seconds":
        return cells, "?"
    return cells, "time(?, 'unixepoch')" if shown_as == "time" else "datetime(?, 'unixepoch')"


prepared = [cell(name, cells) for name, _, cells in columns]
base.executemany(
    f"INSERT INTO {table} VALUES ({', '.join(gap for _, gap in prepared)})", zip(*(cells for cells, _ in prepared))
)


def statements(script):
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(part):
            yield part
            part = ""
    if part.strip():
        yield part


def ask(script):
    said = []
    for statement in statements(script):
        said = [list(row) for row in base.execute(statement)]
    return said


with open(rows.exported, encoding="utf-8", newline="") as file:
    sql.answer(rows, file.read(), ask, ask, None)
