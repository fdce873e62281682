"""The steps, in the order in which they run."""

from . import growing, predicting, pruning, reading, weka_cv, whole

STEPS = [*reading.STEPS, *growing.STEPS, *pruning.STEPS, *predicting.STEPS, *whole.STEPS, *weka_cv.STEPS]
