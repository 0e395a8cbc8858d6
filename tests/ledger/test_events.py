"""Every kind of fact is read as it was written, and what nobody knows is not guessed."""

import json
from collections.abc import Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from facts_as_kept import append_fact
from msgspec import NODEFAULT, UNSET, Struct, ValidationError
from msgspec.structs import fields, replace

import pipeline.draw
import pipeline.journal
import pipeline.ledger
from pipeline.board import Phase, Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import _with_people
from pipeline.draw.roster import Player, Who
from pipeline.ink import InkLine, Note, Noted, NoteMessage, PictureFault, PictureMessage, Transcription
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.ledger.events import (
    KINDS,
    DecisionUndone,
    EventRestored,
    LedgerEvent,
    LinesTyped,
    LotDrawn,
    LotSealed,
    PhasePublished,
    ResultEntered,
    RollCalled,
    RowRuled,
    Seated,
    SheetRuled,
    SpotChecked,
    TeamEntered,
)
from pipeline.ledger.ledger import Fact, Ledger, UpToNow, _read_text, body_of, standing, still_counting, undone_in
from pipeline.ledger.parts import DrawRecord, Question, RulingBasis
from pipeline.paper.form import FormKind, FormRequest
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import Stopped

GOLDEN: Mapping[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
SPECIAL: Mapping[object, object] = {
    Phase: Phase.read("F1903R"),
    Noted: NoteMessage.of(Note.OUT_OF_RANGE, least=0, most=34),
    LineDoubt: LineDoubt.of(Doubt.NO_ORDER, unit="F EDI"),
    PictureMessage: PictureMessage.of(PictureFault.MARKERS_LOST, lost=2),
    Any: 7,
    Who: 12,
    str: "a word",
    int: 3,
    float: 1.5,
    bool: True,
}

ODD: Mapping[object, dict[str, Any]] = {
    ResultEntered: {"ended": "abandoned"},
    EventRestored: {"at": "2026-01-02T09:00:00+00:00"},
    DrawRecord: {"points": {"12": (3, 3)}},
    SheetRequest: {"event": "", "token": ""},  # what the fact says once
    FormRequest: {"event": "", "token": ""},
    InkLine: {"tails_read": UNSET},  # what an engine says, and no fact keeps
    Player: {each.name: each.default for each in fields(Player)[6:]},  # what is never said of somebody who came later
}


def clock() -> str:
    return "2026-01-02T09:00:00+00:00"


def sample(hint: Any) -> Any:
    """Something of a type that is not what a field says by default."""
    if hint in SPECIAL:
        return SPECIAL[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return sample(next(each for each in inside if each is not NoneType))
    if origin is tuple:
        return tuple(sample(each) for each in inside if each is not Ellipsis)
    if origin is frozenset:
        return frozenset({sample(inside[0])})
    if origin is not None and issubclass(origin, Mapping):
        return {sample(inside[0]): sample(inside[1])}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return list(hint)[-1]
    assert isinstance(hint, type) and issubclass(hint, Struct), hint
    return full(hint)


def full(kind: Any) -> Any:
    """One of a class that says everything that it can say."""
    hints = get_type_hints(kind)
    said = {each.name: sample(hints[each.name]) for each in fields(kind)}
    return kind(**said | ODD.get(kind, {}))


def scant(kind: Any) -> Any:
    """One of a class that says no more than it must."""
    said = full(kind)
    body = {key: value for key, value in body_of(said).items() if key in must_say(kind)}
    return _read_text(kind, json.dumps(body))


def must_say(kind: Any) -> set[str]:
    """The keys without which nothing of a class can be read."""
    body = body_of(full(kind))
    found = set()
    for key in body:
        try:
            _read_text(kind, json.dumps({name: value for name, value in body.items() if name != key}))
        except ValidationError:
            found.add(key)
    return found


def test_a_printed_sheet_or_form_leaves_out_nothing_but_what_its_fact_says_once() -> None:
    sheet = SheetRequest(
        serial=1, title="Cup", round=1, board="1", slot=0, power=Power.ITALY, phase=Phase.read("S1901M")
    )
    form = FormRequest(serial=1, kind=FormKind.VOTE, title="Cup", about="", lists={})
    assert set(body_of(full(SheetRequest))) - set(body_of(sheet)) == {"live", "pool"}
    assert set(body_of(full(FormRequest))) == set(body_of(form))


def test_each_kind_says_who_writes_it() -> None:
    assert len(KINDS) > 40
    for kind in KINDS.values():
        assert kind.__doc__ and kind.WRITERS, kind


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_is_read_as_it_was_written(kind: type[LedgerEvent]) -> None:
    for said in (full(kind), scant(kind)):
        body = json.loads(json.dumps(body_of(said)))
        assert _read_text(kind, json.dumps(body)) == said
        assert body_of(_read_text(kind, json.dumps(body))) == body_of(said)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_is_written_byte_for_byte_as_in_the_golden_file(kind: type[LedgerEvent]) -> None:
    """Once with all that it may say, and once with no more than it must."""
    assert _read_text(kind, json.dumps(GOLDEN[kind.KIND][0])) == full(kind)
    for line in GOLDEN[kind.KIND]:
        assert json.dumps(body_of(_read_text(kind, json.dumps(line)))) == json.dumps(line)


def test_the_same_is_written_the_same_in_whatever_order_it_was_put_together() -> None:
    ticks, orders = "qwertzuiop", {power: (power.title(),) for power in Power}
    one, other = (
        replace(full(PhasePublished), orders=dict(pairs), rows={power: () for power, _ in pairs})
        for pairs in ([*orders.items()], [*orders.items()][::-1])
    )
    assert json.dumps(body_of(one)) == json.dumps(body_of(other))
    read: Transcription = full(Transcription)
    assert body_of(replace(read, ticks=frozenset(ticks)))["ticks"] == sorted(ticks)


def test_the_golden_file_has_every_kind_and_no_other() -> None:
    assert list(GOLDEN) == list(KINDS)


def test_nothing_is_written_of_what_there_is_nothing_to_say_about() -> None:
    body = body_of(
        RowRuled(
            board="1.1", phase=Phase.read("S1901M"), power=Power.AUSTRIA, line=2, why="", without=(), order="A VIE H"
        )
    )
    assert body.keys() == {"board", "phase", "power", "line", "why", "without", "order"}
    asked = Question(doubt="WORD_ORDER", switch="reading.order", context="")
    assert body_of(asked) == {"doubt": "WORD_ORDER", "switch": "reading.order", "context": ""}
    assert body_of(RulingBasis(sheet=7, scans=(3,))) == {"sheet": 7, "scans": [3]}


def test_what_a_fact_does_not_say_is_nothing() -> None:
    """A fact of an older program lacks what newer ones say: where a default were something, it would say that."""
    kinds: list[Any] = [*KINDS.values()]
    for kind in kinds:
        for each in fields(kind):
            if each.default is not NODEFAULT:
                assert not each.default, (kind.KIND, each.name)
        never_said = [name for name in kind.__annotations__ if name.islower() and name not in kind.__struct_fields__]
        assert not any(getattr(kind, name) for name in never_said), kind.KIND


def test_a_kind_that_nobody_knows_stops_whoever_reads_everything(tmp_path: Path) -> None:
    make_event_folder(tmp_path / "cup", Details(name="Cup", code="TEST", tournament="weaselmoot"), (), clock)
    with open_event(tmp_path / "cup", clock) as event:
        append_fact(event.facts, "weather noted", {"rain": True}, "Tess")
        with pytest.raises(Stopped, match=r"of the journal \(weather noted\) says what this version does not know"):
            list(event.facts.everything())


def test_a_code_that_nobody_knows_stops_with_the_fact_and_what_to_do(tmp_path: Path) -> None:
    with Ledger(tmp_path / "event.db", clock) as ledger:
        body = body_of(full(SheetRuled)) | {"decision": "eaten by the dog"}
        append_fact(ledger, "sheet ruling", body, "Tess")
        text = r"number 1 .*\(sheet ruling\) says what this version does not know .*eaten by the dog.*; use"
        with pytest.raises(Stopped, match=text):
            list(ledger.select(SheetRuled))
        assert list(ledger.select(RowRuled)) == []


def test_a_damaged_fact_stops_also_who_asks_for_others(tmp_path: Path) -> None:
    with Ledger(tmp_path / "event.db", clock) as ledger:
        ledger.write(full(RowRuled), "Tess")
        ledger.write(full(SpotChecked), "Tess")
        ledger.connection.execute("DROP TRIGGER facts_never_change")
        ledger.connection.execute("UPDATE facts SET by = 'Bob' WHERE id = 2")
    with Ledger(tmp_path / "event.db", clock) as ledger:
        for _ in range(2):  # and again, as often as somebody asks
            with pytest.raises(Stopped, match=r"number 2 of the journal \(spot check\) is not what was written down"):
                list(ledger.select(RowRuled))


def test_the_next_fact_of_a_kind_is_found_after_one_that_was_rolled_back(tmp_path: Path) -> None:
    with Ledger(tmp_path / "event.db", clock) as ledger:
        with pytest.raises(ZeroDivisionError), ledger.transaction():
            ledger.write(full(RowRuled), "Tess")
            ledger.write(full(SpotChecked), "Tess")
            assert [fact.number for fact in ledger.select(RowRuled)] == [1]  # looked for up to fact 2, which will go
            raise ZeroDivisionError
        ledger.write(full(SpotChecked), "Tess")
        ledger.write(full(RowRuled), "Bob")
        assert [(fact.number, fact.by) for fact in ledger.select(RowRuled)] == [(2, "Bob")]
        assert [fact.number for fact in ledger.select(SpotChecked)] == [1]


def test_an_answer_holds_until_a_fact_of_a_kind_that_was_read_for_it_comes(tmp_path: Path) -> None:
    checks: UpToNow[int] = UpToNow()
    on_rows: UpToNow[int] = UpToNow()
    everything: UpToNow[int] = UpToNow()
    asked: list[str] = []
    with Ledger(tmp_path / "event.db", clock) as ledger:

        def count(name: str, said: type[LedgerEvent]) -> int:
            asked.append(name)
            return len(list(ledger.select(said)))

        def count_checks() -> int:
            return checks.of(ledger, lambda: count("checks", SpotChecked))

        def answers() -> tuple[int, int, int, str]:
            asked.clear()
            both = on_rows.of(ledger, lambda: count("rows", RowRuled) + count_checks())
            return both, count_checks(), everything.of(ledger, lambda: count("all", LedgerEvent)), " ".join(asked)

        assert answers() == (0, 0, 0, "rows checks all")
        assert answers() == (0, 0, 0, "")
        ledger.write(full(RowRuled), "Tess")
        assert answers() == (1, 0, 1, "rows all")
        ledger.write(full(SpotChecked), "Tess")
        assert answers() == (2, 1, 2, "rows checks all"), "an answer rests on what other answers rest on"
        with pytest.raises(ZeroDivisionError), ledger.transaction():
            ledger.write(full(RowRuled), "Tess")
            assert answers() == (3, 1, 3, "rows all")
            raise ZeroDivisionError
        assert answers() == (2, 1, 2, "rows checks all")


def test_what_is_taken_back_counts_no_more_and_what_was_made_again_does(tmp_path: Path) -> None:
    with Ledger(tmp_path / "event.db", clock) as ledger:
        first, second = ledger.write_all((full(RowRuled), full(SpotChecked)), "Tess")
        undoing = ledger.write(DecisionUndone(fact=first.number), "Tess")
        again = ledger.write(full(RowRuled), "Tess")
        assert [fact.number for fact in standing(ledger, RowRuled)] == [again.number]
        assert [fact.number for fact in standing(ledger, SpotChecked)] == [second.number]
        assert undone_in(ledger.everything()) == {first.number: undoing.number}
        assert [fact.number for fact in still_counting(ledger.everything())] == [second.number, again.number]


def test_several_are_written_together_or_none(tmp_path: Path) -> None:
    with Ledger(tmp_path / "event.db", clock) as ledger:
        with pytest.raises(Stopped, match="holds"):
            ledger.write_all((full(SpotChecked), LinesTyped(**turn(), lines=("A\x00B",))), "Tess")
        assert ledger.last_number() == 0


def turn() -> dict[str, Any]:
    said: RowRuled = full(RowRuled)
    return {"board": said.board, "phase": said.phase, "power": said.power}


@pytest.mark.parametrize("kind", [RollCalled, Seated, LotSealed, LotDrawn, TeamEntered])
def test_whoever_a_fact_names_can_be_named_otherwise(kind: Any) -> None:
    """Everybody whom a fact of the kind can name: in the golden file each is player 12."""
    told = json.dumps(body_of(full(kind)))
    named = json.dumps(body_of(_with_people(full(kind), lambda who: f"<{who}>", lambda number: f"<{number}>")))
    assert "12" in told
    assert named == told.replace('"12"', "12").replace("12", '"<12>"')


def test_a_fact_knows_whether_it_says_something_of_a_class() -> None:
    fact: Fact[LedgerEvent] = Fact(1, clock(), "Tess", full(RowRuled))
    assert fact.of(RowRuled) is fact
    assert fact.of(SheetRuled) is None


SAYS_MORE = {"Restored.is_new", "NotSeated.way", "Terms.size", "Terms.six"}  # what is said where nothing is written


@pytest.mark.parametrize("package", [pipeline.ledger, pipeline.draw, pipeline.journal], ids=lambda each: each.__name__)
def test_a_field_that_is_left_out_says_nothing(package: ModuleType) -> None:
    """What an older file lacks, or nobody knows, is no, none or nothing."""
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    kinds = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and Struct in kind.__mro__ and kind.__module__ == module.__name__
    ]
    for kind in kinds:
        for field in fields(kind):
            said = field.default if field.default_factory is NODEFAULT else field.default_factory()
            is_nothing = said is NODEFAULT or not said or (isinstance(said, Struct) and said == type(said)())
            assert is_nothing is (f"{kind.__name__}.{field.name}" not in SAYS_MORE), (kind, field.name)
