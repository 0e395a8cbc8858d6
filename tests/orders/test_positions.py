"""A position survives the way to JSON and back; one that cannot be is refused with every reason."""

from typing import Any

import pytest

from pipeline.board import standard_map, starting_position
from pipeline.orders import read_position, write_position
from pipeline.problems import Stopped


def test_a_position_is_read_back_as_it_was_written() -> None:
    start = starting_position(standard_map())

    assert read_position(write_position(start), standard_map()) == start


def test_dislodged_units_keep_their_attacker_and_retreats() -> None:
    value: dict[str, Any] = {
        "phase": "F1901R",
        "units": {"ITALY": ["A TYR"]},
        "centers": {},
        "dislodged": [{"power": "AUSTRIA", "unit": "A TYR", "from": "VEN", "retreats": ["BOH", "VIE"]}],
    }

    assert write_position(read_position(value, standard_map())) == value


def test_every_fault_of_a_position_is_told_at_once() -> None:
    value = {
        "phase": "1901",
        "units": {
            "AUSTRIA": ["A NTH", "F MUN", "F STP", "A XYZ", "vienna"],
            "ITALY": ["A VEN", "F VEN"],
            "SPAIN": ["A SPA"],
        },
        "centers": {"ITALY": ["VEN", "TYR"], "AUSTRIA": ["VEN", "VIE", "VIE"]},
        "dislodged": [{"power": "ITALY", "unit": "A ROM", "from": "ZZZ", "retreats": ["QQQ"]}],
    }

    with pytest.raises(Stopped) as stopped:
        read_position(value, standard_map())

    assert [f"{p.where}: {p.text}" for p in stopped.value.problems] == [
        "phase: '1901' is not a phase; phases look like S1901M, S1901R, F1901M, F1901R, W1901A",
        "units AUSTRIA: A NTH cannot stand there",
        "units AUSTRIA: F MUN cannot stand there",
        "units AUSTRIA: F STP cannot stand there; name the coast, STP/NC or STP/SC",
        "units AUSTRIA: unknown province XYZ",
        "units AUSTRIA: 'vienna' is not a unit, such as 'A VIE' or 'F STP/SC'",
        "units: unknown power 'SPAIN'; powers are AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, RUSSIA, TURKEY",
        "centers ITALY: 'TYR' is not a supply centre",
        "dislodged[0]: 'from': unknown province 'ZZZ'",
        "dislodged[0]: 'retreats': expected a list of places, found ['QQQ']",
        "units: two units stand in VEN: A VEN of ITALY and F VEN of ITALY",
        "centers: two powers own VEN: ITALY and AUSTRIA",
        "centers: VIE stands twice, for AUSTRIA",
    ]
