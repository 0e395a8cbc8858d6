"""Taking back what a person said of a page: which sheet it is, or that it needs nothing more."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.ink import page_in_words
from pipeline.journal.codes import Resting, Would
from pipeline.journal.later import by_fact, by_newest
from pipeline.journal.past import Chronicle
from pipeline.ledger import events
from pipeline.ledger.events import ActTakenBack, LedgerEvent, OnPage
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.paper.form.form import FormKind
from pipeline.words import Told


def read_with(fact: Fact[OnPage], past: Chronicle) -> Fact[events.PageRead] | None:
    """What was read when a page was named: it was written down with the name, and counts as long as that."""
    beside = past.facts.get(fact.number + 1)
    read = beside.of(events.PageRead) if beside else None
    return read if read and read.said.place == fact.said.place else None


def rests_on_page(fact: Fact[OnPage], past: Chronicle) -> Iterator[Told]:
    """A newer word on the page; of one that was named what was decided, counted or published with its sheet since."""
    named = (events.PageIdentified, events.PageSetAside)
    newer = (each for each in past.counting(*named, after=fact.number) if each.said.place == fact.said.place)
    yield from by_newest(Resting.LATER, newer, past)
    if isinstance(fact.said, events.PageIdentified):
        yield from rests_on_sheet(fact, past)
        yield from rests_on_form(fact.said.sheet, fact.number, past)


def rests_on_sheet(fact: Fact[OnPage], past: Chronicle) -> Iterator[Told]:
    """What was decided on the turns for which the page counts, and whether they were adjudicated since."""
    turns = turns_of(fact, past)
    decided = [each for each in past.counting(events.Decision, after=fact.number) if Turn.of(each.said) in turns]
    newest = {str(Turn.of(each.said)): each.number for each in decided if not is_on_typed(each.said)}
    for turn, number in newest.items():
        yield Told.of(Resting.DECIDED, turn=turn, fact=number)
    boards = {(turn.board, turn.phase) for turn in turns}
    for played in past.counting(events.PhasePublished, after=fact.number):
        if (played.said.board, played.said.phase) in boards:
            yield Told.of(Resting.ADJUDICATED, phase=played.said.phase.in_words, fact=played.number)


def turns_of(fact: Fact[OnPage], past: Chronicle) -> frozenset[Turn]:
    """The turns for which a page counts since a person named it."""
    read = read_with(fact, past)
    since = {fact.number, read.number if read else fact.number}
    return frozenset(turn for turn, sheets in past.sheets.items() if any(since & {*s.since} for s in sheets))


def is_on_typed(said: events.Decision) -> bool:
    """Whether a decision is about lines that were typed, and about no paper."""
    return isinstance(said, events.LinesTyped) or (
        isinstance(said, events.RowRuled) and said.on is not None and said.on.typed > 0
    )


def rests_on_form(form: str, since: int, past: Chronicle) -> Iterator[Told]:
    """What was decided on a form, and the vote that was counted with it."""
    decided = (each for each in past.counting(events.OnForm, after=since) if each.said.form == form)
    yield from by_newest(Resting.LATER, decided, past)
    printed = printed_forms(past.event).get(form)
    if printed is not None and printed.request.kind is FormKind.VOTE:
        for vote in past.counting(events.VoteHeld, after=since):
            if vote.said.board == printed.request.board:
                yield by_fact(Resting.USED, vote, past)


def without_page(fact: Fact[OnPage], past: Chronicle, by: str, why: str) -> Fact[LedgerEvent]:
    """What was said of a page counts no more, and what was read of it as that sheet neither."""
    read = read_with(fact, past) if isinstance(fact.said, events.PageIdentified) else None
    gone = [fact.number] + ([read.number] if read else [])
    return past.event.facts.write_all([ActTakenBack(fact=number, why=why) for number in gone], by)[0]


def after_page(fact: Fact[LedgerEvent], said: OnPage, past: Chronicle) -> Told:
    """A page waits again, but where an earlier word on it counts then."""
    named = past.counting(events.PageIdentified, events.PageSetAside)
    if any(each.said.place == said.place and each.number < fact.number for each in named):
        return Told.of(Would.COUNTS_NO_MORE)
    return Told.of(Would.PAGE_WAITS, page=page_in_words(said.page), name=past.files.get(said.sha256, ""))


def mend_pictures(event: Event, said: OnPage) -> None:
    """The pictures of a page's rows show it as it was read last: they are made anew as what counts now."""
    from pipeline.desk.hands.reader import best_recogniser  # noqa: PLC0415 - likewise
    from pipeline.desk.intake.ingest import ScanReader  # noqa: PLC0415 - it loads the reader, and few pages are named

    counting = [each for each in standing(event.facts, events.PageRead) if each.said.place == said.place]
    newest = [each for each in event.facts.told(events.PageRead) if each.said.place == said.place]
    if counting and counting[-1] != newest[-1] and (sheet := counting[-1].said.sheet):
        ScanReader.of(event, best_recogniser()).read_as(counting[-1], sheet.sheet_id)
