"""What the journal says of random histories of two rounds with two boards each, worked out a second way."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from desk.cup import NAMES, clock, inked, seated
from ledger.test_events import full
from msgspec import Struct, structs

from pipeline.board import Phase, Power, Season
from pipeline.desk.event.ending import final_results
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import Game, ended_early, games, seated_rounds
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import PrintedForm, forms_in, printed_forms
from pipeline.desk.intake.ingest import ScanReader
from pipeline.desk.players import add_player, read_roll_call, rounds_with_public_seats, standings_are_open
from pipeline.desk.publish.public_record import big_clock, public_record
from pipeline.desk.results.notes import notes_in_force
from pipeline.desk.sheets.printed import OldSeats, PrintedSheet, printed_sheets
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.desk.sheets.unfiled_pages import waiting_pages
from pipeline.ink import Transcription, page_in_words
from pipeline.journal.acts import WHY_FIRST, undo_fact
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.happened import SETTINGS_IN_WORDS, Happened, SettingNow, describe_fact, setting_now
from pipeline.journal.lines import JournalLine, journal, phase_to_correct
from pipeline.journal.undo_codes import OVERRULABLE, Dependency, UndoEffect, UndoState
from pipeline.ledger import events
from pipeline.ledger.events import KINDS, LedgerEvent
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Column, RulingBasis, SeatChange, SettingChange, board_name
from pipeline.orders import write_position
from pipeline.paper.form import FormKind
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import Stopped
from pipeline.reading.recogniser import Tray
from pipeline.scoring.results import Ending
from pipeline.small_files import data_folder
from pipeline.words.speech import Message, sentence

BOARDS = ("1.1", "1.2", "2.1", "2.2")
TEMPLATE = (data_folder("templates/sheets") / "a4.toml").read_text("utf-8")
FIELDS = (Column.DISTANCE, Column.CLUB, Column.LEFT)
PHASES = tuple(map(Phase.read, ("S1901M", "F1901M", "S1902M", "F1902M", "S1903M")))
POWERS = (Power.ITALY, Power.TURKEY)


def rolls(event: Event) -> object:
    return [read_roll_call(event, number) for number in (1, 2)], rounds_with_public_seats(event, games(event).values())


TOLD: tuple[Callable[[Event], object], ...] = (
    games, sheets_in, waiting_pages, forms_in, notes_in_force, big_clock, standings_are_open, seated_rounds, rolls,
    ended_early, lambda event: (event.players, event.roster), lambda event: public_record(event, games(event)),
)  # fmt: skip


# ---- histories ------------------------------------------------------------------------------------------------------


def on_board(chance: random.Random, board: str, event: Event, *, plays: bool) -> LedgerEvent:
    """Something that happens on a board, whether or not a desk would let it."""
    past = [fact.said for fact in event.facts.everything()]
    match past[-1]:  # what often comes right behind
        case events.VoteHeld(board=voted, carried=True, phase=phase) if chance.random() < 0.7:
            return events.GameEnded(board=voted, phase=phase, how=Ending.VOTE, why="")
        case events.GameEnded(board=over) if (played := games(event)[over].played) and chance.random() < 0.5:
            return structs.replace(played[max(0, len(played) - 2)].fact.said, why="misread")
    game = games(event)[board]
    number, name = board.split(".")
    now = game.position.phase
    phase, power = chance.choice((now, chance.choice(PHASES))), chance.choice(POWERS)
    then = f"F{now.year}M" if now.season is Season.SPRING else f"S{now.year + 1}M"
    turn = {"board": board, "phase": phase, "power": power}
    drawn = structs.replace(full(events.SheetsPrinted), template=TEMPLATE, pads=0, token="")
    blank = structs.replace(
        drawn.sheets[0], serial=1000 + len(past), units=(), targets=(), is_pad=chance.random() < 0.2
    )
    sheet = structs.replace(blank, round=int(number), board=name, power=power, phase=phase)
    forms = chance.choice([said for said in past if isinstance(said, events.FormsPrinted)])
    form = structs.replace(forms.forms[0], serial=1000 + len(past), board=board)
    paper = chance.choice([f"form {board}", *forms_of(board, event)])
    counts = {1901: dict.fromkeys(Power, 3 if chance.random() < 0.7 else 4)}
    by_hand = write_position(structs.replace(game.position, phase=phase))
    ended = [at for at, said in enumerate(past, 1) if isinstance(said, events.GameEnded) and said.board == board]
    sits = next((who.number or 1 for who in event.players if who.name == game.seating.players[power]), 1)
    change = SeatChange(board=board, power=power, player=8, before=sits)
    replaced = events.PlayerReplaced(board=board, power=power, player=9, before=sits, phase=now, why="")
    typed = structs.replace(full(events.RowRuled), **turn, on=RulingBasis(typed=chance.choice((0, 1))))
    held = structs.replace(full(events.VoteHeld), board=board, phase=phase, carried=chance.random() < 0.5, vetoed=False)
    made: list[LedgerEvent] = [
        structs.replace(held, yes=chance.choice((4, 5)), no=chance.choice((1, 2))),
        held,
        events.GameEnded(board=board, phase=phase, how=chance.choice((Ending.TIME, Ending.VOTE, Ending.SOLO)), why=""),
        events.ResultEntered(board=board, form="", ended="abandoned", years=counts),
        events.ResultEntered(board=board, form=paper, ended="abandoned", years=counts),
        events.PhasePublished(board=board, phase=now, orders={}, results=(), rows={}, after={"phase": then}),
        events.PositionSet(board=board, position=by_hand),
        structs.replace(full(events.DrawEntered), board=board),
        structs.replace(full(events.ScoreRuled), board=board, power=power, score="7"),
        replaced,
        events.SeatsChanged(changes=(change,), why=""),
        typed,
        structs.replace(full(events.SheetRuled), **turn),
        structs.replace(full(events.LinesTyped), **turn),
        structs.replace(full(events.SpotChecked), **turn),
        structs.replace(drawn, sheets=(sheet,)),
        structs.replace(forms, forms=(form,)),
        events.FormAccepted(form=paper, why=""),
        events.FormSetAside(form=paper, why=""),
        *(events.FieldRuled(form=paper, field=name, value="1", why="") for name in ("yes", "no")),
    ]
    made += [said for said in made if isinstance(said, events.PhasePublished)] * 2
    if game.played:
        made += [structs.replace(chance.choice(game.played[-2:]).fact.said, why="misread")] * 2
    if sheets := [sheet for sheet in map(asked, printed_sheets(event).values()) if board_of(sheet) == board]:
        made.append(read_as(f"{len(past):064d}", str(chance.choice(sheets).id)))
    if ended:
        made.append(events.EndUndone(board=board, fact=ended[-1], why=""))
    if isinstance(past[-1], events.OnForm):  # what stands on a form is written down right behind it
        made.append(structs.replace(full(events.TeamEntered), form=chance.choice((past[-1].form, "another"))))
        made += made[-1:] * len(made)
    return chance.choice([said for said in made if plays or not isinstance(said, events.OnGame)])


def read_as(scan: str, sheet: str, forms: Mapping[str, PrintedForm] = MappingProxyType({})) -> events.PageRead:
    answers = forms[sheet].page.answers if sheet in forms else ()
    lines = tuple(inked(answer.number, "") for answer in answers)
    read = Transcription(sheet_id=sheet, scan_sha256=scan, page=1, reader="", lines=lines, residual_mm=0.0)
    page = events.PageRead(sha256=scan, page=1, tray=Tray.FILED, text="", transcription=read)
    return structs.replace(page, transcription=None, form=read) if sheet in forms else page


def asked(sheet: PrintedSheet) -> SheetRequest:
    return sheet.request


def board_of(sheet: SheetRequest) -> str:
    return board_name(sheet.round, sheet.board)


def forms_of(board: str, event: Event) -> list[str]:
    forms = {name: form.request for name, form in printed_forms(event).items()}
    return [name for name, form in forms.items() if form.board == board and form.serial >= 1000]


def on_page(chance: random.Random, board: str, event: Event) -> LedgerEvent:
    """Something about one of two pages of a board: read as a sheet, named as a sheet or a form, or put aside."""
    scan, forms = chance.choice("ab") + board.ljust(63, "0"), printed_forms(event)
    papers = [name for name, sheet in printed_sheets(event).items() if board_of(sheet.request) == board]
    papers += forms_of(board, event)
    paper = chance.choice(papers) if papers else ""
    last = list(event.facts.everything())[-1].said
    if isinstance(last, events.PageIdentified) and chance.random() < 0.6:  # its reading is written right behind it
        return read_as(chance.choice((last.sha256, scan)), last.sheet, forms)
    if not papers or chance.random() < 0.2:
        return events.PageSetAside(sha256=scan, page=1, why="")
    named = events.PageIdentified(sha256=scan, page=1, sheet=paper)
    return chance.choice((named, named, read_as(scan, paper, forms)))


def in_round(chance: random.Random, number: int) -> LedgerEvent:
    who = chance.choice((8, 9))
    noted = structs.replace(full(events.PlayerNoted), player=who, field=chance.choice(FIELDS))
    made: list[LedgerEvent] = [
        structs.replace(full(events.RollCalled), round=number, here=(1,), later=(2,), away=(3,)),
        events.SeatsTold(round=number),
        structs.replace(full(events.DiceCommitted), round=number, year=1901),
        structs.replace(full(events.DiceRolled), round=number, year=1902),
        events.StandingsOpened(open=chance.random() < 0.5),
        events.ResultsPublished(places=(), why=""),
        structs.replace(full(events.EventEndedEarly), after=number),
        chance.choice((full(events.ClockStarted), events.ClockStopped(elapsed=1.0))),
        structs.replace(noted, name=None),
        events.PlayerRenamed(player=who, name=f"N{who}", was=chance.choice((f"P{who - 8}", "X")), why=""),
    ]
    return chance.choice(made)


def begun(folder: Path) -> Iterator[Event]:
    """Two rounds with two boards each are seated, the second twice."""
    others = {power: f"P{n}" for n, power in enumerate(Power)}
    with open_event(seated(folder), clock) as event:
        for name in others.values():
            add_player(event, name, {}, by="Tess")
        for number, boards in ((1, {"1": NAMES, "2": others}), (2, {"1": others, "2": NAMES})):
            seat_round(event, number, boards, by="Tess")
        for kind in (FormKind.VOTE, FormKind.BOARD):
            print_wanted(event, Wanted(kind=kind, board="1.1"))
        yield event


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    yield from begun(tmp_path / "cup")


def happen(event: Event, chance: random.Random) -> None:
    """Much happens in the event; some is taken back, and the second round is drawn again and gets one more board."""
    drawn = [fact.said for fact in event.facts.select(events.Seated)][-1]
    more = (*drawn.boards, structs.replace(drawn.boards[0], board="3", by_hand=True))
    drawings = {40: drawn.boards[::-1], 80: drawn.boards, 110: more, 125: drawn.boards}
    first = event.facts.last_number()
    for step in range(140):
        said: LedgerEvent | None = None
        if step in drawings:
            notes = ("drawn again", *(["for those who came late"] if step == 110 else []))
            said = structs.replace(drawn, boards=drawings[step], notes=notes)
        if said is None and chance.random() < 0.1:
            undo_something(event, chance, first)
            continue
        if said is None and chance.random() < 0.3:
            said = (
                on_page(chance, chance.choice(BOARDS), event)
                if chance.random() < 0.5
                else in_round(chance, chance.choice((1, 2)))
            )
        said = said or on_board(chance, chance.choice(BOARDS), event, plays=step < 90)
        if step % 4 == 0 and not getattr(said, "form", "") and final_results(event) is None:
            write_and_undo(
                event, said
            )  # a form that is set aside says so; results are not final after an end is undone
        event.facts.write(said, "Tess")
    for game in [game for game in games(event).values() if len(game.played) > 1]:  # a vote's end that counts no more
        phase, voted = game.position.phase, structs.replace(full(events.VoteHeld), carried=True, vetoed=False)
        reopened = structs.replace(game.played[-2].fact.said, why="misread")
        over = events.GameEnded(board=game.name, phase=phase, how=Ending.VOTE, why="")
        for last in (structs.replace(voted, board=game.name, phase=phase), over, reopened):
            event.facts.write(last, "Tess")
    event.facts.write(structs.replace(full(events.EventEndedEarly), after=1), "Tess")
    for sheet in [*map(asked, printed_sheets(event).values())][-3:]:  # pages never read before they were named
        scan, named = f"{sheet.serial:064d}", str(sheet.id)
        ruled = structs.replace(full(events.SheetRuled), board=board_of(sheet), phase=sheet.phase, power=sheet.power)
        for last in (events.PageIdentified(sha256=scan, page=1, sheet=named), read_as(scan, named), ruled):
            event.facts.write(last, "Tess")


def told_of(event: Event) -> list[object]:
    """Whatever the desk works out from facts that can be taken back."""
    found: list[object] = []
    for told in TOLD:
        try:
            found.append(told(event))
        except Stopped as stopped:
            found.append(stopped.problems)
    return found


def write_and_undo(event: Event, said: LedgerEvent) -> None:
    """Something happens and is taken back at once: all is as it was. Nothing is kept of it."""
    before = told_of(event)
    with pytest.MonkeyPatch.context() as patch, suppress(Stopped), event.facts.trial():
        patch.setattr("pipeline.journal.acts.write_card_and_map", lambda *_: None)
        patch.setattr("pipeline.journal.acts.remove_stale", lambda *_: None)
        written = event.facts.write(said, "Tess").number
        undo_fact(event, written, by="Tess", why="misread")
        after = told_of(event)
        changed = [told for told, was, now in zip(TOLD, before, after, strict=True) if was != now]
        assert not changed, (said, changed)


def undo_something(event: Event, chance: random.Random, since: int) -> None:
    """A page that is not named any more is read again as what it was, if that was not its newest reading."""
    lines = [line for line in journal(event, since=since) if line.standing in (UndoState.OPEN, UndoState.ASKS)]
    of_pages = [line for line in lines if isinstance(line.fact.said, events.PageIdentified)]
    fact = chance.choice(of_pages or lines).fact if lines else None
    if fact is None:
        return
    again: list[tuple[Fact[events.PageRead], str]] = []
    with pytest.MonkeyPatch.context() as patch, suppress(Stopped):  # a desk would not have let it happen
        patch.setattr(ScanReader, "read_as", lambda _, *what: again.append(what))
        undo_fact(event, fact.number, by="Tess", why="misread")
    place = getattr(fact.said, "place", None)
    read = [each for each in event.facts.select(events.PageRead) if each.said.place == place]
    counting = [each for each in read if each.number not in Chronicle.of(event).undone]
    is_other = isinstance(fact.said, events.PageIdentified) and counting and counting[-1] != read[-1]
    assert [each.number for each, _ in again] == ([counting[-1].number] if is_other else [])


# ---- what rests on what, for each two facts -------------------------------------------------------------------------


def about(said: LedgerEvent) -> set[str]:
    """The boards that a fact speaks of."""
    if isinstance(said, events.SeatsChanged):
        return {change.board for change in said.changes}
    return {str(getattr(said, "board", ""))}


def printed_for(said: LedgerEvent) -> set[str]:
    match said:
        case events.SheetsPrinted(sheets=sheets):
            return {board_of(sheet) for sheet in sheets}
        case events.FormsPrinted(forms=forms):
            return {form.board for form in forms}
    return set()


def opened_by(said: LedgerEvent, phase: Phase) -> bool:
    """Whether a phase would not be there without a publication or a position."""
    match said:
        case events.PhasePublished(phase=first):
            return phase.sort_key > first.sort_key
        case events.PositionSet(position=position):
            return phase.sort_key >= Phase.read(position["phase"]).sort_key
    return False


SUBJECTS: Mapping[type[LedgerEvent], Callable[[Any], set[object]]] = {
    events.StandingsOpened: lambda said: {"standings"},
    events.ResultsPublished: lambda said: {"results"},
    events.ClockStarted: lambda said: {"clock"},
    events.ClockStopped: lambda said: {"clock"},
    events.Seated: lambda said: {("round", said.round)},
    events.VoteHeld: lambda said: {("vote", said.board)},
    events.PlayerReplaced: lambda said: {*said.seats},
    events.SeatsChanged: lambda said: {*said.seats},
    events.PlayerRenamed: lambda said: {("name", said.player)},
    events.PlayerNoted: lambda said: {(said.field, said.player)},
    events.PageIdentified: lambda said: {said.place},
    events.PageSetAside: lambda said: {said.place},
}


def is_of_the_same(first: LedgerEvent, then: LedgerEvent) -> bool:
    """Whether two facts say something of one round's seats, vote, seat, page or form, so that the later one counts."""
    if isinstance(first, events.FieldRuled) and isinstance(then, events.FieldRuled):
        return (first.form, first.field) == (then.form, then.field)
    if isinstance(first, events.OnForm) and isinstance(then, events.OnForm):
        return first.form == then.form
    both = [SUBJECTS[type(said)](said) for said in (first, then) if type(said) in SUBJECTS]
    return len(both) == 2 and bool(both[0] & both[1])


def rests_on(first: LedgerEvent, then: LedgerEvent) -> Iterator[tuple[Dependency, object]]:
    """How a later fact rests on an earlier one, and in what group only the newest is told (None: each)."""
    same = bool((about(first) & about(then)) - {""})
    if is_of_the_same(first, then):
        yield Dependency.LATER, "newest"
    match first, then:
        case events.RollCalled(round=number), events.Seated(round=other) if number == other:
            yield Dependency.USED, "draw"
        case events.ResultEntered(), events.DrawEntered() if same:
            yield Dependency.USED, None
        case events.Decision(), events.PhasePublished() if same and first.phase == then.phase:
            yield Dependency.ADJUDICATED, None
        case events.SeatsChanged(), events.PhasePublished() if same:
            yield Dependency.USED, then.board
        case events.PhasePublished() | events.PositionSet(), _:
            yield from rests_on_phase(first, then, same=same)
        case events.PageIdentified(), events.OnForm() if first.sheet == then.form:
            yield Dependency.LATER, "on the form"


def rests_on_phase(
    first: events.PhasePublished | events.PositionSet, then: LedgerEvent, *, same: bool
) -> Iterator[tuple[Dependency, object]]:
    """What rests on a publication or a position, by which later phases are open."""
    match then:
        case events.OnGame() if same:
            yield Dependency.LATER_ON_BOARD, "later"
        case events.VoteHeld() if same:
            yield Dependency.USED, "vote"
        case events.Decision() if same and opened_by(first, then.phase):
            yield Dependency.DECIDED, (then.phase, then.power)
        case events.DiceCommitted() | events.DiceRolled() if isinstance(first, events.PhasePublished):
            if first.board.startswith(f"{then.round}.") and first.phase.year == then.year:
                yield Dependency.USED, None
        case _:
            yield from paper_for_phase(first, then)


def paper_for_phase(
    first: events.PhasePublished | events.PositionSet, then: LedgerEvent
) -> Iterator[tuple[Dependency, object]]:
    """The paper of a phase that would not be there."""
    match then:
        case events.SheetsPrinted(sheets=sheets):
            if any(board_of(s) == first.board and not s.is_pad and opened_by(first, s.phase) for s in sheets):
                yield Dependency.SHEETS_PRINTED, None
        case events.FormsPrinted(forms=forms):
            if any(form.board == first.board and form.kind is FormKind.VOTE for form in forms):
                yield Dependency.USED, None


def told_to_rest(number: int, facts: Mapping[int, LedgerEvent], event: Event) -> set[tuple[str, int]]:
    """The dependencies on a fact: of each group the newest; what is later on its board hides the rest of a game."""
    first, found = facts[number], dict[tuple[Dependency, object], int]()
    solo = solo_called_by(number, facts)
    for at, said in sorted(facts.items()):
        for code, group in rests_on(first, said) if at > number and at != solo else ():
            found[code, at if group is None else group] = at
    if isinstance(first, events.PhasePublished | events.PositionSet):
        in_later = (
            each
            for turn, sheets in sheets_in(event).items()
            for each in sheets
            if turn.board == first.board and opened_by(first, turn.phase) and max(each.since) > number
        )
        found |= {(Dependency.SHEET_IN, each.serial): 0 for each in in_later}
    if any(code is Dependency.LATER_ON_BOARD for code, _ in found):
        found = {
            (code, group): at
            for (code, group), at in found.items()
            if code is Dependency.LATER_ON_BOARD or isinstance(facts.get(at), events.DiceCommitted | events.DiceRolled)
        }
    more = set(told_to_rest_besides(number, facts, event))
    return {(str(code), at) for (code, _), at in found.items()} | {(str(code), at) for code, at in more}


def solo_called_by(number: int, facts: Mapping[int, LedgerEvent]) -> int:
    """The solo that was written down with a publication, as the next fact of its board; 0 if there is none."""
    on_game = (
        at
        for at, s in facts.items()
        if at > number and isinstance(s, events.OnGame) and about(s) == about(facts[number])
    )
    match facts[number], facts.get(at := next(on_game, 0)):
        case events.PhasePublished(), events.GameEnded(how=Ending.SOLO):
            return at
    return 0


def told_to_rest_besides(
    number: int, facts: Mapping[int, LedgerEvent], event: Event
) -> Iterator[tuple[Dependency, int]]:
    """What is not told of each two facts: who could see it, what is in the file, what a page counts for."""
    match facts[number]:
        case events.StandingsOpened(open=True) | events.ResultsPublished():
            yield Dependency.SEEN, 0
        case events.PhasePublished(board=board):
            yield Dependency.SEEN, 0
            if solo := solo_called_by(number, facts):
                yield from used_since(games(event)[board], facts, event, solo)
        case events.EventEndedEarly():
            yield from over_since(facts, event, number)
        case events.DrawEntered(board=board):
            yield from used_since(games(event)[board], facts, event, number)
        case events.PlayerRenamed(player=player, was=was) if was != f"P{player - 8}":
            yield Dependency.IN_FILE, 0
        case events.FormAccepted(form=form) | events.FormSetAside(form=form):
            beside = facts.get(number + 1)
            beside = facts.get(beside.fact) if isinstance(beside, events.ActTakenBack) else beside
            if isinstance(beside, events.TeamEntered | events.ResultEntered) and beside.form == form:
                yield Dependency.TOGETHER, number + 1
        case events.PageIdentified() as said:
            yield from told_to_rest_on_name(number, said, facts, event)


def told_to_rest_on_name(
    number: int, said: events.PageIdentified, facts: Mapping[int, LedgerEvent], event: Event
) -> Iterator[tuple[Dependency, int]]:
    """What a named page counts for: what was decided on paper and published of its turns; the vote that is on it."""
    beside = facts.get(number + 1)
    mine = {number, number + 1 if isinstance(beside, events.PageRead) and beside.place == said.place else number}
    turns = {turn for turn, sheets in sheets_in(event).items() if any(mine & {*each.since} for each in sheets)}
    newest: dict[Turn, int] = {}
    slip = printed_forms(event).get(said.sheet)
    for at, then in ((at, then) for at, then in facts.items() if at > number):
        match then:
            case events.LinesTyped() | events.RowRuled(on=RulingBasis(typed=1)):
                pass
            case events.Decision() if Turn.of(then) in turns:
                newest[Turn.of(then)] = at
            case events.PhasePublished(board=board, phase=phase) if (board, phase) in {
                (t.board, t.phase) for t in turns
            }:
                yield Dependency.ADJUDICATED, at
            case events.VoteHeld(board=board) if slip and (slip.request.kind, board) == (
                FormKind.VOTE,
                slip.request.board,
            ):
                yield Dependency.USED, at
    yield from ((Dependency.DECIDED, at) for at in newest.values())


def told_to_rest_on_draw(number: int, facts: Mapping[int, LedgerEvent], event: Event) -> set[tuple[str, int]]:
    """The dependencies on a draw: those on each of its boards that were not there, at that place, before it."""
    draws = {at: said for at, said in facts.items() if isinstance(said, events.Seated)}
    drawn = draws[number]
    of_round = [at for at, said in draws.items() if said.round == drawn.round]
    before = list(enumerate(draws[max(at for at in of_round if at < number)].boards)) if number > of_round[0] else []
    later = {at: said for at, said in facts.items() if at > number}
    told = [said for said in later.values() if isinstance(said, events.SeatsTold) and said.round == drawn.round]
    found = {("LATER", at) for at in of_round[-1:] if at > number} | {("SEEN", 0) for _ in told}
    for place in enumerate(drawn.boards):
        board = board_name(drawn.round, place[1].board)
        if place in before:
            continue
        found |= {("SEATS_PRINTED", at) for at in [at for at, said in later.items() if board in printed_for(said)][:1]}
        for kind in (events.OnGame, events.VoteHeld, events.NoteEntered, events.OnTurn):
            here = [at for at, said in later.items() if isinstance(said, kind) and board in about(said)]
            found |= {("DECIDED" if kind is events.OnTurn else "USED", at) for at in here[-1:]}
    return found | {(str(code), at) for code, at in over_since(facts, event, number)}


def used_since(
    game: Game, facts: Mapping[int, LedgerEvent], event: Event, since: int = 0
) -> Iterator[tuple[Dependency, int]]:
    """What used the standings since a game ended, or since a fact; of each round only the newest draw."""
    since = since or (game.end.fact.number if game.end else 0)
    rounds = {each.round: at for at, each in facts.items() if isinstance(each, events.Seated) and at > since}
    yield from ((Dependency.STANDINGS_USED, at) for drawn, at in rounds.items() if drawn > game.seating.round)
    yield from over_since(facts, event, since)


def over_since(facts: Mapping[int, LedgerEvent], event: Event, since: int) -> Iterator[tuple[Dependency, int]]:
    """An early end of the event, and the results that are final, since a fact; none are once the event went on."""
    early = [at for at, said in facts.items() if isinstance(said, events.EventEndedEarly)]
    yield from ((Dependency.ENDED_EARLY, at) for at in early if at > since)
    final, ends = 0, set[object]()
    for fact in event.facts.everything():
        match fact.said:
            case events.ResultsPublished() if fact.number in facts:
                final = fact.number
            case events.GameEnded():
                final = 0
                ends.add(fact.number)
            case events.EventEndedEarly():
                ends.add(fact.number)
            case events.ResultEntered(form=form):
                ends |= {fact.number, form or fact.number}
            case events.EndUndone():
                final = 0
            case events.ActTakenBack(fact=back) if back in ends:
                final = 0
            case events.FormSetAside(form=form) if form in ends:
                final = 0
    if final > since:
        yield Dependency.RESULTS_FINAL, final


class History(Struct, frozen=True):
    event: Event
    lines: Mapping[int, JournalLine]
    facts: Mapping[int, LedgerEvent]  # that nobody took back
    games: Mapping[str, Game]


def told_to_rest_on_end(number: int, said: events.LedgerEvent, game: Game, history: History) -> set[tuple[str, int]]:
    """The draws from standings that rest on the end of a game, or that it is no end any more."""
    end = game.end if game.ending else None
    if isinstance(said, events.VoteHeld):
        is_by_this = said.carried and end is not None and end.how is Ending.VOTE and end.fact.number > number
    else:
        is_by_this = end is not None and end.fact.number == number
    if is_by_this:
        return {(str(code), at) for code, at in used_since(game, history.facts, history.event)}
    return set() if isinstance(said, events.VoteHeld) else {("COUNTS_NO_MORE", 0)}


def numbers(messages: tuple[Message, ...]) -> list[tuple[str, int]]:
    """The codes of messages with the facts that they name."""
    return [(str(each.code), int(str(dict(each.data).get("fact", 0)))) for each in messages]


@pytest.fixture(scope="module", params=range(6))
def history(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    for event in begun(tmp_path_factory.mktemp("history") / "cup"):
        happen(event, random.Random(request.param))
        lines = {line.fact.number: line for line in journal(event)}
        facts = {number: line.fact.said for number, line in lines.items() if not line.back}
        yield History(event, lines, facts, games(event))


def test_what_rests_on_what_is_the_same_worked_out_for_each_two_facts(history: History) -> None:
    facts = history.facts
    for number, line in history.lines.items():
        if isinstance(line.fact.said, events.PlayerAdded) or line.standing in (UndoState.STAYS, UndoState.TAKEN_BACK):
            continue
        expected = told_to_rest(number, facts, history.event)
        match line.fact.said:
            case events.Seated():
                expected = told_to_rest_on_draw(number, facts, history.event)
            case events.SeatsTold(round=drawn):
                there = [game for game in history.games.values() if game.seating.round == drawn]
                has_begun = any(game.played or game.entered or game.ending for game in there)
                expected = {("ROUND_BEGUN", 0) if has_begun else ("SEEN", 0)}
            case events.GameEnded(board=board) | events.ResultEntered(board=board) | events.VoteHeld(board=board):
                of_end = told_to_rest_on_end(number, line.fact.said, history.games[board], history)
                expected = of_end if ("COUNTS_NO_MORE", 0) in of_end else expected | of_end
        assert {*numbers(line.rests)} == expected, line
        is_held = any(code not in OVERRULABLE for code, _ in expected)
        assert line.standing == ("held" if is_held else "asks" if expected else "open")


def test_a_refusal_tells_what_holds_a_fact_and_asks_for_a_reason_only_where_nothing_does(history: History) -> None:
    for standing in (UndoState.HELD, UndoState.ASKS):
        for line in [line for line in history.lines.values() if line.standing is standing][:8]:
            with pytest.raises(Stopped) as stopped:
                undo_fact(history.event, line.fact.number, by="Tess", why=" ")
            holding = [each for each in line.rests if each.code not in OVERRULABLE] or line.rests
            told = [problem.text for problem in stopped.value.problems]
            assert [text.removesuffix(f"; {WHY_FIRST}") for text in told] == [*map(sentence, holding)]
            assert [text.endswith(WHY_FIRST) for text in told] == [standing is UndoState.ASKS] * len(holding)


def told_to_follow(number: int, facts: Mapping[int, LedgerEvent], event: Event) -> list[tuple[str, int]]:
    """What came of a fact, by code and fact."""
    first = facts[number]
    later = [(at, said) for at, said in facts.items() if at > number]
    here = [(at, said) for at, said in later if about(said) == about(first)]
    ends = [("ENDED", at) for at, said in here if isinstance(said, events.GameEnded)]
    played = [(at, said.phase) for at, said in here if isinstance(said, events.PhasePublished)]
    drawn = [(at, said.round) for at, said in later if isinstance(said, events.Seated)]
    match first:
        case events.Decision(phase=phase):
            return [("ADJUDICATED", at) for at, other in played if other == phase][:1]
        case events.PhasePublished(phase=phase):
            games_now = [at for at, said in here if isinstance(said, events.OnGame)]
            return [end for end in ends if end[1] in games_now[:1]] + [("AGAIN", at) for at, o in played if o == phase]
        case events.VoteHeld(carried=True):
            return ends[:1]
        case events.GameEnded(board=board) | events.ResultEntered(board=board):
            return [("DRAWN", at) for at, other in drawn if other > int(board[0])]
        case events.RollCalled(round=called):
            return [("DRAWN", at) for at, other in drawn if other == called][:1]
        case events.Seated():
            return told_to_follow_draw(number, first, facts)
        case events.SheetsPrinted():
            mine = [sheet for sheet in printed_sheets(event).values() if sheet.fact == number]
            return [("VOID", 0)] if any(map(OldSeats.of(event).is_of_old, mine)) else []
    return []


def told_to_follow_draw(number: int, said: events.Seated, facts: Mapping[int, LedgerEvent]) -> list[tuple[str, int]]:
    """The paper and the telling of a round until it is drawn anew, which is no draw that only adds boards."""
    draws = {
        at: each.boards for at, each in facts.items() if isinstance(each, events.Seated) and each.round == said.round
    }
    anew = [
        at for was, (at, boards) in zip(draws.values(), [*draws.items()][1:], strict=False) if boards[: len(was)] != was
    ]
    newer = [at for at in draws if number < at <= max(anew, default=0)][:1]
    until = newer[0] if newer else len(facts) * 10
    later = [(at, each) for at, each in facts.items() if number < at < until]
    paper = [
        (at, {each[0] for each in printed_for(then)}) for at, then in later if isinstance(then, events.SheetsPrinted)
    ]
    told = [at for at, then in later if isinstance(then, events.SeatsTold) and then.round == said.round]
    printed = [("PRINTED", at) for at, rounds in paper if str(said.round) in rounds]
    return printed + [("TOLD", at) for at in told] + [("DRAWN_AGAIN", at) for at in newer]


def told_to_follow_undoing(number: int, history: History) -> tuple[str, int]:
    """What would follow if a fact were taken back."""
    first, earlier = history.facts[number], {at: said for at, said in history.facts.items() if at < number}
    match first:
        case events.Seated(round=drawn):
            before = [at for at, said in earlier.items() if isinstance(said, events.Seated) and said.round == drawn]
            return ("EARLIER_SEATS", before[-1]) if before else ("NOT_SEATED", 0)
        case events.PhasePublished(board=board, phase=phase):
            same = [
                at
                for at, said in earlier.items()
                if isinstance(said, events.PhasePublished) and (said.board, said.phase) == (board, phase)
            ]
            open_again = "OPEN_AGAIN_NO_SOLO" if solo_called_by(number, history.facts) else "OPEN_AGAIN"
            return ("EARLIER_RESULT", same[-1]) if same else (open_again, 0)
        case events.GameEnded(board=board) if history.games[board].ending:
            return "GOES_ON", 0
        case events.VoteHeld(board=board, carried=True) if history.games[board].ending == Ending.VOTE:
            return "GOES_ON", 0
        case events.ResultEntered(form=form) if form:
            return "FORM_ASIDE", 0
        case events.OnTurn():
            return "READ_AGAIN", 0
        case events.PageIdentified() | events.PageSetAside():
            if not any(is_of_the_same(said, first) for said in earlier.values()):
                return "PAGE_WAITS", 0
    return "COUNTS_NO_MORE", 0


def test_what_followed_and_would_follow_is_the_same_worked_out_from_the_facts(history: History) -> None:
    for number, line in history.lines.items():
        if line.back:
            assert not (line.followed or line.rests or line.would or line.why_not), line
            continue
        assert numbers(line.followed) == told_to_follow(number, history.facts, history.event), line
        assert bool(line.would) == (line.standing is not UndoState.STAYS)
        if line.would:
            assert numbers((line.would,)) == [told_to_follow_undoing(number, history)], line


def boards_of(line: JournalLine, history: History) -> set[str]:
    """The boards that a line is about, by what its fact speaks of or was printed for."""
    said = line.fact.said
    if isinstance(said, events.TakesBack):
        return boards_of(history.lines[said.fact], history)
    if isinstance(said, events.Seated):
        return {board_name(said.round, board.board) for board in said.boards}
    named = said.form if isinstance(said, events.OnForm) else getattr(said, "sheet", "")
    paper = str(getattr(named, "sheet_id", named))
    sheets, forms = printed_sheets(history.event), printed_forms(history.event)
    on_paper = (
        board_of(sheets[paper].request) if paper in sheets else forms[paper].request.board if paper in forms else ""
    )
    return (about(said) | printed_for(said) | {on_paper}) - {""}


def test_a_line_is_about_the_boards_that_its_fact_is_about_and_scripts_are_told_the_same(history: History) -> None:
    for number, line in history.lines.items():
        assert {*line.boards} == boards_of(line, history), line
        why, told = getattr(line.fact.said, "why", None) or "", line.as_json()
        assert (told["number"], told["kind"], told["boards"]) == (number, line.fact.said.KIND, [*line.boards])
        assert (told["what"], told["why"], told["code"]) == (sentence(line.what), why, line.what.code)
        assert (told["standing"], told["back"]) == (line.standing, line.back)
        assert told["would"] == (sentence(line.would) if line.would else "")
        if isinstance(line.fact.said, events.PageRead) and (
            read := line.fact.said.transcription or line.fact.said.form
        ):
            assert read.sheet_id in told["what"]
        for name, messages in (("followed", line.followed), ("rests", line.rests)):
            words = [(each["code"], each["number"], each["words"]) for each in told[name]]
            assert words == [(code, at, sentence(m)) for (code, at), m in zip(numbers(messages), messages, strict=True)]


def test_a_line_about_a_phase_that_is_published_leads_to_its_correction(history: History) -> None:
    found = set()
    for line in history.lines.values():
        said, expected = line.fact.said, None
        if isinstance(said, events.OnTurn | events.PhasePublished) and said.board in history.games:
            phases = [played.phase for played in history.games[said.board].played_since_set]
            expected = (said.board, said.phase, getattr(said, "power", None)) if said.phase in phases else None
        assert phase_to_correct(history.games, line) == expected
        assert phase_to_correct({}, line) is None
        found.add(type(expected))
    assert len(found) == 2


def test_a_reading_that_comes_behind_a_page_put_aside_is_not_taken_back_with_it(cup: Event) -> None:
    scan = "a" * 64
    aside = cup.facts.write(events.PageSetAside(sha256=scan, page=1, why=""), "Tess")
    cup.facts.write(read_as(scan, "TEST-0001"), "test")
    undo_fact(cup, aside.number, by="Tess", why="misread")
    assert [fact.said.fact for fact in cup.facts.select(events.ActTakenBack)] == [aside.number]


def test_a_draw_is_told_as_one_or_as_the_boards_that_were_added_to_it_by_hand_with_their_reason(
    history: History,
) -> None:
    counting: dict[int, events.Seated] = {}
    told = [(line, line.fact.said) for line in history.lines.values() if isinstance(line.fact.said, events.Seated)]
    for line, said in told:
        before = counting.get(said.round)
        noted = said.notes[len(before.notes) :] if before and said.notes[: len(before.notes)] == before.notes else ()
        stood = [board.board for board in before.boards] if before else []
        added = [board.board for board in said.boards if board.by_hand and board.board not in stood]
        is_added = bool(added and (noted if before else said.notes))
        assert line.what.code is (Happened.BOARD_ADDED if is_added else Happened.SEATED)
        boards = [board_name(said.round, name) for name in (added if is_added else [b.board for b in said.boards])]
        assert dict(line.what.data)["boards"] == ", ".join(boards)
        if not line.back:
            counting[said.round] = said


@pytest.mark.parametrize(
    ("setting", "was", "now", "code"),
    [
        ("event.name", None, "Owl", SettingNow.ADDED),
        ("event.name", "Cup", "Owl", SettingNow.CHANGED),
        ("event.name", "Cup", None, SettingNow.GONE),
        ("rules/own.toml", None, "x", SettingNow.FILE_ADDED),
        ("rules/own.toml", "y", "x", SettingNow.FILE_EDITED),
        ("rules/own.toml", "y", None, SettingNow.FILE_GONE),
    ],
)
def test_a_setting_is_added_changed_or_gone(setting: str, was: str | None, now: str | None, code: SettingNow) -> None:
    told = setting_now(SettingChange(setting=setting, was=was, now=now))
    assert told.code is code
    words = SETTINGS_IN_WORDS.get(setting.removeprefix("event."), setting)
    assert all(value in (words, was, now) for _, value in told.data)


def named_in(told: Message, lines: Mapping[int, JournalLine]) -> Iterator[tuple[int, JournalLine]]:
    for name, value in told.data:
        if name == "fact" and isinstance(value, int):
            yield value, lines[value]


def words_of(line: JournalLine) -> set[str]:
    """Whatever a sentence about a line may say of it: its boards, its phases, its round, its turn, what it says."""
    said = line.fact.said
    sheets = said.sheets if isinstance(said, events.SheetsPrinted) else ()
    phases = {phase.in_words for each in (said, *sheets) if isinstance(phase := getattr(each, "phase", None), Phase)}
    counts = {str(sum(sheet.round == number for sheet in sheets)) for number in (1, 2)} if sheets else set()
    turn = {str(Turn.of(said))} if isinstance(said, events.OnTurn) else set()
    plain = {str(getattr(said, name, "")) for name in ("round", "how")}
    return plain | phases | counts | turn | {*line.boards, str(line.fact.number), str(line.what)}


def test_lines_name_later_facts_that_count_and_say_what_these_say(history: History) -> None:
    for number, line in history.lines.items():
        for told in (*line.rests, *line.followed):
            for named, later in named_in(told, history.lines):
                assert named > number and not later.back, (line, told)
                assert {str(value) for _, value in told.data} <= words_of(later) | {*line.boards}, told
        for told in (line.would,) if line.would else ():
            earlier = [each for _, each in named_in(told, history.lines)]
            assert all(each.fact.number < number and not each.back for each in earlier)
            place = history.games[line.boards[0]].position.phase.in_words if told.code is UndoEffect.GOES_ON else ""
            of_paper = {
                *getattr(line.fact.said, "place", ()),
                page_in_words(1),
                "",
                getattr(line.fact.said, "form", ""),
            }
            known = set.union(words_of(line), of_paper, {place}, *map(words_of, earlier))
            assert {str(value) for _, value in told.data} <= set(map(str, known)), told
        for message in (line.what, *line.rests, *line.followed, *([line.would] if line.would else [])):
            assert sentence(message)


@pytest.mark.parametrize("board", BOARDS)
def test_what_a_board_says_does_not_change_with_what_happens_on_others(cup: Event, tmp_path: Path, board: str) -> None:
    """The same history without the other boards, and with something that concerns nobody in their place."""
    happen(cup, random.Random(int(board[0]) * 10 + int(board[2])))
    first, lines = 0, {line.fact.number: line for line in journal(cup)}
    for other in begun(tmp_path / "other"):
        first = other.facts.last_number()
        for fact in list(cup.facts.everything())[first:]:
            boards, back = lines[fact.number].boards, getattr(fact.said, "fact", fact.number)
            is_elsewhere = boards and board not in boards and not isinstance(lines[back].fact.said, events.Seated)
            other.facts.write(events.ScanRead(sha256="0" * 64, pages=1) if is_elsewhere else fact.said, "Tess")
        alone = shown(other, first, board)
    assert shown(cup, first, board) == alone


def shown(event: Event, since: int, board: str) -> object:
    """What is told of a board's facts, but of a draw and of final results, which are of another board too."""
    return [
        (
            line.fact.number,
            line.what,
            line.followed,
            rests,
            line.would,
            line.back,
            line.standing in (UndoState.ASKS, UndoState.OPEN),
        )
        for line in journal(event, since=since, board=board)
        if not isinstance(line.fact.said, events.Seated)
        for rests in [[each for each in line.rests if each.code != Dependency.RESULTS_FINAL]]
    ]


# ---- what a fact says -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    yield from begun(tmp_path_factory.mktemp("still") / "cup")


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.__name__)
def test_a_line_says_what_its_fact_says(still: Event, kind: type[LedgerEvent]) -> None:
    """Everything that the comment of its code names is there, and is that field's value where a field has that name."""
    whole = full(kind)
    words = {
        field.name: f"word {n}"
        for n, field in enumerate(structs.fields(kind))  # type: ignore[arg-type]
        if getattr(whole, field.name) == "a word"
    }
    said = structs.replace(whole, **words)
    if isinstance(said, events.PositionSet):
        said = events.PositionSet(
            board="1.1", position=write_position(next(iter(Chronicle.of(still).games.values())).position)
        )
    told = describe_fact(Fact(999, "2026-01-02T09:00:00+00:00", "Tess", said), Chronicle.of(still))
    assert told.code is Happened.TAKEN_BACK or str(getattr(said, "board", "")) in sentence(told)
    for name, value in told.data:
        there = local_time(said.at) if name == "at" else getattr(said, name, value)
        if isinstance(there, str | int) and not isinstance(there, Phase):
            assert str(there) in str(value), name


def test_a_player_who_was_added_and_stands_in_the_file_too_cannot_be_removed(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        added = [add_player(event, name, {}, by="Tess", why="") for name in ("Mo Liu", "Bo Liu")]
    number = added[0].said.player.number
    with (folder / "event.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[[players]]\nname = "Mo Liu"\nnumber = {number}\n')
    with open_event(folder, clock) as event:
        rests = {line.fact.number: [each.code for each in line.rests] for line in journal(event)}
    assert [rests[fact.number] for fact in added] == [[Dependency.IN_FILE], []]


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (events.TeamEntered, "members"),
        (events.LotSealed, "among"),
        (events.LotDrawn, "among"),
        (events.LotsDrawn, "players"),
        (events.PlayerRenamed, "player"),
        (events.HandBrought, "player"),
        (events.AwardGiven, "player"),
        (events.PlayerReplaced, "before"),
    ],
)
def test_who_is_named_by_a_later_fact_cannot_be_removed(cup: Event, kind: type[LedgerEvent], field: str) -> None:
    added = list(cup.facts.select(events.PlayerAdded))[-2:]
    who = added[1].said.player.number
    named = cup.facts.write(
        structs.replace(full(kind), **{field: who if field in ("player", "before") else (who,)}), "T"
    )
    first, second = (next(line for line in journal(cup) if line.fact.number == each.number).rests for each in added)
    assert [(each.code, each["fact"]) for each in second] == [(Dependency.USED, named.number)]
    assert named.number not in [each["fact"] for each in first]
