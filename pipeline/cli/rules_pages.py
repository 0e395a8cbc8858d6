"""The gallery of scoring systems as a Markdown page: ``ordersheets rules --gallery``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from textwrap import wrap
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import click
from msgspec import Struct
from msgspec.structs import fields

from pipeline.board.map import MAPS, Power
from pipeline.judge.rulebook import DATC, EDITIONS, FIELDS
from pipeline.rules.blocks import FORMULA, MORE_THAN_HALF, PARTS, YEAR, YEAR_BEGUN
from pipeline.rules.conduct import ConductRules
from pipeline.rules.load import Unstated, load_defaults, load_systems
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.rules_check import SOLO, TYPICAL, make_board
from pipeline.rules.scoring import CHAINS, HIGHEST, NEEDS, OPEN, SIMPLE
from pipeline.rules.systems import SystemFile
from pipeline.rules.table import ASK, Asks, Choice, Switch, write_value
from pipeline.rules.tournament import IMPLIED, TABLE, ClockRules, DrawRules, EndingRules, Tournament
from pipeline.scoring.counts import StandBy
from pipeline.scoring.parts import Due, Kept, Payers, Shared, To, Unreached
from pipeline.scoring.results import RoundingWay, decimal
from pipeline.scoring.rules import (
    BoardGameTies,
    ChampionBy,
    ChoiceOfBoards,
    ChoosingRule,
    FinalTotal,
    Loses,
    Positive,
    PowerBy,
    TeamCount,
    TwoBoards,
)
from pipeline.scoring.system import (
    Abandoned,
    BoardKind,
    ComparedBy,
    ComparedIn,
    Eliminated,
    LateOf,
    PoolOf,
    Replacement,
    score_board,
)
from pipeline.words.speech import languages

# Tournaments side by side, switch by switch, as a Markdown page: ``ordersheets rules --table``.

SIDE_BY_SIDE = ("tournament", "reading", "adjustments", "conduct", "ending", "clock", "draw")
TABLE_HEAD = """# Tournaments side by side

Every switch of the rules files in `templates/rules/`, with its value and the rule it comes from. **ask** means: the
rules are silent, or leave it to the director, and he is asked. The numbers in the first column are the rows of the
catalogue of situations that the switches answer. **=** means: as the edition of the
rulebook. What each word means: `ordersheets rules TOURNAMENT`.

This page is the output of `ordersheets rules --table`; a test keeps it so.
"""


def page(tournaments: Sequence[Tournament]) -> str:
    """Write the whole page."""
    parts = [TABLE_HEAD, "\n".join(_judge_part(tournaments))]
    parts += ["\n".join(_section_part(tournaments, section)) for section in SIDE_BY_SIDE]
    return "\n".join(parts)


def _section_part(tournaments: Sequence[Tournament], section: str) -> Iterator[str]:
    """Write one table of the rules files; every file has the same switches in it."""
    columns = [{each.path: each for each in tournament.switches()} for tournament in tournaments]
    yield from head(tournaments, section)
    for path, switch in columns[0].items():
        if path.split(".")[0] == section:
            yield row(switch, path.removeprefix(f"{section}."), [_cell(column[path]) for column in columns])
    yield ""


def _judge_part(tournaments: Sequence[Tournament]) -> Iterator[str]:
    """Write the table ``[judge]``, in which a file has only what it does not take from its edition."""
    columns = [{each.path: each for each in t.switches() if each.path.startswith("judge.")} for t in tournaments]
    known = {path: column[path] for column in columns for path in column}
    yield from head(tournaments, "judge")
    for path, switch in known.items():
        cells = [_cell(column[path]) if path in column else "=" for column in columns]
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


def _cell(switch: Switch) -> str:
    """Write one value with its rule."""
    value = "**ask**" if switch.setting.asks else write_value(switch.setting.value)
    if switch.setting.otherwise is not None:
        value = f"{value} (or {write_value(switch.setting.otherwise)})"
    return f"{value}; {switch.setting.rule}" if switch.setting.rule else value


# Every key of a rules file and every word that it takes, as a Markdown page: ``ordersheets rules --words``.

WORDS_HEAD = """# Keys and words

Every key of a rules file, and every word that it takes. A switch (`[judge]` to `[draw]`) is written
`key = { value = …, rule = "where your rules say so" }`, or `"ask"`; the last column is where it stands in a file with
`[tournament] unstated = "defaults"`, or without `[tournament]`: `templates/defaults.toml`, with the reasons. Keys about
points (`[scoring]` to `[awards]`) may have a rule, and need none; [scoring.md](scoring.md) says what they do.

This page is the output of `ordersheets rules --words`; a test keeps it so.
"""
SECTIONS: Mapping[str, type] = {
    "reading": ReadingRules,
    "adjustments": AdjustmentRules,
    "conduct": ConductRules,
    "ending": EndingRules,
    "clock": ClockRules,
    "draw": DrawRules,
}
NUMBERS = {int: "a whole number", float: "a number", str: "a text", Fraction: 'points, such as 1 or "1/2"'}
POINTS: Mapping[str, tuple[str, ...]] = {
    "scoring.abandoned": tuple(Abandoned),
    "scoring.replaced": tuple(Replacement),
    "scoring.late_of": tuple(LateOf),
    "scoring.pool_of": tuple(PoolOf),
    "scoring.eliminated": (
        Eliminated.FORMULA,
        Eliminated.NOTHING,
        f"0.1 per {YEAR}",
        f"1 per {YEAR_BEGUN}",
        f"1/4 per {YEAR}, at most 2",
    ),
    "scoring.rounding": (RoundingWay.NOT_AT_ALL, RoundingWay.TRUNCATE),
    "scoring.rounding.how": tuple(RoundingWay),
    "scoring.solo.centres": (MORE_THAN_HALF,),
    "scoring.solo.winner": (FORMULA,),
    "scoring.solo.others": (FORMULA,),
    "scoring.tribute.due": tuple(Due),
    "scoring.tribute.payers": tuple(Payers),
    "scoring.tribute.shared": tuple(Kept),
    "scoring.guesses.when": tuple(BoardKind),
    "scoring.parts.give": tuple(PARTS),
    "scoring.parts.to": tuple(To),
    "scoring.parts.order": tuple(StandBy),
    "scoring.parts.shared": tuple(Shared),
    "scoring.parts.unreached": tuple(Unreached),
    "scoring.compared.by": tuple(ComparedBy),
    "scoring.compared.in": tuple(ComparedIn),
    "totals.rounds": (OPEN,),
    "totals.weights": ("all",),
    "totals.two_boards": tuple(TwoBoards),
    "totals.penalties.loses": tuple(Loses),
    "totals.final.total": tuple(FinalTotal),
    "totals.final.champion": tuple(ChampionBy),
    "totals.final.choosing": tuple(ChoosingRule),
    "totals.final.positive": tuple(Positive),
    "totals.final.two_boards": tuple(ChoiceOfBoards),
    "teams.count": tuple(TeamCount),
    "awards.power_by": tuple(PowerBy),
    "awards.titles.weights": ("all",),
    "awards.board_games.ties": tuple(BoardGameTies),
}


def words_page() -> str:
    """Write the whole page."""
    lines = [WORDS_HEAD, *_tournament_part(), *_judge_words()]
    for name, section in SECTIONS.items():
        lines += ["", f"## [{name}]", "", "| key | about | words | default |", "|---|---|---|---|"]
        lines += _section_rows(section, "", load_defaults().get(name, {}))
    return "\n".join([*lines, *_points_part(), *_ties_part()]) + "\n"


def _tournament_part() -> Iterator[str]:
    """``[tournament]``."""
    yield from ("", "## [tournament]", "", "| key | words |", "|---|---|")
    yield "| `name`, `short`, `source`, `id` | a text: what it is called, how its rules are quoted, where they stand |"
    yield f"| `map` | {_join_code_words(MAPS)} |"
    yield "| `abbreviations` | the name of a table, beside the file or of the program's own |"
    yield f"| `language` | {_join_code_words(languages())}: of what players see |"
    yield f"| `unstated` | {_describe_words(Unstated)} |"


def _judge_words() -> Iterator[str]:
    """``[judge]``: the editions, and the choices that a file may make differently."""
    default = load_defaults()["judge"]
    yield from ("", "## [judge]", "", "| key | words | default |", "|---|---|---|")
    yield f"| `edition` | {_join_code_words(EDITIONS)} | {standing(default.get('edition', ASK))} |"
    for field in FIELDS:
        if field in IMPLIED:  # these are set in [reading] or [adjustments], and not in [judge]
            continue
        value = getattr(DATC, field)
        words = _join_code_words(type(value)) if isinstance(value, StrEnum) else _kind_of(type(value))
        yield f"| `{field}` | {words} | {standing(default[field]) if field in default else 'as the edition'} |"


def _section_rows(section: type, before: str, defaults: Mapping[str, Any]) -> Iterator[str]:
    """One row for every switch of a section and of those inside it."""
    hints = get_type_hints(section, include_extras=True)
    for each in fields(section):
        hint = hints[each.name]
        if get_origin(hint) is Annotated:
            setting, asks = get_args(hint)
            question = asks.question if isinstance(asks, Asks) else ""
            default = standing(defaults.get(each.name, ASK))
            yield f"| `{before}{each.name}` | {question} | {_words_of(get_args(setting)[0])} | {default} |"
        elif isinstance(hint, type) and issubclass(hint, Struct):
            yield from _section_rows(hint, f"{before}{each.name}.", defaults.get(each.name, {}))
        else:
            yield f"| `[[clock.{each.name}]]` | the clock by year | `from_year`, `spring`, `fall`, `rule` | one |"


def _words_of(kind: Any) -> str:
    """The words that a switch takes."""
    if get_origin(kind) in (Union, UnionType):
        return f"{_words_of(get_args(kind)[0])}, or `none`"
    if get_origin(kind) is tuple:
        return f"a list of: {_words_of(get_args(kind)[0])}"
    if isinstance(kind, type) and issubclass(kind, Choice):
        return _describe_words(kind)
    if kind is Power:
        return _join_code_words(Power)
    return _kind_of(kind)


def _kind_of(kind: Any) -> str:
    """What a switch takes that has no list of words."""
    return {bool: "`true`, `false`", tuple: f"`{TABLE}`, or a list of provinces"}.get(kind) or NUMBERS.get(
        kind, "a list"
    )


def _describe_words(choice: type[Choice]) -> str:
    """Words with their meanings."""
    return "; ".join(f"`{member}` {member.meaning}" for member in choice)


def _join_code_words(words: Any) -> str:
    """Words by themselves."""
    return ", ".join(f"`{word}`" for word in words)


def standing(default: Any) -> str:
    """Where a switch stands, and where that comes from."""
    if not isinstance(default, Mapping):
        return "`ask`"
    return f"`{write_value(default['value'])}`; {default['rule']}"


def _points_part() -> Iterator[str]:
    """The keys about points that take words; all the others take numbers, lists or names."""
    yield from ("", "## Points: [scoring] [totals] [teams] [awards]", "", "| key | words |", "|---|---|")
    for key, words in POINTS.items():
        yield f"| `{key}` | {_join_code_words(words)} |"


def _ties_part() -> Iterator[str]:
    """The tie-breaks."""
    yield from (
        "",
        "## [ties]",
        "",
        f"Chains: {_join_code_words(CHAINS)}. Each is a list of these, the first first:",
        "",
    )
    yield f"* {_join_code_words((*(f'{name} game' for name in HIGHEST), *SIMPLE))}"
    for name, key in NEEDS.items():
        yield f"* `{name}`, which needs the setting `{key}`"
    yield "* `dropped_games_break_ties`: whether games that do not count may break ties: `true`, `false`"


# ``ordersheets rules --list``: the scoring systems that a rules file can take by their names.

WIDTH = 118  # columns
ID = 26  # columns for a system's id


def show_systems(*, as_json: bool) -> None:
    """Print all of them, with what a board of 12-9-6-4-3-0-0 and a solo would pay."""
    systems = load_systems()
    if as_json:
        click.echo(json.dumps([_system_as_object(system) for system in systems.values()], ensure_ascii=False))
        return
    for system in systems.values():
        click.echo(f"{system.id:<{ID}} {system.name}{f' ({system.year})' if system.year else ''}")
        for line in wrap(system.summary, WIDTH - 4):
            click.echo(f"    {line}")
        click.echo(f"    12-9-6-4-3-0-0 pays {'  '.join(_typical_payments(system, 2))}; a solo {most(system)}")
    click.echo(f'\n{len(systems)} systems; a rules file takes one by  [scoring] system = "{next(iter(systems))}"')


def _typical_payments(system: SystemFile, most_decimals: int = 6) -> list[str]:
    """What the typical board pays."""
    return [decimal(game.score, most_decimals) for game in score_board(make_board(TYPICAL), system.system)]


def most(system: SystemFile) -> str:
    """What a soloist gets."""
    return decimal(max(game.score for game in score_board(make_board(SOLO), system.system)), 2)


def _system_as_object(system: SystemFile) -> dict[str, object]:
    """Make the object that scripts get."""
    return {
        "id": system.id,
        "name": system.name,
        "also": list(system.also),
        "summary": system.summary,
        "rewards": system.rewards,
        "year": system.year,
        "author": system.author,
        "played": system.played,
        "source": system.source,
        "why": system.why,
        "pays": _typical_payments(system),
        "solo": most(system),
    }


PICTURES = "../templates/scoring"  # from docs/
GALLERY_HEAD = """# Scoring systems

What one game is worth, system by system. A rules file takes one by its name:

```toml
[scoring]
system = "tribute"

[totals]
rounds = 3
```

What else stands in the table `[scoring]` is laid over the system's own; [scoring.md](scoring.md) has all settings.
In the pictures the line is the mean over 249 ways to share 34 centres among seven powers without a solo, the band
reaches from the least to the most that a count of centres brings, and the bars are what one board of 12-9-6-4-3-0-0
pays, two powers having been eliminated in 1904 and 1906. Every file in `templates/scoring/` has its source, worked
examples, and what its sources leave open or tell in two ways.

This page is the output of `ordersheets rules --gallery`, made from those files; a test keeps it so.

| system | name | what it rewards | 12-9-6-4-3-0-0 pays | a solo |
|---|---|---|---|---|
"""


def gallery_page() -> str:
    """Write the whole page."""
    systems = load_systems().values()
    return (
        GALLERY_HEAD
        + "".join(_gallery_row(system) for system in systems)
        + "".join("\n".join(entry(each)) for each in systems)
    )


def _gallery_row(system: SystemFile) -> str:
    """One line of the table."""
    pays = ", ".join(_typical_payments(system, 2))
    return f"| [`{system.id}`](#{system.id}) | {system.name} | {system.rewards} | {pays} | {most(system)} |\n"


def entry(system: SystemFile) -> Iterator[str]:
    """One system with its picture."""
    yield f"\n## {system.id}\n"
    told = ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each)
    also = f" Also called {', '.join(system.also)}." if system.also else ""
    yield f"**{system.name}**{f' ({told})' if told else ''}. {system.summary}{also}\n"
    yield f"![{system.name}: points by centres]({PICTURES}/{system.id}.svg)\n"
    yield f"Source: {system.source}.{f' {system.why}' if system.why else ''}\n"
