#!/usr/bin/env python3
"""Measure training in several processes (acevec-mpi): quality, cost, and two hosts.

  quality  1, 2, 4, 8, 16 processes of one thread each on this machine, oversubscribed where need
           be: WS353, RW, the mean of five sets, and what they have sent; times mean nothing there
  hosts    two processes in two network namespaces joined by a link of 1 and of 10 Gb/s, a core
           for each, against one process of two threads; needs root, a quiet machine and two cores

Rows are added to eval/results/cluster-quality.tsv and cluster-hosts.tsv; what is there is not run
again. Standard library only. Needs acevec-mpi (make mpi) beside acevec, and mpirun.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile

from lib import acevec, grid, stats, tables, texts
from lib.cli import Parser, UserError, count, numbers, run, say

COST = ("exchanges", "bytes_per_token", "packing", "waiting")
SETS = ("ws353", "ws353-sim", "ws353-rel", "rw", "mturk287")
QUALITY = ("processes", "ace", "epochs", "options", "seed", "ws353", "rw", "mean", "seconds", *COST)
HOSTS = ("link", "options", "round", "seconds", "tokens_per_second", *COST)
ROOT_FLAGS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ["mpirun", "-q", "--oversubscribe", "--bind-to", "none"]

# What runs on the other side of the link: mpirun calls this as it would call ssh.
AGENT = """#!/bin/sh
shift
exec ip netns exec acevec-right unshare --uts sh -c "hostname acevec-right; $*"
"""
PIN = """#!/bin/sh
exec taskset -c "$OMPI_COMM_WORLD_RANK" "$@"
"""
SUBNET = "10.77.0.0/24"
ADDRESSES = {"left": "10.77.0.1", "right": "10.77.0.2"}


def find_programs():
    """Return (acevec, acevec-mpi); raise UserError when one, or mpirun, is missing."""
    plain = acevec.find_acevec()
    mpi = os.path.join(os.path.dirname(plain), "acevec-mpi")
    if not shutil.which("mpirun") or not os.path.exists(mpi):
        raise UserError(f"no mpirun or no {mpi}; call make mpi")
    return plain, mpi


def cost_of(log):
    """What acevec-mpi says that working together has cost: {} of one process."""
    found = re.search(r"^\d+ processes: ([\d,]+) exchanges?, ([\d.]+) bytes sent .*; ([\d.]+)% of the "
                      r"time .*, ([\d.]+)% for waiting$", log, re.MULTILINE)
    return dict(zip(COST, map(acevec.number, found.groups()))) if found else dict.fromkeys(COST)


def train(command, folder):
    """Run a training command; return (what it says, its report)."""
    log = os.path.join(folder, "log")
    acevec.measure(command, log)
    said = acevec.read_log(log)
    return said, acevec.report(said)


def quality_row(programs, corpus, sets, scratch, run_of):
    """Train as a row of the plan has it; return its other columns."""
    plain, mpi = programs
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        vectors = os.path.join(folder, "v.bin")
        settings = {"seed": run_of["seed"], "iter": run_of["epochs"], "threads": 1}
        if run_of["ace"]:
            settings["ace"] = 1
        processes = run_of["processes"]
        command = acevec.training_command(plain if processes == 1 else mpi, corpus, vectors, settings)
        if run_of["ace"]:  # fewer negatives, which word2vec's settings would undo
            at = command.index("-negative")
            del command[at:at + 2]
        if processes > 1:
            command = [*MPIRUN, "-n", str(processes), *command, *(run_of["options"] or "").split()]
        said, report = train(command, folder)
        scores = acevec.quality(vectors, sets)
    return {"ws353": scores.get("ws353"), "rw": scores.get("rw"),
            "mean": stats.mean(list(scores.values())) if len(scores) == len(SETS) else None,
            "seconds": report["training_seconds"], **cost_of(said)}


def measure_quality(options, scratch):
    """Complete the table of quality; return its rows."""
    corpus = texts.unpacked(texts.find_corpus(options.corpus, scratch), scratch)
    if options.megabytes:
        corpus = first_part(corpus, options.megabytes, scratch)
    sets = texts.find_sets(options.wordsim, SETS)
    programs = find_programs()
    plan = [{"processes": processes, "ace": ace, "epochs": epochs,
             "options": options.options if processes > 1 else "", "seed": seed}
            for seed in range(1, options.seeds + 1) for epochs in options.epochs
            for ace in options.ace for processes in options.processes]
    table = tables.Table(options.quality_out, QUALITY, {"corpus": os.path.basename(corpus)})
    return grid.complete(plan, lambda row: quality_row(programs, corpus, sets, scratch, row), table)


def first_part(corpus, megabytes, scratch):
    """Return the path of a text's first so many megabytes."""
    path = os.path.join(scratch, f"first-{megabytes}.txt")
    with open(corpus, "rb") as source, open(path, "wb") as part:
        part.write(source.read(megabytes * 1_000_000))
        part.write(source.readline(texts.BLOCK))
    return path


def call(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@contextlib.contextmanager
def two_namespaces(gigabits):
    """Two network namespaces with a link of so many Gb/s between them."""
    def inside(side, *command):
        call("ip", "netns", "exec", f"acevec-{side}", *command)

    try:
        for side in ADDRESSES:
            call("ip", "netns", "add", f"acevec-{side}")
        call("ip", "link", "add", "ace-left", "netns", "acevec-left", "type", "veth",
             "peer", "name", "ace-right", "netns", "acevec-right")
        for side, address in ADDRESSES.items():
            device = f"ace-{side}"
            inside(side, "ip", "addr", "add", address + "/24", "dev", device)
            inside(side, "ip", "link", "set", device, "up")
            inside(side, "ip", "link", "set", "lo", "up")
            inside(side, "tc", "qdisc", "add", "dev", device, "root", "tbf", "rate",
                   f"{gigabits}gbit", "burst", "2mb", "latency", "20ms")
        yield
    finally:
        for side in ADDRESSES:
            subprocess.run(["ip", "netns", "del", f"acevec-{side}"], check=False,
                           stderr=subprocess.DEVNULL)


def may_make_namespaces():
    """Whether the rights and the tools are there."""
    if not all(map(shutil.which, ("ip", "tc", "taskset", "unshare"))):
        return False
    try:
        with two_namespaces(1):
            return True
    except subprocess.CalledProcessError:
        return False


def script(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(content)
    os.chmod(path, 0o755)
    return path


def hosts_row(programs, corpus, scratch, run_of):
    """Train on two hosts, or on two threads where there is no link; return a row's other columns."""
    plain, mpi = programs
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        settings = {"threads": 2 if run_of["link"] == 0 else 1, "iter": 2}
        command = acevec.training_command(plain if run_of["link"] == 0 else mpi, corpus,
                                          os.path.join(folder, "v.bin"), settings)
        if run_of["link"] == 0:
            said, report = train(command, folder)
        else:
            command += (run_of["options"] or "").split()
            hosts = ",".join(address + ":1" for address in ADDRESSES.values())
            mpirun = ["ip", "netns", "exec", "acevec-left", "mpirun", "-q", "--bind-to", "none",
                      "-H", hosts, "--mca", "plm_rsh_agent", script(folder, "agent", AGENT),
                      "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                      "--mca", "btl_tcp_if_include", SUBNET, "--mca", "oob_tcp_if_include", SUBNET,
                      script(folder, "pin", PIN)]
            with two_namespaces(run_of["link"]):
                said, report = train([*mpirun, *command], folder)
    seconds = report["training_seconds"]
    return {"seconds": seconds, "tokens_per_second": round(2 * report["kept_tokens"] / seconds),
            **cost_of(said)}


def measure_hosts(options, scratch):
    """Complete the table of two hosts; return its rows, [] with a line where rights are missing."""
    if os.cpu_count() < 2 or not may_make_namespaces():
        say("two hosts are left out: they need two cores, root's rights and ip, tc, taskset, unshare")
        return []
    corpus = texts.unpacked(texts.find_corpus(options.corpus, scratch), scratch)
    if options.megabytes:
        corpus = first_part(corpus, options.megabytes, scratch)
    programs = find_programs()
    plan = [{"link": link, "options": options.options if link else "", "round": turn}
            for turn in range(1, options.rounds + 1) for link in (0, 1, 10)]
    table = tables.Table(options.hosts_out, HOSTS, {"corpus": os.path.basename(corpus)})
    return grid.complete(plan, lambda row: hosts_row(programs, corpus, scratch, row), table)


def show_quality(rows):
    """Print means over seeds."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in QUALITY[:4]), []).append(row)
    print("processes  ACE  epochs  WS353  RW     mean   bytes/token  options")
    for (processes, ace, epochs, chosen), group in groups.items():
        def mean(name):
            values = [row[name] for row in group if row[name] is not None]
            return stats.mean(values) if values else float("nan")
        print(f"{processes:>9}  {ace:>3}  {epochs:>6}  {mean('ws353'):5.2f}  {mean('rw'):5.2f}  {mean('mean'):5.2f}  "
              f"{mean('bytes_per_token'):11.1f}  {chosen or '-'}")


def show_hosts(rows):
    """Print the speed of two hosts as a share of two threads'."""
    speeds = {}
    for row in rows:
        speeds.setdefault(row["link"], []).append(row["tokens_per_second"])
    best = {link: sorted(values)[len(values) // 2] for link, values in speeds.items()}
    for link, speed in best.items():
        name = "two threads of one process" if link == 0 else f"two hosts at {link} Gb/s"
        print(f"{name}: {speed:,} tokens/s, {100 * speed / best[0]:.0f} %")


def main():
    parser = Parser(description=__doc__)
    add = parser.add_argument
    texts.add_corpus_option(parser)
    texts.add_wordsim_option(parser)
    add("parts", nargs="*", default=["quality", "hosts"], metavar="PART",
        help="quality, hosts (both)")
    add("--processes", type=numbers, default=[1, 2, 4, 8, 16], metavar="N,..", help="(1,2,4,8,16)")
    add("--epochs", type=numbers, default=[2, 5], metavar="N,..", help="(2,5)")
    add("--ace", type=lambda text: [int(word) for word in text.split(",")], default=[0, 1],
        metavar="0,1", help="without and with ACE (0,1)")
    add("--seeds", type=count, default=3, metavar="N", help="(3)")
    add("--rounds", type=count, default=3, metavar="N", help="turns of the two hosts (3)")
    add("--megabytes", type=count, metavar="N", help="only the first part of the text")
    add("--options", default="", metavar="TEXT", help="more options for acevec-mpi")
    add("--quality-out", default=os.path.join(texts.RESULTS, "cluster-quality.tsv"), metavar="FILE")
    add("--hosts-out", default=os.path.join(texts.RESULTS, "cluster-hosts.tsv"), metavar="FILE")
    options = parser.parse_args()
    os.environ.update(ROOT_FLAGS)
    with tempfile.TemporaryDirectory(prefix="acevec-cluster-") as scratch:
        if "quality" in options.parts:
            show_quality(measure_quality(options, scratch))
        if "hosts" in options.parts:
            show_hosts(measure_hosts(options, scratch))


if __name__ == "__main__":
    run(main)
