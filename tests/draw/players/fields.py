"""Fields made at random, and what is offered for each, for ``tests/cases/draw/fields.txt``.

Written anew after a change that is meant, and looked at line by line, by
``PYTHONPATH=.:tests python -m draw.players.fields``.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from draw.players.test_draw_field import ALL, backwards, field
from pipeline.draw.field import KNOWN, Gathering, NotSeated, Record, RoundDecisions
from pipeline.draw.offers import OfferWay, made_even, objections_to_choices
from pipeline.draw.roster import Player
from pipeline.problems import Stopped

STORED = Path(__file__).parents[2] / "cases" / "draw" / "fields.txt"
FIELDS = 60


def made_up(number: int) -> tuple[str, list[Player], RoundDecisions, dict[str, Record]]:
    """Invent who is there, what he said and did before, and what the director decided."""
    dice = Random(number)
    count, is_first = dice.randint(6, 20), dice.random() < 0.3
    names = [f"P{n:02}" for n in range(count)]
    knows = dice.random() < 0.8  # whether the roster is complete

    def one(name: str) -> Player:
        return Player(
            name=name,
            director=dice.random() < 0.1,
            two_boards=dice.random() < 0.2,
            stands_aside=dice.random() < 0.2,
            standing=dice.choice(KNOWN) if knows or dice.random() < 0.8 else "",
            distance_km=dice.choice((5, 5, 60, 300, 800)) if knows or dice.random() < 0.8 else None,
        )

    def record() -> Record:
        played = dice.randint(0, 3)
        return Record(
            rounds=played,
            doubled=dice.choice((0, 0, 0, 1)),
            aside=dice.choice((0, 0, 0, 1)),
            sent=dice.choice((0, 0, 1)),
            place=dice.choice((None, dice.randint(1, count))),
        )

    players = [one(name) for name in names]
    told = RoundDecisions(
        absent=tuple(dice.sample(names, dice.choice((0, 0, 1)))),
        aside=tuple(dice.sample(names, dice.choice((0, 0, 1)))),
        sent=tuple(dice.sample(names, dice.choice((0, 0, 0, 1, 2)))),
        twice=tuple(dice.sample(names, dice.choice((0, 0, 0, 1)))),
        plays=tuple(player.name for player in players if player.director and dice.random() < 0.3),
        six=dice.choice((0, 0, 0, 0, 1)),
    )
    return ALL[number % len(ALL)], players, told, {} if is_first else {name: record() for name in names}


def told_of(number: int) -> list[str]:
    """What the director is told of a field, and what becomes of it by each way that he could take."""
    tournament, players, told, records = made_up(number)
    try:
        gathering = field(tournament, players, told, records)
    except Stopped as stopped:
        return [f"{tournament}: {problem.text}" for problem in stopped.problems]
    lines = [f"{tournament}: {len(gathering.seated_names)} seats, {gathering.over} over, {gathering.short} short"]
    lines += [f"objection: {problem.text}" for problem in objections_to_choices(gathering, told)]
    lines += _taken(gathering)
    for way in OfferWay:
        lines += [f"{way}: {line}" for line in _taken(field(tournament, players, told, records), way)]
    return [part for line in lines for part in line.split("\n")]


def _taken(gathering: Gathering, *ways: OfferWay) -> Iterator[str]:
    try:
        made_even(gathering, ways, backwards)
    except Stopped as stopped:
        yield from (problem.text for problem in stopped.problems)
        return
    found = gathering.turnout()
    kinds: dict[str, tuple[NotSeated, ...]] = {
        "aside": found.aside, "left out": found.sent, "out": found.out, "twice": found.twice, "plays": found.plays,
    }  # fmt: skip
    yield f"{len(found.bodies)} seats, {found.six} boards of six"
    yield from (f"{kind}: {one.name}: {one.why} [{one.way}]" for kind, given in kinds.items() for one in given)


def stored() -> list[list[str]]:
    """Read the file: what is told of every field."""
    found: list[list[str]] = []
    for line in STORED.read_text("utf-8").splitlines():
        if line.startswith("  "):
            found[-1].append(line[2:])
        else:
            found.append([])
    return found


if __name__ == "__main__":
    lines = [line for number in range(FIELDS) for line in (str(number), *(f"  {text}" for text in told_of(number)))]
    STORED.write_text("\n".join(lines) + "\n", "utf-8")
