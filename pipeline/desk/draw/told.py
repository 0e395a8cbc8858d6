"""What the director has told everybody: the seats of a round, and the standings. What is not told is nobody's to see.

Seats are told by hand, or with the first result of their round: before, a draw may be looked at and made again.
Standings are sealed until they are opened (NZ99 23).
"""

from collections.abc import Iterable, Mapping

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, seated_rounds, seated_since
from pipeline.ledger.events import SeatsTold, StandingsOpened
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import stop


def tell_seats(event: Event, round_number: int, by: str) -> Fact[SeatsTold]:
    """Tell everybody who sits where in a round.

    A draw that is made anew after that must be told anew; a seat that is changed, or a board that is added, is seen
    with the others.
    """
    drawn = seated_rounds(event)
    if round_number not in drawn:
        known = f"; drawn are {', '.join(map(str, drawn))}" if drawn else "; use 'ordersheets draw'"
        raise stop(f"this round is not drawn{known}", f"round {round_number}")
    said = last_told(event).get(round_number)
    if said is not None and said.number > seated_since(event)[round_number]:
        return said  # said again, it is the same
    return event.facts.write(SeatsTold(round=round_number), by)


def last_told(event: Event) -> dict[int, Fact[SeatsTold]]:
    """When each round's seats were told last."""
    return {fact.said.round: fact for fact in standing(event.facts, SeatsTold)}


def told_rounds(event: Event, found: Iterable[Game]) -> frozenset[int]:
    """The rounds whose seats everybody may see: those that were told as they are drawn now, and those with a result."""
    told = last_told(event)
    by_hand = {n for n, since in seated_since(event).items() if n in told and told[n].number > since}
    begun = {game.seating.round for game in found if game.played or game.entered or game.ended}
    return frozenset(by_hand | begun)


def told_games(event: Event, found: Mapping[str, Game]) -> dict[str, Game]:
    """The boards of the rounds whose seats everybody may see, by their full names."""
    told = told_rounds(event, found.values())
    return {name: game for name, game in found.items() if game.seating.round in told}


def standings_are_open(event: Event) -> bool:
    """Whether everybody may see the standings: only after the director has opened them (NZ99 23)."""
    last = max(standing(event.facts, StandingsOpened), key=lambda fact: fact.number, default=None)
    return last is not None and last.said.open
