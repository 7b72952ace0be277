"""Runs the program: command lines from Python's values, text through a pipe, messages, errors, Ctrl-C."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from numbers import Number, Real
from typing import IO, Any, Union

import numpy as np

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Any]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
# Options of `acevec metric` for which an array may stand.
POINTS = ("train", "labels", "valid", "valid_labels", "test", "test_labels", "points")


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""

    __module__ = "acevec"


class Temporary(contextlib.AbstractContextManager["Temporary"]):
    """A folder in TMPDIR (/var/tmp), deleted with this object by the process that made it, not by its forks."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="acevec-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        self._delete = weakref.finalize(self, Temporary.delete, self.folder, os.getpid())

    @staticmethod
    def delete(folder: str, owner: int) -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def __exit__(self, *_: Any) -> None:
        self._delete()


def write_file(path: Path, data: Any) -> None:
    """Write bytes to a file, which has all of them or stays as it was."""
    with open(os.fspath(path) + ".part", "wb") as stream:
        stream.write(data)
    os.replace(stream.name, path)


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


def command(words: Iterable[Any], options: dict[str, Any], rows: Rows | None = None, progress: Progress | None = None,
            quiet: bool = False) -> str:
    """Do what run does. quiet: print no messages but notes."""
    typed = list(map(plain, words))
    task = typed[0] if typed else ""
    lines = None if rows is None else lines_of(rows, "input", task)
    with Temporary() as folder:
        for name, value in options.items():
            path = folder.path(name)
            if task == "metric" and name in POINTS and is_many(value):
                array = np.ascontiguousarray(value)
                if array.dtype.kind in "fiu" and len(array):
                    np.save(path, array)
                    value = path + ".npy"
                else:
                    value = [[str(label)] for label in array]
            if is_rows(value):
                more = lines_of(value, name, task)
                if lines is None:  # the first is read from standard input, others from files
                    lines, value = more, "-"
                else:
                    value = path
                    with open(path, "wb") as stream:
                        stream.writelines(more)
            if value is not None:
                typed.append(f"-{name.rstrip('_').replace('_', '-')}={plain(value)}")
        return call(typed, lines, progress, quiet)


def plain(value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(plain, value))
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if not isinstance(value, (str, Number)):
        raise TypeError(f"{value!r} is neither a path nor another string, a number, a model or an iterable"
                        + ("; call it" if callable(value) else ""))
    return str(int(value) if isinstance(value, bool) else value)


def is_many(value: Any) -> bool:
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, os.PathLike))


def is_rows(value: Any) -> bool:
    """Tell whether an option's value is lines or lists: not one plain value, nor several in a list."""
    if not is_many(value):
        return isinstance(value, str) and "\n" in value
    plain_list = isinstance(value, (list, tuple)) and value
    return not plain_list or any(is_many(one) or isinstance(one, str) and one.split() != [one] for one in value)


def filled(rows: Any, name: str) -> Iterator[Any]:
    """Yield the lines of a text, or the rows of a table or another iterable, of which there must be one."""
    empty = True
    for row in (rows.splitlines() if isinstance(rows, str) else
                rows.itertuples(index=False) if hasattr(rows, "itertuples") else rows):  # of pandas
        empty = False
        yield row
    if empty:
        raise ValueError(f"{name} is empty; give at least one line")


def lines_of(rows: Any, name: str, task: str) -> Iterator[bytes]:
    """Yield rows as lines, with tabs between the items of a list, which must not be divided by white space."""
    space = re.compile("[ \t\n\v\f\r\0]" if task in ("", "next") else "[\t\n\v\f\r\0]")
    for row in filled(rows, name):
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise TypeError(f"{row!r} is neither a line of text nor a list")
        if isinstance(row, str):
            items = [row.rstrip("\r\n")]
        elif task == "sentence":  # in texts any white space counts as one blank
            items = [" ".join(text_of(item).split()) for item in row]
        else:
            items = list(map(text_of, row))
            for bad in filter(space.search, items):
                raise ValueError(f"{bad!r} has white space inside, which would divide it; replace it, as by _")
        yield "\t".join(items).encode(errors="surrogatepass") + b"\n"


def text_of(item: Any) -> str:
    """Return a token, a name or a number as text."""
    if isinstance(item, str) or (isinstance(item, Real) and item == item):
        return str(item)
    raise TypeError(f"{item!r} is neither a string nor a number")


def call(words: list[str], lines: Iterator[bytes] | None, progress: Progress | None, quiet: bool) -> str:
    """Run the program with lines as its standard input; return what it prints."""
    try:
        output = tempfile.TemporaryFile()
        process = Process([program(), *words], output, progress, quiet)
    except OSError as problem:
        raise Error(f"cannot run {program()}: {problem.strerror}") from None
    with output:
        try:
            process.feed(lines)
        except BaseException:
            process.end()
            raise
        code = process.child.wait()
        reason = process.held.partition(": ")[2]
        if code == 2 or (code == 1 and process.blank):
            raise ValueError(reason)
        if code != 0:
            raise Error(reason or f"acevec was ended by {signal.Signals(-code).name}")
        process.say()
        if progress:
            progress(1.0, "done")
        output.seek(0)
        return output.read().decode(errors="surrogateescape")


class Process:
    """The program under way. This thread feeds it, and passes on the messages that another thread reads."""

    def __init__(self, words: list[str], output: IO[bytes], progress: Progress | None, quiet: bool) -> None:
        self.progress, self.quiet, self.share = progress, quiet, 0.0
        self.held = ""  # the last message, if it may be the reason of a failure
        self.blank = False  # whether the program has read white space alone
        self.messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.ended = False  # whether "", which is the last message, has been taken
        # To a terminal the program writes its progress all the time.
        reader, end = os.openpty() if progress else os.pipe()
        said = open(reader, encoding="utf-8", errors="replace", newline="")
        # Here the program asks for its standard input, and gets a byte when all has been written. If Python is
        # killed, it cannot take a part of the text for all of it.
        self.input, asks = socket.socketpair()
        # The program inherits that SIGINT waits: Ctrl-C is Python's, which ends the program once.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=output, stderr=end,
                                          pass_fds=[asks.fileno()],
                                          env={**os.environ, "TERM": "xterm", "COLUMNS": "1000",
                                               "ACEVEC_INPUT_END": str(asks.fileno())})
            threading.Thread(target=self.listen, args=[said], daemon=True).start()
        finally:
            os.close(end)
            asks.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def listen(self, said: IO[str]) -> None:
        with contextlib.suppress(OSError), said:  # so ends what is written to a terminal
            for line in said:
                self.messages.put(line)
        self.messages.put("")

    def feed(self, lines: Iterator[bytes] | None) -> None:
        """Write the lines to standard input, if the program comes to read it, and pass on messages until it ends."""
        assert self.child.stdin
        with contextlib.suppress(BrokenPipeError):  # it has ended already, and says why
            if lines is None or not self.input.recv(1):
                lines = iter(())
            else:
                self.blank = True
            while text := b"".join(itertools.islice(lines, 200)):
                self.blank = self.blank and not text.strip()
                self.child.stdin.write(text)
                self.child.stdin.flush()
                while not self.messages.empty():
                    self.take(self.messages.get())
            self.input.send(b".")
        self.finish()

    def finish(self) -> None:
        """Pass on messages until the program ends."""
        assert self.child.stdin
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.close()
        self.input.close()
        while not self.ended:
            self.take(self.messages.get())

    def take(self, line: str) -> None:
        self.ended = not line
        text = line.strip("\r\n").removeprefix("\x1b[K")
        if line.endswith("\n"):
            self.say(text)
        elif text and self.progress:
            done = re.match(r"training +([\d.]+)%", text)
            self.share = float(done[1]) / 100 if done else self.share
            self.progress(self.share, text)

    def say(self, text: str = "") -> None:
        """Print a message, or hold it back until the next one if it may be the reason of a failure."""
        reason = text.startswith("acevec: ")
        for line in (self.held, "" if reason else text):
            if line and sys.stderr and (not self.quiet or line.startswith("note: ")):
                print(line, file=sys.stderr, flush=True)
        self.held = text if reason else ""

    def end(self) -> None:
        """End the program as a signal does; it may save a checkpoint."""
        self.progress = None
        self.child.terminate()
        try:
            self.finish()
        finally:
            self.child.kill()  # if another Ctrl-C does not let it
            self.say()
            self.child.wait()
