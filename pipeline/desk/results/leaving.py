"""The exclusion of a player who leaves a game before its end (EDC96 12): it goes and comes with his leaving."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import Column
from pipeline.rules.conduct import Leaver

Leaving = events.PlayerNoted | events.PlayerExcluded | events.ActTakenBack


def readmit(event: Event, number: int, why: str) -> Iterator[events.ActTakenBack]:
    """Take back the exclusion that was written down with a player's leaving."""
    for fact in standing(event.facts, events.PlayerExcluded):
        if fact.said.player == number and _is_with_leaving(event, fact.number, number):
            yield events.ActTakenBack(fact=fact.number, why=why)


def _is_with_leaving(event: Event, number: int, player: int) -> bool:
    """Whether an exclusion was written with the player's leaving, or when he was said not to be back after all."""
    if event.tournament.conduct.leaver.value is not Leaver.EXCLUDED:
        return False
    match _find_leaving(event, number - 1):
        case events.PlayerNoted() as said:
            return _says_left(said, player)
        case events.ActTakenBack(fact=undone):
            back = _find_leaving(event, undone)
            return isinstance(back, events.PlayerNoted) and back.player == player and not back.value
    return False


def undo_leaving(
    event: Event, fact: Fact[events.PlayerNoted], why: str
) -> Iterator[events.ActTakenBack | events.PlayerExcluded]:
    """What is written when it is taken back that somebody has left, or is back: his exclusion goes or comes with it."""
    yield events.ActTakenBack(fact=fact.number, why=why)
    player = fact.said.player
    if _says_left(fact.said, player):
        yield from readmit(event, player, why)
    elif fact.said.field is Column.LEFT:
        match _find_leaving(event, fact.number + 1):
            case events.ActTakenBack(fact=number) if _is_with_leaving(event, number, player):
                excluded = _find_leaving(event, number)
                if isinstance(excluded, events.PlayerExcluded) and excluded.player == player:
                    yield excluded


def _find_leaving(event: Event, number: int) -> Leaving | None:
    """The fact with this number, if it may say that somebody has left, is excluded, or is back."""
    facts = event.facts.select(events.PlayerNoted, events.PlayerExcluded, events.ActTakenBack)
    match next((fact.said for fact in facts if fact.number == number), None):
        case events.PlayerNoted() as said if said.field is not Column.LEFT:
            return None
        case events.PlayerNoted() | events.PlayerExcluded() | events.ActTakenBack() as said:
            return said
    return None


def _says_left(said: events.PlayerNoted, number: int) -> bool:
    return said.player == number and said.field is Column.LEFT and said.value is True
