"""What the rules offer when players do not fill their boards, by name; the director chooses, nobody else."""

from dataclasses import dataclass
from typing import Any

from pipeline.draw.players.field import Gathering
from pipeline.draw.players.order import Level, by_lot, directors, doublers, left_out, volunteers
from pipeline.problems import Problem
from pipeline.rules.event_rules import StandDown
from pipeline.rules.toml.setting import Choice


class OfferWay(Choice):
    """A way to make the number right, as the director names it with ``--take``."""

    VOLUNTEERS = "volunteers", "some stand down of their own will"
    DOUBLE = "double", "some play on two boards, of their own will"
    DIRECTOR = "director", "directors play"
    VARIANT = "sandard", "six play at a board without Turkey"
    LEAVE_OUT = "leave-out", "some are left out, in the order of the rules"
    LOT = "lot", "some are left out, whom the director names, or by lot"


EXCLUSION = (
    StandDown.LOCAL_BOARD,
    StandDown.LOCAL_CLUB,
    StandDown.LOCAL,
    StandDown.TRAVELLERS,
    StandDown.LOWEST_RANKED,
    StandDown.NEAREST,
)
MEANT_BY = {  # what of the rules' list each way carries out; what people are asked for before anybody is left out
    OfferWay.VOLUNTEERS: (StandDown.VOLUNTEERS,),
    OfferWay.DOUBLE: (StandDown.DOUBLE,),
    OfferWay.DIRECTOR: (StandDown.DIRECTOR_PLAYS,),
    OfferWay.VARIANT: (StandDown.VARIANT,),
    OfferWay.LEAVE_OUT: EXCLUSION,
}
SHRINKS = (OfferWay.VOLUNTEERS, OfferWay.LEAVE_OUT, OfferWay.LOT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One way, and whom it concerns."""

    way: OfferWay
    needed: int  # people who stand down or are left out, seats to be filled besides, or boards of the variant
    sure: tuple[str, ...] = ()  # whom it concerns, as far as the rules say
    willing: tuple[str, ...] = ()  # who of these stands down of his own will
    lot: tuple[str, ...] = ()  # among whom a lot decides for the rest
    missing: tuple[Problem, ...] = ()  # what the roster must say first

    @property
    def is_enough(self) -> bool:
        """Whether it makes the number right as it is."""
        return self.way is OfferWay.VARIANT or len(self.sure) + len(self.lot) >= self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """The choice that the director has."""

    round: int
    seats: int  # taken so far
    people: int  # who take them
    six: int  # boards of the variant told so far
    size: int
    over: int
    short: int
    rule: str  # where the offers come from
    is_open: bool  # the rules offer nothing, it is the director's to decide
    is_paid: bool  # whether standing down brings points
    boards: int  # when the seats that are short are taken
    offers: tuple[Offer, ...]
    cannot: tuple[tuple[OfferWay, str], ...]  # what the rules offer besides, and why it does not help

    def as_json(self) -> dict[str, Any]:
        """Write it for scripts."""
        return {
            "round": self.round,
            "seated": False,
            "seats": self.seats,
            "size": self.size,
            "over": self.over,
            "short": self.short,
            "rule": self.rule,
            "offers": [
                {
                    "way": str(offer.way),
                    "needed": offer.needed,
                    "names": list(offer.sure),
                    "willing": list(offer.willing),
                    "lot": list(offer.lot),
                    "enough": offer.is_enough,
                    "missing": [problem.text for problem in offer.missing],
                }
                for offer in self.offers
            ],
            "cannot": [{"way": str(way), "why": why} for way, why in self.cannot],
        }


def ways_of(gathering: Gathering) -> tuple[OfferWay, ...]:
    """The ways that the rules know, what people are asked for first.

    Where the rules name nobody who is left out, that is the director's to say, or a lot's.
    """
    offers = gathering.terms.offers
    asked = tuple(way for way, meant in MEANT_BY.items() if way is not OfferWay.LEAVE_OUT and any(map(offers, meant)))
    is_listed = not gathering.terms.uneven.asks and any(map(offers, EXCLUSION))
    return (*asked, OfferWay.LEAVE_OUT if is_listed else OfferWay.LOT)


def choosing(gathering: Gathering) -> Choosing:
    """Everything that the rules offer for this field."""
    terms = gathering.terms
    found = [(way, why_not(gathering, way)) for way in ways_of(gathering)]
    return Choosing(
        round=gathering.round,
        seats=len(gathering.seated),
        people=len(set(gathering.seated)),
        six=gathering.six,
        size=terms.size,
        over=gathering.over,
        short=gathering.short,
        rule=terms.uneven.source,
        is_open=terms.uneven.asks,
        is_paid=terms.is_paid,
        boards=gathering.boards(gathering.short),
        offers=tuple(sorted((offer(gathering, way) for way, why in found if not why), key=last_resort)),
        cannot=tuple((way, why) for way, why in found if why),
    )


def why_not(gathering: Gathering, way: OfferWay) -> str:
    """Why a way cannot help here; nothing where it may."""
    terms, boards = gathering.terms, gathering.boards(gathering.short)
    if way in SHRINKS:
        return "" if gathering.boards() >= max(gathering.six, 1) else f"that would leave no board of {terms.size}"
    if way is OfferWay.DOUBLE:
        return "" if boards > 1 else "there is one board only"
    if way is OfferWay.DIRECTOR:
        if not gathering.directors:
            return "nobody on the roster is a director (column 'director')"
        return "" if directors(gathering, boards) else "the directors play on as many boards as they may"
    six = gathering.six + gathering.short
    if not terms.six:
        return "there is no variant for fewer players on this map"
    return "" if boards >= six else f"it takes {counted(six, 'board')} of {terms.six}, for {six * terms.six} players"


def offer(gathering: Gathering, way: OfferWay) -> Offer:
    """One way, with everybody whom it concerns."""
    needed = gathering.over if way in SHRINKS else gathering.short
    levels, missing = levels_of(gathering, way)
    sure: list[str] = []
    lot: tuple[str, ...] = ()
    for level in levels:
        if len(sure) + len(level.names) > needed:
            lot = level.names if len(sure) < needed else ()
            break
        sure += level.names
    willing = {name for level in levels if level.is_willing for name in level.names}
    return Offer(
        way=way,
        needed=needed,
        sure=tuple(sure),
        willing=tuple(name for name in sure if name in willing),
        lot=lot,
        missing=missing,
    )


def last_resort(each: Offer) -> tuple[bool, int]:
    """Order offers: what people do of their own will before anybody is left out, and what concerns few before many."""
    return each.way in (OfferWay.LEAVE_OUT, OfferWay.LOT), each.needed


def levels_of(gathering: Gathering, way: OfferWay) -> tuple[tuple[Level, ...], tuple[Problem, ...]]:
    """Whom a way concerns, those before the others who come first by the rules; and what is not known of them."""
    match way:
        case OfferWay.VOLUNTEERS:
            return volunteers(gathering), ()
        case OfferWay.DOUBLE:
            return doublers(gathering), ()
        case OfferWay.DIRECTOR:
            return directors(gathering, gathering.boards(gathering.short)), ()
        case OfferWay.LEAVE_OUT:
            return left_out(gathering, gathering.over)
        case OfferWay.LOT:
            return by_lot(gathering), ()
        case _:
            return (), ()


def counted(number: int, word: str) -> str:
    """Write a number with its word.

    >>> counted(1, "board"), counted(2, "board")
    ('1 board', '2 boards')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
