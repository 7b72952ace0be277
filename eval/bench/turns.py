#!/usr/bin/env python3
"""Compare the times of commands on a machine whose speed changes: all run at once, but in turns.

Each command runs for some milliseconds while the others are stopped (SIGSTOP), until all have
ended. So what slows the machine slows all of them, and ratios repeat within 1 to 2 % where those
of whole runs one after the other differ by 20 %. A later position in a round can cost 1 %, so each
round begins with another command; give a command twice to see what a ratio of 1 looks like.
Standard library only.

  turns.py 'old/acevec -train t.txt -output a.bin' 'new/acevec -train t.txt -output b.bin'
"""

import os
import shlex
import signal
import subprocess
from statistics import median
from time import perf_counter

from lib.cli import Parser, UserError, count, run


def start(command):
    """Return the command's process, stopped, in a group of its own."""
    process = subprocess.Popen(shlex.split(command), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    os.killpg(process.pid, signal.SIGSTOP)
    return process


def take_turn(process, seconds):
    """Let the process run for some seconds or to its end; return how long it ran."""
    begin = perf_counter()
    os.killpg(process.pid, signal.SIGCONT)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGSTOP)
    return perf_counter() - begin


def take_turns(commands, seconds):
    """Run all commands; return the seconds of each one's turns."""
    processes = []
    taken = [0.0] * len(commands)
    try:
        for command in commands:
            processes.append(start(command))
        while any(process.returncode is None for process in processes):
            for i, process in enumerate(processes):
                if process.returncode is None:
                    taken[i] += take_turn(process, seconds)
    finally:
        for process in processes:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    for command, process in zip(commands, processes):
        if process.returncode != 0:
            raise UserError(f"`{command}` ended with status {process.returncode}; run it by hand")
    return taken


def main():
    """Print each round's seconds, then the medians of the ratios."""
    parser = Parser(description=__doc__)
    parser.add_argument("commands", nargs="+", metavar="COMMAND", help="one argument each")
    parser.add_argument("--rounds", type=count, default=3, help="(default %(default)s)")
    parser.add_argument("--milliseconds", type=count, default=50,
                        help="of a turn (default %(default)s)")
    options = parser.parse_args()
    numbers = range(len(options.commands))
    rounds = []
    for i in range(options.rounds):
        order = [(i + k) % len(numbers) for k in numbers]
        taken = take_turns([options.commands[k] for k in order], options.milliseconds / 1000)
        rounds.append([taken[order.index(k)] for k in numbers])
        print("seconds", *(f"{seconds:.2f}" for seconds in rounds[-1]), flush=True)
    print("ratio  ", *(f"{median(one[k] / one[0] for one in rounds):.3f}" for k in numbers))


if __name__ == "__main__":
    run(main)
