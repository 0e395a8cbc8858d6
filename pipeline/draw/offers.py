"""What the rules offer when players do not fill their boards, by name; only the director chooses."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.draw import field
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.tournament import StandDown
from pipeline.words.speech import Choice, write_count


class OfferWay(Choice):
    """A way to make the number right, as the director names it with ``--take``."""

    VOLUNTEERS = "volunteers", "some sit out voluntarily"
    DOUBLE = "double", "some play on two boards voluntarily"
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
MEANT_BY = {  # way -> the rules' own words for it, voluntary ways first
    OfferWay.VOLUNTEERS: (StandDown.VOLUNTEERS,),
    OfferWay.DOUBLE: (StandDown.DOUBLE,),
    OfferWay.DIRECTOR: (StandDown.DIRECTOR_PLAYS,),
    OfferWay.VARIANT: (StandDown.VARIANT,),
    OfferWay.LEAVE_OUT: EXCLUSION,
}
SHRINKS = (OfferWay.VOLUNTEERS, OfferWay.LEAVE_OUT, OfferWay.LOT)


class Offer(Struct, frozen=True, kw_only=True):
    """One way, and whom it concerns."""

    way: OfferWay
    needed: int  # people who sit out or are left out, seats to be filled besides, or boards of the variant
    sure: tuple[str, ...] = ()  # whom it concerns, as far as the rules say
    willing: tuple[str, ...] = ()  # who of these sits out of his own will
    lot: tuple[str, ...] = ()  # among whom a lot decides for the rest
    missing: tuple[Problem, ...] = ()  # what the roster must say first

    @property
    def is_enough(self) -> bool:
        """Whether the offer alone makes the players fill their boards."""
        return self.way is OfferWay.VARIANT or len(self.sure) + len(self.lot) >= self.needed


class UnevenChoice(Struct, frozen=True, kw_only=True):
    """The choice that the director has where the players do not fill the boards."""

    round: int
    seats: int  # taken so far
    people: int  # who take them
    six: int  # boards of the six-player variant that the director asked for
    size: int
    over: int  # players too many for the full boards
    short: int  # players missing to the next full board
    rule: str  # where the offers come from
    is_open: bool  # the rules offer nothing, it is the director's to decide
    is_paid: bool  # whether standing down brings points
    boards: int  # once the missing seats are filled
    offers: tuple[Offer, ...]
    cannot: tuple[tuple[OfferWay, str], ...]  # what the rules offer besides, and why it does not help

    def as_json(self) -> dict[str, Any]:
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


def _list_ways(gathering: field.Gathering) -> tuple[OfferWay, ...]:
    """The ways that the rules allow, voluntary ones first.

    Where the rules name nobody who is left out, that is the director's to say, or a lot's.
    """
    offers = gathering.terms.offers
    asked = tuple(way for way, meant in MEANT_BY.items() if way is not OfferWay.LEAVE_OUT and any(map(offers, meant)))
    is_listed = not gathering.terms.uneven.asks and any(map(offers, EXCLUSION))
    return (*asked, OfferWay.LEAVE_OUT if is_listed else OfferWay.LOT)


def _choosing(gathering: field.Gathering) -> UnevenChoice:
    """Everything that the rules offer for this field."""
    terms = gathering.terms
    ways = [(way, _why_no_help(gathering, way)) for way in _list_ways(gathering)]
    return UnevenChoice(
        round=gathering.round,
        seats=len(gathering.seated_names),
        people=len(set(gathering.seated_names)),
        six=gathering.six,
        size=terms.size,
        over=gathering.over,
        short=gathering.short,
        rule=terms.uneven.source,
        is_open=terms.uneven.asks,
        is_paid=terms.is_paid,
        boards=gathering.boards(gathering.short),
        offers=tuple(
            sorted(
                (_offer(gathering, way) for way, why in ways if not why),
                key=lambda offer: (
                    offer.way in (OfferWay.LEAVE_OUT, OfferWay.LOT),
                    offer.needed,
                ),  # voluntary ones first
            )
        ),
        cannot=tuple((way, why) for way, why in ways if why),
    )


def _why_no_help(gathering: field.Gathering, way: OfferWay) -> str:
    """Why a way cannot help here; nothing where it may."""
    terms, boards = gathering.terms, gathering.boards(gathering.short)
    if way in SHRINKS:
        return "" if gathering.boards() >= max(gathering.six, 1) else f"that would leave no board of {terms.size}"
    if way is OfferWay.DOUBLE:
        return "" if boards > 1 else "there is one board only"
    if way is OfferWay.DIRECTOR:
        if not gathering.directors:
            return "nobody on the roster is a director (column 'director')"
        return "" if field.directors(gathering, boards) else "the directors play on as many boards as they may"
    six = gathering.six + gathering.short
    if not terms.six:
        return "there is no variant for fewer players on this map"
    return (
        ""
        if boards >= six
        else f"it takes {write_count(six, 'board')} of {terms.six}, for {write_count(six * terms.six, 'player')}"
    )


def _offer(gathering: field.Gathering, way: OfferWay) -> Offer:
    """One way, with everybody whom it concerns."""
    needed = gathering.over if way in SHRINKS else gathering.short
    levels, missing = _levels_of(gathering, way)
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


def _levels_of(gathering: field.Gathering, way: OfferWay) -> tuple[tuple[field.Level, ...], tuple[Problem, ...]]:
    """Whom a way concerns, in the order of the rules; and what the roster lacks to decide that."""
    match way:
        case OfferWay.VOLUNTEERS:
            return field.volunteers(gathering), ()
        case OfferWay.DOUBLE:
            return field.doublers(gathering), ()
        case OfferWay.DIRECTOR:
            return field.directors(gathering, gathering.boards(gathering.short)), ()
        case OfferWay.LEAVE_OUT:
            return field.choose_left_out(gathering, gathering.over)
        case OfferWay.LOT:
            return field.by_lot(gathering), ()
        case _:
            return (), ()


# The director's choice in words: the problem, and every offer on a line of its own, with its option.

COLUMNS = {OfferWay.VOLUNTEERS: "stands_aside", OfferWay.DOUBLE: "two_boards"}
FLAGS = {  # the options that name people one by one
    OfferWay.VOLUNTEERS: "--aside NAME",
    OfferWay.DOUBLE: "--twice NAME",
    OfferWay.DIRECTOR: "--plays NAME",
    OfferWay.LEAVE_OUT: "--out NAME",
    OfferWay.LOT: "--out NAME",
}
MOST_NAMED = 12  # names of a lot that are printed on one line


def _offer_lines(choice: UnevenChoice) -> Iterator[str]:
    """The problem, every offer, and the ways that do not help."""
    yield _say_matter(choice)
    for offer in choice.offers:
        parts = (f"{describe_offer(choice, offer)}{concerned_names(choice, offer)}", _say(choice, offer))
        yield f"{offer.way}: {'; '.join(part for part in parts if part)}"
    for way, why in choice.cannot:
        yield f"{way}: does not help here: {why}"


def _say_matter(choice: UnevenChoice) -> str:
    """Say how many players are too many or too few, and who decides."""
    seats = f"{write_count(choice.people, 'player')}, {choice.size} to a board"
    seats += f", {write_count(choice.seats, 'seat')} taken" if choice.seats > choice.people else ""
    seats += f", {write_count(choice.six, 'board')} of six" if choice.six else ""
    many = f"{choice.over} too many, or " if choice.seats >= choice.size else ""
    whose = f"the director decides ({choice.rule})" if choice.is_open else f"{choice.rule} offers what follows"
    how = "repeat the command with one of these, or with several"
    if not choice.offers:
        how = "no offer helps; anything else needs a reason: add --why to --six, --plays, --twice or --out"
    return f"{seats}: {many}{choice.short} too few; {whose}; {how}"


def describe_offer(choice: UnevenChoice, offer: Offer) -> str:
    """What an offer does, and to how many players."""
    n = offer.needed
    match offer.way:
        case OfferWay.VOLUNTEERS:
            paid = ", for the bonus of a withdrawal" if choice.is_paid else ""
            return f"{n} {'sits' if n == 1 else 'sit'} out voluntarily{paid}"
        case OfferWay.DOUBLE:
            return f"{n} {'plays' if n == 1 else 'play'} on two boards voluntarily"
        case OfferWay.DIRECTOR:
            return f"{write_count(n, 'seat')} for the director"
        case OfferWay.VARIANT:
            six, seven = choice.six + n, choice.boards - choice.six - n
            beside = f" beside {write_count(seven, 'board')} of {choice.size}" if seven else ""
            silent = ", of which the rules say nothing" if choice.is_open else ""
            return f"{write_count(six, 'board')} of six without Turkey{beside}{silent}"
        case OfferWay.LEAVE_OUT:
            return f"{n} {'is' if n == 1 else 'are'} left out, in the order of the rules"
        case _:
            return f"{n} {'is' if n == 1 else 'are'} left out, whom the director names or a lot decides"


def concerned_names(choice: UnevenChoice, offer: Offer) -> str:
    """The players whom an offer concerns, by name."""
    if offer.missing:
        return f": {'; '.join(problem.text for problem in offer.missing)}"
    parts = (
        [f"first {', '.join(offer.willing)}, voluntarily"] if offer.willing and offer.way is OfferWay.LEAVE_OUT else []
    )
    others = offer.sure[len(offer.willing) :] if parts else offer.sure
    parts += [f"{'then ' if parts else ''}{', '.join(others)}"] if others else []
    rest = offer.needed - len(offer.sure)
    if offer.lot:
        parts.append(f"by lot {rest} of {_among(choice, offer)}")
    elif rest and offer.way is not OfferWay.VARIANT:
        column = COLUMNS.get(offer.way)
        said = (
            f"nobody has said so on the roster (column {column.replace('_', ' ')!r}), ask"
            if column
            else f"{rest} more to be found"
        )
        parts.append(f"{rest} more to be found" if offer.sure else said)
    unpaid = choice.is_paid and offer.way is OfferWay.LEAVE_OUT
    text = ", and ".join(parts) + (", without a bonus; who is left out may still withdraw later" if unpaid else "")
    return f": {text}" if text else ""


def _among(choice: UnevenChoice, offer: Offer) -> str:
    """Among whom a lot is drawn."""
    if len(offer.lot) <= MOST_NAMED:
        return ", ".join(offer.lot)
    if len(offer.lot) == choice.seats:
        return f"all {len(offer.lot)}"
    alike = "have played most and missed least" if offer.way is OfferWay.LOT else "are level in the order of the rules"
    return f"{len(offer.lot)} who {alike}"


def _say(choice: UnevenChoice, offer: Offer) -> str:
    """The options with which the director takes an offer."""
    if offer.way is OfferWay.VARIANT:
        return f"--take {offer.way}, or --six {choice.six + offer.needed}"
    by_name = f"{FLAGS[offer.way]}{' for each' if offer.needed > 1 else ''}"
    if offer.missing:
        return by_name
    return f"--take {offer.way}, or {by_name}" if offer.sure or offer.lot else by_name


# What the director decides against the rules on the field needs a reason.


def objections_to_choices(gathering: field.Gathering, decisions: field.RoundDecisions) -> Iterator[Problem]:
    """Every choice of the director that the rules do not offer, or offer to others first."""
    yield from _more_than_once(gathering, decisions)
    yield from _directors_playing(gathering, decisions)
    if decisions.six and not gathering.terms.offers(StandDown.VARIANT):
        yield _because(f"{gathering.terms.uneven.source} offers no boards of six", "--six")
    if decisions.sent and OfferWay.LEAVE_OUT in _list_ways(gathering):
        yield from _out_of_order(gathering, decisions)


def _because(text: str, flag: str) -> Problem:
    """Ask for the reason."""
    return Problem(Weight.ASKS, f"{text}; to do it all the same, say why with --why", flag)


def _more_than_once(gathering: field.Gathering, decisions: field.RoundDecisions) -> Iterator[Problem]:
    """Standing down and playing on two boards are for once, and exclude each other (EDC23 D)."""
    if not gathering.terms.once:
        return
    for flag, names in (("--aside", decisions.aside), ("--twice", decisions.twice)):
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
                yield _because(text, flag)


def _directors_playing(gathering: field.Gathering, decisions: field.RoundDecisions) -> Iterator[Problem]:
    """The director fills boards where the rules let him, and as many as they say (WM III.5)."""
    terms = gathering.terms
    if decisions.plays and not terms.offers(StandDown.DIRECTOR_PLAYS):
        yield _because(f"{terms.uneven.source} does not say that a director plays", "--plays")
        return
    most = terms.director_boards.value
    for name in dict.fromkeys(decisions.plays):
        if most is not None and decisions.plays.count(name) > most:
            text = f"{name} plays on {write_count(most, 'board')} of a round at most ({terms.director_boards.source})"
            yield _because(text, "--plays")


def _out_of_order(gathering: field.Gathering, decisions: field.RoundDecisions) -> Iterator[Problem]:
    """Somebody is left out before others who come first in the order of the rules (WM III.5; EDC23 B)."""
    sent = [player for player in gathering.roster if player.name in decisions.sent]
    whole = replace(gathering, players={**gathering.players, **{player.name: player for player in sent}})
    levels, missing = field.choose_left_out(whole, len(sent))
    first: list[str] = []
    for level in levels:
        if len(first) < len(sent):
            first += level.names
    before = [name for name in first if name not in decisions.sent]
    late = [player.name for player in sent if player.name not in first]
    if late and before and not missing:
        order = f"in the order of {gathering.terms.uneven.source}"
        text = f"{', '.join(before)} would be left out before {', '.join(late)} {order}"
        yield _because(text, "--out")


# Make a field fill its boards by the ways that the director chose; nobody is left out unasked.


class Uneven(Stopped):
    """Players do not fill their boards, and the director chooses what is done (exit code 3)."""

    def __init__(self, choice: UnevenChoice, further: Sequence[Problem] = ()) -> None:
        self.choice = choice
        offered = Problem(Weight.ASKS, "\n  ".join(_offer_lines(choice)), "draw.uneven")
        super().__init__((offered, *further), ExitCode.RULE_FIRST)


def make_even(gathering: field.Gathering, ways: Sequence[OfferWay], lots: field.Lots) -> None:
    """Take the ways that the director chose, one after another, or stop and offer what the rules offer."""
    for way in ways:
        _apply_way(gathering, way, lots)
    if not gathering.seated_names:
        out = Counter(each.why for each in gathering.out)
        because = "".join(f"; of {write_count(count, 'player')} each {why}" for why, count in out.items())
        raise stop(f"nobody to seat; {gathering.terms.size} make a board{because}", "draw", ExitCode.RULE_FIRST)
    if gathering.over:
        raise Uneven(_choosing(gathering))
    boards, seated = gathering.boards(), gathering.seated_names
    if boards < gathering.six:
        raise stop(
            f"{write_count(len(seated), 'player')} make {write_count(boards, 'board')}, not {gathering.six} of six",
            "--six",
            ExitCode.RULE_FIRST,
        )
    for name in dict.fromkeys(seated):
        if seated.count(name) > boards:
            raise stop(
                f"{name} cannot sit {write_count(seated.count(name), 'time')} at {write_count(boards, 'board')}",
                "draw",
                ExitCode.RULE_FIRST,
            )


def _apply_way(gathering: field.Gathering, way: OfferWay, lots: field.Lots) -> None:
    """Apply one way as far as it goes, or stop with the reason why it does not help."""
    if not gathering.over:
        raise stop(f"the boards are full without {way}; leave it out", "--take")
    if way not in _list_ways(gathering):
        known = ", ".join(_list_ways(gathering))
        raise stop(f"{gathering.terms.uneven.source} does not offer {way}; it offers {known}", "--take")
    if why := _why_no_help(gathering, way):
        raise stop(f"{way}: {why}", "--take", ExitCode.RULE_FIRST)
    levels, missing = _levels_of(gathering, way)
    if missing:
        raise Stopped(missing, ExitCode.RULE_FIRST)
    if way is OfferWay.VARIANT:
        gathering.six += gathering.short
        return
    if not levels:
        why = "nobody on the roster has volunteered" if way in COLUMNS else "the rules name nobody who is here"
        raise stop(f"{way}: {why}; name people one by one", "--take", ExitCode.RULE_FIRST)
    needed = gathering.over if way in SHRINKS else gathering.short
    for reason, is_willing in tuple(field.choose_by_level(levels, needed, lots)):
        _change_field(gathering, way, reason, is_willing=is_willing)


def _change_field(gathering: field.Gathering, way: OfferWay, reason: field.NotSeated, *, is_willing: bool) -> None:
    """Take somebody out of the field, or give him a further seat."""
    if way is OfferWay.DOUBLE:
        gathering.twice.append(reason)
    elif way is OfferWay.DIRECTOR:
        gathering.plays.append(reason)
    else:
        del gathering.players[reason.name]
        (gathering.aside if is_willing else gathering.sent).append(reason)
