"""The ids of other sheets cannot be worked out from one's own; sheets of before keep theirs."""

import shutil
from pathlib import Path

from msgspec.structs import replace

from desk.cup import clock
from pipeline.desk.backups import back_up
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_wish
from pipeline.ledger.copies import copies_in, place_beside
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


def test_two_folders_behind_one_copy_may_print_the_same_serial_and_refuse_the_others_sheets(
    event: Event, tmp_path: Path
) -> None:
    back_up(event)
    copy = copies_in(place_beside(event.folder))[-1].folder
    folders = [tmp_path / name / "cup" for name in ("one", "other")]
    for folder in folders:
        shutil.copytree(event.folder, folder)
        shutil.copytree(place_beside(event.folder), place_beside(folder))
        assert (place_beside(folder) / copy.name).is_dir()
    printed = []
    for folder in folders:
        with open_event(folder, clock) as other:
            before = set(printed_sheets(other))
            print_wish(other, 1, None, PrintWish())
            printed.append(printed_sheets(other).keys() - before)
    assert {SheetId.read(each).serial for each in printed[0]} == {SheetId.read(each).serial for each in printed[1]}
    assert not printed[0] & printed[1]
