"""The pages of `tests/cases/draw` are carried out: what is offered, what cannot help, what comes of a choice."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.draw.field import Gathering, Record, RoundDecisions, Terms, gather_players
from pipeline.draw.offers import OfferWay, Uneven, make_even
from pipeline.draw.roster import Player
from pipeline.rules.load import load_tournament

PAGE = Path(__file__).parents[2] / "cases" / "draw" / "uneven.case"
STANDING = {"board": "board member", "club": "club member", "local": "local", "traveller": "traveller"}
COUNTS = {"played": "rounds", "place": "place", "withdrawn": "aside", "doubled": "doubled", "sent": "sent"}


class Case(Struct):
    """One case of the page."""

    name: str
    head: str = ""
    blocks: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # "offers", "take …", "cannot …"


def cases() -> list[Case]:
    """Read the page."""
    found: list[Case] = []
    block = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            found.append(Case(line.removeprefix("## ").split(" · ")[0]))
            block = ""
        elif found and line.strip():
            case = found[-1]
            if line.startswith("  "):
                case.blocks[block].append(line.strip())
            elif not case.head:
                case.head = line
            else:
                block = line
                case.blocks[block] = []
    return found


def field_of(head: str) -> Gathering:
    """Take in the players whom the first line of a case names."""
    first, *rest = [part.strip() for part in head.split(";")]
    tournament, count = first.split()
    players = {f"P{n:02}": Player(name=f"P{n:02}", distance_km=10 * n) for n in range(1, int(count) + 1)}
    records: dict[str, dict[str, int]] = defaultdict(dict)
    for part in rest:
        word, _, told = part.partition(" ")
        if word == "director":
            players[told] = Player(name=told, director=True)
        elif word == "standing":
            standing, *names = told.split()
            players |= {name: replace(players[name], standing=STANDING[standing]) for name in names}
        elif word in ("twice", "aside"):
            flag = {"twice": "two_boards", "aside": "stands_aside"}[word]
            players |= {name: replace(players[name], **{flag: True}) for name in told.split()}  # a flag
        else:
            for each in told.split(", ") if word in ("played", "place") else told.split():
                name, _, number = each.partition(" ")
                records[name][COUNTS[word]] = int(number or 1)
    return gather_players(
        tuple(players.values()), RoundDecisions(), empty(tournament, {n: Record(**r) for n, r in records.items()})
    )


def empty(tournament: str, records: Mapping[str, Record]) -> Gathering:
    """Nobody yet, under a tournament's rules."""
    rules = load_tournament(tournament)
    terms = Terms(
        uneven=rules.draw.uneven,
        director_boards=rules.draw.director_boards,
        two_boards=rules.conduct.two_boards_often,
        rounds_most=rules.draw.rounds_most,
        is_paid=rules.scoring.bonuses.withdrawal is not None,
    )
    return Gathering(round=2, terms=terms, records=records)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_case_of_the_page(case: Case) -> None:
    with pytest.raises(Uneven) as caught:
        make_even(field_of(case.head), (), lambda names, count: names[:count])
    choice = caught.value.choice
    offers = []
    for offer in choice.offers:
        lot = f"| {' '.join(offer.lot)}" if offer.lot else ""
        offers.append(" ".join([f"{offer.way} {offer.needed}:", *offer.sure, *([lot] if lot else [])]))
    assert offers == case.blocks["offers"]
    cannot = next((block.split()[1:] for block in case.blocks if block.startswith("cannot")), [])
    assert [str(way) for way, _ in choice.cannot] == cannot
    for block, told in case.blocks.items():
        if block.startswith("take "):
            assert outcome(case.head, [way for way in OfferWay if str(way) in block.split()[1:]]) == told


def outcome(head: str, ways: list[OfferWay]) -> list[str]:
    """What comes of a choice."""
    gathering = field_of(head)
    make_even(gathering, ways, lambda names, count: names[:count])
    found = gathering.turnout()
    people = {"aside": found.aside, "sent": found.sent, "twice": found.twice, "plays": found.plays}
    told = [f"{word} {' '.join(each.name for each in who)}" for word, who in people.items() if who]
    sevens = (len(found.bodies) - 6 * found.six) // 7
    return [*told, " ".join(["boards", *["7"] * sevens, *["6"] * found.six])]
