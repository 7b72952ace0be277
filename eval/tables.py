"""Tables of results that grow run by run: tab-separated rows under a line of names, and before it
lines that begin with # and say where and how the table was made.

Standard library only.
"""

import os
import re
import shlex
import sys
import time
from statistics import mean, stdev

from cli import UserError

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def open_table(path, columns, **facts):
    """Start a table of results at path, with a header that says where it is from; return a stream.

    Lines that start with # give the command, the machine, the day and the facts.
    """
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    table = open(path, "w", encoding="utf-8", buffering=1)
    # Of an absolute path only the name: where things are on one machine tells nobody anything.
    words = [re.sub(r"(^|=)/.*/", r"\1", word) for word in sys.argv[1:]]
    program = os.path.relpath(os.path.abspath(sys.argv[0]), ROOT)
    print(f"# made by: {shlex.join([program, *words])}", file=table)
    print(f"# cpu: {cpu()}, cores: {os.cpu_count()}, load at the start: {os.getloadavg()[0]:.1f}, "
          f"date: {time.strftime('%Y-%m-%d')}", file=table)
    for name, fact in facts.items():
        print(f"# {name}: {fact}", file=table)
    print(*columns, sep="\t", file=table)
    return table


def continue_table(path, columns, **facts):
    """Open a table to append to, a new one or one with these facts; return (stream, its rows).

    A last line that was cut short is dropped. Raises UserError when it has other facts.
    """
    if not os.path.exists(path):
        return open_table(path, columns, **facts), []
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    for name, fact in facts.items():
        if f"\n# {name}: {fact}\n" not in text:
            raise UserError(f"{path} holds runs of other {name} than {fact}; remove it or give "
                            "another --out")
    os.truncate(path, len(text[:text.rindex("\n") + 1].encode()))
    return open(path, "a", encoding="utf-8", buffering=1), read_table(path)


def cpu():
    """The processor's name as the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            found = re.search(r"^model name\s*:\s*(.*\S)", stream.read(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else os.uname().machine


def write_row(table, row):
    """Add the values of the dict row to a table."""
    print(*map(cell, row.values()), sep="\t", file=table)


def cell(value):
    """A value as a table has it; nothing for None."""
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def texts_of(path):
    """Read a table back: a list of dicts of texts. Raises UserError when it is none."""
    with open(path, encoding="utf-8") as stream:
        names, *lines = [line.rstrip("\n").split("\t") for line in stream
                         if not line.startswith("#")] or [[]]
    if not names or any(len(line) != len(names) for line in lines):
        raise UserError(f"{path}: not a table of results; make it again")
    return [dict(zip(names, line)) for line in lines]


def read_table(path):
    """Read a table back: a list of dicts, numbers as float, None for nothing, else str."""
    def value(text):
        try:
            return float(text) if text else None
        except ValueError:
            return text

    return [{name: value(text) for name, text in row.items()} for row in texts_of(path)]


def read_rows(path):
    """The rows of a table, as dicts of texts; none when there is no file."""
    return texts_of(path) if os.path.exists(path) else []


def append_rows(path, rows):
    """Adds rows, dicts of one set of names, to a table; makes it when there is none."""
    is_new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8") as table:
        if is_new:
            print(*rows[0], sep="\t", file=table)
        for row in rows:
            write_row(table, row)


def mean_text(values, digits):
    """Mean and, of more than one, standard deviation of numbers or of texts that are numbers."""
    values = list(map(float, values))
    spread = f" ± {stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):.{digits}f}{spread}"
