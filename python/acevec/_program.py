"""Runs the program: command lines from Python's values, text through a pipe, messages, errors, Ctrl-C."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from numbers import Number, Real
from typing import IO, Any, Union

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Any]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
SPACE = b"\t\n\v\f\r\0"  # white space for the program, beside the blank
TOKENS = SPACE + b" "  # what no token has inside
TEXTS = b""  # of texts, in which any white space counts as one blank
# Options of `acevec metric` for which an array may stand.
POINTS = ("train", "labels", "valid", "valid_labels", "test", "test_labels", "points")


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""

    __module__ = "acevec"


class Ended(BaseException):
    """The program ended while an iterable was to yield more, which cannot catch this as its own."""


class Temporary:
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

    def __enter__(self) -> Temporary:
        return self

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
            files: Iterable[Path] = (), space: bytes = SPACE, quiet: bool = False) -> str:
    """Do what run does. files: words after the options. space: as in lines_of. quiet: print no messages but notes."""
    typed, lines = list(map(plain, words)), None if rows is None else lines_of(filled(rows, "input"), space)
    with Temporary() as folder:
        for name, value in options.items():
            if typed[:1] == ["metric"] and name in POINTS and is_many(value):
                value = write_points(folder.path(name), name, value)
            elif is_rows(value) and lines is None:  # the first is read from standard input, others from files
                lines, value = lines_of(filled(value, name), space), "-"
            elif is_rows(value):
                value = write_lines(folder.path(name), lines_of(filled(value, name), space))
            if value is not None:
                typed.append(f"-{name.rstrip('_').replace('_', '-')}={plain(value)}")
        return call([*typed, *map(plain, files)], lines, progress, quiet)


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


def write_lines(path: str, lines: Iterator[bytes]) -> str:
    with open(path, "wb") as stream:
        stream.writelines(lines)
    return path


def write_points(path: str, name: str, value: Any) -> str:
    """Write points or their labels to a file; return its path."""
    import numpy as np
    array = np.ascontiguousarray(value)
    if array.dtype.kind not in "fiu" or not len(array):
        return write_lines(path, lines_of(filled(map(str, array), name), SPACE))
    np.save(path + ".npy", array)
    return path + ".npy"


def lines_of(rows: Rows, space: bytes) -> Iterator[bytes]:
    """Yield rows as lines, with tabs between the items of a list. space: what no item may have inside."""
    for row in rows:
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise TypeError(f"{row!r} is neither a line of text nor a list")
        items = [] if isinstance(row, str) else list(row)
        try:
            text = row.rstrip("\r\n") if isinstance(row, str) else "\t".join(items)
        except TypeError:
            items = list(map(text_of, items))
            text = "\t".join(items)
        if items and space == TEXTS:
            text = "\t".join(" ".join(item.split()) for item in items)
        line = text.encode(errors="surrogatepass")
        if items and len(line) - len(line.translate(None, space)) >= len(items):
            bad = next(item for item in items if set(item.encode(errors="surrogatepass")) & set(space))
            raise ValueError(f"{bad!r} has white space inside, which would divide it; replace it, as by _")
        yield line + b"\n"


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
            process.serve(lines or iter(()))
        except BaseException:
            process.end()
            raise
        code = process.child.wait()
        reason = process.held.partition(": ")[2]
        if code == 2 or (code == 1 and lines and not process.fed):
            raise ValueError(reason)
        if code != 0:
            raise Error(reason or f"acevec was ended by {signal.Signals(-code).name}")
        process.say()
        if progress:
            progress(1.0, "done")
        output.seek(0)
        return output.read().decode(errors="surrogateescape")


class Process:
    """The program under way. This thread alone feeds it and passes on what it writes to standard error."""

    def __init__(self, words: list[str], output: IO[bytes], progress: Progress | None, quiet: bool) -> None:
        self.progress, self.quiet, self.share, self.rest = progress, quiet, 0.0, b""
        self.held = ""  # the last message, if it may be the reason of a failure
        self.fed = False  # with more than white space
        # To a terminal the program writes its progress all the time.
        messages, end = os.openpty() if progress else os.pipe()
        self.messages = os.fdopen(messages, "rb", 0)
        # A byte in this pipe tells that all has been written. If Python is killed, the program cannot take
        # a part of the text for all of it.
        whole, complete = os.pipe()
        self.complete = os.fdopen(complete, "wb", 0)
        # The program inherits that SIGINT waits: Ctrl-C is Python's, which ends the program once.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.child = subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE, stdout=output, stderr=end,
                                          env={**os.environ, "TERM": "xterm", "COLUMNS": "1000",
                                               "ACEVEC_INPUT_END": str(whole)}, pass_fds=[whole])
        except BaseException:
            self.messages.close()
            self.complete.close()
            raise
        finally:
            os.close(end)
            os.close(whole)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self.child.stdin
        self.pipe = self.child.stdin
        os.set_blocking(self.pipe.fileno(), False)

    def serve(self, lines: Iterator[bytes]) -> None:
        """Write the lines to standard input and pass on messages, until the program ends."""
        poll, text, said = select.poll(), b"", b"some"
        poll.register(self.messages, select.POLLIN)
        if not self.pipe.closed:
            poll.register(self.pipe, select.POLLOUT)
        while said:
            if self.messages.fileno() in dict(poll.poll()):
                said = b""
                with contextlib.suppress(OSError):  # so ends what is written to a terminal
                    said = self.messages.read(1 << 16)
                self.take(said)
                continue
            text = text or self.pull(lines)
            self.fed = self.fed or bool(text.strip())
            with contextlib.suppress(BrokenPipeError):  # it has ended already, and says why
                if text:
                    text = text[os.write(self.pipe.fileno(), text):]
                    continue
                self.complete.write(b".")
            poll.unregister(self.pipe)
            self.pipe.close()
        for stream in (self.pipe, self.complete, self.messages):
            stream.close()

    def pull(self, lines: Iterator[bytes]) -> bytes:
        """Return some more lines; none after the last, or when the program ends, however long they take."""
        before = signal.getsignal(signal.SIGCHLD)
        watches = before is not None and threading.current_thread() is threading.main_thread()

        def has_ended() -> bool:
            return os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

        def notice(*signal_and_frame: Any) -> None:
            if callable(before):
                before(*signal_and_frame)
            if has_ended():
                raise Ended
        try:
            if watches:
                signal.signal(signal.SIGCHLD, notice)
            return b"" if has_ended() else b"".join(itertools.islice(lines, 200))
        except Ended:
            return b""
        finally:
            if watches:
                signal.signal(signal.SIGCHLD, before)

    def take(self, said: bytes) -> None:
        *parts, self.rest = re.split(rb"(\r\x1b\[K|\r?\n)", self.rest + said)
        for part, end in zip(parts[::2], parts[1::2]):
            text = part.decode(errors="replace")
            if end.endswith(b"\n"):
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
        """End the program as a signal does."""
        self.child.terminate()
        self.progress = None
        self.pipe.close()
        self.complete.close()
        try:
            self.serve(iter(()))  # it may save a checkpoint
        except KeyboardInterrupt:
            self.child.kill()
        self.say()
        self.child.wait()
