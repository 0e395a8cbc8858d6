"""Pools: the best of the rounds before play among themselves, beside the rest."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from draw.draw_room import event_of, names, play, seated
from pipeline.board import Power
from pipeline.cli.draw import draw_command
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.event.ending import announced_end, game_now
from pipeline.desk.event.games import games, seatings
from pipeline.desk.final_table import PoolDecisions, PoolSeats, seat_pools
from pipeline.desk.players import seats_of
from pipeline.desk.results.results import scored_event
from pipeline.desk.signs import seats_pdf
from pipeline.draw.roster import Player
from pipeline.draw.task import Wished, Wishes, wishes_in_pool
from pipeline.ledger.events import LotsDrawn
from pipeline.problems import Stopped
from pipeline.rules import game_end
from pipeline.rules.load import load_tournament
from pipeline.rules.scoring import misfits, read_scoring
from pipeline.rules.tournament import Aim, Wish
from pipeline.scoring.results import Board, Entrant, EventResults, Seat
from pipeline.scoring.score import Scored, score

FILE = """
[tournament]
id = "pools"
name = "Pools"
short = "MINE"
unstated = "defaults"
[ending]
last_year = { value = 1908, rule = "MINE 1" }
[scoring]
parts = [{ give = "centres" }]
[totals]
rounds = 3
[[totals.pools]]
name = "Champions"
round = 3
seats = 14
after = [1, 2]
last_year = 1909
times = "Sunday 10:00"
rule = "MINE 2"
"""


def pools(*seats: int, weights: Sequence[int] = (1, 1), ties: Sequence[str] = ()) -> dict[str, object]:
    """Rules with pools of so many seats in round 3."""
    found = [
        {"name": f"P{n}", "round": 3, "seats": count, "after": [1, 2], "weights": list(weights), "ties": list(ties)}
        for n, count in enumerate(seats, start=1)
    ]
    return {"scoring": {"parts": [{"give": "centres"}]}, "totals": {"rounds": 3, "pools": found}}


def after_two_rounds(
    dice: Random, players: Sequence[str], rules: dict[str, object]
) -> tuple[Scored, dict[str, list[int]]]:
    """An event of two rounds with counts by lot, and what everybody has scored."""
    found: dict[str, list[int]] = {name: [] for name in players}
    boards = []
    for number in (1, 2):
        order = dice.sample(players, len(players) // 7 * 7)
        for start in range(0, len(order), 7):
            counts = [dice.randrange(18) for _ in Power]
            seats = dict(zip(Power, order[start : start + 7], strict=True))
            for (power, name), count in zip(seats.items(), counts, strict=True):
                found[name].append(count)
                assert power in Power
            boards.append(
                Board(
                    round=number,
                    name=str(start),
                    seats={power: Seat(player=name) for power, name in seats.items()},
                    centres=dict(zip(Power, counts, strict=True)),
                )
            )
    entrants = {name: Entrant(name=name) for name in players}
    return score(EventResults(boards=tuple(boards), players=entrants), read_scoring(rules, "mine")), found


def lots(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The last in the alphabet win."""
    return tuple(sorted(names, reverse=True)[:count])


@pytest.mark.parametrize("seed", range(40))
def test_an_independent_checker_finds_the_best_in_every_pool(seed: int) -> None:
    """The best who play and do not decline; a lot among those who are level; each in one pool at most."""
    dice = Random(seed)
    players = names(dice.choice((28, 30, 42)))
    best = dice.choice((1, 2))
    ranked, found = after_two_rounds(dice, players, pools(14, 7, weights=(1,) * best))
    playing = dice.sample(players, 28)
    declined = tuple(dice.sample(players, 4))
    seated_pools = seat_pools(ranked, 3, (), playing, PoolDecisions(declined=declined, lot=lots), 7)
    totals = {name: sum(sorted(scores, reverse=True)[:best]) for name, scores in found.items() if scores}
    left = [name for name in playing if name in totals and name not in declined]
    for pool, seats in zip(seated_pools, (14, 7), strict=True):
        order = sorted(left, key=lambda name: (totals[name], name), reverse=True)  # as the lots above fall
        assert sorted(pool.players) == sorted(order[:seats])
        left = order[seats:]


def of(scored: Scored, playing: Sequence[str], **asked: object) -> tuple[PoolSeats, ...]:
    return seat_pools(scored, 3, (), playing, PoolDecisions(**asked), 7)  # type: ignore[arg-type]


def test_who_is_level_for_the_last_seats_waits_for_a_lot_and_a_tie_break_goes_before_it() -> None:
    dice = Random(1)
    players = names(14)
    ranked, found = after_two_rounds(dice, players, pools(7, weights=(1,)))
    flat = dict.fromkeys(found, 5)
    assert flat
    level = score(
        EventResults(
            boards=tuple(
                Board(
                    round=1,
                    name=str(start),
                    seats={p: Seat(player=n) for p, n in zip(Power, players[start : start + 7], strict=True)},
                    centres=dict.fromkeys(Power, 4),
                )
                for start in (0, 7)
            ),
            players={name: Entrant(name=name) for name in players},
        ),
        ranked.rules,
    )
    with pytest.raises(Stopped, match="are level for the last 7 of the 7 seats of the pool P1; let a lot decide"):
        of(level, players)
    [pool] = of(level, players, lot=lots)
    assert sorted(pool.players) == sorted(players)[7:]


def test_a_pool_that_cannot_be_filled_has_fewer_boards_and_says_so() -> None:
    ranked, _ = after_two_rounds(Random(3), names(28), pools(21))
    [pool] = of(ranked, names(28)[:16], lot=lots)
    assert len(pool.players) == 14
    assert "the pool P1 has 14 seats instead of 21: no more are there to fill them" in pool.notes


def test_a_pool_waits_for_the_boards_before_it() -> None:
    ranked, _ = after_two_rounds(Random(3), names(28), pools(7))
    with pytest.raises(Stopped, match=r"made from the standings, and these go on: 2\.1"):
        seat_pools(ranked, 3, ("2.1",), names(28), PoolDecisions(), 7)


@pytest.fixture
def rules_file(tmp_path: Path) -> str:
    path = tmp_path / "pools.toml"
    path.write_text(FILE, "utf-8")
    return str(path)


def test_a_drawn_pool_has_its_boards_its_name_and_its_last_year(tmp_path: Path, rules_file: str) -> None:
    players = [Player(name=name) for name in names(28)]
    with event_of(tmp_path, rules_file, players) as event:
        for number in (1, 2):
            seated(event, number)
            play(event, number)
        tops = {s.players[Power.AUSTRIA] for s in seatings(event).values()}  # who has most centres in `play`
        wanted = Request(round=3, seed=1, final_lot=True, declines=(min(tops),))
        drawn = draw_round(event, wanted, URN)  # it draws as the real one does
        at = {
            name for board, pool in drawn.pools.items() if pool == "Champions" for name in drawn.boards[board].values()
        }
        assert len(at) == 14
        assert tops - at == {min(tops)}
        assert any(f"{min(tops)} would play in the pool Champions, and declines" in note for note in drawn.notes)
        assert sorted(name for board in drawn.boards.values() for name in board.values()) == list(names(28))
        assert [board["pool"] for board in drawn.as_json()["boards"] if "pool" in board] == ["Champions"] * 2
        seat_drawn(event, drawn, by="Tess")
        found = seats_of(event, 3)
        assert [board.get("pool") for board in found.as_json()["boards"]] == ["Champions (Sunday 10:00)"] * 2 + [
            None,
            None,
        ]
        assert seats_pdf(event, found).startswith(b"%PDF")
        assert {board.pool for board in scored_event(event).event.boards} == {""}  # of the rounds that are over
        for game in games(event).values():
            last = game_end.last_year(game_now(event, game), event.tournament.ending)
            in_pool = game.seating.pool == "Champions"
            assert (last.value, last.source) == ((1909, "MINE 2") if in_pool else (1908, "MINE 1"))
            assert announced_end(event, game) is None or in_pool or "1908" in str(announced_end(event, game))


@pytest.mark.parametrize("wish", ["must", "no"])
def test_a_pool_is_drawn_by_wishes_of_its_own(tmp_path: Path, wish: str) -> None:
    """In the pool nobody plays a power twice where it says so; everybody else is drawn by the wishes of the event."""
    other = "no" if wish == "must" else "must"
    own = f"[draw]\nsame_power_once = {{ value = '{other}', rule = 'MINE 3' }}\n"
    path = tmp_path / "own.toml"
    path.write_text(
        FILE.replace("[scoring]", f"{own}pools = {{ Champions = {{ same_power_once = '{wish}' }} }}\n[scoring]")
    )
    with event_of(tmp_path, str(path), [Player(name=name) for name in names(28)]) as event:
        for number in (1, 2):
            seated(event, number)
            play(event, number)
        before = {(name, power) for board in seatings(event).values() for power, name in board.players.items()}
        again = {True: 0, False: 0}
        for seed in range(1, 7):
            drawn = draw_round(event, Request(round=3, seed=seed, final_lot=True), URN)
            for board, seats in drawn.boards.items():
                repeated = sum((name, power) in before for power, name in seats.items())
                again[board in drawn.pools] += repeated
        kept, free = (True, False) if wish == "must" else (False, True)
        assert again[kept] == 0
        assert again[free] > 0


def test_wishes_of_a_pool_that_there_is_not_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(FILE.replace("[scoring]", "[draw]\npools = { Champion = { trios_apart = 'ask' } }\n[scoring]"))
    with pytest.raises(Stopped) as stopped:
        load_tournament(path)
    found = {problem.where: problem.text for problem in stopped.value.problems}
    assert "did you mean 'Champions'?" in found["own.toml draw.pools.Champion"]
    assert "expected 'must', 'should' or 'no'" in found["own.toml draw.pools.Champion.trios_apart"]


def test_who_declines_the_final_table_is_replaced_by_the_next_where_the_rules_say_so(tmp_path: Path) -> None:
    rules = tmp_path / "final.toml"
    final = '[totals.final]\nround = 3\nqualifying_rounds = [1, 2]\nmoves_up = true\n[ties]\nqualifying = ["lot"]\n'
    rules.write_text(FILE[: FILE.index("[[totals.pools]]")] + final, "utf-8")
    with event_of(tmp_path, str(rules), [Player(name=name) for name in names(21)]) as event:
        for number in (1, 2):
            seated(event, number)
            play(event, number)
        lots_of = tuple(player.name for player in event.players)
        event.facts.write(LotsDrawn(why="", players=tuple(event.people.number_of(n, "") for n in lots_of)), "Tess")
        table = draw_round(event, Request(round=3, seed=1)).as_json()["finalists"]
        drawn = draw_round(event, Request(round=3, seed=1, declines=(table[2],))).as_json()
        now = drawn["finalists"]
        assert [name for name in table if name not in now] == [table[2]]
        assert len(now) == 7
        assert table[2] in {name for board in drawn["boards"] for name in board["players"].values()}


class Urn:
    """Lots without a room: the last in the alphabet win."""

    used = ()

    def draw(self, _about: object, among: tuple[str, ...], count: int) -> tuple[str, ...]:
        return lots(among, count)


URN: Any = Urn()


def test_a_name_that_nobody_has_declines_nothing(tmp_path: Path, rules_file: str) -> None:
    with event_of(tmp_path, rules_file, [Player(name=name) for name in names(7)]):
        found = CliRunner().invoke(draw_command, [str(tmp_path / "cup"), "--round", "1", "--declines", "Nemo"])
        assert "nobody on the roster is called 'Nemo'" in str(found.exception)


@pytest.mark.parametrize(
    ("pool", "path", "text"),
    [
        ({"after": [3]}, "pools[0].after", "round 3 is not before round 3"),
        ({"name": "*"}, "pools[0].name", "expected a name without signs"),
        ({"seats": 0}, "pools[0].seats", "expected 2 to 999"),
        ({"ties": ["most luck"]}, "pools[0].ties[0]", "'most luck' is no tie-break"),
    ],
)
def test_a_pool_that_cannot_be_is_refused_with_its_key(pool: dict[str, object], path: str, text: str) -> None:
    rules = pools(7)
    rules["totals"]["pools"][0] |= pool  # type: ignore[index]
    with pytest.raises(Stopped) as stopped:
        read_scoring(rules, "mine")
    assert any(found.where == f"mine totals.{path}" and text in found.text for found in stopped.value.problems)


def test_a_pool_of_a_round_that_is_not_played_does_not_fit() -> None:
    rules = pools(7)
    rules["totals"]["pools"][0] |= {"round": 9}  # type: ignore[index]
    assert list(misfits(read_scoring(rules, "mine"))) == [
        ("totals.pools[0].round", "round 9 is not played; there are rounds 1 to 3")
    ]


@given(st.data())
def test_a_pool_takes_its_own_wishes_and_those_that_must_be_kept_come_first(data: st.DataObject) -> None:
    aims = data.draw(st.lists(st.sampled_from(list(Aim)), unique=True))
    strong = st.sampled_from([Wish.MUST, Wish.SHOULD])
    general = [Wished(aim=aim, wish=data.draw(strong), rule="of all") for aim in aims]
    own = data.draw(st.dictionaries(st.sampled_from(list(Aim)), st.sampled_from([Wish.MUST, Wish.SHOULD, Wish.NO])))
    groups = ((Power.ITALY, Power.TURKEY),) if data.draw(st.booleans()) else ()

    found = wishes_in_pool(Wishes(wished=tuple(general), groups=groups), own, "B").wished

    strength = {each.aim: each.wish for each in general} | own
    wanted = {aim: wish for aim, wish in strength.items() if wish is not Wish.NO}
    if not groups:
        wanted.pop(Aim.POWER_GROUPS, None)
    assert {each.aim: each.wish for each in found} == wanted
    assert [each.wish for each in found] == sorted((each.wish for each in found), key=[Wish.MUST, Wish.SHOULD].index)
    assert all(("pools" in each.rule) == (each.aim in own) for each in found)
    of_all = [each.aim for each in found if each.aim in aims]
    assert of_all == sorted(of_all, key=lambda aim: (wanted[aim] is not Wish.MUST, aims.index(aim)))
