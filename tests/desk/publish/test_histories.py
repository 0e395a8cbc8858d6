"""Publish, correct, undo, vote, end and go on, in any order: the game is what a model of a few lines says.

The model keeps what was published, as orders by phase, and plays it from the start with the judge. A game is over by a
solo as long as somebody has eighteen centres, else by hand or by a vote as long as the phase is reached in which it was
ended. A vote ends nothing while somebody has a centre who had no vote.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from facts_as_kept import append_fact
from hypothesis import given, settings
from hypothesis import strategies as st
from sampled import slow_after

from desk.cup import clock, seated
from pipeline.board import Phase, Position, Power, Season, Step, standard_map
from pipeline.desk.event.ending import end_game, undo_end
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, undo_vote
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.hanging import Outdated, find_outdated
from pipeline.desk.publish.public_record import PublicBook, public_record
from pipeline.desk.publish.publish import (
    ProposedCorrection,
    apply_correction,
    propose_correction,
    publish,
)
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printed import entitlements
from pipeline.journal.acts import undo_fact
from pipeline.judge.adjudicate import adjudicate, legal_orders
from pipeline.ledger.events import GameEnded, PhasePublished
from pipeline.ledger.ledger import Fact
from pipeline.orders import Hold, Waive, read_order, read_position, write
from pipeline.problems import Stopped
from pipeline.rules.conduct import Correction
from pipeline.rules.game_end import Moment
from pipeline.scoring.results import Ending

BOARD = "1.1"
MAP = standard_map()
TOWNS = [
    *("LON", "LVP", "EDI", "BRE", "PAR", "MAR", "SPA", "POR", "BER"),
    *("KIE", "MUN", "DEN", "SWE", "NWY", "HOL", "BEL", "VIE"),
]
POSITION = {  # Italy has 17 centres and reaches two more, which others may keep or take; France may lose its last
    "units": {
        "ITALY": [*(f"A {town}" for town in TOWNS[:-1]), "A APU"],
        "AUSTRIA": ["F TYS", "A BOH"],
        "TURKEY": ["F ION", "A RUM"],
    },
    "centers": {"ITALY": TOWNS, "AUSTRIA": ["MOS", "WAR"], "TURKEY": ["CON", "RUM"], "FRANCE": ["ROM"]},
    "dislodged": [],
}
MOVERS = ("A APU", "F TYS", "F ION", "A BOH", "A VIE", "F ROM", "F NAP", "A ROM", "A NAP")
LIMITS = {  # until when an error is corrected, and what becomes of a later one
    "weaselmoot": ("next deadline", Correction.ASK),
    "nzdc1999": ("next season adjudicated", Correction.ASK),
    "edc2023": ("next orders in", Correction.STANDS),
    "wdc2008": ("ask", Correction.ASK),
    "edc1996": ("ask", Correction.ASK),
}
EXPECTED = "; now "  # lines typed and not applied
Orders = dict[Power, list[str]]
Phases = list[tuple[str, Orders]]


class Vote(NamedTuple):
    """A vote that everybody agrees to hold, on a position that is a stalemate if it must be one."""

    asker: Power
    phase: Phase
    moment: Moment
    is_stalemate: bool
    carried: bool

    @property
    def season(self) -> tuple[int, bool]:
        return self.phase.year, self.phase.season is Season.SPRING

    def is_allowed(self, tournament: str, failed: list["Vote"]) -> bool:
        """Whether the rules let it be held after those that failed."""
        is_first = self.season not in [vote.season for vote in failed]
        asks_first = self.asker not in [vote.asker for vote in failed]
        negotiates = self.moment is Moment.NEGOTIATION
        match tournament:
            case "weaselmoot":  # WM VIII.3.a, b
                return self.phase.year >= 1904 and negotiates and is_first
            case "nzdc1999":  # NZ99 13
                return is_first
            case "edc2023":  # EDC23 E: not while Fall's orders and retreats are adjudicated
                in_retreats = self.phase.season is Season.FALL and self.phase.step is Step.RETREATS
                return is_first and asks_first and not in_retreats
            case "edc1996":  # EDC96 10; the director is asked about the rest
                return self.is_stalemate and negotiates and is_first and asks_first
            case _:  # WDC08 11.5
                return self.moment is Moment.BETWEEN and asks_first


class Model:
    """What happened, and what follows from it; what is undone is taken out of what happened."""

    def __init__(self, start: Position, event: Event) -> None:
        self.start, self.rules = start, event.tournament.rulebook
        # its fact, what it was, the phases from a place on, or the position that was set by hand there
        self.happened: list[tuple[int, str, int, Phases | Position | Vote]] = []

    def after(self, position: Position, orders: Orders) -> Position:
        given = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
        return adjudicate(MAP, position, given, self.rules).after

    def state(self) -> "State":
        """What is published, where the board stood after each phase, and how the game ended."""
        now = State([], [], self.start)
        ended: tuple[int, int, int] | None = None  # the phase in which the game was ended by hand or by a vote
        voters: set[Power] | None = None
        for _, what, place, again in self.happened:
            if isinstance(again, Vote):
                if again.carried:
                    ended, voters = now.position.phase.sort_key, now.survivors
                continue
            if what == "end":
                ended, voters = now.position.phase.sort_key, None
                continue
            now = State(now.phases[:place], now.stood[:place], now.base, now.since)
            if isinstance(again, Position):
                now = State(now.phases, now.stood, again, place)
            for phase in again if isinstance(again, list) else ():
                now = State([*now.phases, phase], [*now.stood, self.after(now.position, phase[1])], now.base, now.since)
            if what in ("publish", "set") or has_won(now.position):
                ended = None
        if ended is not None and now.position.phase.sort_key >= ended and now.survivors <= (voters or now.survivors):
            return now.over("vote" if voters else "abandoned")
        return now.over("solo" if len(now.phases) > now.since and has_won(now.position) else None)


class State(NamedTuple):
    phases: Phases
    stood: list[Position]  # after each
    base: Position  # where the board began, or as somebody set it by hand
    since: int = 0  # how many phases stay that were published before that
    ending: str | None = None

    def over(self, ending: str | None) -> "State":
        return self._replace(ending=ending)

    @property
    def position(self) -> Position:
        return self.stood[-1] if len(self.stood) > self.since else self.base

    @property
    def survivors(self) -> set[Power]:
        return {power for power, owned in self.position.centres.items() if owned}

    @property
    def counts(self) -> dict[int, dict[Power, int]]:
        """The centres after each Fall; what was set by hand has the last word on the Fall before it."""
        ends = [(phase, after) for (phase, _), after in zip(self.phases, self.stood, strict=True) if phase[0] == "F"]
        falls = {int(phase[1:5]): counted(after) for phase, after in ends if after.phase.season is not Season.FALL}
        return falls | ({self.base.phase.last_count: counted(self.base)} if self.base.phase.last_count else {})


def counted(position: Position) -> dict[Power, int]:
    return {power: len(position.centres.get(power, ())) for power in Power}


def has_won(position: Position) -> bool:
    return any(len(owned) >= 18 for owned in position.centres.values())


class History:
    """One event to which things happen."""

    def __init__(self, event: Event, random: Random, phase: str) -> None:
        self.event, self.random = event, random
        position = {"phase": phase, **POSITION}
        append_fact(event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
        self.model = Model(read_position(position, MAP), event)
        self.book = PublicBook(event)
        self.ever = set[Phase]()  # published once
        self.hung = list[dict[Phase, Fact[PhasePublished]]]()  # what was published after each step since
        self.written: dict[str, Orders] = {}  # what stands on the sheets of each phase now

    def game(self) -> Game:
        return find_game(self.event, BOARD)

    def write(self, position: Position, power: Power) -> None:
        """Type the lines of one power: most units hold, those in the middle do anything."""
        lines: list[str] = []
        legal = legal_orders(MAP, position, power)
        due = entitlements(MAP, position).get(power, 0)
        if position.phase.step is Step.ADJUSTMENTS:
            removals = [write(order) for order in legal if not isinstance(order, Waive) and write(order).endswith(" D")]
            lines = ["WAIVE"] * due if due > 0 else self.random.sample(removals, -due)
        else:
            for unit in sorted({order.unit for order in legal if not isinstance(order, Waive)}):
                own = [order for order in legal if not isinstance(order, Waive) and order.unit == unit]
                free = str(unit) in MOVERS or position.phase.step is Step.RETREATS
                chosen = self.random.choice(own) if free and self.random.random() < 0.8 else None
                if str(unit) in ("A APU", "F TYS") and self.random.random() < 0.6:  # Italy's 18th centre, France's last
                    wanted = f"{unit} - {self.random.choice(('ROM', 'NAP'))}"
                    chosen = next((each for each in own if write(each) == wanted), chosen)
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
        if place < self.model.state().since:
            with pytest.raises(Stopped, match="was set by hand since; no correction goes back before that"):
                propose_correction(self.event, game, str(then.phase), deadline_passed=None)
            return
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
        self.look_at_phases(proposal, place, again)
        last = self.event.facts.last_number()
        if not proposal.changes_anything:
            with pytest.raises(Stopped, match="nothing to correct"):
                apply_correction(self.event, proposal, by="Tess", why="ink")
            return
        if proposal.verdict is not Correction.CORRECTED:
            with pytest.raises(Stopped, match="say why"):
                apply_correction(self.event, proposal, by="Tess", why="")
            assert self.event.facts.last_number() == last
        was_over = self.model.state().ending
        apply_correction(self.event, proposal, by="Tess", why="ink")
        facts = [fact.number for fact in self.event.facts.select(PhasePublished) if fact.number > last]
        self.model.happened.append((facts[0] if len(facts) == 1 else 0, "correct", place, again))
        assert (proposal.goes_on is not None) == (was_over is not None and self.model.state().ending is None)

    def look_at_phases(self, proposal: ProposedCorrection, place: int, again: Phases) -> None:
        """Every later phase is played again until the game is over or another phase comes; the rest are dropped."""
        game, orders = proposal.game, dict(again)
        position, names = game.played[place].before, list[str]()
        for played in game.played[place:]:
            name = str(played.phase)
            if played.phase.sort_key < position.phase.sort_key:
                continue
            if played.phase != position.phase or has_won(position) or name not in orders:
                assert name not in orders or has_won(position) or played.phase != position.phase
                assert bool(proposal.waits) == (played.phase == position.phase and not has_won(position))
                break
            if names and position == played.before:
                assert {p: [*o] for p, o in orders[name].items()} == {
                    p: [*map(write, o)] for p, o in played.orders.items()
                }
            names.append(name)
            position = self.model.after(position, orders[name])
        assert [str(said.phase) for said, _ in proposal.phases] == names
        assert [*proposal.dropped] == [str(each.phase) for each in game.played[place:] if str(each.phase) not in names]

    def set_by_hand(self) -> None:
        """Set the position as it was at first, at a phase that is open, or was published."""
        game = self.game()
        phases = [each.phase for each in game.played if each.phase.step is Step.MOVEMENT] + [game.position.phase]
        phase = self.random.choice([each for each in phases if each.step is Step.MOVEMENT])
        position = {"phase": str(phase), **POSITION}
        fact = append_fact(self.event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
        place = sum(Phase.read(name).sort_key < phase.sort_key for name, _ in self.model.state().phases)
        self.model.happened.append((fact.number, "set", place, read_position(position, MAP)))

    def undo(self) -> None:
        """Take back the newest publication, correction that published one phase again, or position."""
        kinds = ("publish", "correct", "set")
        games = [place for place, (_, what, *_) in enumerate(self.model.happened) if what in kinds]
        if games and (number := self.model.happened[games[-1]][0]):
            with suppress(Stopped):  # it was ended since, or lines for the next phase are in
                undo_fact(self.event, number, by="Tess", why=f"{number} was misread")
                del self.model.happened[games[-1]]

    def end(self) -> None:
        game = self.game()
        if not game.ending:
            fact = end_game(self.event, game, Ending.ABANDONED, by="Tess", why="all went home")
            self.model.happened.append((fact.number, "end", len(game.played), []))

    def vote(self) -> None:
        game = self.game()
        voters = sorted(self.model.state().survivors)
        at_table = game.position.phase.step is Step.MOVEMENT
        moment = self.random.choice((Moment.NEGOTIATION, Moment.BETWEEN)) if at_table else Moment.AFTERMATH
        against = self.random.choice((0, 1))
        vote = Vote(self.random.choice(voters), game.position.phase, moment, self.random.random() < 0.7, not against)
        asking = Asking(power=vote.asker, moment=moment, all_agree=True, stalemate=vote.is_stalemate)
        count = Count(yes=len(voters) - against, no=against)
        failed = [vote for *_, vote in self.model.happened if isinstance(vote, Vote) and not vote.carried]
        if game.ending or not vote.is_allowed(self.event.tournament.id, failed):
            with pytest.raises(Stopped):
                hold_counted(self.event, game, asking, count, Says(), by="Tess")
            return
        fact = hold_counted(self.event, game, asking, count, Says(), by="Tess")
        self.model.happened.append((fact.number, "vote", len(game.played), vote))

    def undo_vote(self) -> None:
        """Take the newest vote back; a game that it ended goes on."""
        votes = [place for place, (*_, vote) in enumerate(self.model.happened) if isinstance(vote, Vote)]
        if not votes:
            return
        ended = self.model.state().ending == "vote"
        undo_vote(self.event, self.game(), by="Tess")
        del self.model.happened[votes[-1]]
        if ended:
            self.take_ends_back()

    def take_ends_back(self) -> None:
        """Those that a correction had taken away, and another brought back, too."""
        while self.model.state().ending in ("abandoned", "vote"):
            ends = [
                place
                for place, (_, what, _, said) in enumerate(self.model.happened)
                if what == "end" or (isinstance(said, Vote) and said.carried)
            ]
            del self.model.happened[ends[-1]]

    def go_on(self) -> None:
        game = self.game()
        if game.ending in ("abandoned", "vote"):
            undo_end(self.event, game, by="Tess", why="they are back")
            self.take_ends_back()
        elif game.ending == "solo":
            with pytest.raises(Stopped, match="the centre counts make it a solo"):
                undo_end(self.event, game, by="Tess", why="no")

    def compare(self) -> None:
        game, now = self.game(), self.model.state()
        assert [str(played.phase) for played in game.played] == [phase for phase, _ in now.phases]
        assert shape(game.position) == shape(now.position)
        assert game.ending == now.ending
        assert [shape(played.after) for played in game.played] == [shape(each) for each in now.stood]
        assert game.counts_by_year == now.counts
        assert game.centres == counted(now.position)
        assert game.is_set_by_hand == (len(now.phases) == now.since)
        assert game.played_since_set == game.played[now.since :]
        self.look_at_wall(game)
        assert self.book.record() == public_record(self.event, games(self.event))

    def look_at_wall(self, game: Game) -> None:
        """What is to be hung up or taken down, compared with all states since a phase was published first."""
        ever = {fact.said.phase for fact in self.event.facts.select(PhasePublished)}
        if ever - self.ever:
            self.hung.clear()
        self.ever = ever
        self.hung.append({played.phase: played.fact for played in game.played})
        told = find_outdated(self.event, BOARD)
        for phase in sorted({phase for stood in self.hung for phase in stood}, key=lambda phase: phase.sort_key):
            seen = [stood.get(phase) for stood in self.hung]
            now = seen[-1]
            if now is None:
                assert phase in told.gone
                continue
            was_away = None in seen[seen.index(now) :]
            others = [fact for fact in seen if fact and content(fact.said) != content(now.said)]
            is_back = was_away or any(fact.number > now.number for fact in others)
            assert (phase in told.back) == is_back
            assert (phase in told.anew) == (bool(others) and not is_back)
        assert {*told.anew, *told.back, *told.gone} <= {phase for stood in self.hung for phase in stood}
        assert find_outdated(self.event, "1.2") == Outdated((), (), ())


def content(said: PhasePublished) -> object:
    """What its card and its map show."""
    return said.orders, said.results, said.after


def shape(position: Position) -> dict[str, Any]:
    """A position to compare; powers without anything are left out."""
    return {
        "phase": str(position.phase),
        "units": {power: sorted(map(str, units)) for power, units in position.units.items() if units},
        "centres": {power: sorted(owned) for power, owned in position.centres.items() if owned},
        "dislodged": sorted((d.power, str(d.unit), d.by, d.retreats) for d in position.dislodged),
    }


@pytest.mark.parametrize("tournament", slow_after(3, LIMITS))
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
                weights = {
                    "publish": 6,
                    "correct": 5,
                    "undo": 2,
                    "end": 1,
                    "go_on": 2,
                    "set_by_hand": 1,
                    "vote": 3,
                    "undo_vote": 1,
                }
                getattr(history, random.choices(list(weights), list(weights.values()))[0])()
                history.compare()
            assert [p for p in check_event(event) if EXPECTED not in p.text] == []
            assert {fact.said.how for fact in event.facts.select(GameEnded)} <= {
                Ending.SOLO,
                Ending.ABANDONED,
                Ending.VOTE,
            }
