"""The report of a run, as Markdown and as JSON."""

import json
import os


def write(report, folder):
    """Writes report.md and report.json; returns the Markdown."""
    os.makedirs(folder, exist_ok=True)
    text = markdown(report)
    with open(os.path.join(folder, "report.md"), "w") as out:
        out.write(text)
    with open(os.path.join(folder, "report.json"), "w") as out:
        json.dump(report, out, indent=1, ensure_ascii=False)
        out.write("\n")
    return text


def markdown(report):
    lines = ["# Secateur beside its peers", ""]
    if report["quick"]:
        lines += ["**A quick run on small tables: it shows that everything works, and judges nothing.**", ""]
    lines += _targets(report) + ["", *_circumstances(report)]
    for step in report["steps"]:
        lines += ["", f"## {step['name']}", "", step["about"]]
        for race in step["races"]:
            lines += ["", f"### {race['title']}", "", *_race(race)]
    return "\n".join(lines) + "\n"


def table(header, rows):
    head = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    return head + [f"| {' | '.join(_escaped(cell) for cell in row)} |" for row in rows]


def _escaped(cell):
    return str(cell).replace("|", "\\|").replace("\n", " ")


def _targets(report):
    rows = []
    for target in report["targets"]:
        sign = "≥" if target["bound"] == "least" else "≤"
        measured = target["measured"]
        verdict = "not measured" if measured is None else "quick" if report["quick"] else "yes" if target["met"] else "**no**"
        rows.append([target["target"], target["peer"], f"{sign} {target['asked']}", _ratio(measured), verdict])
    head = table(["target", "peer", "ratio asked", "ratio measured", "met?"], rows)
    return head + ["", "One thread unless said. A ratio is the peer's time divided by Secateur's; higher is better, except with ≤."]


def _circumstances(report):
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    lines = [
        f"- {report['date']}, {machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}",
        f"- {versions}",
        f"- medians of {report['repeats']}, taking turns; peak memory is that of the whole process, its interpreter and the table included",
    ]
    return lines + [f"- {name} absent: {why}" for name, why in report["absent"].items()]


def _race(race):
    contestants = race["contestants"]
    base = next((c for c in contestants if c.get("ours")), None)
    present = [c for c in contestants if "seconds" in c]
    optional = [
        ("code", "coding", duration),
        ("grow", "growing", duration),
        ("leaves", "leaves", lambda x: f"{x:,}"),
        ("full", "full", lambda x: f"{x:,}"),
        ("depth", "depth", str),
        ("members", "members", lambda x: f"{x:,}"),
        ("per_l_log_l", "per L ln L", duration),
        ("error", "error", lambda x: f"{100 * x:.2f} %"),
        ("accuracy", "accuracy", lambda x: f"{100 * x:.2f} %"),
        ("rows", "rows", lambda x: f"{x:,}"),
    ]
    shown = [column for column in optional if any(column[0] in c for c in present)]
    if not any("error" in c and not c["ours"] for c in present):
        # Without a peer's error there is nothing to compare, and that of a full tree says nothing.
        shown = [column for column in shown if column[0] != "error"]
    header = ["", "time", "× Secateur's", "peak memory", *(title for _, title, _ in shown)]
    rows = []
    for c in contestants:
        if "seconds" not in c:
            rows.append([c["name"], f"absent: {c['absent']}", *[""] * (len(header) - 2)])
            continue
        ratio = _ratio(c["seconds"] / base["seconds"]) if base else "–"
        more = [form(c[field]) if field in c else "" for field, _, form in shown]
        rows.append([c["name"], duration(c["seconds"]), ratio, f"{c['memory']:.0f} MiB", *more])
    return table(header, rows) + [line for c in present if "pruners" in c for line in ["", *_pruners(c)]]


def _pruners(contestant):
    growing = contestant["seconds"]
    rows = [
        [p["pruner"], duration(p["seconds"]), f"{100 * p['seconds'] / growing:.3f} %", f"{p['leaves']:,}"]
        for p in contestant["pruners"]
    ]
    return table(["pruner", "time", "of growing", "leaves left"], rows)


def _ratio(x):
    if x is None:
        return "–"
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}" if x >= 0.1 else f"{x:.4f}"


def duration(seconds):
    """Three digits with a unit."""
    for unit, size in [("s", 1), ("ms", 1e-3), ("µs", 1e-6)]:
        if seconds >= size:
            value = seconds / size
            return f"{value:.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}" if value >= 10 else f"{value:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
