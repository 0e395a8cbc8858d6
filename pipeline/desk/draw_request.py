"""What a director asks for when a round is drawn, and how that is typed."""

import secrets
from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.draw.field import RoundDecisions
from pipeline.draw.offers import OfferWay
from pipeline.draw.task import Answers
from pipeline.problems import stop
from pipeline.rules.table import did_you_mean
from pipeline.rules.tournament import Aim, Wish

PEOPLE = ("absent", "aside", "sent", "twice", "plays")  # the director's answers that name players


class Request(Struct, frozen=True, kw_only=True):
    """What the director asks for."""

    round: int
    seed: int
    decisions: RoundDecisions = field(default_factory=RoundDecisions)
    take: tuple[OfferWay, ...] = ()  # offers that the director takes when players do not fill their boards
    answers: Answers = field(default_factory=Answers)
    like: str | None = None  # a tournament whose rules decide what this one's rules leave open
    finalists: tuple[str, ...] = ()  # who takes the seats of the final table that the standings leave open
    final_lot: bool = False  # a lot decides among players who are tied for these seats, or for the last of a pool
    declines: tuple[str, ...] = ()  # who plays, but neither at the final table nor in a pool
    chosen: tuple[tuple[str, Power], ...] = ()  # the finalists' powers, in the order in which they chose
    again: bool = False  # draw again although the draw is binding or sheets are printed


def with_full_names(request: Request, name_meant: Callable[[str], str]) -> Request:
    """Replace names in the director's request by those of the players who are meant."""

    def whole(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(name_meant, places))

    named = {name: whole(getattr(request.decisions, name)) for name in PEOPLE}
    return replace(
        request,
        decisions=replace(request.decisions, **named),
        finalists=whole(request.finalists),
        declines=whole(request.declines),
        chosen=tuple((name_meant(name), power) for name, power in request.chosen),
    )


# As it is typed: options of the command, fields of the page.
SEEDS = 1_000_000  # short enough to be read aloud before the draw
NO_LIMIT = "none"  # as often as they like


def random_seed() -> int:
    return secrets.randbelow(SEEDS)


def read_ways(texts: tuple[str, ...]) -> tuple[OfferWay, ...]:
    known = {str(way): way for way in OfferWay}
    if unknown := [text for text in texts if text not in known]:
        raise stop(f"expected {', '.join(known)}, found {unknown[0]!r}", "--take")
    return tuple(known[text] for text in texts)


def read_wishes(wishes: tuple[str, ...], meetings_most: str | None) -> Answers:
    aims, words = {str(aim): aim for aim in Aim}, {str(word): word for word in Wish if word is not Wish.ASK}
    answers = {}
    for text in wishes:
        aim, _, word = text.partition("=")
        if aim not in aims:
            raise stop(
                f"unknown wish {aim!r}{did_you_mean(aim, tuple(aims)) or '; known are ' + ', '.join(aims)}", "--wish"
            )
        if word not in words:
            raise stop(f"expected {aim}=must, ={', ='.join(w for w in words if w != 'must')}, found {text!r}", "--wish")
        answers[aims[aim]] = words[word]
    if meetings_most is None:
        return Answers(wishes=answers)
    if meetings_most != NO_LIMIT and not (meetings_most.isascii() and meetings_most.isdigit() and int(meetings_most)):
        raise stop(f"expected a whole number from 1, or none, found {meetings_most!r}", "--meetings-most")
    most = None if meetings_most == NO_LIMIT else int(meetings_most)
    return Answers(wishes=answers, has_limit=True, meetings_most=most)


def read_choice(text: str) -> tuple[str, Power]:
    """Read ``--final NAME=POWER``; a name may contain ``=``, a power does not."""
    name, sign, word = text.rpartition("=")
    powers = {str(power): power for power in Power}
    if not sign or word.strip().upper() not in powers:
        raise stop(f"expected NAME=POWER with a power of {', '.join(powers)}, found {text!r}", "--final")
    return name.strip(), powers[word.strip().upper()]
