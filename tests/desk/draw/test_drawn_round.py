"""Who sits at a final table, whatever the director says; and a draw keeps what it says when the table is added."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from draw.draw_room import event_of, in_a_row, names, task, wishing
from draw.players.test_pools import after_two_rounds, lots
from msgspec import convert
from msgspec.structs import asdict, fields, replace

from pipeline.board import Power
from pipeline.desk.drawing import _with_final
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.drawn_round import Drawn, earlier_decisions, with_table
from pipeline.desk.event.games import seated_rounds, seatings
from pipeline.desk.event.seating import Special, seat_round
from pipeline.desk.final_table import FinalDecisions, FinalTable, final_table
from pipeline.draw.field import NotSeated, Turnout
from pipeline.draw.roster import Player
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


def test_what_the_director_said_of_all_earlier_rounds_holds_the_later_word_first() -> None:
    said = (
        Answers(wishes={Aim.TRIOS_APART: Wish.MUST}, has_limit=True, meetings_most=3),
        Answers(wishes={Aim.NEW_OPPONENTS: Wish.NO}),
        Answers(wishes={Aim.TRIOS_APART: Wish.SHOULD}, has_limit=True),
    )
    drawn = [
        Drawn(round=1, seed=1, boards={}, notes=(), turnout=Turnout(bodies=()), answers=each).as_fact for each in said
    ]
    facts = {number: Seated(round=number, boards=(), notes=(), draw=each) for number, each in enumerate(drawn, start=1)}
    expected = Answers()
    for number, each in enumerate((*said, Answers()), start=1):
        found = earlier_decisions(facts, number)
        assert (found, [*found.wishes]) == (expected, [*expected.wishes])
        expected = expected.with_later(each)


def test_the_powers_of_a_table_that_does_not_choose_are_drawn_by_nothing_but_powers(tmp_path: Path) -> None:
    """Who met whom, is of whose team or family, stays where or records counts for the other boards alone."""
    before = in_a_row(1, names(14))
    table = FinalTable(players=names(7), chooses=False, notes=("the best",))
    others = dict(zip(Power, names(14)[7:], strict=True))
    drawn = Drawn(
        round=2, seed=5, boards={"1": others}, notes=("first",), turnout=Turnout(bodies=names(14)), table=table
    )
    pair = frozenset({frozenset(names(2))})
    aims = (Aim.SAME_POWER_ONCE, Aim.NEW_OPPONENTS, Aim.TEAMS_APART, Aim.FAMILIES_APART, Aim.BEST_TOGETHER)
    everything = task(
        14, wishing(*aims, must=aims, meetings_most=1), before, mates=pair, families=pair, together=(names(7),),
        tables={"P01": "1"}, recorders=frozenset(names(7)), points={"P01": (1, 2)}, rounds_after=2,
        mates_after=(pair, pair), empty=(Power.TURKEY,),
    )  # fmt: skip
    only_powers = task(14, wishing(Aim.SAME_POWER_ONCE, must=(Aim.SAME_POWER_ONCE,)), before)
    with event_of(tmp_path, "wdc2008", [Player(name=name) for name in names(14)]) as event:
        found = _with_final(drawn, event, everything)
        assert found == _with_final(drawn, event, only_powers)
        assert (found.final, found.notes, found.boards["1"]) == ("2", ("first", "the best"), others)
        assert sorted(found.boards["2"].values()) == [*names(7)]
        had = {(name, power) for board in before for power, name in board.players.items()}
        assert had.isdisjoint((name, power) for power, name in found.boards["2"].items())
        waits = _with_final(replace(drawn, table=replace(table, chooses=True)), event, everything)
        assert (waits.final, waits.boards, waits.notes) == (None, {"1": others}, ("first", "the best"))
        chosen = tuple(zip(names(7), Power, strict=True))
        chose = _with_final(replace(drawn, table=replace(table, chooses=True, powers=chosen)), event, everything)
        assert chose.boards["2"] == dict(zip(Power, names(7), strict=True))
        with pytest.raises(Stopped, match="nobody chose TURKEY"):
            _with_final(replace(drawn, table=replace(table, powers=chosen[:6])), event, everything)


@pytest.mark.parametrize(
    ("chosen", "faults"),
    [
        (((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)), []),
        (((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)), ["'P07' has no power"]),
        (((0, 0), (0, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)), ["'P02' has no power", "'P01' has two powers"]),
        (((0, 0), (1, 0), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)), ["AUSTRIA is taken twice"]),
        (
            ((7, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)),
            ["'P08' is not on the final table", "'P01' has no power"],
        ),
    ],
)
def test_each_finalist_chooses_one_power(chosen: tuple[tuple[int, int], ...], faults: list[str]) -> None:
    table = FinalTable(players=names(7), chooses=True, notes=("they choose",))
    said = [(names(8)[who], [*Power][power]) for who, power in chosen]
    if not faults:
        done = table.with_powers(said)
        assert (done.powers, done.players) == (tuple(said), table.players)
        order = ", then ".join(f"{name} ({power.title()})" for name, power in said)
        assert done.notes == (f"the final table chose: {order}",)
        return
    with pytest.raises(Stopped) as stopped:
        table.with_powers(said)
    assert [problem.text for problem in stopped.value.problems] == faults


def test_a_drawn_round_is_written_down_with_its_table_its_maps_and_its_pools(tmp_path: Path) -> None:
    six: dict[Power, str] = {power: name for power, name in SECOND.items() if power is not Power.TURKEY}
    boards: dict[str, dict[Power, str]] = {"1": FIRST, "2": six, "3": {power: name for name, power in TABLE.powers}}
    turnout = Turnout(bodies=names(14), aside=(NotSeated("P14", "ill"),))
    drawn = Drawn(
        round=1, seed=9, boards=boards, maps={"2": "sandard"}, pools={"1": "A"}, notes=("a note",), turnout=turnout,
        final="3", table=TABLE,
    )  # fmt: skip
    with event_of(tmp_path, "weaselmoot", [Player(name=name) for name in names(21)]) as event:
        said = seat_drawn(event, drawn, by="Tess").said
        assert [(b.board, b.map, b.final, b.by_hand, b.pool) for b in said.boards] == [
            ("1", "standard", False, False, "A"),
            ("2", "sandard", False, False, ""),
            ("3", "standard", True, False, ""),
        ]  # fmt: skip
        found = seatings(event)
        assert [found[f"1.{name}"].players for name in "123"] == [boards[name] for name in "123"]
        assert [(b.map_name, b.is_final, b.pool) for b in found.values()] == [
            ("standard", False, "A"), ("sandard", False, ""), ("standard", True, ""),
        ]  # fmt: skip
        assert found["1.3"].chose == TABLE.choosing
        assert (said.notes, seated_rounds(event)[1].said.draw) == (("a note",), drawn.as_fact)
        number = event.facts.last_number()
        assert seat_round(event, 1, boards, by="Gus", notes=drawn.notes, draw=drawn.as_fact, special=SPECIAL).number
        assert event.facts.last_number() == number  # it is the same


SPECIAL = Special(final="3", maps={"2": "sandard"}, pools={"1": "A"})
