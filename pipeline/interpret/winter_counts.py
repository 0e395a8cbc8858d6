"""What is due in winter, and what becomes of more builds or disbands than that, and of fewer."""

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pipeline.board import FIRST_PHASE
from pipeline.interpret.doubts import DIRECTOR_RULES, Because, Doubt, LineDoubt, by_rule
from pipeline.interpret.order_words import Reading
from pipeline.interpret.readings import Sheet
from pipeline.interpret.tokens import Mark, tokenize
from pipeline.interpret.verdict import NOTHING_WRITTEN, Entry, Line, Status, director_rules
from pipeline.interpret.written_words import SHORT_COASTS
from pipeline.judge.adjudicate import legal_orders
from pipeline.judge.winter import balances
from pipeline.orders import Build, Disband, Order, Waive
from pipeline.rules.reading_rules import NoBuild, Removal, Surplus
from pipeline.rules.switches import Setting
from pipeline.words.speech import Message


def due_of(sheet: Sheet) -> int:
    """Builds above zero, disbands below."""
    return balances(sheet.position).get(sheet.power, 0)


def possible_orders(sheet: Sheet) -> tuple[Order, ...]:
    """Every order that the power could give in this phase."""
    return legal_orders(sheet.board, sheet.position, sheet.power, sheet.tournament.rulebook)


def may_be_choice(sheet: Sheet, line: Line) -> bool:
    """Say whether a stroke on a line may leave a choice, "Build A Bud / A Vie"; before a coast it does not."""
    tokens = tokenize(line.shown)
    coasts = sheet.lexicon.coasts.keys() | SHORT_COASTS.keys()
    return any(
        (each.mark is Mark.SLASH or each.text == "//") and after.folded not in coasts
        for each, after in pairwise(tokens)
    )


def strike_surplus(sheet: Sheet, entries: list[Entry], choices: Set[int]) -> list[Entry]:
    """Of more builds or disbands than are due, some are struck, a waiver among them (`too_many_builds`).

    ``choices``: the numbers of the lines with a stroke; which of theirs stands, the director rules.
    """
    due, rules = due_of(sheet), sheet.tournament.adjustments
    kind: type[Build] | type[Disband] = Build if due > 0 else Disband
    setting: Setting[Any] = rules.too_many_builds if due > 0 else rules.too_many_disbands
    doubt = Doubt.OVERBUILD if due > 0 else Doubt.OVERDISBAND
    distinct: list[Order] = list(dict.fromkeys(e.order for e in entries if isinstance(e.order, kind)))
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 and distinct else 0
    if len(distinct) + waivers <= abs(due):
        return entries
    line_doubt = LineDoubt.of(doubt, ordered=len(distinct) + waivers, due=abs(due))
    kept = _kept_of(setting.value, distinct, abs(due))
    is_choice = any(entry.line in choices and isinstance(entry.order, kind) for entry in entries)
    is_waived = len(distinct) <= abs(due)  # only the waiver is too much: the rules rank builds
    if is_choice or (is_waived and kept is not None):
        setting, kept = sheet.tournament.reading.misspelt_unsettled, None
    if kept is None:
        counted = (kind, Waive) if waivers else kind
        return [
            ask_about(sheet, entry, setting, line_doubt) if isinstance(entry.order, counted) else entry
            for entry in entries
        ]
    room = abs(due) - len(kept)  # for waivers
    struck = []
    for entry in entries:
        is_over = isinstance(entry.order, kind) and entry.order not in kept
        if isinstance(entry.order, Waive):
            is_over, room = room <= 0, room - 1
        struck.append(_strike(entry, setting, line_doubt) if is_over else entry)
    return struck


def _kept_of(rule: Surplus, orders: list[Order], limit: int) -> list[Order] | None:
    """The orders that are kept; None: the director rules."""
    match rule:
        case Surplus.FIRST | Surplus.BOTTOM_UP:
            return orders[:limit]
        case Surplus.LAST:
            return orders[len(orders) - limit :]
        case Surplus.NONE:
            return []
        case _:
            return None


def _strike(entry: Entry, setting: Setting[Any], doubt: LineDoubt) -> Entry:
    """Strike an order that is one too many."""
    because = (doubt, by_rule(setting.value))
    return replace(
        entry,
        order=None,
        status=Status.VOID,
        settings=(setting,),
        because=because,
        found=doubt,
        doubts=(*entry.doubts, doubt),
    )


def ask_about(sheet: Sheet, entry: Entry, setting: Setting[Any], doubt: LineDoubt) -> Entry:
    """Ask about one of too many builds or disbands, or of those that contradict one another."""
    struck = _strike(entry, setting, doubt)
    asked = sheet.situation(setting, doubt, entry.text)
    return replace(
        struck, status=Status.ASK, because=(doubt, director_rules(replace(setting, why=""))), situation=asked
    )


def shortfalls(sheet: Sheet, entries: Sequence[Entry]) -> list[Entry]:
    """What follows where fewer builds or disbands are ordered than are due, and possible."""
    done = _done_in(entries)
    short, due = count_short(sheet, entries), due_of(sheet)
    if short <= 0:
        return []
    if due < 0:
        return [_short_disbands(sheet, short, done)]
    homes = len({order.unit.province for order in possible_orders(sheet) if isinstance(order, Build)})
    short -= max(0, due - homes)
    return [_short_builds(sheet, short, min(due, homes), done)] if short > 0 else []


def _done_in(entries: Sequence[Entry]) -> set[Order | None]:
    """The builds and disbands that are ordered."""
    return {entry.order for entry in entries if isinstance(entry.order, Build | Disband)}


def count_short(sheet: Sheet, entries: Sequence[Entry]) -> int:
    """Count the builds or disbands due that no line orders; a line that is asked about may still order one each."""
    due = due_of(sheet)
    waivers = sum(isinstance(entry.order, Waive) for entry in entries) if due > 0 else 0
    asked = sum(entry.status is Status.ASK for entry in entries)  # what the director says of these comes first
    return abs(due) - len(_done_in(entries)) - asked - waivers


def _short_builds(sheet: Sheet, short: int, due: int, done: set[Order | None]) -> Entry:
    """A missing build is not made, but in the first year the referee may impose some (EDC23 R5).

    ``due``: how many there are centres and free home centres for.
    """
    rules = sheet.tournament.adjustments
    doubt = LineDoubt.of(Doubt.SHORT_BUILD, short=short, due=due)
    imposed = rules.first_year_builds
    first = sheet.position.phase.year == FIRST_PHASE.year
    wanted = due if imposed.value is None else min(due, imposed.value)
    if first and due - short < wanted:
        because = Message.of(Because.FIRST_YEAR, wanted=wanted)
        return _remark(sheet, doubt, Status.ASK, imposed, because, done)
    setting = rules.build_missing
    if setting.value is NoBuild.ASK:
        return _remark(sheet, doubt, Status.ASK, setting, DIRECTOR_RULES, done)
    return _remark(sheet, doubt, Status.VOID, setting, by_rule(setting.value), done)


def _short_disbands(sheet: Sheet, short: int, done: set[Order | None]) -> Entry:
    """A missing disband is carried out by the rules (`disband_missing`)."""
    setting = sheet.tournament.adjustments.disband_missing
    doubt = LineDoubt.of(Doubt.SHORT_DISBAND, short=short, due=-due_of(sheet))
    status = Status.ASK if setting.value is Removal.ASK else Status.VOID
    return _remark(sheet, doubt, status, setting, by_rule(setting.value), done)


def _remark(
    sheet: Sheet, doubt: LineDoubt, status: Status, setting: Setting[Any], because: Message, done: set[Order | None]
) -> Entry:
    """An entry that belongs to no single line, such as a missing build."""
    offered = tuple(
        Reading(order, (Message.of(Because.POSSIBLE),)) for order in possible_orders(sheet) if order not in done
    )
    return Entry(
        NOTHING_WRITTEN,
        "",
        status=status,
        settings=(setting,),
        because=(doubt, because),
        found=doubt,
        doubts=(doubt,),
        candidates=offered,
        situation=sheet.situation(setting, doubt, "") if status is Status.ASK else None,
    )
