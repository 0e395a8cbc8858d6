"""The ids of other sheets cannot be worked out from one's own; sheets of before keep theirs."""

import shutil
from pathlib import Path
from random import Random

from msgspec.structs import replace

from desk.cup import clock
from pipeline.desk.backups import back_up, restore_copy
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.sheets.printed import draw_range, printed_sheets
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.copies import copies_in, place_beside
from pipeline.ledger.events import FormsPrinted, SheetsPrinted
from pipeline.paper.form import FormKind
from pipeline.paper.sheet import SheetId


def test_every_sheet_and_form_has_a_token_of_its_own(event: Event) -> None:
    print_round(event, 1)
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


def print_and_list(folder: Path) -> dict[str, int]:
    """Print the first round; the new sheets' ids with their serials."""
    with open_event(folder, clock) as event:
        before = printed_sheets(event).keys()
        print_round(event, 1)
        return {name: sheet.id.serial for name, sheet in printed_sheets(event).items() if name not in before}


def check_apart(folders: list[Path]) -> None:
    """No sheet of one folder has an id or a serial of another one's."""
    printed = [print_and_list(folder) for folder in folders for _ in range(2)]
    assert all(printed)
    ids = [name for each in printed for name in each]
    serials = [serial for each in printed for serial in each.values()]
    assert (len({*ids}), len({*serials})) == (len(ids), len(serials))


def test_all_who_go_on_from_one_copy_print_other_serials(event: Event, tmp_path: Path) -> None:
    print_round(event, 1)
    back_up(event)
    (copy,) = copies_in(place_beside(event.folder))
    folders = [tmp_path / name / "cup" for name in ("one", "other", "third")]
    firsts = [restore_copy(copy, each, "Tess", clock, replaces=False)[1] for each in folders]
    assert [restore_copy(copy, each, "Tess", clock, replaces=False)[1] for each in folders] == firsts, "said again"
    check_apart([event.folder, *folders])


def test_older_folders_behind_one_copy_print_other_serials(event: Event, tmp_path: Path) -> None:
    folders = [tmp_path / name / "cup" for name in ("one", "other")]
    for folder in folders:
        shutil.copytree(event.folder, folder)
    print_round(event, 1)
    back_up(event)
    for folder in folders:
        shutil.copytree(place_beside(event.folder), place_beside(folder))
    check_apart([event.folder, *folders])


def test_ranges_of_serials_rise_and_fit_into_an_id() -> None:
    last = 7
    for number in range(20):
        first = draw_range(Random(number), last)
        assert first % 1000 == 1
        assert first > last
        last = first + 300
        assert SheetId.read(str(SheetId("WM26", last, "7KQ3F"))).serial == last


def test_a_copy_of_the_folder_prints_no_id_of_the_first(event: Event, tmp_path: Path) -> None:
    shutil.copytree(event.folder, tmp_path / "copy/cup")
    assert not print_and_list(event.folder).keys() & print_and_list(tmp_path / "copy/cup").keys()
