"""Spoil good input: bytes, text, and the values inside JSON, each from a seed, so that a try can be made again."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

NUMBER = re.compile(r"(?<![\w\"])-?\d+(?:\.\d+)?")
STRING = re.compile(r'"[^"\n]*"')
DEEP: Any = []
for _ in range(60):
    DEEP = [DEEP]
ODD_TEXTS = (
    "", " ", "\x00", "\x07", "\u2028", "\u2029", "\u202e", "\x85", "\x1b[2J", "\ufeff", "\ud800", "\u200f", "\x7f",
    "²", "١", "½", "Ⅷ", "𝟙", "=1+1", "-", "/", "//", "..", "../../x", ";", "'", '"', "<b>", "%s", "{}", "NaN", "inf",
    "1e400", "1/0", "0/0", "-1", "1.5", "9" * 5000, "A" * 3000, "ß" * 40, "İ", "None", "nothing", "nobody", "ask",
    "A VIE", "F STP/NC", "A VIE - GAL", "AUSTRIA", "S1901M", "W1901A", "F99999999999999999999M", "110 %", "true",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 35, 1901, 2**31, 2**63, 10**21, 10**400, -(10**30), 0.5, -0.0, 1e308, 1e-320,
    float("nan"), float("inf"), float("-inf"), [], {}, [[]], [None], {"": 0}, {"value": "ask"}, DEEP,
)  # fmt: skip
ODD_NUMBERS = (
    "0", "-1", "-0.0", "nan", "inf", "-inf", "1e308", "1e999", "1000000000000000000000", "0x7fffffffffffffff", "0.5",
    "true", '"²"', '"1/0"', "[]", "{}", '""', "9" * 5000, "1e-300", "1901-01-01", "99", "3", "18", "34",
)  # fmt: skip


def odd_value(rng: Random) -> Any:
    """Something that does not belong there."""
    return deepcopy(rng.choice(ODD_VALUES)) if rng.random() < 0.5 else rng.choice(ODD_TEXTS)


def paths_in(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths of everything in a value."""
    inside = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    return [path, *(deeper for key, each in inside for deeper in paths_in(each, (*path, key)))]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """What stands at a path."""
    for key in path:
        value = value[key]
    return value


def odd_json(value: Any, rng: Random) -> Any:
    """Change one to three things in a value: put, take out, double, swap, rename a key, spoil a text."""
    value = deepcopy(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        paths = [path for path in paths_in(value) if path]
        if not paths:
            return odd_value(rng)
        change_one(value, paths, rng)
    return value


def change_one(value: Any, paths: list[tuple[Any, ...]], rng: Random) -> None:
    """Change one thing."""
    path = rng.choice(paths)
    around, key = at(value, path[:-1]), path[-1]
    match rng.randrange(7):
        case 0:
            del around[key]
        case 1:
            around[key] = deepcopy(at(value, rng.choice(paths)))
        case 2 if isinstance(around, list):
            around.insert(key, deepcopy(around[key]))
        case 2:
            around[rng.choice(ODD_TEXTS)] = deepcopy(around[key])
        case 3 if isinstance(around[key], str):
            around[key] = odd_text(around[key], rng)
        case 3 if type(around[key]) is int:
            around[key] += rng.choice((-1, 1, 7, 100))
        case _:
            around[key] = odd_value(rng)


def odd_text(text: str, rng: Random) -> str:
    """Put something odd into a text, or take letters out of it."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 0, 1, 1, 3, 10)))
    return text[:start] + rng.choice((*ODD_TEXTS[:30], "", "")) + text[end:]


def json_bytes(data: bytes, rng: Random) -> bytes:
    """Spoil one object of JSON: mostly inside, now and then as text."""
    if rng.random() < 0.15:
        return any_bytes(data, rng)
    return json.dumps(odd_json(json.loads(data), rng)).encode()


def text_bytes(data: bytes, rng: Random) -> bytes:
    """Spoil a text file: a number, a string, a line, or any of its bytes."""
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = odd_lines(text, rng)
    return text.encode("utf-8", "surrogatepass") if rng.random() < 0.9 else any_bytes(data, rng)


def odd_lines(text: str, rng: Random) -> str:
    """Spoil one thing in a text of lines."""
    pattern, put = ((NUMBER, ODD_NUMBERS), (STRING, tuple(json.dumps(each) for each in ODD_TEXTS)))[rng.randrange(2)]
    places = list(pattern.finditer(text))
    match rng.randrange(4):
        case 0 | 1 if places:
            place = rng.choice(places)
            return text[: place.start()] + rng.choice(put) + text[place.end() :]
        case 2:
            lines = text.split("\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first] = rng.choice((lines[second], "", lines[first] + lines[second]))
            return "\n".join(lines)
        case _:
            return odd_text(text, rng)


def any_bytes(data: bytes, rng: Random) -> bytes:
    """Spoil any bytes: flip some, cut off, take out, double, or write over a span."""
    spoilt = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not spoilt:
            return bytes(rng.randbytes(rng.randrange(40)))
        start = rng.randrange(len(spoilt))
        span = slice(start, start + rng.choice((1, 2, 4, 16, 200)))
        match rng.randrange(6):
            case 0 | 1:
                spoilt[start] = rng.randrange(256)
            case 2:
                del spoilt[span]
            case 3:
                spoilt[start:start] = spoilt[span]
            case 4:
                spoilt[span] = rng.choice((b"\0", b"\xff", b"\x7f\xff\xff\xff", b"99999999999", rng.randbytes(4)))
            case _ if rng.random() < 0.3:
                del spoilt[start:]
    return bytes(spoilt)


Mutation = Callable[[bytes, Random], bytes]
