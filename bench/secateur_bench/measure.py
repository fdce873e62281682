"""One measurement is one process: what it prints, how long it takes, and its peak memory."""

import json
import os
import statistics
import subprocess
import tempfile
import time

from .progress import say

# A contestant whose run took longer than this many seconds runs once.
LONG = 60
# And one that takes longer than this is stopped.
LIMIT = 1800


class Contestant:
    """Someone who does the work: a name, and the command that does it or the reason why it cannot be done.

    The command's last line is JSON with `seconds`. With `whole` the whole process counts, and `reads` makes of all it printed
    what is to be reported. With `once` it runs once, however many repeats there are.
    """

    def __init__(self, name, command=None, absent=None, whole=False, reads=None, once=False):
        self.name = name
        self.command = command
        self.absent = absent
        self.whole = whole
        self.reads = reads or _last_line
        self.once = once

    @property
    def ours(self):
        return self.name.startswith("Secateur")


def _last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}


class Failed(Exception):
    """A run that gave no result."""


def run(contestant):
    """Runs a contestant once; returns what it reported, with `seconds` and `memory` (MiB)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.perf_counter()
        child = subprocess.Popen(contestant.command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        usage, code = _wait(child, begun)
        took = time.perf_counter() - begun
        out.seek(0)
        err.seek(0)
        if code:
            said = [line for line in err.read().decode(errors="replace").splitlines() if line.strip()]
            # A long message says first what is wrong.
            raise Failed(said[-1].strip().split("; ")[0] if said else f"exit code {code}")
        told = contestant.reads(out.read().decode(errors="replace"))
    if contestant.whole:
        told["seconds"] = took
    if "seconds" not in told:
        raise Failed("it reported no result")
    told["memory"] = usage.ru_maxrss / 1024
    return told


def _wait(child, begun):
    """Waits with the resources the child used; `wait4` is the only way to learn them for one child alone."""
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage, child.returncode
        if time.perf_counter() - begun > LIMIT:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = -9
            raise Failed(f"stopped after {LIMIT} s")
        time.sleep(0.002)


def race(key, title, contestants, repeats):
    """Lets contestants take turns, and gives the medians."""
    say(f"{key}: {title}")
    runs = {c.name: [] for c in contestants}
    failed = {c.name: c.absent for c in contestants if c.absent}
    for turn in range(repeats):
        for contestant in contestants:
            name = contestant.name
            long = any(told["seconds"] > LONG for told in runs[name])
            if name in failed or (turn and (long or contestant.once)):
                continue
            try:
                runs[name].append(run(contestant))
            except Failed as reason:
                failed[name] = str(reason)
                say(f"    {name}: {reason}")
    return {"key": key, "title": title, "contestants": [_summary(c, runs[c.name], failed) for c in contestants]}


def _summary(contestant, runs, failed):
    if contestant.name in failed:
        return {"name": contestant.name, "absent": failed[contestant.name]}
    runs = sorted(runs, key=lambda told: told["seconds"])
    seconds = statistics.median(told["seconds"] for told in runs)
    middle = runs[len(runs) // 2]
    return {
        **middle,
        "name": contestant.name,
        "ours": contestant.ours,
        "seconds": seconds,
        "memory": max(told["memory"] for told in runs),
        "runs": [told["seconds"] for told in runs],
    }
