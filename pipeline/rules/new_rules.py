"""The rules file of a new event, from the answers to fifteen questions; every other switch stands at its default.

A page that makes events asks the same `rules_questions` and writes the same text; the command asks them one by one.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from pipeline.board import MAPS
from pipeline.printable import is_whole
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.load import load_systems
from pipeline.rules.scoring import HIGHEST, SIMPLE
from pipeline.rules.table import did_you_mean
from pipeline.scoring.numbers import FACTOR, SOME, Range
from pipeline.scoring.results import STANDARD_CENTRES, exact
from pipeline.scoring.rules import OPEN, PowerBy, TwoBoards
from pipeline.small_files import data_folder

NO_SYSTEM = "none"
ALL = "all"
OF_OTHERS = ("final score", "chose last", "centre margin", "most top grades")  # for finals, best powers, votes only
TIES = (*HIGHEST, *(name for name in SIMPLE if name not in OF_OTHERS))
YEAR = re.compile("19(0[1-9]|[1-9][0-9])")
MOST_ROUNDS = 20


class RulesQuestion(Struct, frozen=True):
    """One thing that a director is asked."""

    key: str  # a field of `NewRulesAnswers`, and the option of the command
    text: str
    otherwise: str  # the answer that is offered
    known: tuple[str, ...] = ()  # the answers that there are; none: any
    is_rare: bool = False  # asked only of who says that there is something rare


class NewRulesAnswers(Struct, frozen=True, kw_only=True):
    """What a director answered, as he wrote it; `rules_text` says what is wrong with it."""

    name: str
    short: str
    system: str
    rounds: str
    counted: str
    two_boards: str
    ties: str
    final: str
    teams: str
    map: str
    abbreviations: str
    last_year: str
    votes: str
    all_survivors: str
    rare: str = "no"
    round_weights: str = "none"
    stand_down: str = "none"
    second_title: str = "none"
    second_counted: str = "all"
    winners_first: str = "no"
    wins_first: str = "no"
    power_by: str = "score"
    concession_centres: str = "none"


def rules_questions(systems: Mapping[str, Any], tables: tuple[str, ...]) -> tuple[RulesQuestion, ...]:
    """The questions, with the scoring systems and the tables of abbreviations that there are."""
    two = tuple(each.value for each in TwoBoards)
    return (
        RulesQuestion("name", "What is the event called?", ""),
        RulesQuestion("short", "How are its rules quoted, in a few letters?", ""),
        RulesQuestion("system", "Which scoring system is played? ('?' lists them)", "", tuple(systems)),
        RulesQuestion("rounds", "How many rounds are played? (a number, or 'any' in a league)", "3"),
        RulesQuestion("counted", "How many of a player's games count, the best ones? (a number, or 'all')", ALL),
        RulesQuestion("two_boards", "What counts of two boards played in one round?", TwoBoards.HIGHER.value, two),
        RulesQuestion(
            "ties",
            "What breaks a tie between players, in this order? (with commas between, or 'none': they share a place)",
            "highest game, second-highest game",
            (NO_SYSTEM, *TIES),
        ),
        RulesQuestion("final", "Which round is a final table of seven? (a round, or 'none')", NO_SYSTEM),
        RulesQuestion("teams", "How many players are in a team? (a number, or 'none')", NO_SYSTEM),
        RulesQuestion("map", "Which map?", "standard", tuple(MAPS)),
        RulesQuestion("abbreviations", "Which table of abbreviations?", "english", tables),
        RulesQuestion("last_year", "Which year is the last that is played? (a year, or 'none')", NO_SYSTEM),
        RulesQuestion(
            "votes", "From which year on may a draw be voted? (a year, or 'none': from the beginning)", NO_SYSTEM
        ),
        RulesQuestion("all_survivors", "Does a draw include all survivors?", "yes", ("yes", "no")),
        RulesQuestion("rare", "Is there something rarer, such as coefficients or a second title?", "no", ("yes", "no")),
        *_rare_questions(),
    )


def _rare_questions() -> Iterator[RulesQuestion]:
    """The questions about rules that few tournaments have."""

    def rare(key: str, text: str, otherwise: str, known: tuple[str, ...] = ()) -> RulesQuestion:
        return RulesQuestion(key, text, otherwise, known, is_rare=True)

    yield rare(
        "round_weights", "What are scores of round 1, 2, ... multiplied by? (commas between, or 'none')", NO_SYSTEM
    )
    yield rare(
        "stand_down",
        "How many points does a player get who sits out a round voluntarily? (points, or 'none')",
        NO_SYSTEM,
    )
    yield rare("second_title", "Which further title has a ranking of its own? (a title, or 'none')", NO_SYSTEM)
    yield rare("second_counted", "How many games count for that title, the best ones? (a number, or 'all')", ALL)
    yield rare("winners_first", "Do board winners sit down at the final table before all others?", "no", ("yes", "no"))
    yield rare("wins_first", "Is who won more games outright ahead, whatever the points?", "no", ("yes", "no"))
    yield rare("power_by", "What makes the best player of a power?", PowerBy.SCORE.value, tuple(PowerBy))
    yield rare(
        "concession_centres", "From how many centres on may a game be conceded? (a number, or 'none')", NO_SYSTEM
    )


def rules_text(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> str:
    """Write the rules file, or stop with everything that is wrong with the answers (`Stopped`)."""
    problems = [Problem(Weight.STOPS, text, key) for key, text in _wrong(answers, asked)]
    if problems:
        raise Stopped(problems)
    parts = (_write_head(answers), _write_switches(answers), _write_points(answers), _write_extras(answers))
    return "\n".join(part for part in parts if part)


def _wrong(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> list[tuple[str, str]]:
    """List what is wrong with the answers, by their keys."""
    faults = [fault for question in asked for fault in _invalid_answers(question, getattr(answers, question.key))]
    rounds = MOST_ROUNDS if answers.rounds == OPEN else _to_int(answers.rounds)
    if 1 <= rounds <= MOST_ROUNDS:
        return [*faults, *_out_of_range(answers, rounds)]
    return [*faults, ("rounds", f"expected 1 to {MOST_ROUNDS} rounds, or {OPEN!r}, found {answers.rounds!r}")]


def _invalid_answers(question: RulesQuestion, value: str) -> Iterator[tuple[str, str]]:
    """An answer that is missing, or none of those that there are."""
    if not value:
        yield question.key, "expected an answer"
        return
    if any(unicodedata.category(letter) == "Cc" for letter in value):
        yield question.key, f"expected one line without control characters; found {value!r}"
        return
    words = _split_words(value) if question.key == "ties" else (value,)
    if NO_SYSTEM in words and len(words) > 1:
        yield question.key, f"expected tie-breaks, or {NO_SYSTEM!r} alone; found {value!r}"
    for word in words:
        if question.known and word not in question.known:
            some = ", ".join(question.known[:8]) + (", …" if len(question.known) > 8 else "")
            yield question.key, f"{word!r} is not one of {some}{did_you_mean(word, question.known)}"


def _out_of_range(answers: NewRulesAnswers, rounds: int) -> list[tuple[str, str]]:
    """Numbers and years that cannot be."""
    faults = []
    if answers.counted != ALL and not 1 <= _to_int(answers.counted) <= rounds:
        faults.append(("counted", f"expected 1 to {rounds}, or {ALL!r}; found {answers.counted!r}"))
    if answers.final != NO_SYSTEM and not 2 <= _to_int(answers.final) <= rounds:
        faults.append(("final", f"expected a round from 2 to {rounds}, or {NO_SYSTEM!r}; found {answers.final!r}"))
    if answers.teams != NO_SYSTEM and not 2 <= _to_int(answers.teams) <= 9:
        faults.append(("teams", f"expected the members of a team, or {NO_SYSTEM!r}; found {answers.teams!r}"))
    faults += _rare_out_of_range(answers, rounds)
    for key, year in (("last_year", answers.last_year), ("votes", answers.votes)):
        if year not in ("", NO_SYSTEM) and not YEAR.fullmatch(year):
            faults.append((key, f"expected a year such as 1908, or {NO_SYSTEM!r}; found {year!r}"))
    return faults


def _rare_out_of_range(answers: NewRulesAnswers, rounds: int) -> Iterator[tuple[str, str]]:
    """Numbers of rare rules that cannot be, and what cannot be combined."""
    for weight in _split_words(answers.round_weights) if answers.round_weights != NO_SYSTEM else ():
        yield from (("round_weights", fault) for fault in _not_points(weight, FACTOR))
    if answers.stand_down != NO_SYSTEM:
        yield from (("stand_down", fault) for fault in _not_points(answers.stand_down, SOME))
    if answers.second_counted != ALL and not 1 <= _to_int(answers.second_counted) <= rounds:
        yield "second_counted", f"expected 1 to {rounds}, or {ALL!r}; found {answers.second_counted!r}"
    for key in ("final", "teams") if answers.rounds == OPEN else ():
        if getattr(answers, key) != NO_SYSTEM:
            yield key, f"a league has no last round; answer {NO_SYSTEM!r}, or write the tables yourself"
    if answers.winners_first == "yes" and answers.final == NO_SYSTEM:
        yield "winners_first", "there is no final table; answer which round it is, or 'no'"
    if answers.concession_centres != NO_SYSTEM and not 1 <= _to_int(answers.concession_centres) <= STANDARD_CENTRES:
        yield "concession_centres", f"expected 1 to 34, or {NO_SYSTEM!r}; found {answers.concession_centres!r}"


def _not_points(text: str, within: Range) -> Iterator[str]:
    """What is wrong with points as they were typed."""
    try:
        if not within.has(exact(text)):
            yield f"{within}, found {text}"
    except ValueError as error:
        yield str(error)


def _to_int(text: str) -> int:
    """Read a whole number; 0 where it is none."""
    return int(text) if is_whole(text) else 0


def _split_words(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _toml_string(text: str) -> str:
    """A text in TOML, whose simple strings are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def _write_head(answers: NewRulesAnswers) -> str:
    return f"""# The rules of {answers.name}. What is not here stands at its default: 'ordersheets rules FILE' shows
# every switch with its value and where that comes from, and 'ordersheets rules FILE --check' looks the file through.
# A switch is written  key = {{ value = …, rule = "where your rules say so" }}; docs/generated/words.md has all keys.

[tournament]
name = {_toml_string(answers.name)}
short = {_toml_string(answers.short)}
map = {_toml_string(answers.map)}
abbreviations = {_toml_string(answers.abbreviations)}
unstated = "defaults"
"""


def _write_switches(answers: NewRulesAnswers) -> str:
    rule = _toml_string(answers.short)
    year = answers.last_year if answers.last_year != NO_SYSTEM else '"none"'
    votes = answers.votes if answers.votes != NO_SYSTEM else '"none"'
    survivors = _toml_string(answers.all_survivors)
    final = f"last_year_top_board = {{ value = {year}, rule = {rule} }}\n" if answers.final != NO_SYSTEM else ""
    if answers.concession_centres != NO_SYSTEM:
        final += f'concession = {{ value = "yes", rule = {rule} }}\n'
        final += f"concession_centres = {{ value = {_to_int(answers.concession_centres)}, rule = {rule} }}\n"
    return f"""[ending]
last_year = {{ value = {year}, rule = {rule} }}
{final}
[ending.vote]
from_year = {{ value = {votes}, rule = {rule} }}
includes_all_survivors = {{ value = {survivors}, rule = {rule} }}
"""


def _write_points(answers: NewRulesAnswers) -> str:
    """The system, and what becomes of its scores."""
    rounds = _toml_string(OPEN) if answers.rounds == OPEN else _to_int(answers.rounds)
    weights = _toml_string(ALL) if answers.counted == ALL else str([1] * _to_int(answers.counted))
    sandard = 'sandard = true\nsolo = { centres = "more than half" }\n' if answers.map == "sandard" else ""
    chain = ", ".join(map(_toml_string, _split_words(answers.ties))) if answers.ties != NO_SYSTEM else ""
    return f"""[scoring]
system = {_toml_string(answers.system)}
{sandard}
[totals]
rounds = {rounds}
weights = {weights}
two_boards = {_toml_string(answers.two_boards)}
{_rare_totals(answers)}
[ties]
players = [{chain}]
"""


def _rare_totals(answers: NewRulesAnswers) -> str:
    """What few tournaments have in their totals."""
    lines = []
    if answers.round_weights != NO_SYSTEM:
        lines.append(f"round_weights = [{', '.join(map(_toml_string, _split_words(answers.round_weights)))}]\n")
    if answers.wins_first == "yes":
        lines.append("wins_first = true\n")
    if answers.stand_down != NO_SYSTEM:
        lines.append(f"bonuses = {{ withdrawal = {{ points = {_toml_string(answers.stand_down)} }} }}\n")
    return "".join(lines)


def _write_extras(answers: NewRulesAnswers) -> str:
    """The final table, the teams, and further awards, where there are any."""
    rounds, final = _to_int(answers.rounds), _to_int(answers.final)
    before = [each for each in range(1, rounds + 1) if each != final]
    parts = []
    if answers.final != NO_SYSTEM:
        qualifying = [each for each in before if each < final]
        first = "winners_first = true\n" if answers.winners_first == "yes" else ""
        parts.append(f'[totals.final]\nround = {final}\nqualifying_rounds = {qualifying}\nchampion = "table"\n{first}')
    if answers.teams != NO_SYSTEM:
        parts.append(f"[teams]\nsize = {_to_int(answers.teams)}\nrounds = {before}\n")
    if answers.power_by != PowerBy.SCORE:
        parts.append(f"[awards]\npower_by = {_toml_string(answers.power_by)}\n")
    if answers.second_title != NO_SYSTEM:
        weights = _toml_string(ALL) if answers.second_counted == ALL else str([1] * _to_int(answers.second_counted))
        chain = ", ".join(map(_toml_string, _split_words(answers.ties))) if answers.ties != NO_SYSTEM else ""
        title = _toml_string(answers.second_title)
        parts.append(f"[[awards.titles]]\ntitle = {title}\nweights = {weights}\nties = [{chain}]\n")
    return "\n".join(parts)


def own_questions() -> tuple[RulesQuestion, ...]:
    """The questions for a new rules file, with the systems and tables of abbreviations to choose from."""
    tables = tuple(sorted(path.stem for path in data_folder("abbreviations").glob("*.toml")))
    return rules_questions(load_systems(), tables)
