"""Undo and redo of a desk's last decision that is not published yet: on a row, on a sheet, or on a page."""

from collections.abc import Sequence

from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.undoing import redo, stacks, undo
from pipeline.ink import page_in_words
from pipeline.journal.acts import undo as take_back
from pipeline.ledger.events import OnPage, OnTurn, PageIdentified, PageSetAside, PhasePublished, RowRuled, SpotChecked
from pipeline.ledger.files.claims import Login
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import stop
from pipeline.web.office.office import Focus, Office


def undo_last(office: Office, login: Login) -> Focus:
    """Take the last decision back."""
    if page := page_to_undo(office, login):
        take_back(office.event, page.number, by=login.name)
        return Focus(told=f"{page_in_words(page.said.page)} waits again")
    done, _ = stacks(office.live.log(), login.name)
    fact = last_open(office, done)
    if fact is None:
        raise stop("nothing to undo that is not published yet", "")
    undo(office.event, fact, login.name)
    return at_row(fact)


def redo_last(office: Office, login: Login) -> Focus:
    """Make the decision again that was taken back last; a page is dealt with anew, for it waits again."""
    _, undone = stacks(office.live.log(), login.name)
    fact = last_open(office, undone)
    if fact is None:
        raise stop("nothing to redo that is not published yet", "")
    redo(office.event, fact, login.name)
    return at_row(fact)


def at_row(fact: Fact[OnTurn]) -> Focus:
    """The row, or the sheet, that a decision was about."""
    turn = Turn.of(fact.said)
    line = fact.said.line if isinstance(fact.said, RowRuled | SpotChecked) else None
    return Focus(str(turn), f"{turn} sheet" if line is None else f"{turn} line {line} ")


def last_open(office: Office, facts: Sequence[Fact[OnTurn]]) -> Fact[OnTurn] | None:
    """The last of some decisions whose phase is still open."""
    return next((fact for fact in reversed(facts) if is_open(office, fact)), None)


def is_open(office: Office, fact: Fact[OnTurn]) -> bool:
    """Whether the phase that a decision is about is still open."""
    game = office.live.games.get(fact.said.board)
    return game is not None and game.position.phase == fact.said.phase and not game.ended


def page_to_undo(office: Office, login: Login) -> Fact[OnPage] | None:
    """What a desk said of a page after its last decision, or where it has none after the last publication."""
    fact = last_open(office, stacks(office.live.log(), login.name)[0])
    since = fact.number if fact else office.event.facts.newest(PhasePublished)
    mine = (fact for fact in standing(office.event.facts, PageIdentified, PageSetAside) if fact.by == login.name)
    return max((fact for fact in mine if fact.number > since), key=lambda fact: fact.number, default=None)
