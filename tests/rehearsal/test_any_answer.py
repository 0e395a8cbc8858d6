"""Whatever of what is offered the director answers, a question is settled: nothing is asked for ever."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from desk.cup import clock, seated
from rehearsal.test_typist import Keyboard, Typed
from sampled import slow_after

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import Game
from pipeline.desk.review.queue import ReviewItem, cards_of, queue, settle_doubt, take_the_rule
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.simulation import Listener, ScriptedSheet
from pipeline.rules.load import tournament_ids

MOST_ASKED = 6  # times: rulings that contradict each other are asked about again


class AnyAnswer(Keyboard, frozen=True):
    """The director takes anything that is offered, or refuses everything."""

    refuses: bool = False

    def rule(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> None:
        """Answer until nothing waits."""
        dice, asked = Random(str(game.position.phase)), Counter[tuple[object, ...]]()
        while doubt := next(iter(queue(self.event, game.name)), None):
            row = doubt.row
            about = (str(doubt.turn), row.line, row.unit) if row else (str(doubt.turn),)
            asked[about] += 1
            assert asked[about] <= MOST_ASKED, (about, row and row.ink, row and row.reason)
            missing = sheets[doubt.turn.power].is_missing
            on_sheet = SheetDecision.NO_ORDERS if missing else SheetDecision.ACCEPTED
            answers: list[RowDecision | SheetDecision] = [*self.offered(game, doubt)]
            chosen = answers[0] if self.refuses and answers else dice.choice(answers or [on_sheet])
            settle_doubt(self.event, doubt, chosen, "Tess")

    def offered(self, game: Game, doubt: ReviewItem) -> Iterator[RowDecision]:
        """What may be answered about a row; nothing where the sheet is asked about."""
        if doubt.row is None:
            return
        yield RowDecision(order=NOTHING, without=doubt.row.without)
        yield from (RowDecision(order=write(order)) for order in doubt.row.candidates)
        if by_rule := take_the_rule(doubt):
            yield by_rule
        yield from (each.decision for each in cards_of(Desk.of(self.event), game, doubt.turn, doubt.row))


@pytest.mark.parametrize("tournament", slow_after(2, tournament_ids()))
@pytest.mark.parametrize("refuses", [False, True])
def test_no_question_comes_back_for_ever(tmp_path: Path, tournament: str, refuses: bool) -> None:
    for seed in (1, 3):
        with open_event(seated(tmp_path / f"cup{seed}", tournament=tournament), clock) as event:
            rehearsed = AnyAnswer(event, Typed(event, seed, 4), tmp_path, NoRecogniser(), Listener(), refuses=refuses)
            phases = 0
            while rehearsed.play_next_phase():
                phases += 1
            assert phases >= 4
