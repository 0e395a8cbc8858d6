"""A hand goes from one event to the next only where the director keeps it and brings it, and teaches there."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from commands import run

from desk.cup import NAMES, clock, seated
from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.hands.kept_hands import FOLDER, KeptHand, bring_hands, keep_hands
from pipeline.desk.hands.known_rows import KnownBy
from pipeline.desk.hands.reader import Hands
from pipeline.ledger.events import HandBrought
from pipeline.ledger.ledger import body_of
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import KeptRow

BO = NAMES[Power.ENGLAND]


@pytest.fixture(scope="module")
def engine() -> NetRecogniser:
    return NetRecogniser()


@pytest.fixture
def later(tmp_path: Path) -> Iterator[Event]:
    """A later event, at which all play again."""
    with open_event(seated(tmp_path / "later"), clock) as event:
        yield event


def hand(engine: NetRecogniser, player: str = BO, nets: str = "") -> KeptHand:
    rng = np.random.default_rng(1)
    wide = [head.kernel.shape[1] for head in engine.heads]
    views = [[rng.normal(0, 1, (30, width)).astype(np.float16) for width in wide] for _ in range(2)]
    seen = tuple(KeptRow(first, tuple(further)) for first, *further in views)
    return KeptHand(player, "Earlier Cup", nets or "-".join(engine.digests), ("F LON - NTH", "A LVP H"), seen)


def test_what_was_kept_is_brought_row_by_row(later: Event, engine: NetRecogniser, tmp_path: Path) -> None:
    before = hand(engine)
    (path,) = keep_hands([before], tmp_path / "kept")
    assert BO not in path.name  # a folder that somebody sees tells nobody who is in it
    assert [one.player for one in bring_hands(later, tmp_path / "kept", "Tess")] == [BO]

    hands = Hands(later, engine)
    rows = hands.rows_of(BO)
    assert [(row.text, row.how) for row in rows] == [(text, KnownBy.BROUGHT) for text in before.texts]
    assert hands.rows_of(NAMES[Power.FRANCE]) == ()
    lessons = hands.lessons(rows)
    for one, saw in zip(lessons, before.seen, strict=True):
        assert np.array_equal(one.row.pack_row, saw.first)
    again = hands.to_keep(BO)
    assert again is not None
    assert (again.texts, again.nets) == (before.texts, before.nets)


def test_nothing_is_brought_but_the_hands_of_who_plays_here(
    later: Event, engine: NetRecogniser, tmp_path: Path
) -> None:
    keep_hands([hand(engine, "Somebody Else")], tmp_path / "kept")
    assert bring_hands(later, tmp_path / "kept", "Tess") == []
    assert list(later.facts.select(HandBrought)) == []
    assert not (later.folder / FOLDER).exists()


def test_brought_twice_is_brought_once(later: Event, engine: NetRecogniser, tmp_path: Path) -> None:
    keep_hands([hand(engine)], tmp_path / "kept")
    for _ in range(2):
        bring_hands(later, tmp_path / "kept", "Tess")
    assert len(Hands(later, engine).rows_of(BO)) == 2


def test_a_hand_whose_file_is_deleted_is_forgotten(later: Event, engine: NetRecogniser, tmp_path: Path) -> None:
    keep_hands([hand(engine)], tmp_path / "kept")
    bring_hands(later, tmp_path / "kept", "Tess")
    (file,) = (later.folder / FOLDER).iterdir()
    file.unlink()
    assert Hands(later, engine).rows_of(BO) == ()


def test_what_other_readers_saw_teaches_nothing(later: Event, engine: NetRecogniser, tmp_path: Path) -> None:
    keep_hands([hand(engine, nets="01234567")], tmp_path / "kept")
    bring_hands(later, tmp_path / "kept", "Tess")
    hands = Hands(later, engine)
    assert hands.lessons(hands.rows_of(BO)) == []


def test_files_that_are_no_hands_are_told_at_once_and_nothing_is_brought(
    later: Event, engine: NetRecogniser, tmp_path: Path
) -> None:
    (good,) = keep_hands([hand(engine)], tmp_path / "kept")
    (tmp_path / "kept" / "half.hand").write_bytes(good.read_bytes()[:200])
    (tmp_path / "kept" / "text.hand").write_text("no hand")
    with pytest.raises(Stopped) as stopped:
        bring_hands(later, tmp_path / "kept", "Tess")
    assert sorted(Path(problem.where).name for problem in stopped.value.problems) == ["half.hand", "text.hand"]
    assert list(later.facts.select(HandBrought)) == []


def test_the_command_keeps_nothing_where_nothing_is_known(tmp_path: Path) -> None:
    seated(tmp_path / "cup")
    run("hands", str(tmp_path / "cup"), "--keep", str(tmp_path / "kept"))
    assert list((tmp_path / "kept").iterdir()) == []
    assert not (tmp_path / "cup" / FOLDER).exists()
    both = CliRunner().invoke(group, ["hands", str(tmp_path / "cup"), "--keep", "a", "--bring", "b"])
    assert both.exit_code != 0


def test_a_fact_names_the_player_by_number(later: Event, engine: NetRecogniser, tmp_path: Path) -> None:
    keep_hands([hand(engine)], tmp_path / "kept")
    bring_hands(later, tmp_path / "kept", "Tess")
    (fact,) = later.facts.select(HandBrought)
    assert later.people.name_of(fact.said.player) == BO
    assert BO not in json.dumps({key: value for key, value in body_of(fact.said).items() if key != "names"})
