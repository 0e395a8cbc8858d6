"""An error found late is shown with all it changes, and the tournament's rule says whether it is corrected."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import run
from facts_as_kept import append_fact, read_facts

from desk.beginnings import copied
from desk.cup import clock, hand_in_all, printed, seated, spring
from pipeline.board import FIRST_PHASE, Phase, Power
from pipeline.cli import group
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import check_event
from pipeline.desk.publish.publish import ProposedCorrection, apply_correction, propose_correction, publish, write_cards
from pipeline.desk.ruling.rulings import RowDecision, rule_row, rule_sheet, type_lines, undo_ruling
from pipeline.ledger.events import PhasePublished
from pipeline.ledger.ledger import standing
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import ExitCode, Stopped
from pipeline.rules.conduct import Correction
from pipeline.scoring.results import Ending

SPRING = str(FIRST_PHASE)
BOARD = "1.1"


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Event]:
    """A Spring in which Austria's first order was ruled wrongly."""
    with open_event(copied(publish_wrongly, tmp_path / "cup"), clock) as event:
        yield event


def publish_wrongly(folder: Path) -> None:
    with open_event(printed(folder), clock) as event:
        hand_in_all(event)
        rule_row(event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE H"), "Tess")
        publish(event, "1", "Tess")
        rule_row(event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - TYR", why="misheard"), "Tess")


def test_a_correction_is_shown_before_it_is_made(published: Event) -> None:
    before = find_game(published, "1").position

    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)

    assert proposal.phases[0][1] == (
        "AUSTRIA orders: published A VIE H; now A VIE - TYR",
        "ITALY A VEN - TYR: was 'moves', is 'bounces 1:1 with A VIE - TYR'",
        "ITALY A ROM - VEN: was 'moves', is 'may not dislodge its own unit: A VEN - TYR'",
        "ITALY units after it: loses A TYR; gains A ROM; keeps A VEN, F ION",
    )
    assert (proposal.verdict, proposal.rule) == (Correction.CORRECTED, "WM VII.2.a")
    assert find_game(published, "1").position == before, "nothing is written down yet"


def test_a_ruling_between_the_look_and_the_correction_stops_it(published: Event) -> None:
    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)
    rule_row(published, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - BOH", why="misheard again"), "Tess")

    with pytest.raises(Stopped, match="a sheet or a ruling came meanwhile"):
        apply_correction(published, proposal, by="Tess", why="")

    assert len(list(read_facts(published.facts, "published"))) == 1


def test_after_the_deadline_the_rule_lets_it_stand_unless_a_reason_is_given(published: Event) -> None:
    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=True)
    assert (proposal.verdict, proposal.rule) == (Correction.ASK, "WM VII.2.b")

    with pytest.raises(Stopped, match=r"WM VII.2.b.*say why"):
        apply_correction(published, proposal, by="Tess", why="")

    apply_correction(published, proposal, by="Tess", why="no major disruption")
    assert list(check_event(published)) == []


def corrected_in_paris(folder: Path) -> Event:
    """The Spring of `published`, under the rules of EDC 2023."""
    opened = open_event(printed(folder, "edc2023"), clock)
    hand_in_all(opened)
    rule_row(opened, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE H"), "Tess")
    publish(opened, "1", "Tess")
    rule_row(opened, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - TYR", why="misheard"), "Tess")
    return opened


def test_retreats_that_were_read_are_next_orders_though_nothing_is_in_for_the_season_after(tmp_path: Path) -> None:
    """EDC23 R13: not once the following orders are issued, be they retreats; nobody has written for Fall yet."""
    units = {"AUSTRIA": ["A TRI", "A TYR"], "ITALY": ["A VEN"]}
    position = {"phase": "S1902M", "units": units, "centers": {"AUSTRIA": ["VIE"], "ITALY": ["VEN"]}, "dislodged": []}
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        append_fact(event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
        type_lines(
            event, Turn(BOARD, Phase.read("S1902M"), Power.AUSTRIA), ["A TYR - VEN", "A TRI S A TYR - VEN"], by="Tess"
        )
        type_lines(event, Turn(BOARD, Phase.read("S1902M"), Power.ITALY), ["A VEN H"], by="Tess")
        verdicts = []
        for retreat in (None, "A VEN R ROM"):
            if retreat:
                type_lines(event, Turn(BOARD, Phase.read("S1902R"), Power.ITALY), [retreat], by="Tess")
            publish(event, "1", "Tess")
            proposal = propose_correction(event, find_game(event, "1"), "S1902M", deadline_passed=False)
            verdicts.append(proposal.verdict)
    assert verdicts == [Correction.CORRECTED, Correction.STANDS]


@pytest.mark.parametrize("door", ["typed", "row"])
def test_next_orders_that_are_typed_are_in_at_every_door(tmp_path: Path, door: str) -> None:
    """EDC23 R13: once the following orders are issued an error is not corrected, on paper or typed."""
    with corrected_in_paris(tmp_path / "cup") as event:
        fall = Turn("1.1", find_game(event, "1").position.phase, Power.RUSSIA)
        unit = find_game(event, "1").position.units[Power.RUSSIA][0]
        if door == "row":
            rule_row(event, fall, 0, RowDecision(order=f"{unit} H"), "Tess")
        else:
            type_lines(event, fall, [f"{unit} H"], by="Tess")
        proposal = propose_correction(event, find_game(event, "1"), SPRING, deadline_passed=False)
        assert (proposal.verdict, proposal.rule) == (Correction.STANDS, "EDC23 R13")
        with pytest.raises(Stopped, match=r"EDC23 R13.*say why"):
            apply_correction(event, proposal, by="Tess", why="")


def test_before_any_next_order_is_in_edc23_corrects(tmp_path: Path) -> None:
    with corrected_in_paris(tmp_path / "cup") as event:
        fall = Turn("1.1", find_game(event, "1").position.phase, Power.RUSSIA)
        typed = type_lines(event, fall, ["A MOS H"], by="Tess")
        undo_ruling(event, typed, "Tess")
        proposal = propose_correction(event, find_game(event, "1"), SPRING, deadline_passed=False)
        assert proposal.verdict is Correction.CORRECTED


def play(event: Event, *, hold: bool = True, **lines: tuple[str, ...]) -> None:
    """Type and publish a phase: these lines, and that every other unit holds; nobody else writes in other phases."""
    position = find_game(event, "1").position
    for power, units in position.units.items():
        written = list(lines.get(power.value, ()))
        if hold:
            ordered = [line[:5] for line in written]
            written += [f"{unit} H" for unit in units if str(unit)[:5] not in ordered]
        if written:
            type_lines(event, Turn(BOARD, position.phase, power), written, by="Tess")
    publish(event, "1", "Tess")


def correct_spring(event: Event) -> tuple[ProposedCorrection, str]:
    """Apply the correction of the Spring by command: what is proposed, and what is said."""
    proposal = propose_correction(event, find_game(event, "1"), SPRING, deadline_passed=True)
    words = ["--board", "1", "--phase", SPRING, "--deadline-passed", "--apply", "--why", "all agreed", "--by", "Tess"]
    said = run("correct", str(event.folder), *words)
    assert list(check_event(event)) == []
    return proposal, said


def test_a_later_phase_in_which_a_row_is_open_after_the_correction_waits_and_names_the_row(published: Event) -> None:
    play(published, ITALY=("A TYR - TRI",))
    assert "A TRI" in map(str, find_game(published, "1").position.units[Power.ITALY])

    proposal, said = correct_spring(published)

    assert (proposal.dropped, [str(p.phase) for p in find_game(published, "1").played]) == (("F1901M",), [SPRING])
    assert "1.1 F1901M\n  not published any more" in said
    assert "waits: asks   1.1 F1901M ITALY line 0: A ROM has no order" in said
    with pytest.raises(Stopped, match="A ROM has no order"):
        publish(published, "1", "Tess")


def test_a_correction_that_leads_back_before_the_end_of_a_game_says_that_it_goes_on(published: Event) -> None:
    play(published, ITALY=("A TYR - TRI",))
    end_game(published, find_game(published, "1"), Ending.ABANDONED, by="Tess", why="all went home")
    _, said = correct_spring(published)
    assert "the game (over: abandoned) goes on with Fall 1901; end it anew when it is over" in said
    assert find_game(published, "1").ending is None


def test_a_later_phase_with_nothing_open_is_published_again_with_what_its_lines_mean_there(published: Event) -> None:
    rule_row(published, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - BOH", why="misheard"), "Tess")
    play(published, AUSTRIA=("A VIE - TYR",))
    rule_row(published, Turn(BOARD, Phase.read("F1901M"), Power.AUSTRIA), 1, RowDecision(text="Boh - Gal"), "Tess")
    proposal, _ = correct_spring(published)
    game = find_game(published, "1")
    assert [str(p.phase) for p in game.played] == [SPRING, "F1901M"]
    assert "AUSTRIA orders: published A VIE - TYR" in proposal.phases[1][1][0]
    assert "A BOH" in map(str, game.position.units[Power.AUSTRIA]), "Galicia is full"


@pytest.mark.parametrize(("denmark", "kept"), [("F DEN - SKA", ["W1901A"]), ("F DEN H", [])])
def test_a_retreat_that_is_not_due_any_more_is_left_out_and_the_winter_stays_where_nothing_waits(
    published: Event, denmark: str, kept: list[str]
) -> None:
    """With Denmark a build is due to Germany, and nothing of it came in."""
    rule_row(published, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE H", why="he said so"), "Tess")
    rule_row(published, spring(Power.GERMANY), 3, RowDecision(order="A MUN H"), "Tess")
    apply_correction(
        published,
        propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False),
        by="Tess",
        why="x",
    )
    play(published, AUSTRIA=("A VIE - TYR",), GERMANY=("A MUN S A VIE - TYR", "F DEN - SKA"))
    play(published, hold=False, ITALY=("A TYR R PIE",))
    play(published, hold=False, AUSTRIA=("A BUD B",), TURKEY=("A SMY B",))
    play(published)
    for line, order in enumerate(("A MUN H", denmark), start=1):
        rule_row(published, Turn(BOARD, Phase.read("F1901M"), Power.GERMANY), line, RowDecision(order=order), "Tess")
    proposal = propose_correction(published, find_game(published, "1"), "F1901M", deadline_passed=True)
    assert set(proposal.dropped) == {"F1901R", "W1901A", "S1902M"}.difference(kept)
    assert ("W1901A GERMANY" in str(proposal.waits)) is (not kept)
    assert "TURKEY centres are counted after it, not after the retreats: " in str(proposal.phases[0][1])
    apply_correction(published, proposal, by="Tess", why="misheard")
    assert [str(p.phase) for p in find_game(published, "1").played] == [SPRING, "F1901M", *kept]
    assert list(check_event(published)) == []


def weasel_winter(event: Event) -> None:
    """A Fall and its winter are published (WM VII.2.a: corrected until the next deadline), and an order misheard."""
    units = {"AUSTRIA": ["A SER", "A VIE"], "ITALY": ["A VEN"]}
    owned = {"AUSTRIA": ["VIE", "BUD", "SER"], "ITALY": ["VEN", "ROM"]}
    position = {"phase": "F1902M", "units": units, "centers": owned, "dislodged": []}
    append_fact(event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
    play(event)
    play(event, hold=False, AUSTRIA=("A BUD B",), ITALY=("A ROM B",))
    fall = Turn(BOARD, Phase.read("F1902M"), Power.AUSTRIA)
    rule_row(event, fall, 1, RowDecision(order="A SER - ALB", why="misheard"), "Tess")


ASSUMED = "assumed: the error was found before the next deadline; if it was not, say --deadline-passed"


@pytest.mark.parametrize(("words", "is_assumed"), [((), True), (("--deadline-passed",), False)])
def test_the_command_says_what_it_assumes_of_the_next_deadline(
    event: Event, words: tuple[str, ...], is_assumed: bool
) -> None:
    weasel_winter(event)
    said = run("correct", str(event.folder), "--board", "1", "--phase", "F1902M", *words)
    assert (ASSUMED in said) is is_assumed
    assert ("WM VII.2.a" if is_assumed else "WM VII.2.b") in said


def test_that_nothing_comes_is_asked_again_where_a_correction_gives_a_build_instead_of_a_disband(event: Event) -> None:
    units = {"AUSTRIA": ["A SER", "A RUM", "A VIE"], "ITALY": ["A VEN"]}
    owned = {"AUSTRIA": ["VIE", "BUD", "TRI"], "ITALY": ["VEN", "ROM"]}
    position = {"phase": "F1902M", "units": units, "centers": owned, "dislodged": []}
    append_fact(event.facts, "position set", {"board": BOARD, "position": position}, "Tess")
    play(event, AUSTRIA=("A SER - ALB", "A RUM - GAL"), ITALY=("A VEN - TRI",))
    winter = Turn(BOARD, Phase.read("W1902A"), Power.AUSTRIA)
    rule_sheet(event, winter, SheetDecision.NO_ORDERS, by="Tess")
    play(event, hold=False, ITALY=("A ROM B", "A VEN B"))
    for line in (1, 2):
        unit = units["AUSTRIA"][line - 1]
        fall = Turn(BOARD, Phase.read("F1902M"), Power.AUSTRIA)
        rule_row(event, fall, line, RowDecision(order=f"{unit} H", why="misheard"), "Tess")
    proposal = propose_correction(event, find_game(event, "1"), "F1902M", deadline_passed=True)
    assert proposal.dropped == ("W1902A",)
    assert "AUSTRIA: the position has changed since Tess ruled 'no orders'" in str(proposal.waits[0])
    apply_correction(event, proposal, by="Tess", why="misheard")
    with pytest.raises(Stopped, match="something else is due now; rule again"):
        publish(event, "1", "Tess")
    rule_sheet(event, winter, SheetDecision.NO_ORDERS, by="Tess")
    publish(event, "1", "Tess")
    assert list(check_event(event)) == []


def test_what_is_open_again_must_be_ruled_on_first(published: Event) -> None:
    rule_row(published, spring(Power.ITALY), 1, RowDecision(order="nothing"), "Tess")

    with pytest.raises(Stopped, match="A VEN has no order") as stopped:
        propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)
    assert stopped.value.code == 3


def test_a_correction_makes_the_cards_anew_and_takes_those_away_that_are_not_played_any_more(published: Event) -> None:
    out = published.out
    before = (out / f"1.1-{SPRING}-card.pdf").read_bytes()
    (out / "1.1-F1901M-card.pdf").write_bytes(b"of a phase that a correction unmade")
    (out / "1.1-notes-map.pdf").write_bytes(b"somebody's own")
    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)
    made, removed = apply_correction(published, proposal, by="Tess", why="misread")
    assert [path.name for path in made] == [f"1.1-{SPRING}-card.pdf", f"1.1-{SPRING}-map.pdf"]
    assert [path.name for path in removed] == ["1.1-F1901M-card.pdf"]
    assert (out / f"1.1-{SPRING}-card.pdf").read_bytes() != before
    assert (out / "1.1-notes-map.pdf").exists()
    for path in made:
        path.unlink()
    run("cards", str(published.folder))
    assert all(path.read_bytes().startswith(b"%PDF") for path in made)
    with pytest.raises(Stopped, match=r"not published on board 1\.1"):
        write_cards(published, find_game(published, "1"), "F1901M")


def test_nothing_is_corrected_that_was_corrected_meanwhile(published: Event) -> None:
    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)
    apply_correction(published, proposal, by="Tess", why="misread")
    number = published.facts.last_number()
    with pytest.raises(Stopped, match="published or ended meanwhile; nothing was corrected"):
        apply_correction(published, proposal, by="Gus", why="misread")
    assert published.facts.last_number() == number


@pytest.mark.parametrize("what", ["card", "map"])
def test_where_a_card_cannot_be_written_it_is_said_that_the_phase_is_published_and_how_to_print_again(
    event: Event, what: str
) -> None:
    hand_in_all(event)
    (event.out / f"{BOARD}-{SPRING}-{what}.pdf").mkdir(parents=True)
    (event.out / f"{BOARD}-{SPRING}-{what}.pdf/x").touch()
    result = CliRunner().invoke(group, ["adjudicate", str(event.folder), "--board", "1", "--by", "Tess"])
    said = str(result.exception)
    assert isinstance(result.exception, Stopped)
    assert result.exception.code == ExitCode.MACHINE_LACKS
    again = f"ordersheets cards {event.folder} --board {BOARD} --phase {SPRING}"
    assert f"{BOARD} {SPRING}: this phase is published; only its card" in said
    assert again in said
    assert f"{BOARD}-{SPRING}-{what}.pdf" in said
    assert [str(played.phase) for played in find_game(event, "1").played] == [SPRING]
    other = {"card": "map", "map": "card"}[what]
    assert (event.out / f"{BOARD}-{SPRING}-{other}.pdf").is_file(), "what can be made is made"
    (event.out / f"{BOARD}-{SPRING}-{what}.pdf/x").unlink()
    (event.out / f"{BOARD}-{SPRING}-{what}.pdf").rmdir()
    assert CliRunner().invoke(group, again.split()[1:]).exit_code == 0
    assert (event.out / f"{BOARD}-{SPRING}-{what}.pdf").is_file()


def test_a_correction_and_what_is_taken_back_stand_where_their_cards_cannot_be_made_or_taken_away(
    published: Event,
) -> None:
    card = published.out / f"{BOARD}-{SPRING}-card.pdf"
    card.unlink()
    (card / "x").mkdir(parents=True)
    proposal = propose_correction(published, find_game(published, "1"), SPRING, deadline_passed=False)
    with pytest.raises(Stopped, match="this phase is published; only its card"):
        apply_correction(published, proposal, by="Tess", why="misheard")
    assert len(list(published.facts.select(PhasePublished))) == 2
    for written in ("this phase is published", "the decision is written"):
        newest = list(standing(published.facts, PhasePublished))[-1].number
        words = ["undo", str(published.folder), str(newest), "--why", "wrong", "--by", "Tess"]
        assert written in str(CliRunner().invoke(group, words).exception)
    assert not find_game(published, "1").played
