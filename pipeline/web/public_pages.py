"""The public pages, made of the public record alone: served at ``/live``, or written as files that need no server."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from msgspec import Struct

from pipeline.board import Position, Power
from pipeline.desk.event.games import Game, Played
from pipeline.desk.publish.public_record import BigClock, FoundSeats, PublicRecord, SeatAt, scores_so_far
from pipeline.desk.publish.publish import next_phase_in_words, outcomes_in_words
from pipeline.picture.draw import draw_position, draw_resolution
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import COATS, in_either_look
from pipeline.scoring.results import Ending
from pipeline.words.speech import Speech, to_say, wording

# The centre chart of a board as SVG: a line for each power, a step for each year; its page gives the colours.

WIDTH, HEIGHT = 360.0, 220.0  # drawing units; about a telephone's width
LEFT, RIGHT, TOP, LOW = 26.0, 330.0, 10.0, 196.0  # where the lines are
LETTER = 13.0  # size of a power's letter at the end of its line, and the least from one to the next
STEP = 3  # least number of centres between two lines of the grid
MOST_LINES = 7  # of the grid

CountsOfPowers = Mapping[Power, int] | Mapping[Power, Fraction]


def _year_chart(years: Mapping[int, CountsOfPowers], powers: Sequence[Power], title: str, speech: Speech) -> str:
    """Draw counts or scores after every Fall under a title; nothing before the second year, for a point is no line."""
    if len(years) < 2:
        return ""
    most = math.ceil(max(count for counts in years.values() for count in counts.values()))
    scale = Scale(tuple(sorted(years)), max(most, STEP))
    lines = "".join(line for power in powers for line in _draw_power_line(scale, years, power))
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return (
        f'<svg class="chart" viewBox="{box}" role="img" aria-label="{title}">'
        f"{''.join(_grid(scale))}{lines}{''.join(_power_letters(scale, years, powers, speech))}</svg>"
    )


CHART_STYLE = (  # of a chart that stands by itself, in grey that is seen on light and on dark
    "text{font:11px system-ui,sans-serif}.grid{stroke:#8886;fill:none}.axis{fill:#888}"
    ".letter{font-size:10px;font-weight:700}.rim{fill:none;stroke:#8888;stroke-width:4}"
)


def chart_of(game: Game, years: Mapping[int, CountsOfPowers], speech: Speech) -> str:
    """The counts or scores of a board over the years as a picture of its own; nothing before its second year."""
    drawn = _year_chart(years, tuple(game.seating.players), game.name, speech)
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
        ">", f"><style>{CHART_STYLE}</style>", 1
    )


class Scale:
    """The coordinates of a year and of a count in a chart."""

    def __init__(self, years: tuple[int, ...], most: int) -> None:
        self.years = years
        self.step = STEP * -(-most // (STEP * MOST_LINES))  # between two lines of the grid
        self.most = -(-most // self.step) * self.step

    def x(self, year: int) -> float:
        place = (year - self.years[0]) / (self.years[-1] - self.years[0])  # a year that nobody counted leaves a gap
        return LEFT + place * (RIGHT - LEFT)

    def y(self, count: float | Fraction) -> float:
        return LOW - float(count) / self.most * (LOW - TOP)


def _grid(scale: Scale) -> Iterator[str]:
    """Draw the counts as level lines, and write the years below."""
    for count in range(0, scale.most + 1, scale.step):
        y = scale.y(count)
        yield f'<path class="grid" d="M{LEFT:g} {y:.1f}H{RIGHT:g}"/>'
        yield f'<text class="axis" x="{LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{count}</text>'
    each = -(-len(scale.years) // 6)  # years are so wide that six have room
    for number, year in enumerate(scale.years):
        if number % each == 0:
            yield f'<text class="axis" x="{scale.x(year):.1f}" y="{LOW + 17:g}" text-anchor="middle">{year}</text>'


def _draw_power_line(scale: Scale, years: Mapping[int, CountsOfPowers], power: Power) -> Iterator[str]:
    """Draw one power's line, with a rim that sets it off from the others."""
    way = "L".join(f"{scale.x(year):.1f} {scale.y(years[year].get(power, 0)):.1f}" for year in scale.years)
    yield f'<path class="rim" d="M{way}"/><path d="M{way}" fill="none" stroke="{COATS[power].body}" stroke-width="3"/>'


def _power_letters(
    scale: Scale, years: Mapping[int, CountsOfPowers], powers: Sequence[Power], speech: Speech
) -> Iterator[str]:
    """Write each power's letter at the end of its line; letters of lines that end close together are moved apart."""
    last = years[scale.years[-1]]
    taken: list[float] = []
    for power in sorted(powers, key=lambda each: -last.get(each, 0)):
        y = scale.y(last.get(power, 0))
        if taken and y < taken[-1] + LETTER:
            y = taken[-1] + LETTER
        taken.append(y)
    up = max(0.0, taken[-1] - LOW) if taken else 0.0
    for power, y in zip(sorted(powers, key=lambda each: -last.get(each, 0)), taken, strict=True):
        coat = COATS[power]
        yield f'<circle cx="{RIGHT + 14:g}" cy="{y - up:.1f}" r="8" fill="{coat.body}"/>'
        yield (
            f'<text class="letter" x="{RIGHT + 14:g}" y="{y - up + 3.4:.1f}" text-anchor="middle" fill="{coat.ink}">'
            f"{speech.letters(power)}</text>"
        )


ENDINGS = {
    Ending.UNSTATED: to_say("over"),
    Ending.SOLO: to_say("solo"),
    Ending.TIME: to_say("time was called"),
    Ending.LAST_YEAR: to_say("the last year is over"),
    Ending.DICE: to_say("ended by the dice"),
    Ending.STAGNATION: to_say("nothing changed hands any more"),
    Ending.VOTE: to_say("a draw was voted"),
    Ending.CONCEDED: to_say("conceded"),
    Ending.ABANDONED: to_say("abandoned"),
}
SCORE_CHART = to_say("Score of each power, if the game had ended in that year")
CHART = to_say("Centres of each power by year; the table below says the same")
NOW = "now"  # in the place of a phase: the position as it stands


class Links(Struct, frozen=True):
    """The addresses by which the pages link to one another."""

    live: bool  # whether there is a server: then there is a clock, and seats can be searched
    style: str
    home: str
    standings: str
    boards: str  # {} stands for the board, and then for the phase
    phases: str
    maps: str  # of a phase; of `NOW`, the position as it stands

    def board(self, board: str) -> str:
        return self.boards.format(board)

    def phase(self, board: str, phase: str) -> str:
        return self.phases.format(board, phase)

    def map(self, board: str, phase: str) -> str:
        return self.maps.format(board, phase)


SERVED = Links(
    True, "/static/live.css", "/live", "/live/standings", "/live/board/{}", "/live/board/{}/{}", "/live/map/{}/{}"
)
FILED = Links(  # files of one folder: the links work wherever that folder is
    False, "live.css", "index.html", "standings.html", "board-{}.html", "board-{}-{}.html", "map-{}-{}.svg"
)


class RecordPages(Struct, frozen=True):
    """Makes the pages of one record."""

    record: PublicRecord
    links: Links
    newest: int = 0  # version of the record, for pages that poll for a newer one

    @property
    def says(self) -> Callable[..., str]:
        """Say a text in the language of the pages."""
        return self.record.speech.says

    def page(self, template: str, **values: Any) -> str:
        record = self.record
        shared = {
            "event": record.title,
            "_": self.says,
            "language": record.speech.code,
            "links": self.links,
            "live": self.links.live,
            "clock": clock_view(record.clock, record.speech),
            "newest": self.newest,
            "has_standings": record.places is not None,
            "letters": {power: record.speech.letters(power) for power in Power},
        }
        return TEMPLATES.get_template(template).render({**shared, **values})

    def home(self) -> str:
        """The event: its rounds with their boards, and where to ask for a seat."""
        rounds = [
            {
                "number": number,
                "boards": [self.brief(game) for game in self.record.boards(number)],
                "out": self.record.out.get(number, ()),
            }
            for number in self.record.rounds
        ]
        return self.page("live_home.html", rounds=rounds, times=self.record.times)

    def brief(self, game: Game) -> dict[str, Any]:
        """A board in a line, with its players."""
        seats = [(power.title(), power, _names_at(game, power, self.record.speech)) for power in game.seating.players]
        return {
            "name": game.name,
            "state": game_state(game, self.record.speech),
            "seats": seats,
            "is_final": game.seating.is_final,
            "pool": self.record.pools.get(game.name, ""),
        }

    def board(self, game: Game) -> str:
        """A board: who plays, the counts over the years, and its phases."""
        counts = game.counts_by_year
        scores = scores_so_far(self.record.places, game) if self.record.places else {}
        powers = tuple(game.seating.players)
        shown = [self.power_view(game, power) for power in powers]
        return self.page(
            "live_board.html",
            board=game.name,
            pool=self.record.pools.get(game.name, ""),
            state=game_state(game, self.record.speech),
            powers=shown,
            has_scores=any(each["score"] for each in shown),  # before the first count there is none
            years=sorted(counts),
            counts=counts,
            chart=_year_chart(
                counts, powers, self.says(CHART), self.record.speech
            ),  # SVG: numbers and letters, no word of anybody's
            scores=_year_chart(scores, powers, self.says(SCORE_CHART), self.record.speech),
            played=[(str(played.phase), self.says(played.phase.in_words)) for played in game.played],
            by_hand=position_words(game, self.record.speech) if game.is_set_by_hand else "",
            counted=counted_words(game, self.record.speech),
            slides=[
                [self.links.map(game.name, phase), self.links.phase(game.name, phase), words]
                for phase, words in ((str(p.phase), self.says(p.phase.in_words)) for p in game.played)
            ],
            next=what_is_next(game, game.position, self.record.speech) if not game.ending else (),
            ends=self.says(self.record.ends.get(game.name, "")),
            now=NOW,
            has_map=game.entered is None,
            if_ended_now=not game.ending,
        )

    def power_view(self, game: Game, power: Power) -> dict[str, Any]:
        places = self.record.places
        return {
            "power": self.record.speech.power(power),
            "key": power,
            "player": _names_at(game, power, self.record.speech),
            "centres": game.centres[power],
            "score": self.record.speech.number(places.scores.get((game.name, power), "")) if places else "",
        }

    def phase(self, game: Game, played: Played) -> str:
        """A phase: the map with its orders, and what became of each."""
        number = game.played.index(played)
        around = [game.played[at] if 0 <= at < len(game.played) else None for at in (number - 1, number + 1)]
        return self.page(
            "live_phase.html",
            board=game.name,
            phase=str(played.phase),
            words=self.says(played.phase.in_words),
            before=around[0],
            after=around[1],
            powers=[
                {
                    "power": self.record.speech.power(power),
                    "key": power,
                    "player": game.seating.player_at(power, played.phase),
                    "orders": orders,
                }
                for power in game.seating.players
                if (orders := outcomes_in_words(played, power, self.record.speech))
            ],
            next=what_is_next(game, played.after, self.record.speech),
        )

    def standings(self) -> str:
        """The standings, or that they are sealed."""
        return self.page("live_standings.html", places=self.record.places, number=self.record.speech.number)

    def seat(self, asked: str, of_name: FoundSeats) -> str:
        """Somebody's seats."""
        seats = [(seat, self.record.games[seat.board]) for seat in of_name.seats]
        views = [self.seat_view(seat, game) for seat, game in seats]
        return self.page("live_seat.html", asked=asked, seats=views, names=of_name.names, out=of_name.out)

    def seat_view(self, seat: SeatAt, game: Game) -> dict[str, Any]:
        return {
            "player": seat.player,
            "round": game.seating.round,
            "board": game.name,
            "table": game.seating.board,
            "pool": self.record.pools.get(game.name, ""),
            "power": self.record.speech.power(seat.power),
            "key": seat.power,
            "state": game_state(game, self.record.speech),
            "sits_there": game.seating.players[seat.power] == seat.player,
        }

    def here(self, number: int, asked: str, name: str | None, *, is_full: bool, is_going: bool = False) -> str:
        """The page to check in for a round, or to say that one goes home.

        ``name`` is who has said so, "" if not on the list, None before; ``is_full``: this device has said so of as many
        players as it may.
        """
        values = {"round": number, "asked": asked, "name": name, "is_full": is_full}
        return self.page("live_going.html" if is_going else "live_here.html", **values)

    def lost(self) -> str:
        return self.page("live_lost.html")


def map_of(game: Game, played: Played | None, speech: Speech) -> str:
    """Draw the map of a phase, or the position as it stands."""
    if played is None:
        return in_either_look(as_svg(draw_position(game.map, game.position, speech=speech)))
    return in_either_look(as_svg(draw_resolution(game.map, played.before, played.resolution, speech=speech)))


def played_at(game: Game, phase: str) -> Played | None:
    return next((played for played in game.played if str(played.phase) == phase), None)


def _names_at(game: Game, power: Power, speech: Speech) -> str:
    """Who plays a power, and who did before."""
    earlier = [each.player for each in game.seating.earlier if each.power is power and each.player]
    here = game.seating.players[power] or speech.says("nobody")
    return speech.says("{player} (before: {others})", player=here, others=", ".join(earlier)) if earlier else here


def game_state(game: Game, speech: Speech) -> str:
    if game.ending == Ending.SOLO:
        power = max(game.centres, key=lambda each: game.centres[each])
        player = game.seating.last_players.get(power) or wording(power.title())
        return speech.says("over: solo of {player} ({power})", player=player, power=wording(power.title()))
    if game.ending:
        return speech.says("over: {how}", how=wording(ENDINGS[Ending(game.ending)]))
    return speech.says(game.position.phase.in_words)


def position_words(game: Game, speech: Speech) -> str:
    """Which position a map shows that was set by hand."""
    return speech.says("position of {phase}", phase=wording(game.position.phase.in_words))


def what_is_next(game: Game, position: Position, speech: Speech) -> tuple[str, ...]:
    """What the next phase needs, with the names of powers as headings have them; a card has them in capitals."""
    lines = next_phase_in_words(game.map, position)
    return tuple(
        speech.says(wording(line.pattern, **{**line.data, "power": str(line.data["power"]).title()})) for line in lines
    )


def counted_words(game: Game, speech: Speech) -> str:
    """When the centres were counted that stand beside the powers."""
    year = game.counted_year
    return speech.says("after Fall {year}", year=year) if year else speech.says("at the start")


def clock_view(clock: BigClock | None, speech: Speech) -> dict[str, Any] | None:
    """The clock in words that need no script: when each part ends, or what is left of it where it stands."""
    if clock is None:
        return None
    gone, parts = clock.elapsed_s, []
    start = datetime.fromisoformat(clock.since) if clock.since else None
    ends = 0.0
    for name, seconds in clock.parts:
        ends += seconds
        if start is not None:
            end = (start + timedelta(seconds=ends - gone)).astimezone()  # summer time may begin or end meanwhile
            parts.append((name, speech.says("until {time}", time=f"{end:%H:%M}")))
        elif ends > gone:
            parts.append((name, speech.says("{time} left", time=_minutes(min(seconds, ends - gone)))))
    counts = {"parts": [list(part) for part in clock.parts], "runs": clock.since is not None}
    return {"label": clock.label, "runs": clock.since is not None, "parts": parts, "json": counts}


def _minutes(seconds: float) -> str:
    """Minutes and seconds.

    >>> _minutes(125)
    '2:05'
    """
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


HERE = Path(__file__).parent
TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
