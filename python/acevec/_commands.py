"""A function for each command of the program, with the options of its table."""

from __future__ import annotations

import functools
import inspect
import json
import keyword
import pathlib
from typing import Any, Callable

from acevec._process import SPACE, Error, Path, Progress, Rows, call, run, typed_options  # noqa: F401
from acevec._vectors import TemporaryArray, Vectors, load


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return what the program says of its commands, by the names of their functions."""
    commands = json.loads(call(["--options", "json"], quiet=True))["commands"]
    return {command["name"].replace(" ", "_") or "train": command for command in commands}


@functools.lru_cache(maxsize=None)
def function(name: str) -> Callable[..., Any]:
    if name not in table():
        raise AttributeError(f"acevec has no command {name}")
    words = table()[name]["name"].split()
    trains = {"output", "log"} <= {option["name"] for option in table()[name]["options"]}

    def command(*arguments: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> Any:
        """Run a command of the program.

        Returns the record of a training run (settings, loss, scores), else what the command prints.
        The arguments are those of acevec.run, and the options those below, with underscores for dashes.
        """
        text = run(*words, *arguments, input=input, progress=progress, **options)
        record = pathlib.Path(f"{options.get('output')}.json")
        return json.loads(record.read_text("utf-8")) if trains and record.exists() else text

    return documented(command if words else train, name)


def train(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None,
          **options: Any) -> Vectors:
    """Train word vectors, and return them.

    corpus: a path, a list of paths, or any other iterable of sentences: lists of tokens, or lines of text.
        It is read once, in a stream.
    output: a path, whose ending decides the format. Without it, which resume= needs, the vectors are
        deleted with the result.
    progress: a function of the share of training that is done, 0 to 1, and a line of text.
    options: those below, with underscores for dashes. acevec.run says more, and what is raised.
    """
    if output == "-" or (output is None and options.get("resume")):
        raise ValueError("output has to be the file of the vectors, to read them back; resume= needs it too")
    array = None if output else TemporaryArray()
    typed, rows = typed_options({"train": corpus, "output": array.path if array else output, **options})
    call(typed, rows, progress, SPACE + b" ")
    return Vectors(array.path, array) if array else load(output)


def documented(command: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Give a function the options of its command, in its signature and in its help."""
    signature = inspect.signature(command)
    parameters = [one for one in signature.parameters.values() if one.kind != one.VAR_KEYWORD]
    for row in table()[name]["options"]:
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        if option not in signature.parameters:
            parameters.append(inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=row["default"]))
    text = call([*table()[name]["name"].split(), "--help"], quiet=True)
    command.__doc__ = f"{inspect.getdoc(command)}\n\n{text}"
    command.__name__ = command.__qualname__ = name
    command.__module__ = "acevec"
    command.__signature__ = signature.replace(parameters=parameters)
    return command
