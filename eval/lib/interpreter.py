"""Find a Python interpreter that has the packages a script imports.

Systems install numpy and the like for one interpreter, which is not always the `python3` that
comes first on the PATH. Only the standard library is used here, and only old syntax, so that the
wrong interpreter can read this file too.
"""

import importlib
import os
import subprocess
import sys

# Holds the process id across a re-execution, which keeps the id: so a process re-executes at most
# once, while the processes it starts, which inherit the variable, may still do so.
MARK = "ACEVEC_REEXECUTED"

# What another interpreter is asked: whether it has the packages. It does not import them, which takes
# seconds; the script that then runs under it does, and says so if one is broken.
PROBE = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"

# Where the name to install differs from the name to import.
PIP_NAMES = {"sklearn": "scikit-learn"}


def missing(packages):
    """Return those of the packages (names to import) that this interpreter cannot import."""
    absent = []
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError:
            absent.append(package)
    return absent


def find(*packages):
    """Return the path of an interpreter that has all the packages, or None.

    Looked at in this order: this interpreter, $ACEVEC_PYTHON, /usr/bin/python3.
    """
    if not missing(packages):
        return sys.executable
    for candidate in (os.environ.get("ACEVEC_PYTHON"), "/usr/bin/python3"):
        if not candidate:
            continue
        try:
            probe = subprocess.run(
                [candidate, "-c", PROBE] + list(packages),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError:
            continue
        if probe.returncode == 0:
            return candidate
    return None


def require(*packages, **options):
    """Make sure that the running script can import the packages; call it once, before importing.

    Returns when this interpreter has them all. Otherwise the script starts again, with the same
    arguments, under the interpreter of `find`; when there is none it ends with one line on stderr
    and exit status 1, or, with skip=True, with `skipped: ...` on stdout and status 77 (the status
    by which a test says that it could not run).
    """
    absent = missing(packages)
    if not absent:
        return
    process = str(os.getpid())
    found = None if os.environ.get(MARK) == process else find(*packages)
    if found:
        os.environ[MARK] = process
        # Before 3.10 there is no orig_argv; argv alone is right for a script, not for -m or -c.
        arguments = getattr(sys, "orig_argv", [""] + sys.argv)[1:]
        os.execv(found, [found] + arguments)
    need = "needs %s for Python; install %s (Debian) or %s (pip), or set ACEVEC_PYTHON to an " \
        "interpreter that has them" % (
            ", ".join(absent),
            " ".join("python3-" + name for name in packages),
            " ".join(PIP_NAMES.get(name, name) for name in packages))
    name = os.path.basename(sys.argv[0]) or "python"
    if options.get("skip"):
        print("skipped: %s %s" % (name, need))
        sys.stdout.flush()
        sys.exit(77)
    sys.stderr.write("%s: %s\n" % (name, need))
    sys.exit(1)
