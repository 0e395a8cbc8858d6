"""The gate asks unless every piece of evidence is good enough, and its file says who measured it."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from pipeline.ink import Tier
from pipeline.problems import Stopped
from pipeline.reading.evidence import Evidence, Joint
from pipeline.reading.gate import (
    ADDED,
    Gate,
    Gates,
    Limits,
    _read_gates,
    digest,
    evidence_numbers,
    load_gates,
    write_gates,
)
from pipeline.reading.recogniser import Taken

GATE = Gate(
    constant=-10.0,
    weights={"to_next": 0.5, "to_others": 0.5, "to_slips": 0.3, "to_free": 0.2},
    least={"to_next": 2.0},
    marked=0.0,
    accepted=1.0,
)
BOTH = Gate(-1.0, dict.fromkeys(Joint.SPAN, 0.25), {"to_next": 9.0}, 0.0, 1.0)
GATES = Gates(GATE, BOTH, enough=3.0, measured="nothing: a test")
SPAN = Evidence.SPAN
GOOD = Evidence(0, "A Vie - Boh", -0.01, 12.0, 12.0, 5.0, 0.0, struck=False)


def test_good_evidence_is_accepted_and_a_little_less_is_marked() -> None:
    assert GATE.tier(GOOD) is Tier.ACCEPTED
    assert GATE.tier(replace(GOOD, to_others=8.0)) is Tier.ACCEPTED
    assert GATE.tier(replace(GOOD, to_others=6.0)) is Tier.MARKED
    assert GATE.tier(replace(GOOD, to_others=0.0)) is Tier.ASKED


BY_BOTH = Joint(0, "A Vie - Boh", -0.1, 12.0, 1.0, 6.0, 6.0, 3.0, -1.0, 0.0, struck=False)


def test_where_there_are_two_readers_the_first_alone_accepts_what_is_more_than_enough_and_marks_nothing() -> None:
    alone = replace(GATES, is_alone=True)
    for evidence, by_one, of_two in (
        (GOOD, Tier.ACCEPTED, Tier.ACCEPTED),
        (replace(GOOD, to_others=8.0), Tier.ACCEPTED, Tier.ASKED),
        (replace(GOOD, to_others=6.0), Tier.MARKED, Tier.ASKED),
    ):
        assert (alone.tier(evidence), GATES.tier(evidence)) == (by_one, of_two)


def test_the_first_reader_is_enough_alone_only_where_each_piece_reaches_what_it_must() -> None:
    gates = replace(GATES, alone_least={"to_slips": 4.0})
    unsure = replace(GOOD, to_slips=3.9)
    assert GATES.tier(unsure) is gates.tier(GOOD) is gates.tier(replace(GOOD, to_slips=4.0)) is Tier.ACCEPTED
    assert gates.tier(unsure) is Tier.ASKED
    assert replace(gates, is_alone=True).tier(unsure) is replace(GATES, is_alone=True).tier(unsure)
    assert gates.tier(BY_BOTH) is GATES.tier(BY_BOTH)


STRICTER = replace(
    GATES,
    alone_least={"to_others": 2.0},
    three=replace(BOTH, least={"to_next": 9.0, "to_asked": 1.0}),
    stricter={
        Taken.ASKED: Limits(both={"to_asked": 7.0}, three={"to_asked": 0.5, "to_harm": 7.0}),
        Taken.OTHER: Limits(alone={"to_slips": 6.0}, both={"to_next": 8.0, "to_harm": 7.0}),
    },
)


def test_where_the_rules_follow_no_misspelt_word_more_must_be_reached_and_never_less() -> None:
    followed, asked, held = map(STRICTER.for_misspelt, (Taken.SAME, Taken.ASKED, Taken.OTHER))
    assert followed is STRICTER
    assert [gates.tier(GOOD) for gates in (followed, asked, held)] == [Tier.ACCEPTED, Tier.ACCEPTED, Tier.ASKED]
    assert [gates.tier(BY_BOTH) for gates in (followed, asked, held)] == [Tier.ACCEPTED, Tier.ASKED, Tier.ASKED]
    by_three = replace(BY_BOTH, readers=3)
    assert [gates.tier(by_three) for gates in (followed, asked, held)] == [Tier.ACCEPTED, Tier.ASKED, Tier.ACCEPTED]
    assert asked.three is not None
    assert asked.three.least == {"to_next": 9.0, "to_asked": 1.0, "to_harm": 7.0}
    assert held.both.least == {"to_next": 9.0, "to_harm": 7.0}
    assert held.alone_least == {"to_others": 2.0, "to_slips": 6.0}
    assert STRICTER.without_third().for_misspelt(Taken.ASKED).three is None


def test_what_both_say_has_a_gate_of_its_own() -> None:
    assert GATES.odds(BY_BOTH) == pytest.approx(-1 + 0.25 * (12 + 1 + 6 + 6 + 3 - 1 + 0 - 0.1))
    assert GATES.tier(BY_BOTH) is Tier.ACCEPTED
    assert GATES.tier(replace(BY_BOTH, to_harm=2.0)) is Tier.ACCEPTED
    assert GATES.tier(replace(BY_BOTH, to_harm=-15.0, to_asked=0.0)) is Tier.ASKED
    assert GATES.tier(replace(BY_BOTH, to_next=8.0)) is Tier.ASKED
    assert GATES.tier(replace(BY_BOTH, struck=True)) is Tier.ASKED


def test_a_line_that_no_reader_sees_in_the_ink_is_asked_however_far_all_else_is_behind() -> None:
    far = replace(GATES, both=replace(BOTH, least={"likelihood": -15.0}))
    assert [far.tier(replace(BY_BOTH, likelihood=likely)) for likely in (-14.9, -15.1)] == [Tier.ACCEPTED, Tier.ASKED]


def test_a_gate_of_before_does_not_weigh_how_likely_the_line_is() -> None:
    before = write_gates(replace(GATES, both=replace(BOTH, weights=without(BOTH.weights, "likelihood"))))
    assert "likelihood" not in before.split("[both]")[1]
    assert _read_gates(before, "gate.toml").odds(BY_BOTH) == pytest.approx(GATES.odds(BY_BOTH) + 0.25 * 0.1)


def without(weights: Mapping[str, float], name: str) -> dict[str, float]:
    """Some weights without one of them."""
    return {key: weight for key, weight in weights.items() if key != name}


def test_one_bad_piece_of_evidence_is_enough_to_ask() -> None:
    assert GATE.tier(replace(GOOD, to_next=1.0)) is Tier.ASKED


def test_crossed_out_ink_is_always_asked() -> None:
    assert GATE.tier(replace(GOOD, struck=True)) is Tier.ASKED


def values(name: str, value: float) -> dict[str, Any]:
    return {name: value}


@pytest.mark.parametrize("name", SPAN)
def test_more_evidence_never_hurts(name: str) -> None:
    low, high = SPAN[name]
    odds = [GATE.odds(replace(GOOD, **values(name, low + (high - low) * part))) for part in (0, 0.3, 0.6, 1)]
    assert odds == sorted(odds)


def test_evidence_beyond_its_span_counts_no_more() -> None:
    assert evidence_numbers(replace(GOOD, to_slips=1e9)) == evidence_numbers(replace(GOOD, to_slips=10.0))
    assert evidence_numbers(replace(GOOD, to_others=-1e9))["to_others"] == SPAN["to_others"][0]


def test_a_gate_survives_being_written_and_read() -> None:
    assert _read_gates(write_gates(GATES), "gate.toml") == GATES
    gates = replace(GATES, alone_least={"to_slips": 0.5})
    assert _read_gates(write_gates(gates), "gate.toml") == gates
    assert _read_gates(write_gates(STRICTER), "gate.toml") == STRICTER


def test_a_gate_of_before_is_no_stricter_anywhere_and_what_is_unknown_there_is_a_fault() -> None:
    assert "stricter" not in write_gates(GATES)
    assert _read_gates(write_gates(GATES), "gate.toml").for_misspelt(Taken.OTHER) == GATES
    with pytest.raises(Stopped) as stopped:
        _read_gates(write_gates(GATES) + "[stricter.asked.both]\nluck = 1.0\n[stricter.never]\n", "gate.toml")
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  gate.toml stricter.asked.both.luck: unknown field",
        "stops  gate.toml stricter.never: unknown field",
    ]


def test_a_gate_of_before_says_nothing_of_what_each_piece_must_reach_for_one_reader_to_be_enough() -> None:
    text = write_gates(GATES)
    assert "alone_least" not in text
    assert _read_gates(text, "gate.toml").alone_least == {}
    with pytest.raises(Stopped, match=r"both\.alone_least\.luck: unknown field"):
        _read_gates(text + "\n[both.alone_least]\nluck = 1.0\n", "gate.toml")


def test_the_gates_that_ship_have_the_name_that_facts_know_them_by() -> None:
    assert digest(load_gates()) == "1f5466e3"


def test_all_faults_of_a_gate_are_told_at_once() -> None:
    both = "[both]\nenough = 1\nconstant = 0\nmarked = 0\naccepted = 0\nweights = {}\nleast = {luck = 1}\n"
    faults = 'constant = "much"\nmarked = 2\naccepted = 1\n[weights]\nto_next = -1\nluck = 3\n'
    with pytest.raises(Stopped) as stopped:
        _read_gates(faults + both, "gate.toml")
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  gate.toml accepted: 1.0 is below marked, 2.0; wanted the other way round",
        "stops  gate.toml both.least.luck: unknown field",
        *(
            f"stops  gate.toml both.weights.{name}: missing; expected a number"
            for name in sorted({*Joint.SPAN} - {*ADDED})
        ),
        "stops  gate.toml constant: expected a number, found 'much'",
        "stops  gate.toml least: missing; expected a table",
        "stops  gate.toml weights: to_next weighs -1.0; wanted 0 or more",
        "stops  gate.toml weights.luck: unknown field",
        *(
            f"stops  gate.toml weights.{name}: missing; expected a number"
            for name in ("to_free", "to_others", "to_slips")
        ),
    ]


def test_a_gate_of_before_weighs_what_it_weighed_and_keeps_its_name() -> None:
    before = replace(GATES, both=replace(BOTH, weights={name: 0.25 for name in Joint.SPAN if name not in ADDED}))
    read = _read_gates(write_gates(before), "gate.toml")
    assert read == before
    assert digest(read) == digest(before) != digest(GATES)
    assert read.odds(replace(BY_BOTH, to_asked=-15.0)) == read.odds(BY_BOTH) < GATES.odds(BY_BOTH)


def test_a_gate_without_one_for_both_readers_is_refused() -> None:
    text = write_gates(GATES)
    with pytest.raises(Stopped, match="both: missing; expected a table"):
        _read_gates(text[: text.index("[both]")], "gate.toml")
