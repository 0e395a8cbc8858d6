"""The language of what players see: chosen by the rules or by the event, checked with everything else."""

from pathlib import Path

import pytest
import tomlkit

from desk.abroad import rules_abroad
from desk.cup import seated
from pipeline.desk.event.event_file import read_event_file
from pipeline.paper.load_form import read_form
from pipeline.paper.load_sheet import read_template, translate_template
from pipeline.problems import Stopped
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.small_files import data_folder
from pipeline.words.speech import IN_ENGLISH, Speech, speech_of


def set_in(folder: Path, line: str) -> None:
    file = folder / "event.toml"
    file.write_text(file.read_text("utf-8").replace("[event]\n", f"[event]\n{line}\n", 1), "utf-8")


def test_an_unknown_language_is_told_with_all_other_faults_of_the_rules(tmp_path: Path) -> None:
    path = rules_abroad(tmp_path, "de")
    text = path.read_text("utf-8").replace('language = "de"', 'language = "deu"').replace('"standard"', '"stand"', 1)
    path.write_text(text, "utf-8")
    with pytest.raises(Stopped) as stopped:
        load_tournament(path)
    assert [str(problem) for problem in stopped.value.problems] == [
        "stops  de.toml tournament.language: 'deu' is not one of en, de, fr; did you mean 'de'?",
        "stops  de.toml tournament.map: 'stand' is not one of standard, sandard; did you mean 'standard'?",
    ]


def test_an_unknown_language_is_told_with_all_other_faults_of_the_event(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    set_in(folder, 'language = "german"\nbackup_minutes = 0')
    with pytest.raises(Stopped) as stopped:
        read_event_file(folder / "event.toml")
    assert {problem.where for problem in stopped.value.problems} == {
        "event.toml.event.backup_minutes",
        "event.toml.event.language",
    }
    assert "'german' is not one of en, de, fr" in "; ".join(problem.text for problem in stopped.value.problems)


@pytest.mark.parametrize("name", tournament_ids())
def test_the_tournaments_that_ship_are_in_english_and_print_the_codes_of_the_map(name: str) -> None:
    rules = load_tournament(name)
    assert rules.language == "en"
    assert rules.speech == IN_ENGLISH
    for code in ("de", "fr"):
        other = rules.in_language(code)
        assert (other.language, other.speech == IN_ENGLISH) == (code, False)
        assert not other.abbreviations.prints_own, "its table is in no one language"
        assert (other.in_language("en").language, other.in_language("en").speech) == ("en", IN_ENGLISH)


@pytest.mark.parametrize("path", sorted(data_folder("templates/sheets").rglob("*.toml")), ids=lambda path: path.stem)
def test_a_template_in_english_is_the_file_itself(path: Path) -> None:
    text = path.read_text("utf-8")
    assert translate_template(text, IN_ENGLISH) == text
    assert translate_template(text, Speech("de")) != text


@pytest.mark.parametrize(("name", "table"), [("a4", "paper"), ("forms/vote", "form")])
def test_the_tables_of_a_template_may_stand_in_any_order(name: str, table: str) -> None:
    file = tomlkit.parse((data_folder("templates/sheets") / f"{name}.toml").read_text("utf-8"))
    file.append(table, file.pop(table))
    translated = translate_template(tomlkit.dumps(file), speech_of("de"))
    read = read_template if table == "paper" else read_form
    assert read(translated, name).language == "de"


def test_a_template_that_is_no_toml_is_translated_to_itself_and_refused_when_it_is_read() -> None:
    translated = translate_template("[paper", speech_of("de"))
    with pytest.raises(Stopped, match="not TOML"):
        read_template(translated, "mine.toml")


def test_a_language_that_this_edition_does_not_know_is_printed_in_english() -> None:
    assert speech_of("xx") is IN_ENGLISH
