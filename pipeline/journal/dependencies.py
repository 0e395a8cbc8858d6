"""What depends on a fact: later facts that were based on it and would be wrong if it were undone."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from pipeline.board import Phase
from pipeline.desk.event.ending import event_over_since, game_now, used_since
from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import OF_EVENT, settings_in
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.event.settings import FILE, is_in_event_toml, known_settings, rewrite
from pipeline.ink import page_in_words
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.consequences import adjudications_since
from pipeline.journal.happened import describe_fact
from pipeline.journal.undo_codes import CannotUndo, Dependency, UndoEffect
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.ledger.parts import BoardSeated, board_name
from pipeline.paper.form import FormKind
from pipeline.rules.game_end import soloist
from pipeline.scoring.results import Ending
from pipeline.small_files import read_small_text
from pipeline.words.speech import Message


def _by_fact(code: Dependency, fact: Fact[events.LedgerEvent], past: Chronicle, **more: object) -> Message:
    """A dependency through a single later fact, with what that says."""
    return Message.of(code, fact=fact.number, what=describe_fact(fact, past), **more)


def _by_newest(
    code: Dependency, facts: Iterable[Fact[events.LedgerEvent]], past: Chronicle, **more: object
) -> Iterator[Message]:
    """The newest of several dependent facts (oldest first): it must be undone first."""
    dependent = tuple(facts)
    if dependent:
        yield _by_fact(code, dependent[-1], past, **more)


# Dependencies on facts about people: added, renamed, in the roll call, or in a note.

NAMING = (
    events.Seated,
    events.LotSealed,
    events.LotDrawn,
    events.TeamEntered,
    events.NoteEntered,
    events.PlayerRenamed,
    events.HandBrought,
)  # facts that name players by their numbers


def _rests_on_added(fact: Fact[events.PlayerAdded], past: Chronicle) -> Iterator[Message]:
    """A player who is seated, in a team, in a lot or in a note cannot be removed."""
    number = fact.said.player.number
    if any(player.number == number for player in past.event.roster):
        yield Message.of(Dependency.IN_FILE, name=fact.said.player.name)
    since = past.counting(*NAMING, after=fact.number)
    yield from _by_newest(Dependency.USED, (each for each in since if number in _numbers_in(each.said)), past)


def _numbers_in(said: events.LedgerEvent) -> frozenset[object]:
    """The players whom a fact names."""
    match said:
        case events.Seated(boards=boards):
            return frozenset(who for board in boards for who in board.players.values())
        case events.LotSealed(among=who) | events.LotDrawn(among=who) | events.TeamEntered(members=who):
            return frozenset(who)
        case events.PlayerReplaced(player=player, before=before):
            return frozenset((player, before))
        case events.SeatsChanged(changes=changes):
            return frozenset(who for change in changes for who in (change.player, change.before))
    return frozenset((getattr(said, "player", None), *getattr(said, "players", ())))


def _rests_on_rename(fact: Fact[events.PlayerRenamed], past: Chronicle) -> Iterator[Message]:
    """Newer renames must be undone first; if the file has another name now, that one counts."""
    said = fact.said
    filed = next((player.name for player in past.event.people.before_changes if player.number == said.player), None)
    if filed != said.was:
        yield Message.of(Dependency.IN_FILE, name=said.name)
    since = past.counting(events.PlayerRenamed, after=fact.number)
    yield from _by_newest(Dependency.LATER, (each for each in since if each.said.player == said.player), past)


def _rests_on_call(fact: Fact[events.RollCalled], past: Chronicle) -> Iterator[Message]:
    since = past.counting(events.Seated, after=fact.number)
    yield from _by_newest(Dependency.USED, (each for each in since if each.said.round == fact.said.round), past)


def _rests_on_note(fact: Fact[events.NoteEntered], past: Chronicle) -> Iterator[Message]:
    """A newer note on the same seat or roster field, and what was published on a board since its seats changed."""
    since = past.counting(events.PlayerReplaced, events.SeatsChanged, events.PlayerNoted, after=fact.number)
    yield from _by_newest(Dependency.LATER, (each for each in since if _is_same_subject(fact.said, each.said)), past)
    boards = {board for board, _ in fact.said.seats} if isinstance(fact.said, events.SeatsChanged) else set()
    for board in sorted(boards):
        played = (each for each in past.counting(events.PhasePublished, after=fact.number) if each.said.board == board)
        yield from _by_newest(Dependency.USED, played, past)


def _is_same_subject(said: events.NoteEntered, other: events.NoteEntered) -> bool:
    """Whether two notes are about one seat, or about one field of one player."""
    match said, other:
        case events.PlayerReplaced() | events.SeatsChanged(), events.PlayerReplaced() | events.SeatsChanged():
            return not set(said.seats).isdisjoint(other.seats)
        case events.PlayerNoted(), events.PlayerNoted():
            return (said.player, said.field) == (other.player, other.field)
    return False


# What depends on a draw: sheets, orders, results and notes of boards that would change without it.

ON_A_BOARD: tuple[type[events.LedgerEvent], ...] = (events.OnGame, events.VoteHeld, events.NoteEntered)


def _rests_on_seats(fact: Fact[events.Seated], past: Chronicle) -> Iterator[Message]:
    """A newer draw, printed sheets, what happened since, and that everybody could see the seats."""
    number = fact.said.round
    newer = (each for each in past.counting(events.Seated, after=fact.number) if each.said.round == number)
    yield from _by_newest(Dependency.LATER, newer, past)
    made = _boards_made(fact, past)
    for board, since in _printed_since(fact.number, past):
        if board in made:
            yield Message.of(Dependency.SEATS_PRINTED, board=board, fact=since)
    for board in sorted(made):
        for kind in ON_A_BOARD:
            there = (each for each in past.counting(kind, after=fact.number) if _is_about_board(board, each.said))
            yield from _by_newest(Dependency.USED, there, past)
        for decided in list(past.counting(events.OnTurn, after=fact.number))[::-1]:
            # the decision itself is not shown, because players of the board may read this
            if decided.said.board == board:
                yield Message.of(Dependency.DECIDED, turn=str(Turn.of(decided.said)), fact=decided.number)
                break
    if any(opened.said.round == number for opened in past.counting(events.SeatsTold, after=fact.number)):
        yield Message.of(Dependency.SEEN)
    yield from map(_say_used, event_over_since(past.event, fact.number))


def _is_about_board(board: str, said: events.LedgerEvent) -> bool:
    """Whether a fact is about a board."""
    if isinstance(said, events.SeatsChanged):
        return any(board == changed for changed, _ in said.seats)
    return getattr(said, "board", None) == board


def _boards_made(fact: Fact[events.Seated], past: Chronicle) -> frozenset[str]:
    """The boards that would not exist, or would have other seats, without a draw."""
    before: Mapping[str, tuple[int, BoardSeated]] = {}
    for earlier in past.counting(events.Seated):
        if earlier.said.round == fact.said.round and earlier.number < fact.number:
            before = _boards_by_place(earlier.said)
    now = _boards_by_place(fact.said)
    return frozenset(board_name(fact.said.round, name) for name in {*before, *now} if before.get(name) != now.get(name))


def _boards_by_place(said: events.Seated) -> dict[str, tuple[int, BoardSeated]]:
    return {board.board: (place, board) for place, board in enumerate(said.boards)}


def _printed_since(number: int, past: Chronicle) -> Iterator[tuple[str, int]]:
    """The boards for which paper was printed since a fact, each once with the first printing."""
    printed: dict[str, int] = {}
    for fact in past.counting(events.SheetsPrinted, events.FormsPrinted, after=number):
        for board in _boards_printed(fact.said):
            printed.setdefault(board, fact.number)
    yield from printed.items()


def _boards_printed(said: events.LedgerEvent) -> Iterator[str]:
    match said:
        case events.SheetsPrinted(sheets=sheets):
            yield from (board_name(sheet.round, sheet.board) for sheet in sheets)
        case events.FormsPrinted(forms=forms):
            yield from (form.board for form in forms)


def _rests_on_telling(fact: Fact[events.SeatsTold], past: Chronicle) -> Iterator[Message]:
    """Everybody could see the seats; once a round has results its seats are public anyway."""
    games = [game for game in past.games.values() if game.seating.round == fact.said.round]
    if any(game.played or game.entered or game.ending for game in games):
        yield Message.of(Dependency.ROUND_BEGUN, round=fact.said.round)
    else:
        yield Message.of(Dependency.SEEN)


# Undoing what a person said of a page: which sheet it is, or that it was put aside.


def _read_with(fact: Fact[events.OnPage], past: Chronicle) -> Fact[events.PageRead] | None:
    """The reading that was written together with the identification of a page, and is undone with it."""
    beside = past.facts.get(fact.number + 1)
    read = beside.of(events.PageRead) if beside else None
    return read if read and read.said.place == fact.said.place else None


def _rests_on_page(fact: Fact[events.OnPage], past: Chronicle) -> Iterator[Message]:
    """A newer statement on the page; and what was decided, counted or published with its sheet since."""
    named = (events.PageIdentified, events.PageSetAside)
    newer = (each for each in past.counting(*named, after=fact.number) if each.said.place == fact.said.place)
    yield from _by_newest(Dependency.LATER, newer, past)
    if isinstance(fact.said, events.PageIdentified):
        yield from _rests_on_sheet(fact, past)
        yield from _rests_on_form_named(fact.said.sheet, fact.number, past)


def _rests_on_sheet(fact: Fact[events.OnPage], past: Chronicle) -> Iterator[Message]:
    """What was decided on the turns for which the page counts, and whether they were adjudicated since."""
    read = _read_with(fact, past)
    since = {fact.number, read.number if read else fact.number}
    turns = frozenset((turn for turn, sheets in past.sheets.items() if any(since & {*s.since} for s in sheets)))
    decided = [each for each in past.counting(events.Decision, after=fact.number) if Turn.of(each.said) in turns]
    newest = {str(Turn.of(each.said)): each.number for each in decided if not _is_on_typed(each.said)}
    for turn, number in newest.items():
        yield Message.of(Dependency.DECIDED, turn=turn, fact=number)
    boards = {(turn.board, turn.phase) for turn in turns}
    for played in past.counting(events.PhasePublished, after=fact.number):
        if (played.said.board, played.said.phase) in boards:
            yield Message.of(Dependency.ADJUDICATED, phase=played.said.phase.in_words, fact=played.number)


def _is_on_typed(said: events.Decision) -> bool:
    """Whether a decision is about lines that were typed, and about no paper."""
    return isinstance(said, events.LinesTyped) or (
        isinstance(said, events.RowRuled) and said.on is not None and said.on.typed > 0
    )


def _rests_on_form_named(form: str, since: int, past: Chronicle) -> Iterator[Message]:
    """What was decided on a form, and the vote that was counted with it."""
    decided = (each for each in past.counting(events.OnForm, after=since) if each.said.form == form)
    yield from _by_newest(Dependency.LATER, decided, past)
    printed = past.printed_forms.get(form)
    if printed is not None and printed.request.kind is FormKind.VOTE:
        for vote in past.counting(events.VoteHeld, after=since):
            if vote.said.board == printed.request.board:
                yield _by_fact(Dependency.USED, vote, past)


def without_page(fact: Fact[events.OnPage], past: Chronicle, by: str, why: str) -> Fact[events.LedgerEvent]:
    """Undo what a person said of a page, together with its reading as that sheet."""
    read = _read_with(fact, past) if isinstance(fact.said, events.PageIdentified) else None
    gone = [fact.number] + ([read.number] if read else [])
    return past.event.facts.write_all([events.ActTakenBack(fact=number, why=why) for number in gone], by)[0]


def after_page(fact: Fact[events.LedgerEvent], said: events.OnPage, past: Chronicle) -> Message:
    """What follows if a statement about a page is undone: the page waits again, or an earlier statement counts."""
    named = past.counting(events.PageIdentified, events.PageSetAside)
    if any(each.said.place == said.place and each.number < fact.number for each in named):
        return Message.of(UndoEffect.COUNTS_NO_MORE)
    return Message.of(UndoEffect.PAGE_WAITS, page=page_in_words(said.page), name=past.files.get(said.sha256, ""))


def mend_pictures(event: Event, said: events.OnPage) -> None:
    """Remake the pictures of a page's rows if its reading that counts has changed."""
    from pipeline.desk.hands.reader import best_recogniser  # noqa: PLC0415 - it loads the reader
    from pipeline.desk.intake.ingest import ScanReader  # noqa: PLC0415 - it loads the reader, and few pages are named

    counting = [each for each in standing(event.facts, events.PageRead) if each.said.place == said.place]
    newest = [each for each in event.facts.select(events.PageRead) if each.said.place == said.place]
    if counting and counting[-1] != newest[-1] and (sheet := counting[-1].said.sheet):
        ScanReader.of(event, best_recogniser()).read_as(counting[-1], sheet.sheet_id)


# Undoing changes of event.toml: the file is rewritten.


def _rests_on_settings(fact: Fact[events.SettingsChanged], past: Chronicle) -> Iterator[Message]:
    """A newer change of the same setting, a later edit of the file, and fields of the roster."""
    now = settings_in(read_small_text(past.event.folder / FILE))
    mine = {change.setting for change in fact.said.changes}
    newer = past.counting(events.SettingsChanged, after=fact.number)
    yield from _by_newest(
        Dependency.LATER, (each for each in newer if mine & {c.setting for c in each.said.changes}), past
    )
    for setting in sorted(mine):
        if not is_in_event_toml(setting):
            yield Message.of(Dependency.OF_RULES, setting=setting)
        elif not setting.startswith(OF_EVENT):
            yield Message.of(Dependency.OF_PLAYER, setting=setting)
        elif now.get(setting) not in _last_values(setting, past):
            yield Message.of(Dependency.FILE_SAYS_OTHER, setting=setting)


def _last_values(setting: str, past: Chronicle) -> set[str | None]:
    """The value of a setting's last change; after an undone change the file may hold either value."""
    for fact in reversed(list(past.event.facts.select(events.SettingsChanged))):
        for change in fact.said.changes:
            if change.setting == setting:
                return {change.now, change.was} if fact.number in past.undone else {change.now}
    return set()


def mend_file(event: Event, said: events.SettingsChanged) -> None:
    """Restore in the file the values from before an undone change, except settings edited since."""
    now, counts = settings_in(read_small_text(event.folder / FILE)), known_settings(event.facts)
    settings = [change.setting for change in said.changes if now.get(change.setting) == change.now]
    back = {setting: counts.get(setting) for setting in settings if now.get(setting) != counts.get(setting)}
    if back:
        rewrite(event, back)


Rests = Callable[[Any, Chronicle], Iterator[Message]]


class Stretch(Struct, frozen=True):
    """The phases that a fact on a board opened: from ``first`` on, or only those after it."""

    board: str
    first: Phase
    is_open: bool  # whether the first phase is one of them

    def has(self, phase: Phase) -> bool:
        """Whether a phase is among them."""
        return phase.sort_key > self.first.sort_key or (self.is_open and phase == self.first)


def rests(fact: Fact[events.LedgerEvent], past: Chronicle) -> tuple[Message, ...]:
    """The dependencies on a fact of a kind that can be undone."""
    return tuple(RESTS[type(fact.said)](fact, past))


def _no_dependencies(fact: Fact[events.LedgerEvent], past: Chronicle) -> Iterator[Message]:
    """Say that no other fact can depend on a fact of this kind."""
    return iter(())


def _rests_on_decision(fact: Fact[events.Decision], past: Chronicle) -> Iterator[Message]:
    return adjudications_since(fact, past, Dependency.ADJUDICATED)


def _rests_on_published(fact: Fact[events.PhasePublished], past: Chronicle) -> Iterator[Message]:
    """Whatever came after a publication on its board, except a solo that its centre counts made.

    Everybody could read the orders, so undoing it reopens rows whose answers are known, and needs a reason.
    """
    ended = solo_called_with(fact, past)
    yield from _rests_on_span(Stretch(fact.said.board, fact.said.phase, is_open=False), fact, past, ended)
    if ended is not None and (game := past.games.get(fact.said.board)):
        yield from _used_standings(past, game, ended.number)
    for die in past.counting(events.DiceCommitted, events.DiceRolled, after=fact.number):
        match die.said:
            case events.DiceCommitted(round=number, year=year) | events.DiceRolled(round=number, year=year):
                if year == fact.said.phase.year and fact.said.board.startswith(f"{number}."):
                    yield _by_fact(Dependency.USED, die, past)
    yield Message.of(Dependency.SEEN)


def _rests_on_position(fact: Fact[events.PositionSet], past: Chronicle) -> Iterator[Message]:
    """Whatever came since on a board that was set by hand."""
    opened = Phase.read(fact.said.position["phase"])
    yield from _rests_on_span(Stretch(fact.said.board, opened, is_open=True), fact, past, None)


def solo_called_with(fact: Fact[events.PhasePublished], past: Chronicle) -> Fact[events.GameEnded] | None:
    """The solo that the centre counts made when a phase was published."""
    since = [each for each in past.counting(events.OnGame, after=fact.number) if each.said.board == fact.said.board]
    ended = since[0].of(events.GameEnded) if since else None
    return ended if ended is not None and ended.said.how is Ending.SOLO else None


def _rests_on_span(
    span: Stretch, fact: Fact[events.OnGame], past: Chronicle, but: Fact[events.GameEnded] | None
) -> Iterator[Message]:
    """What happened on a board since a fact opened some of its phases, except the end ``but``."""
    later = [
        other
        for other in past.counting(events.OnGame, after=fact.number)
        if other.said.board == span.board and other != but
    ]
    if later:
        yield from _by_newest(Dependency.LATER_ON_BOARD, later, past, board=span.board)
        return  # dependencies of those are reported when they are undone
    yield from _paper_since(span, fact.number, past)
    decided = [each for each in past.counting(events.Decision, after=fact.number) if each.said.board == span.board]
    newest = {str(Turn.of(each.said)): each.number for each in decided if span.has(each.said.phase)}
    for turn, number in newest.items():
        yield Message.of(Dependency.DECIDED, turn=turn, fact=number)
    votes = (each for each in past.counting(events.VoteHeld, after=fact.number) if each.said.board == span.board)
    yield from _by_newest(Dependency.USED, votes, past)
    yield from _sheets_since(span, fact.number, past)


def _paper_since(span: Stretch, number: int, past: Chronicle) -> Iterator[Message]:
    """The sheets that were printed since for phases that would not be open, and slips for a vote."""
    for printed in past.counting(events.SheetsPrinted, after=number):
        phases = [s.phase for s in printed.said.sheets if board_name(s.round, s.board) == span.board and not s.is_pad]
        for phase in dict.fromkeys(phase for phase in phases if span.has(phase)):
            yield Message.of(Dependency.SHEETS_PRINTED, board=span.board, phase=phase.in_words, fact=printed.number)
    for forms in past.counting(events.FormsPrinted, after=number):
        if any(form.kind is FormKind.VOTE and form.board == span.board for form in forms.said.forms):
            yield _by_fact(Dependency.USED, forms, past)


def _sheets_since(span: Stretch, number: int, past: Chronicle) -> Iterator[Message]:
    """The sheets that came in since for phases that would not be open."""
    if next(past.counting(events.PageRead, events.PageIdentified, after=number), None) is None:
        return
    for turn, sheets in past.sheets.items():
        if turn.board == span.board and span.has(turn.phase) and any(max(sheet.since) > number for sheet in sheets):
            yield Message.of(Dependency.SHEET_IN, turn=str(turn))


def _rests_on_end(fact: Fact[events.GameEnded], past: Chronicle) -> Iterator[Message]:
    """What used its result; a solo that the centres give cannot be undone."""
    game = past.games.get(fact.said.board)
    if game is None or not _is_end_of(game, fact):
        yield Message.of(Dependency.COUNTS_NO_MORE)
        return
    ending = past.event.tournament.ending
    if fact.said.how is Ending.SOLO and soloist(game_now(past.event, game), ending) is not None:
        yield Message.of(Dependency.CALLED_BY_COUNTS)
    yield from _used_standings(past, game)


def _is_end_of(game: Game, fact: Fact[events.LedgerEvent]) -> bool:
    return game.ending is not None and game.end is not None and game.end.fact.number == fact.number


def _used_standings(past: Chronicle, game: Game, since: int | None = None) -> Iterator[Message]:
    """What was made from standings with a game's result since it ended, or since another fact."""
    yield from map(_say_used, used_since(past.event, game, since))


def _say_used(fact: Fact[events.LedgerEvent]) -> Message:
    match fact.said:
        case events.Seated(round=number):
            return Message.of(Dependency.STANDINGS_USED, round=number, fact=fact.number)
        case events.EventEndedEarly():
            return Message.of(Dependency.ENDED_EARLY, fact=fact.number)
    return Message.of(Dependency.RESULTS_FINAL, fact=fact.number)


def _rests_on_draw_noted(fact: Fact[events.DrawEntered], past: Chronicle) -> Iterator[Message]:
    """What was made from standings with this draw."""
    if game := past.games.get(fact.said.board):
        yield from _used_standings(past, game, fact.number)


def _rests_on_early_end(fact: Fact[events.EventEndedEarly], past: Chronicle) -> Iterator[Message]:
    """The results that were published as final since."""
    yield from map(_say_used, event_over_since(past.event, fact.number))


def _rests_on_result(fact: Fact[events.ResultEntered], past: Chronicle) -> Iterator[Message]:
    """What used standings with this result, and the note on which powers share its draw."""
    game = past.games.get(fact.said.board)
    if game is None or not _is_end_of(game, fact):
        yield Message.of(Dependency.COUNTS_NO_MORE)
        return
    for drawn in past.counting(events.DrawEntered, after=fact.number):
        if drawn.said.board == fact.said.board:
            yield _by_fact(Dependency.USED, drawn, past)
    yield from _used_standings(past, game)


def _rests_on_vote(fact: Fact[events.VoteHeld], past: Chronicle) -> Iterator[Message]:
    """A newer vote, and dependencies on the end that it made."""
    votes = (each for each in past.counting(events.VoteHeld, after=fact.number) if each.said.board == fact.said.board)
    yield from _by_newest(Dependency.LATER, votes, past)
    game = past.games.get(fact.said.board)
    end = game.end if game and game.ending else None
    if fact.said.carried and game and end and end.how is Ending.VOTE and end.fact.number > fact.number:
        yield from _used_standings(past, game)


def _rests_on_form(fact: Fact[events.OnForm], past: Chronicle) -> Iterator[Message]:
    """Facts written together with it, and later decisions on the same form."""
    beside = past.facts.get(fact.number + 1)
    if beside is not None and not isinstance(fact.said, events.FieldRuled):
        match beside.said:
            case events.ResultEntered(form=form) | events.TeamEntered(form=form) if form == fact.said.form:
                yield _by_fact(Dependency.TOGETHER, beside, past)
            case events.ActTakenBack(fact=back) if getattr(past.facts[back].said, "form", "") == fact.said.form:
                yield _by_fact(Dependency.TOGETHER, beside, past)
    since = (each for each in past.counting(events.OnForm, after=fact.number) if each.said.form == fact.said.form)
    yield from _by_newest(Dependency.LATER, (each for each in since if _on_the_same(fact.said, each.said)), past)


def _on_the_same(said: events.OnForm, other: events.OnForm) -> bool:
    """Whether one decision on a form depends on another: two different fields do not."""
    both = isinstance(said, events.FieldRuled) and isinstance(other, events.FieldRuled)
    return not both or getattr(said, "field", "") == getattr(other, "field", "")


def _rests_on_opening(fact: Fact[events.StandingsOpened], past: Chronicle) -> Iterator[Message]:
    """A newer opening or sealing of the standings, and that everybody could see the places."""
    yield from _by_newest(Dependency.LATER, past.counting(events.StandingsOpened, after=fact.number), past)
    if fact.said.open:
        yield Message.of(Dependency.SEEN)


def _rests_on_results(fact: Fact[events.ResultsPublished], past: Chronicle) -> Iterator[Message]:
    """A newer publication, and that everybody could see that the results are final."""
    yield from _by_newest(Dependency.LATER, past.counting(events.ResultsPublished, after=fact.number), past)
    yield Message.of(Dependency.SEEN)


def _rests_on_clock(fact: Fact[events.LedgerEvent], past: Chronicle) -> Iterator[Message]:
    """Later starts and stops of the clock."""
    since = past.counting(events.ClockStarted, events.ClockStopped, after=fact.number)
    yield from _by_newest(Dependency.LATER, since, past)


RESTS: Mapping[type[events.LedgerEvent], Rests] = {
    events.PlayerAdded: _rests_on_added,
    events.PlayerRenamed: _rests_on_rename,
    events.RollCalled: _rests_on_call,
    events.SettingsChanged: _rests_on_settings,
    events.Seated: _rests_on_seats,
    events.SeatsTold: _rests_on_telling,
    events.RowRuled: _rests_on_decision,
    events.SheetRuled: _rests_on_decision,
    events.LinesTyped: _rests_on_decision,
    events.SpotChecked: _no_dependencies,
    events.PageIdentified: _rests_on_page,
    events.PageSetAside: _rests_on_page,
    events.PositionSet: _rests_on_position,
    events.PhasePublished: _rests_on_published,
    events.GameEnded: _rests_on_end,
    events.ResultEntered: _rests_on_result,
    events.VoteHeld: _rests_on_vote,
    events.FieldRuled: _rests_on_form,
    events.FormAccepted: _rests_on_form,
    events.FormSetAside: _rests_on_form,
    events.StandingsOpened: _rests_on_opening,
    events.ResultsPublished: _rests_on_results,
    events.ClockStarted: _rests_on_clock,
    events.ClockStopped: _rests_on_clock,
    **dict.fromkeys((each for each in events.KINDS.values() if issubclass(each, events.NoteEntered)), _rests_on_note),
    events.DrawEntered: _rests_on_draw_noted,
    events.EventEndedEarly: _rests_on_early_end,
}
STAYS: Mapping[type[events.LedgerEvent], CannotUndo] = {
    events.PlayersNumbered: CannotUndo.BEGINNING,
    events.EventRestored: CannotUndo.BEGINNING,
    events.LotSealed: CannotUndo.DRAWN_OPENLY,
    events.LotDrawn: CannotUndo.DRAWN_OPENLY,
    events.DiceCommitted: CannotUndo.DRAWN_OPENLY,
    events.DiceRolled: CannotUndo.DRAWN_OPENLY,
    events.TeamEntered: CannotUndo.FORM,
    events.SheetsPrinted: CannotUndo.PAPER,
    events.FormsPrinted: CannotUndo.PAPER,
    events.ScanReceived: CannotUndo.PAPER,
    events.ScanRead: CannotUndo.PAPER,
    events.PageRead: CannotUndo.PAPER,
    events.HandBrought: CannotUndo.HAND,
    events.DecisionUndone: CannotUndo.TAKES_BACK,
    events.VoteUndone: CannotUndo.TAKES_BACK,
    events.EndUndone: CannotUndo.TAKES_BACK,
    events.ActTakenBack: CannotUndo.TAKES_BACK,
}


def why_final(said: events.LedgerEvent) -> CannotUndo | None:
    """Why a fact cannot be undone; None if it can."""
    return STAYS.get(type(said))
