"""Draw a round on the page: what must be decided first is asked there, lots are drawn openly."""

from typing import Any

from starlette.routing import Route

from pipeline.desk.draw.drawing import Request, seat_drawn
from pipeline.desk.draw.open_draw import drawn_with_lots, read_answers, read_choice, read_ways, some_seed
from pipeline.desk.event.event import open_event
from pipeline.draw.players.even import Uneven
from pipeline.draw.players.field import ToldReason
from pipeline.draw.players.offer_words import offers_in_words
from pipeline.ledger.clock import now
from pipeline.ledger.files.claims import Login
from pipeline.problems import ExitCode, Problem, Stopped, stop
from pipeline.rules.event_rules import Aim
from pipeline.rules.load import tournament_ids
from pipeline.rules.toml.plain_text import is_whole
from pipeline.web.day.day import round_of, text_of, texts_of
from pipeline.web.day.tables import why_of
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office

PEOPLE = ("absent", "aside", "sent", "twice", "plays")
LIMIT = "meetings_most"


def routes(pages: Pages) -> list[Route]:
    """What draws."""
    return [pages.post("/api/day/draw", draw, Right.PUBLISH)]


def draw(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Draw a round and seat it, or say what must be decided first.

    It may take seconds: it is done on a view of the facts of its own, so that all other pages answer meanwhile.
    """
    with office.inside():
        number = round_of(office, body.get("round"))
    request = request_of(number, body)
    word = text_of(body, "word") or None
    try:
        with open_event(office.event.folder, now) as event:
            drawn = drawn_with_lots(event, request, word, login.name)
            if is_seated := not drawn.broken or body.get("even_so") is True:
                seat_drawn(event, drawn, by=login.name)
    except Uneven as uneven:
        return {"seated": False, "choice": choice_view(uneven), "asks": asks_of(uneven.problems[1:])}
    except Stopped as stopped:
        if stopped.code is not ExitCode.RULE_FIRST:
            raise
        return {"seated": False, "choice": None, "asks": asks_of(stopped.problems)}
    return {"seated": is_seated, "choice": None, "asks": [], "broken": list(drawn.broken)}


def request_of(number: int, body: dict[str, Any]) -> Request:
    """Read what is asked for, as the command reads its options."""
    told = {name: texts_of(body, name) for name in PEOPLE}
    seed, six = number_of(body, "seed"), number_of(body, "six")
    return Request(
        round=number,
        seed=some_seed() if seed is None else seed,
        told=ToldReason(**told, six=six or 0, why=why_of(body)),
        take=read_ways(texts_of(body, "take")),
        answers=read_answers(texts_of(body, "wish"), text_of(body, LIMIT) or None),
        like=text_of(body, "like") or None,
        finalists=texts_of(body, "finalists"),
        final_lot=body.get("final_lot") is True,
        chosen=tuple(read_choice(text) for text in texts_of(body, "chosen")),
        again=body.get("again") is True,
    )


def number_of(body: dict[str, Any], name: str) -> int | None:
    """A whole number of a decision; None where it is left out. What is none is refused: a seed was told to the room."""
    text = text_of(body, name)
    if text and not is_whole(text):
        raise stop(f"expected a whole number, found {text!r}", name)
    return int(text) if text else None


def choice_view(uneven: Uneven) -> dict[str, Any]:
    """What the rules offer when players do not fill their boards, by name."""
    choice = uneven.choice
    words = offers_in_words(choice)
    found = choice.as_json()
    for offer in found["offers"]:
        offer["words"] = words[offer["way"]]
    return found | {"open": choice.is_open, "people": choice.people}


def asks_of(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    """What must be decided first, with what it is about, where the page can ask for it itself."""
    aims = {f"draw.{aim.value}": aim.value for aim in Aim}
    return [
        {
            "text": problem.text,
            "where": problem.where,
            "aim": aims.get(problem.where, ""),
            "limit": problem.where == f"draw.{LIMIT}",
            "like": list(tournament_ids()),
        }
        for problem in problems
    ]
