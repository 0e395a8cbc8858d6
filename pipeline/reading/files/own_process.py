"""Processes of the program's own: each runs one of its modules, and is talked to through pipes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pipeline


def served(serve: Callable[[], None]) -> NoReturn:
    """Run such a process to its end, and say nothing of how it ended: whoever asked knows it by the missing answer."""
    try:
        serve()
    except BaseException:  # also where the one who asked is gone, and there is nobody to answer
        os._exit(1)
    os._exit(0)  # without a last word of what is left in a pipe that nobody reads


def started(module: str, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a module of this very program; `OSError` where no process can be had."""
    here = str(Path(pipeline.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is meant for who started it, also while this one is still being loaded
        env=os.environ | environment | {"PYTHONPATH": paths},
    )
