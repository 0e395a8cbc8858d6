"""Printing in the browser: PDFs and other files; serials are written down before a print exists."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pipeline.board import Phase, Power
from pipeline.desk.event.event import open_same
from pipeline.desk.players import seats_of, standings_are_open
from pipeline.desk.publish.publish import newest_results
from pipeline.desk.results.standings_workbook import write_standings, write_wall
from pipeline.desk.sheets.printing import PrintWish, printed_again, record_sheets
from pipeline.desk.signs import badges_pdf, notice_pdf, place_cards_pdf, seats_pdf
from pipeline.ledger.claims import Login
from pipeline.paper.sheet_rows import Design
from pipeline.printable import is_whole
from pipeline.problems import stop
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.round_page import round_of, texts_of_field
from pipeline.web.shown import Things

PDF = "application/pdf"
MOST = 10**9  # largest number of a fact or a round in an address
STANDINGS = {  # media type by file extension
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "pdf": PDF,
}


def routes(pages: Pages) -> list[Route]:
    """The request that prints sheets, and the files that are printed."""
    return [
        pages.act("/api/day/print", _print_sheets, Right.PUBLISH, _see_what_is_printed),
        pages.get("/print/sheets/{number}.pdf", _show_sheets, Right.PUBLISH),
        pages.get("/print/seats/{round}.pdf", _show_seats, Right.PUBLISH),
        pages.get("/print/cards/{round}.pdf", _show_cards, Right.PUBLISH),
        pages.get("/print/results/{round}.pdf", _show_results, Right.PUBLISH),
        pages.get("/print/badges.pdf", _show_badges, Right.PUBLISH),
        pages.get("/print/notice.pdf", _show_notice, Right.PUBLISH),
        pages.get("/print/standings.{ending}", _show_standings, Right.PUBLISH),
    ]


def _see_what_is_printed(office: Office, login: Login, body: dict[str, Any]) -> Things:
    """What was printed already, and the boards as they stand: their seats and phases are on the sheets."""
    number, board = round_of(office, body.get("round")), text_of(body, "board")
    seen = dict(versions.of_prints(office.event, number))
    for game in office.live.games.values():
        if game.seating.round == number and board in ("", game.name, game.seating.board):
            seen |= versions.of_board(office.event, game)
    return seen


def _small_number_in(body: dict[str, Any], name: str, most: int) -> int:
    """Read a whole number from 0 to ``most`` from a request; 0 where it is left out."""
    text = str(body.get(name, "") or "0")
    if not is_whole(text) or int(text) > most:
        raise stop(f"expected a whole number from 0 to {most}", name)
    return int(text)


def _powers_in(body: dict[str, Any], name: str) -> tuple[Power, ...]:
    return tuple(Power(power.upper()) for power in texts_of_field(body, name))


def _print_sheets(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Write down the sheets that a round, or one of its boards, needs next; returns where their PDF is."""
    phase, design, needed = text_of(body, "phase"), text_of(body, "design"), body.get("needed", {})
    if not isinstance(needed, dict):
        raise stop("expected the powers of each board", "needed")
    if design and design not in tuple(Design):
        raise stop(f"expected one of {', '.join(Design)}", "design")
    try:
        wish = PrintWish(
            phase=Phase.read(phase) if phase else None,
            spare=_small_number_in(body, "spare", 20),
            pads=_small_number_in(body, "pads", 20),
            design=Design(design) if design else None,
            for_beginners=body.get("beginners") is True,
            slips=False if body.get("slips") is False else None,
            powers=_powers_in(body, "powers"),
            needed=tuple((name, _powers_in(needed, name)) for name in needed),
        )
    except ValueError as error:
        raise stop(str(error), "what to print") from error
    with office.inside():
        number = round_of(office, body.get("round"))
        recorded = record_sheets(office.event, number, text_of(body, "board") or None, wish)
    lines = [f"{note.where}: {say_on_page(note.text)}" for note in recorded.notes]
    first, *more = recorded.numbers
    url = f"/print/sheets/{first}.pdf" + "".join(f"?and={number}" for number in more)
    return {"url": url, "sheets": len(recorded.layout.pages), "slips": recorded.slips, "notes": lines}


def _show_sheets(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """A print-out of sheets, as often as it is asked for: the same serials; ``and`` names one of slips beside it.

    Drawing those of 28 boards takes seconds, so the facts are opened separately and other pages answer meanwhile.
    """
    numbers = [_small_number_in(asked, name, MOST) for name in ("number", "and") if name in asked]
    with open_same(office.event) as event:
        return _file_response(printed_again(event, *numbers), PDF, f"sheets-{'-'.join(map(str, numbers))}.pdf")


def _show_seats(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The seats of a round, to hang up."""
    number = _small_number_in(asked, "round", MOST)
    with office.inside():
        data = seats_pdf(office.event, seats_of(office.event, number))
    return _file_response(data, PDF, f"seats-{number}.pdf")


def _show_cards(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The place cards of a round."""
    number = _small_number_in(asked, "round", MOST)
    with office.inside():
        data = place_cards_pdf(office.event, seats_of(office.event, number))
    return _file_response(data, PDF, f"cards-{number}.pdf")


def _show_results(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The cards and maps of all boards of a round, from the newest movement on."""
    number = _small_number_in(asked, "round", MOST)
    with office.inside():
        boards = [game for game in office.live.games.values() if game.seating.round == number]
        paths = [path for game in boards for path in newest_results(office.event, game)]
    if not paths:
        raise stop("nothing is published in this round yet", f"round {number}")
    return _file_response(_join_pdfs(paths), PDF, f"results-{number}.pdf")


def _show_badges(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    with office.inside():
        data = badges_pdf(office.event)
    return _file_response(data, PDF, "badges.pdf")


def _show_notice(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The director's own text, to hang up."""
    with office.inside():
        data = notice_pdf(office.event, "")
    return _file_response(data, PDF, "notice.pdf")


def _show_standings(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    """The standings: the workbook, the list of places, or the pages to hang up.

    ``running`` counts all games as if time were called now, where the standings are open; ``semicolons`` is for a list.
    """
    ending, running = asked["ending"], bool(asked.get("running"))
    if ending not in STANDINGS:
        raise stop(f"expected {', '.join(STANDINGS)}", ending)
    with office.inside():
        if running and not standings_are_open(office.event):
            raise stop("the standings are sealed: what they would be now is not shown", "standings")
        if ending == "pdf":
            data = write_wall(office.event, as_pdf=True, running=running)
        else:
            written = write_standings(office.event, running=running)
            is_list = ending == "csv"
            data = written.as_csv(has_semicolons=bool(asked.get("semicolons"))) if is_list else written.data
    return _file_response(data, STANDINGS[ending], f"standings.{ending}")


def _join_pdfs(paths: Iterable[Path]) -> bytes:
    """The pages of several PDFs as one, in their order."""
    import pypdfium2  # noqa: PLC0415 - few pages need it

    joined, saved = pypdfium2.PdfDocument.new(), BytesIO()
    for path in paths:
        with pypdfium2.PdfDocument(path) as document:
            joined.import_pages(document)
    joined.save(saved)
    joined.close()
    return saved.getvalue()


def _file_response(data: bytes, kind: str, name: str) -> Response:
    """A response that the browser shows, or saves if it cannot show this kind."""
    shown = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}"'}
    return Response(data, media_type=kind, headers=shown)
