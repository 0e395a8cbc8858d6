"""What a page shows of each item, as JSON: power names always, player names never."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from pipeline.board.position import Step
from pipeline.desk.agenda import Check, Entry, Item, Ready, StrayPage, token
from pipeline.desk.crops import page_path
from pipeline.desk.expected import entitlements
from pipeline.desk.games import Game
from pipeline.desk.precedents import situation_of
from pipeline.desk.printing import printed_sheets
from pipeline.desk.read_out import what_comes
from pipeline.desk.reading_order import reading_order
from pipeline.desk.review import Doubt
from pipeline.desk.rows import PowerRows, Row
from pipeline.desk.rulings import NOTHING
from pipeline.desk.rulings import SheetDecision as S
from pipeline.desk.sheet_state import SheetState
from pipeline.desk.sheets_in import SheetIn
from pipeline.desk.turn import Turn
from pipeline.ink import Box
from pipeline.interpret.entry import Line
from pipeline.interpret.interpret import interpret
from pipeline.judge.legality import legal_orders, why_illegal
from pipeline.orders.notation import write
from pipeline.orders.order import Disband, Order, Waive
from pipeline.web.office import Office
from pipeline.web.words import SIGNS, flag_in_words, in_words

CERTAIN = re.compile(r"'[^']*' as [A-Z/]+: is listed for it \([^)]*\)")  # what nobody doubts is not said
DIGITS = "123456789"
READINGS = 3  # of an unread row that are offered as they are
SHEET_KEYS = (  # what a person may say of a whole sheet, by key
    ("A", S.ACCEPTED, "accept it as it is"),
    ("N", S.NO_ORDERS, "there are no orders, and nothing will come"),
    ("R", S.REFUSED, "refuse it: its orders do not count"),
    ("L", S.LATE, "it came late: the tournament's rule applies"),
    ("B", S.LATE_READING, "it came late, and reading had begun"),
    ("D", S.LATE_DEMANDED, "it came late, and had been demanded"),
    ("W", S.ALL_UNSIGNED, "not signed: accept it, and all others without a signature"),
)


def item_view(office: Office, item: Item) -> dict[str, Any]:
    """Show an item."""
    match item:
        case Doubt(row=None):
            view = sheet_doubt(office, item)
        case Doubt(turn, row, _):
            view = row_view(office, turn, row, item)
        case Check(turn, row):
            view = {**row_view(office, turn, row, None), "kind": "check"}
        case StrayPage():
            view = stray_view(office, item)
        case Entry():
            view = entry_view(office, item)
        case _:
            view = ready_view(office, item)
    return {**view, "token": token(item)}


def row_view(office: Office, turn: Turn, row: Row | None, doubt: Doubt | None) -> dict[str, Any]:
    """Show a row: its picture, what it may mean and why, and what the rule says."""
    assert row is not None
    board = office.event.board
    book = office.rulings_book()
    situation = situation_of(row)
    earlier = [*book.on(situation), *book.like(situation)]
    unimportant = doubt is not None and office.makes_no_difference(doubt)
    return {
        **turn_view(turn),
        "kind": "row",
        "line": row.line,
        "ink": row.ink,
        "readings": [{"text": r.text, "confidence": round(r.confidence, 2)} for r in row.readings[:4]],
        "status": row.status,
        "why": row.reason,
        "flags": [flag_in_words(flag) for flag in row.flags] if row.line else [],
        "rule": row.rule,
        "quotes": list(office.quotes.on(row)),
        "order": write(row.order) if row.order else None,
        "words": in_words(row.order, board) if row.order else "no order",
        "source": str(row.source),
        "choices": choices_of(office, turn, row),
        "enter": rule_view(office, doubt),
        "no_effect": unimportant,
        "earlier": [
            {"decision": r.decision, "by": r.by, "when": r.when, "why": r.why, "asked": r.asked, "case": r.case}
            for r in earlier[:8]
        ],
        "picture": picture_url(row.crop),
        "map": map_url(turn, row),
        "sheet": sheet_picture(office, turn, row),
        "rows": [brief(office, each) for each in rows_of(office, turn)],
    }


def ranked(office: Office, turn: Turn, row: Row) -> tuple[list[tuple[Order, str]], list[tuple[Order, str]]]:
    """What a row may mean, each with what speaks for it: what is possible here, and what is not."""
    position = office.live.games[turn.board].position
    rules = office.event.tournament.rulebook
    found: tuple[list[tuple[Order, str]], list[tuple[Order, str]]] = ([], [])
    for order, why in zip(row.candidates, (*row.whys, *("" for _ in row.candidates)), strict=False):
        refusal = why_illegal(office.event.board, position, turn.power, order, rules)
        found[refusal is not None].append((order, why))
    return found


def choices_of(office: Office, turn: Turn, row: Row) -> list[dict[str, str]]:
    """What a digit chooses: an order that the row may mean, or a reading of which the rules make something else."""
    possible, impossible = ranked(office, turn, row)
    found = [
        {
            "do": "order",
            "value": write(order),
            "order": write(order),
            "words": in_words(order, office.event.board),
            "why": sign + CERTAIN.sub("", why).strip(" ,;"),
        }
        for sign, orders in (("", possible), ("✗ impossible here: ", impossible))
        for order, why in orders
    ]
    if row.status == "unread":
        position = office.live.games[turn.board].position
        for reading in row.readings[:READINGS]:
            entries = interpret([Line(1, reading.text)], turn.power, position, office.event.tournament).entries
            if entries and not any(entry.order in row.candidates for entry in entries):
                entry = entries[0]
                order = write(entry.order) if entry.order else "no order"
                words = f"the ink says so, and it is {entry.status}: {order} § {entry.rule or 'the rules are silent'}"
                text = reading.text
                found.append({"do": "text", "value": text, "order": f"“{text}”", "words": words, "why": entry.reason})
    return [{"key": key, **choice} for key, choice in zip(DIGITS, found, strict=False)]


def turn_view(turn: Turn) -> dict[str, Any]:
    """Name a turn."""
    return {"board": turn.board, "phase": turn.phase.in_words, "power": turn.power.title(), "turn": str(turn)}


def rule_view(office: Office, doubt: Doubt | None) -> dict[str, Any] | None:
    """What Enter takes; nothing where the rules leave it to the director."""
    if doubt is None or doubt.row is None or doubt.by_rule is None:
        return None
    order = doubt.row.order
    default = doubt.row.reason.partition("; ")[2] if doubt.row.line == 0 else ""
    words = in_words(order, office.event.board) if order else default or "no order stands on this row"
    return {"order": "no order" if doubt.by_rule == NOTHING else doubt.by_rule, "words": words, "rule": doubt.row.rule}


def rows_of(office: Office, turn: Turn) -> tuple[Row, ...]:
    """All rows of a turn."""
    return office.live.power(office.live.games[turn.board], turn.power).rows


def brief(office: Office, row: Row) -> dict[str, Any]:
    """A row in one line."""
    return {
        "line": row.line,
        "ink": row.ink,
        "order": write(row.order) if row.order else None,
        "words": in_words(row.order, office.event.board) if row.order else "no order",
        "source": str(row.source),
        "sign": SIGNS[row.source],
        "why": row.reason if row.order is None else "",
    }


def picture_url(crop: str | None) -> str | None:
    """Where a picture is served."""
    return f"/picture/{PurePosixPath(crop).name}" if crop else None


def map_url(turn: Turn, row: Row) -> str | None:
    """Where the map with a row's readings is; another row, or the same with other readings, has another address."""
    if not row.candidates:
        return None
    shown = hashlib.blake2b(repr(row.candidates).encode(), digest_size=6).hexdigest()
    return f"/map/row?turn={quote(str(turn))}&line={row.line}&of={shown}"


def sheet_picture(office: Office, turn: Turn, row: Row | None) -> dict[str, Any] | None:
    """The whole sheet a row stands on, with the row's place on it in parts of a hundred."""
    sheets = office.live.sheets(turn)
    for sheet in sheets:
        if row is None or len(sheets) == 1 or any(line.number == row.line for line in sheet.lines):
            return picture_of(sheet, row)
    return None


def picture_of(sheet: SheetIn, row: Row | None = None, *, is_about_signature: bool = False) -> dict[str, Any]:
    """A sheet's picture; the player's name is covered, and the signature too unless that is the question."""
    form, scan = sheet.printed.page.form, sheet.scans[-1]
    box = next((line.box for line in sheet.lines if row is not None and line.number == row.line), None)
    hidden = ("player",) if is_about_signature else ("player", "signature")
    return {
        "url": picture_url(page_path(scan.scan_sha256, scan.page)),
        "box": in_percent(box, form.width, form.height),
        "covers": [in_percent(field.box, form.width, form.height) for field in form.fields if field.name in hidden],
    }


def in_percent(box: Box | None, width_mm: float, height_mm: float) -> list[float] | None:
    """A place on a page in parts of a hundred: left, top, width, height."""
    if box is None:
        return None
    return [
        round(100 * part / whole, 2)
        for part, whole in (
            (box.left, width_mm),
            (box.top, height_mm),
            (box.width, width_mm),
            (box.height, height_mm),
        )
    ]


def sheet_doubt(office: Office, doubt: Doubt) -> dict[str, Any]:
    """Show a doubt about a whole sheet, with the keys that settle it."""
    sheets = office.live.sheets(doubt.turn)
    power = office.live.power(office.live.games[doubt.turn.board], doubt.turn.power)
    choices = [
        {
            "key": key,
            "do": "choose sheet",
            "value": sheet.serial,
            "order": f"sheet {sheet.printed.request.id}",
            "words": " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty",
            "why": "this one counts",
        }
        for key, sheet in zip(DIGITS, sheets if power.state is SheetState.TWO else (), strict=False)
    ]
    allowed = (S.NO_ORDERS,) if power.state is SheetState.MISSING else tuple(S)
    choices += [
        {"key": key, "do": "sheet", "value": str(decision), "order": str(decision), "words": words, "why": ""}
        for key, decision, words in SHEET_KEYS
        if decision in allowed and (decision is not S.NO_ORDERS or power.state is SheetState.MISSING)
    ]
    return {
        **turn_view(doubt.turn),
        "kind": "sheet",
        "state": str(power.state),
        "why": doubt.problem.text if doubt.problem else "",
        "choices": choices,
        "sheet": sheet_picture(office, doubt.turn, None),
        "sheets": [picture_of(s, is_about_signature=any(s.scans[-1].signed is False for s in sheets)) for s in sheets],
        "rows": [brief(office, row) for row in power.rows],
    }


def stray_view(office: Office, page: StrayPage) -> dict[str, Any]:
    """Show a page that is nowhere, and the sheets it may be."""
    body = page.fact.body
    known = printed_sheets(office.event) if body["tray"] == "doubtful" else {}
    offers = [offer for offer in body.get("offers", ()) if offer in known]
    choices = []
    for key, offer in zip(DIGITS, offers, strict=False):
        request = known[offer].request
        words = f"board {request.round}.{request.board} {request.power.title()}, {request.phase.in_words}"
        choices.append({"key": key, "do": "identify", "value": offer, "order": words, "words": offer, "why": ""})
    aside = {"key": "X", "do": "aside", "value": "", "order": "put aside", "words": "it needs nothing more", "why": ""}
    return {
        "kind": "page",
        "board": "",
        "phase": page.name,
        "power": f"page {body['page']}",
        "why": f"{body['tray']}: {body['text']}",
        "choices": [*choices, aside],
        "sheet": {"url": picture_url(page_path(body["sha256"], body["page"])), "box": None},
    }


def entry_view(office: Office, entry: Entry) -> dict[str, Any]:
    """Show the units that retreat, or are built or disbanded, each with its choices."""
    game = office.live.games[entry.board]
    slots = [slot for turn in entry.turns for slot in slots_of(office, game, turn)]
    return {"kind": "entry", "board": entry.board, "phase": entry.phase.in_words, "power": "", "slots": slots}


def slots_of(office: Office, game: Game, turn: Turn) -> list[dict[str, Any]]:
    """One power's units to decide on."""
    orders = legal_orders(office.event.board, game.position, turn.power, office.event.tournament.rulebook)
    power = turn.power.title()
    if game.position.phase.step is Step.RETREATS:
        own = [d for d in game.position.dislodged if d.power is turn.power]
        return [
            {
                "power": power,
                "turn": str(turn),
                "what": f"{d.unit} dislodged from {d.by}",
                "options": options(office, [o for o in orders if not isinstance(o, Waive) and o.unit == d.unit]),
            }
            for d in own
        ]
    count = entitlements(office.event.board, game.position).get(turn.power, 0)
    word = "build" if count > 0 else "disband"
    return [
        {
            "power": power,
            "turn": str(turn),
            "what": f"{word} {n + 1} of {abs(count)}",
            "options": options(office, orders),
        }
        for n in range(abs(count))
    ]


def options(office: Office, orders: Iterable[Order]) -> list[dict[str, str]]:
    """Orders with the key of each: digits, ``D`` for the one disband among retreats, ``W`` for a waived build."""
    orders = tuple(orders)
    leaving = [order for order in orders if isinstance(order, Disband)]
    found, number = [], 0
    for order in orders:
        if isinstance(order, Waive):
            key = "W"
        elif isinstance(order, Disband) and len(leaving) == 1 < len(orders):
            key = "D"
        else:
            number += 1
            key = str(number)
        found.append({"key": key, "order": write(order), "words": in_words(order, office.event.board)})
    return found


def ready_view(office: Office, ready: Ready) -> dict[str, Any]:
    """Show the gate: every row of a board in the order in which it is read aloud, with what each rests on."""
    order = reading_order(office.event.tournament, ready.phase, tuple(power.power for power in ready.powers))
    by_power = {power.power: power for power in ready.powers}
    return {
        "kind": "ready",
        "board": ready.board,
        "phase": ready.phase.in_words,
        "power": "",
        "powers": [power_view(office, by_power[power]) for power in order],
    }


def power_view(office: Office, power: PowerRows) -> dict[str, Any]:
    """One power at the gate."""
    return {
        "power": power.power.title(),
        "state": str(power.state),
        "notes": [problem.text for problem in power.problems],
        "rows": [brief(office, row) for row in power.rows],
    }


def board_view(office: Office, game: Game, *, is_own: bool) -> dict[str, Any]:
    """One board in the strip on top."""
    powers = office.live.board(game)
    absent = [power.power.title() for power in powers if power.state is SheetState.MISSING]
    waiting = sum(row.needs_director for power in powers for row in power.rows)
    return {
        "board": game.name,
        "phase": game.position.phase.in_words,
        "ended": game.ended,
        "own": is_own,
        "in": len(powers) - len(absent),
        "of": len(powers),
        "missing": absent,
        "open": waiting,
        "ready": bool(powers) and not any(power.is_open for power in powers),
        "powers": [{"power": p.power.title(), "turn": f"{game.name} {game.position.phase} {p.power}"} for p in powers],
    }


def published_view(office: Office, game: Game) -> dict[str, Any]:
    """What was published last on a board, and what comes."""
    played = game.played[-1]
    card = f"{game.name}-{played.phase}-card.pdf"
    pictures = sorted(path.name for path in office.event.out.glob(f"{game.name}-{played.phase}-map.*"))
    return {
        "board": game.name,
        "phase": played.phase.in_words,
        "card": f"/out/{card}" if (office.event.out / card).is_file() else None,
        "maps": [f"/map/board/{game.name}", *(f"/out/{name}" for name in pictures)],
        "next": list(what_comes(office.event, played.resolution.after)),
    }
