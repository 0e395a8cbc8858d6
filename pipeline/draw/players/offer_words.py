"""The director's choice in words: what is the matter, and every offer on a line of its own, with what to say for it."""

from collections.abc import Iterator

from pipeline.draw.players.offers import Choosing, Offer, OfferWay, counted
from pipeline.problems import Problem, Weight

COLUMNS = {OfferWay.VOLUNTEERS: "stands_aside", OfferWay.DOUBLE: "two_boards"}
FLAGS = {  # what names people one by one
    OfferWay.VOLUNTEERS: "--aside NAME",
    OfferWay.DOUBLE: "--twice NAME",
    OfferWay.DIRECTOR: "--plays NAME",
    OfferWay.LEAVE_OUT: "--out NAME",
    OfferWay.LOT: "--out NAME",
}
MOST_NAMED = 12  # names of a lot that are told on one line


def in_words(choice: Choosing) -> Problem:
    """Say what is the matter, and below it every offer on a line of its own; those last that leave somebody out."""
    return Problem(Weight.ASKS, "\n  ".join(lines(choice)), "draw.uneven")


def lines(choice: Choosing) -> Iterator[str]:
    """What is the matter, every offer, and what is of no help."""
    yield head(choice)
    for offer in choice.offers:
        parts = (f"{what(choice, offer)}{who(choice, offer)}", say(choice, offer))
        yield f"{offer.way}: {'; '.join(part for part in parts if part)}"
    for way, why in choice.cannot:
        yield f"{way}: of no help here: {why}"


def offers_in_words(choice: Choosing) -> dict[str, str]:
    """What each way would do, and whom it concerns; without how a command says it."""
    return {str(offer.way): f"{what(choice, offer)}{who(choice, offer)}" for offer in choice.offers}


def head(choice: Choosing) -> str:
    """What is the matter."""
    seats = f"{counted(choice.people, 'player')}, {choice.size} to a board"
    seats += f", {choice.seats} seats taken" if choice.seats > choice.people else ""
    seats += f", {counted(choice.six, 'board')} of six" if choice.six else ""
    many = f"{choice.over} too many, or " if choice.seats >= choice.size else ""
    whose = f"the director decides ({choice.rule})" if choice.is_open else f"{choice.rule} offers what follows"
    how = "say the command again with one of these, or with several"
    if not choice.offers:
        how = "none of it helps; what is not offered takes a reason, --why, beside --six, --plays, --twice or --out"
    return f"{seats}: {many}{choice.short} too few; {whose}; {how}"


def what(choice: Choosing, offer: Offer) -> str:
    """What happens to how many."""
    n = offer.needed
    match offer.way:
        case OfferWay.VOLUNTEERS:
            paid = ", for the bonus of a withdrawal" if choice.is_paid else ""
            return f"{n} {'stands' if n == 1 else 'stand'} down of their own will{paid}"
        case OfferWay.DOUBLE:
            return f"{n} {'plays' if n == 1 else 'play'} on two boards of their own will"
        case OfferWay.DIRECTOR:
            return f"{counted(n, 'seat')} for the director"
        case OfferWay.VARIANT:
            six, seven = choice.six + n, choice.boards - choice.six - n
            beside = f" beside {counted(seven, 'board')} of {choice.size}" if seven else ""
            silent = ", of which the rules say nothing" if choice.is_open else ""
            return f"{counted(six, 'board')} of six without Turkey{beside}{silent}"
        case OfferWay.LEAVE_OUT:
            return f"{n} {'is' if n == 1 else 'are'} left out, in the order of the rules"
        case _:
            return f"{n} {'is' if n == 1 else 'are'} left out, whom the director names or a lot decides"


def who(choice: Choosing, offer: Offer) -> str:
    """Whom it concerns, by name."""
    if offer.missing:
        return f": {'; '.join(problem.text for problem in offer.missing)}"
    parts = (
        [f"first {', '.join(offer.willing)}, of their own will"]
        if offer.willing and offer.way is OfferWay.LEAVE_OUT
        else []
    )
    others = offer.sure[len(offer.willing) :] if parts else offer.sure
    parts += [f"{'then ' if parts else ''}{', '.join(others)}"] if others else []
    rest = offer.needed - len(offer.sure)
    if offer.lot:
        parts.append(f"by lot {rest} of {among(choice, offer)}")
    elif rest and offer.way is not OfferWay.VARIANT:
        column = COLUMNS.get(offer.way)
        said = f"nobody has said so on the roster (column {column!r}), ask" if column else f"{rest} more to be found"
        parts.append(f"{rest} more to be found" if offer.sure else said)
    unpaid = choice.is_paid and offer.way is OfferWay.LEAVE_OUT
    told = ", and ".join(parts) + (", without a bonus; who is left out may still withdraw later" if unpaid else "")
    return f": {told}" if told else ""


def among(choice: Choosing, offer: Offer) -> str:
    """Among whom a lot is drawn."""
    if len(offer.lot) <= MOST_NAMED:
        return ", ".join(offer.lot)
    everybody = len(offer.lot) == choice.seats
    return f"all {len(offer.lot)}" if everybody else f"{len(offer.lot)} who have played most and missed least"


def say(choice: Choosing, offer: Offer) -> str:
    """What the director says to take it."""
    if offer.way is OfferWay.VARIANT:
        return f"--take {offer.way}, or --six {choice.six + offer.needed}"
    by_name = f"{FLAGS[offer.way]}{' for each' if offer.needed > 1 else ''}"
    if offer.missing:
        return by_name
    return f"--take {offer.way}, or {by_name}" if offer.sure or offer.lot else by_name
