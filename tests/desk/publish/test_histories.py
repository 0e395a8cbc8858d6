"""Publish, correct, undo, end and go on, in any order: the game is what a model of a few lines says.

The model keeps what was published, as orders by phase, and plays it from the start with the judge. A game is over by a
solo as long as somebody has eighteen centres, by hand as long as the phase is reached in which it was ended.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from facts_as_kept import append_fact
from hypothesis import given, settings
from hypothesis import strategies as st

from desk.cup import clock, seated
from pipeline.board import Position, Power, Step, standard_map
from pipeline.desk.event.ending import end_game, undo_end
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import ProposedCorrection, apply_correction, propose_correction, publish
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printed import entitlements
from pipeline.journal.acts import undo_fact
from pipeline.judge.adjudicate import adjudicate, legal_orders
from pipeline.ledger.events import GameEnded, PhasePublished
from pipeline.orders import Hold, Waive, read_order, read_position, write
from pipeline.problems import Stopped
from pipeline.rules.conduct import Correction
from pipeline.scoring.results import Ending

BOARD = "1.1"
MAP = standard_map()
TOWNS = [
    *("LON", "LVP", "EDI", "BRE", "PAR", "MAR", "SPA", "POR", "BER"),
    *("KIE", "MUN", "DEN", "SWE", "NWY", "HOL", "BEL", "VIE"),
]
POSITION = {  # Italy has seventeen centres and reaches two more, and others can keep it out or take one of its own
    "units": {
        "ITALY": [*(f"A {town}" for town in TOWNS[:-1]), "A APU"],
        "AUSTRIA": ["F TYS", "A BOH"],
        "TURKEY": ["F ION", "A RUM"],
    },
    "centers": {"ITALY": TOWNS, "AUSTRIA": ["MOS", "WAR"], "TURKEY": ["CON", "RUM"]},
    "dislodged": [],
}
MOVERS = ("A APU", "F TYS", "F ION", "A BOH", "A VIE", "F ROM", "F NAP", "A ROM", "A NAP")
LIMITS = {  # until when an error is corrected, and what becomes of a later one
    "weaselmoot": ("next deadline", Correction.ASK),
    "nzdc1999": ("next season adjudicated", Correction.ASK),
    "edc2023": ("next orders in", Correction.STANDS),
    "wdc2008": ("ask", Correction.ASK),
}
EXPECTED = ("; now ", "the game is a solo")  # lines typed and not applied; an end by hand that a correction made a solo
Orders = dict[Power, list[str]]
Phases = list[tuple[str, Orders]]


class Model:
    """What happened, and what follows from it; what is undone is taken out of what happened."""

    def __init__(self, start: Position, event: Event) -> None:
        self.start, self.rules = start, event.tournament.rulebook
        self.happened: list[tuple[int, str, int, Phases]] = []  # its fact, what it was, the phases from a place on

    def position(self, phases: Phases) -> Position:
        position = self.start
        for _, orders in phases:
            given = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
            position = adjudicate(MAP, position, given, self.rules).after
        return position

    def state(self) -> tuple[Phases, Position, str | None]:
        """What is published, where the board stands, and how the game ended."""
        phases, ended = Phases(), None  # ended: the phase in which somebody ended the game by hand
        for _, what, place, again in self.happened:
            phases = phases[:place] + again
            now = self.position(phases)
            stands = ended is not None and now.phase.sort_key >= ended
            if what == "end":
                ended = now.phase.sort_key
            elif what in ("publish", "go on") or (has_won(now) and not stands):
                ended = None
        now = self.position(phases)
        if ended is not None and now.phase.sort_key >= ended:
            return phases, now, "abandoned"
        return phases, now, "solo" if phases and has_won(now) else None


def has_won(position: Position) -> bool:
    return any(len(owned) >= 18 for owned in position.centres.values())


class History:
    """One event to which things happen."""

    def __init__(self, event: Event, random: Random, phase: str) -> None:
        self.event, self.random = event, random
        position = {"phase": phase, **POSITION}
        append_fact(event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
        self.model = Model(read_position(position, MAP), event)
        self.written: dict[str, Orders] = {}  # what stands on the sheets of each phase now

    def game(self) -> Game:
        return find_game(self.event, BOARD)

    def write(self, position: Position, power: Power) -> None:
        """Type the lines of one power: most units hold, those in the middle do anything."""
        lines: list[str] = []
        legal = legal_orders(MAP, position, power)
        due = len(position.centres.get(power, ())) - len(position.units.get(power, ()))
        if position.phase.step is Step.ADJUSTMENTS:
            removals = [write(order) for order in legal if not isinstance(order, Waive) and write(order).endswith(" D")]
            lines = ["WAIVE"] * due if due > 0 else self.random.sample(removals, -due)
        else:
            for unit in sorted({order.unit for order in legal if not isinstance(order, Waive)}):
                own = [order for order in legal if not isinstance(order, Waive) and order.unit == unit]
                free = str(unit) in MOVERS or position.phase.step is Step.RETREATS
                chosen = self.random.choice(own) if free and self.random.random() < 0.8 else None
                if str(unit) == "A APU" and self.random.random() < 0.6:  # for the eighteenth centre
                    wanted = self.random.choice(("A APU - ROM", "A APU - NAP"))
                    chosen = next(each for each in own if write(each) == wanted)
                held = next((order for order in own if isinstance(order, Hold)), own[0])
                lines.append(write(chosen or held))
        type_lines(self.event, Turn(BOARD, position.phase, power), lines, by="Tess")
        self.written.setdefault(str(position.phase), {})[power] = lines

    def due(self, position: Position) -> Iterator[Power]:
        """The powers that have something to write."""
        for power in Power:
            match position.phase.step:
                case Step.RETREATS if any(d.power is power and d.retreats for d in position.dislodged):
                    yield power
                case Step.ADJUSTMENTS if entitlements(MAP, position).get(power):
                    yield power
                case Step.MOVEMENT if position.units.get(power):
                    yield power

    # What may happen.

    def publish(self) -> None:
        game = self.game()
        if game.ending:
            with pytest.raises(Stopped, match="the game is over"):
                publish(self.event, BOARD, "Tess")
            return
        due = list(self.due(game.position))
        for power in due:
            self.write(game.position, power)
        made = publish(self.event, BOARD, "Tess")
        phase = str(game.position.phase)
        again = [(phase, {power: self.written[phase][power] for power in due})]
        self.model.happened.append((made.played.fact.number, "publish", len(game.played), again))

    def correct(self) -> None:
        """Write other lines for one power in a published phase, and play on from there."""
        game = self.game()
        if not game.played:
            return
        place = self.random.randrange(max(0, len(game.played) - 2), len(game.played))
        then = game.played[place].before
        due = list(self.due(then))
        for power in self.random.sample(due, 1 if then.phase.step is Step.MOVEMENT else len(due)):
            self.write(then, power)
        phase, passed = str(then.phase), self.random.random() < 0.3
        later = game.played[place + 1 :]
        next_orders = bool(later) or str(game.position.phase) in self.written
        try:
            proposal = propose_correction(self.event, game, phase, deadline_passed=passed)
        except Stopped:  # what was written before does not fit any more
            return
        season_over = any(played.phase.step is Step.MOVEMENT for played in later)
        limit, after = LIMITS[self.event.tournament.id]
        in_time = {
            "next deadline": not passed and not season_over,
            "next season adjudicated": not season_over,
            "next orders in": not passed and not next_orders,
            "ask": False,
        }[limit]
        assert proposal.verdict is (Correction.CORRECTED if in_time else after)
        self.apply(proposal, place)

    def apply(self, proposal: ProposedCorrection, place: int) -> None:
        again: Phases = [(str(said.phase), {p: list(o) for p, o in said.orders.items()}) for said, _ in proposal.phases]
        phase, orders = again[0]
        written = {power: self.written[phase][power] for power in self.due(proposal.game.played[place].before)}
        assert {p: sorted(o) for p, o in orders.items() if o} == {p: sorted(o) for p, o in written.items() if o}
        last = self.event.facts.last_number()
        if not proposal.changes_anything:
            with pytest.raises(Stopped, match="nothing to correct"):
                apply_correction(self.event, proposal, by="Tess", why="ink")
            return
        if proposal.verdict is not Correction.CORRECTED:
            with pytest.raises(Stopped, match="say why"):
                apply_correction(self.event, proposal, by="Tess", why="")
            assert self.event.facts.last_number() == last
        _, _, was_over = self.model.state()
        apply_correction(self.event, proposal, by="Tess", why="ink")
        facts = [fact.number for fact in self.event.facts.select(PhasePublished) if fact.number > last]
        self.model.happened.append((facts[0] if len(facts) == 1 else 0, "correct", place, again))
        assert (proposal.goes_on is not None) == (was_over is not None and self.model.state()[2] is None)

    def undo(self) -> None:
        """Take the newest publication back, or the newest correction if it published one phase again."""
        games = [place for place, (_, what, *_) in enumerate(self.model.happened) if what in ("publish", "correct")]
        if games and (number := self.model.happened[games[-1]][0]):
            with suppress(Stopped):  # it was ended since, or lines for the next phase are in
                undo_fact(self.event, number, by="Tess", why="misread")
                del self.model.happened[games[-1]]

    def end(self) -> None:
        game = self.game()
        if not game.ending:
            fact = end_game(self.event, game, Ending.ABANDONED, by="Tess", why="all went home")
            self.model.happened.append((fact.number, "end", len(game.played), []))

    def go_on(self) -> None:
        game = self.game()
        if game.ending == "abandoned":
            fact = undo_end(self.event, game, by="Tess", why="they are back")
            self.model.happened.append((fact.number, "go on", len(game.played), []))
        elif game.ending == "solo":
            with pytest.raises(Stopped, match="the centre counts make it a solo"):
                undo_end(self.event, game, by="Tess", why="no")

    def compare(self) -> None:
        game = self.game()
        phases, position, ending = self.model.state()
        assert [str(played.phase) for played in game.played] == [phase for phase, _ in phases]
        assert shape(game.position) == shape(position)
        assert game.ending == ending


def shape(position: Position) -> dict[str, Any]:
    """A position to compare; powers without anything are left out."""
    return {
        "phase": str(position.phase),
        "units": {power: sorted(map(str, units)) for power, units in position.units.items() if units},
        "centres": {power: sorted(owned) for power, owned in position.centres.items() if owned},
        "dislodged": sorted((d.power, str(d.unit), d.by, d.retreats) for d in position.dislodged),
    }


@pytest.mark.parametrize("tournament", LIMITS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_game_is_what_was_published_corrected_and_ended(tournament: str, seed: int) -> None:
    random = Random(seed)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.desk.publish.publish._print_card", lambda *_: b"")
        patch.setattr("pipeline.desk.publish.publish._print_map", lambda *_: b"")
        with open_event(seated(Path(folder) / "cup", tournament=tournament), clock) as event:
            history = History(event, random, random.choice(("S1903M", "F1903M")))
            for _ in range(9):
                weights = {"publish": 6, "correct": 5, "undo": 2, "end": 1, "go_on": 2}
                getattr(history, random.choices(list(weights), list(weights.values()))[0])()
                history.compare()
            assert [p for p in check_event(event) if not any(word in p.text for word in EXPECTED)] == []
            assert {fact.said.how for fact in event.facts.select(GameEnded)} <= {Ending.SOLO, Ending.ABANDONED}
