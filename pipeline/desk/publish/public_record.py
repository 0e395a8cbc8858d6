"""The public record: all of an event that everybody may see, and nothing else; pages and exports are made of it."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from msgspec import Struct

from pipeline.board import Phase, Power, Season, Step
from pipeline.desk.event.ending import announced_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, apply_fact, games
from pipeline.desk.players import games_with_public_seats, sitting_out, standings_are_open
from pipeline.desk.results.results import projected_standings, public_standings, without_result
from pipeline.desk.sheets.printed import OldSeats, printed_sheets
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.printable import is_whole
from pipeline.problems import Stopped
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import ClockRules
from pipeline.scoring.results import format_decimal
from pipeline.scoring.score import Scored, scores_by_year
from pipeline.words.names import fold_name, name_order
from pipeline.words.speech import Speech

# The big clock: the tournament's plan for a season, started and stopped by facts, so that it is right after a restart.

WARNINGS_S = (300, 120, 60, 30, 10)  # before the end of a part, said on the screen (NZ99 8 names the last four)
ClockParts = tuple[tuple[str, int], ...]  # "negotiation", seconds


class BigClock(Struct, frozen=True):
    """The countdown clock of a phase as it stands."""

    label: str  # "Spring 1901"
    parts: ClockParts
    elapsed_s: float  # when it was last started or stopped
    since: str | None  # ISO 8601; None: it is stopped
    number: int  # of the fact that started it

    def as_json(self, gone_s: float) -> dict[str, Any]:
        """What a screen needs to show the clock and let it run; ``gone_s`` are the seconds that have passed."""
        return {
            "label": self.label,
            "parts": [list(part) for part in self.parts],
            "elapsed": self.elapsed_s,
            "since": self.since,
            "gone": round(gone_s, 1),
            "warnings": list(WARNINGS_S),
        }


class ClockPlan(Struct, frozen=True):
    """What the tournament plans for a phase."""

    phase: Phase  # whose time it is: where the clock runs on through retreats or adjustments, the season after them
    parts: ClockParts  # empty if the phase has no time of its own
    rule: str


def clock_plan(clock: ClockRules, phase: Phase) -> ClockPlan:
    """What the tournament plans for a phase, and its rule.

    Retreats and adjustments without a time of their own are part of the time of the season that follows, where the
    clock runs on (NZ99 6; WDC08 11.1).

    >>> from pipeline.rules.load import load_tournament
    >>> clock_plan(load_tournament("edc2023").clock, Phase.read("S1901R")).parts
    (('retreats', 60),)
    >>> found = clock_plan(load_tournament("nzdc1999").clock, Phase.read("F1902R"))
    >>> str(found.phase), found.parts
    ('S1903M', (('negotiation', 900),))
    """
    match phase.step:
        case Step.RETREATS if not _runs_into_next(clock, clock.retreats):
            return ClockPlan(phase, _one_part("retreats", clock.retreats.value), clock.retreats.source)
        case Step.ADJUSTMENTS if not _runs_into_next(clock, clock.winter):
            return ClockPlan(phase, _one_part("adjustments", clock.winter.value), clock.winter.source)
        case Step.MOVEMENT:
            span = clock.at(phase.year)
            if span is None:
                return ClockPlan(phase, (), "the rules are silent")
            part = span.spring if phase.season is Season.SPRING else span.fall
            timed = (("negotiation", part.negotiation), ("writing", part.writing), ("reading", part.reading))
            return ClockPlan(phase, tuple((name, seconds) for name, seconds in timed if seconds), span.rule)
        case _:
            season = phase.following(retreats=False)
            return clock_plan(clock, season if season.step is Step.MOVEMENT else season.following(retreats=False))


def _runs_into_next(clock: ClockRules, own: Setting[int | None]) -> bool:
    """Whether a phase without a time of its own is part of the season that follows."""
    return own.value is None and clock.runs_on.value is YesNo.YES


def _one_part(name: str, seconds: int | None) -> ClockParts:
    return ((name, seconds),) if seconds else ()


def start_clock(event: Event, label: str, parts: ClockParts, elapsed_s: float, by: str) -> Fact[events.ClockStarted]:
    """Start the clock, or resume it."""
    return event.facts.write(events.ClockStarted(label=label, parts=parts, elapsed=round(elapsed_s, 1)), by)


def stop_clock(event: Event, elapsed_s: float, by: str) -> Fact[events.ClockStopped]:
    return event.facts.write(events.ClockStopped(elapsed=round(elapsed_s, 1)), by)


def big_clock(event: Event) -> BigClock | None:
    """Read the clock from its facts; None before it was ever started."""
    started = max(standing(event.facts, events.ClockStarted), key=lambda fact: fact.number, default=None)
    if started is None:
        return None
    stops = [fact for fact in standing(event.facts, events.ClockStopped) if fact.number > started.number]
    stopped = stops[-1] if stops else None
    return BigClock(
        label=started.said.label,
        parts=started.said.parts,
        elapsed_s=(stopped or started).said.elapsed,
        since=None if stopped else started.at,
        number=started.number,
    )


class Place(Struct, frozen=True):
    """One line of the standings, as it is shown."""

    place: str  # "2=" where it is shared
    player: str
    total: str  # rounded as the tournament shows it


class PublicStandings(Struct, frozen=True, kw_only=True):
    """The standings, where they are open."""

    after: str  # how far the event has come, in English
    rows: tuple[Place, ...]  # of the games that are over
    waiting: tuple[str, ...]  # who has no game that is over
    now: tuple[Place, ...]  # as if all running games ended as they stand; empty if none is running
    scores: Mapping[tuple[str, Power], str]  # board and power -> score, if it ended now
    final: Scored  # what the rows are made of, exactly
    running: Scored  # as `final`, of all games as they stand


class SeatAt(Struct, frozen=True):
    """One player's seat at a board of a round."""

    player: str
    board: str  # in full: round and board
    power: Power


class PublicRecord(Struct, frozen=True, kw_only=True):
    """What everybody may see."""

    title: str  # the event's name
    speech: Speech  # the language of all words but names
    games: Mapping[str, Game]  # of the rounds whose seats are public, by the board's full name
    clock: BigClock | None
    times: str  # when the rounds begin and end, as the director wrote it
    ends: Mapping[str, str]  # board -> its last year, if that is public
    places: PublicStandings | None  # None: they are sealed
    sheets: Mapping[str, SeatAt]  # sheet id -> whose it is, of sheets that were printed for the seats as they are
    out: Mapping[int, tuple[str, ...]] = {}  # round -> who sits it out
    family_names: Mapping[str, str] = {}  # player -> family name, if the roster says it
    pools: Mapping[str, str] = {}  # board -> the pool that plays there, with its times
    homonyms: Mapping[str, int] = {}  # player -> his number among namesakes of the World Diplomacy Database

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds, the newest first."""
        return tuple(sorted({game.seating.round for game in self.games.values()}, reverse=True))

    def boards(self, round_number: int) -> tuple[Game, ...]:
        return tuple(game for game in self.games.values() if game.seating.round == round_number)

    @property
    def seats(self) -> tuple[SeatAt, ...]:
        """Every seat with all its players, the newest round first."""
        return tuple(
            SeatAt(name, game.name, power)
            for number in self.rounds
            for game in self.boards(number)
            for power in game.seating.players
            for name in _at_power(game, power)
        )


def _at_power(game: Game, power: Power) -> tuple[str, ...]:
    """Everybody who plays or played a power, who sits there now first."""
    seating = game.seating
    earlier = [each.player for each in reversed(seating.earlier) if each.power is power]
    return tuple(dict.fromkeys(name for name in (seating.players[power], *earlier) if name))


def public_record(event: Event, all_games: Mapping[str, Game], *, are_open: bool | None = None) -> PublicRecord:
    """Collect what is public in an event; ``are_open``: whether standings are (None: as the director decided)."""
    mine = games_with_public_seats(event, all_games)
    is_open = standings_are_open(event) if are_open is None else are_open
    return PublicRecord(
        title=event.details.name,
        speech=event.speech,
        games=mine,
        clock=big_clock(event),
        times=event.details.schedule,
        ends={name: end for name, game in mine.items() if (end := announced_end(event, game))},
        places=_public_standings(event, mine) if is_open else None,
        sheets=_sheets_of(event, mine),
        out={
            number: out
            for number in {game.seating.round for game in mine.values()}
            if (out := sitting_out(event, [each for each in mine.values() if each.seating.round == number], number))
        },
        family_names={player.name: player.family_name for player in event.people.players if player.family_name},
        pools={
            name: event.tournament.scoring.describe_pool(game.seating.pool)
            for name, game in mine.items()
            if game.seating.pool
        },
        homonyms={
            player.name: int(value)
            for player in event.people.players
            for column, value in player.more
            if column.casefold() == "homonyme" and is_whole(value)
        },
    )


def _public_standings(event: Event, all_games: Mapping[str, Game]) -> PublicStandings:
    """Work out the standings of the games that are over, and those of all games as they stand."""
    over, projected = public_standings(event, all_games), projected_standings(event, all_games)
    now = projected or over
    decimals = event.tournament.scoring.decimals
    names = {game.spot: name for name, game in all_games.items()}
    return PublicStandings(
        after=str(over.progress),
        rows=_as_shown(over, decimals),
        waiting=without_result(event.players, over),
        now=_as_shown(projected, decimals) if projected else (),
        scores={(names[game.board.spot], game.power): format_decimal(game.score, decimals) for game in now.games},
        final=over,
        running=now,
    )


def scores_so_far(places: PublicStandings, game: Game) -> dict[int, dict[Power, Fraction]]:
    """The scores of a board if it had ended after each Fall; empty before a Fall is over."""
    board = next((each for each in places.running.event.boards if each.spot == game.spot), None)
    return scores_by_year(board, places.running.rules) if board else {}


def _as_shown(scored: Scored, decimals: int) -> tuple[Place, ...]:
    return tuple(
        Place(row.place_shown, row.player, format_decimal(row.total, decimals)) for row in scored.standings.rows
    )


def _sheets_of(event: Event, all_games: Mapping[str, Game]) -> dict[str, SeatAt]:
    """By sheet id, its player; without sheets that were printed for somebody else."""
    seats = OldSeats.of(event)
    return {
        name: SeatAt(game.seating.players[sheet.turn.power], game.name, sheet.turn.power)
        for name, sheet in printed_sheets(event).items()
        if (game := all_games.get(sheet.turn.board))
        and sheet.turn.power in game.seating.players
        and not seats.is_of_old(sheet)
    }


# The public record, cached: the first request after a public fact rebuilds it, and others get the one before meanwhile.
#
# The hundreds of facts of readings and rulings are not public and do not invalidate it.

QUIET = (  # facts that change nothing public; every other kind rebuilds the record
    events.ScanReceived,
    events.ScanRead,
    events.OnPage,
    events.OnTurn,
    events.VoteHeld,
    events.VoteUndone,
    events.FormsPrinted,
    events.FieldRuled,
    events.FormSetAside,
    events.LotSealed,
    events.LotDrawn,
    events.DiceCommitted,
    events.DiceRolled,
)
# of these kinds, the facts that rebuild the record all the same: a late sheet costs points, public with its phase
LOUD = (events.SheetRuled, events.DecisionUndone)
BESIDE = (
    events.SeatsTold,
    events.StandingsOpened,
    events.ResultsPublished,
    events.SheetsPrinted,
    events.ClockStarted,
    events.ClockStopped,
)  # these change no game


class PublicBook:
    """A cached `public_record`, up to date with the newest fact, and thread-safe. Nothing else may use the event."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.lock = threading.Lock()
        self.number = 0  # of the newest fact that was looked at
        self.games: dict[str, Game] = {}
        self.made: PublicRecord | None = None
        self.version = 0  # counts the changes of the record

    def record(self) -> PublicRecord:
        """The current record; the same object as before if nothing public changed."""
        made = self.made
        if not self.lock.acquire(blocking=made is None):
            assert made is not None
            return made  # it is being rebuilt: requests in the meantime get the previous record
        try:
            return self.up_to_date()
        finally:
            self.lock.release()

    def up_to_date(self) -> PublicRecord:
        """Read all new facts, and rebuild the record if one of them is public."""
        newest = self.event.facts.last_number()
        if self.made is not None and newest == self.number:
            return self.made
        new = [fact for fact in self.event.facts.everything(after=self.number) if fact.number <= newest]
        if any(isinstance(fact.said, events.SettingsChanged | events.TakesBack) for fact in new):
            with suppress(Stopped):  # event.toml is being edited: keep the previous record until it is valid
                self.event.read_file()
        if self.made is None or not all(
            (isinstance(fact.said, QUIET) and not isinstance(fact.said, LOUD)) for fact in new
        ):
            self.take(new)
            now = public_record(self.event, self.games)
            if now != self.made:  # an unpublished draw changes the facts and not the record
                self.made, self.version = now, self.version + 1
        self.number = newest
        assert self.made is not None
        return self.made

    def take(self, new: list[Fact[events.LedgerEvent]]) -> None:
        """Apply new facts to the games; replay all games if seats or settings changed."""
        if self.made is None or not all(isinstance(fact.said, (*QUIET, *LOUD, *BESIDE, events.OnGame)) for fact in new):
            self.games = games(self.event)
            return
        for fact in new:
            if (on_game := fact.of(events.OnGame)) and (game := self.games.get(on_game.said.board)):
                self.games[game.name] = apply_fact(game, on_game, self.event)


# Find somebody's seat, by a name or a part of one, or by the code on a sheet; only among public seats.

LEAST = 2  # letters of a part of a name
MOST = 20  # names that are offered
FROM_CODE = str.maketrans("", "", " -")  # left out of the code on a sheet


class FoundSeats(Struct, frozen=True):
    """What was found: one person's seats, or several people whom it may mean."""

    seats: tuple[SeatAt, ...] = ()
    names: tuple[str, ...] = ()
    out: tuple[tuple[str, int], ...] = ()  # who sits out which round


def find_seats(record: PublicRecord, asked: str) -> FoundSeats:
    """Find public seats; empty if nobody matches or the seats are not public yet: the two look the same."""
    wanted = fold_name(asked)
    codes = {fold_name(code).translate(FROM_CODE): seat for code, seat in record.sheets.items()}
    if seat := codes.get(wanted.translate(FROM_CODE)):
        return FoundSeats(seats=(seat,))
    sit_out = tuple((name, number) for number, names in record.out.items() for name in names)
    playing = {seat.player for seat in record.seats if seat.player}
    everybody = sorted({*playing, *(name for name, _ in sit_out)}, key=name_order)
    names = [name for name in everybody if fold_name(name) == wanted]
    names = names or [name for name in everybody if _is_meant(wanted.split(), fold_name(name).split())]
    if len(names) == 1:
        out = tuple(each for each in sit_out if each[0] == names[0])
        return FoundSeats(seats=tuple(seat for seat in record.seats if seat.player == names[0]), out=out)
    return FoundSeats(names=tuple(names[:MOST]))


def _is_meant(asked: Sequence[str], words: Sequence[str]) -> bool:
    """Whether every word that is asked for begins a word of a name."""
    return sum(map(len, asked)) >= LEAST and all(any(word.startswith(part) for word in words) for part in asked)
