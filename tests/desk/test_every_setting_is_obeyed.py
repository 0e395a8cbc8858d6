"""Each setting of the rules schema changes an outcome: an order, a doubt, a vote, an end, a draw, a page, a print.

Two rules files differ in this setting alone; what the probe sees under them must differ. A setting without an entry in
`EFFECTS` fails, so a new one comes with the input that shows it, or is not there.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from facts_as_kept import append_fact
from interpret.test_switches import CROWDED, FRANCE, GERMANY, MOVEMENT, RETREATS, WINTER, outcome
from msgspec import Struct
from msgspec.structs import replace
from web.conftest import SEATS, Browser, Time, stranger

from desk.cup import NAMES, OPENINGS, clock, hand_in_sheet, inked, sheets_of, spring
from pipeline.board import Phase, Position, Power, Season, starting_position
from pipeline.cli import group
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, hold_vote
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.dutchmen import dutchmen
from pipeline.desk.publish.public_record import clock_plan
from pipeline.desk.publish.publish import _beginners_words, propose_correction, publish, reading_order
from pipeline.desk.results.notes import enter_note
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, type_lines
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.draw.field import RoundDecisions
from pipeline.draw.roster import Player
from pipeline.draw.task import Answers, wishes_of
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Line
from pipeline.ledger.ledger import body_of
from pipeline.ledger.parts import Ballot, SheetDecision
from pipeline.orders import write, write_position
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Stopped
from pipeline.rules.conduct import ConductRules
from pipeline.rules.game_end import GameNow, Moment, VoteAsked, dice_end_the_game, end_bars, objections, years_over
from pipeline.rules.load import load_tournament
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.switches import Setting, asked_by
from pipeline.rules.tournament import Aim, ClockRules, DrawRules, EndingRules
from pipeline.scoring.results import Ending
from pipeline.scoring.system import Abandoned
from pipeline.small_files import data_folder
from pipeline.web.server import open_office

Probe = Callable[[Path, Path], object]  # the rules file, and an empty folder: what is seen
SECTIONS = {"reading": ReadingRules, "adjustments": AdjustmentRules, "conduct": ConductRules, "ending": EndingRules}
SECTIONS |= {"clock": ClockRules, "draw": DrawRules}
PLAYERS = tuple(Player(name=name) for name in NAMES.values())
ENGLAND = spring(Power.ENGLAND)
HOLDS = ["F LON H", "F EDI H", "A LVP H"]


class Effect(Struct, frozen=True):
    """Two values of a setting, as the file has them, and what is seen under each."""

    values: tuple[str, str]
    probe: Probe
    base: str = "weaselmoot"


def paths() -> Iterator[str]:
    """Every setting of the schema, by its path."""
    for section, kind in SECTIONS.items():
        yield from (f"{section}.{name}" for name in asked_by(kind))
    yield from (f"ending.vote.{name}" for name in asked_by(EndingRules.__annotations__["vote"]))
    yield from (f"ending.dice.{name}" for name in asked_by(EndingRules.__annotations__["dice"]))


def rules_with(folder: Path, base: str, path: str, value: str) -> Path:
    """A copy of a tournament's rules file that differs in one setting."""
    section, _, key = path.rpartition(".")
    text = (data_folder("templates/rules") / f"{base}.toml").read_text("utf-8")
    said = '"ask"' if value == "ask" else f'{{ value = {value}, rule = "X 1" }}'
    head, found, rest = text.partition(f"[{section}]\n")
    changed, times = re.subn(rf"^{key} = .*$", f"{key} = {said}", rest, count=1, flags=re.MULTILINE)
    assert (bool(found), times) == (True, 1), path
    file = folder / "rules.toml"
    file.write_text(head + found + changed, "utf-8")
    return file


def stopped(does: Callable[[], object]) -> object:
    """What an act gives, or what stands against it."""
    try:
        return does()
    except Stopped as found:
        return [f"{problem.weight} {problem.where}: {problem.text}" for problem in found.problems]


# ---- lines -----------------------------------------------------------------------------------------------------------


def lines(power: Power, *texts: str, at: Position = MOVEMENT, **flags: Any) -> Probe:
    """What lines mean: their orders, doubts and settings, and what is said of what has no order."""

    def probe(rules: Path, _: Path) -> object:
        written = [Line(number, text, **flags) for number, text in enumerate(texts, start=1)]
        found = interpret(written, power, at, load_tournament(rules))
        rest = [(remark.status, remark.order and write(remark.order)) for remark in found.remarks]
        return outcome(found), rest, [write(order) for order in found.orders]

    return probe


# ---- an event --------------------------------------------------------------------------------------------------------


@contextmanager
def event_under(rules: Path, folder: Path, players: tuple[Player, ...] = ()) -> Iterator[Event]:
    """An event under a rules file, its first round seated where nobody else is named."""
    details = Details(name="Test Cup", code="TEST", tournament=str(rules))
    make_event_folder(folder / "cup", details, players or PLAYERS, clock)
    with open_event(folder / "cup", clock) as event:
        if not players:
            seat_round(event, 1, {"1": NAMES}, by="Tess")
        yield event


def at(event: Event, phase: str, board: str = "1.1", **more: object) -> None:
    """Take a game over at a phase."""
    value = dict(write_position(starting_position(event.board))) | {"phase": phase} | more
    append_fact(event.facts, "position set", {"board": board, "position": value}, "Tess")


def england(event: Event, power: Power = Power.ENGLAND) -> object:
    """What stands for a power on the first board, and what is told and asked."""
    found = Desk.of(event).power(find_game(event, "1.1"), power)
    told = [f"{problem.weight} {problem.text}" for problem in found.problems]
    return str(found.state), told, [write(order) for order in found.orders]


def in_event(does: Callable[[Event], object], players: tuple[Player, ...] = ()) -> Probe:
    """See something in an event under the rules."""

    def probe(rules: Path, folder: Path) -> object:
        with event_under(rules, folder, players) as event:
            return stopped(lambda: does(event))

    return probe


def ruled(*decisions: SheetDecision) -> Probe:
    """England's lines are typed, and her sheet is ruled on."""

    def does(event: Event) -> object:
        type_lines(event, ENGLAND, HOLDS, by="Tess")
        for decision in decisions:
            rule_sheet(event, ENGLAND, decision, by="Tess")
        return england(event)

    return in_event(does)


def late_and_its_price(rules: Path, folder: Path) -> object:
    """England is late; the penalty costs the same in the table of points, or the file is refused."""
    text = rules.read_text("utf-8")
    cost = re.search(r"^late_points = \{ value = -(\d)", text, re.MULTILINE)
    assert cost is not None
    rules.write_text(text.replace('kind = "late"\npoints = 1', f'kind = "late"\npoints = {cost[1]}'), "utf-8")
    return ruled(SheetDecision.LATE)(rules, folder)


def late_on_two_boards(event: Event) -> object:
    """Bo is late on a first board, then on another."""
    at(event, "S1908M")
    end_game(event, find_game(event, "1.1"), Ending.TIME, by="Tess", why="time")
    seat_round(event, 2, {"1": NAMES}, by="Tess")
    second = Turn("2.1", ENGLAND.phase, Power.ENGLAND)
    for turn in (ENGLAND, second):
        type_lines(event, turn, HOLDS, by="Tess")
        rule_sheet(event, turn, SheetDecision.LATE, by="Tess")
    return [write(order) for order in Desk.of(event).power(find_game(event, "2.1"), Power.ENGLAND).orders]


def late_again(event: Event) -> object:
    """England is late twice in a game."""
    fall = Turn("1.1", Phase.read("F1901M"), Power.ENGLAND)
    type_lines(event, ENGLAND, HOLDS, by="Tess")
    rule_sheet(event, ENGLAND, SheetDecision.LATE, by="Tess")
    at(event, "F1901M")
    type_lines(event, fall, HOLDS, by="Tess")
    rule_sheet(event, fall, SheetDecision.LATE, by="Tess")
    return england(event)


def scanned(*sheets: list[str], signed: bool | None = True) -> Probe:
    """England hands in sheets."""

    def does(event: Event) -> object:
        for _ in sheets:
            print_round(event, 1, "1", PrintWish(design=Design.LINE))
        for number, (sheet, texts) in enumerate(zip(sheets_of(event, ENGLAND), sheets, strict=True)):
            rows = [inked(row, text) for row, text in enumerate(texts, start=1)]
            hand_in_sheet(event, sheet, rows, f"{number:064d}", signed=signed)
        return england(event)

    return in_event(does)


def ticked(ticks: str) -> Probe:
    """England hands in a pad on which something is ticked."""

    def does(event: Event) -> object:
        printed = print_round(event, 1, "1", PrintWish(pads=1))
        pad = next(page.sheet for page in printed.layout.pages if page.power == Power.ENGLAND)
        rows = [inked(row, text) for row, text in enumerate(HOLDS, start=1)]
        hand_in_sheet(event, pad, rows, "a" * 64, signed=True, ticks=ticks)
        return england(event)

    return in_event(does)


def no_sheet(event: Event) -> object:
    """A power of which nothing is in: what is asked, and what stands when there is none."""
    before = england(event)
    rule_sheet(event, ENGLAND, SheetDecision.NO_ORDERS, by="Tess")
    return before, england(event)


def unit_without_order(event: Event) -> object:
    """A sheet orders two of three units."""
    type_lines(event, ENGLAND, HOLDS[:2], by="Tess")
    found = Desk.of(event).power(find_game(event, "1.1"), Power.ENGLAND)
    return [(row.reason, row.rule) for row in found.rows if row.line == 0]


def error_found(*, adjudicated: bool = False) -> Probe:
    """An error in Spring is pointed out when the orders of Fall are in, or Fall is played."""

    def does(event: Event) -> object:
        for power, texts in OPENINGS.items():
            type_lines(event, spring(power), texts, by="Tess")
        publish(event, "1.1", "Tess")
        rule_row(event, ENGLAND, 1, RowDecision(order="F LON - ENG", why="misread"), "Tess")
        game = find_game(event, "1.1")
        for power, units in game.position.units.items():
            type_lines(event, Turn("1.1", game.position.phase, power), [f"{unit} H" for unit in units], by="Tess")
        if adjudicated:
            publish(event, "1.1", "Tess")
        found = propose_correction(event, find_game(event, "1.1"), "S1901M", deadline_passed=False)
        return found.verdict, found.rule

    return in_event(does)


def dutchman_at(phase: str) -> Probe:
    """Austria has a unit too many."""

    def does(event: Event) -> object:
        units = {"AUSTRIA": ["A VIE", "A BUD", "F TRI", "A BOH"]}
        at(event, phase, units=units, centers={"AUSTRIA": ["VIE", "BUD", "TRI"]}, dislodged=[])
        return [str(problem) for problem in dutchmen(event, find_game(event, "1.1"))]

    return in_event(does)


def lost_winter(event: Event) -> object:
    """After a winter whose orders were not written here Austria has a unit too many."""
    owned = {"AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE"]}
    at(event, "W1901A", units={"AUSTRIA": ["A SER", "A GRE"]}, centers=owned, dislodged=[])
    units = {"AUSTRIA": ["A SER", "A GRE", "A VIE", "A BUD", "F TRI"]}
    at(event, "S1902M", units=units, centers={"AUSTRIA": ["VIE", "BUD", "TRI"]}, dislodged=[])
    return [str(problem) for problem in dutchmen(event, find_game(event, "1.1"))]


def note(word: str, **values: str) -> Callable[[Event], object]:
    """Enter a note; what becomes of it."""
    return lambda event: body_of(enter_note(event, word, values, by="Tess", why="so ruled").said)


def newcomer(event: Event) -> object:
    """Somebody who plays nowhere takes England over."""
    seat_round(event, 1, {"1": NAMES}, by="Tess")
    at(event, "S1903M")
    return note("substitute", board="1.1", power="ENGLAND", player="Hal", phase="S1903M")(event)


def eliminated_comes_back(event: Event) -> object:
    """Gil, whose Turkey is gone, takes England over."""
    at(event, "S1905M", units={"ENGLAND": ["F LON"]}, centers={"ENGLAND": ["LON"]}, dislodged=[])
    return note("substitute", board="1.1", power="ENGLAND", player="Gil", phase="S1905M")(event)


def leaves(event: Event) -> object:
    """Somebody goes home in the middle of a game."""
    said = CliRunner().invoke(group, ["players", str(event.folder), "--left", "Bo", "--by", "Tess", "--why", "ill"])
    return said.output


def reads(phase: str) -> Probe:
    """Who is read first, and why."""
    people = tuple(Player(name=name, beginner=power is Power.TURKEY) for power, name in NAMES.items())

    def does(event: Event) -> object:
        seat_round(event, 1, {"1": NAMES}, by="Tess")
        game = find_game(event, "1.1")
        return reading_order(event, game, Phase.read(phase), tuple(Power)), _beginners_words(
            event, game, Phase.read(phase)
        )

    return in_event(does, people)


# ---- ends and votes --------------------------------------------------------------------------------------------------

NOW = GameNow(phase=Phase.read("S1908M"), centres=dict.fromkeys(Power, 4), total=34, has_voted=True)
ASKED = VoteAsked(
    year=1905,
    season=Season.SPRING,
    moment=Moment.NEGOTIATION,
    is_last_year=False,
    votes_this_season=0,
    asked_before=0,
    all_agree_to_vote=True,
    is_stalemate=True,
)


def ends(how: Ending, **now: Any) -> Probe:
    """What stands against an end, and whether the years are over."""

    def probe(rules: Path, _: Path) -> object:
        tournament = load_tournament(rules)
        game = replace(NOW, **now)
        found = end_bars(how, game, tournament.ending, Setting(Abandoned.ZERO, "X 2"))
        return [str(bar) for bar in found], years_over(game, tournament.ending)

    return probe


def vote_on(**asked: Any) -> Probe:
    """What stands against a vote."""
    return lambda rules, _: objections(replace(ASKED, **asked), load_tournament(rules).ending)


def voted(**ballots: Ballot) -> Probe:
    """A vote is held, ballot by ballot; what is written down, or what stands against it."""

    def does(event: Event) -> object:
        at(event, "S1905M")
        asking = Asking(power=Power.ITALY, all_agree=True, stalemate=True, moment=Moment.NEGOTIATION)
        given = dict.fromkeys(Power, Ballot.YES) | {Power(power): ballot for power, ballot in ballots.items()}
        game = find_game(event, "1.1")
        return body_of(hold_vote(event, game, asking, given, Says(ruled=True), by="Tess").said)

    return in_event(does)


def left_out_of_a_draw(event: Event) -> object:
    """Six of seven survivors are in a draw that was voted."""
    at(event, "S1905M")
    asking = Asking(power=Power.ITALY, all_agree=True, stalemate=True)
    hold_counted(event, find_game(event, "1.1"), asking, Count(7, 0), Says(ruled=True), by="Tess")
    return stopped(lambda: note("draw", board="1.1", powers="A E F G I R")(event))


def told_to_players(rules: Path, folder: Path) -> object:
    """What the pages of players say of the times and of the last year."""
    with event_under(rules, folder) as event:
        tell_seats(event, 1, "Tess")
    with open_office(folder / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        nobody = stranger(opened)
        pages = [nobody.get(page).text for page in ("/live", "/live/board/1.1")]
    return [re.findall(r'<p class="(?:state|next)">([^<]*)</p>', page) for page in pages]


def told_to_the_director(rules: Path, folder: Path) -> object:
    """What the page of a round quotes, and the page of the clock."""
    with event_under(rules, folder):
        pass
    with open_office(folder / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        day, clocks = (tess.client.get(page).json() for page in ("/api/day", "/api/clock"))
    return day["quotes"], clocks["quotes"]


def planned(phase: str) -> Probe:
    """What the clock is set to for a phase."""

    def probe(rules: Path, _: Path) -> object:
        found = clock_plan(load_tournament(rules).clock, Phase.read(phase))
        return str(found.phase), found.parts

    return probe


# ---- the draw --------------------------------------------------------------------------------------------------------


def wished(rules: Path, _: Path) -> object:
    """What the draw is told to look for, or what it asks the director first."""
    return stopped(lambda: wishes_of(load_tournament(rules).draw, Answers(), frozenset(Aim)))


def drawn_with(number: int, *, director: bool = False) -> Probe:
    """A round is drawn for so many players."""
    people = [Player(name=f"P{each:02}", director=director and each == 1) for each in range(1, number + 1)]

    def does(event: Event) -> object:
        found = draw_round(event, Request(round=1, seed=1))
        return [len(board) for board in found.boards.values()]

    return in_event(does, tuple(people))


def drawn_again(event: Event) -> object:
    """A round that is drawn is drawn again."""
    return sorted(draw_round(event, Request(round=1, seed=1)).boards)


THIRTEEN = tuple(Player(name=f"P{each:02}") for each in range(1, 14))


def twice_again(event: Event) -> object:
    """Thirteen players; who played on two boards in the first round does so in the second."""
    names = [player.name for player in THIRTEEN]
    first, other = (dict(zip(Power, each, strict=True)) for each in (names[:7], [*names[7:], names[0]]))
    seat_round(event, 1, {"1": first, "2": other}, by="Tess")
    found = draw_round(event, Request(round=2, seed=1, decisions=RoundDecisions(twice=("P01",))))
    return [len(board) for board in found.boards.values()]


def second_round(event: Event) -> object:
    """Who played the first round comes to the second."""
    seat_round(event, 1, {"1": NAMES}, by="Tess")
    return [len(board) for board in draw_round(event, Request(round=2, seed=1)).boards.values()]


HOLD_ASK = ('"hold"', "ask")
FOLLOWED_FAILS = ('"followed"', '"fails"')
EFFECTS: dict[str, Effect] = {
    # reading
    "reading.not_ordered": Effect(HOLD_ASK, in_event(unit_without_order)),
    "reading.implied": Effect(('"no"', '"yes"'), lines(GERMANY, "A Hol S A Mun - Ruh")),
    "reading.twice_different": Effect(('"hold"', '"first"'), lines(GERMANY, "A Mun - Ruh", "A Mun - Boh")),
    "reading.twice_one_invalid": Effect(('"hold"', '"possible"'), lines(GERMANY, "A Mun - Par", "A Mun - Boh")),
    "reading.twice_same": Effect(('"once"', '"hold"'), lines(GERMANY, "A Mun - Ruh", "A Mun - Ruh")),
    "reading.bare_unit": Effect(HOLD_ASK, lines(GERMANY, "A Mun")),
    "reading.unitless": Effect(('"void"', '"one_meaning"'), lines(GERMANY, "A to Boh")),
    "reading.struck_out": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun - Ruh", struck_out=True)),
    "reading.overwritten": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun - Ruh", overwritten=True)),
    "reading.word_reachability": Effect(('"settles"', '"ignored"'), lines(FRANCE, "F Spa sc - Med")),
    "reading.word_own_orders": Effect(('"settles"', '"ignored"'), lines(GERMANY, "F Nth - Nor", "F Kie S F Nth - Nwy")),
    "reading.word_letter_case": Effect(('"settles"', '"ignored"'), lines(GERMANY, "F NTH - NOR", "A mun - boh")),
    "reading.word_unsettled": Effect(HOLD_ASK, lines(GERMANY, "F Nth - Nor")),
    "reading.prefix": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun - Bohe")),
    "reading.misspelt": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun - Bohemai")),
    "reading.misspelt_nearness": Effect(("0.84", "0.999"), lines(GERMANY, "A Mun - Tyrolliia")),
    "reading.misspelt_lead": Effect(("0.10", "0.99"), lines(GERMANY, "A Mun - Boremia")),
    "reading.misspelt_letters": Effect(("5", "12"), lines(GERMANY, "A Mun - Tyrolliia")),
    "reading.misspelt_unsettled": Effect(("ask", '"hold"'), lines(GERMANY, "A Mun - Bxr")),
    "reading.illegible_reachability": Effect(('"settles"', '"ignored"'), lines(GERMANY, "A Mun - Bu?")),
    "reading.illegible_own_orders": Effect(
        ('"settles"', '"ignored"'), lines(GERMANY, "A Mun - B??", "A Hol S A Mun - Boh")
    ),
    "reading.illegible_unsettled": Effect(HOLD_ASK, lines(GERMANY, "A Mun - B??")),
    "reading.impossible": Effect(('"hold"', '"hold_unsupported"'), lines(GERMANY, "A Mun - Par")),
    "reading.meaningless": Effect(HOLD_ASK, lines(GERMANY, "A Mun dances")),
    "reading.letter_missing": Effect(FOLLOWED_FAILS, lines(GERMANY, "Mun - Ruh")),
    "reading.letter_wrong": Effect(FOLLOWED_FAILS, lines(GERMANY, "F Mun - Ruh")),
    "reading.other_letter_wrong": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun S F Hol - Ruh")),
    "reading.nation_missing": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun S A Tyr - Boh")),
    "reading.nation_wrong": Effect(FOLLOWED_FAILS, lines(GERMANY, "A Mun S French A Tyr - Boh")),
    "reading.coast_needed": Effect(('"both_reachable"', '"always"'), lines(FRANCE, "F Gas - Spa")),
    "reading.coast_needed_in_support": Effect(('"both_reachable"', "ask"), lines(FRANCE, "F Gas S F Mao - Spa")),
    "reading.coast_missing": Effect(HOLD_ASK, lines(FRANCE, "F Mao - Spa")),
    "reading.unit_coast_missing": Effect(FOLLOWED_FAILS, lines(FRANCE, "F Spa - Mar")),
    "reading.coast_wrong": Effect(('"fails"', '"ignored"'), lines(FRANCE, "F Gas - Spa sc")),
    "reading.unit_coast_wrong": Effect(('"fails"', '"ignored"'), lines(FRANCE, "F Spa nc - Mar")),
    "reading.coast_needless": Effect(('"fails"', '"ignored"'), lines(GERMANY, "A Mun - Ruh nc")),
    "reading.coast_in_support": Effect(('"that_coast"', '"either_coast"'), lines(FRANCE, "F Gas S F Mao - Spa nc")),
    "reading.by_land": Effect(("ask", '"land"'), lines(GERMANY, "A Hol - Bel", "F Nth C A Hol - Bel")),
    "reading.route": Effect(
        ('"binds"', '"ignored"'), lambda rules, _: str(load_tournament(rules).rulebook.named_route)
    ),
    "reading.retreat_missing": Effect(("ask", '"disbanded"'), lines(GERMANY, at=RETREATS), base="nzdc1999"),
    "reading.retreat_invalid": Effect(("ask", '"disbanded"'), lines(GERMANY, "A Boh - Mun", at=RETREATS)),
    "reading.retreat_written": Effect(('"always"', '"two_powers"'), lines(GERMANY, at=RETREATS)),
    # adjustments
    "adjustments.build_missing": Effect(("ask", '"none"'), lines(GERMANY, at=WINTER)),
    "adjustments.build_invalid": Effect(("ask", '"none"'), lines(GERMANY, "A Par B", at=WINTER)),
    "adjustments.first_year_builds": Effect(("0", "2"), lines(GERMANY, at=replace(WINTER, phase=Phase.read("W1901A")))),
    "adjustments.bare_unit": Effect(('"followed"', '"void"'), lines(GERMANY, "A Mun", at=WINTER)),
    "adjustments.build_letter": Effect(('"coast"', '"always"'), lines(GERMANY, "Mun B", at=WINTER)),
    "adjustments.build_coast_missing": Effect(
        ("ask", '"none"'), lines(Power.RUSSIA, "F StP B", at=replace(WINTER, units={Power.RUSSIA: ()}))
    ),
    "adjustments.too_many_builds": Effect(
        ('"first"', '"last"'), lines(GERMANY, "A Ber B", "A Mun B, F Kie B", at=WINTER)
    ),
    "adjustments.too_many_builds_sheet_lost": Effect(('"fleets_first"', "ask"), in_event(lost_winter)),
    "adjustments.too_many_disbands": Effect(
        ('"first"', '"last"'),
        lines(GERMANY, "A Hol D", "A Mun D", "F Kie D", "F Nth D", at=replace(CROWDED, centres={GERMANY: ("BER",)})),
    ),
    "adjustments.disband_missing": Effect(("ask", '"automatic"'), lines(GERMANY, at=CROWDED)),
    "adjustments.gains_and_losses": Effect(("ask", '"balance"'), lines(GERMANY, "A Hol D", at=WINTER)),
    # conduct
    "conduct.late_counted": Effect(('"tournament"', '"game"'), in_event(late_on_two_boards)),
    "conduct.late_first": Effect(('"warned"', '"all_hold"'), ruled(SheetDecision.LATE)),
    "conduct.late_again": Effect(('"warned"', '"all_hold"'), in_event(late_again)),
    "conduct.late_after_reading_began": Effect(('"accepted"', '"all_hold"'), ruled(SheetDecision.LATE_READING)),
    "conduct.late_points": Effect(("-1", "-2"), late_and_its_price, base="edc2023"),
    "conduct.missing_sheet": Effect(('"all_hold"', "ask"), in_event(no_sheet)),
    "conduct.header_incomplete": Effect(("ask", '"accepted"'), ticked("")),
    "conduct.unsigned": Effect(("ask", '"accepted"'), scanned(HOLDS, signed=False)),
    "conduct.foreign_sheet": Effect(('"accepted"', '"refused"'), ruled(SheetDecision.FOREIGN)),
    "conduct.wrong_season": Effect(("ask", '"accepted"'), ticked("fall 1901")),
    "conduct.two_sheets": Effect(("ask", '"first"'), scanned(HOLDS, HOLDS[::-1])),
    "conduct.resubmitted": Effect(("ask", '"first"'), scanned(HOLDS, HOLDS[::-1])),
    "conduct.joint_orders": Effect(('"accepted"', '"refused"'), ruled(SheetDecision.JOINT)),
    "conduct.proxy_orders": Effect(('"accepted"', '"refused"'), ruled(SheetDecision.PROXY)),
    "conduct.error_limit": Effect(('"next_orders"', '"next_adjudication"'), error_found()),
    "conduct.error_later": Effect(("ask", '"stands"'), error_found(adjudicated=True)),
    "conduct.dutchman": Effect(("ask", '"removal_order"'), dutchman_at("S1902M")),
    "conduct.dutchman_limit": Effect(("ask", '"next_fall_deadline"'), dutchman_at("F1902R")),
    "conduct.abandoned": Effect(('"holds"', '"replaced"'), in_event(newcomer, (*PLAYERS, Player(name="Hal")))),
    "conduct.leaver": Effect(("ask", '"excluded"'), in_event(leaves)),
    "conduct.eliminated_may_replace": Effect(('"yes"', '"no"'), in_event(eliminated_comes_back)),
    "conduct.two_boards_often": Effect(('"any"', '"once"'), in_event(twice_again, THIRTEEN)),
    "conduct.reader": Effect(('"in_turn"', '"any_player"'), reads("F1901M")),
    "conduct.beginners_until": Effect(("1901", "1903"), reads("S1903M"), base="edc2023"),
    "conduct.registration": Effect(('"at the bar"', '"none"'), told_to_the_director),
    "conduct.sanctions": Effect(
        ('["season suspension"]', "[]"), in_event(note("penalty", player="Bo", kind="season suspension"))
    ),
    # ending
    "ending.last_year": Effect(("1907", '"none"'), ends(Ending.LAST_YEAR)),
    "ending.last_year_top_board": Effect(("1907", "1909"), ends(Ending.LAST_YEAR, is_final=True)),
    "ending.call_time": Effect(('"known"', '"secret"'), told_to_players, base="wdc2008"),
    "ending.round_times": Effect(('"from nine to one"', '"none"'), told_to_the_director, base="wdc2008"),
    "ending.solo_centres": Effect(("18", "4"), ends(Ending.TIME)),
    "ending.concession": Effect(('"yes"', '"no"'), ends(Ending.CONCEDED)),
    "ending.concession_centres": Effect(("12", "4"), ends(Ending.CONCEDED), base="edc2023"),
    "ending.counted_in_fall": Effect(('"last_fall"', '"fall_retreats"'), ends(Ending.TIME, phase=Phase.read("F1908M"))),
    "ending.counted_in_spring": Effect(('"last_fall"', "ask"), ends(Ending.TIME)),
    "ending.stagnation_years": Effect(("1", "9"), ends(Ending.STAGNATION, phase=Phase.read("S1913M"), still_years=3)),
    "ending.stagnation_after": Effect(
        ("1908", "1912"), ends(Ending.STAGNATION, phase=Phase.read("S1913M"), still_years=3)
    ),
    "ending.vote.proposal": Effect(('"all_agree"', '"request"'), vote_on(all_agree_to_vote=False)),
    "ending.vote.stalemate": Effect(('"yes"', '"no"'), vote_on(is_stalemate=False)),
    "ending.vote.from_year": Effect(("1904", "1906"), vote_on()),
    "ending.vote.last_year": Effect(('"yes"', '"no"'), vote_on(is_last_year=True)),
    "ending.vote.time": Effect(('"any"', '"after_phase"'), vote_on()),
    "ending.vote.per": Effect(('"season"', '"any"'), vote_on(votes_this_season=1)),
    "ending.vote.per_player": Effect(("1", '"none"'), vote_on(asked_before=1)),
    "ending.vote.eliminated_asks": Effect(('"yes"', '"no"'), vote_on(asker_is_out=True)),
    "ending.vote.secret": Effect(('"yes"', '"no"'), voted()),
    "ending.vote.carried_by": Effect(('"unanimous"', "ask"), vote_on()),
    "ending.vote.absent": Effect(('"yes"', '"must_vote"'), voted(FRANCE=Ballot.ABSENT)),
    "ending.vote.abandoned": Effect(('"yes"', '"must_vote"'), voted(FRANCE=Ballot.GONE)),
    "ending.vote.asker_says_yes": Effect(('"yes"', '"no"'), voted(ITALY=Ballot.NO)),
    "ending.vote.includes_all_survivors": Effect(('"yes"', '"no"'), in_event(left_out_of_a_draw)),
    "ending.vote.counted": Effect(('"last_fall"', "ask"), ends(Ending.VOTE)),
    "ending.dice.added": Effect(
        ("[1, 3, 5]", "[6]"), lambda rules, _: dice_end_the_game(1, 1, load_tournament(rules).ending.dice)
    ),
    "ending.dice.ends_at": Effect(
        ("7", "2"), lambda rules, _: dice_end_the_game(1, 1, load_tournament(rules).ending.dice)
    ),
    # clock
    "clock.retreats": Effect(("30", "60"), planned("S1901R")),
    "clock.winter": Effect(("30", "60"), planned("W1901A")),
    "clock.runs_on": Effect(('"yes"', '"no"'), planned("S1901R"), base="nzdc1999"),
    "clock.faster": Effect(('"yes"', '"no"'), told_to_the_director),
    # draw
    "draw.new_opponents": Effect(('"must"', '"no"'), wished),
    "draw.meetings_most": Effect(("1", "2"), wished),
    "draw.trios_apart": Effect(('"should"', '"no"'), wished),
    "draw.same_power_once": Effect(('"must"', '"no"'), wished),
    "draw.power_groups": Effect(('[["FRANCE", "ITALY"]]', "[]"), wished),
    "draw.power_groups_kept": Effect(('"should"', '"no"'), wished),
    "draw.families_apart": Effect(('"should"', '"no"'), wished),
    "draw.teams_apart": Effect(('"should"', '"no"'), wished),
    "draw.best_together": Effect(('"should"', '"no"'), wished),
    "draw.order": Effect(('["families_apart", "new_opponents"]', '["new_opponents", "families_apart"]'), wished),
    "draw.binding": Effect(('"yes"', '"no"'), in_event(drawn_again)),
    "draw.uneven": Effect(('["volunteers"]', '["director_plays"]'), drawn_with(13, director=True)),
    "draw.director_boards": Effect(("1", "2"), drawn_with(12, director=True)),
    "draw.rounds_most": Effect(("1", '"none"'), in_event(second_round, PLAYERS)),
}


def test_every_setting_has_an_entry_and_every_entry_is_of_a_setting() -> None:
    assert sorted(EFFECTS) == sorted(paths())


@pytest.mark.parametrize("path", sorted(EFFECTS))
def test_a_setting_changes_what_comes_of_it(tmp_path: Path, path: str) -> None:
    effect, numbers = EFFECTS[path], count(1)
    seen = []
    for value in effect.values:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        seen.append(effect.probe(rules_with(folder, effect.base, path, value), folder))
    assert seen[0] != seen[1], f"{path} is obeyed by nobody: {seen[0]}"
