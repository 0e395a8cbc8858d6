"""What stands beside single rows: effects, spot checks, retreats and adjustments, stray pages, claims, precedents."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import OPENINGS, clock, hand_in, hand_in_all, hand_in_sheet, inked, printed, seated, sheets_of, spring
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Dislodged, Kind, Phase, Position, Power, Unit, standard_map, starting_position
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.review.live import without_effect
from pipeline.desk.review.orders_shown import status
from pipeline.desk.review.queue import Ready, _fingerprint_of, agenda, claim_name
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import ONE_IN, PowerRows, Row, RowStatus, is_chosen
from pipeline.desk.ruling.rulings import rule_sheet
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.desk.sheets.unfiled_pages import LateArrival
from pipeline.ink import Box, Transcription
from pipeline.judge.rulebook import DATC
from pipeline.ledger.claims import Claims, Login, digest_of
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import SheetDecision, Source
from pipeline.orders import read_order, read_position, write, write_position
from pipeline.problems import Problem, Weight
from pipeline.reading.recogniser import Tray
from pipeline.web.keyboard import TRAYS
from pipeline.web.server import EFFECTS_QUIET_S, NoEffectFinder, Opened, open_office
from pipeline.web.views import _space_units
from web.conftest import SEATS, Browser, Time
from web.office.test_rights import settle_all

OPEN = Row(line=1, ink="?", order=None, status=RowStatus.AMBIGUOUS, source=Source.OPEN)


def board(*own: Row) -> tuple[PowerRows, ...]:
    """Austria with these rows; everybody else as in the openings."""
    found = [PowerRows(power=Power.AUSTRIA, state=SheetState.IN, problems=(), rows=own)]
    for power, lines in OPENINGS.items():
        if power is not Power.AUSTRIA:
            rows = tuple(
                Row(line=1, ink=t, order=read_order(t), status=RowStatus.CLEAR, source=Source.READ) for t in lines
            )
            found.append(PowerRows(power=power, state=SheetState.IN, problems=(), rows=rows))
    return tuple(found)


def idle() -> None:
    """Nobody waits in a test."""


def effects(powers: tuple[PowerRows, ...]) -> set[tuple[Power, int]]:
    start = starting_position(standard_map())
    return set(without_effect(standard_map(), start, powers, DATC, idle))


def doubt(*candidates: str, rule: str | None = None) -> Row:
    orders = tuple(read_order(text) for text in candidates)
    return replace(OPEN, candidates=orders, order=read_order(rule) if rule else None)


def test_a_meaning_matters_if_it_changes_where_anything_stands() -> None:
    galicia = doubt("A VIE - GAL", rule="A VIE H")  # Warsaw goes there too: it gets in only if Vienna holds
    assert effects(board(galicia)) == set()
    assert effects(board(doubt("F TRI S A VIE", rule="F TRI H"))) == {(Power.AUSTRIA, 0)}


def test_what_has_an_effect_under_one_meaning_of_another_row_has_an_effect() -> None:
    support = doubt("A BUD S A VIE - GAL", rule="A BUD H")
    attack = doubt("A VIE - GAL", rule="A VIE H")
    assert effects(board(support, attack)) == set()  # with the support Vienna wins Galicia
    assert effects(board(support, replace(OPEN, order=read_order("A VIE H"), source=Source.READ))) == {
        (Power.AUSTRIA, 0)
    }


def test_nothing_is_said_while_a_row_is_unread_or_a_sheet_is_doubtful() -> None:
    quiet = doubt("A BUD S A VIE", rule="A BUD H")
    assert effects(board(quiet)) == {(Power.AUSTRIA, 0)}
    assert effects(board(quiet, replace(OPEN, status=RowStatus.UNREAD))) == set()
    asked = Problem(Weight.ASKS, "two sheets", "")
    assert effects((replace(board(quiet)[0], problems=(asked,)), *board(quiet)[1:])) == set()


def test_a_row_without_effect_says_so_and_goes_last_on_its_board(opened: Opened, tess: Browser) -> None:
    first = tess.look()["item"]
    item = next(item for item in agenda(opened.office.live) if _fingerprint_of(item) == first["token"])
    as_of = opened.office.live.touched["1.1"]
    opened.office.unimportant["1.1"] = (as_of, frozenset({claim_name(item)}))
    assert tess.look()["item"]["line"] != first["line"]
    shown = tess.look(f"{first['turn']} line {first['line']}")["item"]
    assert (shown["token"], shown["no_effect"], first["no_effect"]) == (first["token"], True, False)


def test_what_was_found_without_effect_holds_until_the_board_changes(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tess.look("1.1 S1901M AUSTRIA")["item"]
    finder, looked = NoEffectFinder(opened.office), list[int]()
    monkeypatch.setattr(opened.office, "clock", lambda: EFFECTS_QUIET_S)

    def beat() -> None:
        looked.append(1)
        assert len(looked) < 99, "it waits although it is quiet"

    opened.office.last_seen, finder.beat = 0.0, beat
    finder.work()
    assert "1.1" in opened.office.unimportant
    assert opened.office.unimportant["1.1"][0] == opened.office.live.touched["1.1"]
    tess.press("nothing")
    assert opened.office.unimportant["1.1"][0] < opened.office.live.touched["1.1"]
    assert first["no_effect"] is False


def test_one_row_in_twenty_is_checked_and_always_the_same_ones() -> None:
    row = Row(line=1, ink="A VIE H", order=read_order("A VIE H"), status=RowStatus.CLEAR, source=Source.READ)
    turns = [Turn(f"1.{n}", FIRST_PHASE, power) for n in range(200) for power in Power]
    chosen = [turn for turn in turns if is_chosen("TEST", turn, row)]
    assert len(turns) / ONE_IN * 0.7 < len(chosen) < len(turns) / ONE_IN * 1.3
    assert chosen == [turn for turn in turns if is_chosen("TEST", turn, row)]
    assert not any(is_chosen("TEST", turn, replace(row, source=Source.RULED)) for turn in turns)


def test_a_wrong_spot_check_rules_the_row_and_counts(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.desk.ruling.rows.ONE_IN", 3)
    tess.look()
    seen, said = [], []
    while tess.shown["item"] and tess.item["kind"] != "ready":
        if tess.item["kind"] == "check":
            seen.append((tess.item["turn"], tess.item["line"]))
            do = ("order", "text", "nothing")[len(seen) % 3]
            value = "" if do == "nothing" else f"{tess.item['order'][:5]} H"
            tess.press(do, value=value, values=["anyway"])
            said.append({"text" if do == "text" else "order": value or "nothing", "why": "spot check"})
        else:
            tess.press("sheet" if tess.item["kind"] == "sheet" else "nothing", value="no orders")
    checks = [fact.body for fact in read_facts(opened.office.event.facts, "spot check")]
    assert [(f"1.1 S1901M {c['power']}", c["line"]) for c in checks] == seen
    assert not any(check["right"] for check in checks)
    assert len(seen) > 2
    ruled = [fact.body for fact in read_facts(opened.office.event.facts, "ruling")]
    ruled = [body for body in ruled if (f"1.1 S1901M {body['power']}", body["line"]) in seen]
    assert [{key: body[key] for key in ("order", "text", "why") if key in body} for body in ruled] == said
    assert f"{len(seen)} wrong (100.0 %)" in tess.shown["checks"]


def test_a_wrong_spot_check_of_one_order_leaves_the_other_on_its_row(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.desk.ruling.rows.ONE_IN", 1)
    austria = spring(Power.AUSTRIA)
    with open_event(seated(tmp_path / "cup"), clock) as event:
        print_round(event, 1)
        hand_in(event, austria, [inked(1, "A VIE - GAL, A BUD - SER"), inked(2, "F TRI - ALB")])
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=time) as opened:
        tess = Browser(opened, "Tess")
        item = tess.look(str(austria))["item"]
        assert (item["kind"], item["order"]) == ("check", "A VIE - GAL")
        tess.press("order", value="A VIE H", values=["anyway"])
        rows = Desk.of(opened.office.event).power(opened.office.live.games["1.1"], Power.AUSTRIA).rows
    assert [write(row.order) for row in rows if row.order] == ["A BUD - SER", "A VIE H", "F TRI - ALB"]


def set_position(opened: Opened, change: Position) -> None:
    append_fact(opened.office.event.facts, "position set", {"board": "1.1", "position": write_position(change)}, "Tess")


@pytest.fixture
def winter(opened: Opened) -> Position:
    """Austria may build two, and Turkey must disband one."""
    start = starting_position(standard_map())
    units = {**start.units, Power.AUSTRIA: start.units[Power.AUSTRIA][:1]}
    centres = {**start.centres, Power.TURKEY: start.centres[Power.TURKEY][:2]}
    found = Position(phase=Phase.read("W1901A"), units=units, centres=centres)
    set_position(opened, found)
    return found


def test_adjustments_are_keyed_a_unit_at_a_time_and_published(opened: Opened, tess: Browser, winter: Position) -> None:
    assert read_position(write_position(winter), standard_map()) == winter
    entry = tess.look()["item"]
    assert (entry["kind"], [slot["what"] for slot in entry["slots"]]) == (
        "entry",
        ["build 1 of 2", "build 2 of 2", "disband 1 of 1"],
    )
    options = {option["order"]: option["key"] for option in entry["slots"][0]["options"]}
    assert options["WAIVE"] == "W"
    orders = [next(o for o in options if o.endswith(" B")), "WAIVE"]
    gone = entry["slots"][2]["options"][0]["order"]
    turns = [slot["turn"] for slot in entry["slots"]]
    values = [f"{turn}: {order}" for turn, order in zip(turns, [*orders, gone], strict=True)]
    ready = tess.press("entry", values=values)["item"]
    assert {row["source"] for power in ready["powers"] for row in power["rows"]} == {"typed"}, "nobody ruled on it"
    assert ready["kind"] == "ready"
    shown = [row["order"] for power in ready["powers"] for row in power["rows"]]
    assert sorted(shown) == sorted([*orders, gone])
    tess.press("publish")
    assert str(opened.office.live.games["1.1"].position.phase) == "S1902M"


def test_an_entry_is_taken_back_and_made_again_by_power(opened: Opened, tess: Browser, winter: Position) -> None:
    assert winter.phase.year == 1901

    def waiting() -> set[str]:
        slots = tess.look()["item"].get("slots") or []
        return {slot["turn"] for slot in slots}

    both = {"1.1 W1901A AUSTRIA", "1.1 W1901A TURKEY"}
    assert waiting() == both
    orders = ["AUSTRIA: A VIE B", "AUSTRIA: F TRI B", "TURKEY: A CON D"]
    tess.press("entry", values=[f"1.1 W1901A {order}" for order in orders])
    for _ in range(2):
        for left in ({"1.1 W1901A TURKEY"}, both):
            tess.press("undo")
            assert waiting() == left
        tess.press("redo")
        assert waiting() == {"1.1 W1901A TURKEY"}
        tess.press("redo")
    tess.press("undo")
    ready = tess.press("redo")["item"]
    shown = sorted(row["order"] for power in ready["powers"] for row in power["rows"])
    assert shown == ["A CON D", "A VIE B", "F TRI B"]


def test_what_is_not_due_is_not_entered(tess: Browser, winter: Position) -> None:
    assert winter.phase.year == 1901
    tess.look()
    tess.press("entry", values=["1.1 W1901A FRANCE: A PAR B"], status=422)
    tess.press("entry", values=["1.1 W1901A AUSTRIA: nonsense"], status=422)
    said = tess.press("nothing", values=["1.1 W1901A AUSTRIA: WAIVE", "1.1 W1901A AUSTRIA: WAIVE"], status=422)["said"]
    assert "does not enter retreats or adjustments" in said
    assert not list(read_facts(tess.opened.office.event.facts, "lines typed"))


@pytest.mark.parametrize(
    ("power", "orders"), [("AUSTRIA", ["A VIE B", "F TRI B", "WAIVE"]), ("TURKEY", ["A CON D", "A SMY D"])]
)
def test_more_than_is_due_is_not_entered(tess: Browser, winter: Position, power: str, orders: list[str]) -> None:
    """As by the command: which of them count is no matter for the keys, and may be the director's (NZ99 15)."""
    assert winter.phase.year == 1901
    tess.look()
    said = tess.press("entry", values=[f"1.1 W1901A {power}: {order}" for order in orders], status=422)["said"]
    assert "too many" in said
    assert not list(read_facts(tess.opened.office.event.facts, "lines typed"))


def test_each_order_that_may_be_entered_has_a_key_of_its_own(opened: Opened, tess: Browser) -> None:
    start = starting_position(standard_map())
    lost = Dislodged(Power.AUSTRIA, Unit(Kind.ARMY, "VIE"), "GAL", ("BOH", "TYR"))
    set_position(opened, replace(start, phase=Phase.read("S1901R"), dislodged=(lost,)))
    (slot,) = tess.look()["item"]["slots"]
    assert {option["order"]: option["key"] for option in slot["options"]} == {
        "A VIE R BOH": "1",
        "A VIE R TYR": "2",
        "A VIE D": "D",
    }


def test_units_to_disband_are_numbered(tess: Browser, winter: Position) -> None:
    slot = tess.look()["item"]["slots"][2]
    assert [option["key"] for option in slot["options"]] == [str(number + 1) for number in range(len(slot["options"]))]
    assert len(slot["options"]) == len(winter.units[Power.TURKEY]) > 1


def test_the_only_unit_that_can_be_disbanded_is_the_first(opened: Opened, tess: Browser, winter: Position) -> None:
    units = {**winter.units, Power.TURKEY: winter.units[Power.TURKEY][:1]}
    set_position(opened, replace(winter, units=units, centres={**winter.centres, Power.TURKEY: ()}))
    slot = next(each for each in tess.look()["item"]["slots"] if "TURKEY" in each["turn"])
    assert [option["key"] for option in slot["options"]] == ["1"]


def test_a_page_in_nobodys_tray_comes_first_and_is_put_aside(opened: Opened, tess: Browser) -> None:
    body = {"sha256": "e" * 64, "page": 1, "tray": "unidentified", "text": "no codes", "offers": []}
    append_fact(opened.office.event.facts, "page read", body, "test")
    item = tess.look()["item"]
    assert (item["kind"], item["why"]) == ("page", "it is not known which sheet this is: no codes")
    assert tess.press("aside")["item"]["kind"] != "page"


def test_a_page_that_may_be_a_sheet_is_put_aside_alone_and_others_of_its_file_by_what_they_are(
    opened: Opened, tess: Browser
) -> None:
    offers = list(printed_sheets(opened.office.event))[:2]
    pages: tuple[tuple[str, list[str], str], ...] = (
        ("e", offers, "unidentified"),
        ("e", [], "unidentified"),
        ("e", [], "foreign"),
        ("f", [], "unidentified"),
    )
    for page, (file, shown, tray) in enumerate((*pages, pages[3], pages[2]), start=1):
        body = {"sha256": file * 64, "page": page, "tray": tray, "text": "no codes", "offers": shown}
        append_fact(opened.office.event.facts, "page read", body, "test")
    keys = [{choice["key"]: choice["order"] for choice in tess.look()["item"]["choices"]}]
    keys += [{choice["key"]: choice["order"] for choice in tess.press("later")["item"]["choices"]} for _ in range(5)]
    many = [(each.get("F"), each.get("A")) for each in keys]
    three = "put 3 pages aside"
    assert many == [(None, None), *[(three, None)] * 2, *[("put 2 pages aside", three)] * 2, (three, None)]


def test_a_page_that_may_be_a_sheet_of_a_board_holds_its_gate_shut(opened: Opened, tess: Browser) -> None:
    settle_all(tess)
    (board,) = tess.look()["boards"]
    assert (board["ready"], board["pages"]) == (True, 0)
    offers = list(printed_sheets(opened.office.event))[:2]
    body = {"sha256": "e" * 64, "page": 1, "tray": "unidentified", "text": "no codes", "offers": offers}
    append_fact(opened.office.event.facts, "page read", body, "test")

    (board,) = tess.look()["boards"]
    assert (board["ready"], board["pages"]) == (False, 1)
    assert not any(isinstance(item, Ready) for item in agenda(opened.office.live))
    assert tess.press("aside")["item"]["kind"] == "ready"


def test_who_was_asked_for_a_sheet_before_a_file_came_may_answer_and_the_board_waits_for_the_file(
    opened: Opened, tess: Browser
) -> None:
    event = opened.office.event
    settle_all(tess)
    tess.press("publish")
    print_round(event, 1, wish=PrintWish(phase=Phase.read("F1901M")))
    for power in [*Power][1:]:
        rule_sheet(event, Turn("1.1", Phase.read("F1901M"), power), SheetDecision.NO_ORDERS, by="Tess")
    assert tess.look()["item"]["kind"] == "sheet"
    event.facts.write(ScanReceived(sha256="e" * 64, name="queue.pdf", path="queue.pdf"), "scan")

    tess.press("sheet", value="no orders")

    (board,) = tess.look()["boards"]
    assert (board["ready"], tess.shown["item"], tess.shown["unread"]) == (False, None, 1)
    (told,) = board["too_early"]
    assert "before queue.pdf was read; wait until it is, or pass it over, under Scan" in told


def test_a_sheet_that_nobody_asks_for_any_more_is_shown_and_put_aside(opened: Opened, tess: Browser) -> None:
    office = opened.office
    settle_all(tess)
    tess.press("publish")
    print_round(office.event, 1, wish=PrintWish(phase=FIRST_PHASE))
    late = sheets_of(office.event, spring(Power.AUSTRIA))[1]
    for scan in "de":
        hand_in_sheet(office.event, late, [inked(1, "A VIE H")], scan * 64)
    print_round(office.event, 1, wish=PrintWish(phase=Phase.read("F1903M")))
    (early,) = sheets_of(office.event, replace(spring(Power.AUSTRIA), phase=Phase.read("F1903M")))
    hand_in_sheet(office.event, early, [inked(1, "A VIE H")], "f" * 64)

    with office.inside() as live:
        shown = [item.sheet for item in agenda(live) if isinstance(item, LateArrival)]
    assert shown == [late]  # what waits for its own season is nobody's work
    item = tess.look()["item"]
    while item["kind"] != "page":
        item = tess.press("later")["item"]
    assert (item["title"], late in item["why"]) == ("A sheet that is not expected now", True)
    put_off = tess.press("later")["put_off"]
    while tess.item["kind"] != "page":
        tess.press("later")

    assert tess.press("aside")["put_off"] == put_off - 1
    for _ in range(2):
        assert tess.press("undo")["told"] == "2 pages wait again"
        again = tess.press("redo")
        assert (again["told"], again["redo"]) == ("decided again: 2 pages", 0)

    with office.inside() as live:
        assert not [item for item in agenda(live) if isinstance(item, LateArrival)]
    assert [problem["where"] for problem in status(office.event)["problems"]] == [f"{early} 1.1 AUSTRIA"]


def test_a_page_that_is_named_counts_as_that_sheet_and_no_other(opened: Opened, tess: Browser) -> None:
    office = opened.office
    ids = {str(sheet.request.power): sheet_id for sheet_id, sheet in printed_sheets(office.event).items()}

    def read_as(power: str, tray: str) -> dict[str, object]:
        found = Transcription(
            sheet_id=ids[power],
            scan_sha256="d" * 64,
            page=1,
            reader="x",
            lines=(inked(1, f"as {power}"),),
            residual_mm=0,
        )
        body = {"sha256": "d" * 64, "page": 1, "tray": tray, "text": "?", "offers": [ids["ITALY"]]}
        return body | {"transcription": body_of(found)}

    def texts(power: Power) -> list[str]:
        with office.inside() as live:
            assert live.desk.sheets.get(spring(power), ()) == sheets_in(office.event).get(spring(power), ())
            scans = (scan for sheet in live.sheets(spring(power)) for scan in sheet.scans)
            return [line.text for scan in scans for line in scan.lines]

    before = texts(Power.TURKEY)
    append_fact(office.event.facts, "page read", read_as("TURKEY", "doubtful"), "x")
    assert tess.look()["item"]["choices"][0]["value"] == ids["ITALY"]
    assert (texts(Power.TURKEY), "as ITALY" in texts(Power.ITALY)) == (before, False)
    append_fact(office.event.facts, "page identified", {"sha256": "d" * 64, "page": 1, "sheet": ids["ITALY"]}, "x")
    append_fact(office.event.facts, "page read", read_as("ITALY", "filed"), "x")
    assert (texts(Power.TURKEY), "as ITALY" in texts(Power.ITALY)) == (before, True)
    append_fact(office.event.facts, "page identified", {"sha256": "d" * 64, "page": 1, "sheet": ids["TURKEY"]}, "x")
    assert "as ITALY" not in texts(Power.ITALY)


def test_what_is_written_outside_the_rows_is_outlined_on_the_sheet(opened: Opened, tess: Browser) -> None:
    boxes = (Box(21.0, 148.5, 42.0, 8.91), Box(63.0, 178.2, 21.0, 29.7))
    hand_in(opened.office.event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], sha256="c" * 64, outside=boxes)
    item = tess.look("1.1 S1901M FRANCE")["item"]
    assert item["kind"] == "sheet"
    assert "outside the rows" in item["why"]
    assert item["sheets"][0]["box"] == [10.0, 50.0, 30.0, 20.0]
    tess.press("sheet", value="accepted")
    assert not any(problem.weight is Weight.ASKS for problem in france(opened).problems)


def france(opened: Opened) -> PowerRows:
    """France's rows as they are now."""
    return Desk.of(opened.office.event).power(find_game(opened.office.event, "1"), Power.FRANCE)


def test_a_late_sheet_is_marked_from_any_of_its_rows(opened: Opened, tess: Browser) -> None:
    turn = tess.look("1.1 S1901M AUSTRIA")["item"]["turn"]
    tess.press("sheet of", token=turn, value="late")
    assert next(iter(read_facts(opened.office.event.facts, "sheet ruling"))).body["decision"] == "late"
    assert tess.press("undo")["item"]["turn"] == turn


@pytest.mark.parametrize("key", ["sheet of", "type"])
def test_what_is_said_of_a_whole_sheet_is_of_what_was_shown(opened: Opened, tess: Browser, key: str) -> None:
    event, turn = opened.office.event, spring(Power.AUSTRIA)
    print_round(event, 1)
    shown = tess.client.get("/api/legal", params={"turn": str(turn)}).json()["shown"]
    hand_in_sheet(event, sheets_of(event, turn)[1], [inked(1, "A VIE H")], "d" * 64, signed=True)
    told = tess.press(key, token=str(turn), value="refused", values=["A VIE H"], status=409, shown=shown)
    assert "since it was shown" in told["said"]
    assert "two sheets" in str(told["changed"][0]["now"])
    assert "two sheets" not in str(told["changed"][0]["was"])
    assert not [*read_facts(event.facts, "sheet ruling"), *read_facts(event.facts, "lines typed")]


def test_a_ruling_on_the_same_situation_is_found_again(opened: Opened, tess: Browser) -> None:
    settle_all(tess)
    book = opened.office.rulings_book()
    assert book.rulings
    assert all(ruling.by == "Tess" for ruling in book.rulings)
    first = book.rulings[0]
    assert first.asked
    assert book.on(first.situation)[0].decision == first.decision


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Claims]:
    """An empty file of claims."""
    found = Claims(tmp_path / "claims.db")
    yield found
    found.close()


def login(name: str) -> Login:
    return Login(digest=name, csrf="", name=name, role="assistant", until=100.0)


def test_a_thing_is_claimed_once_until_it_is_let_go_or_forgotten(claims: Claims) -> None:
    anna, tess = login("anna"), login("tess")
    assert claims.claim("row 1", anna, now=0, seconds=15)
    assert not claims.claim("row 1", tess, now=14, seconds=15)
    assert claims.held_by_others(tess, now=14, seconds=15) == {"row 1": "anna"}
    claims.renew(anna, now=14, seconds=15)
    assert not claims.claim("row 1", tess, now=28, seconds=15)
    assert claims.claim("row 1", tess, now=29, seconds=15)
    claims.keep_only(None, tess)
    assert claims.claim("row 1", anna, now=30, seconds=15)


def test_two_programs_on_one_file_agree_on_who_holds_what(claims: Claims) -> None:
    other = Claims(claims.path)
    assert claims.claim("row 1", login("anna"), now=0, seconds=15)
    assert not other.claim("row 1", login("tess"), now=1, seconds=15)
    other.close()


def test_a_session_ends_when_its_day_is_over_or_it_is_sent_away(claims: Claims) -> None:
    cookie = "secret"
    known = Login(digest=digest_of(cookie), csrf="x", name="anna", role="assistant", until=100.0)
    claims.let_in(known)
    assert claims.login(cookie, now=99, seconds=100) == known
    assert claims.login(cookie, now=101, seconds=100) is None
    assert cookie.encode() not in claims.path.read_bytes()
    claims.send_away(known)
    assert claims.login(cookie, now=1, seconds=100) is None


@pytest.mark.parametrize("tray", Tray)
def test_every_tray_has_words_that_are_not_its_name(tray: Tray) -> None:
    assert len(TRAYS[tray].split()) > 2, "a sentence, and no word of the house"
    assert not TRAYS[tray].startswith(tray.value)


def test_a_row_to_be_compared_with_its_ink_keeps_no_board_from_being_published(
    tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.desk.ruling.rows.ONE_IN", 3)
    tess.look()
    while (told := tess.client.get("/api/day").json())["boards"][0]["settle"]:
        if tess.item["kind"] == "check":
            tess.press("later")
        else:
            tess.press("sheet" if tess.item["kind"] == "sheet" else "nothing", value="no orders")
    board = told["boards"][0]
    assert (board["ready"], board["settle"]) == (True, 0)
    assert board["checks"]
    assert next(step for step in told["steps"] if step["step"] == "doubts")["word"] == "none"


@pytest.mark.parametrize(
    ("ink", "shown"),
    [
        ("AMUN - BUR RUH", "A MUN - BUR RUH"),
        ("FSTP/SC - BOT", "F STP/SC - BOT"),
        ("ABUD S AVIE", "A BUD S A VIE"),
        ("FALL", "FALL"),
        ("FROM VIE TO GAL", "FROM VIE TO GAL"),
        ("ATRI FROM AVIE", "A TRI FROM A VIE"),
    ],
)
def test_a_unit_is_shown_apart_from_its_province(opened: Opened, ink: str, shown: str) -> None:
    assert _space_units(opened.office, ink) == shown


@pytest.mark.parametrize(("who", "player"), [("Tess", "Gil"), ("Anna", None)])
def test_a_director_is_told_whose_sheet_is_missing_and_an_assistant_is_not(
    tmp_path: Path, time: Time, who: str, player: str | None
) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event, but=Power.TURKEY)
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=time) as opened:
        item = Browser(opened, who).look(str(spring(Power.TURKEY)))["item"]
        assert (item["kind"], item["state"], item.get("player")) == ("sheet", "missing", player)
