"""Draw a round on its page: what must be decided first is asked there, lots are drawn openly."""

from typing import Any

from starlette.routing import Route

from pipeline.desk import draw_request, drawing, drawn_again, players
from pipeline.desk.event.event import open_same
from pipeline.desk.event.games import games, seated_rounds
from pipeline.draw.field import RoundDecisions
from pipeline.draw.offers import OfferWay, Uneven, concerned_names, describe_offer
from pipeline.ledger.claims import Login
from pipeline.printable import is_whole
from pipeline.problems import ExitCode, Problem, Stopped, stop
from pipeline.rules.load import tournament_ids
from pipeline.rules.tournament import Aim
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.round_page import round_of, texts_of_field
from pipeline.web.shown import Things
from pipeline.web.tables import why_of


def _see_draw(office: Office, login: Login, body: dict[str, Any]) -> Things:
    """Who is here, and who sits where already; lots are drawn openly, and the draw itself looks at them."""
    number = round_of(office, body.get("round"))
    roll = versions.of_roll(players.read_roll_call(office.event, number))
    whole = versions.name_roll(number)
    return {whole: roll[whole], **versions.of_seats(office.event, office.live.games.values(), number)}


PEOPLE = ("absent", "aside", "sent", "twice", "plays")
LIMIT = "meetings_most"


def draw_routes(pages: Pages) -> list[Route]:
    return [pages.act("/api/day/draw", _draw_and_seat, Right.PUBLISH, _see_draw, is_long=True)]


def _draw_and_seat(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Draw a round and seat it, or say what must be decided first.

    It may take seconds, so it opens the facts separately and other pages answer meanwhile; it is seated only if the
    roll call and the seats are still as its page showed them.
    """
    with office.inside():
        number = round_of(office, body.get("round"))
    request = _read_draw_request(number, body)
    word = text_of(body, "word") or None
    try:
        with open_same(office.event) as event:
            running = drawing.boards_in_play(event, number, games(event).values())
            is_prepared = players.read_roll_call(event, number).is_begun or number in seated_rounds(event)
            if running and not is_prepared and body.get("in_play") is not True:
                return {"seated": False, "choice": None, "asks": [], "in_play": running}
            if number in seated_rounds(event) and not request.again:
                raise stop("is drawn already; to draw it all the same, press 'Draw again…'", f"round {number}")
            drawn = drawing.drawn_with_lots(event, request, word, login.name)
        if is_seated := not drawn.broken or body.get("even_so") is True:
            with office.inside():
                drawn_again.seat_drawn(office.event, drawn, by=login.name)
    except Uneven as uneven:
        return {"seated": False, "choice": _choice_view(uneven), "asks": _asks_of(uneven.problems[1:])}
    except Stopped as stopped:
        if stopped.code is not ExitCode.RULE_FIRST:
            raise
        return {"seated": False, "choice": None, "asks": _asks_of(stopped.problems)}
    return {"seated": is_seated, "choice": None, "asks": [], "broken": list(drawn.broken)}


def _read_draw_request(number: int, body: dict[str, Any]) -> draw_request.Request:
    """Read what is asked for, as the command reads its options."""
    named = {name: texts_of_field(body, name) for name in PEOPLE}
    seed, six = _whole_number_in(body, "seed"), _whole_number_in(body, "six")
    return draw_request.Request(
        round=number,
        seed=draw_request.random_seed() if seed is None else seed,
        decisions=RoundDecisions(**named, six=six or 0, why=why_of(body)),
        take=draw_request.read_ways(texts_of_field(body, "take")),
        answers=draw_request.read_wishes(texts_of_field(body, "wish"), text_of(body, LIMIT) or None),
        like=text_of(body, "like") or None,
        finalists=texts_of_field(body, "finalists"),
        final_lot=body.get("final_lot") is True,
        declines=texts_of_field(body, "declines"),
        chosen=tuple(draw_request.read_choice(text) for text in texts_of_field(body, "chosen")),
        again=body.get("again") is True,
    )


def _whole_number_in(body: dict[str, Any], name: str) -> int | None:
    """A whole number of a request.

    None if it is left out. Anything else is refused: a mistyped seed must not become another than was announced.
    """
    text = text_of(body, name)
    if text and not is_whole(text):
        raise stop(f"expected a whole number, found {text!r}", name)
    return int(text) if text else None


def _choice_view(uneven: Uneven) -> dict[str, Any]:
    """What the rules offer when players do not fill their boards, by name."""
    choice = uneven.choice
    offers = {str(offer.way): offer for offer in choice.offers}
    words = {way: f"{describe_offer(choice, offer)}{concerned_names(choice, offer)}" for way, offer in offers.items()}
    meanings = {str(way): way.meaning for way in OfferWay}
    view = choice.as_json()
    for offer in view["offers"]:
        offer["words"] = say_on_page(words[offer["way"]])
    for each in view["cannot"]:
        each |= {"meaning": meanings[each["way"]], "why": say_on_page(each["why"])}
    return view | {"open": choice.is_open, "people": choice.people}


def _asks_of(problems: tuple[Problem, ...]) -> list[dict[str, Any]]:
    """What must be decided first, with what it is about, where the page can ask for it itself."""
    aims = {f"draw.{aim.value}": aim.value for aim in Aim}
    return [
        {
            "text": say_on_page(problem.text),
            "where": problem.where,
            "aim": aims.get(problem.where, ""),
            "limit": problem.where == f"draw.{LIMIT}",
            "like": list(tournament_ids()),
        }
        for problem in problems
    ]
