"""Everything that players get on paper in German and French: no English word on it, and nothing that is cut."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sampled import slow_after

from desk.abroad import english_in, seated_abroad, words_on
from desk.cup import NAMES, clock
from desk.moot import play_on
from pipeline.board import Phase
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.players import seats_of
from pipeline.desk.publish.publish import write_cards
from pipeline.desk.sheets.printing import PrintWish, print_round, printed_again
from pipeline.desk.signs import seats_pdf
from pipeline.draw.roster import Player
from pipeline.ledger.events import SheetsPrinted
from pipeline.paper import canvas
from pipeline.paper.form import FormKind
from pipeline.paper.places_to_write import places_to_write
from pipeline.paper.sheet_rows import Design

LANGUAGES = ("de", "fr")
PAPERS = ("A4", "A5", "LETTER")
RETREATS, WINTER = Phase.read("S1901R"), Phase.read("W1901A")
WISHES = (
    PrintWish(),
    PrintWish(design=Design.LINE),
    PrintWish(design=Design.LINE, phase=RETREATS),
    PrintWish(design=Design.LINE, phase=WINTER),
    PrintWish(phase=RETREATS),
    PrintWish(phase=WINTER),
    PrintWish(pads=2),
    PrintWish(for_beginners=True),
)
FORMS = {  # where each can be printed
    "weaselmoot": (FormKind.BOARD, FormKind.VOTE, FormKind.SAMPLE),
    "nzdc1999": (FormKind.TEAM, FormKind.GAME),
    "edc1996": (FormKind.RATINGS,),
}


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that did not fit where they were written, even in two thirds of their size."""
    found: list[str] = []
    whole = canvas._fit_text

    def watched(text: str, font: str, size: float, within: float) -> tuple[str, float]:
        shown, small = whole(text, font, size, within)
        if shown != text:
            found.append(text)
        return shown, small

    monkeypatch.setattr(canvas, "_fit_text", watched)
    return found


@contextmanager
def cup(folder: Path, language: str, paper: str, tournament: str) -> Iterator[Event]:
    """The small event under some tournament's rules, for players of a language."""
    details = Details(name="Test Cup", code="TEST", tournament=tournament, paper=paper, language=language)
    make_event_folder(folder, details, [Player(name=name) for name in NAMES.values()], clock)
    with open_event(folder, clock) as event:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
        yield event


@pytest.mark.parametrize("paper", slow_after(1, PAPERS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_say_no_english_word_and_nothing_on_them_is_cut(
    tmp_path: Path, cut: list[str], language: str, paper: str
) -> None:
    with open_event(seated_abroad(tmp_path / "cup", language, paper), clock) as event:
        for wish in WISHES:
            text = words_on(print_round(event, 1, wish=wish).pdf)
            assert english_in(text, language) == set(), wish
        seats = words_on(seats_pdf(event, seats_of(event, 1)))
        assert english_in(seats, language) == set()
    assert cut == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_printed_in_a_language_is_printed_again_in_it(tmp_path: Path, language: str) -> None:
    folder = seated_abroad(tmp_path / "cup", language)
    with open_event(folder, clock) as event:
        printed = print_round(event, 1)
    text = (folder / "event.toml").read_text("utf-8")
    (folder / "event.toml").write_text(text.replace("[event]\n", '[event]\nlanguage = "en"\n', 1), "utf-8")
    with open_event(folder, clock) as event:
        assert event.speech.code == "en", "the event's word goes before the rules'"
        (fact,) = event.facts.select(SheetsPrinted)
        assert printed_again(event, fact.number) == printed.pdf


@pytest.mark.parametrize("tournament", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_say_no_english_word_and_nothing_on_them_is_cut(
    tmp_path: Path, cut: list[str], language: str, tournament: str
) -> None:
    with cup(tmp_path / "cup", language, "A4", tournament) as event:
        games = event.tournament.scoring.board_games
        names = " ".join((*(games.weights if games else ()), *places_to_write(event.tournament.abbreviations)))
        for kind in FORMS[tournament]:
            text = words_on(print_wanted(event, Wanted(kind=kind)).pdf)
            assert english_in(text, language) - set(names.casefold().split()) == set(), kind
    assert [text for text in cut if text not in names] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_maps_say_no_english_word(tmp_path: Path, language: str) -> None:
    with open_event(seated_abroad(tmp_path / "cup", language), clock) as event:
        play_on(event, "1.1", "F1904M")
        made, _ = write_cards(event, find_game(event, "1"))
        assert len(made) >= 18
        for path in made:
            assert english_in(words_on(path.read_bytes()), language) == set(), path.name
