"""Which files hold the newest fact of which others: asked of every two, of their rows in memory and of the files."""

from contextlib import closing
from itertools import product
from pathlib import Path

from pipeline.ledger.copies import Copy, contains_tip, facts_to_read, holds_or_left
from pipeline.ledger.events import EventRestored
from pipeline.ledger.verification import FIRST, Snapshot, link_of, sum_of

MOMENTS = {"r": "2026-03-02", "R": "2026-03-04"}
HISTORIES = ("", "a", "ab", "abc", "ax", "axc", "z", "zb", "zbc", "abr", "axR", "axRc", "zR")  # a letter is a fact


def snapshot(path: Path, letters: str) -> Snapshot:
    """The facts of a history: each letter's is the same at the same place; r and R are restorations."""
    rows = tuple(
        (number, MOMENTS.get(letter, "2026-03-01"), letter, EventRestored.KIND if letter in "rR" else "x", "{}")
        for number, letter in enumerate(letters, start=1)
    )
    links = [FIRST]
    for row in rows:
        links.append(link_of(links[-1], sum_of(*row)))
    return Snapshot(path, rows, tuple(links[1:]))


def test_a_file_holds_a_copy_that_began_alike_and_whose_newest_fact_is_in_it_or_it_left_it_on_purpose(
    tmp_path: Path,
) -> None:
    kept = [snapshot(tmp_path / f"{number}.db", letters) for number, letters in enumerate(HISTORIES)]
    for each in kept:
        each.write_to(each.path)
    for (here, one), (there, other) in product(zip(kept, HISTORIES, strict=True), repeat=2):
        tip = there.tip()
        holds = bool(other) and one[:1] == other[0] and one[len(other) - 1 : len(other)] == other[-1]
        assert here.has(tip) == holds, (one, other)
        with closing(facts_to_read(here.path)) as connection:
            assert contains_tip(connection, tip) == holds, (one, other)
            for at in ("2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"):
                copy = Copy(name="", code="", number=1, tip=tip, at=at, files={}, folder=tmp_path)
                left = one[:1] == other[:1] and at < max((MOMENTS.get(letter, "") for letter in one), default="")
                assert holds_or_left(connection, copy) == (holds or left), (one, other, at)
