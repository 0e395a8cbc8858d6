"""What rests on facts about people: who was added, renamed, called, or noted."""

from collections.abc import Iterator

from pipeline.journal.codes import Resting
from pipeline.journal.later import by_newest
from pipeline.journal.past import Chronicle
from pipeline.ledger.events import (
    HandBrought,
    LedgerEvent,
    LotDrawn,
    LotSealed,
    NoteEntered,
    PhasePublished,
    PlayerAdded,
    PlayerNoted,
    PlayerRenamed,
    PlayerReplaced,
    RollCalled,
    Seated,
    SeatsChanged,
    TeamEntered,
)
from pipeline.ledger.ledger import Fact
from pipeline.words import Told

NAMING = (Seated, LotSealed, LotDrawn, TeamEntered, NoteEntered, PlayerRenamed, HandBrought)  # a player, by his number


def rests_on_added(fact: Fact[PlayerAdded], past: Chronicle) -> Iterator[Told]:
    """Whoever is seated, in a team, in a lot or in a note stays."""
    number = fact.said.player.number
    if any(player.number == number for player in past.event.roster):
        yield Told.of(Resting.IN_FILE, name=fact.said.player.name)
    since = past.counting(*NAMING, after=fact.number)
    yield from by_newest(Resting.USED, (each for each in since if number in numbers_in(each.said)), past)


def numbers_in(said: LedgerEvent) -> frozenset[object]:
    """The players whom a fact names."""
    match said:
        case Seated(boards=boards):
            return frozenset(who for board in boards for who in board.players.values())
        case LotSealed(among=who) | LotDrawn(among=who) | TeamEntered(members=who):
            return frozenset(who)
        case PlayerReplaced(player=player, before=before):
            return frozenset((player, before))
        case SeatsChanged(changes=changes):
            return frozenset(who for change in changes for who in (change.player, change.before))
    one, several = getattr(said, "player", None), getattr(said, "players", ())
    return frozenset((one, *several))


def rests_on_rename(fact: Fact[PlayerRenamed], past: Chronicle) -> Iterator[Told]:
    """A newer name goes first; where the file says another name now, that is the newer word."""
    said = fact.said
    filed = next((player.name for player in past.event.people.filed if player.number == said.player), None)
    if filed != said.was:
        yield Told.of(Resting.IN_FILE, name=said.name)
    since = past.counting(PlayerRenamed, after=fact.number)
    yield from by_newest(Resting.LATER, (each for each in since if each.said.player == said.player), past)


def rests_on_call(fact: Fact[RollCalled], past: Chronicle) -> Iterator[Told]:
    """The draw that was made with it."""
    since = past.counting(Seated, after=fact.number)
    yield from by_newest(Resting.USED, (each for each in since if each.said.round == fact.said.round), past)


def rests_on_note(fact: Fact[NoteEntered], past: Chronicle) -> Iterator[Told]:
    """A newer note of the same: a seat that changed hands again, a line of the roster that was noted again."""
    since = past.counting(PlayerReplaced, SeatsChanged, PlayerNoted, after=fact.number)
    yield from by_newest(Resting.LATER, (each for each in since if same(fact.said, each.said)), past)
    boards = {board for board, _ in fact.said.seats} if isinstance(fact.said, SeatsChanged) else set()
    for board in sorted(boards):
        played = (each for each in past.counting(PhasePublished, after=fact.number) if each.said.board == board)
        yield from by_newest(Resting.USED, played, past)


def same(said: NoteEntered, other: NoteEntered) -> bool:
    """Whether two notes are of one seat, or of one line of the roster."""
    match said, other:
        case PlayerReplaced() | SeatsChanged(), PlayerReplaced() | SeatsChanged():
            return not set(said.seats).isdisjoint(other.seats)
        case PlayerNoted(), PlayerNoted():
            return (said.player, said.field) == (other.player, other.field)
    return False
