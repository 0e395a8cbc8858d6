"""Who sits at a final table, whatever the director says; and a draw keeps what it says when the table is added."""

from random import Random
from typing import Any

import pytest
from draw.draw_room import names
from draw.players.test_pools import after_two_rounds, lots
from msgspec import convert
from msgspec.structs import asdict, fields, replace

from pipeline.board import Power
from pipeline.desk.drawn_round import Drawn, FinalDecisions, FinalTable, final_table, with_table
from pipeline.draw.field import NotSeated, Turnout
from pipeline.draw.task import Answers
from pipeline.ledger.events import Seated
from pipeline.ledger.parts import About, BoardSeated, DrawDecided, DrawRecord, LotRecord
from pipeline.problems import ExitCode, Stopped
from pipeline.rules.tournament import Aim, Wish

SEATS = 7


def rules(*, moves_up: bool) -> dict[str, object]:
    """The seven best of two rounds play the third one's final table."""
    final = {"round": 3, "qualifying_rounds": [1, 2], "moves_up": moves_up}
    totals = {"rounds": 3, "final": final}
    return {"scoring": {"parts": [{"give": "centres"}]}, "totals": totals, "ties": {"qualifying": ["lot"]}}


def filled(
    sure: list[str], level: list[str], after: list[str], asked: FinalDecisions, *, moves_up: bool
) -> list[str] | None:
    """Who sits there: who is sure, who is named, by lot who is level, or who comes ``after``; None: it is asked."""
    players = [*(name for name in sure if name not in asked.gone), *asked.named]
    left, among = SEATS - len(players), [name for name in level if name not in {*asked.gone, *asked.named}]
    if asked.lot and left > 0:
        if len(among) < left:
            return None  # nothing to draw
        players += sorted(among, reverse=True)[:left]
    elif moves_up and not level:
        players += [name for name in after if name not in {*asked.gone, *players}][: max(0, left)]
    is_good = len(players) == len({*players}) == SEATS and asked.gone.isdisjoint(players)
    return players if is_good else None


@pytest.mark.parametrize("seed", range(60))
def test_the_table_is_filled_from_the_ranking_the_named_the_lot_and_who_moves_up(seed: int) -> None:
    dice = Random(seed)
    moves_up = dice.random() < 0.5
    scored, found = after_two_rounds(dice, names(21), rules(moves_up=moves_up))
    totals = {name: sum(scores) for name, scores in found.items()}
    ranked = sorted(totals, key=lambda name: -totals[name])
    last = totals[ranked[SEATS - 1]]
    best = [name for name in ranked if totals[name] >= last]
    level = [name for name in best if totals[name] == last] if len(best) > SEATS else []
    sure = [name for name in best if name not in level]
    gone = frozenset(dice.sample(best, dice.choice((0, 0, 1, 2))))
    named = tuple(dice.sample(ranked[3:12], dice.choice((0, 0, 1, 2))))
    asked = FinalDecisions(named=named, gone=gone, lot=lots if dice.random() < 0.5 else None)
    wanted = filled(sure, level, ranked, asked, moves_up=moves_up)
    if wanted is None:
        with pytest.raises(Stopped):
            final_table(scored.rules, scored, 3, (), asked)
        return
    table = final_table(scored.rules, scored, 3, (), asked)
    assert table is not None
    assert [totals[name] for name in table.players] == [totals[name] for name in wanted]
    assert len({*table.players}) == SEATS
    assert {*table.players} >= {*wanted} - {name for name in wanted if totals[name] == totals[wanted[-1]]}
    here = len(sure) - len(gone & {*sure})
    assert table.players[here:][: len(named)] == named
    assert not table.chooses
    assert final_table(scored.rules, scored, 2, (), FinalDecisions()) is None
    with pytest.raises(Stopped, match=r"these go on: 2\.1") as stopped:
        final_table(scored.rules, scored, 3, ("2.1", "3.1"), asked)
    assert stopped.value.code is ExitCode.RULE_FIRST
    kept = final_table(scored.rules, scored, 3, (), FinalDecisions(seated=tuple(ranked[4:11])))
    assert kept is not None
    assert kept.players == tuple(ranked[4:11])


@pytest.mark.parametrize("asked", [FinalDecisions(named=("P01",)), FinalDecisions(lot=lots)])
def test_what_is_said_of_a_table_that_a_round_does_not_have_is_refused(asked: FinalDecisions) -> None:
    scored, _ = after_two_rounds(Random(1), names(21), rules(moves_up=False))
    with pytest.raises(Stopped, match="round 2 has no final table"):
        final_table(scored.rules, scored, 2, (), asked)


# What a draw says of itself, field by field.

WAYS = ("aside", "sent", "out", "twice", "plays")
LOT = LotRecord(number=1, round=3, about=About.FIELD, among=("A", "B"), hash="x")
ANSWERS = Answers(wishes={Aim.TRIOS_APART: Wish.SHOULD}, has_limit=True, meetings_most=2)


def reasons(way: str) -> tuple[NotSeated, ...]:
    return NotSeated(f"{way} 1", "ill", "lot"), NotSeated(f"{way} 2", "")


RECORD = DrawRecord(
    seed=9,
    aside=reasons("aside"),
    sent=reasons("sent"),
    out=reasons("out"),
    twice=reasons("twice"),
    plays=reasons("plays"),
    six=1,
    why="late",
    lots=(LOT,),
    decided=DrawDecided(wishes={"trios_apart": "should"}, has_limit=True, meetings_most=2),
    points={"P01": (2, 3)},
)
FIRST, SECOND = (dict(zip(Power, names(14)[start:][:7], strict=True)) for start in (0, 7))
TABLE = FinalTable(
    players=names(21)[14:],
    chooses=True,
    choosing=names(21)[:13:-1],
    powers=tuple(zip(names(21)[:13:-1], Power, strict=True)),
    notes=("they chose",),
)


def of(drawn: Drawn) -> dict[str, Any]:
    return asdict(drawn.as_fact)


def test_a_table_is_added_to_a_round_that_keeps_all_that_its_draw_says() -> None:
    boards = (BoardSeated(board="1", players=FIRST, pool="A"), BoardSeated(board="2", players=SECOND, map="sandard"))
    stands = Seated(round=3, boards=boards, notes=("drawn", "they chose"), draw=replace(RECORD, waits=True))
    drawn = with_table(3, TABLE, stands)
    chosen = {power: name for name, power in TABLE.powers}
    assert drawn.boards == {"1": FIRST, "2": SECOND, "3": chosen}
    assert (drawn.maps, drawn.pools, drawn.final) == ({"2": "sandard"}, {"1": "A"}, "3")
    assert (drawn.notes, drawn.round) == (("drawn", "they chose"), 3)
    of_table = {"finalists": TABLE.players, "choosing": TABLE.choosing, "chose": TABLE.choosing, "waits": False}
    assert of(drawn) == asdict(RECORD) | of_table
    other = with_table(3, replace(TABLE, stays_at=("2", "9"), notes=("new",)), replace(stands, draw=None))
    assert (other.final, other.notes) == ("9", ("drawn", "they chose", "new"))
    assert of(other) == asdict(DrawRecord()) | of_table


@pytest.mark.parametrize("final", [None, "2"])
def test_a_draw_says_the_same_of_itself_as_a_fact_and_to_scripts(final: str | None) -> None:
    drawn = Drawn(
        round=3,
        seed=9,
        boards={"1": FIRST, "2": SECOND},
        maps={"2": "sandard"},
        pools={"1": "A"},
        notes=("a note",),
        broken=("a breach",),
        turnout=convert({"bodies": names(14), "six": 1} | {way: reasons(way) for way in WAYS}, Turnout),
        why="late",
        lots=(LOT,),
        final=final,
        table=TABLE,
        answers=ANSWERS,
        points={"P01": (2, 3)},
    )
    fact, told = drawn.as_fact, drawn.as_json()
    assert fact == replace(
        RECORD,
        finalists=TABLE.players,
        choosing=TABLE.choosing,
        chose=TABLE.choosing,
        waits=not final,
        broken=("a breach",),
    )
    assert {field.name for field in fields(DrawRecord)} - {*told} == {"decided", "points", "chose"}
    for name in WAYS:
        assert told[name] == [{"player": each.name, "why": each.why, "way": each.way} for each in reasons(name)]
    assert told["boards"] == [
        {"board": "1", "final": False, "players": {str(p): who for p, who in FIRST.items()}, "pool": "A"},
        {"board": "2", "final": final == "2", "players": {str(p): who for p, who in SECOND.items()}, "map": "sandard"},
    ]
    for name in ("seed", "six", "why", "waits"):
        assert told[name] == getattr(fact, name)
    assert (told["round"], told["notes"], told["broken"]) == (3, ["a note"], ["a breach"])
    assert (told["finalists"], told["choosing"]) == ([*TABLE.players], [*TABLE.choosing])
    assert told["lots"][0]["about"] == "field"
    without = replace(drawn, table=None, final=None)
    assert (without.waits, without.as_json()["finalists"], without.as_fact.chose) == (False, [], ())
