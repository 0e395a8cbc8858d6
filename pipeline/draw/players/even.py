"""Make a field fill its boards by the ways that the director chose; nobody is sent away unasked."""

from collections.abc import Sequence

from pipeline.draw.players.field import Gathering, Lots, NamedReason
from pipeline.draw.players.offer_words import in_words
from pipeline.draw.players.offers import SHRINKS, Choosing, OfferWay, choosing, counted, levels_of, ways_of, why_not
from pipeline.draw.players.order import chosen
from pipeline.problems import ExitCode, Problem, Stopped, stop


class Uneven(Stopped):
    """Players do not fill their boards, and the director chooses what is done (exit code 3)."""

    def __init__(self, choice: Choosing, further: Sequence[Problem] = ()) -> None:
        self.choice = choice
        super().__init__((in_words(choice), *further), ExitCode.RULE_FIRST)


def made_even(gathering: Gathering, ways: Sequence[OfferWay], lots: Lots) -> None:
    """Take the ways that the director chose, one after another, or stop and offer what the rules offer."""
    for way in ways:
        take(gathering, way, lots)
    if not gathering.seated:
        raise stop(f"nobody to seat; {gathering.terms.size} make a board", "draw", ExitCode.RULE_FIRST)
    if gathering.over:
        raise Uneven(choosing(gathering))
    boards, seated = gathering.boards(), gathering.seated
    if boards < gathering.six:
        raise stop(
            f"{len(seated)} players make {counted(boards, 'board')}, not {gathering.six} of six",
            "--six",
            ExitCode.RULE_FIRST,
        )
    for name in dict.fromkeys(seated):
        if seated.count(name) > boards:
            raise stop(
                f"{name} cannot sit {seated.count(name)} times at {counted(boards, 'board')}",
                "draw",
                ExitCode.RULE_FIRST,
            )


def take(gathering: Gathering, way: OfferWay, lots: Lots) -> None:
    """Do what a way offers, as far as it goes, or stop with why it does not help."""
    if not gathering.over:
        raise stop(f"the boards are full without {way}; leave it out", "--take")
    if way not in ways_of(gathering):
        known = ", ".join(ways_of(gathering))
        raise stop(f"{gathering.terms.uneven.source} does not offer {way}; it offers {known}", "--take")
    if why := why_not(gathering, way):
        raise stop(f"{way}: {why}", "--take", ExitCode.RULE_FIRST)
    levels, missing = levels_of(gathering, way)
    if missing:
        raise Stopped(missing, ExitCode.RULE_FIRST)
    if way is OfferWay.VARIANT:
        gathering.six += gathering.short
        return
    if not levels:
        raise stop(
            f"{way}: nobody on the roster has volunteered; name people one by one", "--take", ExitCode.RULE_FIRST
        )
    needed = gathering.over if way in SHRINKS else gathering.short
    for reason, is_willing in tuple(chosen(levels, needed, lots)):
        put(gathering, way, reason, is_willing=is_willing)


def put(gathering: Gathering, way: OfferWay, reason: NamedReason, *, is_willing: bool) -> None:
    """Take somebody out of the field, or give him a further seat."""
    if way is OfferWay.DOUBLE:
        gathering.twice.append(reason)
    elif way is OfferWay.DIRECTOR:
        gathering.plays.append(reason)
    else:
        del gathering.players[reason.name]
        (gathering.aside if is_willing else gathering.sent).append(reason)
