#!/usr/bin/env python3
"""Run the kernel benchmark and set each kernel beside its bound on this machine.

A product's bound is a large one-threaded sgemm of OpenBLAS, that of moving rows a plain copy of
memory (read and written bytes both count), measured in the same run, in turns with the kernels;
`% of bound` is a median over a median. The bound of every instruction set is sgemm with the
machine's best. More than 100% is possible: sgemm also packs its matrices, and rows of frequent
words stay in the caches. `ns/token` is a stage's time for each token that training keeps;
train_block is a whole step of training, all stages (of gather_rows and gather_and_add_rows only
the latter) and what lies between them. Standard library only.
"""

from statistics import median

from lib.cli import UserError, run
from lib.microbenchmarks import carry_out

COLUMNS = ("kernel", "instruction_set", "size", "ns_per_token", "rate", "unit",
           "percent_of_bound")
BOUNDS = {"GFLOP/s": "sgemm_1024", "GB/s": "copy_64_mib"}


def medians(runs):
    """Return {name: {counter: median over the repetitions}}."""
    return {name: {counter: median(entry[counter] for entry in entries)
                   for counter in (*BOUNDS, "items_per_second") if counter in entries[0]}
            for name, entries in runs.items()}


def table_rows(runs):
    """Return COLUMNS -> value for each benchmark; raise UserError when a bound is missing."""
    kernels = medians(runs)
    missing = [name for name in BOUNDS.values() if name not in kernels]
    if missing:
        raise UserError(f"the benchmark ran without {', '.join(missing)}, which is a bound; "
                        "build it again")
    rows = []
    for name, counters in kernels.items():
        kernel, instruction_set, size = (name.split("/") + [None, None])[:3]
        if instruction_set == "real_time":  # how the time was taken, not part of the name
            instruction_set = size = None
        unit = next((unit for unit in BOUNDS if unit in counters), None)
        tokens = counters.get("items_per_second")
        rate = counters[unit] if unit else tokens / 1e6
        percent = 100 * rate / kernels[BOUNDS[unit]][unit] if unit else None
        rows.append(dict(zip(COLUMNS, (kernel, instruction_set, size,
                                       1e9 / tokens if tokens else None, rate,
                                       unit or "M tokens/s", percent))))
    return rows


def show(rows):
    """Print the table."""
    print(f"{'kernel':<24} {'set':<8} {'size':>4} {'ns/token':>9} {'rate':>8} {'':<11} % of bound")
    for row in rows:
        def text(column, form):
            return "" if row[column] is None else form.format(row[column])
        print(f"{row['kernel']:<24} {text('instruction_set', '{}'):<8} {text('size', '{}'):>4} "
              f"{text('ns_per_token', '{:.1f}'):>9} {row['rate']:>8.1f} {row['unit']:<11} "
              f"{text('percent_of_bound', '{:.0f}'):>10}")


if __name__ == "__main__":
    run(lambda: carry_out(__doc__, "kernels", COLUMNS, table_rows, show, repetitions=5,
                          seconds=0.1))
