"""The games of an event, worked out from its facts."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from shlex import quote

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import MAPS, Map, Phase, Position, Power, Season, starting_position
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import People, with_names
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, UpToNow, standing, undone_in
from pipeline.ledger.parts import BoardSeated, PositionJson, board_name
from pipeline.orders import Order, read_position
from pipeline.orders import read_order as read
from pipeline.problems import stop
from pipeline.rules.table import did_you_mean
from pipeline.scoring.results import Ending, Spot

ORDERS = 10_000  # parsed orders kept in memory: the same ones occur again and again


class Played(Struct, frozen=True, kw_only=True):
    """One phase that was published."""

    fact: Fact[events.PhasePublished]
    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    resolution: Resolution  # what became of the orders

    @property
    def after(self) -> Position:
        return self.resolution.after

    @property
    def phase(self) -> Phase:
        return self.before.phase

    @property
    def ends_a_fall(self) -> bool:
        """Whether centres changed hands with it: after Fall movement or, where there were any, Fall retreats."""
        return self.phase.season is Season.FALL and self.after.phase.season is not Season.FALL


read_order = lru_cache(maxsize=ORDERS)(read)


class Seating(Struct, frozen=True, kw_only=True):
    """Who sits where at one board of one round."""

    round: int
    board: str
    index: int  # 0.., the board's place in its round; the corner markers of its sheets follow from it
    players: Mapping[Power, str]  # who sits there now; empty: nobody
    map_name: str  # of the board: a variant may be played beside the standard game (EDC23 B)
    earlier: tuple["FormerPlayer", ...] = ()  # who sat there before, in the order in which they left
    # power -> the player who gave up this seat before play because he has another
    relieved: Mapping[Power, str] = field(default_factory=dict)
    is_final: bool = False
    is_by_hand: bool = False  # whether a director set it
    chose: tuple[str, ...] = ()  # final table: players in the order in which they chose their powers
    pool: str = ""  # the pool that plays there

    @property
    def name(self) -> str:
        """The board's full name: round and board."""
        return board_name(self.round, self.board)

    @property
    def map(self) -> Map:
        return MAPS[self.map_name]()

    @property
    def everybody(self) -> tuple[str, ...]:
        names = (*self.players.values(), *(each.player for each in self.earlier))
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def last_players(self) -> dict[Power, str]:
        """Who sits at each power, or sat there last."""
        last = {each.power: each.player for each in self.earlier}
        return {power: name or last.get(power, "") for power, name in self.players.items()}

    @property
    def first_players(self) -> dict[Power, str]:
        """Who sat at each power from the first order on."""
        first = {each.power: each.player for each in reversed(self.earlier)}
        return {**self.players, **first}

    def player_at(self, power: Power, phase: Phase) -> str:
        """Who played a power in a phase; empty: nobody."""
        mine = [each for each in self.earlier if each.power is power and phase.sort_key < each.until.sort_key]
        return mine[0].player if mine else self.players.get(power, "")


class FormerPlayer(Struct, frozen=True):
    """Who sat at a board before somebody else took the seat."""

    power: Power
    player: str
    until: Phase  # the first phase that was not this player's any more


class Entered(Struct, frozen=True):
    """The counts of a game that was played without the program, from its board sheet or typed in."""

    form: str  # the sheet's id; empty: typed in
    years: Mapping[int, Mapping[Power, int]]  # centre counts of every year that was written down

    @property
    def centres(self) -> Mapping[Power, int]:
        """The counts at its end."""
        return self.years[max(self.years)]


class End(Struct, frozen=True):
    """The end of a game, as it was written down."""

    how: Ending
    phase: Phase  # that was open then
    fact: Fact[events.GameEnded] | Fact[events.ResultEntered]
    voters: frozenset[Power] | None = None  # who had a centre and so a vote; None unless a vote ended it here


class Game(Struct, frozen=True, kw_only=True):
    """One game: its seats, what was published, and where it stands now."""

    seating: Seating
    position: Position
    played: tuple[Played, ...] = ()
    end: End | None = None
    entered: Entered | None = None  # its result, where it was not played here
    by_hand: Position | None = None  # the newest position that was set by hand
    phases_before_set: int = 0  # how many published phases are earlier than that position; it does not rest on them

    @property
    def ending(self) -> str | None:
        """How it ended.

        None while it goes on, while it is replayed from a phase before its end, or if a correction brought back a power
        that had no vote when a vote ended it.
        """
        stands = self.end is not None and self.position.phase.sort_key >= self.end.phase.sort_key
        return str(self.end.how) if self.end and stands and not self.without_vote else None

    @property
    def without_vote(self) -> tuple[Power, ...]:
        """The powers that have a centre now, and had none when a vote ended the game: a correction gave it to them."""
        voters = self.end.voters if self.end else None
        return () if voters is None else tuple(power for power in survivors(self) if power not in voters)

    @property
    def centres(self) -> Mapping[Power, int]:
        """The counts as they stand, those of the last Fall that is over; of a game played elsewhere, those entered."""
        if self.entered is not None:
            return self.entered.centres
        return self.counts(self.position)

    @property
    def played_counts(self) -> dict[int, dict[Power, int]]:
        """The counts after every Fall that was played; a winter in which nobody had anything to do is not played.

        A position that was set by hand decides the counts of the Fall before it.
        """
        counts = {each.phase.year: self.counts(each.after) for each in self.played if each.ends_a_fall}
        return dict(sorted((counts | self.counts_set_by_hand).items()))

    @property
    def counts_set_by_hand(self) -> dict[int, dict[Power, int]]:
        """The counts after the Fall before a position that was set by hand."""
        last = self.by_hand.phase.last_count if self.by_hand else None
        return {last: self.counts(self.by_hand)} if self.by_hand and last else {}

    @property
    def is_set_by_hand(self) -> bool:
        """Whether it stands as it was set by hand: no phase was published and no result entered since."""
        return self.by_hand is not None and len(self.played) == self.phases_before_set and self.entered is None

    @property
    def played_since_set(self) -> tuple[Played, ...]:
        """The published phases that a correction can change; not those before a position that was set by hand."""
        return self.played[self.phases_before_set :]

    @property
    def counts_by_year(self) -> Mapping[int, Mapping[Power, int]]:
        """The counts after every Fall, as they were played, set by hand or entered."""
        return self.entered.years if self.entered else self.played_counts

    @property
    def counted_year(self) -> int | None:
        """The year after whose Fall `centres` were counted; None at the start."""
        return max(self.entered.years) if self.entered else self.position.phase.last_count

    def counts(self, position: Position) -> dict[Power, int]:
        return {power: len(position.centres.get(power, ())) for power in Power if power in self.seating.players}

    @property
    def name(self) -> str:
        return self.seating.name

    @property
    def map_name(self) -> str:
        return self.seating.map_name

    @property
    def map(self) -> Map:
        return self.seating.map

    @property
    def spot(self) -> Spot:
        """The round and the board, as the scores name them."""
        return self.seating.round, self.seating.board


SeatFact = events.Seated | events.SeatsChanged | events.PlayerReplaced


def seatings(event: Event) -> dict[str, Seating]:
    """Every board of every round, by full name; a round drawn again replaces the earlier draw."""
    by_board = boards_seated(event, event.people.check_known())
    return dict(sorted(by_board.items(), key=lambda each: (each[1].round, each[1].index)))


def boards_seated(event: Event, people: People, as_of: int | None = None) -> dict[str, Seating]:
    """Every board as it is seated, or was when fact ``as_of`` was written: later seats and undoings are ignored."""
    kinds: tuple[type[SeatFact], ...] = (events.Seated, events.SeatsChanged, events.PlayerReplaced)
    undone = undone_in(event.facts.select(events.TakesBack))
    known = [fact for fact in event.facts.select(*kinds) if as_of is None or fact.number <= as_of]
    known = [fact for fact in known if fact.number not in undone or (as_of is not None and undone[fact.number] > as_of)]
    boards: dict[str, Seating] = {}
    drawn: dict[str, BoardSeated] = {}
    for fact in known:
        match fact.said:
            case events.Seated() as said:
                round_ = f"{said.round}."
                kept = {name: each for name, each in boards.items() if not name.startswith(round_)}
                boards = kept | _seated_boards(event, with_names(said, people), boards, drawn)
                drawn = {name: each for name, each in drawn.items() if name in kept}
                drawn |= {f"{round_}{board.board}": board for board in said.boards}
            case events.SeatsChanged() as said:
                boards = _with_changes(boards, said, people)
            case events.PlayerReplaced() as said if seating := boards.get(said.board):
                boards = boards | {said.board: _with_replaced(seating, said, people)}
    return boards


def _seated_boards(
    event: Event, said: events.Seated, before: Mapping[str, Seating], drawn: Mapping[str, BoardSeated]
) -> dict[str, Seating]:
    """The boards of a round by its newest draw; a board with unchanged seats keeps its later replacements."""
    by_board = {}
    for index, board in enumerate(said.boards):
        new = Seating(
            round=said.round,
            board=board.board,
            index=index,
            players={power: str(name) for power, name in board.players.items()},
            map_name=board.map or event.details.map_name,
            is_final=board.final,
            is_by_hand=board.by_hand,
            chose=tuple(map(str, said.draw.chose)) if board.final and said.draw else (),
            pool=board.pool,
        )
        stood, seats = before.get(new.name), drawn.get(new.name)
        today = {power: event.people.name_of(who) for power, who in seats.players.items()} if seats else {}
        if stood and seats and today == new.players:
            new = replace(new, players=stood.players, earlier=stood.earlier, relieved=stood.relieved)
        by_board[new.name] = new
    return by_board


def seated_rounds(event: Event) -> dict[int, Fact[events.Seated]]:
    """The newest seating of every round that was not taken back, with everybody's current name."""
    newest = {fact.said.round: fact for fact in standing(event.facts, events.Seated)}
    people = event.people.check_known()
    return {n: replace(newest[n], said=with_names(newest[n].said, people)) for n in sorted(newest)}


def ended_early(event: Event) -> Fact[events.EventEndedEarly] | None:
    """The note that the event is over before the last round of its rules; None where it is not."""
    return next(reversed(standing(event.facts, events.EventEndedEarly)), None)


def seated_since(event: Event) -> dict[int, int]:
    """By round, the fact of the draw that counts now; later facts have only added boards."""
    since: dict[int, int] = {}
    stood: dict[int, tuple[BoardSeated, ...]] = {}
    for fact in standing(event.facts, events.Seated):
        number, boards = fact.said.round, fact.said.boards
        before = stood.get(number, ())
        if not before or boards[: len(before)] != before:
            since[number] = fact.number
        stood[number] = boards
    return since


def _with_changes(boards: Mapping[str, Seating], said: events.SeatsChanged, people: People) -> dict[str, Seating]:
    """Apply changes of seats before play; a round that was drawn again later keeps the new draw's seats."""
    changed = dict(boards)
    for change in said.changes:
        seating, before = changed.get(change.board), people.name_of(change.before)
        if seating is None or seating.players.get(change.power) != before:
            return dict(boards)
        players = dict(seating.players) | {change.power: people.name_of(change.player)}
        relieved = {power: who for power, who in seating.relieved.items() if power is not change.power}
        rest = [each for name, each in boards.items() if each.round == seating.round and name != change.board]
        if len(said.changes) == 1 and before and any(before in each.players.values() for each in rest):
            relieved[change.power] = before
        changed[change.board] = replace(seating, players=players, relieved=relieved)
    return changed


def _with_replaced(seating: Seating, said: events.PlayerReplaced, people: People) -> Seating:
    """Apply the replacement of a player; a round that was drawn again later keeps the new draw's seats."""
    power, before = said.power, people.name_of(said.before)
    if power not in seating.players or seating.players[power] != before:
        return seating
    left = FormerPlayer(power, before, said.phase)
    players = dict(seating.players) | {power: people.name_of(said.player)}
    return replace(seating, players=players, earlier=(*seating.earlier, left))


GAMES: UpToNow[dict[str, Game]] = UpToNow()


def games(event: Event) -> dict[str, Game]:
    """Every game by the board's full name, replayed from set positions and published phases."""
    return dict(GAMES.of(event.facts, lambda: _replay_games(event)))


def _replay_games(event: Event) -> dict[str, Game]:
    """Replay every game from the facts, without the cache."""
    replayed = {
        name: Game(seating=seating, position=starting_position(seating.map))
        for name, seating in seatings(event).items()
    }
    for fact in standing(event.facts, events.OnGame):
        if fact.said.board in replayed:
            replayed[fact.said.board] = apply_fact(replayed[fact.said.board], fact, event)
    return replayed


def apply_fact(game: Game, fact: Fact[events.OnGame], event: Event) -> Game:
    if published := fact.of(events.PhasePublished):
        return _follow_published(game, published, event)
    if ended := fact.of(events.GameEnded):
        voters = frozenset(survivors(game)) if ended.said.how is Ending.VOTE else None
        return replace(game, end=End(ended.said.how, game.position.phase, ended, voters))
    if result := fact.of(events.ResultEntered):
        entered = Entered(result.said.form, result.said.years)
        return replace(game, end=End(Ending(result.said.ended), game.position.phase, result), entered=entered)
    if isinstance(fact.said, events.PositionSet):
        return _set_by_hand(game, read_position(fact.said.position, game.map))
    return game


def _set_by_hand(game: Game, position: Position) -> Game:
    """Go on from a position set by hand; only published phases that are earlier than its phase stay."""
    before = tuple(played for played in game.played if played.phase.sort_key < position.phase.sort_key)
    return replace(
        game, position=position, played=before, end=None, entered=None, by_hand=position, phases_before_set=len(before)
    )


def _follow_published(game: Game, fact: Fact[events.PhasePublished], event: Event) -> Game:
    said = fact.said
    game = replace(game, end=_end_after(game, said))
    if said.phase != game.position.phase:
        game = replace(at_phase(game, str(said.phase)), end=game.end)
    orders = {power: tuple(map(read_order, texts)) for power, texts in said.orders.items()}
    resolution = adjudicate(game.map, game.position, orders, event.tournament.rulebook)
    new = Played(fact=fact, before=game.position, orders=orders, resolution=resolution)
    return replace(game, position=new.after, played=(*game.played, new))


def _end_after(game: Game, published: events.PhasePublished) -> End | None:
    """The end of a game after a publication: a correction keeps it, unless it was a solo.

    A solo is declared again if the counts still give it. `Game.ending` ignores an end while the game is replayed.
    """
    is_correction = published.why is not None
    return game.end if is_correction and game.end is not None and game.end.how is not Ending.SOLO else None


def find_game(event: Event, board: str) -> Game:
    """Find a game by its full name, ``2.5``, or by its board alone in the latest round."""
    by_name = games(event)
    if not by_name:
        raise stop("no round is drawn yet; use 'ordersheets draw'", str(event.folder))
    latest = max(game.seating.round for game in by_name.values())
    for name in (board, f"{latest}.{board}"):
        if name in by_name:
            return by_name[name]
    names = tuple(by_name)
    raise stop(f"no board {board!r}{did_you_mean(board, names) or '; boards are ' + ', '.join(names)}", "--board")


def check_plays(game: Game, power: Power) -> None:
    """Stop where a power is not in a game: there is no Turkey on a board of six."""
    if power not in game.seating.players:
        playing = ", ".join(map(str, game.seating.players))
        raise stop(f"{power} is not in this game; playing are {playing}", f"board {game.name}")


PhaseFact = events.PhasePublished | events.PositionSet


def phase_began(event: Event, game: Game, before: int | None = None) -> Fact[PhaseFact] | None:
    """The newest fact from which the phase began that a board is in, or the newest before another fact, by its number.

    None if that was the start of the game. One that was taken back by then is left out.
    """
    kinds: tuple[type[PhaseFact], ...] = (events.PhasePublished, events.PositionSet)
    undone = undone_in(event.facts.select(events.TakesBack))
    at = event.facts.last_number() + 1 if before is None else before
    for fact in reversed(list(event.facts.select(*kinds))):
        is_here = fact.said.board == game.name and _led_to(fact.said)["phase"] == str(game.position.phase)
        if is_here and fact.number < at <= undone.get(fact.number, at):
            return fact
    return None


def position_before(event: Event, game: Game, number: int) -> Position | None:
    """The position from which a board's present phase began before a fact, by its number; None if it had not begun."""
    if (began := phase_began(event, game, number)) is not None:
        return read_position(_led_to(began.said), game.map)
    start = starting_position(game.map)
    return start if start.phase == game.position.phase else None


def _led_to(said: PhaseFact) -> PositionJson:
    """The position that a fact led to."""
    return said.after if isinstance(said, events.PhasePublished) else said.position


def survivors(game: Game) -> tuple[Power, ...]:
    """The powers that have a centre: they vote on ending the game."""
    return tuple(power for power in Power if game.position.centres.get(power))


def correct_command(folder: Path, board: str, phase: Phase) -> str:
    """The command that shows what a correction of a published phase changes; ``--apply`` publishes it."""
    return f"ordersheets correct {quote(str(folder))} --board {board} --phase {phase}"


def late_otherwise(folder: Path, board: str, phase: Phase) -> str:
    """Say that late orders of a published phase count otherwise since a decision on another phase."""
    return f"its late orders count otherwise now; '{correct_command(folder, board, phase)}' shows what changes"


def at_phase(game: Game, phase: str) -> Game:
    """The game as it was when a phase was about to be played."""
    if phase == str(game.position.phase):
        return game
    for number, earlier in enumerate(game.played):
        if phase == str(earlier.phase):
            return replace(game, position=earlier.before, played=game.played[:number], end=None)
    known = (*(str(p.phase) for p in game.played), str(game.position.phase))
    text = f"not played on board {game.name}, where {game.position.phase} is open"
    raise stop(f"{text}{did_you_mean(phase, known)}", phase)
