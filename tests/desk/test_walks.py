"""Whatever happens at a table, in whatever order: what nobody asked about is adjudicated as it was written."""

from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from sampled import slow_after

from desk.papers import ROWS
from desk.table import WRITERS
from desk.walk import Walk
from pipeline.ledger.parts import SheetDecision

TOURNAMENTS = ("weaselmoot", "edc2023", "nzdc1999", "wdc2008", "edc1996")

LATER = (SheetDecision.LATE_READING, SheetDecision.LATE_DEMANDED)
DECISIONS = [decision for decision in SheetDecision if decision not in LATER]
SLIPS = ["", "", "", "", "", "unsigned", "ticks", "outside", "torn", "strange"]
WALKS, STEPS = 10, 25
LATE_PAGE, SCANNED_BADLY, RULED_BESIDE, NAMED_AFTER = 6005, 6006, 6018, 6081  # walks on which the table was wrong once

Action = tuple[str, dict[str, Any]]


def steps(random: Random, *, in_any_order: bool = False) -> Iterator[Action]:
    """What happens on one walk; most of it happens to one power, and one director does most.

    ``in_any_order``: what was decided is taken back in the journal, too, whatever was decided since.
    """
    power = partial(random.choice, [*WRITERS[:1] * 3, *WRITERS])
    by = partial(random.choice, ["Tess", "Tess", "Tess", "Ann"])
    which = partial(random.choice, [0, 0, 1, 1, 2, 3, 4, 5])
    for _ in range(STEPS):
        how = "".join(random.choices("am?0g", [4, 1, 1, 1, 1], k=ROWS))  # accepted, marked, asked: "?", "", rightly
        ink = [random.randint(-1, 12) for _ in range(random.randint(1, 3))]  # a line that may be written; -1: none
        slip, struck = random.choice(SLIPS), random.choice([-1, -1, 0, 1, 2])
        decision, yes = random.choice(DECISIONS), random.random() < 1 / 2
        actions: list[tuple[int, Action]] = [
            (20, ("hand_in", {"power": power(), "which": which(), "ink": ink, "how": how, "slip": slip})),
            (7, ("scan_again", {"which": which(), "how": how, "struck": struck})),
            (7, ("name_a_page", {"which": which(), "by": by()})),
            (13, ("rule_on_a_row", {"power": power(), "which": which(), "says_text": yes, "by": by()})),
            (13, ("rule_on_a_sheet", {"power": power(), "decision": decision, "which": which(), "by": by()})),
            (3, ("type_the_sheet", {"power": power(), "ink": ink, "by": by()})),
            (3, ("check_a_row", {"power": power(), "which": which(), "by": by()})),
            (10, ("undo", {"by": by(), "and_back": yes})),
            (7, ("redo", {"by": by()})),
            (1, ("set_the_position", {})),
            (3, ("publish", {})),
        ]
        if in_any_order:
            actions.append((10, ("take_back_one", {"which": which()})))
        yield random.choices([action for _, action in actions], [weight for weight, _ in actions])[0]


def walk(tournament: str, taken: Iterable[Action], *, has_parts: bool = False) -> None:
    """Take these steps; then everything that is asked is answered, and the truth is published."""
    at_table = Walk(tournament, has_parts=has_parts)
    try:
        for name, said in taken:
            getattr(at_table, name)(**said)
            at_table.compare()
        at_table.answer_everything()
        at_table.play()
        at_table.compare()
    finally:
        at_table.leave()


@pytest.mark.parametrize("seed", slow_after(6, range(WALKS)))
def test_what_nobody_asked_about_is_adjudicated_as_it_was_written(seed: int) -> None:
    random = Random(seed)
    tournament, has_parts = random.choice(TOURNAMENTS), random.random() < 1 / 4
    walk(tournament, steps(random, in_any_order=True), has_parts=has_parts)


@pytest.mark.parametrize("seed", [LATE_PAGE, SCANNED_BADLY, RULED_BESIDE, NAMED_AFTER])
def test_it_is_so_where_a_power_has_two_parts(seed: int) -> None:
    random = Random(seed)
    walk(random.choice(TOURNAMENTS), steps(random), has_parts=True)
