"""`python -m acevec` and the script `acevec`: the program takes Python's place."""

import os
import signal
import sys

from acevec import program

for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python; the program would inherit that
    signal.signal(ignored, signal.SIG_DFL)
os.execv(program(), ["acevec", *sys.argv[1:]])
