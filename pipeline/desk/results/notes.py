"""Notes: what the director enters beside the results, each with who, when and why; and undoing them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from pipeline.board import FIRST_PHASE
from pipeline.desk.event.ending import check_no_draw, check_not_final, check_unpublished, check_unused, is_draw_of
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, Seating, ended_early, games, seatings
from pipeline.desk.event.note_values import NOBODY, Values
from pipeline.desk.event.seating import added_by_hand
from pipeline.desk.results.leaving import undo_leaving
from pipeline.desk.results.note_kinds import KINDS, NONE, Facts, Read, begun, round_of_swap
from pipeline.desk.ruling.rulings import written_in_words
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import Column, board_name, round_and_board
from pipeline.problems import stop
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import write_count

ROSTER_WORDS = {Column.DISTANCE: "distance in km", Column.COUNTRY: "country", Column.CLUB: "club"}
FIELD_ORDER = (  # in which a note's fields are listed; all others follow
    "player",
    "players",
    "board",
    "round",
    "power",
    "before",
    "phase",
    "powers",
    "kind",
    "award",
    "field",
)
UNLISTED = ("why", "was", "name", "form", "overruled", "years")
NOTHING: tuple[Any, ...] = ("", None, (), {})
NoteBody = events.NoteEntered | events.ResultEntered
SEATS = ("substitute", "swap")  # the notes by which seats change hands
SeatNote = events.PlayerReplaced | events.SeatsChanged
SEAT_NOTES: tuple[type[SeatNote], ...] = (events.SeatsChanged, events.PlayerReplaced)
BACK_ALL_THE_SAME = "to take it back all the same"
ADDED_UP = (events.PenaltyEntered, events.BonusEntered, events.AwardGiven, events.PlayerExcluded, events.LotsDrawn)


class KeptNote(Struct, frozen=True):
    """One note in force, as it is listed."""

    fact: Fact[NoteBody] | Fact[events.Seated]
    words: str

    @property
    def why(self) -> str:
        """The reason; a board set by hand has it in its words."""
        return "" if isinstance(self.fact.said, events.Seated) else self.fact.said.why or ""

    def as_json(self) -> dict[str, Any]:
        fact = self.fact
        return {
            "number": fact.number,
            "at": fact.at,
            "by": fact.by,
            "kind": fact.said.KIND,
            "words": self.words,
            "why": self.why,
            "in_journal": isinstance(fact.said, events.Seated),  # where alone it is taken back
        }


def enter_note(
    event: Event, what: str, typed: Mapping[str, Any], *, by: str, why: str = ""
) -> Fact[events.LedgerEvent]:
    """Write a note down, or stop with everything that is wrong with it; repeating it writes nothing."""
    return write_down(event, facts_of(event, what, typed, why, by), by)


def write_down(event: Event, facts: Facts, by: str) -> Fact[events.LedgerEvent]:
    """Write the facts of a note; if the same note is in force and nothing changed since, return that one."""
    with event.facts.transaction():
        return _same_note(event, facts[-1], by) or event.facts.write_all(facts, by)[-1]


def _same_note(event: Event, said: events.LedgerEvent, by: str) -> Fact[events.LedgerEvent] | None:
    """Find the same note by the same person, if it is in force.

    Notes that add up, such as penalties, are compared with all; notes that replace an earlier one only with the newest.
    """
    boards = games(event)
    stands = [fact for fact in standing(event.facts, type(said)) if not _is_of_earlier_end(fact, boards)]
    if not isinstance(said, ADDED_UP):
        stands = [fact for fact in stands if not _is_about_another(said, fact.said)][-1:]
    return next((fact for fact in stands if (fact.said, fact.by) == (said, by)), None)


def _is_of_earlier_end(fact: Fact[events.LedgerEvent], boards: Mapping[str, Game]) -> bool:
    """Whether a note says who was in the draw of a game that went on since."""
    drawn = fact.of(events.DrawEntered)
    game = boards.get(drawn.said.board) if drawn else None
    return drawn is not None and (game is None or not is_draw_of(game, drawn))


def _is_about_another(said: events.LedgerEvent, earlier: events.LedgerEvent) -> bool:
    """Whether a note is about another player, board, seat or round, so that one does not replace the other."""
    if isinstance(said, SeatNote) and isinstance(earlier, SeatNote):
        return set(said.seats).isdisjoint(earlier.seats)
    if isinstance(said, events.Seated) and isinstance(earlier, events.Seated):
        return said.round != earlier.round
    return _about(said).isdisjoint(_about(earlier))


def facts_of(event: Event, what: str, typed: Mapping[str, Any], why: str, by: str) -> Facts:
    """Read a note's fields strictly into its facts; facts that are in force already are returned as they are."""
    if what not in KINDS:
        raise stop(f"nothing of that name can be entered{did_you_mean(what, tuple(KINDS))}", what)
    kind, reason = KINDS[what], " ".join(why.split())
    values = Values(event, {**typed, "why": why}, what)
    read = values.read(kind.fields)
    if kind.needs_why and not reason:
        values.fault("why", "missing; give a reason, because people will ask")
    if kind.word in SEATS and not values.problems and (same := _same_seat_note(event, read, reason, by)):
        return (same,)
    if kind.word == "early-end" and (ended := ended_early(event)) and (ended.said.why, ended.by) == (reason, by):
        return (ended.said,)
    facts = () if values.problems else kind.facts(values, read)
    values.finish()
    said = tuple(each if isinstance(each, events.Seated) else replace(each, why=reason) for each in facts)
    if kind.is_scored and not _same_note(event, said[-1], by):
        check_unpublished(event, reason, what)
    return said


def _same_seat_note(event: Event, read: Read, why: str, by: str) -> SeatNote | None:
    """The earlier fact, if the same person enters the same change of seats again and it is still in force.

    Two players who swapped can swap back only with another reason.
    """
    changes = standing(event.facts, *SEAT_NOTES)
    boards = seatings(event)
    for fact in reversed(changes):
        if (fact.by, fact.said.why) == (by, why) and _is_what_was_asked(fact.said, read, boards):
            later = [each for each in changes if each.number > fact.number]
            is_last = not any(not _is_about_another(fact.said, each.said) for each in later)
            return fact.said if is_last and _is_in_force(event, fact.said, boards) else None
    return None


def _is_what_was_asked(said: SeatNote, read: Read, boards: Mapping[str, Seating]) -> bool:
    """Whether a change of seats is the one that is entered: a substitute, one before play, or a swap."""
    board, phase = read.get("board"), read.get("phase")
    seat = (board.name, read["power"], read["player"]) if board is not None else None
    match said:
        case events.PlayerReplaced():
            return (said.board, said.power, said.player) == seat and said.phase == phase
        case events.SeatsChanged(changes=(change,)):
            is_before_play = phase is not None and phase.sort_key <= FIRST_PHASE.sort_key
            return is_before_play and (change.board, change.power, change.player) == seat
    swapped = {change.player for change in said.changes} == {read.get("player"), read.get("other")}
    return swapped and round_of_swap(read, boards) == round_and_board(said.changes[0].board)[0]


def _is_in_force(event: Event, said: SeatNote, boards: Mapping[str, Seating]) -> bool:
    """Whether a change of seats is still in force: no later draw replaced it."""
    if isinstance(said, events.PlayerReplaced):
        left = [each for each in boards[said.board].earlier if each.power is said.power] if said.board in boards else []
        return bool(left) and left[-1].until == said.phase
    name = event.people.name_of
    return all(
        change.board in boards and boards[change.board].first_players.get(change.power, "") == name(change.player)
        for change in said.changes
    )


def notes_in_force(event: Event) -> tuple[KeptNote, ...]:
    """All notes in force, oldest first; one that a newer note replaced is none of them."""
    notes = _notes_not_undone(event)
    replaced, results, boards = _replaced_by(notes), _typed_results(event), seatings(event)
    counting = (fact for fact in notes if fact.number not in replaced)
    kept = [
        KeptNote(fact, note_in_words(event, fact.said))
        for fact in counting
        if (
            fact.number in results if isinstance(fact.said, events.ResultEntered) else _counts(event, fact.said, boards)
        )
    ]
    return tuple(sorted((*kept, *_boards_by_hand(event)), key=lambda note: note.fact.number))


def _notes_not_undone(event: Event) -> list[Fact[NoteBody]]:
    """All notes that nobody took back, oldest first, and whose game did not go on since."""
    notes: list[Fact[NoteBody]] = [*standing(event.facts, events.NoteEntered)]
    notes += standing(event.facts, events.ResultEntered)
    boards = games(event)
    notes = [fact for fact in notes if not _is_of_earlier_end(fact, boards)]
    return sorted(notes, key=lambda fact: fact.number)


def _typed_results(event: Event) -> frozenset[int]:
    """The facts by which results were typed in that count."""
    typed = (game for game in games(event).values() if game.entered and not game.entered.form)
    return frozenset(game.end.fact.number for game in typed if game.end)


def _counts(event: Event, said: events.NoteEntered, boards: Mapping[str, Seating]) -> bool:
    """Whether no later draw or edit of `event.toml` replaced what a note says of a seat or of a player."""
    name = event.people.name_of
    match said:
        case events.SeatsChanged(changes=changes):
            here = [each for each in changes if each.board in boards]
            return any(boards[each.board].first_players.get(each.power, "") == name(each.player) for each in here)
        case events.PlayerReplaced() if said.board in boards:
            left = boards[said.board].earlier
            return any((each.power, each.until) == (said.power, said.phase) for each in left)
        case events.PlayerNoted(player=player):
            filed = (each for each in event.people.before_changes if each.number == player)
            return any(getattr(each, said.field) == said.was for each in filed)
    return not isinstance(said, events.PlayerReplaced)


def _replaced_by(notes: Sequence[Fact[NoteBody]]) -> dict[int, int]:
    """By the number of a note, oldest first in ``notes``: the newer one since which nothing of it counts."""
    replaced, newer = dict[int, int](), dict[object, int]()
    for fact in reversed(notes):
        about = _about(fact.said)
        if about and about <= newer.keys():
            replaced[fact.number] = max(newer[each] for each in about)
        newer |= dict.fromkeys(about, fact.number)
    return replaced


def _about(said: events.LedgerEvent) -> frozenset[object]:
    """What a note is about, of which only the newest note counts; nothing where notes add up or follow each other."""
    about: tuple[object, ...]
    match said:
        case events.ScoreRuled() | events.LateStartEntered():
            about = ((said.board, said.power),)
        case events.DrawEntered() | events.ResultEntered():
            about = (said.board,)
        case events.BoardChosen():
            about = ((said.player, said.round),)
        case events.PlayerNoted():
            about = ((said.player, said.field),)
        case events.PreregistrationEntered():
            about = (said.player,)
        case events.LotsDrawn():
            about = said.players
        case events.SeatsChanged():
            about = said.seats
        case events.EventEndedEarly():
            about = ("the event",)
        case _:
            about = ()
    return frozenset((said.KIND, each) for each in about)


def replaced_since(event: Event, number: int) -> tuple[int, ...]:
    """The numbers of the notes that count no more since a note was entered."""
    notes = _notes_not_undone(event)
    return tuple(old for old, new in sorted(_replaced_by(notes).items()) if new == number)


def entered_in_words(event: Event, fact: Fact[events.LedgerEvent], newest: int) -> str:
    """Say that a note was written down and what it replaces; ``newest`` was the newest fact before."""
    words, replaced = written_in_words((fact,), newest), replaced_since(event, fact.number)
    if not replaced or fact.number <= newest:
        return words
    counts = "counts" if len(replaced) == 1 else "count"
    return f"{words}; it replaces number {' and '.join(map(str, replaced))}, which {counts} no more"


def _boards_by_hand(event: Event) -> Iterator[KeptNote]:
    """The boards that were set by hand and stand."""
    boards, before = seatings(event), dict[int, events.Seated]()
    for fact in standing(event.facts, events.Seated):
        names, notes = added_by_hand(fact.said, before.get(fact.said.round))
        before[fact.said.round] = fact.said
        stand = [each for each in (board_name(fact.said.round, name) for name in names) if each in boards]
        if stand and notes and all(boards[name].is_by_hand for name in stand):
            yield KeptNote(fact, "; ".join(notes))


def note_in_words(event: Event, said: NoteBody) -> str:
    """Describe a note in a line, with the players' present names."""
    if isinstance(said, events.PlayerNoted) and said.field is Column.LEFT:
        return f"{event.people.name_of(said.player)} {'has gone home' if said.value else 'is back'}"
    if isinstance(said, events.PlayerNoted):
        return f"{said.KIND}: {event.people.name_of(said.player)} · {ROSTER_WORDS[said.field]} {said.value or NONE}"
    if isinstance(said, events.SeatsChanged):
        seats = []
        for change in said.changes:
            now, before = (event.people.name_of(who) or NOBODY for who in (change.player, change.before))
            seats.append(f"{change.board} {change.power} {now} instead of {before}")
        allowed = f" · allowed {', '.join(said.ruled)}" if said.ruled else ""
        return f"{said.KIND}: {', '.join(seats)}{allowed}"
    about = {each.name: getattr(said, each.name) for each in fields(said) if each.name not in UNLISTED}
    about = {key: value for key, value in sorted(about.items()) if value not in NOTHING and value is not False}
    if about.get("times") == 1:
        del about["times"]
    in_order = sorted(about, key=lambda key: FIELD_ORDER.index(key) if key in FIELD_ORDER else len(FIELD_ORDER))
    words = [_field_in_words(event, key, about[key]) for key in in_order]
    if isinstance(said, events.ResultEntered):
        words.append(f"to {max(said.years)}")
    return f"{said.KIND}: {' · '.join(words)}"


def _field_in_words(event: Event, key: str, value: Any) -> str:
    """What one field of a note says."""
    match key:
        case "player":
            return event.people.name_of(value) or NOBODY
        case "players":
            return ", then ".join(event.people.name_of(number) for number in value)
        case "before":
            return f"instead of {event.people.name_of(value) or NOBODY}"
        case "phase":
            return str(value.in_words)
        case "season":
            season, year = ("Fall", "Spring")[value % 2], FIRST_PHASE.year + (value - 1) // 2
            return f"arrived in {season} {year}" if value else "on time"
        case "kind" | "award" | "power":
            return str(value)
        case "after":
            return f"after round {value}"
        case "points" | "times":
            return write_count(value, key.removesuffix("s"))
        case "both":
            return "both count"
    named = "allowed" if key == "ruled" else key
    return f"{named} {', '.join(map(str, value)) if isinstance(value, tuple) else value}"


def take_note_back(event: Event, number: int, *, by: str, why: str = "") -> Fact[events.LedgerEvent]:
    """Undo a note: it stays in the facts and does not count any more. Repeating it writes nothing."""
    fact = next((note.fact for note in notes_in_force(event) if note.fact.number == number), None)
    if fact is None:
        if same := _same_undoing(event, number, by, why):
            return same
        if since := _replaced_by(_notes_not_undone(event)).get(number):
            raise stop(f"a newer note replaced it; undo number {since} of the journal first", str(number))
        raise stop("no note in force has this number; see 'ordersheets enter EVENT list'", str(number))
    _check_may_be_undone(event, fact, why)
    if noted := fact.of(events.PlayerNoted):
        return event.facts.write_all(undo_leaving(event, noted, why), by)[0]
    return event.facts.write(events.ActTakenBack(fact=number, why=why), by)


def _check_may_be_undone(event: Event, fact: Fact[events.LedgerEvent], why: str) -> None:
    """Stop where something rests on a note, or where it is taken back elsewhere."""
    if isinstance(fact.said, events.Seated):
        raise stop("a board that was set by hand is taken back in the journal ('ordersheets undo')", str(fact.number))
    if isinstance(fact.said, events.ResultEntered):
        check_no_draw(event, fact.said.board)
    if isinstance(fact.said, events.ResultEntered | events.DrawEntered):
        check_unused(event, games(event)[fact.said.board], fact.number, why, BACK_ALL_THE_SAME)
    if isinstance(fact.said, events.EventEndedEarly):
        check_not_final(event, fact.number, why, BACK_ALL_THE_SAME, "early-end")
    if isinstance(fact.said, SeatNote):  # one may rest on another that does not replace it
        changes = [each for each in standing(event.facts, *SEAT_NOTES) if each.number > fact.number]
        if later := [each.number for each in changes if not _is_about_another(fact.said, each.said)]:
            text = f"the seat changed hands again since; undo number {later[-1]} of the journal first"
            raise stop(text, str(fact.number))
    if isinstance(fact.said, events.SeatsChanged) and (played := _played_with(event, fact.said)):
        raise stop(
            f"{played}; take that back first, or enter who takes the seat over ('{KINDS['substitute'].title}')",
            str(fact.number),
        )


def _same_undoing(event: Event, number: int, by: str, why: str) -> Fact[events.LedgerEvent] | None:
    """The fact that undid a note, if the same person undoes it again for the same reason."""
    notes = event.facts.select(events.NoteEntered, events.ResultEntered)
    is_note = any(fact.number == number for fact in notes)
    acts = [fact for fact in event.facts.select(events.ActTakenBack) if is_note and fact.said.fact == number]
    return next((fact for fact in acts if (fact.by, fact.said.why) == (by, why)), None)


def _played_with(event: Event, said: events.SeatsChanged) -> str:
    """Publications on boards whose seats were changed before play; empty if they are not played yet."""
    boards = games(event)
    boards_played = dict.fromkeys(board for board, _ in said.seats if board in boards and boards[board].played)
    return "; ".join(begun(boards[board]) for board in boards_played)
