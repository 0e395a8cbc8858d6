"""The canonical notation is exact both ways, for every order there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.board import Kind, Unit, standard_map
from pipeline.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    NotAnOrder,
    Order,
    Retreat,
    Support,
    Waive,
    read_order,
    read_unit,
    write,
)

places = st.sampled_from(sorted({*standard_map().army_borders, *standard_map().fleet_borders}))
seas = st.sampled_from(["NTH", "MAO", "ION"])
units = st.builds(Unit, st.sampled_from(Kind), places)
moves = st.one_of(
    st.builds(Move, units, places, st.booleans()),
    st.builds(lambda u, to, route: Move(u, to, True, route), units, places, st.lists(seas, min_size=1).map(tuple)),
)
orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, units),
    moves,
    st.builds(Support, units, units, st.none() | places),
    st.builds(Convoy, units, units, places),
    st.builds(Retreat, units, places),
    st.builds(Disband, units),
    st.builds(Build, units),
    st.just(Waive()),
)


@given(orders)
def test_what_is_written_is_read_back(order: Order) -> None:
    assert read_order(write(order)) == order


@pytest.mark.parametrize(
    "text",
    [
        "A VIE H",
        "A VIE - BOH",
        "F MAO - SPA/SC",
        "A TRI - APU VIA",
        "A WAL - IRI - MAO - NAF",
        "A BUD S A VIE - GAL",
        "A BUD S A VIE",
        "F ADR C A TRI - APU",
        "A VEN R APU",
        "A VEN D",
        "F STP/NC B",
        "A SYR D",
        "WAIVE",
    ],
)
def test_every_example_of_the_contract_is_its_own_canonical_text(text: str) -> None:
    assert write(read_order(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("BUILD F LON", "F LON B"),
        ("DISBAND A TYR", "A TYR D"),
        ("REMOVE A TYR", "A TYR D"),
        ("A BUD S A VIE H", "A BUD S A VIE"),
    ],
)
def test_other_accepted_forms_are_read_as_the_canonical_one(text: str, canonical: str) -> None:
    assert write(read_order(text)) == canonical


@pytest.mark.parametrize(
    "text", ["", "A Vie - Boh", "A VIE-BOH", "VIE - BOH", "A VIE -", "F STP/XX B", "A VIE S", "waive", "A VIE - BOH - "]
)
def test_anything_else_is_not_an_order(text: str) -> None:
    with pytest.raises(NotAnOrder, match="is not an order in canonical notation"):
        read_order(text)


def test_a_unit_is_read_alone() -> None:
    assert read_unit("A VIE") == Unit(Kind.ARMY, "VIE")
    with pytest.raises(NotAnOrder, match="'VIE' is not a unit"):
        read_unit("VIE")
