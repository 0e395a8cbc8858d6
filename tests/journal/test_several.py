"""Several lines of the journal are taken back together: all of them, or none and everything that stands against it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from desk.cup import clock, hand_in_all, printed, spring

from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.settings import change_setting
from pipeline.desk.results.notes import enter_note, notes_in_force
from pipeline.journal.acts import undo_all
from pipeline.ledger.events import GameEnded, PhasePublished, TakesBack
from pipeline.ledger.ledger import undone_in
from pipeline.problems import Stopped
from pipeline.rehearsal.simulation import _play_solo

ITALY = spring(Power.ITALY)


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event)
        yield event


def run(event: Event, *arguments: str) -> Result:
    return CliRunner().invoke(group, ["undo", str(event.folder), *arguments, "--by", "Tess"])


@pytest.mark.parametrize("names_both", [True, False])
def test_the_end_that_a_publication_called_goes_with_it_and_both_are_named(tmp_path: Path, names_both: bool) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        _play_solo(event, "1.1")
        ended, published = (event.facts.newest(kind) for kind in (GameEnded, PhasePublished))
        assert ended > published
        numbers = [str(published), *([str(ended)] if names_both else [])]
        said = run(event, *numbers, "--why", "a wrong count")
        assert f"numbers {published}, {ended} are taken back" in said.output
        assert {ended, published} <= set(undone_in(event.facts.select(TakesBack)))
        assert not find_game(event, "1").ending


def test_the_file_of_the_event_is_as_it_was_only_if_all_goes(cup: Event) -> None:
    before = (cup.folder / "event.toml").read_bytes()
    changes = (("name", "Owl Cup"), ("name", "Owl Moot"), ("notice", "Lunch"))
    numbers = [fact.number for each in changes if (fact := change_setting(cup, *each, "Tess"))]
    changed = (cup.folder / "event.toml").read_bytes()
    with pytest.raises(Stopped):
        undo_all(cup, [1, *numbers], by="Tess")
    assert (cup.folder / "event.toml").read_bytes() == changed
    undo_all(cup, numbers, by="Tess")
    assert (cup.folder / "event.toml").read_bytes() == before


def test_a_range_passes_over_what_is_never_taken_back_and_says_so(cup: Event) -> None:
    first = cup.facts.last_number() + 1
    enter_note(cup, "award", {"award": "best", "player": "Bo"}, by="Tess", why="x")
    hand_in_all(cup, but=Power.ITALY)
    enter_note(cup, "award", {"award": "tie", "player": "Bo"}, by="Tess", why="x")
    last = cup.facts.last_number()
    said = run(cup, f"{first}-{last}")
    assert said.exit_code == 0, said.output
    assert f"numbers {first}, {last} are taken back" in said.output
    assert f"number {first + 1} stays: paper that was printed, or came in, is not taken back" in said.output
    with open_event(cup.folder, clock) as again:
        assert not [note for note in notes_in_force(again) if note.fact.number in (first, last)]
    assert "nothing between these numbers" in str(run(cup, f"{first}-{last}").exception)


@pytest.mark.parametrize("text", ["0", "x", "5-", "-5", "3--4", "1e3"])
def test_what_is_no_number_and_no_range_is_refused(cup: Event, text: str) -> None:
    said = run(cup, "--", text)
    assert said.exit_code != 0


def test_several_numbers_of_which_one_is_paper_are_refused_as_a_whole(cup: Event) -> None:
    enter_note(cup, "award", {"award": "best", "player": "Bo"}, by="Tess", why="x")
    last = cup.facts.last_number()
    said = run(cup, str(last), str(last - 1))
    assert said.exit_code != 0
    assert "is not taken back" in str(said.exception)
    with open_event(cup.folder, clock) as again:
        assert again.facts.last_number() == last
