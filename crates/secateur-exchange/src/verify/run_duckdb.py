import duckdb
import exchange
import sql

rows = exchange.Rows()
base = duckdb.connect()
types = {"integer": "BIGINT", "double": "DOUBLE", "text": "VARCHAR", "timestamp": "TIMESTAMP", "time": "TIME", "nan": "DOUBLE"}
columns = sql.columns(rows, types)


def cell(place, kind):
    if kind == "TIMESTAMP":
        return f"make_timestamp(CAST(c{place} AS BIGINT) * 1000000)"
    if kind == "TIME":
        return f"TIME '00:00:00' + to_seconds(CAST(c{place} AS BIGINT))"
    return f"c{place}"


def plain(kind):
    return "DOUBLE" if kind in ("TIMESTAMP", "TIME") else kind


lists = ", ".join(f"unnest(CAST(? AS {plain(kind)}[])) AS c{place}" for place, (_, kind, _) in enumerate(columns))
cells = ", ".join(
    f"CAST({cell(place, kind)} AS {kind}) AS {sql.quoted(name)}" for place, (name, kind, _) in enumerate(columns)
)
parts = rows.options["table"].split(".")
if len(parts) == 2 and '"' not in rows.options["table"]:
    base.execute(f"CREATE SCHEMA IF NOT EXISTS {sql.quoted(parts[0])}")
base.execute(
    f"CREATE TABLE {sql.qualified(rows.options['table'])} AS SELECT {cells} FROM (SELECT {lists})",
    [cells for _, _, cells in columns],
)


def ask(script):
    return [list(row) for row in base.execute(script).fetchall()]


def call(name, arguments, table, row):
    return f"SELECT {row}, unnest(said) FROM (SELECT d.{row}, {name}({arguments}) AS said FROM {table} AS d)"


with open(rows.exported, encoding="utf-8", newline="") as file:
    sql.answer(rows, file.read(), base.execute, ask, call)
