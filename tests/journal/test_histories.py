"""What the journal says of random histories of two rounds with two boards each, worked out a second way."""

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from desk.cup import NAMES, clock, seated
from ledger.test_events import full
from msgspec import structs

from pipeline.board import Phase, Power, Season
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import games
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.players import add_player
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.ink import Transcription
from pipeline.journal.acts import undo_fact
from pipeline.journal.happened import Chronicle, Dependency, SettingNow, UndoState, describe_fact, setting_now
from pipeline.journal.lines import JournalLine, journal
from pipeline.ledger import events
from pipeline.ledger.events import KINDS, LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import RulingBasis, SeatChange, SettingChange, board_name
from pipeline.orders import write_position
from pipeline.paper.form import FormKind
from pipeline.paper.sheet import SheetRequest
from pipeline.problems import Stopped
from pipeline.reading.recogniser import Tray
from pipeline.rules.table import data_folder
from pipeline.scoring.results import Ending
from pipeline.words.speech import Message, sentence

BOARDS = ("1.1", "1.2", "2.1", "2.2")
TEMPLATE = (data_folder("templates/sheets") / "a4.toml").read_text("utf-8")
PHASES = tuple(map(Phase.read, ("S1901M", "F1901M", "S1902M", "F1902M", "S1903M")))
POWERS = (Power.ITALY, Power.TURKEY)


# ---- histories ------------------------------------------------------------------------------------------------------


def on_board(chance: random.Random, board: str, event: Event, *, plays: bool) -> LedgerEvent:
    """Something that happens on a board, whether or not a desk would let it."""
    past = [fact.said for fact in event.facts.everything()]
    game = games(event)[board]
    number, name = board.split(".")
    now = game.position.phase
    phase, power = chance.choice((now, chance.choice(PHASES))), chance.choice(POWERS)
    then = f"F{now.year}M" if now.season is Season.SPRING else f"S{now.year + 1}M"
    turn = {"board": board, "phase": phase, "power": power}
    drawn = structs.replace(full(events.SheetsPrinted), template=TEMPLATE, pads=0, token="")
    blank = structs.replace(drawn.sheets[0], serial=1000 + len(past), units=(), targets=(), is_pad=False)
    sheet = structs.replace(blank, round=int(number), board=name, power=power, phase=phase)
    forms = chance.choice([said for said in past if isinstance(said, events.FormsPrinted)])
    form = structs.replace(forms.forms[0], serial=1000 + len(past), board=board)
    ended = [at for at, said in enumerate(past, 1) if isinstance(said, events.GameEnded) and said.board == board]
    change = SeatChange(board=board, power=power, player=8, before=1)
    typed = structs.replace(full(events.RowRuled), **turn, on=RulingBasis(typed=chance.choice((0, 1))))
    held = structs.replace(full(events.VoteHeld), board=board, phase=phase, carried=chance.random() < 0.5, vetoed=False)
    made: list[LedgerEvent] = [
        structs.replace(held, yes=chance.choice((4, 5)), no=chance.choice((1, 2))),
        held,
        events.GameEnded(board=board, phase=phase, how=chance.choice((Ending.TIME, Ending.VOTE)), why=""),
        events.ResultEntered(board=board, form="", ended="abandoned", years={1901: dict.fromkeys(Power, 3)}),
        events.PhasePublished(board=board, phase=now, orders={}, results=(), rows={}, after={"phase": then}),
        structs.replace(full(events.DrawEntered), board=board),
        structs.replace(full(events.ScoreRuled), board=board, power=power),
        structs.replace(full(events.PlayerReplaced), board=board, power=power, player=9),
        events.SeatsChanged(changes=(change,), why=""),
        typed,
        structs.replace(full(events.SheetRuled), **turn),
        structs.replace(full(events.LinesTyped), **turn),
        structs.replace(full(events.SpotChecked), **turn),
        structs.replace(drawn, sheets=(sheet,)),
        structs.replace(forms, forms=(form,)),
        events.FormAccepted(form=f"form {board}", why=""),
        events.FormSetAside(form=f"form {board}", why=""),
        *(events.FieldRuled(form=f"form {board}", field=name, value="1", why="") for name in ("yes", "no")),
    ]
    made += made[4:5] * 2  # publications
    if game.played:
        again = game.played[-1].fact.said
        made.append(structs.replace(again, why="misread"))
    if sheets := [sheet for sheet in map(asked, printed_sheets(event).values()) if board_of(sheet) == board]:
        page = chance.choice(sheets)
        read = Transcription(sheet_id=str(page.id), scan_sha256="", page=1, reader="", lines=(), residual_mm=0.0)
        text = f"{board} {page.phase}"  # by which the page is known below
        scan = f"{len(past):064d}"
        made.append(events.PageRead(sha256=scan, page=1, tray=Tray.FILED, text=text, transcription=read))
    if ended:
        made.append(events.EndUndone(board=board, fact=ended[-1], why=""))
    return chance.choice([said for said in made if plays or not isinstance(said, events.OnGame)])


def asked(sheet: PrintedSheet) -> SheetRequest:
    return sheet.request


def board_of(sheet: SheetRequest) -> str:
    return board_name(sheet.round, sheet.board)


def in_round(chance: random.Random, number: int) -> LedgerEvent:
    made: list[LedgerEvent] = [
        structs.replace(full(events.RollCalled), round=number, here=(1,), later=(2,), away=(3,)),
        events.SeatsTold(round=number),
        structs.replace(full(events.DiceCommitted), round=number, year=1901),
        structs.replace(full(events.DiceRolled), round=number, year=1902),
        events.StandingsOpened(open=chance.random() < 0.5),
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
    """Much happens in the event; some is taken back, and the second round is drawn again twice."""
    drawn = [fact.said for fact in event.facts.select(events.Seated)][-1]
    first = event.facts.last_number()
    for step in range(90):
        if chance.random() < 0.1:
            undo_something(event, chance, first)
            continue
        said = in_round(chance, chance.choice((1, 2))) if chance.random() < 0.15 else None
        if step in (30, 60):
            said = structs.replace(drawn, boards=drawn.boards[:: -1 if step == 30 else 1])
        event.facts.write(said or on_board(chance, chance.choice(BOARDS), event, plays=step < 60), "Tess")


def undo_something(event: Event, chance: random.Random, since: int) -> None:
    lines = [line for line in journal(event, since=since) if line.standing in (UndoState.OPEN, UndoState.ASKS)]
    if lines:
        with suppress(Stopped):  # a desk would not have let it happen
            undo_fact(event, chance.choice(lines).fact.number, by="Tess", why="misread")


# ---- what rests on what, for each two facts -------------------------------------------------------------------------


def about(said: LedgerEvent) -> set[str]:
    """The boards that a fact speaks of."""
    if isinstance(said, events.SeatsChanged):
        return {change.board for change in said.changes}
    return {said.text.split()[0]} if isinstance(said, events.PageRead) else {str(getattr(said, "board", ""))}


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


def is_of_the_same(first: LedgerEvent, then: LedgerEvent) -> bool:
    """Whether two facts say something of one round's seats, vote, seat or form, so that the later one counts."""
    match first, then:
        case events.StandingsOpened(), events.StandingsOpened():
            return True
        case events.Seated(round=number), events.Seated(round=other):
            return number == other
        case events.VoteHeld(board=board), events.VoteHeld(board=other):
            return board == other
        case events.PlayerReplaced() | events.SeatsChanged(), events.PlayerReplaced() | events.SeatsChanged():
            return bool({*first.seats} & {*then.seats})
        case events.FieldRuled(form=form, field=field), events.FieldRuled():
            return (form, field) == (then.form, then.field)
        case events.OnForm(form=form), events.OnForm(form=other):
            return form == other
    return False


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


def rests_on_phase(
    first: events.PhasePublished | events.PositionSet, then: LedgerEvent, *, same: bool
) -> Iterator[tuple[Dependency, object]]:
    """What rests on a publication or a position, by which later phases are open."""
    match then:
        case events.OnGame() if same and not isinstance(then, events.EndUndone):
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
            if any(board_of(s) == first.board and opened_by(first, s.phase) for s in sheets):
                yield Dependency.SHEETS_PRINTED, None
        case events.PageRead(text=text) if first.board == text.split()[0]:
            if opened_by(first, Phase.read(text.split()[1])):
                yield Dependency.SHEET_IN, 0
        case events.FormsPrinted(forms=forms):
            if any(form.board == first.board and form.kind is FormKind.VOTE for form in forms):
                yield Dependency.USED, None


def told_to_rest(number: int, facts: Mapping[int, LedgerEvent]) -> set[tuple[str, int]]:
    """The dependencies on a fact: of each group the newest; what is later on its board hides the rest of a game."""
    found: dict[tuple[Dependency, object], int] = {}
    for at, said in sorted(facts.items()):
        for code, group in rests_on(facts[number], said) if at > number else ():
            found[code, at if group is None else group] = at
    if any(code is Dependency.LATER_ON_BOARD for code, _ in found):
        found = {
            (code, group): at
            for (code, group), at in found.items()
            if code is Dependency.LATER_ON_BOARD or isinstance(facts[at], events.DiceCommitted | events.DiceRolled)
        }
    return {(str(code), 0 if code is Dependency.SHEET_IN else at) for (code, _), at in found.items()}


def told_to_rest_on_draw(number: int, facts: Mapping[int, LedgerEvent]) -> set[tuple[str, int]]:
    """The dependencies on a draw: those on each of its boards that were not there, at that place, before it."""
    draws = {at: said for at, said in facts.items() if isinstance(said, events.Seated)}
    drawn = draws[number]
    of_round = [at for at, said in draws.items() if said.round == drawn.round]
    before = list(enumerate(draws[max(at for at in of_round if at < number)].boards)) if number > of_round[0] else []
    later = {at: said for at, said in facts.items() if at > number and not isinstance(said, events.EndUndone)}
    found = {("LATER", at) for at in of_round[-1:] if at > number}
    for place in enumerate(drawn.boards):
        board = board_name(drawn.round, place[1].board)
        if place in before:
            continue
        found |= {("SEATS_PRINTED", at) for at in [at for at, said in later.items() if board in printed_for(said)][:1]}
        for kind in (events.OnGame, events.VoteHeld, events.NoteEntered, events.OnTurn):
            here = [at for at, said in later.items() if isinstance(said, kind) and board in about(said)]
            found |= {("DECIDED" if kind is events.OnTurn else "USED", at) for at in here[-1:]}
    return found


def end_that_counts(board: str, facts: Mapping[int, LedgerEvent]) -> int:
    """The fact that ended a game, if it is over."""
    end = 0
    for at, said in facts.items():
        match said:
            case events.GameEnded(board=there) | events.ResultEntered(board=there) if there == board:
                end = at
            case events.EndUndone(board=there) | events.PhasePublished(board=there, why=None) if there == board:
                end = 0
    return end


def told_to_rest_on_end(number: int, facts: Mapping[int, LedgerEvent]) -> set[tuple[str, int]]:
    """The draws from standings that rest on the end of a game, or that it is no end any more."""
    said = facts[number]
    (board,) = about(said)
    end = end_that_counts(board, facts)
    match said:
        case events.GameEnded() | events.ResultEntered() if end != number:
            return {("COUNTS_NO_MORE", 0)}
        case events.VoteHeld(carried=is_carried):
            ended = facts.get(end)
            if not (is_carried and isinstance(ended, events.GameEnded) and ended.how is Ending.VOTE):
                return set()
    rounds = {each.round: at for at, each in facts.items() if isinstance(each, events.Seated) if at > end}
    return {("STANDINGS_USED", at) for drawn, at in rounds.items() if drawn > int(board[0])}


def numbers(messages: tuple[Message, ...]) -> set[tuple[str, int]]:
    """The codes of dependencies with the facts that they name."""
    said = (dict(each.data) | {"code": str(each.code)} for each in messages if each.code is not Dependency.SEEN)
    return {(str(each["code"]), int(str(each.get("fact", 0)))) for each in said}


@pytest.mark.parametrize("seed", range(4))
def test_what_rests_on_what_is_the_same_worked_out_for_each_two_facts(cup: Event, seed: int) -> None:
    chance = random.Random(seed)
    happen(cup, chance)
    lines = {line.fact.number: line for line in journal(cup)}
    facts = {number: line.fact.said for number, line in lines.items() if not line.back}
    for number, line in lines.items():
        if line.back or isinstance(line.fact.said, events.PlayerAdded) or line.standing is UndoState.STAYS:
            continue
        expected = told_to_rest(number, facts)
        match line.fact.said:
            case events.Seated():
                expected = told_to_rest_on_draw(number, facts)
            case events.SeatsTold(round=drawn):
                boards = [board for board in BOARDS if int(board[0]) == drawn]
                played = (events.PhasePublished, events.ResultEntered)
                has_begun = any(isinstance(each, played) and each.board in boards for each in facts.values())
                has_begun |= any(end_that_counts(board, facts) for board in boards)
                expected = {("ROUND_BEGUN", 0)} if has_begun else set()
            case events.GameEnded() | events.ResultEntered() | events.VoteHeld():
                of_end = told_to_rest_on_end(number, facts)
                expected = of_end if ("COUNTS_NO_MORE", 0) in of_end else expected | of_end
        assert numbers(line.rests) == expected, line


def told_to_follow(number: int, facts: Mapping[int, LedgerEvent]) -> list[tuple[str, int]]:
    """What came of a decision, a publication, a vote, an end or a call, by code and fact."""
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
    return []


@pytest.mark.parametrize("seed", range(7, 10))
def test_what_followed_is_the_same_worked_out_from_the_facts(cup: Event, seed: int) -> None:
    happen(cup, random.Random(seed))
    lines = {line.fact.number: line for line in journal(cup)}
    facts = {number: line.fact.said for number, line in lines.items() if not line.back}
    for number, line in lines.items():
        if not line.back and not isinstance(line.fact.said, events.Seated | events.SheetsPrinted):
            assert [(str(each.code), each["fact"]) for each in line.followed] == told_to_follow(number, facts), line


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
    assert all(value in (setting, was, now) for _, value in told.data)


def named_in(told: Message, lines: Mapping[int, JournalLine]) -> Iterator[tuple[int, JournalLine]]:
    for name, value in told.data:
        if name == "fact" and isinstance(value, int):
            yield value, lines[value]


@pytest.mark.parametrize("seed", range(4, 7))
def test_lines_name_later_facts_that_count_and_say_what_these_say(cup: Event, seed: int) -> None:
    happen(cup, random.Random(seed))
    lines = {line.fact.number: line for line in journal(cup)}
    for number, line in lines.items():
        for told in (*line.rests, *line.followed):
            for named, later in named_in(told, lines):
                assert named > number and not later.back, (line, told)
                assert dict(told.data).get("what", later.what) == later.what
                how = getattr(later.fact.said, "how", "")
                assert dict(told.data).get("how", how) == how
        for named, earlier in named_in(line.would, lines) if line.would else ():
            assert named < number and not earlier.back
        for message in (line.what, *line.rests, *line.followed, *([line.would] if line.would else [])):
            assert sentence(message)


@pytest.mark.parametrize("board", BOARDS)
def test_what_a_board_says_does_not_change_with_what_happens_on_others(cup: Event, tmp_path: Path, board: str) -> None:
    """The same history without the other boards, and with something that concerns nobody in their place."""
    happen(cup, random.Random(int(board[0]) * 10 + int(board[2])))
    first, past = 0, {fact.number: fact.said for fact in cup.facts.everything()}
    for other in begun(tmp_path / "other"):
        first = other.facts.last_number()
        for fact in list(cup.facts.everything())[first:]:
            back = getattr(fact.said, "fact", None)
            said = past[back] if back else fact.said
            is_elsewhere = (about(said) | printed_for(said)) & {*BOARDS} - {board}
            other.facts.write(events.ScanRead(sha256="0" * 64, pages=1) if is_elsewhere else fact.said, "Tess")
        alone = shown(other, first, board)
    assert shown(cup, first, board) == alone


def shown(event: Event, since: int, board: str) -> object:
    """What is told of a board's facts, but of a draw, which is of another board too."""
    return [
        (line.fact.number, line.what, line.followed, line.rests, line.would, line.back, line.standing)
        for line in journal(event, since=since, board=board)
        if not isinstance(line.fact.said, events.Seated)
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
    for name, value in told.data:
        there = getattr(said, name, value)
        if isinstance(there, str | int) and not isinstance(there, Phase):
            assert str(there) in str(value), name


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
