"""Tables of runs that grow run by run: tab-separated rows under a first line of names.

Standard library only.
"""

import os
import statistics


def read_rows(path):
    """The rows of a table, as dicts of texts; none when there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]


def append_rows(path, rows):
    """Adds rows, dicts of one set of names, to a table; makes it when there is none."""
    is_new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8") as file:
        if is_new:
            print(*rows[0], sep="\t", file=file)
        for row in rows:
            print(*row.values(), sep="\t", file=file)


def mean_text(values, digits):
    """Mean and, of more than one, standard deviation of texts that are numbers."""
    values = [float(value) for value in values]
    spread = f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.{digits}f}{spread}"
