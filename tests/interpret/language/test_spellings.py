"""What may be written for an order is read as that order, or stops because it may be another one too."""

from collections.abc import Iterator

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interpret.drawing import positions, read, retreats, tournament, tournaments, winters
from pipeline.board import Dislodged, Kind, Phase, Position, Power, Step, Unit, standard_map, starting_position
from pipeline.interpret.interpret import interpret
from pipeline.interpret.lexicon import other_forms, spellings
from pipeline.interpret.verdict import Line, Status
from pipeline.orders import Move, Support, read_position, write

START = starting_position(standard_map())


@settings(max_examples=40, deadline=None)
@given(st.data(), tournaments, st.one_of(positions(), retreats(), winters()))
def test_every_spelling_of_an_order_is_read_as_that_order_or_stops(
    data: st.DataObject, name: str, position: Position
) -> None:
    known = list(spellings(Power.FRANCE, position, tournament(name)))
    assume(known)
    spelling = data.draw(st.sampled_from(known))
    text = " ".join(word for slot in spelling.slots if (word := data.draw(st.sampled_from(slot))))

    entry = read(name, position, text).entries[0]

    if entry.status is Status.CLEAR:
        assert entry.order in {spelling.order, *said_otherwise(spelling.order)}, f"{text!r} became {entry}"
    else:
        assert entry.status in {Status.AMBIGUOUS, Status.ASK}, f"{text!r} became {entry}"
        offered = {candidate.order for candidate in entry.candidates}
        assert offered & {spelling.order, bare(spelling.order), *said_otherwise(spelling.order)}


def said_otherwise(order: object) -> Iterator[object]:
    """A support may leave out the one coast that can be meant, a move over sea may name the convoy that it needs."""
    if isinstance(order, Support):
        yield bare(order)
    if isinstance(order, Move) and order.to not in standard_map().reach(order.unit.kind, order.unit.place):
        yield replace(order, via=True)


def bare(order: object) -> object:
    """The order without its coast, where the coast was not written."""
    if isinstance(order, Move):
        return Move(order.unit, order.to[:3], order.via)
    return Support(order.unit, order.of, order.to and order.to[:3]) if isinstance(order, Support) else order


def test_an_ambiguous_word_is_a_spelling_of_all_its_readings() -> None:
    found = [s for s in spellings(Power.ENGLAND, START, tournament("edc1996")) if "F EDI - N" in write_order(s.order)]

    assert {write_order(s.order) for s in found if "nor" in s.slots[3]} == {"F EDI - NTH", "F EDI - NWG"}


def write_order(order: object) -> str:
    return write(order) if order is not None else ""  # type: ignore[arg-type]


def test_every_legal_order_of_the_start_has_a_spelling_and_a_weight() -> None:
    found = list(spellings(Power.RUSSIA, START, tournament("wdc2008")))

    assert {write_order(s.order) for s in found} >= {"A MOS H", "F SEV - BLA", "A WAR S A MOS - UKR", "F STP/SC - BOT"}
    assert all(s.weight > 0 for s in found)
    moves = sum(s.weight for s in found if write_order(s.order).startswith("A MOS - "))
    holds = sum(s.weight for s in found if write_order(s.order) == "A MOS H")
    assert moves > holds


def test_other_forms_hold_what_is_not_legal() -> None:
    hold, move, *_ = other_forms(tournament("nzdc1999"), Step.MOVEMENT)

    assert hold.order is None
    assert "Moscow" in move.slots[1]
    assert "paris" in {word.lower() for word in move.slots[4]}


def test_texts_writes_every_way() -> None:
    one = next(s for s in spellings(Power.TURKEY, START, tournament("edc1996")) if write_order(s.order) == "F ANK H")

    texts = list(one.texts())

    assert {"F Ank H", "ank T", "fleet Ankara holds"} <= set(texts)
    assert len(texts) == len(one.slots[0]) * len(one.slots[1]) * len(one.slots[2])


def test_a_move_over_sea_may_name_the_convoy_and_a_move_by_land_is_another_order_then() -> None:
    units = {Power.FRANCE: (Unit(Kind.ARMY, "BRE"), Unit(Kind.FLEET, "ENG"))}
    found = list(spellings(Power.FRANCE, replace(START, units=units), tournament("edc1996")))

    texts = {write_order(s.order): set(s.texts()) for s in found}

    assert {"A Bre - Lon", "A Bre - Lon via convoy"} <= texts["A BRE - LON"]
    assert "A Bre - Gas via convoy" not in texts["A BRE - GAS"]
    assert "A Bre - Pic via convoy" in texts["A BRE - PIC VIA"] - texts["A BRE - PIC"]


def test_other_forms_of_retreats_and_winters_are_their_own() -> None:
    for step, sign in ((Step.RETREATS, "ret"), (Step.ADJUSTMENTS, "build"), (Step.ADJUSTMENTS, "remove")):
        slots = [spelling.slots for spelling in other_forms(tournament("weaselmoot"), step)]
        assert any(sign in slot and any("Moscow" in other for other in one) for one in slots for slot in one)
        assert not any("support" in slot for one in slots for slot in one)


def test_a_dash_before_the_unit_of_a_retreat_is_no_fault_of_the_program() -> None:
    fleeing = Dislodged(Power.AUSTRIA, Unit(Kind.ARMY, "SER"), "BUL", ("ALB", "GRE"))
    position = replace(START, phase=Phase.read("S1901R"), dislodged=(fleeing,))
    for text in ("A -SER - ALB", "A -SER  - ALB"):
        (entry, *_) = interpret([Line(1, text)], Power.AUSTRIA, position, tournament("weaselmoot")).entries
        assert entry.text


def test_paris_is_a_place_wherever_no_convoy_is_named_behind_it() -> None:
    """In French, "par convoi" says how an army goes; "A Gas Par" says where."""
    units = {
        "phase": "S1902M",
        "units": {"FRANCE": ["A GAS", "A PIC"]},
        "centers": {"FRANCE": ["PAR"]},
        "dislodged": [],
    }
    position = read_position(units, standard_map())
    lines = {"A Gas Par": "A GAS - PAR", "a gas par": "A GAS - PAR", "A Gas S A Pic Par": "A GAS S A PIC - PAR"}
    for line, order in lines.items():
        assert write(read("weaselmoot", position, line).orders[0]) == order
