"""What a page shows of each item, as JSON: power names always, player names never."""

from typing import Any

from pipeline.desk.review.agenda import Check, Item, StrayPage, UnwrittenPhase, shown_token
from pipeline.desk.review.queue import ReviewItem
from pipeline.desk.sheets.late_sheets import LateArrival
from pipeline.web.office.office import Office
from pipeline.web.review.board_view import entry_view, ready_view
from pipeline.web.review.row_view import row_view
from pipeline.web.review.sheet_view import late_view, sheet_doubt, stray_view


def item_view(office: Office, item: Item) -> dict[str, Any]:
    """Show an item."""
    match item:
        case ReviewItem(row=None):
            view = sheet_doubt(office, item)
        case ReviewItem(turn, row, _):
            view = row_view(office, turn, row, item)
        case Check(turn, row):
            view = {**row_view(office, turn, row, None), "kind": "check"}
        case StrayPage():
            view = stray_view(office, item)
        case LateArrival():
            view = late_view(item)
        case UnwrittenPhase():
            view = entry_view(office, item)
        case _:
            view = ready_view(office, item)
    return {**view, "token": shown_token(office.live, item)}
