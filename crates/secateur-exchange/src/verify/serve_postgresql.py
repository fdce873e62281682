"""A PostgreSQL server on a socket in a folder of its own, until standard input ends. Prints how psql reaches it."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/pgsql-*/bin") + os.environ["PATH"].split(":")
tools = next(folder for folder in folders if os.path.exists(os.path.join(folder, "initdb")))
here = tempfile.mkdtemp(prefix="secateur-pg-")
user = []
if hasattr(os, "geteuid") and os.geteuid() == 0:
    # It does not run for the superuser.
    os.chmod(here, 0o777)
    user = ["runuser", "-u", "postgres", "--"]
base = os.path.join(here, "base")


def run(name, *arguments):
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*user, os.path.join(tools, name), *arguments], check=True, cwd=here, **quiet)


try:
    run("initdb", "-D", base, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
    settings = f"-k '{here}' -c listen_addresses='' -c fsync=off"
    run("pg_ctl", "-D", base, "-l", os.path.join(base, "log"), "-o", settings, "-w", "start")
    try:
        print(f"host={here} user=postgres dbname=postgres", flush=True)
        sys.stdin.read()
    finally:
        run("pg_ctl", "-D", base, "-m", "immediate", "-w", "stop")
finally:
    shutil.rmtree(here, ignore_errors=True)
