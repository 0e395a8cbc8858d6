"""Processes of the program's own: each runs one of its modules, and is talked to through pipes."""

import ctypes
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pipeline
from pipeline.problems import stop


def serve_until_end(serve: Callable[[], None]) -> NoReturn:
    """Run the loop of a helper process until its input ends; errors are silent: its caller notices a missing answer."""
    try:
        serve()
    except BaseException:  # including the case that the caller has ended
        os._exit(1)
    os._exit(0)  # without flushing a pipe that nobody reads


RETURNED = 8 << 20  # bytes of a block that goes back to the system as soon as it is freed
M_MMAP_THRESHOLD = -3  # of <malloc.h>


def return_memory_at_once() -> None:
    """Let glibc give large blocks back when they are freed: a desk that opened large pictures kept 1.3 GB of them."""
    with suppress(OSError, AttributeError, TypeError):  # elsewhere than on Linux
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, RETURNED)


_started = weakref.WeakSet["subprocess.Popen[bytes]"]()  # that end with this one
_ending = threading.Event()


def end_processes() -> None:
    """End the processes that were started, since this one ends: what they do is done again at the next start."""
    _ending.set()
    for each in list(_started):
        each.kill()


def check_not_ending() -> None:
    """Raise `Stopped` where a process was ended by `end_processes`: that it gave no answer says nothing of the file."""
    if _ending.is_set():
        raise stop("the program ends; what is left is read when it is started again", "scan")


def start_process(
    module: str, *arguments: str, environment: Mapping[str, str] = {}, outlives: bool = False
) -> "subprocess.Popen[bytes]":
    """Start a module of this very program; `OSError` where no process can be had.

    It ends with this one (`end_processes`), unless it ``outlives`` it.
    """
    check_not_ending()
    here = str(Path(pipeline.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is meant for who started it, also while this one is still being loaded
        env=os.environ | dict(environment) | {"PYTHONPATH": paths},
    )
    if not outlives:
        _started.add(process)
        if _ending.is_set():  # meanwhile
            process.kill()
            check_not_ending()
    return process
