"""Every key of a rules file and every word that it takes, as a Markdown page: ``ordersheets rules --words``."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pipeline.board.map import Power
from pipeline.board.standard import MAPS
from pipeline.judge.rulebook.rulebook import DATC, EDITIONS, FIELDS
from pipeline.rules.conduct_rules import ConductRules
from pipeline.rules.defaults import Unstated
from pipeline.rules.event_rules import ClockRules, DrawRules, EndingRules
from pipeline.rules.judging import IMPLIED, TABLE
from pipeline.rules.load import load_defaults
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.scoring.blocks import PARTS
from pipeline.rules.scoring.system_table import FORMULA, MORE_THAN_HALF, YEAR, YEAR_BEGUN
from pipeline.rules.scoring.tie_table import CHAINS, HIGHEST, NEEDS, SIMPLE
from pipeline.rules.toml.setting import ASK, Asks, Choice, in_words
from pipeline.scoring.games.combined_parts import To
from pipeline.scoring.games.counts import StandBy
from pipeline.scoring.games.parts import Shared, Unreached
from pipeline.scoring.games.system import Abandoned, BoardKind, Eliminated, LateOf, PoolOf, Replacement
from pipeline.scoring.games.tribute import Due, Kept, Payers
from pipeline.scoring.results.exact import RoundingWay
from pipeline.scoring.totals.rules import (
    BoardGameTies,
    ChampionBy,
    ChoiceOfBoards,
    ChoosingRule,
    FinalTotal,
    Loses,
    Positive,
    TeamCount,
    TwoBoards,
)
from pipeline.words.speech import languages

HEAD = """# Keys and words

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
    "totals.weights": ("all",),
    "totals.two_boards": tuple(TwoBoards),
    "totals.penalties.loses": tuple(Loses),
    "totals.final.total": tuple(FinalTotal),
    "totals.final.champion": tuple(ChampionBy),
    "totals.final.choosing": tuple(ChoosingRule),
    "totals.final.positive": tuple(Positive),
    "totals.final.two_boards": tuple(ChoiceOfBoards),
    "teams.count": tuple(TeamCount),
    "awards.board_games.ties": tuple(BoardGameTies),
}


def words_page() -> str:
    """Write the whole page."""
    lines = [HEAD, *tournament_part(), *judge_part()]
    for name, section in SECTIONS.items():
        lines += ["", f"## [{name}]", "", "| key | about | words | default |", "|---|---|---|---|"]
        lines += section_rows(section, "", load_defaults().get(name, {}))
    return "\n".join([*lines, *points_part(), *ties_part()]) + "\n"


def tournament_part() -> Iterator[str]:
    """``[tournament]``."""
    yield from ("", "## [tournament]", "", "| key | words |", "|---|---|")
    yield "| `name`, `short`, `source`, `id` | a text: what it is called, how its rules are quoted, where they stand |"
    yield f"| `map` | {coded(MAPS)} |"
    yield "| `abbreviations` | the name of a table, beside the file or of the program's own |"
    yield f"| `language` | {coded(languages())}: of what players see |"
    yield f"| `unstated` | {told(Unstated)} |"


def judge_part() -> Iterator[str]:
    """``[judge]``: the editions, and the choices that a file may make differently."""
    default = load_defaults()["judge"]
    yield from ("", "## [judge]", "", "| key | words | default |", "|---|---|---|")
    yield f"| `edition` | {coded(EDITIONS)} | {standing(default.get('edition', ASK))} |"
    for field in FIELDS:
        if field in IMPLIED:  # answered in [reading] or [adjustments], and refused here
            continue
        value = getattr(DATC, field)
        words = coded(type(value)) if isinstance(value, StrEnum) else kind_of(type(value))
        yield f"| `{field}` | {words} | {standing(default[field]) if field in default else 'as the edition'} |"


def section_rows(section: type, before: str, defaults: Mapping[str, Any]) -> Iterator[str]:
    """One row for every switch of a section and of those inside it."""
    hints = get_type_hints(section, include_extras=True)
    for each in fields(section):
        hint = hints[each.name]
        if get_origin(hint) is Annotated:
            setting, asks = get_args(hint)
            question = asks.question if isinstance(asks, Asks) else ""
            default = standing(defaults.get(each.name, ASK))
            yield f"| `{before}{each.name}` | {question} | {words_of(get_args(setting)[0])} | {default} |"
        elif is_dataclass(hint) and isinstance(hint, type):
            yield from section_rows(hint, f"{before}{each.name}.", defaults.get(each.name, {}))
        else:
            yield f"| `[[clock.{each.name}]]` | the clock by year | `from_year`, `spring`, `fall`, `rule` | one |"


def words_of(kind: Any) -> str:
    """The words that a switch takes."""
    if get_origin(kind) in (Union, UnionType):
        return f"{words_of(get_args(kind)[0])}, or `none`"
    if get_origin(kind) is tuple:
        return f"a list of: {words_of(get_args(kind)[0])}"
    if isinstance(kind, type) and issubclass(kind, Choice):
        return told(kind)
    if kind is Power:
        return coded(Power)
    return kind_of(kind)


def kind_of(kind: Any) -> str:
    """What a switch takes that has no list of words."""
    return {bool: "`true`, `false`", tuple: f"`{TABLE}`, or a list of provinces"}.get(kind) or NUMBERS.get(
        kind, "a list"
    )


def told(choice: type[Choice]) -> str:
    """Words with their meanings."""
    return "; ".join(f"`{member}` {member.meaning}" for member in choice)


def coded(words: Any) -> str:
    """Words by themselves."""
    return ", ".join(f"`{word}`" for word in words)


def standing(default: Any) -> str:
    """Where a switch stands, and where that comes from."""
    if not isinstance(default, Mapping):
        return "`ask`"
    return f"`{in_words(default['value'])}` · {default['rule']}"


def points_part() -> Iterator[str]:
    """The keys about points that take words; all the others take numbers, lists or names."""
    yield from ("", "## Points: [scoring] [totals] [teams] [awards]", "", "| key | words |", "|---|---|")
    for key, words in POINTS.items():
        yield f"| `{key}` | {coded(words)} |"


def ties_part() -> Iterator[str]:
    """The tie-breaks."""
    yield from ("", "## [ties]", "", f"Chains: {coded(CHAINS)}. Each is a list of these, the first first:", "")
    yield f"* {coded((*(f'{name} game' for name in HIGHEST), *SIMPLE))}"
    for name, key in NEEDS.items():
        yield f"* `{name}`, which needs the setting `{key}`"
    yield "* `dropped_games_break_ties`: whether games that do not count may break ties: `true`, `false`"
