"""Runs the program: text through a pipe, messages, errors, Ctrl-C."""

from __future__ import annotations

import itertools
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from numbers import Real
from typing import IO, Any, Union

from acevec import program

Path = Union[str, "os.PathLike[str]"]
Rows = Iterable[Any]  # lines of text, or lists of tokens or columns
Progress = Callable[[float, str], Any]
SPACE = b"\t\n\v\f\r\0"  # white space for the program, beside the blank


class Error(RuntimeError):
    """The program failed; the text is its line that says what happened and what to do."""


class Ended(BaseException):
    """The program ended while an iterable was to yield more, which cannot catch this as its own."""


def call(words: list[str], rows: Rows | None = None, progress: Progress | None = None,
         space: bytes = SPACE, quiet: bool = False) -> str:
    """Do what acevec.run does. space: what no item of a list may have inside. quiet: print no messages but notes."""
    try:
        output = tempfile.TemporaryFile()
        process = Process([program(), *words], output, progress, quiet)
    except OSError as problem:
        raise Error(f"cannot run {program()}: {problem.strerror}") from None
    with output:
        try:
            process.serve(lines_of(() if rows is None else rows, space))
        except BaseException:
            process.end()
            raise
        code = process.child.wait()
        reason = process.held.partition(": ")[2]
        if code == 2 or (code == 1 and rows is not None and not process.fed):
            raise ValueError(reason)
        if code != 0:
            raise Error(reason or f"acevec was ended by {signal.Signals(-code).name}")
        process.say()
        if progress:
            progress(1.0, "done")
        output.seek(0)
        return output.read().decode(errors="surrogateescape")


def lines_of(rows: Rows, space: bytes) -> Iterator[bytes]:
    """Yield rows as lines, with tabs between the items of a list."""
    for row in rows:
        if isinstance(row, bytes) or not isinstance(row, Iterable):
            raise TypeError(f"{row!r} is neither a line of text nor a list")
        items = [] if isinstance(row, str) else list(row)
        try:
            text = row.rstrip("\r\n") if isinstance(row, str) else "\t".join(items)
        except TypeError:
            items = list(map(text_of, items))
            text = "\t".join(items)
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


class Process:
    """The program under way. This thread alone feeds it and passes on what it writes to standard error."""

    def __init__(self, words: list[str], output: IO[bytes], progress: Progress | None, quiet: bool) -> None:
        self.progress, self.quiet, self.share, self.rest = progress, quiet, 0.0, b""
        self.held = ""  # the last message, if it may be the reason of a failure
        self.fed = False  # with more than white space
        # To a terminal the program writes its progress all the time.
        self.messages, end = os.openpty() if progress else os.pipe()
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
            os.close(self.messages)
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
        poll = select.poll()
        poll.register(self.messages, select.POLLIN)
        if not self.pipe.closed:
            poll.register(self.pipe, select.POLLOUT)
        text: bytes | None = b""
        while True:
            if self.messages in dict(poll.poll()):
                try:
                    said = os.read(self.messages, 1 << 16)
                except OSError:  # so ends what is written to a terminal
                    said = b""
                if not said:
                    self.pipe.close()
                    self.complete.close()
                    return os.close(self.messages)
                self.take(said)
                continue
            text = text or self.pull(lines)
            self.fed = self.fed or bool(text.strip())
            try:
                if text:
                    text = text[os.write(self.pipe.fileno(), text):]
                else:
                    text = None
                    self.complete.write(b".")
            except BrokenPipeError:  # it has ended already, and says why
                text = None
            if text is None:
                poll.unregister(self.pipe)
                self.pipe.close()

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
