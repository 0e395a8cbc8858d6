"""What one line of a sheet says of another puts that one in doubt; what says nothing leaves it as it is."""

import pytest

from pipeline.cli.judge import interpret_sheet
from pipeline.rules.load import tournament_ids

UNITS = {"GERMANY": ["A BER", "A MUN", "F KIE"], "FRANCE": ["A MAR", "A PAR", "F BRE"]}
ORDERS = ["A Ber - Sil", "A Mun - Ruh", "F Kie - Den"]


def standing(tournament: str, *lines: str, power: str = "GERMANY") -> list[str]:
    """The orders that stand without a question."""
    sheet = {"tournament": tournament, "power": power, "phase": "S1901M", "units": UNITS, "lines": list(lines)}
    clear = [entry for entry in interpret_sheet(sheet)["entries"] if entry["status"].value in {"clear", "void"}]
    return [entry["order"] for entry in clear if entry["order"] is not None]


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    [
        "2. to Bur instead",
        "order 2 = H",
        "2 = Bur",
        "2 -> Bur",
        "2) H",
        "#2: hold",
        "(2) Bur",
        "2nd: Bur",
        "2. hold",
        "the 2nd goes to Bur",
        "no. 2 to Bur",
        "order 2: Bur",
        "second: Bur",
        "2nd: Ber",
    ],
)
def test_a_row_is_in_doubt_that_another_line_calls_by_its_number(tournament: str, remark: str) -> None:
    assert "A MUN - RUH" not in standing(tournament, *ORDERS, remark)
    assert "A MUN - RUH" not in standing(tournament, *(f"{n}. {row}" for n, row in enumerate(ORDERS, 1)), remark)


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_row_that_goes_on_in_the_next_numbered_one_is_no_remark_on_a_row(tournament: str) -> None:
    lines = ("Orders", "1. A Ber - Sil", "2. F Kie -", "3. Den")
    assert standing(tournament, *lines) == ["A BER - SIL", "F KIE - DEN"]
    assert len(standing(tournament, *ORDERS, "3 orders")) == len(ORDERS)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    ["Mun and Kie the other way round", "Mun and Kie are mixed up", "Mun gets Kie's order", "Kie takes Mun's order"],
)
def test_each_unit_that_a_remark_names_is_in_doubt(tournament: str, remark: str) -> None:
    found = standing(tournament, *ORDERS, remark)
    assert not {"A MUN - RUH", "F KIE - DEN"} & set(found)
    assert "A BER - SIL" in found


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("remark", ["Sil was a slip", "stay out of Sil", "new: A Ber - Pru", "Mun instead of Sil"])
def test_a_remark_below_another_order_reaches_the_order_that_it_is_about(tournament: str, remark: str) -> None:
    assert "A BER - SIL" not in standing(tournament, *ORDERS, remark)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("mark", ["do.", "idem", "ditto", '"'])
def test_a_unit_behind_a_ditto_mark_is_not_held_in_silence(tournament: str, mark: str) -> None:
    assert standing(tournament, "A Ber H", f"{mark} Mun", "F Kie - Den") == ["A BER H", "F KIE - DEN"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_name_of_two_places_with_one_own_unit_is_ordered_twice_by_a_correction(tournament: str) -> None:
    lines = ("A Mar - Spa", "F Bre - Gas", "A Par - Pic", "Correction: A Mar - Pie")
    assert standing(tournament, *lines, power="FRANCE") == ["F BRE - GAS"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_doubtful_line_above_all_orders_counts_as_below_them(tournament: str) -> None:
    assert not standing(tournament, "to be confirmed", *ORDERS)
    assert not standing(tournament, "For discussion", *ORDERS)


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_word_near_a_name_is_no_name_that_stands_printed_in_winter(tournament: str) -> None:
    sheet = {"power": "AUSTRIA", "phase": "W1901A", "units": {"AUSTRIA": ["A SER", "F ALB"]}}
    centres = {"AUSTRIA": ["BUD", "VIE", "TRI"]}
    lines = ["A Vie B", "alt F Tri"]
    reply = interpret_sheet({**sheet, "tournament": tournament, "centers": centres, "lines": lines})
    assert "ask" in {entry["status"].value for entry in reply["entries"]}


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("remark", ["✓", "(3)", "!!"])
def test_a_line_without_a_word_has_an_entry(tournament: str, remark: str) -> None:
    sheet = {"tournament": tournament, "power": "GERMANY", "phase": "S1901M", "units": UNITS}
    entries = interpret_sheet({**sheet, "lines": [*ORDERS, remark]})["entries"]
    assert [entry["line"] for entry in entries] == [1, 2, 3, 4]
    assert entries[3]["status"].value == "void"


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    "remark",
    ["= 3 orders", "3 SCs, 3 units", "Total: 3", "Cheers, Bob", "regards, Tom Miller", "that is all", "checked"],
)
def test_a_right_sum_or_a_greeting_leaves_all_orders_standing(tournament: str, remark: str) -> None:
    assert len(standing(tournament, *ORDERS, remark)) == len(ORDERS)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize("remark", ["= 2 orders", "Cheers, Bur", "3 orders wrong", "Cheers, Burgandy"])
def test_a_wrong_sum_or_a_greeting_with_a_place_is_asked(tournament: str, remark: str) -> None:
    assert len(standing(tournament, *ORDERS, remark)) < len(ORDERS)


@pytest.mark.parametrize("tournament", tournament_ids())
@pytest.mark.parametrize(
    ("above", "between"), [("Armies:", "Fleets:"), ("A:", "F:"), ("Armies", "Fleet:"), ("Unit | From | Order | To", "")]
)
def test_headings_over_units_of_their_kind_and_over_columns_change_nothing(
    tournament: str, above: str, between: str
) -> None:
    sheet = {"tournament": tournament, "power": "GERMANY", "phase": "S1901M", "units": UNITS}
    entries = interpret_sheet({**sheet, "lines": [above, "Ber - Sil", "Mun - Ruh", between, "Kie - Den"]})["entries"]
    assert [entry["order"] for entry in entries if entry["status"].value == "clear"] == [
        "A BER - SIL",
        "A MUN - RUH",
        "F KIE - DEN",
    ]
    assert {entry["status"].value for entry in entries} == {"clear", "void"}


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_heading_over_units_of_another_kind_is_asked(tournament: str) -> None:
    sheet = {"tournament": tournament, "power": "GERMANY", "phase": "S1901M", "units": UNITS}
    entries = interpret_sheet({**sheet, "lines": ["Mun - Ruh", "A:", "Kie - Den"]})["entries"]
    assert "ask" in {entry["status"].value for entry in entries if entry["line"] > 1}


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_word_before_the_first_build_is_for_all_below_it(tournament: str) -> None:
    sheet = {"tournament": tournament, "power": "GERMANY", "phase": "W1901A", "units": {"GERMANY": ["A RUH", "F DEN"]}}
    centres = {"GERMANY": ["BER", "MUN", "KIE", "DEN", "HOL"]}
    entries = interpret_sheet({**sheet, "centers": centres, "lines": ["Builds: A Mun", "F Kie", "A Ber"]})["entries"]
    assert [entry["order"] for entry in entries] == ["A MUN B", "F KIE B", "A BER B"]


@pytest.mark.parametrize("tournament", tournament_ids())
def test_of_more_names_than_builds_none_is_built_unasked(tournament: str) -> None:
    sheet = {"tournament": tournament, "power": "GERMANY", "phase": "W1901A", "units": {"GERMANY": ["A RUH", "F DEN"]}}
    centres = {"GERMANY": ["BER", "MUN", "KIE"]}
    reply = interpret_sheet({**sheet, "centers": centres, "lines": ["Build: A Mun", "F Kie", "A Ber"]})
    assert reply["orders"] == [], "nobody knows which of the three"
    assert "ask" in {entry["status"].value for entry in reply["entries"]}
