"""Processes of the program's own: each runs one of its modules, and is talked to through pipes."""

import os
import subprocess
import sys
from pathlib import Path

import pipeline


def started(module: str, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a module of this very program; `OSError` where no process can be had."""
    here = str(Path(pipeline.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | environment | {"PYTHONPATH": paths},
    )
