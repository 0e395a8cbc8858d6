"""What of the dev split is labelled as what it is not: listed by eye in `dev_labels.toml`, and never written with."""

import tomllib
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

LISTED = Path(__file__).with_suffix(".toml")


def wrong_labels() -> dict[tuple[str, str], set[int]]:
    """The letters, by writer and label: their numbers in the bank."""
    found: dict[tuple[str, str], set[int]] = {}
    for one in tomllib.loads(LISTED.read_text("utf-8"))["glyphs"]:
        found.setdefault((one["writer"], one["label"]), set()).add(one["number"])
    return found


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
