"""A function for each command of the program, with the options of its table."""

from __future__ import annotations

import functools
import inspect
import json
import keyword
import os
from collections.abc import Callable
from typing import Any

from acevec._arguments import Temporary, command, run  # noqa: F401
from acevec._models import Encoder, Graph, Sentences
from acevec._process import SPACE, Error, Path, Progress, Rows, call  # noqa: F401
from acevec._vectors import Vectors, load, read_record

TOKENS = SPACE + b" "  # what no token has inside


def train(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Vectors:
    """Train word vectors, and return them.

    corpus: a path, a list of paths, or any other iterable of sentences: lists of tokens, or lines of text, which
        have white space inside. It is read once, in a stream.
    output: a path, whose ending decides the format. Without it the vectors are only in the result, with counts,
        with n-grams for unseen words if maxn= is given, and with contexts if preset="items". resume= needs it.
    progress: a function of the share of training that is done, 0 to 1, and a line of text.
    options: those below, with underscores for dashes. acevec.run says more, and what is raised.
    """
    folder, given = Temporary(), {name: value for name, value in options.items() if value is not None}
    if output is None:
        given.setdefault("save_vocab", folder.path("vocab"))
        if given.get("maxn"):
            given.setdefault("output_model", folder.path("vectors.ft"))
        if given.get("preset") == "items":
            given.setdefault("output_context", folder.path("vectors-context.npy"))
    path, _kept = trained([], "vectors.npy", output, {"train": corpus, **given}, progress, TOKENS)
    model = load(given.get("output_model", path), vocab=given.get("save_vocab"))
    model.info, model.context = read_record(path), given.get("output_context", model.context)
    return model.with_context() if output is None else model


def order(pairs: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Vectors:
    """Train vectors of a hierarchy, and return them, with Vectors.query.

    pairs: a path, or an iterable of pairs of a specific and a general concept. The rest is as for acevec.train.
    """
    path, _kept = trained(["order"], "vectors.npy", output, {"train": pairs, **options}, progress)
    return load(path)


def kg(triples: Any = None, output: Path | None = None, *, progress: Progress | None = None, **options: Any) -> Graph:
    """Train a model of a knowledge graph, and return it; without `output` its file is deleted with the result.

    triples: a path, or an iterable of (head, relation, tail); valid= and test= likewise.
    """
    return Graph(*trained(["kg"], "model", output, {"train": triples, **options}, progress))


def sentence(corpus: Any = None, output: Path | None = None, *, progress: Progress | None = None,
             **options: Any) -> Sentences:
    """Make a model of sentences, and return it; without `output` its file is deleted with the result.

    corpus: as for acevec.train; or pairs=, an iterable of pairs of texts, or labels=, of a label and a text.
        init= is word vectors, or their file.
    """
    space = SPACE if options.get("pairs") is not None or options.get("labels") is not None else TOKENS
    return Sentences(*trained(["sentence"], "model", output, {"train": corpus, **options}, progress, space))


def metric(points: Any = None, labels: Any = None, output: Path | None = None, *, progress: Progress | None = None,
           **options: Any) -> Encoder:
    """Train an encoder of labelled points, and return it; without `output` its file is deleted with the result.

    points, labels: paths, or arrays of a point in each row, and of its label, an integer or a string.
    """
    options = {"train": points, "labels": labels, **options}
    return Encoder(*trained(["metric"], "model", output, options, progress))


def trained(words: list[str], name: str, output: Path | None, options: dict[str, Any], progress: Progress | None,
            space: bytes = SPACE) -> tuple[str, Temporary | None]:
    """Run a training; return the path of its result, and the folder that it is in if there is no `output`."""
    if output == "-" or (output is None and options.get("resume")):
        raise ValueError("output has to be the file of the result, to read it back; resume= needs it too")
    folder = Temporary() if output is None else None
    path = folder.path(name) if folder else os.fspath(output or "")
    command(words, {**options, "output": path}, progress=progress, space=space)
    return path, folder


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return what the program says of its commands, by the names of their functions."""
    commands = json.loads(call(["--options", "json"], quiet=True))["commands"]
    return {command["name"].replace(" ", "_") or "train": command for command in commands}


@functools.lru_cache(maxsize=None)
def function(name: str) -> Callable[..., Any]:
    """Return the function of a command, with its options in its signature and in its help."""
    if name not in table():
        raise AttributeError(f"acevec has no command {name}")
    words = table()[name]["name"].split()

    def other(*arguments: Any, input: Rows | None = None, progress: Progress | None = None, **options: Any) -> str:
        """Run a command of the program; return what it prints.

        The arguments are those of acevec.run, and the options those below, with underscores for dashes.
        """
        return command([*words, *arguments], options, input, progress)

    made: Any = TRAINERS.get(name, other)
    signature = inspect.signature(made)
    parameters = [one for one in signature.parameters.values() if one.kind != one.VAR_KEYWORD]
    for row in table()[name]["options"]:
        option = row["name"].replace("-", "_") + "_" * keyword.iskeyword(row["name"])
        if option not in signature.parameters:
            parameters.append(inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=row["default"]))
    made.__doc__ = f"{inspect.getdoc(made)}\n\n{call([*words, '--help'], quiet=True)}"
    made.__name__ = made.__qualname__ = name
    made.__module__ = "acevec"
    made.__signature__ = signature.replace(parameters=parameters)
    return made


TRAINERS: dict[str, Any] = {"train": train, "order": order, "kg": kg, "sentence": sentence, "metric": metric}
