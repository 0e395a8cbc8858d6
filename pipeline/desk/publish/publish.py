"""Publish a board's phase: adjudicate its orders, write the result down, and make the card and the map.

Nothing is adjudicated while anything is open. What was published is a fact; card and map can be made again at any time.
"""

import glob
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Map, Phase, Position, Power, Step
from pipeline.desk.event.ending import end_of, over, solo_winner, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Played, apply_fact, at_phase, find_game
from pipeline.desk.publish.explain import as_published, as_row, differences
from pipeline.desk.ruling.desk import Desk, ruled_before_read, seats_left
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.sheets.printed import entitlements, printed_sheets
from pipeline.desk.sheets.unfiled_pages import holding, waiting_pages
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Result, Stands, Word
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.files import local_time, make_again, write_refused
from pipeline.orders import units_of, write
from pipeline.paper.printed_card import Card, CardLine, print_card
from pipeline.picture.draw import Caption, draw_resolution
from pipeline.picture.formats import as_pdf
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.conduct import Correction, ErrorFound, Reader, decide_error
from pipeline.rules.table import did_you_mean
from pipeline.rules.tournament import Tournament
from pipeline.scoring.results import Ending
from pipeline.words.speech import Speech, Worded, to_say, wording, write_count

# The order in which the powers' orders are read aloud.


def _order_to_read(
    tournament: Tournament,
    phase: Phase,
    powers: Sequence[Power],
    beginners: Collection[Power] = (),
    seats: Sequence[Power] = tuple(Power),
) -> tuple[Power, ...]:
    """Sort the powers in the order in which this tournament reads their orders; where any player may read, by name.

    One power a season reads its own orders first and the others after it, Austria in Spring 1901 (NZ99 12; WM VI.4).
    The turn goes round all ``seats`` of the game; powers that are not in ``powers`` are skipped. Or the orders of
    beginners are read first, in the first years (EDC23 R1, R12).

    >>> from pipeline.rules.load import load_tournament
    >>> wm = load_tournament("weaselmoot")
    >>> [str(p) for p in _order_to_read(wm, Phase.read("F1901M"), tuple(Power))[:3]]
    ['ENGLAND', 'FRANCE', 'GERMANY']
    """
    seated = tuple(power for power in Power if power in powers)
    if not seated:
        return seated
    match tournament.conduct.reader.value:
        case Reader.DESIGNATED | Reader.IN_TURN:
            every = tuple(power for power in Power if power in seats)
            first = (phase.season_number - 1) % len(every)
            return tuple(power for power in every[first:] + every[:first] if power in powers)
        case Reader.BEGINNERS if _reads_beginners_first(tournament, phase):
            return tuple(sorted(seated, key=lambda power: power not in beginners))
        case _:
            return seated


def _reads_beginners_first(tournament: Tournament, phase: Phase) -> bool:
    """Whether the orders of beginners go first in this phase (EDC23 R1, R12)."""
    conduct = tournament.conduct
    last = conduct.beginners_until.value
    return conduct.reader.value is Reader.BEGINNERS and (last is None or phase.year <= last)


def _beginners_of(event: Event, game: Game) -> frozenset[Power]:
    """The powers whose players the roster calls beginners."""
    names = {player.name for player in event.players if player.beginner}
    return frozenset(power for power, name in game.seating.players.items() if name in names)


def reading_order(event: Event, game: Game, phase: Phase, powers: Sequence[Power]) -> tuple[Power, ...]:
    seats = tuple(game.seating.players)
    return _order_to_read(event.tournament, phase, powers, _beginners_of(event, game), seats)


def _beginners_words(event: Event, game: Game, phase: Phase) -> tuple[str, ...]:
    """Say why somebody is read first, where beginners are on the board."""
    conduct = event.tournament.conduct
    if not _beginners_of(event, game) or not _reads_beginners_first(event.tournament, phase):
        return ()
    rule, year = conduct.beginners_until.rule or conduct.reader.source, conduct.beginners_until.value
    if year:
        return (wording("beginners are read first to the end of {year} ({rule})", year=year, rule=rule),)
    return (wording("beginners are read first ({rule})", rule=rule),)


# The files of a published phase: its read-out card and its map, with what comes next.
#
# They are made from the facts, and can be made again at any time.

GOOD = (Word.SUCCEEDS, Word.GIVEN, Word.STANDS, Word.AVAILABLE)


MAY_RETREAT = to_say("{power} {unit} dislodged by an attack from {place}: may retreat to {places}")
GONE = to_say("{power} {unit}, dislodged by an attack from {place}: no retreat, it is gone")
HELD = to_say("held, dislodged by {order}")
HELD_AND_GONE = to_say("held, dislodged by {order}, and disbanded in civil disorder")
NO_ORDER = to_say("no order: {reason}")
BUILDS, DISBANDS = to_say("{power} builds {count}"), to_say("{power} disbands {count}")
MADE = re.compile(r"(?P<board>.+)-(?P<phase>[SFW][0-9]+[MRA])-(card|map)\.pdf")  # the names of cards and maps


def write_cards(event: Event, game: Game, phase: str | None = None) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Make the card and the map of every published phase of a board again, or of one; older ones are replaced.

    Returns what was written, and what was deleted because a correction removed its phase.
    """
    phases = {str(played.phase): played for played in game.played}
    if phase is not None and phase not in phases:
        raise stop(f"not published on board {game.name}{did_you_mean(phase, tuple(phases))}", phase)
    wanted = [played for name, played in phases.items() if phase in (None, name)]
    made = tuple(path for played in wanted for path in write_card_and_map(event, game, played))
    return made, remove_stale(event, game)


def remove_stale(event: Event, game: Game) -> tuple[Path, ...]:
    """Delete cards and maps of phases that are not published, or not any more."""
    phases = {str(played.phase) for played in game.played}
    made = [(path, MADE.fullmatch(path.name)) for path in event.out.glob(f"{glob.escape(game.name)}-*.pdf")]
    stale = [path for path, name in made if name and name["board"] == game.name and name["phase"] not in phases]
    for path in stale:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            text = "the decision is written; it removed this phase, and its file cannot be deleted"
            raise write_refused(error, str(path), text, "delete it yourself") from error
    return tuple(stale)


def write_card_and_map(event: Event, game: Game, played: Played) -> tuple[Path, Path]:
    """Make the card and the map of a phase; the phase stays published if that fails."""
    faults, code = list[Problem](), ExitCode.DONE
    card, drawing = _paths_of_prints(event, game, played)
    for path, print_it in ((card, _print_card), (drawing, _print_map)):
        try:
            make_again(path, print_it(event, game, played))
        except Stopped as stopped:
            faults += stopped.problems
            code = stopped.code
    if faults:
        again = f"ordersheets cards {quote(str(event.folder))} --board {game.name} --phase {played.phase}"
        text = f"this phase is published; only its card or map is missing: make it with '{again}'"
        said = Problem(Weight.STOPS, text, f"{game.name} {played.phase}")
        raise Stopped((said, *faults), code)
    return card, drawing


def _paths_of_prints(event: Event, game: Game, played: Played) -> tuple[Path, Path]:
    """The paths of the card and the map of a phase."""
    name = f"{game.name}-{played.phase}"
    return event.out / f"{name}-card.pdf", event.out / f"{name}-map.pdf"


def newest_results(event: Event, game: Game) -> list[Path]:
    """The cards and maps of the newest movement phase of a board, and of what came since; missing ones anew."""
    moved = [number for number, played in enumerate(game.played) if played.phase.step is Step.MOVEMENT]
    paths: list[Path] = []
    for played in game.played[moved[-1] :] if moved else game.played:
        both = _paths_of_prints(event, game, played)
        paths += both if all(path.is_file() for path in both) else write_card_and_map(event, game, played)
    return paths


def _print_card(event: Event, game: Game, played: Played) -> bytes:
    after, speech = played.after, event.speech
    sections = []
    for power in reading_order(event, game, played.phase, tuple(game.seating.players)):
        outcomes = outcomes_in_words(played, power, speech)
        lines = tuple(CardLine(order, reason, good=good) for order, good, reason in outcomes)
        if lines:
            sections.append(
                (f"{speech.power(power).upper()}   {game.seating.player_at(power, played.phase)}".rstrip(), lines)
            )
    card = Card(
        title=event.details.name,
        board=game.name,
        phase=speech.says(played.phase.in_words),
        sections=tuple(sections),
        notes=tuple(
            map(speech.says, (*_beginners_words(event, game, played.phase), *next_phase_in_words(game.map, after)))
        ),
        foot=speech.says("published by {by}, {at}", by=played.fact.by, at=local_time(played.fact.at)),
        speech=speech,
        paper=event.details.paper,
    )
    return print_card(card)


def _print_map(event: Event, game: Game, played: Played) -> bytes:
    """Draw a phase: the units as they stood, every order, and what became of it."""
    after = played.after
    notes = _adjustments_due(game.map, after)  # the map shows the retreats itself
    speech = event.speech
    title = speech.says("Board {board}", board=game.name)
    caption = Caption(title=title, subtitle=event.details.name, notes=notes, speech=speech)
    drawing = draw_resolution(game.map, played.before, played.resolution, caption)
    return as_pdf(drawing, event.details.paper, speech.code)


def outcomes_in_words(played: Played, power: Power, speech: Speech) -> list[tuple[str, bool, str]]:
    """A power's orders with their outcomes: the order, whether it succeeded, and the reason.

    The reason of a hold that no player wrote says that there was no order.
    """
    ordered = units_of(played.orders.get(power, ()))
    return [
        (
            speech.order(write(r.order)),
            r.outcome.result in GOOD,
            speech.says(reason if units_of([r.order]) <= ordered else wording(NO_ORDER, reason=reason)),
        )
        for r in played.resolution.results
        if r.power is power
        for reason in [reason_in_print(r)]
    ]


def reason_in_print(result: Result) -> str:
    """What became of an order, for people: a unit that was ordered to hold and is driven out does not stand."""
    if isinstance(result.outcome, Stands) and result.dislodged_by is not None:
        driven = HELD_AND_GONE if result.is_lost else HELD
        return wording(driven, order=write(result.dislodged_by))
    return result.reason


def next_phase_in_words(board: Map, position: Position) -> tuple[Worded, ...]:
    """Say which units are gone, and what the next phase needs: each unit's legal retreats, or builds and disbands."""
    gone = tuple(
        wording(MAY_RETREAT if d.retreats else GONE, power=d.power, unit=d.unit, place=d.by, places=d.retreats)
        for d in position.dislodged
    )
    return (*gone, *_adjustments_due(board, position))


def _adjustments_due(board: Map, position: Position) -> tuple[Worded, ...]:
    """The builds and disbands that are due in a winter."""
    if position.phase.step is not Step.ADJUSTMENTS:
        return ()
    return tuple(
        wording(BUILDS if count > 0 else DISBANDS, power=power, count=abs(count))
        for power, count in entitlements(board, position).items()
        if count
    )


class Published(Struct, frozen=True):
    """A published phase with its files."""

    played: Played
    card: Path  # to be read aloud
    map: Path  # to be hung up


def _open_matters(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> tuple[Problem, ...]:
    """List everything that waits for the director before the phase a board is in can be judged."""
    where = f"{game.name} {game.position.phase}"
    problems = list(holding(event, game, waiting_pages(event), printed_sheets(event)))
    problems += seats_left(event, game, powers)
    problems += ruled_before_read(event, game, powers)
    for power in powers:
        problems += [p for p in power.problems if p.weight is Weight.ASKS]
        for row in power.rows:
            if row.needs_director:
                text = f"{row.ink!r}: {row.reason}" if row.ink else row.reason
                problems.append(Problem(Weight.ASKS, text, f"{where} {power.power} line {row.line}"))
    return tuple(problems)


def publish(event: Event, board: str, by: str) -> Published:
    """Adjudicate the phase a board is in, or stop with everything that is still open (exit code 3).

    It also stops if anything changed on the board while it was adjudicated.
    """
    read_to = event.facts.last_number()
    game = find_game(event, board)
    if game.ending:
        raise stop(f"the game is over: {game.ending}", game.name)
    if why := over(event, game):
        raise stop(to_end(why), game.name)
    powers = Desk.of(event).board(game)
    if waiting := _open_matters(event, game, powers):
        raise Stopped(waiting, ExitCode.RULE_FIRST)
    orders = {power.power: power.orders for power in powers}
    resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
    rows = {power.power: tuple(map(as_row, power.rows)) for power in powers}
    with event.facts.transaction():
        if event.facts.last_number() != read_to and _has_changed(event, game, powers):
            text = "something came in while this was adjudicated; nothing was published, look at it and publish again"
            raise Stopped((Problem(Weight.ASKS, text, f"{game.name} {game.position.phase}"),), ExitCode.RULE_FIRST)
        fact = event.facts.write(as_published(game.name, orders, resolution, rows), by)
        after = apply_fact(game, fact, event)
        _call_solo(event, after)
    played = after.played[-1]
    return Published(played, *write_card_and_map(event, game, played))


def _has_changed(event: Event, game: Game, powers: tuple[PowerRows, ...]) -> bool:
    """Whether a board changed, or has something open now."""
    now = find_game(event, game.name)
    if (now.position, now.ending) != (game.position, game.ending):
        return True
    seen = Desk.of(event).board(now)
    return seen != powers or bool(_open_matters(event, now, seen))


def _call_solo(event: Event, game: Game) -> None:
    """End a game that a power has won by a solo, also one that ended otherwise before a correction.

    The end is written with the phase that wins, in one transaction: neither is ever stored without the other.
    """
    if why := _won_in_words(event, game):
        event.facts.write(end_of(event, replace(game, end=None), Ending.SOLO, why=why), "the rules")


def _won_in_words(event: Event, game: Game) -> str:
    """What makes a game a solo; empty where nothing does, or it ended so."""
    winner = None if game.ending == Ending.SOLO else solo_winner(event, game)
    return f"{winner} owns {write_count(len(game.position.centres[winner]), 'centre')}" if winner else ""


# Corrections of an error found after the read-out: what would change if the board were played again, and whether the
# rules allow it.
#
# No fact is changed: the corrected phases are published again, and the journal keeps the earlier publications.


class ProposedCorrection(Struct, frozen=True, kw_only=True):
    """A board played again from one phase on."""

    game: Game
    # each phase as it would be published, and what changes, in words
    phases: tuple[tuple[PhasePublished, tuple[str, ...]], ...]
    dropped: tuple[str, ...]  # phases that were published and are not any more
    waits: tuple[Problem, ...]  # what must be ruled on in the phase at which the correction stops
    verdict: Correction  # what this tournament makes of an error found now
    rule: str
    reason: str
    deadline_counts: bool  # the rules make something else of an error found after the next deadline
    deadline_assumed: bool  # so they do, and nobody said when it was found: before the next deadline is assumed
    goes_on: Phase | None  # of a game that had ended and has not any more: the phase that is open then
    solo: str  # what makes it the solo that it was not, in words
    without_vote: tuple[Power, ...]  # the powers with a centre then that had no vote when a vote ended the game

    @property
    def changes_anything(self) -> bool:
        """Whether anything differs from what was published."""
        return any(changes for _, changes in self.phases)


def propose_correction(event: Event, game: Game, phase: str, *, deadline_passed: bool | None) -> ProposedCorrection:
    """Play a board again from a phase on, with the orders that follow from the facts now.

    A later phase that begins from another position is read again, because the position can change what a line means.
    The proposal ends before a later phase in which something then waits for the director. Rows of the corrected phase
    that are open must be ruled on first. Nothing is written down.

    ``deadline_passed``: whether the error was found after the next deadline; None: nobody said, before it is assumed.
    """
    then = at_phase(game, phase)
    first = len(then.played)
    if first == len(game.played):
        raise stop("this phase is not published yet; rule on it as usual", f"{game.name} {phase}")
    if first < game.phases_before_set:
        text = "the position of this board was set by hand since; no correction goes back before that"
        raise stop(f"{text}; set what is wrong now by hand, too", f"{game.name} {phase}")
    if why := over(event, then):
        raise stop(to_end(why), f"{game.name} {phase}")  # nobody is asked for orders after that
    desk = Desk.of(event)
    if waiting := _open_matters(event, then, desk.board(then)):
        raise Stopped(waiting, ExitCode.RULE_FIRST)
    phases, waiting, after = _play_again(event, game.played[first:], then)
    published = {str(again.phase) for again, _ in phases}
    later = game.played[first + 1 :]
    in_time = ErrorFound(
        orders_in=bool(later) or desk.has_orders(game),
        deadline_passed=False,
        adjudicated=any(played.phase.step is Step.MOVEMENT for played in later),
    )
    conduct = event.tournament.conduct
    decided = decide_error(in_time, conduct), decide_error(replace(in_time, deadline_passed=True), conduct)
    deadline_counts = decided[0] != decided[1]
    verdict, setting = decided[deadline_passed is True]
    ended_so = replace(after, end=game.end)
    return ProposedCorrection(
        game=game,
        phases=tuple(phases),
        dropped=tuple(str(played.phase) for played in game.played[first:] if str(played.phase) not in published),
        waits=waiting,
        verdict=verdict,
        rule=setting.source,
        reason=setting.value.meaning,
        deadline_counts=deadline_counts,
        deadline_assumed=deadline_counts and deadline_passed is None,
        goes_on=after.position.phase if _ends_no_more(event, game, ended_so) else None,
        solo=f"{won}: the game is a solo" if (won := _won_in_words(event, ended_so)) else "",
        without_vote=ended_so.without_vote,
    )


def _ends_no_more(event: Event, game: Game, after: Game) -> bool:
    """Whether a game that is over goes on after a correction: its solo is gone, or its end is not reached yet.

    It also goes on if a power survives that had no vote when a vote ended it.
    """
    if not game.ending or game.end is None or solo_winner(event, after) is not None:
        return False
    return game.end.how is Ending.SOLO or after.ending is None


def _play_again(
    event: Event, published: Sequence[Played], then: Game
) -> tuple[list[tuple[PhasePublished, tuple[str, ...]]], tuple[Problem, ...], Game]:
    """Play published phases again from the game ``then``: each as it would be published, with what changes.

    Also returns what waits for the director in the phase at which this stops, and the game as it is then.
    """
    phases = list[tuple[PhasePublished, tuple[str, ...]]]()
    for played in published:
        if played.phase.sort_key < then.position.phase.sort_key:
            continue  # a phase of retreats or adjustments in which nobody has to write any more
        if played.phase != then.position.phase or over(event, then):
            break
        orders, resting = played.orders, played.fact.said.rows
        if not phases or then.position != played.before:
            rows = Desk.of(event).board(then)
            if waiting := _open_matters(event, then, rows):
                return phases, waiting, then
            orders = {power.power: power.orders for power in rows}
            resting = {power.power: tuple(map(as_row, power.rows)) for power in rows}
        resolution = adjudicate(then.map, then.position, orders, event.tournament.rulebook)
        again = as_published(then.name, orders, resolution, resting)
        changes = differences(played.fact.said, again)
        phases.append((again, tuple(f"{power} {change}" for power, change in changes)))
        then = replace(then, position=resolution.after)
    return phases, (), then


def apply_correction(
    event: Event, proposal: ProposedCorrection, *, by: str, why: str
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Publish the corrected phases again and make their cards and maps; those of dropped phases are deleted.

    Where the rules let the error stand or leave it to the director, it stops unless a reason (``why``) is given.
    """
    record_correction(event, proposal, by=by, why=why)
    return write_cards(event, find_game(event, proposal.game.name))


def record_correction(event: Event, proposal: ProposedCorrection, *, by: str, why: str) -> None:
    """As `apply_correction`, without making cards and maps."""
    if not proposal.changes_anything:
        raise stop("nothing changes; there is nothing to correct", proposal.game.name)
    if proposal.verdict is not Correction.CORRECTED and not why:
        raise stop(
            f"{proposal.reason} ({proposal.rule}); to correct it all the same, say why with --why", proposal.game.name
        )
    with event.facts.transaction():
        game = find_game(event, proposal.game.name)
        if (game.played, game.end) != (proposal.game.played, proposal.game.end):
            raise stop("something was published or ended meanwhile; nothing was corrected, look again", game.name)
        now = propose_correction(event, game, str(proposal.phases[0][0].phase), deadline_passed=False)
        if (now.phases, now.dropped) != (proposal.phases, proposal.dropped):
            raise stop("a sheet or a ruling came meanwhile; nothing was corrected, look again", game.name)
        for again, _ in proposal.phases:
            game = apply_fact(game, event.facts.write(replace(again, why=why), by), event)
        _call_solo(event, game)
