"""JSON in, JSON out: one object, or one object a line, each answered on a line of its own, in the same order."""

import json
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NoReturn, TextIO

import click

from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import did_you_mean

# Invalid UTF-8 is passed through, so that only the object it stands in is refused.
BAD_BYTES = "surrogateescape"
JSON_FILE = click.File("r", encoding="utf-8", errors=BAD_BYTES)

LONGEST_LINE = 64_000_000  # characters; an event of 700 players on one line is shorter

Responder = Callable[[dict[str, Any]], dict[str, Any]]
WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def answer_each(source: TextIO, answer: Responder, out: TextIO | None = None) -> ExitCode:
    """Answer every object; one that is wrong gets ``{"error", "where"}`` and the others are still answered.

    ``answer`` raises `Stopped` for an object it cannot answer. Returns the exit code: 1 if any object was wrong.
    """
    out = out or sys.stdout
    code = ExitCode.DONE
    for number, value in enumerate(_objects(source), start=1):
        reply = _answer_one(value, answer, number)
        if "error" in reply:
            code = ExitCode.WITH_FAULTS
        out.write(one_line(reply))
    out.flush()
    return code


def unknown_fields(value: Mapping[str, Any], known: frozenset[str], where: str = "") -> list[Problem]:
    """List the unknown fields of an object, because a misspelt one would be ignored silently."""
    return [
        Problem(Weight.STOPS, f"unknown field{did_you_mean(name, tuple(sorted(known)))}", f"{where}{name}")
        for name in sorted(value.keys() - known)
    ]


def one_line(reply: dict[str, Any]) -> str:
    """Write an answer; half a surrogate pair, which no file can hold, is written as its escape."""
    text = WRITE(reply)
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text + "\n"


def _answer_one(value: object, answer: Responder, number: int) -> dict[str, Any]:
    if isinstance(value, NotJson):
        return {"error": str(value), "where": f"object {number}"}
    if not isinstance(value, dict):
        return {"error": f"expected an object, found {type(value).__name__}", "where": f"object {number}"}
    name = {"id": value["id"]} if "id" in value else {}
    try:
        return answer(value)
    except Stopped as stopped:
        first, *others = stopped.problems
        more = {"more": [{"error": p.text, "where": p.where} for p in others]} if others else {}
        return {**name, "error": first.text, "where": f"object {number} {first.where}".strip(), **more}
    except Exception as error:  # a fault of the program in one object never ends the others
        text = f"a fault of the program ({type(error).__name__}: {error}); this object has no answer, report it"
        return {**name, "error": text, "where": f"object {number}"}


def _objects(source: TextIO) -> Iterator[object]:
    """Read objects one at a time; something that is not JSON yields a `NotJson` in its place, and reading goes on.

    An object may be spread over lines, as people and formatters write it.
    """
    waiting = deque[str]()  # lines to be read again, after an object that proved not to be JSON
    lines = (line for line in _take_lines(source) if line.strip())
    while line := waiting.popleft() if waiting else next(lines, None):
        value = _read_json(line)
        if not isinstance(value, NotJson) or not _may_go_on(line):
            yield value
            continue
        spread = _gather_lines(line, chain((waiting.popleft() for _ in range(len(waiting))), lines))
        value = _read_json("".join(spread))
        if isinstance(value, NotJson):
            again = next((n for n, each in enumerate(spread) if n and _begins(each)), len(spread))
            waiting = deque([*spread[again:], *waiting])
        yield value


def _take_lines(source: TextIO) -> Iterator[str]:
    """Read lines, none of which goes on for ever: a device without end is no file of objects."""
    while line := source.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            raise stop(f"a line of more than {LONGEST_LINE // 1_000_000} MB; it and what follows is not read", "JSON")
        yield line


def _gather_lines(first: str, following: Iterator[str]) -> list[str]:
    """Take the lines of an object until its brackets are closed, or until it cannot be one any more."""
    lines, depth = [first], _depth_of(first)
    while depth > 0 and (line := next(following, None)) is not None:
        lines.append(line)
        depth += _depth_of(line)
        if _begins(line) and lines[-2].rstrip()[-1] not in ",[:":
            break  # another object begins before this one was closed
    return lines


def _begins(line: str) -> bool:
    """Say whether an object may begin with this line: inside an object, lines are indented."""
    return line.startswith("{")


def _may_go_on(line: str) -> bool:
    """Say whether a line is the beginning of an object that goes on: brackets are open, and nothing is wrong so far."""
    if _depth_of(line) <= 0:
        return False
    line = line.removeprefix("\ufeff")
    try:
        READ(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(line.rstrip())
    except (RecursionError, ValueError):
        return False
    return False


BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|[\[\]{}]')  # strings are passed over; none goes on in the next line


def _depth_of(line: str) -> int:
    """Count the brackets that a line opens less those that it closes, outside of strings.

    >>> _depth_of('{"a": [1, {"b": "]]"}'), _depth_of("}]")
    (2, -2)
    """
    brackets = BRACKETS.findall(line)
    return sum(mark in "[{" for mark in brackets if mark) - sum(mark in "]}" for mark in brackets if mark)


class NotJson(ValueError):
    """A line that is not JSON, and why."""


def _refuse_constant(name: str) -> NoReturn:
    """Refuse ``NaN`` and its like: they are Python's, not JSON's."""
    raise ValueError(f"{name} is not a JSON value")


def _refuse_double_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: one of its values would be lost without a word."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{twice!r} stands twice in one object")
    return values


NO_UTF_8 = re.compile("[\udc80-\udcff]")
READ = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_refuse_double_key).decode


def _read_json(text: str) -> object:
    """Read one JSON value, or return what is wrong with it."""
    if not text.isascii() and (bad := NO_UTF_8.search(text)):
        return NotJson(f"not UTF-8: byte 0x{ord(bad[0]) - 0xDC00:02X} at column {bad.start() + 1}")
    try:
        return READ(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return NotJson(f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return NotJson("JSON that is nested too deeply")
    except ValueError as error:  # a number of thousands of digits, NaN, a key twice
        return NotJson(f"JSON that is not accepted: {error}")
