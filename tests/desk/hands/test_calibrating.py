"""Thresholds rise at once, and fall only where the confirmed rows can bear it; what set them stands in their file."""

import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from facts_as_kept import read_facts
from msgspec.structs import fields, replace

from desk.cup import NAMES, OPENINGS, clock, spring, written_twice
from pipeline.board import Power
from pipeline.cli.rehearse import calibrate_command
from pipeline.cli.status import doctor_command as doctor
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import read_event_file
from pipeline.desk.event.settings import _change_settings_text
from pipeline.desk.hands.calibrating import (
    GATE_COMMENT,
    ROOM,
    WRONG_TO_LOWER,
    Calibration,
    Confirmed,
    GateOutcome,
    _fit_gates,
    _thresholds,
    calibrate,
    write_to,
)
from pipeline.desk.hands.known_rows import KnownBy, KnownRow
from pipeline.desk.hands.reader import net_for, with_event_gate
from pipeline.desk.intake.ingest import take_in
from pipeline.desk.publish.explain import check_event
from pipeline.desk.review.orders_shown import status
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.ink import Transcription
from pipeline.ledger.ledger import _read_text
from pipeline.problems import Stopped
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.evidence import Evidence, Joint
from pipeline.reading.gate import ENOUGH_TO_LOWER, AnyEvidence, Gate, Gates, load_gates

ENGLAND = Power.ENGLAND
FIRST = Gate(0.0, dict.fromkeys(Evidence.SPAN, 0.0) | {"to_next": 1.0}, {}, 5.0, 6.0)
BOTH = Gate(0.0, dict.fromkeys(Joint.SPAN, 0.0) | {"to_next": 1.0}, {}, 4.0, 4.5)
GATE = Gates(FIRST, BOTH, enough=7.0, measured="made up for tests", is_alone=True)
OF_TWO = replace(GATE, is_alone=False)
OF_THREE = replace(OF_TWO, three=BOTH)


def evidence(odds: float, readers: int = 1) -> AnyEvidence:
    """Evidence of so many readers that weighs so much under `GATE`."""
    kind: type[AnyEvidence] = Evidence if readers == 1 else Joint
    kinds: dict[str, Any] = {"int": 0, "str": "", "float": 0.0, "bool": False, "frozenset": frozenset()}
    values = {each.name: kinds[str(getattr(each.type, "__name__", each.type))] for each in fields(kind)}
    return kind(**(values | {"to_next": odds} | ({} if readers == 1 else {"readers": readers})))


def rows(
    count: int, odds: float, *, right: bool = True, how: KnownBy = KnownBy.TYPED, readers: int = 1
) -> list[Confirmed]:
    """Rows that weigh alike."""
    row = KnownRow("TEST-0001-X", "ab" * 32, 1, 1, "A VIE - BOH", how, 1)
    return [Confirmed(row, "Bo", evidence(odds, readers), right)] * count


def test_a_wrong_row_that_passes_raises_the_threshold_at_once() -> None:
    gate, why = _fit_gates(GATE, [*rows(3, 8.0), *rows(1, 7.0, right=False)])
    assert gate.first.marked == 7.0 + ROOM
    assert gate.first.accepted >= gate.first.marked
    assert "at once" in why


def test_without_a_row_that_was_read_wrongly_nothing_falls_however_many_there_are() -> None:
    gate, why = _fit_gates(GATE, rows(ENOUGH_TO_LOWER + 1, 8.0))
    assert gate is GATE
    assert "none of these rows was misread" in why


@pytest.mark.parametrize(("many", "wrong"), [(ENOUGH_TO_LOWER, 1), (500, WRONG_TO_LOWER)])
def test_too_few_rows_lower_nothing_and_say_how_many_are_needed(many: int, wrong: int) -> None:
    gate, why = _fit_gates(GATE, [*rows(many, 8.0), *rows(wrong, 1.0, right=False)])
    assert gate is GATE
    assert why == (
        f"no threshold is lowered: {many + wrong} rows of {ENOUGH_TO_LOWER} that are needed, "
        f"{wrong} read wrongly of {WRONG_TO_LOWER}"
    )


def every_gate(gates: Gates) -> tuple[Gate, Gate, Gate]:
    """All that decide."""
    assert gates.three is not None
    return gates.first, gates.both, gates.three


def test_rows_enough_lower_the_threshold_to_the_worst_of_them() -> None:
    gate, _ = _fit_gates(GATE, [*rows(ENOUGH_TO_LOWER, 8.0), *rows(WRONG_TO_LOWER, 1.0, right=False)])
    assert gate.first.marked == 1.0 + ROOM


def test_of_two_readers_each_threshold_is_fitted_on_the_rows_that_it_decides() -> None:
    gates, why = _fit_gates(OF_TWO, [*rows(3, 8.0), *rows(1, 4.2, right=False, readers=2)])
    assert (gates.both.marked, gates.enough) == (4.2 + ROOM, 7.0)
    assert "at once" in why
    gates, why = _fit_gates(OF_TWO, [*rows(1, 7.4, right=False), *rows(5, 8.0, readers=2)])
    assert (gates.both.marked, gates.enough) == (4.0, 7.4 + ROOM)
    assert "at once" in why


def test_of_three_readers_what_is_enough_for_two_only_rises_and_the_last_word_is_fitted_apart() -> None:
    of_two, of_three = partial(rows, readers=2), partial(rows, readers=3)
    gates, why = _fit_gates(OF_THREE, [*rows(3, 8.0), *of_two(1, 4.5, right=False), *of_three(5, 8.0)])
    assert (gates.enough, gates.both.marked, gates.three) == (7.0, 4.5 + ROOM, OF_THREE.three)
    assert "at once" in why
    gates, _ = _fit_gates(OF_THREE, [*of_two(5, 8.0), *of_three(1, 4.2, right=False)])
    assert (gates.both, gates.three and gates.three.marked) == (OF_THREE.both, 4.2 + ROOM)
    many = [*of_two(ENOUGH_TO_LOWER, 9.0), *of_two(WRONG_TO_LOWER, 1.0, right=False)]
    assert _fit_gates(OF_THREE, many)[0] is OF_THREE  # of what two were not sure of, only what three say is known
    lower = [*of_three(ENOUGH_TO_LOWER, 9.0), *of_three(WRONG_TO_LOWER, 1.0, right=False)]
    gates, why = _fit_gates(OF_THREE, lower)
    assert (gates.both, gates.three and gates.three.marked) == (OF_THREE.both, 1.0 + ROOM)
    assert "is lowered" in why


def test_what_is_enough_for_one_reader_never_falls() -> None:
    many = [*rows(ENOUGH_TO_LOWER, 9.0), *rows(WRONG_TO_LOWER, 1.0, right=False)]
    assert _fit_gates(OF_TWO, many)[0].enough == 7.0
    enough = [*many, *rows(ENOUGH_TO_LOWER, 9.0, readers=2), *rows(WRONG_TO_LOWER, 1.0, right=False, readers=2)]
    gates, why = _fit_gates(OF_TWO, enough)
    assert (gates.both.marked, gates.enough) == (1.0 + ROOM, 7.0)
    assert "is lowered" in why


def test_a_row_whose_spelling_nobody_said_holds_the_threshold_up_and_raises_nothing() -> None:
    enough = [*rows(ENOUGH_TO_LOWER, 8.0), *rows(WRONG_TO_LOWER, 1.0, right=False)]
    assert _fit_gates(GATE, [*enough, *rows(1, 3.0, how=KnownBy.CHOSEN)])[0].first.marked == 3.0 + ROOM
    assert _fit_gates(GATE, [*enough, *rows(1, 4.9, how=KnownBy.CHOSEN)])[0] == GATE
    assert _fit_gates(GATE, rows(1, 9.0, how=KnownBy.CHOSEN))[0] == GATE


def told(found: Sequence[Confirmed], after: Gates = GATE) -> list[str]:
    return list(Calibration(("Cup",), "row net", tuple(found), GATE, after, "why").lines())


def test_what_would_change_is_told_with_what_it_rests_on() -> None:
    found = [
        *rows(6, 8.0),
        *rows(2, 7.0, how=KnownBy.STOOD),
        *rows(1, 5.5, right=False),
        *rows(1, 2.0, how=KnownBy.CHOSEN),
    ]
    assert told(found, replace(GATE, first=replace(FIRST, marked=7.5, accepted=8.0))) == [
        "row net, on Cup",
        "9 rows of 1 player whose text is known: 7 typed, 0 checked, 2 let stand",
        "1 of them the reader alone would have read wrongly",
        "1 more were settled by choosing an order: their spelling is not known",
        "now       threshold 5.00, unmarked from 6.00: asked 10.0 %, wrong unasked 1 of 9; 198.9 to 4350.1 per 10,000",
        "would be  threshold 7.50, unmarked from 8.00: asked 40.0 %, wrong unasked 0 of 9; 0.0 to 3333.3 per 10,000",
        "why",
        "  TEST-0001-X line 1: 'A VIE - BOH' is written, '' was read, odds 5.50",
        "rows that nobody checked count as right here, even if one of them is a silent error",
    ]
    assert GateOutcome(GATE, found).asked_count == 1


NEW = "gate = \"g.toml\" # thresholds fitted on confirmed scans by 'ordersheets calibrate'"
OWN = """# mine
[event]  # note
  name = 'Cup'   # the third
  code = "AB23"
@
# who plays
[[players]] # first come
name = "Ana"
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[event]\nname = "Cup"', f'[event]\nname = "Cup"\n{NEW}\n'),
        ('[event]\nname = "Cup"\ngate = "old.toml"  # mine\n', '[event]\nname = "Cup"\ngate = "g.toml"  # mine\n'),
        (OWN.replace("@\n", "\n"), OWN.replace("@", f"  {NEW}\n")),
        (OWN.replace("@\n", "\n").replace("\n", "\r\n"), OWN.replace("@", f"  {NEW}\n").replace("\n", "\r\n")),
        ('["event"]\nname = "Cup"\n', f'["event"]\nname = "Cup"\n{NEW}\n'),
        ('[event]\nname = """\n[event]\ngate = 1"""\n', f'[event]\nname = """\n[event]\ngate = 1"""\n{NEW}\n'),
        (
            'event.name = "Cup"\nevent.code = "AB23"\n',
            'event.name = "Cup"\nevent.gate = "g.toml"\nevent.code = "AB23"\n',
        ),
        ('event = {name = "Cup"} # short\n', 'event = {name = "Cup",gate = "g.toml"} # short\n'),
    ],
)
def test_event_toml_names_the_thresholds_and_keeps_all_else_as_it_was_written(before: str, after: str) -> None:
    assert _change_settings_text(before, {"event.gate": '"g.toml"'}, GATE_COMMENT) == after


def test_a_full_disk_leaves_event_toml_as_it_was(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = (cup / "event.toml").read_bytes()
    monkeypatch.setattr("os.fsync", full)
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="the disk is full"):
        write_to(event, load_gates())
    assert (cup / "event.toml").read_bytes() == before


def test_thresholds_are_named_in_an_event_toml_whose_lines_end_as_on_windows(cup: Path) -> None:
    settings = cup / "event.toml"
    mine = b"# mine\r\n" + settings.read_bytes().replace(b"\n", b"\r\n")
    settings.write_bytes(mine)
    with open_event(cup, clock) as event:
        path = write_to(event, load_gates())
    assert read_event_file(settings)[0].gate == path.name
    kept = [line for line in settings.read_bytes().split(b"\r\n") if not line.startswith(b"gate =")]
    assert kept == mine.split(b"\r\n")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event with England's first sheet scanned, and a second one waiting."""
    return written_twice(tmp_path_factory.mktemp("calibrate"), {ENGLAND: 11})


@pytest.fixture
def cup(papers: Path, tmp_path: Path) -> Path:
    """A copy of that event, for one test."""
    shutil.copytree(papers / "cup", tmp_path / "cup")
    return tmp_path / "cup"


def rule(event: Event, texts: Sequence[str]) -> None:
    """The director reads England's sheet."""
    for line, text in enumerate(texts, start=1):
        rule_row(event, spring(ENGLAND), line, RowDecision(text=text), "Tess")


def test_where_nothing_is_confirmed_the_message_says_how_rows_become_so(cup: Path) -> None:
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="no row is confirmed yet: type what is written"):
        calibrate([event], net_for(event))


def test_confirmed_rows_are_weighed_again_from_what_was_seen(cup: Path) -> None:
    with open_event(cup, clock) as event:
        rule(event, ["F LON - NTH", "F EDI - NWG", "A LVP - WAL"])
        found = calibrate([event], net_for(event))
    assert [row.is_right for row in found.rows] == [True, True, False]
    assert {row.player for row in found.rows} == {NAMES[ENGLAND]}
    now, then = _thresholds(found.before), _thresholds(found.after)
    assert all(before <= after for before, after in zip(now, then, strict=True))


def test_thresholds_that_were_written_judge_the_next_sheet_and_are_named_everywhere(cup: Path, papers: Path) -> None:
    with open_event(cup, clock) as event:
        told = f"ordersheets calibrate, {NetRecogniser().name}\n"
        gates = load_gates()
        first, both, three = (replace(gate, marked=90.0, accepted=91.0) for gate in every_gate(gates))
        strict = replace(gates, first=first, both=both, three=three, enough=90.0, measured=told)
        path = write_to(event, strict)
    assert read_event_file(cup / "event.toml")[0].gate == path.name
    with open_event(cup, clock) as event:
        net = net_for(event)
        assert net.gates == strict
        assert net.name.endswith(path.name.removeprefix("gate-").removesuffix(".toml"))
        assert status(event)["reader"] == net.name
        assert take_in(event, sorted((papers / "scans2").iterdir()), NetRecogniser(), lambda _: None) == ()
        read = _read_text(
            Transcription, json.dumps(list(read_facts(event.facts, "page read"))[-1].body["transcription"])
        )
    assert read.reader == net.name
    assert {str(line.tier) for line in read.lines if line.readings} == {"asked"}
    shown = CliRunner().invoke(doctor, [str(cup), "--json"])
    assert net.name in shown.output
    path.unlink()
    with open_event(cup, clock) as event, pytest.raises(Stopped, match="are not there; copy them back"):
        with_event_gate(event, NetRecogniser())


@pytest.mark.parametrize(
    ("gates", "told"),
    [
        (replace(load_gates(), measured="row net 01234567"), "were not measured with the readers in use"),
        (replace(load_gates(), first=replace(load_gates().first, accepted=-1e3)), "wanted the other way round"),
    ],
)
def test_thresholds_that_do_not_fit_the_reader_are_refused_with_what_mends_it(
    cup: Path, gates: Gates, told: str
) -> None:
    with open_event(cup, clock) as event:
        write_to(event, gates)
    with open_event(cup, clock) as event, pytest.raises(Stopped) as stopped:
        net_for(event)
    assert told in str(stopped.value)
    assert "take the line 'gate' out of event.toml" in str(stopped.value)


def test_the_command_says_what_it_found_and_writes_only_what_moves(cup: Path) -> None:
    with open_event(cup, clock) as event:
        rule(event, OPENINGS[ENGLAND])
    before = (cup / "event.toml").read_text("utf-8")
    shown = CliRunner().invoke(calibrate_command, [str(cup), "--write"])
    assert shown.exit_code == 0, shown.output
    assert "3 rows of 1 player whose text is known: 3 typed" in shown.output
    assert "no threshold is lowered: none of these rows was misread" in shown.output
    assert shown.output.endswith("nothing is written\n")
    assert (cup / "event.toml").read_text("utf-8") == before
    told = json.loads(CliRunner().invoke(calibrate_command, [str(cup), "--json"]).stdout)
    assert (told["rows"], told["read_wrongly"], told["moves"], told["written"]) == (3, 0, False, None)


def test_thresholds_in_which_a_bit_turned_over_read_nothing(cup: Path) -> None:
    with open_event(cup, clock) as event:
        path = write_to(event, load_gates())
    with open_event(cup, clock) as event:
        assert net_for(event).gates == load_gates()
        path.write_text(path.read_text("utf-8").replace("marked = ", "marked = 1", 1), "utf-8")
        with pytest.raises(Stopped, match="these thresholds are not what 'calibrate' wrote; copy the file back"):
            net_for(event)
        assert ["not the thresholds that were written" in each.text for each in check_event(event)] == [True]


def test_the_command_writes_a_gate_that_names_its_measurement(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_event(cup, clock) as event:
        rule(event, ["F LON - NTH", "F EDI - NWG", "A LVP - WAL"])
    gates = load_gates()
    first, both, three = (replace(gate, marked=-1e6, accepted=-1e6, least={}) for gate in every_gate(gates))
    low = replace(gates, first=first, both=both, three=three, enough=-1e6)
    monkeypatch.setattr("pipeline.cli.rehearse.net_for", lambda _: NetRecogniser(gates=low))
    shown = CliRunner().invoke(calibrate_command, [str(cup), "--write"])
    assert shown.exit_code == 0, shown.output
    assert "the threshold is raised at once" in shown.output
    (path,) = cup.glob("gate-*.toml")
    gate = load_gates(path)
    assert gate.enough > low.enough or gate.first.marked > low.first.marked
    assert gate.measured.strip().startswith("ordersheets calibrate")
    assert "3 rows of 1 player" in gate.measured
