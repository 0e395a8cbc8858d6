"""Seat a round: who plays which power at which board, written down as it was published."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import MAPS, Power
from pipeline.desk.event.apart import keep_pairs_apart
from pipeline.desk.event.ending import hash_of, is_going_on
from pipeline.desk.event.event import CODE_LETTERS, Details, Event, new_event
from pipeline.desk.event.games import Game, seated_rounds, seatings
from pipeline.desk.event.note_values import Values
from pipeline.desk.event.people import with_names, with_numbers
from pipeline.draw.roster_list import ReadRoster
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import GameEnded, LotDrawn, LotSealed, PhasePublished, PlayerExcluded, ResultEntered, Seated
from pipeline.ledger.facts import Clock
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import About, BoardSeated, DrawRecord, LotRecord, board_name
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.conduct import AbandonedPosition, HowOften
from pipeline.rules.load import load_tournament
from pipeline.rules.rules_check import check_rules
from pipeline.rules.table import decode_text, did_you_mean, read_named

SeatsByBoard = Mapping[str, Mapping[Power, str]]  # board -> power -> player


class Special(Struct, frozen=True, kw_only=True):
    """Special boards of a round."""

    final: str | None = None  # the board that is the final table
    maps: Mapping[str, str] = field(default_factory=dict)  # board -> its map, where it is not the event's
    pools: Mapping[str, str] = field(default_factory=dict)  # board -> the pool that plays there


ORDINARY = Special()


def seat_round(
    event: Event,
    round_number: int,
    boards: SeatsByBoard,
    *,
    by: str,
    notes: Sequence[str] = (),
    special: Special = ORDINARY,
    draw: DrawRecord | None = None,
) -> Fact[Seated]:
    """Write down a round's seats, or stop with everything that is wrong with them.

    A board whose first phase was published keeps its seats: a round that is being played is not drawn again, but a
    board may be added after the others. ``draw`` is how the seats came about. Repeating the same draw writes nothing.
    """
    on = {board: special.maps.get(board, event.details.map_name) for board in boards}
    problems = [Problem(Weight.STOPS, text, where) for where, text in seat_faults(event, boards, on)]
    if not _keeps_playing(event, round_number, boards, on):
        problems.append(
            Problem(Weight.STOPS, "is being played; its seats cannot change any more", f"round {round_number}")
        )
    if problems:
        raise Stopped(problems)
    by_hand = boards_by_hand(event, round_number)
    seated = Seated(
        round=round_number,
        boards=tuple(
            BoardSeated(
                board=board,
                map=on[board],
                players=seats,
                final=board == special.final,
                by_hand=board in by_hand,
                pool=special.pools.get(board, ""),
            )
            for board, seats in boards.items()
        ),
        notes=tuple(notes),
        draw=draw,
    )
    said = with_numbers(seated, event.people, f"round {round_number}")
    stands = [fact for fact in standing(event.facts, Seated) if fact.said.round == round_number]
    if stands and stands[-1].said == said:
        return stands[-1]  # the same draw, repeated
    return event.facts.write(said, by)


def boards_by_hand(event: Event, round_number: int) -> dict[str, BoardSeated]:
    """The boards of a round that a director has set, by name."""
    stands = seated_rounds(event).get(round_number)
    return {board.board: board for board in (stands.said.boards if stands else ()) if board.by_hand}


def with_board(
    event: Event,
    round_number: int,
    board: str,
    players: Mapping[Power, str],
    map_name: str,
    notes: Sequence[str] = (),
) -> Seated:
    """A round with one more board, set by hand; those that stand keep their places and their seats."""
    stands = seated_rounds(event).get(round_number)
    before = stands.said if stands else Seated(round=round_number, boards=(), notes=())
    new = BoardSeated(board=board, map=map_name, players=players, by_hand=True)
    more = replace(before, boards=(*before.boards, new), notes=(*before.notes, *notes))
    return with_numbers(more, event.people, f"round {round_number}")


def added_by_hand(said: Seated, before: Seated | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The boards that were set by hand beside those of ``before``, and what was noted of them."""
    stood, noted = (before.boards, before.notes) if before else ((), ())
    names = {board.board for board in stood}
    added = tuple(board.board for board in said.boards if board.by_hand and board.board not in names)
    return added, said.notes[len(noted) :] if said.notes[: len(noted)] == noted else ()


def _keeps_playing(event: Event, round_number: int, boards: SeatsByBoard, maps: Mapping[str, str]) -> bool:
    """Whether every board of a round that is being played keeps its place, its map and its seats."""
    playing = {fact.said.board for fact in standing(event.facts, PhasePublished, ResultEntered, GameEnded)}
    if not any(name.startswith(f"{round_number}.") for name in playing):
        return True
    stands = seated_rounds(event).get(round_number)
    if stands is None:
        return False
    own = event.details.map_name
    before = [(board.board, board.map or own, board.players) for board in stands.said.boards]
    now = [(board, maps[board], dict(seats)) for board, seats in boards.items()]
    return now[: len(before)] == before


def against_two_boards(event: Event, round_number: int, board: str, name: str) -> str:
    """The question to decide before somebody plays on a second board of a round; empty if the rules allow it."""
    sat: dict[int, list[str]] = {}
    for seating in seatings(event).values():
        if name in seating.players.values() and seating.name != board_name(round_number, board):
            sat.setdefault(seating.round, []).append(seating.name)
    others = sat.pop(round_number, [])
    rule = event.tournament.conduct.two_boards_often
    here = f"{name} plays on {' and '.join(others)} in this round, too"
    draws = {number: fact.said.draw for number, fact in seated_rounds(event).items() if fact.said.draw}
    withdrew = {number for number, draw in draws.items() for each in draw.aside if each.player == name}
    has_withdrawn = bool(withdrew - {round_number, *sat})
    if not others:
        return ""
    if len(others) > 1:
        return f"{here}, which makes {len(others) + 1} boards"
    if rule.asks:
        return f"{here}; the rules do not say whether anybody may play on two boards"
    if rule.value is HowOften.ONCE and (has_withdrawn or any(len(boards) > 1 for boards in sat.values())):
        return f"{here}, and has played on two boards or withdrawn before: {rule.value.meaning} ({rule.source})"
    return ""


def abandoned_seats(event: Event, game: Game) -> dict[Power, str]:
    """The seats that players left in a game that is still played, each with the question who has it now.

    Empty if the rules say that the units of such a seat hold.
    """
    rule = event.tournament.conduct.abandoned
    if rule.value is AbandonedPosition.HOLDS or not is_going_on(event, game):
        return {}
    excluded = {event.people.name_of(fact.said.player) for fact in standing(event.facts, PlayerExcluded)}
    gone = {player.name for player in event.players if player.left} | excluded
    says = "the rules leave it to the director" if rule.asks else f"{rule.value.meaning} ({rule.source})"
    return {
        power: f"{name} has gone; who has the seat from now on? {says}: 'enter EVENT substitute {game.name} {power} "
        f"NAME {game.position.phase}', or 'nobody' for NAME: civil disorder"
        for power, name in game.seating.players.items()
        if name in gone and (game.position.units.get(power) or game.position.centres.get(power))
    }


def check_two_boards(
    values: Values, read: Mapping[str, Any], room: tuple[int, str], names: Iterable[str]
) -> tuple[str, ...]:
    """Ask about players whom a new board gives a second one in its round; returns what the director allowed."""
    questions = [against_two_boards(values.event, *room, name) for name in names if name]
    return tuple(f"{question}: the director allows it" for question in questions if values.allow(read, question))


def seat_faults(event: Event, boards: SeatsByBoard, maps: Mapping[str, str]) -> list[tuple[str, str]]:
    """Check seats: every player on the roster, every power of the board's map named and no other; "" is nobody."""
    known = tuple(player.name for player in event.players)
    faults = []
    for board, seats in boards.items():
        where = f"board {board}"
        powers = MAPS[maps[board]]().start
        if missing := [str(power) for power in powers if power not in seats]:
            faults.append((where, f"nobody plays {', '.join(missing)}"))
        if absent := [str(power) for power in seats if power not in powers]:
            faults.append((where, f"the map {maps[board]!r} is played without {', '.join(absent)}"))
        for power, name in seats.items():
            if name and name not in known:
                faults.append((f"{where} {power}", f"{name!r} is not on the roster{did_you_mean(name, known)}"))
        names = list(seats.values())
        faults += [
            (where, f"{name!r} sits here twice") for name in sorted({n for n in names if n and names.count(n) > 1})
        ]
    return faults


# Lots drawn openly: where the rules say so, or where nothing else decides, a sealed seed and a called word decide.
#
# As with the dice, the desk shows the hash of a secret seed first. Then somebody in the room calls a word, and the
# order is made of both together. A lot among the same people for the same thing is drawn once: its order stands.


def _order_of(seed: str, word: str, names: Sequence[str]) -> tuple[str, ...]:
    """The order that a seed and a word make: by the SHA-256 of seed, word and name; anybody can work it out again.

    >>> _order_of("seed", "Apple ", ("Ann", "Bob", "Cem"))
    ('Bob', 'Cem', 'Ann')
    """
    called = " ".join(word.casefold().split())
    return tuple(sorted(names, key=lambda name: hashlib.sha256(f"{seed} {called} {name}".encode()).digest()))


def lots(event: Event) -> tuple[LotRecord, ...]:
    """Every lot of an event, oldest first, with everybody's name of today."""
    records: list[LotRecord] = [with_names(fact.said, event.people) for fact in event.facts.select(LotSealed)]
    records += [with_names(fact.said, event.people) for fact in event.facts.select(LotDrawn)]
    newest = {lot.number: _as_lot(lot, LotRecord) for lot in records}
    return tuple(newest[number] for number in sorted(newest))


T = TypeVar("T", bound=LotRecord)
LotKind = TypeVar("LotKind", LotSealed, LotDrawn)


def _as_lot(lot: LotRecord, kind: type[T]) -> T:
    """Convert a lot between the facts that seal or draw it and the record in a draw."""
    return kind(**{name: getattr(lot, name) for name in LotRecord.__struct_fields__})


class OpenLots(Struct, kw_only=True):
    """The lots of one draw: a drawn one keeps its order, a sealed one is drawn with a word, a new one is sealed."""

    event: Event
    claims: Claims
    round: int
    by: str
    word: str | None = None  # what was called in the room
    seed: Callable[[], str] = lambda: secrets.token_hex(16)
    used: list[LotRecord] = field(default_factory=list)

    def draw(self, about: About, names: Sequence[str], count: int) -> tuple[str, ...]:
        """Draw ``count`` of ``names``; stops with exit code 3 until a word is called."""
        known = [lot for lot in lots(self.event) if lot.is_for(self.round, about, names)]
        lot = known[-1] if known else None
        if lot is not None and lot.seed is None and self.word is not None:
            lot = self.reveal(lot, self.word)
        if lot is None:
            lot = self.seal(about, names)
        if lot.seed is None:
            raise Stopped((Problem(Weight.ASKS, _waiting(lot, count), f"lot {lot.number}"),), ExitCode.RULE_FIRST)
        self.used.append(lot)
        return lot.order_drawn[:count]

    def seal(self, about: About, names: Sequence[str]) -> LotRecord:
        """Choose a seed and show its hash; the seed stays sealed until the word is called."""
        seed, number = self.seed(), len(lots(self.event)) + 1
        lot = LotRecord(number=number, round=self.round, about=about, among=tuple(sorted(names)), hash=hash_of(seed))
        self.claims.keep_secret(_secret_of(lot), seed)
        self.write(_as_lot(lot, LotSealed))
        return lot

    def reveal(self, lot: LotRecord, word: str) -> LotRecord:
        """Draw with the word that was called, and show the seed."""
        if not word.strip():
            raise stop("somebody in the room must call a word first", "--word")
        seed = self.claims.secret(_secret_of(lot), lot.hash)
        if seed is None:
            text = "the sealed seed is lost (claims.db was replaced or changed); draw paper lots, and name who is drawn"
            raise stop(text, f"lot {lot.number}", ExitCode.RULE_FIRST)
        self.word = None
        drawn = replace(lot, seed=seed, word=word, order=_order_of(seed, word, lot.people))
        self.write(_as_lot(drawn, LotDrawn))
        return drawn

    def write(self, lot: LotKind) -> None:
        """Write a lot down, with the numbers of its players."""
        self.event.facts.write(with_numbers(lot, self.event.people, f"lot {lot.number}"), self.by)

    def close(self) -> None:
        """Stop if a word was called and no lot waits for one; a repeated word of a drawn lot is accepted."""
        if self.word is not None and self.word not in (lot.word for lot in self.used):
            raise stop("no lot waits for a word; leave it out", "--word")


def _secret_of(lot: LotRecord) -> str:
    return f"lot {lot.number} {lot.hash}"


def _waiting(lot: LotRecord, count: int) -> str:
    """What is to be done before a lot is drawn."""
    among = ", ".join(lot.people)
    return (
        f"{count} of {len(lot.people)} by lot: {among}; a secret seed is sealed, show everybody its hash {lot.hash}; "
        "then let somebody call a word, and repeat the command with --word WORD"
    )


# Make an event, from the command and from the page alike.


def make_event(folder: Path, wanted: Details, roster: ReadRoster, clock: Clock) -> tuple[str, tuple[Problem, ...]]:
    """Make the event's folder with its first facts, or stop with what is wrong; of own rules with every fault.

    Defaults: the folder's name, a random code, the rules' map. Returns the event's code, and warnings: letters that
    cannot be printed, doubts about the roster.
    """
    if wanted.tournament.endswith(".toml"):
        _check_own_rules(Path(wanted.tournament))
    rules = load_tournament(wanted.tournament)
    details = replace(
        wanted,
        name=wanted.name or folder.resolve().name,
        code=wanted.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4)),
        map_name=wanted.map_name or rules.map,
    )
    players, apart = keep_pairs_apart(roster.players)
    new_event(folder, details, players, clock)
    from pipeline.paper.lettering import unprintable_names  # noqa: PLC0415 - only here is ReportLab needed

    letters = unprintable_names(player.name for player in roster.players)
    return details.code, (*roster.problems, *apart, *letters)


def _check_own_rules(path: Path) -> None:
    """Stop with every fault that ``rules --check`` finds in a rules file, each with its line."""
    if not path.is_file():
        return  # `load_tournament` reports it
    try:
        text = decode_text(read_named(path))
    except (OSError, UnicodeDecodeError):
        return  # `load_tournament` reports it
    checked = check_rules(text, path)
    faults = checked.faults
    if checked.tournament:
        from pipeline.workbook.write import unwritable  # noqa: PLC0415 - only for rules of one's own

        faults = (*faults, *unwritable(checked.tournament.scoring))
    if faults:
        raise Stopped([Problem(Weight.STOPS, str(fault), path.name) for fault in faults])
