"""The rules file of a new event from the answers to a dozen questions; every other switch stands at its default.

A page that makes events asks the same `QUESTIONS` and writes the same text; the command asks them one by one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.board.standard import MAPS
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.scoring.tie_table import HIGHEST, SIMPLE
from pipeline.rules.toml.table import did_you_mean
from pipeline.scoring.totals.rules import TwoBoards

NONE, ALL = "none", "all"
OF_OTHERS = ("final score", "chose last", "centre margin", "opponents", "most top grades")  # of finals, powers, votes
TIES = (*(f"{name} game" for name in HIGHEST), *(name for name in SIMPLE if name not in OF_OTHERS))
YEAR = re.compile(r"19\d\d")
MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """One thing that a director is asked."""

    key: str  # a field of `NewRulesAnswers`, and the option of the command
    text: str
    otherwise: str  # the answer that is offered
    known: tuple[str, ...] = ()  # the answers that there are; none: any


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRulesAnswers:
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


def questions(systems: Mapping[str, Any], tables: tuple[str, ...]) -> tuple[RulesQuestion, ...]:
    """The questions, with the scoring systems and the tables of abbreviations that there are."""
    two = tuple(each.value for each in TwoBoards)
    return (
        RulesQuestion("name", "What is the event called?", ""),
        RulesQuestion("short", "How are its rules quoted, in a few letters?", ""),
        RulesQuestion("system", "Which scoring system is played? ('?' lists them)", "", tuple(systems)),
        RulesQuestion("rounds", "How many rounds are played?", "3"),
        RulesQuestion("counted", "How many of a player's games count, the best ones? (a number, or 'all')", ALL),
        RulesQuestion("two_boards", "What counts of two boards played in one round?", TwoBoards.HIGHER.value, two),
        RulesQuestion(
            "ties",
            "What breaks a tie between players, in this order? (with commas between, or 'none': they share a place)",
            "highest game, second-highest game",
            (NONE, *TIES),
        ),
        RulesQuestion("final", "Which round is a final table of seven? (a round, or 'none')", NONE),
        RulesQuestion("teams", "How many players are in a team? (a number, or 'none')", NONE),
        RulesQuestion("map", "Which map?", "standard", tuple(MAPS)),
        RulesQuestion("abbreviations", "Which table of abbreviations?", "english", tables),
        RulesQuestion("last_year", "Which year is the last that is played? (a year, or 'none')", NONE),
        RulesQuestion("votes", "From which year on may a draw be voted? (a year, or 'none': from the beginning)", NONE),
        RulesQuestion("all_survivors", "Does a draw include all survivors?", "yes", ("yes", "no")),
    )


def rules_text(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> str:
    """Write the rules file, or stop with everything that is wrong with the answers (`Stopped`)."""
    problems = [Problem(Weight.STOPS, text, key) for key, text in wrong(answers, asked)]
    if problems:
        raise Stopped(problems)
    parts = (about(answers), switches(answers), points(answers), extras(answers))
    return "\n".join(part for part in parts if part)


def wrong(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> list[tuple[str, str]]:
    """List what is wrong with the answers, by their keys."""
    found = [fault for question in asked for fault in unknown(question, getattr(answers, question.key))]
    rounds = number(answers.rounds)
    if 1 <= rounds <= MOST_ROUNDS:
        return [*found, *out_of_range(answers, rounds)]
    return [*found, ("rounds", f"expected 1 to {MOST_ROUNDS} rounds, found {answers.rounds!r}")]


def unknown(question: RulesQuestion, value: str) -> Iterator[tuple[str, str]]:
    """An answer that is missing, or none of those that there are."""
    if not value:
        yield question.key, "expected an answer"
        return
    for word in listed(value) if question.key == "ties" else (value,):
        if question.known and word not in question.known:
            some = ", ".join(question.known[:8]) + (", …" if len(question.known) > 8 else "")
            yield question.key, f"{word!r} is not one of {some}{did_you_mean(word, question.known)}"


def out_of_range(answers: NewRulesAnswers, rounds: int) -> list[tuple[str, str]]:
    """Numbers and years that cannot be."""
    found = []
    if answers.counted != ALL and not 1 <= number(answers.counted) <= rounds:
        found.append(("counted", f"expected 1 to {rounds}, or {ALL!r}; found {answers.counted!r}"))
    if answers.final != NONE and not 2 <= number(answers.final) <= rounds:
        found.append(("final", f"expected a round from 2 to {rounds}, or {NONE!r}; found {answers.final!r}"))
    if answers.teams != NONE and not 2 <= number(answers.teams) <= 9:
        found.append(("teams", f"expected the members of a team, or {NONE!r}; found {answers.teams!r}"))
    for key, year in (("last_year", answers.last_year), ("votes", answers.votes)):
        if year not in ("", NONE) and not YEAR.fullmatch(year):
            found.append((key, f"expected a year such as 1908, or {NONE!r}; found {year!r}"))
    return found


def number(text: str) -> int:
    """A whole number; 0 where it is none."""
    return int(text) if text.isdecimal() else 0


def listed(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def said(text: str) -> str:
    """A text in TOML, whose simple strings are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def about(answers: NewRulesAnswers) -> str:
    """The head of the file."""
    return f"""# The rules of {answers.name}. What is not here stands at its default: 'ordersheets rules FILE' shows
# every switch with its value and where that comes from, and 'ordersheets rules FILE --check' looks the file through.
# A switch is written  key = {{ value = …, rule = "where your rules say so" }}; docs/words.md has all keys and words.

[tournament]
name = {said(answers.name)}
short = {said(answers.short)}
map = {said(answers.map)}
abbreviations = {said(answers.abbreviations)}
unstated = "defaults"
"""


def switches(answers: NewRulesAnswers) -> str:
    """The switches that were asked for."""
    rule = said(answers.short)
    year = answers.last_year if answers.last_year != NONE else '"none"'
    votes = answers.votes if answers.votes != NONE else '"none"'
    survivors = said(answers.all_survivors)
    final = f"last_year_top_board = {{ value = {year}, rule = {rule} }}\n" if answers.final != NONE else ""
    return f"""[ending]
last_year = {{ value = {year}, rule = {rule} }}
{final}
[ending.vote]
from_year = {{ value = {votes}, rule = {rule} }}
includes_all_survivors = {{ value = {survivors}, rule = {rule} }}
"""


def points(answers: NewRulesAnswers) -> str:
    """The system, and what becomes of its scores."""
    rounds = number(answers.rounds)
    weights = said(ALL) if answers.counted == ALL else str([1] * number(answers.counted))
    sandard = 'sandard = true\nsolo = { centres = "more than half" }\n' if answers.map == "sandard" else ""
    chain = ", ".join(map(said, listed(answers.ties))) if answers.ties != NONE else ""
    return f"""[scoring]
system = {said(answers.system)}
{sandard}
[totals]
rounds = {rounds}
weights = {weights}
two_boards = {said(answers.two_boards)}

[ties]
players = [{chain}]
"""


def extras(answers: NewRulesAnswers) -> str:
    """The final table and the teams, where there are any."""
    rounds, final = number(answers.rounds), number(answers.final)
    before = [each for each in range(1, rounds + 1) if each != final]
    parts = []
    if answers.final != NONE:
        qualifying = [each for each in before if each < final]
        parts.append(f'[totals.final]\nround = {final}\nqualifying_rounds = {qualifying}\nchampion = "table"\n')
    if answers.teams != NONE:
        parts.append(f"[teams]\nsize = {number(answers.teams)}\nrounds = {before}\n")
    return "\n".join(parts)
