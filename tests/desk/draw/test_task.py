"""What a draw is told of an event is what its roster, its rules and its earlier rounds say."""

from pathlib import Path

import pytest

from desk.cup import clock
from desk.moot import draw
from pipeline.desk import drawing
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.draw.draw_round import draw_seats
from pipeline.draw.roster import Player
from pipeline.draw.task import Answers, Draw, PastBoard, Task
from pipeline.rules.tournament import Aim, Wish

NAMES = [f"P{number}" for number in range(14)]
TEAM = frozenset(frozenset(pair) for pair in (("P1", "P2"), ("P1", "P3"), ("P2", "P3")))
NOBODY: frozenset[frozenset[str]] = frozenset()


def test_a_draw_knows_who_is_kept_apart_stays_and_records_now_and_in_the_rounds_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this tournament team mates play apart in its second and third round of four."""
    more: dict[str, dict[str, object]] = {name: {"team": "Reds"} for name in ("P1", "P2", "P3")}
    more |= {"P4": {"team": "Blues"}, "P5": {"keep_apart": ("P6", "P5", "gone")}, "P7": {"stays_at": "2"}}
    more |= {"P8": {"recorder": True}, "gone": {"team": "Blues", "recorder": True, "left": True}}
    roster = [Player(name=name, **more.get(name, {})) for name in (*NAMES, "gone")]  # type: ignore[arg-type]
    make_event_folder(tmp_path / "cup", Details(name="Cup", code="CUPS", tournament="wdc2008"), roster, clock)
    told: list[Task] = []
    all_wished = Answers(wishes=dict.fromkeys(Aim, Wish.SHOULD), has_limit=True)

    def drawn(task: Task, seed: int) -> Draw:
        told.append(task)
        return draw_seats(task, seed)

    monkeypatch.setattr(drawing, "draw_seats", drawn)
    with open_event(tmp_path / "cup", clock) as event:
        for number in (1, 2, 3):
            draw_round(event, Request(round=number, seed=1, answers=all_wished))
            draw(event, number, NAMES)
    asked = [(task.mates, task.mates_after, task.rounds_after, len(task.past)) for task in told]
    assert asked == [
        (NOBODY, (TEAM, TEAM, NOBODY), 3, 0),
        (TEAM, (TEAM, NOBODY), 2, 2),
        (TEAM, (NOBODY,), 1, 4),
    ]
    for number, task in enumerate(told):
        assert set(task.bodies) == set(NAMES)
        assert task.families == {frozenset(("P5", "P6"))}
        assert task.tables == {"P7": "2"}
        assert task.recorders == {"P8"}
        assert {board.round for board in task.past} == set(range(1, number + 1))
        assert all(isinstance(board, PastBoard) and not board.left for board in task.past)
