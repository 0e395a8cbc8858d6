"""What the director says of a field against the rules: it is done with a reason, and not otherwise."""

from collections.abc import Iterator
from dataclasses import replace

from pipeline.draw.players.field import Gathering, ToldReason
from pipeline.draw.players.offers import OfferWay, counted, ways_of
from pipeline.draw.players.order import left_out
from pipeline.problems import Problem, Weight
from pipeline.rules.event_rules import StandDown


def against(gathering: Gathering, told: ToldReason) -> Iterator[Problem]:
    """Everything he says of a field that its rules do not offer, or offer to others first."""
    yield from more_than_once(gathering, told)
    yield from directors_playing(gathering, told)
    if told.six and not gathering.terms.offers(StandDown.VARIANT):
        yield because(f"{gathering.terms.uneven.source} offers no boards of six", "--six")
    if told.sent and OfferWay.LEAVE_OUT in ways_of(gathering):
        yield from out_of_order(gathering, told)


def because(text: str, flag: str) -> Problem:
    """Ask for the reason."""
    return Problem(Weight.ASKS, f"{text}; to do it all the same, say why with --why", flag)


def more_than_once(gathering: Gathering, told: ToldReason) -> Iterator[Problem]:
    """Standing down and playing on two boards are for once, and exclude each other (EDC23 D)."""
    if not gathering.terms.once:
        return
    for flag, names in (("--aside", told.aside), ("--twice", told.twice)):
        for name in dict.fromkeys(names):
            record = gathering.record(name)
            had = [
                word for count, word in ((record.aside, "withdrawn"), (record.doubled, "played on two boards")) if count
            ]
            if had:
                rule = gathering.terms.two_boards.source
                text = (
                    f"{name} has {' and '.join(had)} already: each is for once, and not the one and the other ({rule})"
                )
                yield because(text, flag)


def directors_playing(gathering: Gathering, told: ToldReason) -> Iterator[Problem]:
    """The director fills boards where the rules let him, and as many as they say (WM III.5)."""
    terms = gathering.terms
    if told.plays and not terms.offers(StandDown.DIRECTOR_PLAYS):
        yield because(f"{terms.uneven.source} does not say that a director plays", "--plays")
        return
    most = terms.director_boards.value
    for name in dict.fromkeys(told.plays):
        if most is not None and told.plays.count(name) > most:
            text = f"{name} plays on {counted(most, 'board')} of a round at most ({terms.director_boards.source})"
            yield because(text, "--plays")


def out_of_order(gathering: Gathering, told: ToldReason) -> Iterator[Problem]:
    """Somebody is left out before others who come first in the order of the rules (WM III.5; EDC23 B)."""
    sent = [player for player in gathering.roster if player.name in told.sent]
    whole = replace(gathering, players={**gathering.players, **{player.name: player for player in sent}})
    levels, missing = left_out(whole, len(sent))
    first: list[str] = []
    for level in levels:
        if len(first) < len(sent):
            first += level.names
    before = [name for name in first if name not in told.sent]
    late = [player.name for player in sent if player.name not in first]
    if late and before and not missing:
        order = f"in the order of {gathering.terms.uneven.source}"
        text = f"{', '.join(before)} would be left out before {', '.join(late)} {order}"
        yield because(text, "--out")
