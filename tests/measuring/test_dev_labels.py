"""Letters whose label is not what is drawn: what is never written with, and what is told apart."""

from pathlib import Path

import numpy as np
import pytest

from training.dev_labels import SEEN, leave_out_wrong_labels, mark_as_seen, seen_as_another, wrong_labels


def test_no_letter_is_in_both_lists() -> None:
    wrong, others = wrong_labels(), seen_as_another()
    assert not [key for key in wrong if set(wrong[key]) & set(others.get(key, ()))]


def test_letters_are_marked_by_the_numbers_they_have_before_others_are_left_out() -> None:
    wrong, others = wrong_labels(), seen_as_another()
    bank: dict[str, dict[str, dict[str, list[dict[str, object]]]]] = {}
    for writer, label in (*wrong, *others):
        bank.setdefault(writer, {"glyphs": {}})["glyphs"][label] = [{"number": number} for number in range(200)]
    mark_as_seen(bank)
    leave_out_wrong_labels(bank)
    for writer, hand in bank.items():
        for label, letters in hand["glyphs"].items():
            assert not {one["number"] for one in letters} & set(wrong.get((writer, label), ()))
            marked = {one["number"]: one[SEEN] for one in letters if SEEN in one}
            assert marked == others.get((writer, label), {})


@pytest.mark.slow
def test_a_text_with_such_a_letter_says_so(shared: Path) -> None:
    from benchmarks.whole_sheets.people import bank, write  # noqa: PLC0415 - needs the hands

    assert shared.is_dir()
    hands = bank().B  # type: ignore[attr-defined]
    writer, label = next(
        key for key in seen_as_another() if all(SEEN in one for one in hands[key[0]]["glyphs"][key[1]])
    )
    assert write(label, writer, 3.0, np.random.default_rng(1)).has_another
    plain = next(key for key, some in hands[writer]["glyphs"].items() if not any(SEEN in one for one in some))
    assert not write(plain, writer, 3.0, np.random.default_rng(1)).has_another
