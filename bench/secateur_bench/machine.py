"""What was measured where: the machine, the date, the versions."""

import datetime
import os
import platform

from . import places
from .setup import quiet


def _field(file, name):
    try:
        with open(file) as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), None)
    except OSError:
        return None


def machine():
    memory = _field("/proc/meminfo", "MemTotal")
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory.split()[0]) / 2**20, 1) if memory else None,
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions(tools):
    commit = quiet(["git", "rev-parse", "--short=12", "HEAD"], cwd=places.ROOT).stdout.strip()
    changed = quiet(["git", "status", "--porcelain", "--untracked-files=no"], cwd=places.ROOT).stdout.strip()
    return {
        "Secateur": (commit or "unknown") + (" with changes" if changed else ""),
        "rustc": quiet(["rustc", "--version"], cwd=places.ROOT).stdout.strip().removeprefix("rustc "),
        "Python": platform.python_version(),
        **tools.versions,
    }


def today():
    return datetime.date.today().isoformat()
