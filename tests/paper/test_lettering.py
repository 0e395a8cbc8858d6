"""Every name is printed with its own letters, out of fonts that the file carries."""

import sys
import unicodedata
from importlib import resources
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline.paper import lettering
from pipeline.paper.lettering import BOLD, REGULAR, draw_text, unprintable_names, width_in_points

NAMES = ["Łukasz Żółć", "Nguyễn Thị Phương", "Γιώργος Παπαδόπουλος", "Дмитрий Щербаков", "Zoë O’Neill"]


def page_of(name: str, font: str) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pageCompression=0, invariant=1)
    draw_text(canvas, 50, 500, name, font, 12)
    canvas.save()
    return out.getvalue()


@pytest.mark.parametrize("font", [REGULAR, BOLD])
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_printed_with_its_own_letters_and_the_font_is_in_the_file(name: str, font: str) -> None:
    data = page_of(name, font)

    with pypdfium2.PdfDocument(data) as document:
        assert document[0].get_textpage().get_text_range().strip() == name
    assert b"FontFile2" in data
    assert page_of(name, font) == data, "the same strokes give the same bytes"


# as they come with Linux, macOS and Windows, those liked best first
FONTS = (
    "NotoSansThai-Regular.ttf", "DejaVuSans.ttf", "arial.ttf", "Arial Unicode.ttf", "ARIALUNI.TTF",
    "DroidSansFallbackFull.ttf", "wqy-zenhei.ttc", "msgothic.ttc", "meiryo.ttc", "YuGothR.ttc", "malgun.ttf",
    "msyh.ttc", "simsun.ttc", "simhei.ttf", "segoeui.ttf", "tahoma.ttf", "FreeSans.ttf", "unifont.ttf",
)  # fmt: skip


def test_every_font_that_systems_bring_is_found_the_best_first_and_no_file_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    font = resources.files("pipeline.paper").joinpath("fonts", "LiberationSans-Regular.ttf").read_bytes()
    for name in (*FONTS, "NotoSans-Bold.ttf", "Other.ttf", "arialbi.ttf", "seguisym.ttf"):
        (tmp_path / name).write_bytes(font)
    (tmp_path / "NotoSans.afm").write_bytes(b"")
    monkeypatch.setattr(lettering, "FONT_FOLDERS", {sys.platform: (str(tmp_path),)})
    for most in (len(FONTS), 1):
        monkeypatch.setattr(lettering, "MOST_FILES", most)
        found = lettering._fonts_here.__wrapped__()
        assert found == tuple(f"machine-{Path(name).stem}" for name in FONTS[:most])


def test_what_has_no_form_of_its_own_needs_no_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "_fonts_here", lambda: ())
    lettering._font_for.cache_clear()
    unseen = [each for each in map(chr, range(sys.maxunicode)) if unicodedata.category(each) in ("Cf", "Zs")]
    assert unprintable_names(["Ana" + "".join(unseen)]) == ()
    lettering._font_for.cache_clear()


def test_a_letter_that_no_font_has_is_told_and_printed_as_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "_fonts_here", lambda: ())
    lettering._font_for.cache_clear()
    lettering._split_by_font.cache_clear()
    try:
        [problem] = unprintable_names(["Ana Silva", "山田 Li"])
        assert (problem.where, "山田" in problem.text) == ("山田 Li", True)
        assert lettering._split_by_font("山田 Li", REGULAR) == ((REGULAR, "□□ Li"),)
        assert width_in_points("山田", REGULAR, 10) == width_in_points("□□", REGULAR, 10)
    finally:
        lettering._font_for.cache_clear()
        lettering._split_by_font.cache_clear()


@pytest.mark.parametrize(
    ("letters", "fonts", "install"),
    [
        ("\u5c71", (), "WenQuanYi"),
        ("\u5c71\ua757", (), "WenQuanYi"),  # one of them is enough
        ("\ua757", (), "DejaVu Sans"),
        ("\ua757", ("machine-DejaVuSans",), "the Noto font of their script"),
    ],
)
def test_a_font_is_named_that_has_the_letters_and_is_not_here(
    letters: str, fonts: tuple[str, ...], install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lettering, "_fonts_here", lambda: fonts)
    assert lettering._font_with(letters).startswith(install)


@pytest.mark.parametrize("fonts", [("machine-thai",), ()])
def test_a_mark_over_a_letter_is_printed_with_its_own_font_or_told(
    fonts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vowels of Thai and Hindi are such marks: without them another name stands on the sheet."""
    monkeypatch.setattr(lettering, "_fonts_here", lambda: fonts)
    monkeypatch.setattr(lettering, "_has_letter", lambda font, letter: (font == "machine-thai") == (letter >= "\u0e00"))
    lettering._font_for.cache_clear()
    lettering._split_by_font.cache_clear()
    try:
        told = "".join(problem.text for problem in unprintable_names(["\u0e27\u0e34\ufe0f"]))
        shown = lettering._split_by_font("\u0e27\u0e34\ufe0f", REGULAR)
    finally:
        lettering._font_for.cache_clear()
        lettering._split_by_font.cache_clear()
    assert shown == ((("machine-thai", "\u0e27\u0e34"),) if fonts else ((REGULAR, "□□"),))
    assert told == "" if fonts else "shows \u0e27\u0e34:" in told


def test_letters_of_one_look_are_one_whatever_they_are_made_of() -> None:
    assert page_of("Zoe\u0308", REGULAR) == page_of("Zo\u00eb", REGULAR)


def test_arabic_letters_are_joined_and_run_from_right_to_left() -> None:
    shown = lettering._in_visual_order("\u0645\u062d\u0645\u062f 7")

    assert shown.endswith(" 7")
    assert [letter for letter in shown if letter.isalpha()] == ["\ufeaa", "\ufee4", "\ufea4", "\ufee3"]


def test_a_space_that_is_not_broken_is_a_space() -> None:
    assert page_of("1\u00a0an\u202f: Zo\u00eb", REGULAR) == page_of("1 an : Zo\u00eb", REGULAR)
