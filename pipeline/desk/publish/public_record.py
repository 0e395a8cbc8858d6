"""The public record: all of an event that everybody may see, and nothing else; pages and exports are made of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.desk.draw.told import standings_are_open, told_games
from pipeline.desk.event.ending import announced_end, announced_times
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, seated_rounds
from pipeline.desk.publish.big_clock import BigClock, big_clock
from pipeline.desk.results.scored import scored_event
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.scoring.places.score import Scored
from pipeline.scoring.results.exact import shown
from pipeline.words.speech import Speech


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the standings, as it is shown."""

    place: str  # "2=" where it is shared
    player: str
    total: str  # rounded as the tournament shows it


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicStandings:
    """The standings, where they are open."""

    after: str  # how far the event has come, in English
    rows: tuple[Place, ...]  # of the games that are over
    now: tuple[Place, ...]  # as if every game that goes on ended as it stands; nothing where none does
    scores: Mapping[tuple[str, Power], str]  # board and power -> score, if it ended now
    final: Scored  # what the rows are made of, exactly


@dataclass(frozen=True, slots=True)
class SeatAt:
    """One player's seat at a board of a round."""

    player: str
    board: str  # in full: round and board
    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRecord:
    """What everybody may see."""

    title: str  # the event's name
    speech: Speech  # the language of all that is said beside names
    games: Mapping[str, Game]  # of the rounds whose seats were told, by the board's full name
    clock: BigClock | None
    times: str  # when the rounds begin and end, where everybody may know it
    ends: Mapping[str, str]  # board -> with which year play ends there, likewise
    places: PublicStandings | None  # None: they are sealed
    sheets: Mapping[str, SeatAt]  # sheet id -> whose it is, of sheets that were printed for the seats as they are

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds, the newest first."""
        return tuple(sorted({game.seating.round for game in self.games.values()}, reverse=True))

    def boards(self, round_number: int) -> tuple[Game, ...]:
        """The boards of a round."""
        return tuple(game for game in self.games.values() if game.seating.round == round_number)

    @property
    def seats(self) -> tuple[SeatAt, ...]:
        """Every seat, the newest round first; of a seat that changed hands everybody who had it."""
        return tuple(
            SeatAt(name, game.name, power)
            for number in self.rounds
            for game in self.boards(number)
            for power in game.seating.players
            for name in at_power(game, power)
        )


def at_power(game: Game, power: Power) -> tuple[str, ...]:
    """Everybody who plays or played a power, who sits there now first."""
    seating = game.seating
    earlier = [each.player for each in reversed(seating.earlier) if each.power is power]
    return tuple(dict.fromkeys(name for name in (seating.players[power], *earlier) if name))


def public_record(event: Event, found: Mapping[str, Game], *, are_open: bool | None = None) -> PublicRecord:
    """Take out of an event what everybody may see; ``are_open`` tells the standings or not (None: as was said)."""
    mine = told_games(event, found)
    is_open = standings_are_open(event) if are_open is None else are_open
    return PublicRecord(
        title=event.details.name,
        speech=event.speech,
        games=mine,
        clock=big_clock(event),
        times=announced_times(event),
        ends={name: end for name, game in mine.items() if (end := announced_end(event, game))},
        places=places(event, mine) if is_open else None,
        sheets=sheets_of(event, mine),
    )


def places(event: Event, found: Mapping[str, Game]) -> PublicStandings:
    """Work out the standings of the games that are over, and those of all games as they stand."""
    over = scored_event(event, public=found)
    counted = {name: game for name, game in found.items() if game.ended or game.position.phase.last_count is not None}
    goes_on = any(not game.ended for game in counted.values())
    now = scored_event(event, running=True, public=counted) if goes_on else over
    decimals = event.tournament.scoring.decimals
    names = {game.spot: name for name, game in found.items()}
    return PublicStandings(
        after=str(over.progress),
        rows=as_shown(over, decimals),
        now=as_shown(now, decimals) if goes_on else (),
        scores={(names[game.board.spot], game.power): shown(game.score, decimals) for game in now.games},
        final=over,
    )


def as_shown(scored: Scored, decimals: int) -> tuple[Place, ...]:
    """The ranking as it is shown."""
    return tuple(
        Place(f"{row.place}{'=' if row.is_tied else ''}", row.player, shown(row.total, decimals))
        for row in scored.standings.rows
    )


def sheets_of(event: Event, found: Mapping[str, Game]) -> dict[str, SeatAt]:
    """Whose each sheet is; of an earlier draw of a round no sheet counts any more."""
    drawn = {number: fact.number for number, fact in seated_rounds(event).items()}
    return {
        name: SeatAt(game.seating.players[sheet.turn.power], game.name, sheet.turn.power)
        for name, sheet in printed_sheets(event).items()
        if sheet.fact > drawn.get(sheet.said.round, sheet.fact)
        and (game := found.get(sheet.turn.board))
        and sheet.turn.power in game.seating.players
    }


def names_in(seats: Iterable[SeatAt]) -> tuple[str, ...]:
    """Everybody who has a seat, by name."""
    return tuple(sorted({seat.player for seat in seats if seat.player}))
