"""JSON in, JSON out: one object, or one object a line, each answered on a line of its own, in the same order."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NoReturn, TextIO

from pipeline.problems import Stopped

Answer = Callable[[dict[str, Any]], dict[str, Any]]
WRITE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def answer_each(source: TextIO, answer: Answer, out: TextIO | None = None) -> int:
    """Answer every object; one that is wrong gets ``{"error", "where"}`` and the others are still answered.

    ``answer`` raises `Stopped` for an object it cannot answer. Returns the exit code: 1 if any object was wrong.
    """
    out = out or sys.stdout
    code = 0
    for number, value in enumerate(objects(source), start=1):
        reply = answer_one(value, answer, number)
        if "error" in reply:
            code = 1
        out.write(one_line(reply))
    out.flush()
    return code


def one_line(reply: dict[str, Any]) -> str:
    """Write an answer; half a surrogate pair, which no file can hold, is written as its escape."""
    text = WRITE(reply)
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text + "\n"


def answer_one(value: object, answer: Answer, number: int) -> dict[str, Any]:
    """Answer one object, or say what is wrong with it."""
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


def objects(source: TextIO) -> Iterator[object]:
    """Read objects one at a time; a line that is not JSON yields its error in its place.

    A single object may be spread over many lines, as people and formatters write it.
    """
    lines: Iterator[str] = (line for line in source if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if isinstance(load(first), NotJson) and not first.rstrip().endswith("}"):
        rest = list(lines)
        whole = load(first + "".join(rest))
        if not isinstance(whole, NotJson):
            yield whole
            return
        lines = iter(rest)
    yield from load_all(chain([first], lines))


def load_all(lines: Iterable[str]) -> Iterator[object]:
    """Read one object a line."""
    for line in lines:
        yield load(line)


class NotJson(ValueError):
    """A line that is not JSON, and why."""


def no_constant(name: str) -> NoReturn:
    """Refuse ``NaN`` and its like: they are Python's, not JSON's."""
    raise ValueError(f"{name} is not a JSON value")


def no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: one of its values would be lost without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{twice!r} stands twice in one object")
    return found


READ = json.JSONDecoder(parse_constant=no_constant, object_pairs_hook=no_twice).decode


def load(text: str) -> object:
    """Read one JSON value, or give back what is wrong with it."""
    try:
        return READ(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return NotJson(f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return NotJson("not JSON we read: lists within lists, too deep")
    except ValueError as error:  # a number of thousands of digits, NaN, a key twice
        return NotJson(f"not JSON we read: {error}")
