"""Every fact is one line of the journal: no kind has been forgotten, and no secret is told."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from desk.cup import clock, hand_in_all, spring
from desk.test_no_sentence_decides import TOURNAMENTS, kept_event
from ledger.test_events import full
from msgspec import Struct
from msgspec.structs import fields, replace

from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import games
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.journal.acts import undo_fact
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.consequences import FOLLOWED
from pipeline.journal.dependencies import RESTS, STAYS
from pipeline.journal.happened import TELLERS, Happened, describe_fact
from pipeline.journal.lines import _is_one_act, journal
from pipeline.journal.undo_codes import OVERRULABLE, Dependency, UndoState
from pipeline.ledger import events
from pipeline.ledger.events import KINDS, LedgerEvent, PhasePublished, RowRuled
from pipeline.ledger.ledger import Fact
from pipeline.problems import Stopped
from pipeline.words.speech import sentence

ALL = set(KINDS.values())


def test_every_kind_of_fact_has_its_words() -> None:
    assert set(TELLERS) == ALL


def test_every_kind_of_fact_can_be_taken_back_or_says_why_not() -> None:
    assert set(RESTS) | set(STAYS) == ALL
    assert set(RESTS) & set(STAYS) == set()
    assert set(FOLLOWED) <= ALL
    assert set(Dependency) > OVERRULABLE


def test_a_journal_says_when_who_and_what_of_every_fact(cup: Event) -> None:
    print_round(cup, 1)
    hand_in_all(cup)
    typed = type_lines(cup, spring(Power.ITALY), ["A VEN H", "A ROM H", "F NAP H"], by="Ann").number
    publish(cup, "1", "Tess")
    lines = journal(cup)
    assert [line.fact.number for line in lines] == list(range(1, cup.facts.last_number() + 1))
    drawn = next(line for line in lines if line.what.code is Happened.SEATED)
    assert [str(told.code) for told in drawn.followed] == ["PRINTED"]
    assert [line.fact.number for line in journal(cup, by="ann")] == [typed]
    assert [line.fact.number for line in journal(cup, since=typed)] == list(range(typed + 1, len(lines) + 1))
    assert {board for line in journal(cup, board="1.1") for board in line.boards} == {"1.1"}
    assert journal(cup, board="2.1") == ()
    numbers = [[line.fact.number for line in journal(cup, before=typed, most=most)] for most in (None, 1, 2)]
    assert numbers == [[*range(1, typed)], [typed - 1], [typed - 2, typed - 1]]
    told = next(line for line in lines if line.fact.number == typed).as_json()
    assert (told["by"], told["boards"], told["standing"]) == ("Ann", ["1.1"], "asks")


ALONE: Mapping[type[LedgerEvent], str] = {  # what holds a fact, or is asked about it, though nothing else happened
    events.SettingsChanged: "OF_RULES",
    events.PlayerAdded: "IN_FILE",
    events.PlayerRenamed: "IN_FILE",
    events.GameEnded: "COUNTS_NO_MORE",
    events.ResultEntered: "COUNTS_NO_MORE",
    events.PhasePublished: "SEEN",
    events.StandingsOpened: "SEEN",
    events.ResultsPublished: "SEEN",
    events.SeatsTold: "SEEN",
}


def test_a_fact_about_what_is_not_there_has_its_line_and_nothing_rests_on_it(cup: Event) -> None:
    for kind in KINDS.values():
        if kind in (events.SheetsPrinted, events.PositionSet):
            continue  # a template and a position are always read
        whole = full(kind)
        away = {name: value for name, value in (("board", "9.9"), ("fact", 1)) if hasattr(whole, name)}
        with cup.facts.trial():
            number = cup.facts.write(replace(whole, **away), "Tess").number
            line = journal(cup)[-1]
            assert (line.fact.number, line.followed) == (number, ())
            assert [str(told.code) for told in line.rests] == [*filter(None, [ALONE.get(kind)])], kind
            assert sentence(line.what)


@pytest.fixture(params=TOURNAMENTS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Event]:
    with open_event(kept_event(request.param, tmp_path / "event"), clock) as event:
        yield event


def test_facts_of_a_whole_event_have_their_lines(kept: Event) -> None:
    lines = journal(kept)
    assert [line.fact.number for line in lines] == [fact.number for fact in kept.facts.everything()]
    assert all(sentence(line.what) for line in lines)


@pytest.mark.slow
def test_undo_does_what_the_journal_said_of_facts_of_a_whole_event(kept: Event) -> None:
    """From the newest to the oldest: what is open goes, what is held stays, and what is left can still be read."""
    done: Counter[UndoState] = Counter()
    for number in range(kept.facts.last_number(), 0, -1):
        (line,) = (each for each in journal(kept, since=number - 1) if each.fact.number == number)
        done[line.standing] += 1
        if line.standing in (UndoState.OPEN, UndoState.ASKS):
            undo_fact(kept, number, by="Tess", why="all of it")
            assert next(each for each in journal(kept, since=number - 1)).standing is UndoState.TAKEN_BACK
        else:
            with pytest.raises(Stopped):
                undo_fact(kept, number, by="Tess", why="all of it")
    assert {UndoState.OPEN, UndoState.STAYS} <= set(done)
    assert not any(game.played for game in games(kept).values()) or done[UndoState.HELD]


def test_every_sentence_of_the_journal_is_told_of_some_fact(cup: Event) -> None:
    """A fact with everything that it can say, and with each part of that left out or turned."""
    past, told = Chronicle.of(cup), set[str]()
    for kind in KINDS.values():
        whole = full(kind)
        for name in ("", *(field.name for field in fields(cast(type[Struct], kind)))):
            for value in (None, 0, "", False, True, ()) if name else (None,):
                try:  # no fact has all of these
                    said = replace(whole, **{name: value} if name else {})
                    message = describe_fact(Fact(999, "2026-01-02T09:00:00+00:00", "Tess", said), past)
                except (LookupError, TypeError, ValueError, AttributeError, Stopped):
                    continue
                told.add(str(message.code))
                if (
                    isinstance(getattr(whole, name, None), bool)
                    and isinstance(value, bool)
                    and message.code is not Happened.TAKEN_BACK
                ):
                    assert str(getattr(said, "board", "")) in sentence(message)
    needs_an_event_of_its_own = {"VOTE_HELD", "POSITION_SET", "SETTINGS_CHANGED", "SEATED"}
    assert {*map(str, Happened)} - told == needs_an_event_of_its_own


BOOKKEEPING = {  # what files, draws and sheets are known by, and what is told elsewhere
    "sha256", "path", "hash", "seed", "names", "token", "template", "again", "first", "form", "overruled", "serial",
    "asked", "phase", "elapsed", "why",
}  # fmt: skip
UNTOLD = {
    "PlayersNumbered": "settings", "PlayerAdded": "player", "PlayerRenamed": "player", "Seated": "draw",
    "LotSealed": "about word order", "LotDrawn": "about among", "PlayerNoted": "name field was",
    "PageRead": "corners offers transcription warnings timing text", "RowRuled": "without text left on",
    "SpotChecked": "order", "PhasePublished": "orders results rows after", "EventRestored": "facts at first_serial",
    "EndUndone": "board", "VoteUndone": "board", "DiceCommitted": "year", "DiceRolled": "number year ends",
    "VoteHeld": "season asked_by yes no carried absent gone for_absent ballots", "ClockStarted": "parts",
    "ResultsPublished": "places",
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(KINDS.values(), key=str))
def test_a_line_tells_everything_that_its_fact_says(kind: Any, cup: Event) -> None:
    """What is said otherwise is told otherwise, but for what is listed."""
    past, whole = Chronicle.of(cup), full(kind)

    def tell(**changed: object) -> str:
        try:  # no fact has all of these
            said = replace(whole, **changed)
            return sentence(describe_fact(Fact(999, "2026-01-02T09:00:00+00:00", "Tess", said), past))
        except (LookupError, TypeError, ValueError, AttributeError, Stopped):
            return ""

    before = tell()
    if not before:
        assert kind.__name__ == "PositionSet", "which needs a position"
        return
    others: tuple[object, ...] = (None, "", (), {}, False, True, 0, 5, "solo", {1905: {}})
    silent = {field.name for field in fields(kind) if {tell(**{field.name: other}) for other in others} <= {before, ""}}
    assert silent - BOOKKEEPING == set(UNTOLD.get(kind.__name__, "").split())


@pytest.mark.parametrize(
    ("line", "order", "text", "code"),
    [
        (0, "A VEN H", None, Happened.UNIT_RULED),
        (0, None, None, Happened.UNIT_RULED),
        (1, "A VEN H", "A Ven holds", Happened.ROW_RULED),
        (1, None, "A Ven holds", Happened.ROW_READ),
        (1, None, None, Happened.ROW_READ),
    ],
)
def test_a_ruling_is_told_with_its_row_and_what_was_said(
    cup: Event, line: int, order: str | None, text: str | None, code: Happened
) -> None:
    said = replace(full(RowRuled), line=line, order=order, text=text)
    told = describe_fact(Fact(999, "2026-01-02T09:00:00+00:00", "Tess", said), Chronicle.of(cup))
    assert told.code is code
    assert (order or (text if line else None) or "") in sentence(told)
    assert "None" not in sentence(told)


def test_facts_are_one_correction_only_if_nothing_parts_them() -> None:
    at, phases = {"board": "1.1", "why": "misread"}, [Phase.read(text) for text in ("S1901M", "F1901M", "S1902M")]
    ruled = replace(full(RowRuled), **at, phase=phases[1])
    published, next_one = (replace(full(PhasePublished), **at, phase=phase) for phase in phases[1:])
    for one, other in ((ruled, ruled), (ruled, published), (published, next_one)):
        first, then = (
            Fact(number, f"2026-11-30T10:00:{seconds:02}", "Tess", said)
            for number, seconds, said in ((1, 0, one), (2, 10, other))
        )
        assert _is_one_act({1: first, 2: then}, 1, 2), (one, other)
        parts = [replace(other, **change) for change in ({"board": "1.2"}, {"why": "late"}, {"phase": phases[0]})]
        parted = [replace(then, said=said) for said in parts]
        parted += [replace(then, by="Gus"), replace(then, at="2026-11-30T10:00:11")]
        assert not [each for each in parted if _is_one_act({1: first, 2: each}, 1, 2)]
