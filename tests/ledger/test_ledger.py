"""A ledger is the list of what was written into it, whoever reads it: two programs, a later one, and a copy."""

from pathlib import Path
from random import Random

import pytest

from ledger.test_events import clock, full
from pipeline.ledger.events import ActTakenBack, Decision, LedgerEvent, RowRuled, SheetRuled, SpotChecked, TakesBack
from pipeline.ledger.ledger import Fact, Ledger, standing, still_counting, undone_in
from pipeline.ledger.verification import Tip
from pipeline.problems import Stopped

KINDS = (RowRuled, SheetRuled, SpotChecked)
CLASSES: tuple[tuple[type[LedgerEvent], ...], ...] = (
    (RowRuled,),
    (SpotChecked, SheetRuled),
    (Decision,),
    (LedgerEvent,),
)
Written = list[tuple[LedgerEvent, str]]


def write(ledger: Ledger, written: Written, dice: Random) -> None:
    """Write one fact or several; or begin to, and take that back."""
    several = [full(dice.choice(KINDS)) for _ in range(dice.choice((1, 1, 2, 3)))]
    if written and dice.random() < 0.4:
        several.append(ActTakenBack(fact=dice.randrange(len(written)) + 1, why=""))
    by = dice.choice(("Tess", "Bob"))
    match dice.randrange(4):
        case 0:
            with pytest.raises(ZeroDivisionError), ledger.transaction():
                ledger.write_all(several, by)
                compare(ledger, [*written, *((said, by) for said in several)], dice)
                raise ZeroDivisionError
        case 1:
            with ledger.trial():
                ledger.write_all(several, by)
                compare(ledger, [*written, *((said, by) for said in several)], dice)
        case 2:
            with pytest.raises(Stopped, match="it holds"):
                ledger.write_all(several, "a\x00b")
        case _:
            found = ledger.write_all(several, by)
            written += [(said, by) for said in several]
            numbers = range(len(written) - len(several) + 1, len(written) + 1)
            assert [(f.number, f.said, f.by, f.at) for f in found] == [
                (n, s, by, clock()) for n, s in zip(numbers, several, strict=True)
            ]


def compare(ledger: Ledger, written: Written, dice: Random) -> None:
    facts: list[Fact[LedgerEvent]] = [Fact(number, clock(), by, said) for number, (said, by) in enumerate(written, 1)]
    after = dice.randrange(len(facts) + 1)
    assert (ledger.last_number(), ledger.look()) == (len(facts), len(facts))
    assert [*ledger.everything()] == facts
    assert [*ledger.everything(after)] == facts[after:]
    assert ledger.kinds_after(after) == {fact.said.KIND for fact in facts[after:]}
    undone = {fact.said.fact: fact.number for fact in reversed(facts) if isinstance(fact.said, TakesBack)}
    assert undone_in(ledger.everything()) == undone
    assert still_counting(facts) == tuple(
        f for f in facts if f.number not in undone and not isinstance(f.said, TakesBack)
    )
    for classes in CLASSES:
        mine = [fact for fact in facts if isinstance(fact.said, classes)]
        assert [*ledger.select(*classes)] == mine
        assert [*ledger.select(*classes, after=after)] == [fact for fact in mine if fact.number > after]
        assert ledger.newest(*classes) == max((fact.number for fact in mine), default=0)
        assert standing(ledger, *classes) == [fact for fact in mine if fact.number not in undone]


def look_at_copies(ledger: Ledger, tips: list[Tip], folder: Path) -> None:
    """Every earlier state is one of this ledger; a copy is the same, and once it goes on it is told apart."""
    now = ledger.snapshot()
    assert [now.tip(last) for last in range(1, len(tips))] == tips[1:]
    assert [now.has(tip) for tip in tips] == [bool(tip.facts) for tip in tips]
    if not tips[-1].facts:
        return
    copy = folder / f"{len(list(folder.iterdir()))}.db"
    tip = now.write_to(copy)
    with Ledger(copy, clock) as copied:
        same = copied.snapshot()
        assert (same.rows, same.links, tip.fact) == (now.rows, now.links, len(now.rows))
        assert copied.verify() == ()
        copied.write(full(SpotChecked), "Eve")
        assert not ledger.snapshot().has(copied.snapshot().tip())


@pytest.mark.parametrize("seed", range(3))
def test_a_ledger_is_the_list_of_what_was_written(tmp_path: Path, seed: int) -> None:
    dice, written, path = Random(seed), Written(), tmp_path / "event.db"
    tips = [Tip("", 0, "")]
    with Ledger(path, clock) as one, Ledger(path, clock) as other:
        assert one.has_file_beside()
        for _ in range(12):
            write(dice.choice((one, other)), written, dice)
            readers = [one, other]
            dice.shuffle(readers)
            for reader in readers:
                compare(reader, written, dice)
            tips += [one.snapshot().tip(last) for last in range(len(tips), len(written) + 1)]
            look_at_copies(one, tips, tmp_path)
            with Ledger(path, clock) as later:
                compare(later, written, dice)
                assert later.verify() == ()
                assert later.has_file_beside()
