"""What scikit-learn measures on a few small vectors, to compare Secateur's measures with.

    python conformance/measures.py > conformance/measures.csv

A case is rows of (actual class, weight, probabilities). The label of a row is its most probable class, the first of
equal ones. The file has the cases themselves (`row` lines) and what was measured (`value` lines), so that a test needs
nothing else. Probabilities of 0 are raised to 1e-15 for the log loss here, because scikit-learn's own bound is another.
The parts of the Brier score are computed here from Murphy's definition, and so is the calibration error, which
`sklearn.calibration` confirms where all weights are equal. The probabilities have few digits and none is computed, so that ties are ties in every program.
"""

import csv
import sys
import warnings

import numpy as np
from sklearn import metrics
from sklearn.calibration import calibration_curve

CASES = {
    "two": [
        (0, 1.0, (0.9, 0.1)),
        (0, 1.0, (0.4, 0.6)),
        (0, 1.0, (0.75, 0.25)),
        (1, 1.0, (0.75, 0.25)),
        (1, 1.0, (0.25, 0.75)),
        (1, 1.0, (0.1, 0.9)),
        (1, 1.0, (0.5, 0.5)),
    ],
    "two-weighted": [
        (0, 2.0, (0.9, 0.1)),
        (0, 0.5, (0.4, 0.6)),
        (0, 1.25, (0.75, 0.25)),
        (1, 3.0, (0.75, 0.25)),
        (1, 0.125, (0.25, 0.75)),
        (1, 1.0, (0.4, 0.6)),
        (1, 4.5, (0.5, 0.5)),
    ],
    "three": [
        (0, 1.0, (0.7, 0.2, 0.1)),
        (0, 1.0, (0.3, 0.4, 0.3)),
        (1, 1.0, (0.2, 0.5, 0.3)),
        (1, 1.0, (0.7, 0.2, 0.1)),
        (1, 1.0, (0.1, 0.6, 0.3)),
        (2, 1.0, (0.2, 0.2, 0.6)),
        (2, 1.0, (0.3, 0.4, 0.3)),
        (2, 1.0, (0.05, 0.05, 0.9)),
    ],
    "three-weighted": [
        (0, 1.5, (0.7, 0.2, 0.1)),
        (0, 0.25, (0.3, 0.4, 0.3)),
        (1, 2.0, (0.2, 0.5, 0.3)),
        (1, 1.0, (0.7, 0.2, 0.1)),
        (1, 0.75, (0.1, 0.6, 0.3)),
        (2, 3.0, (0.2, 0.2, 0.6)),
        (2, 1.0, (0.3, 0.4, 0.3)),
        (2, 0.5, (0.05, 0.05, 0.9)),
    ],
    "certain": [
        (0, 1.0, (1.0, 0.0)),
        (0, 2.0, (0.0, 1.0)),
        (1, 1.0, (0.0, 1.0)),
        (1, 1.0, (0.5, 0.5)),
    ],
    "never-predicted": [
        (0, 1.0, (0.6, 0.3, 0.1)),
        (1, 1.0, (0.5, 0.4, 0.1)),
        (2, 2.0, (0.5, 0.3, 0.2)),
        (1, 1.0, (0.3, 0.6, 0.1)),
    ],
}



def brier_parts(actual, weights, p):
    """Reliability, resolution and uncertainty over the distinct forecasts (Murphy 1973)."""
    hot = np.eye(p.shape[1])[actual]
    overall = np.average(hot, axis=0, weights=weights)
    reliability = resolution = 0.0
    for forecast in np.unique(p, axis=0):
        same = (p == forecast).all(axis=1)
        observed = np.average(hot[same], axis=0, weights=weights[same])
        reliability += weights[same].sum() * ((forecast - observed) ** 2).sum()
        resolution += weights[same].sum() * ((observed - overall) ** 2).sum()
    return reliability / weights.sum(), resolution / weights.sum(), (overall * (1 - overall)).sum()


def bins(happened, said, weights):
    """Weight, mean probability and share of each of ten bins that is not empty."""
    place = np.searchsorted(np.linspace(0, 1, 11)[1:-1], said)
    found = []
    for b in np.unique(place):
        here = place == b
        mean = [np.average(x[here], weights=weights[here]) for x in (said, happened)]
        found.append((weights[here].sum(), *mean))
    if (weights == weights[0]).all():
        shares, means = calibration_curve(happened, said, n_bins=10, strategy="uniform")
        assert np.allclose(means, [b[1] for b in found]) and np.allclose(shares, [b[2] for b in found])
    return found


def calibration_error(happened, said, weights):
    return sum(w * abs(share - mean) for w, mean, share in bins(happened, said, weights)) / weights.sum()


REGRESSION = [(1.0, 1.5, 1.0), (2.0, 1.5, 2.0), (-3.25, -1.0, 0.5), (10.0, 12.5, 0.125), (0.0, 0.0, 1.0)]


def main():
    warnings.simplefilter("ignore")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["case", "kind", "name", "numbers"])

    def value(case, name, *numbers):
        out.writerow([case, "value", name, " ".join(repr(float(x)) for x in numbers)])

    for case, rows in CASES.items():
        actual = np.array([row[0] for row in rows])
        weights = np.array([row[1] for row in rows])
        p = np.array([row[2] for row in rows])
        classes = p.shape[1]
        labels = p.argmax(axis=1)
        for row in rows:
            out.writerow([case, "row", row[0], " ".join(repr(float(x)) for x in (row[1], *row[2]))])
        value(case, "accuracy", metrics.accuracy_score(actual, labels, sample_weight=weights))
        value(case, "error", metrics.zero_one_loss(actual, labels, sample_weight=weights))
        clipped = np.maximum(p, 1e-15)
        if p.min() > 0:
            log_loss = metrics.log_loss(actual, p, sample_weight=weights)
        else:
            log_loss = np.average(-np.log(clipped[np.arange(len(p)), actual]), weights=weights)
        value(case, "log-loss", log_loss)
        hot = np.eye(classes)[actual]
        squares = metrics.mean_squared_error(hot, p, sample_weight=weights)
        value(case, "rmse-probability", np.sqrt(squares))
        value(case, "brier", squares * classes)
        parts = brier_parts(actual, weights, p)
        assert abs(parts[0] - parts[1] + parts[2] - squares * classes) < 1e-12
        for name, part in zip(("reliability", "resolution", "uncertainty"), parts):
            value(case, f"brier-{name}", part)
        right, sure = (labels == actual).astype(int), p[np.arange(len(p)), labels]
        value(case, "ece", calibration_error(right, sure, weights))
        for j in range(classes):
            for i, found in enumerate(bins((actual == j).astype(int), p[:, j], weights)):
                value(case, f"bin {j} {i}", *found)
        if classes == 2:
            # scikit-learn's Brier score of two classes looks at one of them, which is half of the sum over both.
            half = metrics.brier_score_loss(actual, p[:, 1], sample_weight=weights)
            assert abs(2 * half - squares * classes) < 1e-12
            auc = metrics.roc_auc_score(actual, p[:, 1], sample_weight=weights)
        else:
            one_hot = np.eye(classes)[actual]
            auc = metrics.roc_auc_score(one_hot, p, average="weighted", sample_weight=weights)
        value(case, "auc", auc)
        for i, line in enumerate(metrics.confusion_matrix(actual, labels, sample_weight=weights)):
            value(case, f"confusion {i}", *line)
        scores = metrics.precision_recall_fscore_support(actual, labels, sample_weight=weights, zero_division=0)
        for name, numbers in zip(("precision", "recall", "f1", "support"), scores):
            value(case, name, *numbers)
        mean = metrics.precision_recall_fscore_support(
            actual, labels, sample_weight=weights, zero_division=0, average="macro"
        )
        value(case, "macro", *mean[:3])

    for y, predicted, weight in REGRESSION:
        out.writerow(["numbers", "row", "", f"{weight} {y} {predicted}"])
    y, predicted, weights = (np.array(column) for column in zip(*REGRESSION))
    value("numbers", "mse", metrics.mean_squared_error(y, predicted, sample_weight=weights))
    value("numbers", "mae", metrics.mean_absolute_error(y, predicted, sample_weight=weights))


if __name__ == "__main__":
    main()
