"""The line of a TOML file on which a setting stands, for messages that say where to look."""

import re
from collections.abc import Mapping

HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)$""")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
STEP = re.compile(r"\[\d+\]$|\.[^.\[\]]+$")  # the last step of a path: an element, or a key


def lines_of(text: str) -> dict[str, int]:
    r"""Find the line of every table and of every key that begins a line, by its path; the first line is 1.

    >>> lines_of('[totals]\nrounds = 3\n[[scoring.parts]]\ngive = "flat"')["scoring.parts[0].give"]
    4
    """
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, open_brackets = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if open_brackets:  # inside a list or a table that goes on over several lines
            open_brackets += depth(line)
        elif header := HEADER.match(line):
            name = inside_last(plain(header[2]), counts)
            if header[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
                found.setdefault(name, number)
                name = f"{name}[{counts[name]}]"
            table = name
            found.setdefault(table, number)
        elif key := KEY.match(line):
            path = plain(key[1])
            found.setdefault(f"{table}.{path}" if table else path, number)
            open_brackets = depth(key[2])
    return found


def line_of(lines: Mapping[str, int], path: str) -> int | None:
    """The line of a setting, or of the nearest table around it that stands in the file."""
    while path and path not in lines:
        step = STEP.search(path)
        path = path[: step.start()] if step else ""
    return lines.get(path)


def inside_last(name: str, counts: dict[str, int]) -> str:
    """A table inside a list of tables belongs to the last of them."""
    steps = name.split(".")
    for length in range(1, len(steps)):
        outer = ".".join(steps[:length])
        if outer in counts:
            steps[length - 1] += f"[{counts[outer]}]"
    return ".".join(steps)


def depth(text: str) -> int:
    """How many brackets a line opens and does not close; strings and comments do not count."""
    bare = QUOTED.sub("", text).partition("#")[0]
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def plain(key: str) -> str:
    """A key without its quotes and the blanks round its dots."""
    return ".".join(step.strip().strip("\"'") for step in key.split("."))
