"""What of the dev split is labelled as what it is not, listed by eye in `dev_labels.toml`.

What is no letter, or not the one that its label says, is never written with. What is seen as another by all who name it
alone, three times over, is written with and marked, so that rows that hold such a letter can be told apart.
"""

import tomllib
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

LISTED = Path(__file__).with_suffix(".toml")
SEEN = "seen"  # of a letter of a bank: as which other one it is seen

Letters = dict[
    tuple[str, str], dict[int, str]
]  # by writer and label, their numbers in the bank, and what is seen there


def wrong_labels() -> Letters:
    """The letters that are not written with."""
    return listed("glyphs")


def seen_as_another() -> Letters:
    """The letters that are seen as another one."""
    return listed("seen_as_another")


def listed(name: str) -> Letters:
    """One list of the file."""
    found: Letters = {}
    for one in tomllib.loads(LISTED.read_text("utf-8"))[name]:
        found.setdefault((one["writer"], one["label"]), {})[one["number"]] = one["seen"]
    return found


def mark_as_seen(bank: MutableMapping[str, Any]) -> None:
    """Mark the letters of a bank that are seen as another one; before any are left out, which moves their numbers."""
    for (writer, label), numbers in seen_as_another().items():
        if writer not in bank:
            continue
        for number, seen in numbers.items():
            bank[writer]["glyphs"][label][number][SEEN] = seen


def leave_out_wrong_labels(bank: MutableMapping[str, Any]) -> None:
    """Take the listed letters out of the writers of a bank (handwriting/tools/compose.py, ``Bank.B``)."""
    for (writer, label), numbers in wrong_labels().items():
        if writer not in bank:
            continue
        glyphs = bank[writer]["glyphs"]
        left = [glyph for number, glyph in enumerate(glyphs.get(label, [])) if number not in numbers]
        if left:
            glyphs[label] = left
        else:
            glyphs.pop(label, None)
