"""Options and words of a command line, from Python's values."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from acevec._process import SPACE, Path, Progress, Rows, call, lines_of

TOKENS = SPACE + b" "  # what no token has inside
# Options of `acevec metric` for which an array may stand.
POINTS = ("train", "labels", "valid", "valid_labels", "test", "test_labels", "points")


def run(*words: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
    """Run a command line, such as run("nn", "vectors.bin", "king"); return what it prints.

    words: strings, numbers, paths, or models of this package, which stand for files.
    options: the command's, with underscores for dashes. None leaves one out; several values are joined by
        commas. A file to read can be an iterable of lines, or of lists of columns, or an array of points or labels.
    input: such an iterable, for standard input.
    progress: a function of the share of training that is done, 0 to 1, and a line of text. Without it,
        progress goes to standard error, as messages do.

    Raises ValueError for a wrong command line or an empty iterable, and Error when the program fails. When
    Ctrl-C, an iterable or `progress` raises something, the program ends as by a signal, with its checkpoint saved.
    """
    return command(words, options, input, progress)


def command(words: Iterable[Any], options: dict[str, Any], rows: Rows | None = None,
            progress: Progress | None = None, files: Iterable[Path] = (), space: bytes = SPACE,
            quiet: bool = False) -> str:
    """Do what run does. files: words after the options, of any spelling. space, quiet: as in call."""
    typed, rows = list(map(plain, words)), None if rows is None else filled(rows, "input")
    with Temporary() as folder:
        for name, value in options.items():
            if typed[:1] == ["metric"] and name in POINTS and is_many(value):
                value = write_points(folder.path(name), name, value)
            elif is_rows(value) and rows is None:  # the first is read from standard input, others from files
                rows, value = filled(value, name), "-"
            elif is_rows(value):
                with open(folder.path(name), "wb") as stream:
                    stream.writelines(lines_of(filled(value, name), space))
                value = stream.name
            if value is not None:
                typed.append(f"-{name.rstrip('_').replace('_', '-')}={plain(value)}")
        return call([*typed, *(["--", *map(plain, files)] if files else [])], rows, progress, space, quiet)


def is_rows(value: Any) -> bool:
    """Tell whether an option's value is lines or lists: not one plain value, nor several in a list."""
    if not is_many(value):
        return isinstance(value, str) and "\n" in value
    plain_list = isinstance(value, (list, tuple)) and value
    return not plain_list or any(is_many(one) or isinstance(one, str) and one.split() != [one] for one in value)


def is_many(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, os.PathLike))


def filled(rows: Any, name: str) -> Iterator[Any]:
    """Yield rows, of which there must be one."""
    rows = iter(rows.splitlines() if isinstance(rows, str) else
                rows.itertuples(index=False) if hasattr(rows, "itertuples") else rows)  # of pandas
    for first in rows:
        yield first
        yield from rows
        return
    raise ValueError(f"{name} is empty; give at least one line")


def write_points(path: str, name: str, value: Any) -> str:
    """Write points or their labels to a file; return its path."""
    import numpy as np
    array = np.ascontiguousarray(value)
    if not len(array):
        raise ValueError(f"{name} is empty; give at least one point")
    if array.dtype.kind in "fiu":
        np.save(path + ".npy", array)
        return path + ".npy"
    with open(path, "wb") as stream:
        stream.writelines(lines_of(map(str, array), SPACE))
    return path


def plain(value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(plain, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(int(value) if isinstance(value, bool) else value)


class Temporary:
    """A folder in TMPDIR (/var/tmp), deleted with this object by the process that made it, not by its forks."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="acevec-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        self._delete = weakref.finalize(self, delete, self.folder, os.getpid())

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def __enter__(self) -> Temporary:
        return self

    def __exit__(self, *_: Any) -> None:
        self._delete()


def delete(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def write_file(path: Path, data: Any) -> None:
    """Write bytes to a file, which has all of them or stays as it was."""
    with open(os.fspath(path) + ".part", "wb") as stream:
        stream.write(data)
    os.replace(stream.name, path)
