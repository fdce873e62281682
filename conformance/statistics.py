"""What SciPy answers: tails, quantiles, tests and intervals.

    python conformance/statistics.py conformance

Writes statistics.csv into the argument. Needs SciPy. A row is a name, its input (numbers apart by spaces, lists apart by
semicolons) and the answer, one number or several. Where SciPy has no such test, the answer is computed here from the
definition with SciPy's distributions. Random tables come from NumPy's generator with a fixed seed.
"""

import os
import sys

# The folder of this script is on the path and would hide the standard library's module of its name.
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]

import numpy as np
import scipy
from scipy import stats

rows = []


def add(name, value, *lists):
    text = ";".join(" ".join(repr(float(v)) for v in np.atleast_1d(part)) for part in lists)
    answer = " ".join(repr(float(v)) for v in np.atleast_1d(value))
    rows.append(f"{name},{text},{answer}")


def distributions():
    for z in [-8.0, -1.5, -1e-9, 0.0, 1e-6, 0.3, 0.6744897501960817, 1.0, 1.959963984540054, 3.0, 6.0, 12.0, 30.0]:
        add("normal_tail", stats.norm.sf(z), z)
    for p in [1e-300, 1e-20, 1e-6, 0.001, 0.025, 0.05, 0.3, 0.4999, 0.5, 0.7, 0.975, 0.999999]:
        add("normal_quantile", stats.norm.isf(p), p)
    for df in [1, 2, 3, 4, 9, 10, 29, 30, 99, 399, 999, 9999, 100000, 10000000]:
        for t in [-3.0, 0.0, 1e-6, 1e-4, 0.1, 0.7, 1.0, 1.9842, 2.5, 5.0, 9.0, 20.0]:
            add("t_tail", stats.t.sf(t, df), t, df)
        for p in [1e-12, 1e-6, 0.0005, 0.005, 0.025, 0.05, 0.25, 0.45]:
            add("t_quantile", stats.t.isf(p, df), p, df)
    for df in [1, 2, 3, 5, 9, 19, 49, 199]:
        for x in [1e-6, 0.1, 0.7, 1.0, 3.84, 9.28, 25.0, 60.0, 180.0]:
            add("chi2_tail", stats.chi2.sf(x, df), x, df)
    for df1, df2 in [(1, 1), (1, 9), (3, 39), (5, 2), (9, 171), (49, 4851), (2, 1000000)]:
        for f in [1e-6, 0.1, 0.9, 1.0, 1.3, 2.85, 3.69, 8.0, 40.0]:
            add("f_tail", stats.f.sf(f, df1, df2), f, df1, df2)
    for k in [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 80]:
        for alpha in [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99]:
            q = stats.studentized_range.ppf(1 - alpha, k, np.inf)
            add("range_quantile", q, alpha, k)
            add("critical_difference", q / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * 14)), k, 14, alpha)


def t_tests(rng):
    for n in [2, 3, 5, 10, 100]:
        for shift in [0.0, 0.01, 0.05]:
            d = np.round(rng.normal(shift, 0.05, n), 4)
            test = stats.ttest_1samp(d, 0)
            sides = [stats.ttest_1samp(d, 0, alternative=side).pvalue for side in ["greater", "less"]]
            add("t_test", [test.statistic, test.pvalue, *sides, d.mean() / d.std(ddof=1)], d)
            for level in [0.5, 0.95, 0.999]:
                add("mean_interval", stats.t.interval(level, n - 1, d.mean(), stats.sem(d)), d, level)
            for ratio in [1 / 9, 0.5]:
                error = np.sqrt((1 / n + ratio) * d.var(ddof=1))
                t = d.mean() / error
                half = stats.t.isf(0.05, n - 1) * error
                answer = [t, 2 * stats.t.sf(abs(t), n - 1), d.mean() - half, d.mean() + half]
                add("corrected_90", answer, d, ratio)


def counts():
    for a, n, b, m in [(30, 100, 20, 100), (1, 50, 9, 60), (400, 1000, 431, 1200), (3, 7, 2, 9), (1, 100000, 9, 90000)]:
        pa, pb = a / n, b / m
        error = np.sqrt(pa * (1 - pa) / n + pb * (1 - pb) / m)
        both = (a + b) / (n + m)
        pooled = np.sqrt(both * (1 - both) * (1 / n + 1 / m))
        for name, e in [("proportions", error), ("pooled_proportions", pooled)]:
            z = (pa - pb) / e
            # At 90 %, as Mansour has it; the interval is never pooled.
            add(name, [z, 2 * stats.norm.sf(abs(z)), *stats.norm.interval(0.9, pa - pb, error)], [a, n, b, m])
    for b, c in [(0, 1), (1, 7), (5, 9), (10, 10), (3, 40), (120, 171), (0, 60), (40000, 41000)]:
        chi2 = max(abs(b - c) - 1, 0) ** 2 / (b + c)
        add("mcnemar", [stats.binomtest(b, b + c, 0.5).pvalue, chi2, stats.chi2.sf(chi2, 1)], [b, c])
    for x, n in [(0, 10), (1, 10), (5, 10), (10, 10), (37, 150), (999, 1000), (1, 100000)]:
        for level in [0.9, 0.95, 0.999]:
            interval = stats.binomtest(x, n).proportion_ci(level, method="wilson")
            add("wilson", [interval.low, interval.high], [x, n], level)


def ranks(rng):
    for n, k in [(2, 2), (4, 3), (10, 5), (14, 4), (33, 12)]:
        for digits in [1, 2, 6]:
            scores = np.round(rng.normal(0.8, 0.1, (n, k)) + 0.02 * np.arange(k), digits)
            average = np.array([stats.rankdata(-row) for row in scores]).mean(axis=0)
            add("average_ranks", average, *scores)
            chi2 = 12 * n / (k * (k + 1)) * (np.sum(average**2) - k * (k + 1) ** 2 / 4)
            f = (n - 1) * chi2 / (n * (k - 1) - chi2)
            answer = [chi2, stats.chi2.sf(chi2, k - 1), f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))]
            add("friedman", answer, *scores)
            if k > 2:
                tied = stats.friedmanchisquare(*scores.T)
                add("friedman_tied", [tied.statistic, tied.pvalue], *scores)
            error = np.sqrt(k * (k + 1) / (6 * n))
            z = (average[1:] - average[0]) / error
            add("nemenyi_first", stats.studentized_range.sf(np.abs(z) * np.sqrt(2), k, np.inf), *scores)
            p = 2 * stats.norm.sf(np.abs(z))
            order = np.argsort(p, kind="stable")
            adjusted = np.empty(k - 1)
            adjusted[order] = np.maximum.accumulate(np.minimum(1, p[order] * np.arange(k - 1, 0, -1)))
            add("control_first", [*z, *adjusted], *scores)


def pairs(rng):
    for n in [3, 6, 14, 30, 50, 51, 120]:
        for shift in [0.0, 0.03]:
            # No equal differences: counted out up to 50.
            size = (1 + rng.permutation(n)) / 1000
            d = size * np.where(rng.random(n) < 0.5 + 10 * shift, 1, -1)
            b = np.round(rng.normal(0.8, 0.05, n), 3)
            a = np.round(b + d, 3)
            d = np.round(a - b, 3)
            p = stats.wilcoxon(d, method="exact" if n <= 50 else "asymptotic", correction=False).pvalue
            add("wilcoxon", [p, p], a, b)
            # Equal differences and zeros.
            b = np.round(rng.normal(0.8, 0.05, n), 2)
            a = np.round(b + rng.normal(shift, 0.05, n), 2)
            a[:2] = b[:2]
            d = np.round(a - b, 2)
            # SciPy leaves no zero out of an odd number: take an even one.
            if np.sum(d == 0) % 2 == 1:
                i = np.flatnonzero(d == 0)[0]
                a[i] = np.round(b[i] + 0.01, 2)
                d = np.round(a - b, 2)
            unequal = d[d != 0]
            exact = len(unequal) <= 50 and len(np.unique(np.abs(unequal))) == len(unequal)
            dropped = stats.wilcoxon(unequal, method="exact" if exact else "asymptotic", correction=False)
            split = stats.wilcoxon(d, zero_method="zsplit", method="asymptotic", correction=False)
            add("wilcoxon", [dropped.pvalue, split.pvalue], a, b)
            add("cliffs_delta", np.sign(a[:, None] - b[None, :]).mean(), a, b)


def main():
    rng = np.random.default_rng(1)
    distributions()
    t_tests(rng)
    counts()
    ranks(rng)
    pairs(rng)
    with open(os.path.join(sys.argv[1], "statistics.csv"), "w") as file:
        file.write(f"# SciPy {scipy.__version__}, NumPy {np.__version__}; made by statistics.py\n")
        file.write("name,input,value\n")
        file.write("\n".join(rows) + "\n")


main()
