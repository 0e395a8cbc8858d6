"""What the description of a copy may say, and what is told of a copy that says something else."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated

from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import MANIFEST, _checksum_of, copies_in, make_copy, spoilt_in

NO_MOMENT, NO_NAME = "it does not say when it was made, and of what", "its name cannot be printed"
MOST = 2**53 - 1  # more is no number of a fact
SAYS: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    *(({"number": number}, "") for number in (1, MOST)),
    *(({"number": number}, NO_MOMENT) for number in (0, MOST + 1)),
    *(({"tip": {"facts": facts}}, "") for facts in (1, MOST)),
    *(({"tip": {"facts": facts}}, NO_MOMENT) for facts in (0, MOST + 1)),
    ({"at": "yesterday"}, NO_MOMENT),
    ({"name": "Owl\nCup"}, NO_NAME),
    ({"code": "\x07"}, NO_NAME),
    ({"checksum": "0" * 64}, "its description (copy.json) was changed or damaged"),
    ({"number": "one"}, "it cannot be read"),
]


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cup = seated(tmp_path_factory.mktemp("described") / "cup")
    with open_event(cup, clock) as event:
        made = make_copy(event.facts.snapshot(), cup.parent / "place", event.label(), clock())
    return made.copy.folder / MANIFEST


def test_people_can_read_it(description: Path) -> None:
    lines = description.read_text("utf-8").splitlines()
    assert ' "name": "Test Cup",' in lines


@pytest.mark.parametrize(("says", "told"), SAYS, ids=repr)
def test_a_copy_whose_description_cannot_be_is_told_and_is_none(
    description: Path, says: dict[str, Any], told: str
) -> None:
    whole = description.read_bytes()
    said = json.loads(whole)
    said |= {key: said[key] | value if isinstance(value, dict) else value for key, value in says.items()}
    said["checksum"] = says.get("checksum", _checksum_of(said))
    try:
        description.write_text(json.dumps(said), "utf-8")
        place = description.parents[1]
        assert [each.text for each in spoilt_in(place)] == [f"no copy to go on from: {told}"] * bool(told)
        assert len(copies_in(place)) == (not told)
    finally:
        description.write_bytes(whole)


def test_a_folder_is_looked_at_where_it_is_called_as_a_copy_or_has_a_description(description: Path) -> None:
    place, copy = description.parents[1], description.parent
    others = [place / name for name in (f"{copy.name[:-1]}7", "by hand", "photos", f".{copy.name}")]
    for folder in others:
        shutil.copytree(copy, folder)
    for folder in others[::2]:
        (folder / MANIFEST).unlink()
    (place / f"{copy.name[:-1]}8").write_bytes(b"no folder")
    assert [each.folder for each in copies_in(place)] == sorted((copy, others[1]))
    assert [(each.where, each.text) for each in spoilt_in(place)] == [
        (str(others[0] / MANIFEST), "no copy to go on from: copy.json is not in it")
    ]
