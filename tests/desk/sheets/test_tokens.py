"""The ids of other sheets cannot be worked out from one's own; sheets of before keep theirs."""

from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_wish
from pipeline.ledger.events import FormsPrinted, SheetsPrinted
from pipeline.paper.form import FormKind
from pipeline.paper.sheet import SheetId


def test_every_sheet_and_form_has_a_token_of_its_own(event: Event) -> None:
    print_wish(event, 1, None, PrintWish())
    print_wanted(event, Wanted(kind=FormKind.VOTE, board="1.1", copies=3))
    ids = [SheetId.read(text) for text in (*printed_sheets(event), *printed_forms(event))]
    assert len(ids) > 14
    assert len({each.token for each in ids}) == len(ids)
    own = ids[0]
    assert not {str(replace(own, serial=other.serial)) for other in ids[1:]} & set(printed_sheets(event))


def test_what_was_printed_with_one_token_for_all_keeps_its_ids(event: Event) -> None:
    print_wanted(event, Wanted(kind=FormKind.VOTE, board="1.1"))
    sheets = next(iter(event.facts.select(SheetsPrinted))).said
    forms = next(iter(event.facts.select(FormsPrinted))).said
    before = tuple(replace(each, token="", serial=each.serial + 500) for each in sheets.sheets)
    event.facts.write(replace(sheets, token="7KQ3F", sheets=before), "printing")
    slips = tuple(replace(each, token="", serial=each.serial + 600) for each in forms.forms)
    event.facts.write(replace(forms, token="8KQ3F", forms=slips), "printing")
    code = event.details.code
    assert {str(SheetId(code, each.serial, "7KQ3F")) for each in before} <= printed_sheets(event).keys()
    assert {str(SheetId(code, each.serial, "8KQ3F")) for each in slips} <= printed_forms(event).keys()
