#!/usr/bin/env python3
"""Count the words of a text with many different ones in little memory, and in all that it takes.

The text is made as it is read: lines of 20 words that come once, one that comes 5 times far apart
and one that comes 4 times. Both runs must save the same vocabulary, and the first must stay within
its memory; the exit code is 0 when they do. Temporary files go to $TMPDIR, about 60 bytes a word.
Standard library only: see measure in lib/acevec.py.
"""

import filecmp
import os
import subprocess
import sys
import tempfile

from lib.acevec import find_acevec, measure, read_log, report
from lib.cli import Parser, UserError, count, run

LINE = 20
FACTOR = 1234577  # a prime: the words come in no order


def write(words):
    """Print the text."""
    lines = words // LINE
    for line in range(lines):
        print(*(f"word{FACTOR * (LINE * line + i) % words}" for i in range(LINE)),
              f"five{line % -(-lines // 5)}", f"four{line % -(-lines // 4)}")


def counted(words, options, vocabulary):
    """Count in a process of its own; return its peak memory in MiB, seconds and tokens."""
    log = vocabulary + ".log"
    with subprocess.Popen([sys.executable, __file__, "--write", "--words", str(words)],
                          stdout=subprocess.PIPE) as text:
        spent = measure([find_acevec(), "-train", "-", "-save-vocab", vocabulary,
                         "-debug", "2", *options], log, text.stdout)
    if text.returncode:
        raise UserError("the text was truncated: its writer was ended; run it again")
    lines = read_log(log).splitlines()
    print(*(line for line in lines if line.startswith(("read ", "counting: "))), sep="\n")
    return spent.peak_mib, spent.seconds, report("\n".join(lines))["tokens"]


def main():
    parser = Parser(description=__doc__)
    parser.add_argument("--words", type=count, default=50_000_000, metavar="N",
                        help="different words that come once, in lines of 20 (default: 50,000,000)")
    parser.add_argument("--mib", type=count, default=600,
                        help="memory of the first run (default: 600)")
    parser.add_argument("--threads", type=count, default=os.cpu_count(), help="(default: all)")
    parser.add_argument("--write", action="store_true", help="only print the text")
    options = parser.parse_args()
    if options.write:
        write(options.words)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("little", "much")]
        limits = [["-max-memory", f"{options.mib}M"], []]
        peaks = []
        for file, limit in zip(files, limits):
            mib, seconds, tokens = counted(
                options.words, ["-threads", str(options.threads), *limit], file)
            peaks.append(mib)
            print(f"{' '.join(limit) or 'no limit'}: {mib:.0f} MiB at most, {seconds:.0f} s, "
                  f"{tokens:,} tokens", flush=True)
        if not filecmp.cmp(*files, shallow=False):
            raise UserError("the vocabularies differ; counting is not exact")
    if peaks[0] > options.mib:
        raise UserError(f"counting took {peaks[0]:.0f} MiB, more than -max-memory")
    return 0


if __name__ == "__main__":
    run(main)
