#!/usr/bin/env python3
"""Run the noise benchmark and set out its times: for a million words, milliseconds to find the
distribution from the counts (classes included), and nanoseconds for one draw.

`zipf` are counts as words have them, of 16663 different values; `distinct` are counts that all
differ, the most work there can be. Medians over repetitions that take turns. Standard library only.
"""

import os
from statistics import median

import common
from cli import Parser, UserError, run
from kernels import run_benchmark

COLUMNS = ("work", "counts", "options", "classes", "time", "unit")
UNITS = {"solve": ("ms", 1e6), "draw": ("ns", 1)}  # in nanoseconds


def table_rows(results):
    """Return COLUMNS -> value for each benchmark in the program's JSON."""
    runs = {}
    for entry in sorted(results["benchmarks"], key=lambda entry: entry.get("family_index", 0)):
        if entry.get("run_type") != "aggregate":
            runs.setdefault(entry["name"], []).append(entry)
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


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    add("program", nargs="?", metavar="BENCH_NOISE",
        default=os.path.join(common.ROOT, "build", "bench_noise"),
        help="the benchmark's program (build/bench_noise)")
    add("--repetitions", type=common.count, default=3, metavar="N",
        help="runs of each, spread at random (3)")
    add("--seconds", type=float, default=0.05, metavar="X", help="least time of a run (0.05)")
    add("--out", metavar="FILE", default=os.path.join(common.RESULTS, "bench-noise.tsv"),
        help="the table as TSV (eval/results/bench-noise.tsv)")
    options = parser.parse_args()

    rows = table_rows(run_benchmark(options.program, [
        f"--benchmark_repetitions={options.repetitions}",
        f"--benchmark_min_time={options.seconds}", "--benchmark_enable_random_interleaving=true"]))
    with common.open_table(options.out, COLUMNS) as table:
        for row in rows:
            common.write_row(table, row)
    show(rows)
    return 0


if __name__ == "__main__":
    run(main)
