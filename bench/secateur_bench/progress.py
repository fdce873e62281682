"""What is shown while the suite works: lines on standard error."""

import sys
import time

BEGUN = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - BEGUN:6.1f} s] {text}", file=sys.stderr, flush=True)
