"""What the command and the page share when a round is drawn: what is asked for, and the lots, drawn openly."""

import secrets
from contextlib import closing

from pipeline.board.map import Power
from pipeline.desk.draw.drawing import Request, draw_round
from pipeline.desk.draw.drawn import Drawn
from pipeline.desk.event.event import Event
from pipeline.desk.event.lots import Urn
from pipeline.draw.players.offers import OfferWay
from pipeline.draw.search.wishes import Answers
from pipeline.ledger.files.claims import Claims
from pipeline.problems import stop
from pipeline.rules.event_rules import Aim, Wish
from pipeline.rules.toml.table import did_you_mean

SEEDS = 1_000_000  # short enough to be read aloud before the draw
NO_LIMIT = "none"  # as often as they like


def some_seed() -> int:
    """A seed by lot."""
    return secrets.randbelow(SEEDS)


def drawn_with_lots(event: Event, request: Request, word: str | None, by: str, *, may_write: bool = True) -> Drawn:
    """Draw a round; the lots that it takes are sealed and drawn openly, none in a dry run."""
    if not may_write:
        if word is not None:
            raise stop("a dry run draws no lot; leave it out, or --dry-run", "--word")
        return draw_round(event, request)
    with closing(Claims(event.folder / "claims.db")) as claims:
        urn = Urn(event=event, claims=claims, round=request.round, by=by, word=word)
        drawn = draw_round(event, request, urn)
        urn.close()
    return drawn


def read_ways(texts: tuple[str, ...]) -> tuple[OfferWay, ...]:
    """Read the offers that are taken."""
    known = {str(way): way for way in OfferWay}
    if unknown := [text for text in texts if text not in known]:
        raise stop(f"expected {', '.join(known)}, found {unknown[0]!r}", "--take")
    return tuple(known[text] for text in texts)


def read_answers(wishes: tuple[str, ...], meetings_most: str | None) -> Answers:
    """Read ``--wish`` and ``--meetings-most``."""
    aims, words = {str(aim): aim for aim in Aim}, {str(word): word for word in Wish if word is not Wish.ASK}
    found = {}
    for text in wishes:
        aim, _, word = text.partition("=")
        if aim not in aims:
            raise stop(
                f"unknown wish {aim!r}{did_you_mean(aim, tuple(aims)) or '; known are ' + ', '.join(aims)}", "--wish"
            )
        if word not in words:
            raise stop(f"expected {aim}=must, ={', ='.join(w for w in words if w != 'must')}, found {text!r}", "--wish")
        found[aims[aim]] = words[word]
    if meetings_most is None:
        return Answers(wishes=found)
    if meetings_most != NO_LIMIT and not (meetings_most.isascii() and meetings_most.isdigit() and int(meetings_most)):
        raise stop(f"expected a whole number from 1, or none, found {meetings_most!r}", "--meetings-most")
    most = None if meetings_most == NO_LIMIT else int(meetings_most)
    return Answers(wishes=found, has_limit=True, meetings_most=most)


def read_choice(text: str) -> tuple[str, Power]:
    """Read ``--final NAME=POWER``; a name may have the sign in it, a power has not."""
    name, sign, word = text.rpartition("=")
    powers = {str(power): power for power in Power}
    if not sign or word.strip().upper() not in powers:
        raise stop(f"expected NAME=POWER with a power of {', '.join(powers)}, found {text!r}", "--final")
    return name.strip(), powers[word.strip().upper()]
