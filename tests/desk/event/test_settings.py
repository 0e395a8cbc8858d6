"""An edit of ``event.toml`` is noted, whoever made it: what it was, what it is, who, and when it was found."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import run
from facts_as_kept import read_facts

from desk.cup import OPENINGS, clock, hand_in_all, seated, spring
from pipeline.cli import group
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.settings import EDITOR, change_setting, is_to_be_opened_anew, note_if_changed
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.journal.acts import undo_fact
from pipeline.journal.lines import journal
from pipeline.ledger.events import SettingsChanged
from pipeline.problems import Stopped
from pipeline.words.speech import sentence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return seated(tmp_path / "cup")


@pytest.fixture
def cup(folder: Path) -> Iterator[Event]:
    with open_event(folder, clock) as event:
        yield event


def edit(folder: Path, old: str, new: str) -> None:
    """As people do, in an editor."""
    path = folder / "event.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def changed(event: Event) -> list[tuple[str, list[tuple[str, str | None, str | None]]]]:
    return [
        (fact.by, [(change.setting, change.was, change.now) for change in fact.said.changes])
        for fact in event.facts.select(SettingsChanged)
    ]


@pytest.mark.parametrize(
    ("old", "new", "is_other"),
    [('"weaselmoot"', '"wdc2008"', True), ("Test Cup", "Owl Cup", False), ("[", "?", False)],
)
def test_an_event_is_to_be_opened_anew_where_its_file_says_what_an_open_event_is_made_of(
    cup: Event, old: str, new: str, is_other: bool
) -> None:
    assert not is_to_be_opened_anew(cup)
    edit(cup.folder, old, new)
    assert is_to_be_opened_anew(cup) is is_other
    (cup.folder / "event.toml").unlink()
    assert not is_to_be_opened_anew(cup)


def test_an_edit_has_a_line_with_what_it_was_and_what_it_is(folder: Path) -> None:
    edit(folder, '"Test Cup"', '"Owl Cup"')
    edit(folder, 'name = "Bo"', 'name = "Bob"\nclub = "Owls"')
    said = run("journal", folder)
    assert 'the event\'s name is "Owl Cup", it was "Test Cup"' in said
    assert 'player 2 name is "Bob", it was "Bo"; player 2 club is "Owls"' in said
    assert said.count("event.toml was changed") == 1
    assert run("journal", folder) == said, "it is noted once"
    with open_event(folder, clock) as event:
        assert [by for by, _ in changed(event)] == [EDITOR]


RULES = Path(__file__).parents[3] / "templates" / "rules" / "wdc2008.toml"
TABLES = Path(__file__).parents[3] / "abbreviations"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """An event with a rules file of its own, of which a phase is published."""
    rules = tmp_path / "mine" / "cup.toml"
    rules.parent.mkdir()
    rules.write_text(RULES.read_text("utf-8"), "utf-8")
    shutil.copytree(TABLES, rules.parent / "abbreviations")
    make_event_folder(tmp_path / "own", Details(name="Own", code="AAAA", tournament=str(rules)), [], clock)
    return tmp_path / "own"


def test_a_rules_file_that_lies_in_the_folder_of_the_event_already_stays_there(tmp_path: Path) -> None:
    rules = tmp_path / "cup" / "rules" / "cup.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES.read_text("utf-8"), "utf-8")
    shutil.copytree(TABLES, rules.parent / "abbreviations")
    make_event_folder(tmp_path / "cup", Details(name="Own", code="AAAA", tournament=str(rules)), [], clock)
    with open_event(tmp_path / "cup", clock) as event:
        assert event.tournament.short == "WDC08"


@pytest.mark.parametrize("words", [["status"], ["check"], ["journal"], ["backup"]])
def test_an_edit_of_the_own_rules_file_has_a_line_at_every_door(own: Path, words: list[str]) -> None:
    path = own / "rules" / "cup.toml"
    with open_event(own, clock) as event:
        note_if_changed(event)
        assert changed(event) == [], "it is as it was when the event was made"
    path.write_text(
        path.read_text("utf-8").replace("solo_centres = { value = 18", "solo_centres = { value = 17"), "utf-8"
    )
    CliRunner().invoke(group, [words[0], str(own)])
    with open_event(own, clock) as event:
        ((by, [(setting, was, now)]),) = changed(event)
        assert (by, setting) == (EDITOR, "rules/cup.toml")
        assert None not in {was, now}
        assert was != now
        number = event.facts.last_number()
        with pytest.raises(Stopped, match="restore its text by hand"):
            undo_fact(event, number, by="Tess")
    assert "rules/cup.toml was edited; everything is judged and scored by them now" in run("journal", own)
    table = own / "rules" / "abbreviations" / "wdc2008.toml"
    table.write_text(table.read_text("utf-8") + "# ours\n", "utf-8")
    assert "rules/abbreviations/wdc2008.toml was edited" in run("journal", own)


def test_rules_that_were_edited_after_something_was_published_are_told(folder: Path) -> None:
    (folder / "rules").mkdir()
    shutil.copyfile(RULES, folder / "rules" / "cup.toml")
    edit(folder, 'tournament = "weaselmoot"', 'tournament = "rules/cup.toml"')
    with open_event(folder, clock) as event:
        note_if_changed(event)
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", by="Tess")
    path = folder / "rules" / "cup.toml"
    path.write_text(path.read_text("utf-8") + "# ours\n", "utf-8")
    assert "rules/cup.toml: it was edited after Spring 1901 of board 1.1 was published" in run("status", folder)


def test_what_says_the_same_in_other_words_is_no_change(folder: Path) -> None:
    edit(folder, 'name = "Test Cup"', "name = 'Test Cup' # ours")
    path = folder / "event.toml"
    path.write_text(f"# a word\n{path.read_text('utf-8')}", "utf-8")
    run("status", folder)
    with open_event(folder, clock) as event:
        assert changed(event) == []


@pytest.mark.parametrize("name", ["event.toml", "rules/cup.toml"])
def test_a_file_that_a_windows_editor_saved_is_read_and_changed(own: Path, name: str) -> None:
    path = own / name
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert "Own" in run("status", own)
    with open_event(own, clock) as event:
        change_setting(event, "name", "Owl Cup", "Tess")
    assert "Owl Cup" in run("status", own)


def test_what_the_program_makes_no_use_of_is_not_written_down(folder: Path) -> None:
    edit(folder, 'name = "Bo"', 'name = "Bo"\nmore = { telephone = "0123" }')
    run("status", folder)
    with open_event(folder, clock) as event:
        assert changed(event) == []
        assert "0123" not in str(list(read_facts(event.facts)))


def test_a_line_that_is_added_and_taken_out_is_told_as_that(folder: Path) -> None:
    edit(folder, 'paper = "A4"', 'paper = "A4"\nbackup = "/media/stick"')
    run("status", folder)
    edit(folder, 'backup = "/media/stick"\n', "")
    said = run("journal", folder)
    assert 'the second place for copies is "/media/stick"\n' in said
    assert 'the second place for copies is gone, it was "/media/stick"' in said


def test_a_setting_is_changed_in_the_file_and_signed(cup: Event) -> None:
    fact = change_setting(cup, "name", "Owl Cup", "Tess")
    assert fact is not None
    assert (fact.by, cup.details.name) == ("Tess", "Owl Cup")
    assert change_setting(cup, "name", "Owl Cup", "Tess") is None, "said again it is the same"
    change_setting(cup, "live_address", "https://owl.org", "Tess")
    assert cup.details.live_address == "https://owl.org"
    assert changed(cup) == [
        ("Tess", [("event.name", '"Test Cup"', '"Owl Cup"')]),
        ("Tess", [("event.live_address", None, '"https://owl.org"')]),
    ]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("live_address", "owl", "live_address"),
        ("name", "a\nb", "holds"),
        ("code", "ABCD", "expected one of name"),
        ("backup_minutes", 0, "1 or more"),
    ],
)
def test_what_cannot_be_is_refused_and_the_file_stays(cup: Event, name: str, value: str | int, said: str) -> None:
    before, number = (cup.folder / "event.toml").read_bytes(), cup.facts.last_number()
    with pytest.raises(Stopped, match=said):
        change_setting(cup, name, value, "Tess")
    assert ((cup.folder / "event.toml").read_bytes(), cup.facts.last_number()) == (before, number)


def test_a_change_is_taken_back_in_the_file(cup: Event) -> None:
    before = (cup.folder / "event.toml").read_bytes()
    fact = change_setting(cup, "backup", "/media/stick", "Tess")
    assert fact is not None
    (line,) = journal(cup, since=fact.number - 1)
    assert line.would is not None
    assert (
        sentence(line.would) == 'event.toml is written anew: the second place for copies is gone, it was "/media/stick"'
    )
    undo_fact(cup, fact.number, by="Tess")
    assert (cup.folder / "event.toml").read_bytes() == before
    number = cup.facts.last_number()
    note_if_changed(cup)
    assert cup.facts.last_number() == number, "taking it back is no edit of its own"


def test_who_only_reads_writes_nothing_and_makes_no_copy(folder: Path) -> None:
    run("status", folder)
    with open_event(folder, clock) as event:
        note_if_changed(event)
        assert not event.facts.has_written
    assert not list(folder.parent.glob("*-backups"))


DOORS = (["status"], ["check"], ["journal"], ["explain", "1 S1901M A VIE"], ["orders", "--board", "1"])


@pytest.mark.parametrize("words", DOORS, ids=lambda words: words[0])
def test_a_code_that_is_another_than_on_the_paper_is_refused_with_the_one_that_was(
    folder: Path, words: list[str]
) -> None:
    with open_event(folder, clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
    edit(folder, 'code = "TEST"', 'code = "ABCD"')
    done = CliRunner().invoke(group, [words[0], str(folder), *words[1:]])
    assert isinstance(done.exception, Stopped), done.output
    assert str(done.exception) == (
        'event.toml event.code: the code was "TEST" when paper was printed, and is "ABCD" now; write "TEST" back'
    )
    edit(folder, 'code = "ABCD"', 'code = "TEST"')
    run(words[0], folder, *words[1:])


def test_before_anything_is_printed_the_code_may_be_changed(folder: Path) -> None:
    edit(folder, 'code = "TEST"', 'code = "ABCD"')
    run("status", folder)
    with open_event(folder, clock) as event:
        print_round(event, 1)
    run("status", folder)
    edit(folder, 'code = "ABCD"', 'code = "TEST"')
    with pytest.raises(Stopped, match='the code was "ABCD"'):
        open_event(folder, clock)


def test_other_rules_in_mid_event_are_told_and_have_a_line(folder: Path) -> None:
    edit(folder, '"weaselmoot"', '"wdc2008"')
    assert "everything is judged" not in run("status", folder), "nothing was published"
    with open_event(folder, clock) as event:
        for power, texts in OPENINGS.items():
            type_lines(event, spring(power), texts, by="Tess")
        publish(event, "1", "Tess")
    edit(folder, '"wdc2008"', '"edc2023"')
    told = '"wdc2008" when Spring 1901 of board 1.1 was published, "edc2023" since number'
    assert told in run("status", folder)
    assert 'the tournament is "European Diplomacy Championship' in run("journal", folder)
    edit(folder, '"edc2023"', '"nosuch"')
    done = CliRunner().invoke(group, ["status", str(folder)])
    assert isinstance(done.exception, Stopped)


@pytest.mark.parametrize(("encoding", "line"), [("latin-1", 2), ("utf-16", 1)])
def test_a_file_that_an_old_editor_saved_is_told_with_the_line(folder: Path, encoding: str, line: int) -> None:
    path = folder / "event.toml"
    path.write_bytes(("\n# édité\n" + path.read_text("utf-8")).encode(encoding))
    refused = CliRunner().invoke(group, ["status", str(folder)]).exception
    assert str(refused).endswith(f"event.toml: not saved as UTF-8 (line {line}); save it as UTF-8")
