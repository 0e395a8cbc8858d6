"""Gaps in the ink part words in a free reading, and tear them where a reading has none."""

from itertools import pairwise, product

import numpy as np
import pytest

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.free import (
    free_text,
    gain_as,
    gain_of_further_signs,
    gaps_of,
    has_sign,
    laid_along,
    reaches_beyond,
    with_air,
)
from pipeline.reading.free import is_torn as torn
from pipeline.reading.lattice import Frames
from pipeline.reading.network import OURS, Ink

FRAME, LETTER, WORD = 4, 3, 6  # columns a frame; frames of a letter and its gap; frames of a gap between words


def written(text: str) -> tuple[Frames, Ink]:
    """Frames and ink of a text: each letter a frame and eight columns, spaces as wide as they are written.

    A ``_`` is a frame more between two letters, a ``=`` no paper at all.
    """
    frames: list[int] = []
    inked: list[bool] = []
    for before, symbol in pairwise(f" {text.lower()}"):
        if symbol == " ":
            frames += [BLANK] * WORD
            inked += [False] * WORD * FRAME
        elif symbol == "_":
            frames.append(BLANK)
            inked += [False] * FRAME
        elif symbol == "=":
            inked[-2:] = [True] * 2
        else:
            frames += [BLANK, CLASS_OF[symbol], BLANK]
            inked += [before == "="] * 2 + [True] * (LETTER * FRAME - 4) + [False] * 2
    shown = np.full((len(frames), CLASSES), 1e-4)
    shown[np.arange(len(frames)), frames] = 1 - 1e-4 * (CLASSES - 1)
    return shown, np.tile(np.array(inked, np.float32), (OURS.rows, 1))


def is_torn(text: str, frames: Frames, ink: Ink) -> bool:
    """Whether a gap tears a word of a reading."""
    apart = gaps_of(text, frames, ink)
    return apart is None or torn(text, apart)


def test_wide_gaps_and_dashes_part_words() -> None:
    assert free_text(*written("a rum-bul")) == "A RUM - BUL"
    assert free_text(*written("a ru m- bul")) == "A RU M - BUL"


@pytest.mark.parametrize("line", ["a rum - bul", "arum-bul", "a r u m - b u l", "a spa(nc) - mao", "a spa (nc)-mao"])
def test_evenly_spaced_words_are_whole(line: str) -> None:
    read = "A SPA NC - MAO" if "spa" in line else "A RUM - BUL"
    assert not is_torn(read, *written(line))


@pytest.mark.parametrize(
    ("line", "read"),
    [("a ru m- bul", "A RUM - BUL"), ("flo n- nth", "F LON - NTH"), ("f nap support sf ion", "F NAP SUPPORTS F ION")],
)
def test_a_gap_wider_than_at_a_words_end_tears_it(line: str, read: str) -> None:
    assert is_torn(read, *written(line))


def test_gaps_are_seen_above_a_line_to_write_on() -> None:
    frames, ink = written("a ru m- bul")
    ink[-6:-4] = 1
    assert is_torn("A RUM - BUL", frames, ink)
    assert free_text(frames, ink) == "A RU M - BUL"


def with_speck(line: str, behind: str, top: int, size: int = 5) -> tuple[Frames, Ink]:
    """A text, and a speck at the end of the gap behind one of its letters."""
    frames, ink = written(line)
    letter = int(np.flatnonzero(frames.argmax(1) == CLASS_OF[behind])[0])
    inked = np.asarray(ink.any(0))
    starts = np.flatnonzero(inked[1:] & ~inked[:-1]) + 1
    end = int(starts[starts > letter * FRAME][0])
    ink[top : top + size, end - size - 2 : end - 2] = 1
    return frames, ink


HIGH, ON_THE_LINE = 4, 30


def test_a_letter_ends_where_its_dot_does() -> None:
    read, line = "A KIE - MUN", "a ki e- mun"
    assert is_torn(read, *written(line))
    assert not is_torn(read, *with_speck(line, "i", HIGH))
    assert is_torn(read, *with_speck(line, "i", ON_THE_LINE)), "a stop is no dot"
    assert is_torn(read, *with_speck(line, "i", 0, size=16)), "nor is a stroke"
    assert free_text(*with_speck(line, "i", HIGH)) == "A KIE - MUN"
    assert is_torn("A RUM - BUL", *with_speck("a ru m- bul", "u", HIGH)), "a u has none"


def test_letters_that_were_read_otherwise_are_looked_for_where_they_lie_best() -> None:
    assert is_torn("A RUM - BUL", *written("a ru n- bul"))
    assert not is_torn("A RUM - BUL", *written("a run - bul"))
    assert not is_torn("A RUM - BUL", *written("a rvm- bul"))


def beside(line: str, before: int, behind: int, height: int = OURS.rows) -> tuple[Frames, Ink]:
    """A text, and strokes of this height so many columns before and behind it that the net takes for paper."""
    frames, ink = written(line)
    room = -(-max(before, behind, 1) // FRAME) + 3
    blank = np.full((room, CLASSES), 1e-4)
    blank[:, BLANK] = 1 - 1e-4 * (CLASSES - 1)
    wide = np.pad(ink, ((0, 0), (room * FRAME, room * FRAME)))
    top = (OURS.rows - height) // 2
    if before:
        at = room * FRAME + 2 - before
        wide[top : top + height, at - 4 : at] = 1
    if behind:
        at = wide.shape[1] - room * FRAME - 2 + behind
        wide[top : top + height, at : at + 4] = 1
    return np.concatenate([blank, frames, blank]), wide


def more(shown: tuple[Frames, Ink], text: str = "A VIE - GAL") -> bool:
    """Whether more is written than a text, where no digit is expected."""
    return has_sign(text, shown[0], "0123456789") or reaches_beyond(*shown, "0123456789")


def test_ink_beside_the_letters_that_the_net_has_no_class_for_is_told() -> None:
    assert not more(written("a vie - gal"))
    assert not more(beside("a vie - gal", 0, 0))
    assert more(beside("a vie - gal", 0, 24))
    assert more(beside("a vie - gal", 26, 0))


def test_a_last_letter_may_run_out_a_little_further_than_other_ink_may_stand_behind_it() -> None:
    def running_out(columns: int) -> tuple[Frames, Ink]:
        frames, ink = beside("a vie - gal", 0, columns)
        ends = np.flatnonzero(ink.any(0))[-1]
        ink[OURS.rows // 2 - 4 : OURS.rows // 2 + 5, ends - columns - 10 : ends] = 1  # from within the letter
        return frames, ink

    assert more(beside("a vie - gal", 0, 24))
    assert not more(running_out(24))
    assert more(running_out(50))


@pytest.mark.parametrize(("off", "told"), [(2, False), (4, True)])
def test_a_stroke_that_all_but_touches_the_last_letter_is_part_of_it(off: int, told: bool) -> None:
    """The right stem of an H, 0.07 ink heights off or 0.15, which ends 1.1 behind where the letter was seen."""
    frames, ink = beside("a vie h", 0, 24)
    ends = np.flatnonzero(ink.any(0))[-1]
    letter = int(np.flatnonzero(ink[:, : ends - 4].any(0))[-1])
    ink[:, letter + 1 + off : ends + 1] = 1
    assert more((frames, ink)) is told


def test_a_full_stop_and_a_broken_letter_are_no_more_than_the_letters() -> None:
    assert not more(beside("a vie - gal", 0, 24, height=5))
    assert not more(beside("a vie - gal", 6, 6))


@pytest.mark.parametrize("line", ["f spa(nc) - mao", "f spa/nc-mao", "a bul s f stp/sc", "f mao - spa(sc)", "avie-gal"])
def test_brackets_that_set_off_a_coast_are_no_more_than_the_letters(line: str) -> None:
    assert not more(written(line), line)


@pytest.mark.parametrize("line", ["a vie-gal)", "a vie-gal/", "/a vie-gal", "a vie(gal", "(a vie-gal)", "a vi/(e)-gal"])
def test_brackets_that_set_off_nothing_may_be_signs_that_the_net_does_not_know(line: str) -> None:
    assert more(written(line))


@pytest.mark.parametrize(
    ("line", "text", "stroked"),
    [
        ("a vie-gal", "A VIE - GAL", "A VIE - GAL"),
        ("a/vie/-gal/", "A VIE - GAL", "A/VIE/- GAL/"),
        ("/a vi/e-gal", "A VIE - GAL", "/A VI/E - GAL"),
        ("f spa/sc-mao", "F SPA SC - MAO", "F SPA/SC - MAO"),
        ("f spa(sc)-mao", "F SPA SC - MAO", "F SPA (SC) - MAO"),
        ("a par(s a mar)-bur", "A PAR S A MAR - BUR", "A PAR (S A MAR) - BUR"),
        ("(a vie-gal)", "A VIE - GAL", "(A VIE - GAL)"),
        ("a vie-(gal", "A VIE - GAL", "A VIE - (GAL"),
    ],
)
def test_brackets_and_strokes_between_letters_stand_where_a_net_sees_them(line: str, text: str, stroked: str) -> None:
    frames, _ = written(line)
    silent = frames.copy()
    for sign in "()/":
        silent[:, BLANK] += silent[:, CLASS_OF[sign]]
        silent[:, CLASS_OF[sign]] = 0.0
    assert with_air(text, frames, silent) == stroked


def test_a_stroke_that_was_read_as_a_letter_is_none() -> None:
    frames, _ = written("a v/e-gal")
    frames[:, CLASS_OF["i"]] += 0.2 * frames[:, CLASS_OF["/"]]
    frames[:, CLASS_OF["/"]] *= 0.8
    silent = frames.copy()
    silent[:, BLANK] += silent[:, CLASS_OF["/"]]
    assert with_air("A VIE - GAL", frames, silent) == "A VIE - GAL"


def test_a_digit_beside_the_letters_is_more_and_one_in_place_of_a_letter_is_that_letter() -> None:
    assert more(written("a vie - gal7"))
    assert more(written("7a vie - gal"))
    assert not more(written("a vie - b0h"), "A VIE - BOH")
    assert not has_sign("A VIE - GAL7", written("a vie - gal7")[0], "")


def every_way(text: str, frames: Frames) -> list[tuple[float, list[int]]]:
    """Every alignment of a text, by its log likelihood: what each frame shows, and where each letter begins."""
    ways = []
    signs = [BLANK, *{CLASS_OF[letter] for letter in text}]
    for shown in product(signs, repeat=len(frames)):
        begins = [at for at, (before, sign) in enumerate(pairwise((BLANK, *shown))) if sign not in (BLANK, before)]
        if [shown[at] for at in begins] == [CLASS_OF[letter] for letter in text]:
            ways.append((float(sum(np.log(frames[at, sign]) for at, sign in enumerate(shown))), begins))
    return ways


@pytest.mark.parametrize("text", ["", "a", "ab", "aa", "aba", "abb", "abc"])
def test_a_text_is_laid_along_its_likeliest_alignment_of_all(text: str) -> None:
    chance = np.random.default_rng(len(text))
    for _ in range(6):
        frames = np.full((6, CLASSES), 1e-3)
        frames[:, [BLANK, *map(CLASS_OF.__getitem__, "abc")]] = chance.dirichlet(np.ones(4), 6)
        best, begins = max(every_way(text, frames))
        assert laid_along(text, frames) == list(zip(text, begins, strict=True))
        assert gain_as(text, "c", frames) == pytest.approx(best - max(every_way("c", frames))[0])
        free = frames.copy()
        free[:, BLANK] = frames.max(1)
        more = gain_of_further_signs(text, frames)
        assert more == pytest.approx(max(every_way(text, free))[0] - best)
