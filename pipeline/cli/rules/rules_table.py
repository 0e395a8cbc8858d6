"""Tournaments side by side, switch by switch, as a Markdown page: ``ordersheets rules --table``."""

from collections.abc import Iterator, Sequence

from pipeline.rules.toml.setting import Switch, in_words
from pipeline.rules.tournament import Tournament

SIDE_BY_SIDE = ("tournament", "reading", "adjustments", "conduct", "ending", "clock", "draw")
HEAD = """# Tournaments side by side

Every switch of the rules files in `templates/rules/`, with its value and the rule it comes from. **ask** means: the
rules are silent, or leave it to the director, and he is asked. The numbers in the first column are the rows of the
catalogue of situations that the switches answer. What each word means: `ordersheets rules TOURNAMENT`.

This page is the output of `ordersheets rules --table`; a test keeps it so.
"""


def page(tournaments: Sequence[Tournament]) -> str:
    """Write the whole page."""
    parts = [HEAD, "\n".join(judge_part(tournaments))]
    parts += ["\n".join(section_part(tournaments, section)) for section in SIDE_BY_SIDE]
    return "\n".join(parts)


def section_part(tournaments: Sequence[Tournament], section: str) -> Iterator[str]:
    """Write one table of the rules files; every file has the same switches in it."""
    columns = [{each.path: each for each in tournament.switches()} for tournament in tournaments]
    yield from head(tournaments, section)
    for path, switch in columns[0].items():
        if path.split(".")[0] == section:
            yield row(switch, path.removeprefix(f"{section}."), [cell(column[path]) for column in columns])
    yield ""


def judge_part(tournaments: Sequence[Tournament]) -> Iterator[str]:
    """Write the table ``[judge]``, in which a file has only what it does not take from its edition."""
    columns = [{each.path: each for each in t.switches() if each.path.startswith("judge.")} for t in tournaments]
    known = {path: column[path] for column in columns for path in column}
    yield from head(tournaments, "judge")
    for path, switch in known.items():
        cells = [cell(column[path]) if path in column else "as the edition" for column in columns]
        yield row(switch, path.removeprefix("judge."), cells)
    yield ""


def head(tournaments: Sequence[Tournament], section: str) -> Iterator[str]:
    """Write the first lines of a table."""
    yield f"## [{section}]"
    yield ""
    yield f"| row | switch | {' | '.join(t.short for t in tournaments)} |"
    yield f"|---|---|{'---|' * len(tournaments)}"


def row(switch: Switch, name: str, cells: Sequence[str]) -> str:
    """Write one line of a table."""
    return f"| {switch.rows} | `{name}`: {switch.question} | {' | '.join(cells)} |"


def cell(switch: Switch) -> str:
    """Write one value with its rule."""
    value = "**ask**" if switch.setting.asks else in_words(switch.setting.value)
    if switch.setting.otherwise is not None:
        value = f"{value} (or {in_words(switch.setting.otherwise)})"
    return f"{value} · {switch.setting.rule}" if switch.setting.rule else value
