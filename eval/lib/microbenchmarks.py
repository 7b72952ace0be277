"""What the scripts that run a program of Google Benchmark's share. Standard library only."""

import json
import os
import subprocess

from lib import tables
from lib.cli import Parser, UserError, count
from lib.texts import RESULTS, ROOT

FACTS = ("openblas_core",)  # what a program says of itself that belongs into the table's head


def run_benchmark(program, options):
    """Run the program; return what it writes as JSON."""
    try:
        done = subprocess.run([program, "--benchmark_format=json", *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              universal_newlines=True)
    except OSError as error:
        target = os.path.basename(program).replace("_", "-")
        raise UserError(f"{program}: {error.strerror}; build it with make {target}") from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        reason = (done.stderr.strip().split("\n")[-1] or "no reason given")[:200]
        raise UserError(f"{program} gave no results (status {done.returncode}: {reason}); "
                        "run it by hand") from None


def runs_of(results):
    """Return {name: [what its runs gave]} from the program's JSON."""
    runs = {}
    # They were run in turns; family_index is the order in which the program names them.
    for entry in sorted(results["benchmarks"], key=lambda entry: entry.get("family_index", 0)):
        if entry.get("run_type") != "aggregate":
            runs.setdefault(entry["name"], []).append(entry)
    return runs


def carry_out(description, name, columns, table_rows, show, repetitions, seconds):
    """All of such a script: run build/bench_NAME, write bench-NAME.tsv, print; return 0.

    table_rows: makes of runs_of() the rows, columns -> value, which show prints; repetitions and
    seconds: of a run, by default.
    """
    parser = Parser(description=description)
    add = parser.add_argument
    add("program", nargs="?", metavar=f"BENCH_{name.upper()}",
        default=os.path.join(ROOT, "build", f"bench_{name}"),
        help=f"the benchmark's program (build/bench_{name})")
    add("--repetitions", type=count, default=repetitions, metavar="N",
        help="runs of each, spread at random (%(default)s)")
    add("--seconds", type=float, default=seconds, metavar="X",
        help="least time of a run (%(default)s)")
    add("--out", metavar="FILE", default=os.path.join(RESULTS, f"bench-{name}.tsv"),
        help=f"the table as TSV (eval/results/bench-{name}.tsv)")
    options = parser.parse_args()

    results = run_benchmark(options.program, [
        f"--benchmark_repetitions={options.repetitions}",
        f"--benchmark_min_time={options.seconds}", "--benchmark_enable_random_interleaving=true"])
    rows = table_rows(runs_of(results))
    known = results.get("context", {})
    facts = {fact: known[fact] for fact in FACTS if fact in known}
    tables.write(tables.Table(options.out, columns, facts), rows)
    show(rows)
    return 0
