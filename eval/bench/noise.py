#!/usr/bin/env python3
"""Run the noise benchmark and set out its times: for a million words, milliseconds to find the
distribution from the counts (classes included), and nanoseconds for one draw.

`zipf` are counts as words have them, of 16663 different values; `distinct` are counts that all
differ, the most work there can be. Medians over repetitions that take turns. Standard library only.
"""

from statistics import median

from lib.cli import UserError, run
from lib.microbenchmarks import carry_out

COLUMNS = ("work", "counts", "options", "classes", "time", "unit")
UNITS = {"solve": ("ms", 1e6), "draw": ("ns", 1)}  # in nanoseconds


def table_rows(runs):
    """Return COLUMNS -> value for each benchmark."""
    rows = []
    for name, entries in runs.items():
        work, counts, options = name.split("/")
        unit, nanoseconds = UNITS[work]
        rows.append(dict(zip(COLUMNS, (
            work, counts, options, int(entries[0]["classes"]),
            median(entry["cpu_time"] for entry in entries) / nanoseconds, unit))))
    if not rows:
        raise UserError("the benchmark ran nothing; build it again")
    return rows


def show(rows):
    """Print the table."""
    print(f"{'work':<6} {'counts':<9} {'options':<40} {'classes':>8} {'time':>8}")
    for row in rows:
        print(f"{row['work']:<6} {row['counts']:<9} {row['options']:<40} {row['classes']:>8} "
              f"{row['time']:>8.1f} {row['unit']}")


if __name__ == "__main__":
    run(lambda: carry_out(__doc__, "noise", COLUMNS, table_rows, show, repetitions=3,
                          seconds=0.05))
