"""Every catalogue stands in step with the program, the pages and the templates, and nothing is missing in it.

The English one has a sentence for each code, the others say all that players see.
"""

import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog

from languages import catalogues
from languages.catalogues import (
    FOLDER,
    as_mo,
    as_po,
    catalogue_of,
    collected,
    in_step,
    kinds,
    languages,
    said_in,
    unwritten,
)
from pipeline.words import speech
from pipeline.words.speech import ENGLISH, Speech, wording

LANGUAGES = languages()
TRANSLATED = tuple(sorted({*LANGUAGES} - {ENGLISH}))
PLACE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]C)?\b")


def said(found: Catalog) -> dict[str, str]:
    """What a catalogue says, by text; before a code stands its enum, as gettext keeps them."""
    texts = (message for message in found if message.id)
    return {"\x04".join(filter(None, (each.context, str(each.id)))): str(each.string) for each in texts}


def fields_of(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_english_french_and_german_can_be_chosen() -> None:
    assert speech.languages() == ("en", "de", "fr")
    assert set(LANGUAGES) == {"de", "en", "fr"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_every_code_has_a_sentence_and_nobody_doubts_it(language: str) -> None:
    assert unwritten(catalogue_of(language)) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_texts_of_now_and_no_others(language: str) -> None:
    assert set(said(catalogue_of(language))) == set(said(collected(language))), "say: python -m languages"


def test_a_text_within_an_f_string_is_found() -> None:
    assert list(said_in("""f'{self.says("in doubt")}: {why}', says(""), print("no text")""")) == ["in doubt"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_same_places_for_data(language: str) -> None:
    texts, english = said(catalogue_of(language)), said(catalogue_of(ENGLISH))
    assert {text: fields_of(texts[text]) for text in texts} == {
        text: fields_of(english.get(text, text)) for text in texts
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_the_codes_of_places_and_blanks_at_its_ends(language: str) -> None:
    english = said(catalogue_of(ENGLISH))
    for key, other in said(catalogue_of(language)).items():
        text = english.get(key, key)
        assert set(PLACE.findall(text)) - {"YES"} <= set(PLACE.findall(other)) | {"BUR"}, text
        assert len(other) - len(other.rstrip()) == len(text) - len(text.rstrip()), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_program_reads_is_made_of_what_people_translate(language: str) -> None:
    made = GNUTranslations(BytesIO(as_mo(catalogue_of(language))))
    read = GNUTranslations(BytesIO((FOLDER / f"{language}.mo").read_bytes()))
    texts = said(catalogue_of(language))
    assert {text: read.gettext(text) for text in texts} == {text: made.gettext(text) for text in texts} == texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_kept_in_step_again_a_catalogue_stays_as_it_is(language: str) -> None:
    def bare(text: bytes) -> str:
        return re.sub('"Generated-By: .*\n', "", text.decode())

    assert bare(as_po(in_step(language))) == bare((FOLDER / f"{language}.po").read_bytes())


def test_a_new_language_begins_with_every_text_unwritten() -> None:
    assert set(unwritten(in_step("es"))) == set(said(collected("es")))


def test_codes_of_two_enums_are_not_confused() -> None:
    names = [kind.__name__ for kind in kinds()]
    assert len({*names}) == len(names)


def test_a_translator_may_add_the_sentence_for_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german = catalogue_of("de")
    german.add("STRUCK_OUT", "durchgestrichen", context="Note")
    german.add("NO_CODE", "unbekannt", context="Note")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    (tmp_path / "de.po").write_bytes(as_po(german))
    kept = said(in_step("de"))
    assert kept.pop("Note\x04STRUCK_OUT") == "durchgestrichen"
    assert set(kept) == set(said(collected("es")))


def test_a_code_without_a_sentence_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    assert "Note STRUCK_OUT" in unwritten(in_step(ENGLISH))


def test_a_sentence_is_said_with_all_that_it_is_made_of() -> None:
    own = wording("stands")
    text = wording("{own}, dislodged by {order}", own=own, order="A TRI - VEN")
    assert Speech().says(text) == "stands, dislodged by A TRI - VEN"
    assert Speech("de", {"VEN": "VED"}).says(text) == "hält, vertrieben durch A TRI - VED"
    taken = wording("{power} takes {places}", power="Austria", places=("SER", "VEN"))
    assert Speech("fr").says(taken) == "Autriche prend SER, VEN"


def test_names_of_people_stay_as_they_are() -> None:
    assert Speech("de", {"VEN": "VED"}).says("{player} (before: {others})", player="Tom VEN", others="Italy") == (
        "Tom VEN (vorher: Italy)"
    )
