import csv
import io
import os
import shutil
import subprocess
import sys
import uuid

import exchange
import sql

NULL = f"null {uuid.uuid4()}"
rows = exchange.Rows()
csv.field_size_limit(sys.maxsize)


def psql(script):
    command = [shutil.which("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "--csv", "-t", "-P", f"null={NULL}", place, "-f", "-"]
    done = subprocess.run(command, input=script.encode("utf-8"), capture_output=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.decode("utf-8", "replace"))
    text = done.stdout.decode("utf-8")
    cell = lambda value: None if value == NULL else value
    return [[cell(value) for value in row] for row in csv.reader(io.StringIO(text, newline=""))]


def copied(value):
    if value is None:
        return "\\N"
    if isinstance(value, float):
        return repr(value).replace("inf", "Infinity").replace("nan", "NaN")
    text = str(value)
    for plain, coded in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, coded)
    return text


def fill():
    types = {"integer": "bigint", "double": "float8", "text": "text", "timestamp": "timestamp", "time": "time", "nan": "float8"}
    columns, table = sql.columns(rows, types), sql.qualified(rows.options["table"])
    plain = {"timestamp": "float8", "time": "float8"}
    raw = ", ".join(f"c{place} {plain.get(kind, kind)}" for place, (_, kind, _) in enumerate(columns))

    def cell(place, name, kind):
        value = f"c{place}"
        if kind == "timestamp":
            value = f"to_timestamp(c{place}) AT TIME ZONE 'UTC'"
        if kind == "time":
            value = f"time '00:00' + c{place} * interval '1 second'"
        return f"{value} AS {sql.quoted(name)}"

    cells = ", ".join(cell(place, name, kind) for place, (name, kind, _) in enumerate(columns))
    with open("cells.txt", "w", encoding="utf-8", newline="") as file:
        for row in zip(*(cells for _, _, cells in columns)):
            # PostgreSQL has no text with a character 0; such a value cannot be in its tables.
            row = ["a value with 0" if isinstance(cell, str) and "\0" in cell else cell for cell in row]
            file.write("\t".join(map(copied, row)) + "\n")
    if '"."' in table:
        raise SystemExit("to be verified the table must have no schema: the rows stand in one that is gone afterwards")
    psql(
        f"CREATE TABLE secateur_raw ({raw});\n\\copy secateur_raw FROM 'cells.txt'\n"
        f"CREATE TABLE {table} AS SELECT {cells} FROM secateur_raw;\n"
    )


def call(name, arguments, table, row):
    return f"SELECT d.{row}, said.* FROM {table} AS d CROSS JOIN LATERAL {name}({arguments}) AS said"


place = os.environ["SECATEUR_POSTGRESQL"]
# A schema of its own, which is gone afterwards.
schema = f"secateur_{uuid.uuid4().hex}"
psql(f"CREATE SCHEMA {schema};\n")
os.environ["PGOPTIONS"] = f"-c search_path={schema} -c client_min_messages=warning"
try:
    fill()
    with open(rows.exported, encoding="utf-8", newline="") as file:
        sql.answer(rows, file.read(), psql, psql, call)
finally:
    psql(f"DROP SCHEMA {schema} CASCADE;\n")
