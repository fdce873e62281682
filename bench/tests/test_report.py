"""What the report says of made-up measurements: python3 -m unittest discover bench/tests"""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from secateur_bench import report  # noqa: E402
from secateur_bench.targets import TARGETS, judged  # noqa: E402


def contestant(name, seconds, memory=100.0, **more):
    return {"name": name, "ours": name.startswith("Secateur"), "seconds": seconds, "memory": memory, "runs": [seconds], **more}


def run_of(*races):
    steps = [{"name": "grow", "about": "Full trees.", "races": list(races)}]
    return {
        "date": "2000-01-01", "quick": False, "repeats": 3, "versions": {"Secateur": "abc"}, "absent": {"ydf": "no wheel"},
        "machine": {"processor": "P", "cores": 2, "memory_gib": 4, "system": "Linux"},
        "targets": judged(steps), "steps": steps,
    }


GROWN = {
    "key": "grow/gaussian-100k",
    "title": "Gaussian 100k × 10",
    "contestants": [
        contestant("scikit-learn", 1.5, 300.0, leaves=11000),
        contestant("Secateur", 0.1, 90.0, leaves=11001),
        {"name": "ydf", "absent": "no wheel"},
    ],
}


class Report(unittest.TestCase):
    def test_a_target_is_met_when_the_peer_takes_that_many_times_as_long(self):
        told = {(t["target"], t["peer"]): t for t in run_of(GROWN)["targets"]}
        first = told["exact full tree, 100k × 10", "scikit-learn"]
        self.assertAlmostEqual(first["measured"], 15)
        self.assertIs(first["met"], True)
        memory = told["peak memory while growing, worst table", "scikit-learn"]
        self.assertAlmostEqual(memory["measured"], 0.3)
        self.assertIs(memory["met"], True)

    def test_what_was_not_measured_is_neither_met_nor_missed(self):
        targets = judged([])
        self.assertEqual(len(targets), len(TARGETS))
        self.assertTrue(all(t["measured"] is None and t["met"] is None for t in targets))

    def test_pruners_are_judged_by_their_share_of_growing(self):
        pruners = [{"pruner": "k-norm", "seconds": 0.004, "leaves": 9}]
        race = {"key": "prune/tree", "title": "t", "contestants": [contestant("Secateur", 1.0, pruners=pruners)]}
        report_of = run_of(race)
        found = next(t for t in report_of["targets"] if t["target"].startswith("k-norm"))
        self.assertAlmostEqual(found["measured"], 0.4)
        self.assertIn("| k-norm | 4.00 ms | 0.400 % | 9 |", report.markdown(report_of))

    def test_the_text_begins_with_the_targets_and_names_absent_peers(self):
        text = report.markdown(run_of(GROWN))
        self.assertLess(text.index("| target | peer |"), text.index("## grow"))
        self.assertIn("| exact full tree, 100k × 10 | scikit-learn | ≥ 14 | 15.0 | yes |", text)
        self.assertIn("| scikit-learn | 1.50 s | 15.0 | 300 MiB | 11,000 |", text)
        self.assertIn("| ydf | absent: no wheel |  |  |  |", text)
        self.assertIn("- ydf absent: no wheel", text)

    def test_a_quick_run_judges_nothing(self):
        told = run_of(GROWN)
        told["quick"] = True
        text = report.markdown(told)
        self.assertIn("| 15.0 | quick |", text)
        self.assertNotIn("| yes |", text)

    def test_both_files_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            report.write(run_of(GROWN), folder)
            with open(os.path.join(folder, "report.json")) as lines:
                self.assertEqual(json.load(lines)["steps"][0]["races"][0]["key"], "grow/gaussian-100k")
            self.assertTrue(os.path.exists(os.path.join(folder, "report.md")))

    def test_durations_have_three_digits(self):
        shown = [report.duration(x) for x in (123.4, 12.34, 0.1234, 1.234e-5, 7.8e-8)]
        self.assertEqual(shown, ["123 s", "12.3 s", "123 ms", "12.3 µs", "78 ns"])


if __name__ == "__main__":
    unittest.main()
