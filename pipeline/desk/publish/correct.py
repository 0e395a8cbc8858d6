"""An error found after the read-out: what would change if the board were played again, and what the rules say to it.

The facts stay: a correction is published again, phase by phase, and what was published before can still be looked up.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline.board.map import Power
from pipeline.board.position import Phase
from pipeline.desk.event.ending import over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, find_game, follow
from pipeline.desk.event.played import Played
from pipeline.desk.publish.check import difference
from pipeline.desk.publish.publish import call_solo, open_matters
from pipeline.desk.publish.published import as_published, as_row
from pipeline.desk.publish.read_out import CardsMade, write_cards
from pipeline.desk.ruling.desk import Desk
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome.outcome import Outcome, Resolution, Result
from pipeline.ledger.parts import RowPublished
from pipeline.orders.notation import write
from pipeline.orders.order import Order
from pipeline.problems import ExitCode, Stopped, stop
from pipeline.rules.conduct import Correction, ErrorFound, decide_error

Given = Mapping[Power, tuple[Order, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """One phase played again."""

    phase: Phase
    orders: Given
    resolution: Resolution
    rows: Mapping[Power, tuple[RowPublished, ...]]  # what each order rests on, as it is published
    changes: tuple[str, ...]  # in words, what is other than it was published


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCorrection:
    """A board played again from one phase on."""

    game: Game
    phases: tuple[Again, ...]
    verdict: Correction  # what this tournament makes of an error found now
    rule: str
    reason: str

    @property
    def changes_anything(self) -> bool:
        """Whether anything is other than it was published."""
        return any(again.changes for again in self.phases)


def propose(event: Event, game: Game, phase: str, *, deadline_passed: bool) -> ProposedCorrection:
    """Play a board again from a phase on, with the orders that follow from the facts now.

    Later phases keep the orders that were published for them: an order for a unit that is no longer there is void.
    Nothing is written down. Something that is open again must be ruled on first.
    """
    then = at_phase(game, phase)
    first = len(then.played)
    if first == len(game.played):
        raise stop("this phase is not published yet; rule on it as usual", f"{game.name} {phase}")
    if why := over(event, then):
        raise stop(to_end(why), f"{game.name} {phase}")  # nobody is asked for orders after that
    desk = Desk.of(event)
    rows = desk.board(then)
    if waiting := open_matters(event, then, rows):
        raise Stopped(waiting, ExitCode.RULE_FIRST)
    phases: list[Again] = []
    position = then.position
    for played in game.played[first:]:
        if position.phase != played.phase:
            break  # a dislodgement more or less: from here on the board must be played anew
        orders, resting = played.orders, played.fact.said.rows
        if not phases:
            orders = {power.power: power.orders for power in rows}
            resting = {power.power: tuple(map(as_row, power.rows)) for power in rows}
        resolution = adjudicate(game.map, position, orders, event.tournament.rulebook)
        phases.append(
            Again(
                phase=played.phase,
                orders=orders,
                resolution=resolution,
                rows=resting,
                changes=changes(played, orders, resolution),
            )
        )
        position = resolution.after
    found = ErrorFound(
        orders_in=desk.has_orders(game),
        deadline_passed=deadline_passed,
        adjudicated=first < len(game.played) - 1,
    )
    verdict, setting = decide_error(found, event.tournament.conduct)
    return ProposedCorrection(
        game=game, phases=tuple(phases), verdict=verdict, rule=setting.source, reason=setting.value.meaning
    )


def changes(played: Played, orders: Given, resolution: Resolution) -> tuple[str, ...]:
    """Say what is other than it was published: orders, outcomes, and where the units are."""
    found = []
    for power in Power:
        then = sorted(write(order) for order in played.orders.get(power, ()))
        now = sorted(write(order) for order in orders.get(power, ()))
        if then != now:
            found.append(f"{power} {difference('orders', then, now)}")
    before = {(r.power, write(r.order)): r for r in played.resolution.results}
    for result in resolution.results:
        published = before.get((result.power, write(result.order)))
        if published is not None and what_became(published) != what_became(result):
            found.append(f"{result.power} {write(result.order)}: was {published.reason!r}, is {result.reason!r}")
    for power in Power:
        was = sorted(map(str, played.resolution.after.units.get(power, ())))
        now = sorted(map(str, resolution.after.units.get(power, ())))
        if was != now:
            found.append(f"{power} {difference('units after it', was, now)}")
    return tuple(found)


def what_became(result: Result) -> tuple[Outcome, Order | None, bool]:
    """What became of an order and of its unit, whatever the sentence for it."""
    return result.outcome, result.dislodged_by, result.is_lost


def apply(event: Event, proposal: ProposedCorrection, *, by: str, why: str) -> CardsMade:
    """Publish the corrected phases again, and make their cards and maps; what is not played any more has none.

    Refused where the rules let the error stand and nobody gives a reason.
    """
    if not proposal.changes_anything:
        raise stop("nothing changes; there is nothing to correct", proposal.game.name)
    if proposal.verdict is not Correction.CORRECTED and not why:
        raise stop(
            f"{proposal.reason} ({proposal.rule}); to correct it all the same, say why with --why", proposal.game.name
        )
    facts = tuple(
        replace(as_published(proposal.game.name, again.orders, again.resolution, again.rows), why=why)
        for again in proposal.phases
    )
    with event.facts.transaction():
        game = find_game(event, proposal.game.name)
        if (game.played, game.end) != (proposal.game.played, proposal.game.end):
            raise stop("something was published or ended meanwhile; nothing was corrected, look again", game.name)
        for said in facts:
            game = follow(game, event.facts.write(said, by), event)
        call_solo(event, game)
    return write_cards(event, find_game(event, proposal.game.name))
