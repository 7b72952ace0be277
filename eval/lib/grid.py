"""Runs a grid, every setting with every seed: each run is rows of a table as soon as it is done, and
what the table has already is not run again.

A run is a dict of the columns that tell it from others, such as {"setting": .., "seed": ..}; a plan is
a list of them, in their order. Standard library only.
"""

import os
import time

from lib import tables
from lib.cli import UserError, say


def complete(plan, make, table, curves=None):
    """Make the runs of a plan that a table (tables.Table) lacks; return all the plan's rows.

    make(run) returns a dict of the table's other columns, or a list of dicts for several rows. With
    curves, the path of a second table, it returns a pair: that, and dicts for the rows of curves, of
    which a run may have any number, with columns of their own beside the run's. They are written
    first, so that a run is in the table only when all of it is written.

    The first run that fails ends it: UserError, which names the run. Nothing of it is recorded, and
    the next start begins with it.
    """
    if not plan:
        return []
    key = _key(plan, table.columns)
    is_new = not os.path.exists(table.path)
    done = tables.resume(table, key)
    if curves:
        tables.keep(curves, key, done)
    todo = [run for run in plan if tables.key_of(run, key) not in done]
    clock = _Clock(todo)
    try:
        for number, run in enumerate(todo, 1):
            name = label({column: run[column] for column in key})
            try:
                made = make(run)
            except UserError as error:
                raise UserError(f"{name}: {error}") from None
            if curves:
                made, points = made
                tables.append(curves, [{**run, **point} for point in points])
            rows = made if isinstance(made, list) else [made]
            tables.append(table.path, [{column: {**run, **row}[column] for column in table.columns}
                                       for row in rows])
            said = "" if made is rows else f" {label(made)};"
            say(f"{number}/{len(todo)}: {name}:{said} {clock.minutes_left(run):.0f} minutes left")
    finally:
        if is_new and not tables.texts(table.path):  # no run was made
            os.remove(table.path)
    return found(plan, table.path)


def found(plan, path):
    """Return those rows of the table at path that are of the plan's runs, in the plan's order."""
    return tables.typed(pick(plan, tables.texts(path)))


def pick(plan, rows):
    """Return those of the rows that are of the plan's runs, in the plan's order."""
    if not plan or not rows:
        return []
    key = _key(plan, rows[0])
    rows_of = {}
    for row in rows:
        rows_of.setdefault(tables.key_of(row, key), []).append(row)
    return [row for run in plan for row in rows_of.get(tables.key_of(run, key), [])]


def label(values):
    """Values in a line: texts as they are, numbers with their names, nothing of None."""
    return ", ".join(value if isinstance(value, str) and not _is_number(value)
                     else f"{name} {tables.cell(value)}"
                     for name, value in values.items() if value is not None)


def _key(plan, columns):
    """The columns that tell the plan's runs from others."""
    return tuple(name for name in plan[0] if name in columns)


def _is_number(text):
    return text.replace(".", "", 1).isdigit()


class _Clock:
    """Tells how long the rest of the runs takes; a run's work is its epochs, its column iter."""

    def __init__(self, runs):
        self.start, self.done, self.left = time.monotonic(), 0, sum(map(self._work, runs))

    def minutes_left(self, run):
        """To be called when a run is done."""
        self.done += self._work(run)
        self.left -= self._work(run)
        return (time.monotonic() - self.start) * self.left / self.done / 60

    @staticmethod
    def _work(run):
        return run.get("iter", 1)
