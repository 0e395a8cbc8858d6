"""What a page says of one thing, tried with all that it may be; no event is opened where none is needed."""

import re
from itertools import count, product
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any, cast

import pytest
from facts_as_kept import read_facts

from pipeline.board import Phase, Power, standard_map
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import Turn
from pipeline.desk.review.queue import Check, Ready, ReviewItem
from pipeline.desk.ruling.rulings import NOTHING
from pipeline.ink import Box, Note
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    read_order,
    read_unit,
)
from pipeline.paper.canvas import live_squares
from pipeline.problems import Problem, Weight
from pipeline.reading.recogniser import VIEW_MM
from pipeline.rules.conduct import Correction
from pipeline.scoring.results import Ending
from pipeline.scoring.rules import Ties, TwoBoards
from pipeline.scoring.tiebreaks import Distance
from pipeline.web import (
    acts,
    copying,
    correct,
    forms_page,
    notes_page,
    prints,
    public_pages,
    public_site,
    round_view,
    sheet_pictures,
    tables,
    upload,
    views,
)
from pipeline.web.keyboard import say_order
from pipeline.web.office import Office
from pipeline.web.server import NoEffectFinder, Opened
from pipeline.words.speech import IN_ENGLISH
from web.conftest import Browser
from web.stale import send


def game_over(ending: Ending, centres: dict[Power, int], player: str) -> Any:
    """A game that has ended, in which everybody is called the same."""
    seating = SimpleNamespace(last_players=dict.fromkeys(centres, player))
    return SimpleNamespace(ending=ending, centres=centres, seating=seating)


@pytest.mark.parametrize("winner", Power)
@pytest.mark.parametrize("player", ["Ada", ""])
def test_who_has_won_alone_is_named_with_the_power(winner: Power, player: str) -> None:
    game = game_over(Ending.SOLO, {power: 18 if power is winner else 2 for power in Power}, player)
    assert tables.ended_in_words(game) == f"solo of {player or 'nobody'} ({winner.title()})"
    said = public_pages.game_state(game, IN_ENGLISH)
    assert said == f"over: solo of {player or winner.title()} ({winner.title()})"


def test_each_way_to_end_has_words_of_its_own() -> None:
    games = [game_over(each, {}, "") for each in Ending if each is not Ending.SOLO]
    for said in (tables.ended_in_words, lambda game: public_pages.game_state(game, IN_ENGLISH)):
        words = [said(game) for game in games if game.ending in {*tables.ENDINGS, Ending.UNSTATED}]
        assert len(set(words)) == len(words)
        assert not re.search(r"[{}]", "".join(words))


def test_a_code_for_telephones_is_drawn_whole_with_four_squares_of_white_around_it() -> None:
    drawn = public_site._code_of("http://192.168.1.20:8040/live")
    squares = live_squares("HTTP://192.168.1.20:8040/LIVE")
    side = int(re.findall(r'viewBox="0 0 (\d+) \1"', drawn)[0])
    black = {
        (int(x) + step, float(y) - 0.5)
        for x, y, length in re.findall(r"M(\d+) ([\d.]+)h(\d+)", drawn.partition("stroke=")[2])
        for step in range(int(length))
    }
    assert side == len(squares) + 8
    assert black == {(x + 4, y + 4) for y, line in enumerate(squares) for x, is_black in enumerate(line) if is_black}


def test_of_a_league_the_rounds_that_were_drawn_and_the_next_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    early = SimpleNamespace(said=SimpleNamespace(after=2))
    for drawn in range(5):
        games = {str(n): SimpleNamespace(seating=SimpleNamespace(round=n)) for n in range(1, drawn + 1)}
        for is_league, over, shown in ((True, None, 1), (True, None, 4), (False, None, 1), (True, early, 1)):
            tournament = SimpleNamespace(rounds=4, is_league=is_league)
            office: Any = SimpleNamespace(
                event=SimpleNamespace(tournament=tournament), live=SimpleNamespace(games=games)
            )
            monkeypatch.setattr(round_view, "ended_early", lambda _, over=over: over)
            last = 2 if over else 4 if not is_league or shown == 4 else min(drawn + 1, 4)
            assert round_view._rounds_shown(office, shown) == last, (drawn, is_league, shown)
    monkeypatch.setattr(round_view, "ended_early", lambda _: early)
    assert round_view._rounds_shown(office, 3) == 3, "the one that is looked at"


@pytest.mark.parametrize("endings", [(), ("",), ("time",), ("time", "solo"), ("time", "")])
@pytest.mark.parametrize("is_drawn", [False, True])
def test_the_round_before_is_over_where_all_its_games_are_and_the_next_is_not_drawn(
    endings: tuple[str, ...], is_drawn: bool
) -> None:
    games: Any = [SimpleNamespace(seating=SimpleNamespace(round=2), ending=ending) for ending in endings]
    games += [SimpleNamespace(seating=SimpleNamespace(round=number), ending="") for number in (1, *[3] * is_drawn)]
    is_over = bool(endings) and all(endings) and not is_drawn
    assert round_view._round_over_before(games, 3) == (2 if is_over else 0)


def problem(weight: Weight, where: str) -> Problem:
    return Problem(weight, "TURKEY waits; use 'ordersheets draw'", where)


def test_what_a_correction_asks_and_leaves_waiting_is_said_of_each_sheet_in_the_words_of_pages() -> None:
    problems = (
        *(problem(Weight.ASKS, f"1.1 F1901M {place}") for place in ("ITALY line 0", "ITALY line 2", "RUSSIA")),
        problem(Weight.NOTES, "1.1 F1901M ITALY line 3"),
        problem(Weight.ASKS, "1.1 F1901M"),
    )
    text = "Turkey waits; draw it on the page Round"
    places = (" Italy", " Italy line 2", " Russia", "")
    assert list(correct._asks_in_words(problems)) == [f"1.1 F1901M{place}: {text}" for place in places]
    assert list(correct._waits_by_sheet(problems)) == [
        f"Fall 1901, sheet of Italy: {text}; line 2: {text}",
        f"Fall 1901, sheet of Russia: {text}",
        f"1.1 F1901M: {text}",
    ]


def test_rows_that_give_other_orders_are_said_with_their_sheet_each_at_its_phase() -> None:
    fall, spring = Phase.read("F1901M"), Phase.read("S1902M")

    def row(phase: Phase, power: Power, line: int, was: str = "", now: str = "") -> Any:
        return SimpleNamespace(turn=Turn("1.1", phase, power), line=line, ink=f"ink {line}", was=was, now=now)

    rows = [
        row(fall, Power.ITALY, 1, "A ROM H"),
        row(spring, Power.ITALY, 2),
        row(fall, Power.RUSSIA, 3, now="A MOS H"),
        row(fall, Power.ITALY, 4, "A VEN H", "A VEN - TRI"),
    ]
    said = [list(correct._reread_in_words(SimpleNamespace(reread=rows), each)) for each in (fall, spring)]  # type: ignore[arg-type] # a stand-in
    gave = "line {}, “ink {}”, gave {} and gives {}".format
    assert said == [
        [
            f"Sheet of Italy: {gave(1, 1, 'A ROM H', 'no order')}; {gave(4, 4, 'A VEN H', 'A VEN - TRI')}",
            f"Sheet of Russia: {gave(3, 3, 'no order', 'A MOS H')}",
        ],
        [f"Sheet of Italy: {gave(2, 2, 'no order', 'no order')}"],
    ]
    change: Any = SimpleNamespace(player="Ada", was=None, now=("2", "7"))
    assert correct.place_view(change) == {"player": "Ada", "was": "–", "now": "2 (7)"}


def test_how_much_larger_the_full_picture_is_is_a_number_from_one_to_eight() -> None:
    read = {"": 1.0, "x": 1.0, "nan": 1.0, "inf": 8.0, "-3": 1.0, "0.5": 1.0, "1": 1.0, "2.5": 2.5, "8": 8.0, "9": 8.0}
    assert {text: upload._read_scale(text) for text in read} == read


def test_while_a_picture_is_looked_at_the_next_is_not(opened: Opened) -> None:
    with (at_work := Lock()):
        assert upload._look_in_turn(at_work, opened.office, b"", "1").state == "busy"


def test_what_is_put_off_comes_last_in_the_order_in_which_it_was_put_off(opened: Opened, tess: Browser) -> None:
    office: Office = opened.office
    _, login = opened.logins.enter("Tess", tess.opened.logins.guests[0].role)
    names = [name for name, _ in office.items(login)]
    first, second, *others = names
    for again in (first, second, first):
        office.put_off(login, dict(office.items(login))[again])
    assert [name for name, _ in office.items(login)] == [*others, second, first]


def test_one_thing_of_several_people_is_entered_as_if_each_were_entered_alone(opened: Opened, tess: Browser) -> None:
    facts, each = opened.office.event.facts, {"Ada": "120", "Cem": " ", "Eva": "80"}

    def written(*bodies: dict[str, Any]) -> list[tuple[str, Any, str]]:
        before = facts.last_number()
        for body in bodies:
            tess.post("/api/notes/enter", what="distance", why="asked", **body)
        made = list(read_facts(facts, after=before))
        tess.post("/api/journal/undo", numbers=[fact.number for fact in made], why="again")
        return [(fact.kind, fact.body, fact.by) for fact in made]

    together = written({"each": each})
    alone = [{"values": {"player": name, "km": km}} for name, km in each.items() if km.strip()]
    assert together == written(*alone)
    assert len(together) == 2
    newest = facts.last_number()
    for wrong, where in (({"Ada": "1", "Cem": "far"}, "Cem"), ({"Ada": ""}, "km"), ({"Ada": 7}, "values")):
        answer = send(tess, "/api/notes/enter", {"what": "distance", "each": wrong, "why": "asked"})
        assert (answer.status_code, answer.json()["where"]) == (422, where), answer.text
    assert facts.last_number() == newest, "all or none"


def test_the_address_of_a_card_or_a_map_is_told_where_its_file_is(tmp_path: Path) -> None:
    office: Any = SimpleNamespace(event=SimpleNamespace(out=tmp_path))
    game: Any = SimpleNamespace(name="1.1")
    played: Any = [SimpleNamespace(phase=Phase.read(phase)) for phase in ("S1901M", "F1901M")]
    (tmp_path / "1.1-S1901M-card.pdf").touch()
    (tmp_path / "1.1-F1901M-map.pdf").touch()
    assert round_view._files_of(office, game, played) == [
        {"phase": "Spring 1901", "card": "/out/1.1-S1901M-card.pdf", "map": ""},
        {"phase": "Fall 1901", "card": "", "map": "/out/1.1-F1901M-map.pdf"},
    ]


IN_RULES: tuple[tuple[dict[str, Any], set[str]], ...] = (  # what rules know of, and the kinds of notes that it is for
    ({}, set()),
    ({"bonuses.withdrawal": 1}, {"bonus"}),
    ({"bonuses.preregistration": 1}, {"bonus", "preregistered"}),
    ({"system.late_seasons": ()}, {"late-start"}),
    *(({"totals.two_boards": each}, {"counts"}) for each in (TwoBoards.ASK, TwoBoards.CHOSEN)),
    ({"totals.two_boards": TwoBoards.HIGHER}, set()),
    ({"teams": SimpleNamespace(per_country=None)}, set()),
    ({"teams": SimpleNamespace(per_country=2)}, {"country"}),
    ({"systems": (True, False)}, {"draw"}),
    ({"systems": (False,)}, set()),
    ({"totals.rounds": (1,)}, {"early-end"}),
    *(({"ties": Ties(**{chain: (Distance(),)})}, {"distance"}) for chain in Ties.__struct_fields__),
)


@pytest.mark.parametrize(("known", "kinds"), IN_RULES, ids=lambda value: ", ".join(sorted(map(str, value))))
def test_a_kind_of_note_is_offered_where_the_rules_know_of_what_it_says(
    known: dict[str, Any], kinds: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.web.notes_page.looks_at_draw", bool)
    rules: Any = SimpleNamespace(
        bonuses=SimpleNamespace(preregistration=None, withdrawal=None),
        system=SimpleNamespace(late_seasons=None),
        totals=SimpleNamespace(two_boards=TwoBoards.BOTH, rounds=()),
        teams=None,
        systems=(),
        ties=Ties(),
    )
    for name, value in known.items():
        part, _, field = name.rpartition(".")
        setattr(getattr(rules, part) if part else rules, field, value)
    assert {kind for _, each in IN_RULES for kind in each} - notes_page._unknown_kinds(rules) == kinds


WITHIN_BOXES = {  # what is noted of the words that were read, or of the readers; or is noted of forms alone
    *(Note.TORN, Note.RUN_TOGETHER, Note.NO_DASH, Note.S_OR_ARROW, Note.MENDED, Note.NO_SIGN, Note.NO_UNIT),
    *(Note.TOO_MUCH, Note.LEAVES_BOX, Note.GAP, Note.OUT_OF_RANGE, Note.HIDDEN_BOX, Note.TWO_CHOICES, Note.FAINT_TICK),
    *(Note.TYPED, Note.SCANS_DIFFER, Note.HANDS_DIFFER, Note.ENGINE_FAILED, Note.ENGINE_SHORT, Note.RECORDING_ENDED),
}


def test_a_row_is_cut_to_its_boxes_only_where_no_note_says_that_ink_may_be_elsewhere() -> None:
    assert set(Note) - WITHIN_BOXES == sheet_pictures.WHOLE


def test_a_place_of_copies_that_does_not_answer_is_said_to_be_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "within_a_moment", lambda *_: None)
    (row,) = copying._copies_in(tmp_path)
    assert (row["place"], row["copy"], row["facts"], "slow" in row["fault"]) == (str(tmp_path), "", 0, True)
    assert list(copying._copies_in(tmp_path / "gone")) == []


def test_standings_are_written_as_they_are_asked_for(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_wall(_: Event, *, as_pdf: bool, running: bool) -> bytes:
        return f"wall {as_pdf} {running}".encode()

    def write_standings(_: Event, *, running: bool) -> Any:
        def as_csv(*, has_semicolons: bool) -> bytes:
            return f"list {running} {has_semicolons}".encode()

        return SimpleNamespace(data=f"book {running}".encode(), as_csv=as_csv)

    monkeypatch.setattr(prints, "write_wall", write_wall)
    monkeypatch.setattr(prints, "write_standings", write_standings)
    for is_open, running, semicolons in product((False, True), repeat=3):
        tess.post("/api/tables/seal", open=is_open)
        texts = {"pdf": f"wall True {running}", "xlsx": f"book {running}", "csv": f"list {running} {semicolons}"}
        asked = {"running": "1"} if running else {}
        asked |= {"semicolons": "1"} if semicolons else {}
        for ending, text in texts.items():
            answer = tess.client.get(f"/print/standings.{ending}", params=asked)
            if running and not is_open:
                assert (answer.status_code, answer.json()["where"]) == (422, "standings")
                continue
            kind, name = (answer.headers[each] for each in ("content-type", "content-disposition"))
            assert (answer.text, kind) == (text, prints.STANDINGS[ending])
            assert name == f'inline; filename="standings.{ending}"'


@pytest.mark.parametrize(("on", "shown"), [(None, 0), ((), None), ((1,), 1), ((0, 1), 0)])
def test_of_a_row_the_sheet_is_shown_on_which_it_stands_and_the_only_one_in_any_case(
    on: tuple[int, ...] | None, shown: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``on``: the sheets of two on which it stands; None where a sheet is shown, and no row of it."""
    monkeypatch.setattr(sheet_pictures, "picture_view", lambda sheet, _: sheet)
    monkeypatch.setattr(sheet_pictures, "_line_of_row", lambda _, sheet: sheet if sheet in (on or ()) else None)
    turn, row = Turn("1.1", Phase.read("S1901M"), Power.ITALY), None if on is None else "row"
    for sheets, found in (([0, 1], shown), ([2], 2), ([], None)):
        office: Any = SimpleNamespace(live=SimpleNamespace(sheets=lambda _, sheets=sheets: sheets))
        told: Any = sheet_pictures.sheet_picture(office, turn, row)  # type: ignore[arg-type] # a stand-in
        assert told == found


@pytest.mark.parametrize("stands_on", range(3))
def test_of_several_sheets_the_scans_of_the_one_are_shown_on_which_the_row_stands(
    stands_on: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_pictures, "_scan_picture", lambda sheet, scan, box, _: {"is": (sheet.serial, scan, box)})
    monkeypatch.setattr(sheet_pictures, "scan_in_words", lambda number, _: number)
    sheets = [SimpleNamespace(serial=serial, scans=(f"{serial} a", f"{serial} b")) for serial in range(3)]
    office: Any = SimpleNamespace(live=SimpleNamespace(sheets=lambda _: sheets))
    shown = [SimpleNamespace(line=SimpleNamespace(box=box)) for box in "cd"]
    row: Any = SimpleNamespace(scans=shown, ground=SimpleNamespace(sheet=stands_on))
    turn = Turn("1.1", Phase.read("S1901M"), Power.ITALY)
    assert [*sheet_pictures.scan_pictures(office, turn, row)] == [
        {"is": (stands_on, f"{stands_on} a", "c"), "words": 1}, {"is": (stands_on, f"{stands_on} b", "d"), "words": 2},
    ]  # fmt: skip


@pytest.mark.parametrize(("left", "top"), [*product((0.0, 0.4, VIEW_MM, 50.0), repeat=2)])
@pytest.mark.parametrize("at_the_other_edges", [False, True])
def test_a_line_lies_in_its_picture_where_it_lies_on_the_paper(
    left: float, top: float, at_the_other_edges: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture is what there is of the paper as far around the row as `VIEW_MM`."""
    size, box = (140.0, 200.0), Box(left, top, 60.0, 8.0)
    if at_the_other_edges:
        box = Box(size[0] - left - 60.0, size[1] - top - 8.0, 60.0, 8.0)
    monkeypatch.setattr(sheet_pictures, "_line_of_row", lambda *_: SimpleNamespace(box=box, number=1))
    form = SimpleNamespace(width=size[0], height=size[1], cells_of=lambda _: ())
    sheet = SimpleNamespace(printed=SimpleNamespace(page=SimpleNamespace(form=form)))
    office: Any = SimpleNamespace(live=SimpleNamespace(sheets=lambda _: [sheet]))
    row: Any = SimpleNamespace(notes=())
    (line,) = sheet_pictures.lines_in_picture(office, Turn("1.1", Phase.read("S1901M"), Power.ITALY), row)
    for place, (begin, long, whole) in enumerate(((box.left, box.width, size[0]), (box.top, box.height, size[1]))):
        before = min(VIEW_MM, begin)
        picture = before + long + min(VIEW_MM, whole - begin - long)
        assert line["place"][place::2] == pytest.approx([100 * before / picture, 100 * long / picture], abs=0.01)


@pytest.mark.parametrize("value", SheetDecision)
def test_what_a_decision_does_is_said_of_a_sheet_and_that_it_holds_for_others_only_where_it_does(
    value: SheetDecision, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "_what_counts", lambda *_: "what counts")
    turn, office, row = Turn("1.1", Phase.read("S1901M"), Power.ITALY), *[cast("Any", SimpleNamespace())] * 2
    items: tuple[Any, ...] = (
        ReviewItem(turn, None, None), ReviewItem(turn, row, None), Check(turn, row), Ready("1.1", turn.phase, ()),
    )  # fmt: skip
    for item, do in product(items, (acts.Do.SHEET, acts.Do.LATER)):
        found = acts._seen_next(office, item, acts.PressedKey("", do, str(value)))
        is_about_sheet = item is items[0] and do is acts.Do.SHEET
        for_others = "every sheet without a signature is accepted; " if value is SheetDecision.ALL_UNSIGNED else ""
        assert found.effect == (f"{for_others}what counts" if is_about_sheet else "")
        assert found.turn == ("" if isinstance(item, Ready) else str(turn))


@pytest.mark.parametrize(("is_changed", "verdict"), [*product((True, False), Correction)])
def test_a_correction_that_the_rules_do_not_make_wants_a_reason_if_it_changes_anything(
    is_changed: bool, verdict: Correction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correct, "at_phase", lambda *_: SimpleNamespace(map=standard_map()))
    order, phase = read_order("A ROM H"), Phase.read("F1901M") if is_changed else None
    rows = [
        SimpleNamespace(line=line, order=each, needs_director=each is None) for line, each in ((1, order), (2, None))
    ]
    nothing: dict[str, Any] = dict.fromkeys(("phases", "dropped", "waits", "without_vote"), ())
    more = dict.fromkeys(("reason", "rule", "deadline_counts", "deadline_assumed", "solo"), "")
    proposal = SimpleNamespace(changes_anything=is_changed, verdict=verdict, goes_on=phase, **nothing, **more)
    about: dict[str, Any] = dict.fromkeys(("notes", "resting", "collect", "places", "otherwise", "reread"), ())
    of_italy = SimpleNamespace(power=Power.ITALY, rows=rows)
    found: Any = SimpleNamespace(proposal=proposal, opened=phase, as_they_stand=True, rows=[of_italy], **about)
    office: Any = SimpleNamespace(live=SimpleNamespace(games={"1.1": None}))
    wanted: Any = SimpleNamespace(board="1.1", phase="S1901M")
    view = correct._consequences_view(office, wanted, found)
    assert view["needs_why"] == (is_changed and verdict is not Correction.CORRECTED)
    assert (view["goes_on"], view["opened"]) == (("Fall 1901",) * 2 if is_changed else ("", ""))
    assert view["rows"]["ITALY"] == [
        {"line": 1, "order": "A ROM H", "waits": False, "words": "army Rome holds"},
        {"line": 2, "order": None, "waits": True, "words": "no order"},
    ]


def test_orders_that_differ_are_said_in_words_that_differ() -> None:
    army, fleet, other = (read_unit(text) for text in ("A LON", "F LON", "A BEL"))
    coasts = [Build(read_unit(f"F STP/{coast}")) for coast in ("NC", "SC")]
    said: list[Order] = [Hold(army), Hold(fleet), Disband(army), Build(army), Waive(), *coasts]
    for place in ("BEL", "STP/NC", "STP/SC", "ZZZ"):
        said += [Move(army, place), Move(army, place, via=True), Retreat(army, place), Convoy(fleet, army, place)]
        said += [Move(army, place, via=True, route=route) for route in (("NTH",), ("NTH", "SKA"), ("SKA", "NTH"))]
        said += [Support(army, other, place), Support(fleet, other, place), Support(other, army, place)]
    said += [Support(army, other), Support(other, army)]
    words = [say_order(order, standard_map()) for order in said]
    assert len(set(words)) == len(said)
    assert all(word.strip() == word and "  " not in word for word in words)


@pytest.mark.parametrize("is_over", [False, True])
def test_who_waits_for_a_quiet_moment_gives_signs_of_life_and_is_not_kept_from_ending(is_over: bool) -> None:
    asked, beats = count(), list[int]()
    office: Any = SimpleNamespace(clock=lambda: 0.0 if next(asked) < 3 else 1.0, last_seen=0.0)
    finder = NoEffectFinder(office)
    finder.beat = lambda: beats.append(1)
    if is_over:
        finder.is_over.set()
    finder.wait_for_quiet()
    assert (next(asked), len(beats)) == ((1, 1) if is_over else (4, 4))


@pytest.mark.parametrize("is_ticked", [True, "on", False, "off", "", None])
def test_a_box_of_a_vote_is_ticked_as_a_script_and_as_an_address_have_it(is_ticked: object) -> None:
    asked: dict[str, Any] = {"power": "ITALY"}
    for box in ("all_agree", "stalemate"):
        asking = tables._asking_of(asked | {box: is_ticked})
        others = {"all_agree", "stalemate", "vetoed"} - {box}
        assert getattr(asking, box) == (is_ticked in (True, "on"))
        assert not any(getattr(asking, other) for other in others)
    assert tables._asking_of(asked | {"vetoed": is_ticked}).vetoed == (is_ticked is True)
    says = {name: tables._says_of({"for_absent": name}).for_absent for name in ("yes", "no", "", "zz")}
    assert says == {"yes": True, "no": False, "": None, "zz": None}
    assert [tables._says_of({"ruled": ruled}).ruled for ruled in (True, "on", None)] == [True, False, False]


@pytest.mark.parametrize(("offered", "may_stand", "words"), [*product(([], ["7"]), (False, True), ([], ["yes"]))])
def test_what_was_read_on_a_form_is_taken_at_once_where_nothing_else_is_to_be_chosen(
    offered: list[str], may_stand: bool, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms_page, "_words_for", lambda *_: words)
    monkeypatch.setattr(forms_page, "may_accept", lambda _: True)
    line = SimpleNamespace(line=SimpleNamespace(readings=[SimpleNamespace(text=text) for text in offered]))
    form: Any = SimpleNamespace(by_name={"year": line}, picture=None)
    doubts: Any = [SimpleNamespace(may_stand=may_stand)]
    view = forms_page._form_view(form, {"doubts": [{"field": "year", "text": "?", "picture": None}]}, doubts)
    (doubt,) = view["doubts"]
    assert (doubt["offered"], doubt["words"], doubt["may_stand"]) == (offered, words, may_stand)
    assert doubt["is_read"] == (offered == ["7"] and not may_stand and not words)


def test_an_edit_of_the_events_file_is_in_the_journal_before_the_next_decision(opened: Opened, tess: Browser) -> None:
    facts, file = opened.office.event.facts, opened.office.event.folder / "event.toml"
    before, name = facts.last_number(), opened.office.event.details.name
    file.write_text(file.read_text("utf-8").replace(name, "Owl Cup"), "utf-8")
    tess.post("/api/tables/seal", open=True)
    edited, opens = read_facts(facts, after=before)
    assert ("Owl Cup" in str(edited.body), opens.by) == (True, "Tess")
    assert opened.office.title == "Owl Cup"


def test_what_enter_takes_is_shown_in_words_and_nothing_where_the_rules_leave_it_open() -> None:
    office: Any = SimpleNamespace(event=SimpleNamespace(board=standard_map()))
    row = SimpleNamespace(order=None, line=0, because=("asked",), rule="R 1")
    for by_rule, order, words in (
        (NOTHING, None, ("no order", "no order stands on this row")),
        ("A VIE H", read_order("A VIE H"), ("A VIE H", "army Vienna holds")),
    ):
        row.order = order
        doubt: Any = SimpleNamespace(row=row, by_rule=by_rule)
        assert views._rule_view(office, doubt) == {"order": words[0], "words": words[1], "rule": "R 1"}
    for doubt in (None, SimpleNamespace(row=None, by_rule=NOTHING), SimpleNamespace(row=row, by_rule=None)):
        assert views._rule_view(office, doubt) is None
