#!/usr/bin/env python3
"""Run the kernel benchmark and set each kernel beside its bound on this machine.

A product's bound is a large one-threaded sgemm of OpenBLAS, that of moving rows a plain copy of
memory (read and written bytes both count), measured in the same run, in turns with the kernels;
`% of bound` is a median over a median. The bound of every instruction set is sgemm with the
machine's best. More than 100% is possible: sgemm also packs its matrices, and rows of frequent
words stay in the caches. `ns/token` is a stage's time for each token that training keeps;
train_block is a whole step of training, all stages (of gather_rows and gather_and_add_rows only
the latter) and what lies between them; train_block_bf16 is one with -precision bf16, whose bound is
bfloat16's rate with all operands in the first cache, where the machine has that.

A second table has what a step does for a token, flops of its products and bytes of rows read and
written back, beside the time that either would take at its bound. Standard library only.
"""

from statistics import median

from lib.cli import UserError, run
from lib.microbenchmarks import carry_out

COLUMNS = ("kernel", "instruction_set", "size", "ns_per_token", "rate", "unit",
           "percent_of_bound", "flops_per_token", "bytes_per_token")
BOUNDS = {"GFLOP/s": "sgemm_1024", "GB/s": "copy_64_mib"}
NARROW = "bfloat16_peak"  # bound of what ends in _bf16
WORK = COLUMNS[-2:]


def medians(runs):
    """Return {name: {counter: median over the repetitions}}."""
    return {name: {counter: median(entry[counter] for entry in entries)
                   for counter in (*BOUNDS, *WORK, "items_per_second") if counter in entries[0]}
            for name, entries in runs.items()}


def bound_of(kernel, unit, kernels):
    """Return the bound of a kernel, by name; sgemm's where the machine has no bfloat16."""
    narrow = kernel == NARROW or kernel.endswith("_bf16") and NARROW in kernels
    return NARROW if narrow and unit == "GFLOP/s" else BOUNDS[unit]


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
        percent = 100 * rate / kernels[bound_of(kernel, unit, kernels)][unit] if unit else None
        rows.append(dict(zip(COLUMNS, (kernel, instruction_set, size,
                                       1e9 / tokens if tokens else None, rate,
                                       unit or "M tokens/s", percent,
                                       *(counters.get(name) for name in WORK)))))
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
    show_work(rows)


def show_work(rows):
    """Print the second table."""
    rates = {row["kernel"]: row["rate"] for row in rows if row["percent_of_bound"]}
    print(f"\n{'step':<24} {'set':<11} {'size':>4} {'flops':>7} {'bytes':>6} {'ns/token':>9} "
          f"{'of flops':>9} {'of bytes':>9} % of nearer bound")
    for row in rows:
        if row["flops_per_token"] is None:
            continue
        flops = row["flops_per_token"] / rates[bound_of(row["kernel"], "GFLOP/s", rates)]
        moved = row["bytes_per_token"] / rates[BOUNDS["GB/s"]]
        print(f"{row['kernel']:<24} {row['instruction_set']:<11} {row['size']:>4} "
              f"{row['flops_per_token']:>7.0f} {row['bytes_per_token']:>6.0f} "
              f"{row['ns_per_token']:>9.1f} {flops:>9.1f} {moved:>9.1f} "
              f"{100 * max(flops, moved) / row['ns_per_token']:>17.0f}")


if __name__ == "__main__":
    run(lambda: carry_out(__doc__, "kernels", COLUMNS, table_rows, show, repetitions=5,
                          seconds=0.1))
