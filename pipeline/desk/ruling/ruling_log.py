"""Everything that was decided, read back from the facts and sorted by turn."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.print.old_seats import OldSeats
from pipeline.desk.ruling.open_questions import NOTHING_LEFT, LeftOpen
from pipeline.desk.ruling.ruling_basis import Ground
from pipeline.desk.ruling.rulings import (
    KINDS,
    RowDecision,
    RowRuling,
    RulingsOf,
    SheetDecision,
    SheetRuling,
    TypedLines,
)
from pipeline.desk.sheets.old_sentences import lacks_of, situation_of
from pipeline.interpret.doubts import Doubt, Found
from pipeline.ledger.facts import Fact
from pipeline.rules.rulings_book import Situation


def all_rulings(event: Event) -> dict[Turn, RulingsOf]:
    """Gather all decisions by turn; what was undone is left out, and what was on seats that were drawn anew since."""
    seats = OldSeats.of(event)
    return gather(tuple(fact for fact in event.facts.read() if fact.kind in KINDS and seats.counts(fact)))


def gather(facts: Sequence[Fact]) -> dict[Turn, RulingsOf]:
    """Sort facts of the `KINDS` by turn; what was undone is left out."""
    undone = {fact.body["fact"]: fact.number for fact in reversed(facts) if fact.kind == "ruling undone"}
    rows: dict[Turn, list[RowRuling]] = {}
    sheets: dict[Turn, SheetRuling] = {}
    typed: dict[Turn, TypedLines] = {}
    unsigned: dict[Turn, SheetRuling] = {}
    choices: dict[Turn, tuple[SheetRuling, ...]] = {}
    ever_typed: dict[Turn, list[Fact]] = {}
    for fact in facts:
        if fact.kind == "lines typed":
            ever_typed.setdefault(Turn.of_body(fact.body), []).append(fact)
        if fact.kind == "ruling undone" or fact.number in undone:
            continue
        turn = Turn.of_body(fact.body)
        match fact.kind:
            case "ruling":
                rows.setdefault(turn, []).append(read_row_ruling(fact))
            case "sheet ruling":
                sheets[turn] = read_sheet_ruling(fact, lines_lost(fact, ever_typed.get(turn, ()), undone))
                goes_on = sheets[turn].decision.may_leave_a_choice
                choices[turn] = (sheets[turn], *choices.get(turn, ())) if goes_on else ()
                if sheets[turn].decision.settles_unsigned:
                    unsigned[turn] = sheets[turn]
            case _:
                typed[turn] = read_typed(fact)
                choices[turn] = ()
    return {
        turn: RulingsOf(
            rows=tuple(rows.get(turn, ())),
            sheet=sheets.get(turn),
            typed=typed.get(turn),
            choices=choices.get(turn, ()),
            unsigned=unsigned.get(turn),
        )
        for turn in dict.fromkeys([*rows, *sheets, *typed])
    }


def lines_lost(ruling: Fact, typed: Sequence[Fact], undone: Mapping[int, int]) -> TypedLines | None:
    """The lines that stood when a sheet was ruled on, where they were taken back since.

    ``typed`` are all that were typed before it, ``undone`` says with which fact a fact was taken back.
    """
    if not SheetDecision(ruling.body["decision"]).depends_on_lines:
        return None
    stood = [fact for fact in typed if undone.get(fact.number, ruling.number) >= ruling.number]
    return read_typed(stood[-1]) if stood and stood[-1].number in undone else None


def read_typed(fact: Fact) -> TypedLines:
    """Read typed lines back."""
    return TypedLines(fact, tuple(fact.body["lines"]))


def read_sheet_ruling(fact: Fact, lost: TypedLines | None) -> SheetRuling:
    """Read a ruling on a sheet back."""
    body = fact.body
    return SheetRuling(fact, SheetDecision(body["decision"]), body["serial"], body["why"], asked_in(fact), lost)


def asked_in(fact: Fact) -> Situation | None:
    """What was asked when a ruling was made; None where it was made unasked."""
    asked = fact.body.get("asked")
    return situation_of(asked["doubt"], asked["switch"], asked["context"]) if asked else None


def read_lacks(body: Any) -> Found:
    """Read back what has no order; events of before there were codes have it as a sentence."""
    return Found.of_body(Doubt, body) if isinstance(body, dict) else lacks_of(body)


def asked_lacks(fact: Fact) -> Found | None:
    """What had no order, where a ruling was made on that."""
    asked = fact.body.get("asked", {})
    if "lacks" in asked:
        return read_lacks(asked["lacks"])
    return lacks_of(asked["words"]) if "words" in asked and fact.body.get("line") == 0 else None


def read_row_ruling(fact: Fact) -> RowRuling:
    """Read a ruling back."""
    body = fact.body
    decision = RowDecision(
        order=body.get("order"),
        text=body.get("text"),
        why=body["why"],
        without=tuple(map(read_lacks, body["without"])),
        left=LeftOpen.of_body(body["left"]) if "left" in body else NOTHING_LEFT,
    )
    return RowRuling(fact, body["line"], decision, Ground.of_body(body["on"]) if "on" in body else None)
