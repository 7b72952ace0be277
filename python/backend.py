#!/usr/bin/env python3
"""Makes the wheel, a zip of the modules and of the program that `make wheel` has built.

    backend.py BUILD [FOLDER]      writes acevec-VERSION-py3-none-PLATFORM.whl to FOLDER or BUILD

Also a build backend for pip (PEP 517), for which $ACEVEC_BUILD names BUILD. It needs numpy, as the
package does.
"""

import base64
import hashlib
import inspect
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# Every system of glibc has these; they belong together and to the system.
SYSTEM = re.compile(r"(libc|libm|libgcc_s|libstdc\+\+|ld-linux.*)\.so")
# Debian's packages of which the program has parts; the wheel has their licenses.
PARTS = ("libicu-dev", "libutf8proc-dev", "libexpat1-dev", "zlib1g-dev", "libbz2-dev",
         "liblzma-dev", "libzstd-dev", "libhwy-dev", "robin-map-dev", "nlohmann-json3-dev",
         "libxxhash-dev")
METADATA = """Metadata-Version: 2.1
Name: acevec
Version: {}
Summary: Trains word vectors and other embeddings
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

{}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: acevec\nRoot-Is-Purelib: false\nTag: {tag}\n"
SCRIPT = "#!python\nimport acevec.__main__\n"  # starts faster than pip's own scripts
STUBS = """from typing import Any, Literal
from acevec._models import (Encoder as Encoder, Error as Error, Graph as Graph, Note as Note,
                            Sentences as Sentences, Vectors as Vectors, load as load, run as run)
from acevec._program import Path, Progress, Rows
__version__: str
def program() -> str: ...
"""


def stubs(program):
    """Return acevec/__init__.pyi: for editors and type checkers, functions with their options."""
    os.environ["ACEVEC"] = str(program)
    sys.path.insert(0, str(HERE))
    from acevec import _models
    return STUBS + "".join(f"def {name}{inspect.signature(_models.function(name))}: ...\n"
                           for name in _models.table())


def contents(program, version, tag):
    """Return what the wheel holds, {path: bytes}."""
    sources = {f"acevec/{path.name}": path for path in sorted((HERE / "acevec").glob("*.[pt]y*"))}
    sources["acevec/bin/acevec"] = program
    libraries = subprocess.check_output(["ldd", program], encoding="utf-8")
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", libraries, re.M):
        if not SYSTEM.match(name):
            sources[f"acevec/bin/{name}"] = pathlib.Path(path)
    info = f"acevec-{version}.dist-info"
    sources[f"{info}/licenses/LICENSE"] = ROOT / "LICENSE"
    for part in PARTS:
        sources[f"{info}/licenses/{part}"] = pathlib.Path("/usr/share/doc", part, "copyright")
    files = {name: path.read_bytes() for name, path in sources.items() if path.exists()}
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    texts = {f"{info}/METADATA": METADATA.format(version, page),
             "acevec/__init__.pyi": stubs(program), f"{info}/WHEEL": WHEEL.format(tag=tag),
             f"acevec-{version}.data/scripts/acevec": SCRIPT}
    files.update((name, text.encode()) for name, text in texts.items())
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
               for name, data in files.items()}
    lines = [f"{name},sha256={digests[name]},{len(data)}\n" for name, data in files.items()]
    return {**files, f"{info}/RECORD": "".join([*lines, f"{info}/RECORD,,\n"]).encode()}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Make the wheel in a folder; return its name."""
    build = pathlib.Path(os.environ.get("ACEVEC_BUILD", ROOT / "build"))
    program = build / "python" / "acevec-portable"
    if not program.exists():
        sys.exit(f"there is no {program}; run `make wheel` first")
    version = subprocess.check_output([program, "--version"], encoding="utf-8").split()[1]
    # The program needs a glibc, and the libstdc++ of its time, that are as new as here.
    glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
    tag = f"py3-none-manylinux_{glibc}_{sysconfig.get_platform().removeprefix('linux-')}"
    name = f"acevec-{version}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        # The same contents give the same bytes.
        for path, data in contents(program, version, tag).items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if path.endswith("/acevec") else 0o100644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


if __name__ == "__main__":
    os.environ["ACEVEC_BUILD"] = sys.argv[1]
    print(os.path.join(sys.argv[-1], build_wheel(sys.argv[-1])))
