"""What a page shows of each item of the review, as JSON. Players are named only where a director sees a board."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from pipeline.board import Step
from pipeline.desk.event.ending import is_going_on, over_words
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import correct_address
from pipeline.desk.publish.publish import next_phase_in_words, reading_order
from pipeline.desk.review import queue
from pipeline.desk.review.live import WhileUntouched
from pipeline.desk.review.meaning import unit_of_row
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.ruling.desk import ruled_before_read, seats_left, situation_of
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.rulings import NOTHING
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.pads import SheetReason, SheetState
from pipeline.desk.sheets.printed import entitlements
from pipeline.desk.sheets.sheets_in import page_path
from pipeline.desk.sheets.unfiled_pages import LateArrival
from pipeline.ink import page_in_words
from pipeline.interpret.doubts import Because, WordMatch
from pipeline.interpret.tokens import FROM_OR_ROME
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.parts import SheetDecision as S
from pipeline.ledger.parts import Source, board_name
from pipeline.orders import Disband, Order, Waive, write
from pipeline.problems import Weight
from pipeline.reading.recogniser import Tray
from pipeline.rules.rulings_book import INK
from pipeline.web.acts import KEYED_IN, Do, pages_like
from pipeline.web.keyboard import SIGNS, TRAYS, say_order
from pipeline.web.office import Office
from pipeline.web.on_pages import name_powers, say_on_page, texts_on_page
from pipeline.web.sheet_pictures import (
    lines_in_picture,
    picture_url,
    picture_view,
    scan_in_words,
    scan_pictures,
    sheet_picture,
)
from pipeline.words.speech import Message, sentences, write_count

GLUED_UNIT = re.compile(r"\b([AF])([A-Z]{3})\b")

# What several views show: a turn, a row in one line, a sheet with the player's name covered.


def _turn_view(turn: Turn) -> dict[str, Any]:
    return {"board": turn.board, "phase": turn.phase.in_words, "power": turn.power.title(), "turn": str(turn)}


def source_shown(row: Row) -> Source:
    """Where an order comes from, for people: what was keyed in without a sheet is no ruling."""
    is_keyed = row.ruling is not None and row.ruling.decision.why == KEYED_IN
    return Source.TYPED if is_keyed else row.source


def _brief(office: Office, row: Row) -> dict[str, Any]:
    return {
        "line": row.line,
        "ink": _space_units(office, " / ".join(scan.line.text or "–" for scan in row.scans) or row.ink),
        "order": write(row.order) if row.order else None,
        "words": say_order(row.order, office.event.board) if row.order else "no order",
        "source": str(source_shown(row)),
        "sign": SIGNS[source_shown(row)],
        "why": row.reason if row.order is None else "",
    }


def _space_units(office: Office, text: str) -> str:
    """A line as it is shown, a unit's sign apart from its province: "A MUN - BUR" of "AMUN - BUR".

    The reader knows no province: it parts what was written apart. "FROM" is no fleet in Rome.
    """
    known = office.event.board.provinces

    def part(glued: re.Match[str]) -> str:
        return f"{glued[1]} {glued[2]}" if glued[2] in known and glued[0].lower() != FROM_OR_ROME else glued[0]

    return GLUED_UNIT.sub(part, text)


def _quotes_of(office: Office, settings: Iterable[str]) -> list[dict[str, str]]:
    """What the tournament's rules say under settings, each with its number; nothing for a doubt of the reader."""
    return [{"rule": cited.rule, "text": cited.text} for cited in office.event.tournament.quotes(settings)]


# A board on the page: in the strip, before it is published, and when retreats or adjustments are keyed in.

VIEWS: WhileUntouched[dict[str, Any]] = WhileUntouched()


def _units_to_decide(office: Office, game: Game, turn: Turn) -> list[dict[str, Any]]:
    """One power's units to decide on."""
    orders = legal_orders(game.map, game.position, turn.power, office.event.tournament.rulebook)
    power = turn.power.title()
    if game.position.phase.step is Step.RETREATS:
        own = [d for d in game.position.dislodged if d.power is turn.power]
        return [
            {
                "power": power,
                "turn": str(turn),
                "what": f"{d.unit} dislodged by an attack from {d.by}",
                "options": _options(office, [o for o in orders if not isinstance(o, Waive) and o.unit == d.unit]),
            }
            for d in own
        ]
    count = entitlements(game.map, game.position).get(turn.power, 0)
    word = "build" if count > 0 else "disband"
    return [
        {
            "power": power,
            "turn": str(turn),
            "what": f"{word} {n + 1} of {abs(count)}",
            "options": _options(office, orders),
        }
        for n in range(abs(count))
    ]


def _options(office: Office, orders: Iterable[Order]) -> list[dict[str, str]]:
    """Orders with the key of each: digits, ``D`` for the one disband among retreats, ``W`` for a waived build."""
    orders = tuple(orders)
    leaving = [order for order in orders if isinstance(order, Disband)]
    options, number = [], 0
    for order in orders:
        if isinstance(order, Waive):
            key = "W"
        elif isinstance(order, Disband) and len(leaving) == 1 < len(orders):
            key = "D"
        else:
            number += 1
            key = str(number)
        options.append({"key": key, "order": write(order), "words": say_order(order, office.event.board)})
    return options


def _ready_view(office: Office, ready: queue.Ready) -> dict[str, Any]:
    """A board ready to publish: every row in the order in which it is read aloud, with the source of each."""
    game = office.live.games[ready.board]
    order = reading_order(office.event, game, ready.phase, tuple(power.power for power in ready.powers))
    by_power = {power.power: power for power in ready.powers}
    return {
        "kind": "ready",
        "board": ready.board,
        "phase": ready.phase.in_words,
        "power": "",
        "powers": [_power_view(office, by_power[power]) for power in order],
    }


def _power_view(office: Office, power: PowerRows) -> dict[str, Any]:
    """One power of a board that is ready to publish."""
    return {
        "power": power.power.title(),
        "state": str(power.state),
        "notes": texts_on_page(power.problems),
        "rows": [_brief(office, row) for row in power.rows],
    }


def board_view(office: Office, game: Game, *, is_own: bool) -> dict[str, Any]:
    """One board in the strip on top."""
    return VIEWS.of(office.live, game.name, lambda: _board_anew(office, game)) | {"own": is_own}


def _board_anew(office: Office, game: Game) -> dict[str, Any]:
    """What `board_view` caches of a board: all that is the same for everybody."""
    powers = office.live.board(game)
    absent = [power.power for power in powers if power.state is SheetState.MISSING]
    without = [power.power for power in powers if power.state is SheetState.NO_ORDERS]
    left = seats_left(office.event, game, powers)
    waiting = sum(row.needs_director for power in powers for row in power.rows)
    too_early = ruled_before_read(office.event, game, powers)
    return {
        "board": game.name,
        "phase": game.position.phase.in_words,
        "ended": game.ending,
        "over": over_words(office.event, game),
        "in": len(powers) - len(absent),
        "of": len(powers),
        "missing": [power.title() for power in absent],
        "awaited": len(office.live.powers_with_paper(game).intersection(absent)),
        "without": [power.title() for power in without],
        "open": waiting,
        "left": [f"{problem.where}: {say_on_page(problem.text)}" for problem in left],
        "too_early": [say_on_page(problem.text) for problem in too_early],
        "pages": len(held := office.live.holding(game)),
        "ready": bool(powers) and not (held or left or too_early) and not any(power.is_open for power in powers),
        "powers": [{"power": p.power.title(), "turn": f"{game.name} {game.position.phase} {p.power}"} for p in powers],
    }


def whole_board(office: Office, game: Game, *, is_own: bool, is_named: bool) -> dict[str, Any]:
    """One board with all its powers: who plays each (``is_named``), what is in of it, what waits."""
    phase = game.position.phase
    powers = [
        {
            "power": rows.power.title(),
            "turn": f"{game.name} {phase} {rows.power}",
            "player": game.seating.players[rows.power] if is_named else "",
            "state": str(rows.state),
            "in": rows.state is not SheetState.MISSING,
            "open": sum(row.needs_director for row in rows.rows),
            "asks": sum(problem.weight is Weight.ASKS for problem in rows.problems),
        }
        for rows in ([] if is_own else office.live.board(game))
    ]
    return board_view(office, game, is_own=is_own) | {"powers": powers, "played": bool(game.played)}


def published_view(office: Office, game: Game) -> dict[str, Any]:
    """What was published last on a board, and what comes."""
    played = game.played[-1]
    card = f"{game.name}-{played.phase}-card.pdf"
    pictures = sorted(path.name for path in office.event.out.glob(f"{game.name}-{played.phase}-map.*"))
    return {
        "board": game.name,
        "phase": played.phase.in_words,
        "correct": correct_address(game.name, played.phase),
        "card": f"/out/{card}" if (office.event.out / card).is_file() else None,
        "maps": [f"/map/board/{game.name}", *(f"/out/{name}" for name in pictures)],
        "next": [name_powers(words) for words in next_phase_in_words(game.map, game.position)]
        if is_going_on(office.event, game)
        else [],
    }


# A row on the page: its picture, what it may mean and why, and what the rule says.

READINGS = 4  # that are shown of a row, likeliest first


def _row_view(office: Office, turn: Turn, row: Row | None, doubt: queue.ReviewItem | None) -> dict[str, Any]:
    """Show a row: its picture, what it may mean and why, and what the rule says."""
    assert row is not None
    board, game = office.event.board, office.live.games[turn.board]
    book = office.rulings_book()
    situation = situation_of(row)
    alike = book.like(situation) if situation.switch != INK else ()  # what the reader was not sure of is no other case
    earlier = [*book.on(situation), *alike]
    unimportant = doubt is not None and office.makes_no_difference(doubt, queue.claim_name(doubt))
    return {
        **_turn_view(turn),
        "kind": "row",
        "line": row.line,
        "unit": str(unit_of_row(office.live.desk, game, turn, row) or ""),
        "ink": _space_units(office, row.ink),
        "read": row.ink,  # as it is, to be typed on
        "readings": [r.text for r in each_once(row.readings)[:READINGS]],
        "status": row.status,
        "why": row.reason,
        "flags": [flag.replace("_", " ").lower() for flag in row.flags] if row.line else [],
        "rule": row.rule,
        "quotes": _quotes_of(office, row.settings),
        "order": write(row.order) if row.order else None,
        "words": say_order(row.order, board) if row.order else "no order",
        "source": str(row.source),
        "choices": [_choice_of(office, card) for card in queue.cards_of(office.live.desk, game, turn, row)],
        "enter": _rule_view(office, doubt),
        "no_effect": unimportant,
        "earlier": [
            {"decision": r.decision, "by": r.by, "when": r.when, "why": r.why, "asked": r.asked, "case": r.case}
            for r in earlier[:8]
        ],
        "picture": picture_url(row.crop),
        "scans": [
            {"words": scan_in_words(number, scan), "picture": picture_url(scan.crop)}
            for number, scan in enumerate(row.scans, start=1)
        ],
        "map": map_url(turn, row),
        "lines": lines_in_picture(office, turn, row),
        "sheet": sheet_picture(office, turn, row),
        "sheets": list(scan_pictures(office, turn, row)),
        "rows": [_brief(office, each) for each in office.live.power(game, turn.power).rows],
    }


def _doubtful(why: Message) -> Message | None:
    """The reasons for an order, without words of which the meaning is clear."""
    if why.code is not Because.TAKEN:
        return why
    words = tuple(word for word in why.parts("words") if word["how"] is not WordMatch.LISTED)
    return Message.of(Because.TAKEN, words=words) if words else None


def _choice_of(office: Office, card: queue.AnswerCard) -> dict[str, str]:
    decision = card.decision
    do = Do.NOTHING if card.is_nothing else Do.ORDER if card.order is not None else Do.TEXT
    do = Do.SCAN if card.scan else do
    words = say_order(card.order, office.event.board) if card.order is not None else card.words
    why = sentences(filter(None, map(_doubtful, card.because))) or card.reason
    return {
        "key": card.key,
        "do": do,
        "value": str(card.scan or decision.text or (write(card.order) if card.order is not None else "")),
        "order": _space_units(office, card.title),
        "words": f"{card.condition}: {words}" if card.condition else words,
        "why": ("✗ impossible here: " if card.is_impossible else "") + why,
    }


def _rule_view(office: Office, doubt: queue.ReviewItem | None) -> dict[str, Any] | None:
    """What Enter takes; nothing where the rules leave it to the director."""
    if doubt is None or doubt.row is None or doubt.by_rule is None:
        return None
    order = doubt.row.order
    default = sentences(doubt.row.because[1:]) if doubt.row.line == 0 else ""
    words = say_order(order, office.event.board) if order else default or "no order stands on this row"
    return {"order": "no order" if doubt.by_rule == NOTHING else doubt.by_rule, "words": words, "rule": doubt.row.rule}


def map_url(turn: Turn, row: Row) -> str | None:
    """Where the map with a row's readings is; another row, or the same with other readings, has another address."""
    return f"/map/row?turn={quote(str(turn))}&line={row.line}&of={readings_mark(row)}" if row.candidates else None


def readings_mark(row: Row) -> str:
    """A fingerprint of a row's readings: it tells apart two rows of one line, whose numbers are the same."""
    return hashlib.blake2b(repr(row.candidates).encode(), digest_size=6).hexdigest()


# A doubt about a whole sheet, and a page whose sheet is not known, with the keys that settle them.

SHEET_KEYS = (  # what a person may say of a whole sheet, by key
    ("A", S.ACCEPTED, "accept it as it is"),
    ("W", S.ALL_UNSIGNED, "not signed: accept it, and all others without a signature"),
    ("N", S.NO_ORDERS, "there are no orders, and nothing will come"),
    ("R", S.REFUSED, "refuse it: its orders do not count"),
    ("L", S.LATE, "it came late: the tournament's rule applies"),
    ("H", S.LATE_READING, "it came late, and reading had begun"),
    ("D", S.LATE_DEMANDED, "it came late, and had been demanded"),
    ("F", S.FOREIGN, "it is on other paper than the supplied sheet: the tournament's rule applies"),
    ("J", S.JOINT, "it holds joint orders of several powers: the tournament's rule applies"),
    ("V", S.PROXY, "its orders are for later seasons or another's units: the tournament's rule applies"),
)
ON_UNSIGNED = (S.ACCEPTED, S.ALL_UNSIGNED, S.REFUSED)  # what a missing signature may mean; the rest is folded then
ON_CHANGED = (S.ACCEPTED, S.REFUSED)  # where the position or the seat is another since
CHANGED = (SheetReason.OTHER_POSITION, SheetReason.SEAT_CHANGED)
ASIDE = {"key": "X", "do": Do.ASIDE, "value": "", "order": "put aside", "words": "it needs nothing more", "why": ""}


def _sheet_doubt(office: Office, doubt: queue.ReviewItem) -> dict[str, Any]:
    """Show a doubt about a whole sheet, with the keys that settle it."""
    sheets = office.live.sheets(doubt.turn)
    power = office.live.power(office.live.games[doubt.turn.board], doubt.turn.power)
    choices = [
        {
            "key": key,
            "do": Do.CHOOSE_SHEET,
            "value": sheet.serial,
            "order": f"sheet {sheet.printed.request.id}",
            "words": " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty",
            "why": "this one counts",
        }
        for key, sheet in zip(queue.DIGITS, sheets if power.state is SheetState.TWO else (), strict=False)
    ]
    is_missing = power.state is SheetState.MISSING
    is_unsigned = "conduct.unsigned" in doubt.settings
    likely = ON_UNSIGNED if is_unsigned else ON_CHANGED if _is_on_changed(doubt) else None
    choices += [
        {"key": key, "do": Do.SHEET, "value": str(decision), "order": str(decision), "words": words, "why": ""}
        | ({"seldom": True} if likely and decision not in likely else {})
        for key, decision, words in SHEET_KEYS
        if (decision is S.NO_ORDERS) == is_missing
    ]
    return {
        **_turn_view(doubt.turn),
        "kind": "sheet",
        "unsigned": is_unsigned,
        "state": str(power.state),
        "why": say_on_page(doubt.problem.text) if doubt.problem else "",
        "quotes": _quotes_of(office, doubt.settings),
        "choices": choices,
        "sheet": sheet_picture(office, doubt.turn, None),
        "sheets": [
            picture_view(s, is_about_signature=any(s.scans[-1].signed is False for s in sheets)) for s in sheets
        ],
        "rows": [_brief(office, row) for row in power.rows],
    }


def _is_on_changed(doubt: queue.ReviewItem) -> bool:
    """Whether a sheet is asked about because of the position, or of who sits there, and not because of what it is."""
    problem = doubt.problem
    return isinstance(problem, SheetDoubt) and any(each.code in CHANGED for each in problem.because)


def _stray_view(office: Office, page: queue.StrayPage) -> dict[str, Any]:
    """Show an unidentified page, and the sheets it may be."""
    read = page.fact.said
    known = office.live.papers.printed if read.tray in (Tray.DOUBTFUL, Tray.UNIDENTIFIED) else {}
    offers = [offer for offer in read.offers or () if offer in known]
    choices = []
    for key, offer in zip(queue.DIGITS, offers, strict=False):
        request = known[offer].request
        words = f"board {board_name(request.round, request.board)} {request.power.title()}, {request.occasion}"
        choices.append({"key": key, "do": Do.IDENTIFY, "value": offer, "order": words, "words": offer, "why": ""})
    path = page_path(*read.place)
    return {
        "kind": "page",
        "title": "Whose sheet is this page?" if known else "This page is no order sheet of this event",
        "board": "",
        "phase": page.name,
        "power": page_in_words(read.page),
        "why": say_on_page(f"{TRAYS[read.tray]}: {read.text}"),
        "choices": [*choices, ASIDE, *_asides(office, page)],
        "sheet": {"url": picture_url(path), "box": None} if (office.event.folder / path).is_file() else None,
    }


def _asides(office: Office, page: queue.StrayPage) -> Iterator[dict[str, Any]]:
    """The keys that put many pages aside, where there are many: those of one file, those of one tray."""
    before = 1
    alike = f"like this one ({TRAYS[page.fact.said.tray]})"
    for key, how, words in (("F", "file", "of this file for which no sheet is offered"), ("A", "kind", alike)):
        if (count := len(pages_like(office.live, page, how))) > before:
            order = f"put {write_count(count, 'page')} aside"
            yield ASIDE | {"key": key, "value": how, "order": order, "words": f"all {words}"}
            before = count


def _late_view(office: Office, late: LateArrival) -> dict[str, Any]:
    """Show an unexpected sheet; of a phase that is published with the link to correct it."""
    turn, game = late.turn, office.live.games[late.turn.board]
    is_published = any(played.phase == turn.phase for played in game.played_since_set)
    return {
        "correct": correct_address(turn.board, turn.phase, turn.power) if is_published else None,
        "kind": "page",
        "title": "A sheet that is not expected now",
        "board": late.turn.board,
        "phase": late.turn.phase.in_words,
        "power": late.turn.power.title(),
        "why": say_on_page(f"{late.sheet}: {late.problem.text}"),
        "choices": [ASIDE],
        "sheet": {"url": picture_url(page_path(*late.pages[0])), "box": None},
    }


def item_view(office: Office, item: queue.QueueItem) -> dict[str, Any]:
    match item:
        case queue.ReviewItem(row=None):
            view = _sheet_doubt(office, item)
        case queue.ReviewItem(turn, row, _):
            view = _row_view(office, turn, row, item)
        case queue.Check(turn, row):
            view = {**_row_view(office, turn, row, None), "kind": "check"}
        case queue.StrayPage():
            view = _stray_view(office, item)
        case LateArrival():
            view = _late_view(office, item)
        case queue.UnwrittenPhase():
            game = office.live.games[item.board]
            slots = [slot for turn in item.turns for slot in _units_to_decide(office, game, turn)]
            view = {"kind": "entry", "board": item.board, "phase": item.phase.in_words, "power": "", "slots": slots}
        case _:
            view = _ready_view(office, item)
    return {**view, "name": queue.claim_name(item), "token": queue.item_fingerprint(office.live, item)}
