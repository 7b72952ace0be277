"""Tables of results: tab-separated rows under a line of names, and before it lines that begin with #
and say where and how the table was made.

A table that grows run by run is one that a crash may end anywhere: it is opened with `resume`, which
drops what was truncated, and a run's rows are added in one write. Standard library only.
"""

import os
import re
import shlex
import sys
import time
from collections import Counter
from typing import NamedTuple

from lib.cli import UserError
from lib.texts import ROOT


class Table(NamedTuple):
    """Where a table is, its columns, and what all of it has in common, {name: fact}.

    A fact that is None is not said, and a table that says it is another one. rows_each: rows that
    every run has.
    """

    path: str
    columns: tuple
    facts: dict = {}
    rows_each: int = 1


def write(table, rows=()):
    """Write a table of these rows, in place of what is there; dicts that have all its columns."""
    os.makedirs(os.path.dirname(os.path.abspath(table.path)), exist_ok=True)
    _replace(table.path, _head(table) + "".join(_line(table.columns, row) for row in rows))


def append(path, rows):
    """Add rows, dicts that have all columns of the table at path, or make it of them."""
    if not rows:
        return
    columns = tuple(rows[0])
    is_new = not os.path.exists(path)
    known = columns if is_new else columns_of(path)
    if set(known) - set(columns) or set(columns) - set(known):
        raise UserError(f"{path} has other columns than {', '.join(columns)}; move it away")
    text = _names(columns) if is_new else ""
    text += "".join(_line(known, row) for row in rows)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(text)


def resume(table, key):
    """Prepare a table to be continued; return the set of its runs, as key_of tells them.

    Starts it when it is not there. A last line that was truncated goes, and with it the other rows of
    a run that has not all of its rows. Raises UserError when it has other columns or facts.
    """
    if not os.path.exists(table.path):
        write(table)
        return set()
    _check(table)
    _drop_cut_line(table.path)
    numbers = Counter(key_of(row, key) for row in texts(table.path))
    whole = {run for run, number in numbers.items() if number >= table.rows_each}
    keep(table.path, key, whole)
    return whole


def keep(path, key, runs):
    """Remove from a table what is of no run in `runs`, and a line that was truncated."""
    if not os.path.exists(path):
        return
    _drop_cut_line(path)
    if not os.path.getsize(path):  # not even the line of names was whole
        os.remove(path)
        return
    rows = texts(path)
    if all(key_of(row, key) in runs for row in rows):
        return
    with open(path, encoding="utf-8") as stream:
        head = [line for line in stream if line.startswith("#")]
    names = columns_of(path)
    _replace(path, "".join([*head, _names(names), *(_line(names, row) for row in rows
                                                    if key_of(row, key) in runs)]))


def texts(path):
    """Read a table: a list of dicts of texts. Raises UserError when it is none."""
    with open(path, encoding="utf-8") as stream:
        names, *lines = [line.rstrip("\n").split("\t") for line in stream
                         if not line.startswith("#")] or [[]]
    if not names or any(len(line) != len(names) for line in lines):
        raise UserError(f"{path}: not a table of results; make it again")
    return [dict(zip(names, line)) for line in lines]


def read(path):
    """Read a table: a list of dicts, of numbers, None for nothing, else str."""
    return typed(texts(path))


def typed(rows):
    """Rows of texts with their numbers as numbers, None for nothing, else str."""
    def value(text):
        if text.isdecimal():
            return int(text)
        try:
            return float(text) if text else None
        except ValueError:
            return text

    return [{name: value(text) for name, text in row.items()} for row in rows]


def columns_of(path):
    """The names of a table's columns; none when it is empty."""
    with open(path, encoding="utf-8") as stream:
        names = next((line for line in stream if not line.startswith("#")), "")
    return tuple(names.rstrip("\n").split("\t"))


def cell(value):
    """A value as a table has it; nothing for None."""
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def key_of(row, names):
    """What tells a row's run from others: its values of those columns, as texts."""
    return tuple(cell(row[name]) for name in names)


def _head(table):
    """The lines before the rows: the command, the machine, the day, the facts and the columns."""
    # Of an absolute path only the name: where things are on one machine tells nobody anything.
    words = [re.sub(r"(^|=)/.*/", r"\1", word) for word in sys.argv[1:]]
    program = os.path.relpath(os.path.realpath(sys.argv[0]), ROOT)
    lines = [f"# made by: {shlex.join([program, *words])}",
             f"# cpu: {_cpu()}, cores: {os.cpu_count()}, load at the start: "
             f"{os.getloadavg()[0]:.1f}, date: {time.strftime('%Y-%m-%d')}",
             *(f"# {name}: {fact}" for name, fact in table.facts.items() if fact is not None)]
    return "\n".join(lines) + "\n" + _names(table.columns)


def _check(table):
    """Raise UserError when the table on the disk is not of these columns and facts."""
    if not os.path.isfile(table.path):
        raise UserError(f"{table.path} is no file; give another --out")
    found = columns_of(table.path)
    if found != tuple(table.columns):
        raise UserError(f"{table.path} has other columns than {', '.join(table.columns)}; remove it "
                        "or give another --out")
    with open(table.path, encoding="utf-8") as stream:
        text = stream.read()
    if not text.startswith("#"):
        return  # older than such lines, so nothing is known of it
    for name, fact in table.facts.items():
        said = re.search(rf"^# {re.escape(name)}: (.*)$", text, re.MULTILINE)
        if (said[1] if said else None) != (fact if fact is None else str(fact)):
            raise UserError(f"{table.path} holds runs of other {name} than {fact or 'the usual'}; "
                            "remove it or give another --out")


def _names(columns):
    """The line of names."""
    return "\t".join(columns) + "\n"


def _line(columns, row):
    """A row's line."""
    return "\t".join(cell(row[name]) for name in columns) + "\n"


def _drop_cut_line(path):
    """Remove what follows the last end of a line."""
    with open(path, "rb+") as stream:
        data = stream.read()
        end = data.rfind(b"\n") + 1
        if end < len(data):
            stream.truncate(end)


def _replace(path, text):
    """Give a file this text, whole or not at all; /dev/stdout and the like get it too."""
    path = os.path.realpath(path)  # of a link the file that it leads to
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.remove(part)
        raise


def _cpu():
    """The processor's name as the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            found = re.search(r"^model name\s*:\s*(.*\S)", stream.read(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else os.uname().machine
