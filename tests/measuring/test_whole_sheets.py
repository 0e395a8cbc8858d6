"""What counts as right, asked and wrong in ``benchmarks/reading.py``."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from benchmarks.reading import plans, seasons_of, with_crops
from benchmarks.whole_sheets.boxes import boxes_of, line_of, misspelt, senseless
from benchmarks.whole_sheets.compare import TO_RULE, Kept, Truth
from benchmarks.whole_sheets.count import Count, by_decile, reason_of, report, wilson
from benchmarks.whole_sheets.found import AS_LABELLED, OTHERS, READER, RULES, Found, load, save
from benchmarks.whole_sheets.paper import Manner
from benchmarks.whole_sheets.players import STRUCK, WrittenRow
from benchmarks.whole_sheets.table import Plan, Table
from pipeline.board import Phase, Power, standard_map, starting_position
from pipeline.desk.event.event import open_event
from pipeline.desk.hands.known_rows import KnownBy
from pipeline.desk.hands.reader import _by_player
from pipeline.ink import InkLine, InkReading, Tier
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Line
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.files import now
from pipeline.orders import Waive, read_order
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import Crop, Vocabulary
from pipeline.rules.load import load_tournament
from pipeline.rules.reading_rules import Misspelt
from training.orders import Seat

ROW = Found(
    sheet="0-BNCH-0001-A",
    tournament="weaselmoot",
    phase="S1901M",
    power="AUSTRIA",
    line=1,
    season=1,
    writer="anna",
    pen="gel",
    scan="clean",
    dpi=200,
    design="line",
    kind="legal",
    text="A Vie - Boh",
    truth="A VIE - BOH",
    clear=True,
    read="A VIE - BOH",
    order="A VIE - BOH",
    asked="",
    why="",
    tier="accepted",
    same=True,
    best=True,
    confidence=0.99,
)
ASKED = replace(ROW, asked=READER, tier="asked", order="")
WRONG = replace(ROW, read="A VIE - TRI", order="A VIE - TRI", same=False, best=False)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"), [(0, 10_000, 0.0, 3.84e-4), (1, 10_000, 1.765e-5, 5.663e-4), (5, 10, 0.2366, 0.7634)]
)
def test_the_interval_of_a_share_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), rel=2e-3, abs=1e-9)


def test_no_season_is_drawn_that_its_tournament_does_not_play() -> None:
    position = starting_position(standard_map())
    years = [Phase.read(f"{season}{year}M") for year in range(1901, 1913) for season in "SF"]
    game = [[Seat("long", replace(position, phase=phase), Power.FRANCE, ())] for phase in years]
    drawn = {
        tournament: max(seasons_of(tournament, [game], 1, Random(seed))[0][0].position.phase.year for seed in range(60))
        for tournament in ("edc2023", "weaselmoot")
    }
    assert drawn == {"edc2023": 1907, "weaselmoot": 1912}
    with pytest.raises(SystemExit, match="edc2023 is played to the end of 1907"):
        seasons_of("edc2023", [game], 15, Random(1))


def test_only_a_row_that_nobody_was_asked_about_is_wrong_unasked() -> None:
    assert WRONG.wrong_unasked
    assert not replace(WRONG, asked=RULES).wrong_unasked
    assert not ROW.wrong_unasked


def test_an_order_taken_where_the_rules_ask_is_wrong_unasked() -> None:
    assert replace(ROW, truth=TO_RULE, clear=False).wrong_unasked


def test_a_misspelling_that_the_rules_follow_is_misread_but_not_wrong() -> None:
    followed = replace(ROW, kind="misspelling", text="A Vie - Boj", same=False)

    assert not followed.wrong_unasked
    assert followed.misread_unasked


def test_a_slip_that_can_mean_nothing_else_is_counted_apart_from_another_order() -> None:
    slip = replace(ROW, kind="misspelling", text="A Vie - Boq", truth=TO_RULE, clear=False, slip=True)

    found = Count.of([ROW, WRONG, slip, replace(slip, asked=RULES, tier="asked")])

    assert (found.wrong, found.slips) == (1, 1)


def test_what_is_wrong_by_its_spaces_alone_is_another_order_and_told_of_those() -> None:
    spaced = replace(ROW, kind="misspelling", text="A Vi e- Boh", truth="A VIE H", clear=False, spaced=True)

    found = Count.of([ROW, WRONG, spaced, replace(spaced, asked=RULES, tier="asked")])

    assert (found.wrong, found.spaced, found.slips) == (2, 1, 0)


def test_shares_of_legal_rows_leave_misorders_out() -> None:
    misorder = replace(ASKED, kind="free text", clear=False, best=False)
    ambiguous = replace(ASKED, clear=False)

    assert Count.of([ROW, ASKED, WRONG, misorder, ambiguous]) == Count(
        rows=5, legal=3, right=2, asked_legal=1, asked=3, wrong=1, spaced=0, slips=0, misread=1
    )


def test_the_tenths_of_writers_go_from_the_least_asked_to_the_most() -> None:
    rows = [replace(ASKED if n < asked else ROW, writer=f"w{asked}") for asked in range(20) for n in range(20)]

    shares = [Count.of(part).asked_legal / Count.of(part).legal for part in by_decile(rows).values()]

    assert len(shares) == 10
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.025)


def test_what_was_seen_on_the_paper_is_a_reason_of_its_own() -> None:
    assert reason_of(replace(ASKED, why="the reader is not sure what is written here")) == READER
    why = "the writing runs out of its row"
    assert reason_of(replace(ASKED, why=why)) == f"{READER}: {why}"


def test_accidents_are_counted_apart_and_every_wrong_row_is_named() -> None:
    told = report([ROW, WRONG, replace(ASKED, kind=STRUCK)], "a run")

    assert "2 rows (and 1 accidents)" in told
    assert "`A VIE - TRI`" in told


def test_rows_with_a_letter_that_is_seen_as_another_are_told_apart_and_counted_with_all() -> None:
    told = report([ROW, replace(WRONG, letters=OTHERS)], "a run")

    assert "| all rows | 2 | 2 | 50.00 % | 0.0 % | 0.0 % | 1 |" in told
    assert f"| {AS_LABELLED} | 1 | 1 | 100.00 % | 0.0 % | 0.0 % | 0 |" in told
    assert f"| {OTHERS} | 1 | 1 | 0.00 % | 0.0 % | 0.0 % | 1 |" in told


def test_rows_come_back_from_their_file(tmp_path: Path) -> None:
    save([ROW, WRONG], tmp_path / "rows.jsonl")

    assert list(load([tmp_path / "rows.jsonl"])) == [ROW, WRONG]


def test_pictures_are_kept_of_every_wrong_row_and_few_others(tmp_path: Path) -> None:
    (tmp_path / "row.png").write_bytes(b"picture")
    taken = [replace(ROW, line=n, crop=str(tmp_path / "row.png"), confidence=n / 100) for n in range(50)]
    wrong = replace(WRONG, line=99, crop=str(tmp_path / "row.png"))

    kept = [row.line for row in with_crops([*taken, wrong], tmp_path / "crops") if row.crop]

    assert kept == [0, 1, 2, 3, 99]


def sheet(*texts: str, struck: int = 0) -> Truth:
    """What the rules make of an Austrian sheet at the start of a game."""
    seat = Seat("game", starting_position(standard_map()), Power.AUSTRIA, ())
    kinds = {struck: STRUCK}
    rows = tuple(WrittenRow(line, text, kinds.get(line, "legal")) for line, text in enumerate(texts, start=1))
    kept = Kept("1", seat, 1, Manner("anna", "gel", 3.0, "clean", 200, 1), "line", rows, (), ())
    return Truth(kept, load_tournament("weaselmoot"))


def test_the_truth_is_what_the_rules_make_of_the_text_that_is_written() -> None:
    truth = sheet("a vienna to Gal", "A Bud - Zzz", "F Tri - Alb")

    assert (truth.orders(1), truth.orders(3)) == ("A VIE - GAL", "F TRI - ALB")
    assert [truth.is_clear(line) for line in (1, 2, 3)] == [True, False, True]


def test_a_line_that_was_struck_out_is_no_line() -> None:
    truth = sheet("A Vie - Boh", "A Vie - Gal", struck=1)

    assert (truth.orders(1), truth.orders(2)) == ("", "A VIE - GAL")
    assert not truth.is_clear(1)


def test_another_spelling_of_the_same_order_is_the_same_and_a_slip_is_not() -> None:
    truth = sheet("A Vie - Gal", "A Bud - Gaj")

    assert truth.is_same(1, "A VIENNA TO GALICIA")
    assert not truth.is_same(1, "A VIE - BOH")
    assert not truth.is_same(2, "A BUD - GAL")
    assert truth.would_be(1, "A VIE - BOH") == "A VIE - BOH"


def test_a_line_whose_letters_spell_what_stands_is_told_from_one_with_other_letters() -> None:
    truth = sheet("A Vi e- Gal", "A Bud - Gaj", "A Vie - Gal")

    assert [truth.is_spelled(line, [read_order("A VIE - GAL")]) for line in (1, 2, 3)] == [True, False, True]
    assert not truth.is_spelled(1, [read_order("A VIE - BOH")])
    assert not truth.is_spelled(1, [read_order("A VIE - GAL"), read_order("A VIE H")])


def test_only_what_the_rules_would_ask_about_is_a_slip_and_only_of_the_one_order_it_can_be() -> None:
    found = load_tournament("weaselmoot")
    asks = replace(found.reading.misspelt, value=Misspelt.ASK)
    truth = sheet("A Vie - Boq", "A Vie - Tyi", "A Vie - Gal")
    truth.tournament = replace(found, reading=replace(found.reading, misspelt=asks))

    def is_slip(line: int, stands: str) -> bool:
        return truth.is_slip(line, [read_order(stands)])

    assert is_slip(1, "A VIE - BOH")
    assert not is_slip(1, "A VIE - GAL")
    assert not is_slip(2, "A VIE - TYR")
    assert not is_slip(3, "A VIE - BOH")
    assert not truth.is_slip(1, [read_order("A VIE - BOH"), read_order("A BUD - SER")])


@pytest.mark.parametrize("printed", [True, False])
def test_a_row_of_boxes_says_the_order_that_was_meant(printed: bool) -> None:
    board, tournament = standard_map(), load_tournament("weaselmoot")
    position = starting_position(board)
    for order in legal_orders(board, position, Power.ENGLAND):
        assert not isinstance(order, Waive)
        boxes = boxes_of(order, lambda place: place.replace("/", " "), unit_printed=printed)
        line = line_of(boxes, str(order.unit) if printed else "")

        (entry,) = interpret([Line(1, line)], Power.ENGLAND, position, tournament).entries

        assert ("unit" in boxes) is not printed
        assert entry.order == order, line


def test_what_is_spoilt_in_a_row_of_boxes_is_one_place_or_all_of_them() -> None:
    boxes = {"A": "", "unit": "VIE", "S": "", "of A": "", "of": "BUD", "to": "GAL"}
    rng = Random(1)

    slipped = [sum(found[name] != boxes[name] for name in boxes) for found in (misspelt(boxes, rng) for _ in range(50))]
    without_sense = senseless(boxes, rng)

    assert set(slipped) <= {0, 1}
    assert sum(slipped) > 40
    assert {name for name in boxes if without_sense[name] != boxes[name]} == {"unit", "of", "to"}


class FirstLine:
    """Takes every row for the first thing that may be written, and is sure of it."""

    name = "always the first line"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Answer without looking."""
        words = " ".join(slot[0] or slot[1] for slot in vocabulary.lines[0].slots)
        return [InkLine.without_place((InkReading(words, 1.0),), Tier.ACCEPTED)] * len(crops)


class Asks:
    """Reads nothing."""

    name = "asks"

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Ask for every row."""
        return [InkLine.without_place((), Tier.ASKED)] * len(crops)


def options(**others: object) -> Namespace:
    """What a run is asked for."""
    sheets = {"design": "line", "step": "M", "by": ""}
    asked = {"seed": 3, "sheets": 24, "seasons": 1, "half": "test", "boards": 2, **sheets}
    return Namespace(**(asked | others))


def one_board(shared: Path) -> Plan:
    """The first board of a run."""
    assert shared.is_dir()
    plan = next(plans(options(), ["weaselmoot"]))
    return replace(plan, boards=plan.boards[:1])


@pytest.mark.slow
def test_a_reader_that_is_sure_and_wrong_is_found_out(shared: Path, tmp_path: Path) -> None:
    rows = [row for _, found in Table(one_board(shared), tmp_path / "event", FirstLine()).play() for row in found]

    sure = [row for row in rows if not row.asked]
    assert sum(row.wrong_unasked for row in sure) > len(rows) / 4
    assert all(row.misread_unasked for row in sure if row.order != row.truth)


@pytest.mark.slow
def test_a_reader_that_reads_nothing_is_never_wrong_and_always_asks(shared: Path, tmp_path: Path) -> None:
    by_other_tools = replace(one_board(shared), damage="their ink and scan")
    rows = [row for _, found in Table(by_other_tools, tmp_path / "event", Asks()).play() for row in found]

    assert rows
    assert {row.asked for row in rows} == {READER}
    assert not any(row.wrong_unasked for row in rows)


@pytest.mark.slow
def test_where_samples_are_filled_and_seasons_published_both_teach_the_hands(shared: Path, tmp_path: Path) -> None:
    plan = replace(one_board(shared), samples=True, publishes=True)
    list(Table(plan, tmp_path / "event", NetRecogniser()).play())
    with open_event(tmp_path / "event", now) as event:
        known = _by_player(event)
    ways = [{row.how for row in rows} for rows in known.values()]
    assert sum(KnownBy.COPIED in how for how in ways) > len(ways) / 2
    assert sum(KnownBy.STOOD in how for how in ways) > len(ways) / 2


def test_a_run_is_the_same_for_the_same_seed_and_halves_share_no_writer(shared: Path) -> None:
    assert shared.is_dir()
    first, again = (list(plans(options(sheets=100), ["weaselmoot", "edc1996"])) for _ in range(2))
    fit = next(plans(options(half="fit"), ["weaselmoot"]))

    assert first == again
    assert [plan.tournament for plan in first] == ["weaselmoot", "edc1996"] * 2
    assert not set(fit.writers) & set(first[0].writers)


def test_seasons_are_those_of_one_game_from_its_beginning(shared: Path) -> None:
    assert shared.is_dir()
    plan = next(plans(options(seasons=10, sheets=240), ["weaselmoot"]))

    for board in plan.boards:
        phases = [powers[0].position.phase for powers in board]
        assert len(phases) == 10
        assert phases == sorted(phases, key=lambda phase: phase.sort_key)
        assert len({seat.game for powers in board for seat in powers}) == 1
