"""All that an answer rests on which is kept for the next command: every fact, the event's file, its rules, the program.

Whatever of it is another, the answer is worked out anew. Nothing is believed by its time or size: facts and program are
taken byte by byte, file and rules as they were understood.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType

from pipeline.desk.event.event import Event
from pipeline.rules.toml.folders import data_folder

ELSEWHERE = frozenset(
    {"__pycache__", "cli", "web", "rehearsal", "pen", "picture", "workbook", "weights"}
)  # what no answer asks
DATA = ("templates", "abbreviations")
LIKENESS = "rapidfuzz"  # the library that says how like two words are


def all_of(event: Event) -> str:
    """One text that is another as soon as anything is another; stop where a fact is not as it was written."""
    told = in_order((event.details, event.roster, event.tournament))
    return "\n".join((program(), json.dumps(told), event.facts.sum_of_all()))


def in_order(value: object) -> object:
    """A value as lists of texts; sets, which have no order of their own, in the order of what is in them."""
    if is_dataclass(value):
        return [type(value).__name__, *(in_order(getattr(value, each.name)) for each in fields(value))]
    if isinstance(value, Mapping):
        return [[in_order(key), in_order(each)] for key, each in value.items()]
    if isinstance(value, tuple | list):
        return [in_order(each) for each in value]
    if isinstance(value, frozenset | set):
        return sorted(json.dumps(in_order(each)) for each in value)
    if isinstance(value, FunctionType) and value.__closure__ is None:
        return f"{value.__module__}.{value.__qualname__}"  # what it does is the program's
    return repr(value)


@cache
def program() -> str:
    """The program that answers, by what is in its files, and what runs it."""
    found = hashlib.sha256()
    for file in sorted(files()):
        data = file.read_bytes()
        found.update(f"{file} {len(data)}\n".encode("utf-8", "surrogatepass"))
        found.update(data)
    return f"{sys.version} {found.hexdigest()}"


def files() -> Iterator[Path]:
    """The files of the program from which an answer follows, and the one by which the edition of a library is known."""
    for folder in (str(resources.files("pipeline")), *(str(data_folder(each)) for each in DATA)):
        for here, inside, names in os.walk(folder):
            inside[:] = [each for each in inside if each not in ELSEWHERE]
            yield from (Path(here, name) for name in names)
    library = find_spec(LIKENESS)
    if library is not None and library.origin is not None:
        yield Path(library.origin)
