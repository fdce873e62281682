"""The command line."""

import argparse
import os
import sys

from . import machine, places, report
from .progress import say
from .setup import Tools
from .steps import STEPS
from .suite import Suite
from .targets import judged

ABOUT = """Measures Secateur beside its peers on the same tables, in turn, and writes a report.

The first run installs the peers (Python packages into an environment in the cache folder; R with rpart and Weka with
apt-get, if root) and makes the tables. A peer that cannot be installed is reported as absent."""

EXAMPLES = """examples:
  bench/run --quick                   small tables, once: does everything work?
  bench/run                           the whole suite, about an hour
  bench/run --only grow,predict       two steps
  bench/run --repeats 5 --out report  more repeats, report elsewhere
  bench/run --data ../uci             covtype and the UCI sets from another folder"""


def parse(arguments):
    parser = argparse.ArgumentParser(
        "bench/run", description=ABOUT, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small tables and one repeat")
    parser.add_argument("--only", metavar="STEP[,STEP]", help="only these steps")
    parser.add_argument("--repeats", type=int, metavar="N", help="how often each measurement is made [3, or 1 with --quick]")
    parser.add_argument("--data", metavar="DIR", default=places.DATA, help="the UCI sets: a folder with classification/*.arff")
    parser.add_argument("--out", metavar="FOLDER", default=places.BENCH, help="where report.md and report.json go [bench]")
    parser.add_argument("--list", action="store_true", help="list the steps and leave")
    options = parser.parse_args(arguments)
    names = [step.name for step in STEPS]
    options.only = [name.strip() for name in options.only.split(",")] if options.only else names
    unknown = [name for name in options.only if name not in names]
    if unknown:
        parser.error(f"unknown step {unknown[0]}; the steps are {', '.join(names)}")
    if options.repeats is not None and options.repeats < 1:
        parser.error("--repeats: expected at least 1")
    return options


def main(arguments=None):
    options = parse(arguments)
    if options.list:
        width = max(len(step.name) for step in STEPS)
        for step in STEPS:
            print(f"{step.name:<{width}}  {step.about}")
        return 0
    chosen = [step for step in STEPS if step.name in options.only]
    repeats = options.repeats or (1 if options.quick else 3)
    tools = Tools()
    tools.ready({peer for step in chosen for peer in step.peers})
    for peer, why in tools.absent.items():
        say(f"{peer} is absent: {why}")
    suite = Suite(tools, options.quick, repeats, os.path.abspath(options.data))
    told = {
        "date": machine.today(),
        "quick": options.quick,
        "repeats": repeats,
        "machine": machine.machine(),
        "versions": machine.versions(tools),
        "absent": tools.absent,
        "targets": [],
        "steps": [],
    }
    for step in chosen:
        told["steps"].append({"name": step.name, "about": step.about, "races": step.run(suite)})
        # After every step, so that an interrupted run leaves what it has.
        told["targets"] = judged(told["steps"])
        text = report.write(told, options.out)
    print(text, end="")
    say(f"written: {os.path.join(options.out, 'report.md')} and report.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
