"""acevec trains embeddings: word vectors from text, vectors of sentences, hierarchies and graphs.

    model = acevec.train("corpus.txt", size=300)
    model.most_similar("king")

Each command of the program is a function, and the program's options are its keyword arguments:
train (words), kg, order, sentence, metric, text, ... help(acevec.train) lists them. docs/python.md
has examples.
"""

import importlib
import os

__all__ = ["Encoder", "Error", "Graph", "Note", "Sentences", "Vectors", "kg", "load", "metric",
           "order", "run", "sentence", "train"]


def program() -> str:
    """Return the path of the program: $ACEVEC, or the one in this package."""
    return os.environ.get("ACEVEC") or os.path.join(os.path.dirname(__file__), "bin", "acevec")


def __dir__() -> list[str]:
    from acevec import _models
    return sorted({*__all__, *_models.table(), "program", "__doc__", "__file__", "__version__"})


# Imports here, as numpy would slow the start of the program.
def __getattr__(name: str):  # type: ignore[no-untyped-def]
    if name.startswith("_") and name != "__version__":
        raise AttributeError(f"acevec has no {name}")
    from acevec import _models
    if name == "sklearn":
        return importlib.import_module("acevec.sklearn")
    if name == "__version__":
        return _models.run("--version").split()[1]
    own = name in __all__ and name not in _models.TRAINERS
    return getattr(_models, name) if own else _models.function(name)
