import csv
import glob
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


def server():
    """A server of our own, on a socket in this folder: how to reach it, and how to end it."""
    folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/pgsql-*/bin") + os.environ["PATH"].split(":")
    tools = next(folder for folder in reversed(folders) if os.path.exists(os.path.join(folder, "initdb")))
    here, user = os.getcwd(), []
    if os.geteuid() == 0:
        # It does not run for the superuser.
        os.chmod(here, 0o777)
        user = ["runuser", "-u", "postgres", "--"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "check": True, "cwd": here}
    base = os.path.join(here, "base")
    tool = lambda name: user + [os.path.join(tools, name)]
    subprocess.run(tool("initdb") + ["-D", base, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"], **quiet)
    settings = f"-k '{here}' -c listen_addresses='' -c fsync=off"
    start = tool("pg_ctl") + ["-D", base, "-l", os.path.join(base, "log"), "-o", settings, "-w", "start"]
    subprocess.run(start, **{**quiet, "stderr": subprocess.DEVNULL})
    stop = tool("pg_ctl") + ["-D", base, "-m", "immediate", "-w", "stop"]
    return f"host={here} user=postgres dbname=postgres", lambda: subprocess.run(stop, **quiet)


def psql(script, columns=True):
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
    parts = rows.options["table"].split(".")
    schema = f"CREATE SCHEMA {sql.quoted(parts[0])};\n" if len(parts) == 2 and '"' not in rows.options["table"] else ""
    psql(
        f"{schema}CREATE TABLE secateur_raw ({raw});\n\\copy secateur_raw FROM 'cells.txt'\n"
        f"CREATE TABLE {table} AS SELECT {cells} FROM secateur_raw;\n"
    )


def call(name, arguments, table, row):
    return f"SELECT d.{row}, said.* FROM {table} AS d CROSS JOIN LATERAL {name}({arguments}) AS said"


place = os.environ.get("SECATEUR_POSTGRESQL")
end = lambda: None
if not place:
    place, end = server()
try:
    fill()
    with open(rows.exported, encoding="utf-8", newline="") as file:
        sql.answer(rows, file.read(), psql, psql, call)
finally:
    end()
