"""A row on the page: its picture, what it may mean and why, and what the rule says."""

import hashlib
from typing import Any
from urllib.parse import quote

from pipeline.desk.event.turn import Turn
from pipeline.desk.review.agenda import claim_name
from pipeline.desk.review.cards import AnswerCard, cards_of
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.review.queue import ReviewItem
from pipeline.desk.review.unit_of_row import unit_of_row
from pipeline.desk.ruling.precedents import situation_of
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING
from pipeline.interpret.doubts.because import Because
from pipeline.interpret.doubts.sense import WordMatch
from pipeline.orders.notation import write
from pipeline.web.office.office import Office
from pipeline.web.review.acts import Do
from pipeline.web.review.view_parts import brief, picture_url, quotes_of, sheet_picture, turn_view
from pipeline.web.review.words import flag_in_words, in_words
from pipeline.words import Told, sentences

READINGS = 4  # that are shown of a row, likeliest first


def row_view(office: Office, turn: Turn, row: Row | None, doubt: ReviewItem | None) -> dict[str, Any]:
    """Show a row: its picture, what it may mean and why, and what the rule says."""
    assert row is not None
    board = office.event.board
    book = office.rulings_book()
    situation = situation_of(row)
    earlier = [*book.on(situation), *book.like(situation)]
    unimportant = doubt is not None and office.makes_no_difference(doubt, claim_name(doubt))
    return {
        **turn_view(turn),
        "kind": "row",
        "line": row.line,
        "unit": str(unit_of_row(office.live.desk, office.live.games[turn.board], turn, row) or ""),
        "ink": row.ink,
        "readings": [r.text for r in each_once(row.readings)[:READINGS]],
        "status": row.status,
        "why": row.reason,
        "flags": [flag_in_words(flag) for flag in row.flags] if row.line else [],
        "rule": row.rule,
        "quotes": quotes_of(office, row.settings),
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


def doubtful(why: Told) -> Told | None:
    """What speaks for an order, without the words that nobody doubts."""
    if why.code is not Because.TAKEN:
        return why
    words = tuple(word for word in why.parts("words") if word["how"] is not WordMatch.LISTED)
    return Told.of(Because.TAKEN, words=words) if words else None


def choices_of(office: Office, turn: Turn, row: Row) -> list[dict[str, str]]:
    """What a digit chooses, what is written first."""
    return [choice_of(office, card) for card in cards_of(office.event, office.live.games[turn.board], turn, row)]


def choice_of(office: Office, card: AnswerCard) -> dict[str, str]:
    """Show one card."""
    decision = card.decision
    do = Do.NOTHING if card.is_nothing else Do.ORDER if card.order is not None else Do.TEXT
    words = in_words(card.order, office.event.board) if card.order is not None else card.words
    why = sentences(filter(None, map(doubtful, card.because))) or card.reason
    return {
        "key": card.key,
        "do": do,
        "value": decision.text or (write(card.order) if card.order is not None else ""),
        "order": card.title,
        "words": f"{card.condition}: {words}" if card.condition else words,
        "why": ("✗ impossible here: " if card.is_impossible else "") + why,
    }


def rule_view(office: Office, doubt: ReviewItem | None) -> dict[str, Any] | None:
    """What Enter takes; nothing where the rules leave it to the director."""
    if doubt is None or doubt.row is None or doubt.by_rule is None:
        return None
    order = doubt.row.order
    default = sentences(doubt.row.because[1:]) if doubt.row.line == 0 else ""
    words = in_words(order, office.event.board) if order else default or "no order stands on this row"
    return {"order": "no order" if doubt.by_rule == NOTHING else doubt.by_rule, "words": words, "rule": doubt.row.rule}


def rows_of(office: Office, turn: Turn) -> tuple[Row, ...]:
    """All rows of a turn."""
    return office.live.power(office.live.games[turn.board], turn.power).rows


def map_url(turn: Turn, row: Row) -> str | None:
    """Where the map with a row's readings is; another row, or the same with other readings, has another address."""
    if not row.candidates:
        return None
    shown = hashlib.blake2b(repr(row.candidates).encode(), digest_size=6).hexdigest()
    return f"/map/row?turn={quote(str(turn))}&line={row.line}&of={shown}"
