"""``ordersheets rules --new``, ``--check``, ``--list``, and the pages of documentation that are made of the code."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sampled import slow_after

from docs.pictures.systems import draw_system
from pipeline.board import Power
from pipeline.cli.rules import rules_command
from pipeline.problems import Stopped
from pipeline.rules.convert import kinds_of
from pipeline.rules.load import find_rules, load_systems, load_tournament
from pipeline.rules.new_rules import OF_OTHERS, TIES, NewRulesAnswers, _wrong, rules_questions
from pipeline.rules.rules_check import check_rules
from pipeline.rules.scoring import HIGHEST, SIMPLE
from pipeline.rules.switches import Switch
from pipeline.rules.systems import picture_file
from pipeline.rules.table import line_of, lines_of
from pipeline.scoring.parts import Part
from pipeline.scoring.rules import ScoringRules

ROOT = Path(__file__).parents[2]
ALL_ANSWERS = (
    "--name", "Frost Cup", "--short", "FC", "--system", "trib", "--rounds", "4", "--counted", "3", "--final", "4",
    "--teams", "3", "--last-year", "1908", "--votes", "1905", "--all-survivors", "no", "--two-boards", "chosen",
    "--ties", "highest game, best meeting, lot", "--map", "standard", "--abbreviations", "english",
)  # fmt: skip


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(rules_command, list(arguments), input=typed)


def points_of(file: Path) -> ScoringRules:
    return load_tournament(file).scoring


def test_options_answer_every_question_and_the_file_says_what_was_answered(tmp_path: Path) -> None:
    file = tmp_path / "frost.toml"
    ran = run("--new", str(file), *ALL_ANSWERS, "--rare", "no")
    assert ran.exit_code == 0, ran.output
    found = load_tournament(file)
    assert (found.name, found.short, found.rounds) == ("Frost Cup", "FC", 4)
    assert found.scoring.system == load_systems()["tribute"].system
    assert [str(weight) for weight in found.scoring.totals.weights.of(4)] == ["1", "1", "1", "0"]
    assert found.scoring.final is not None
    assert found.scoring.final.qualifying_rounds == (1, 2, 3)
    assert found.scoring.teams is not None
    assert (found.scoring.teams.size, found.scoring.teams.rounds) == (3, (1, 2, 3))
    assert [tie.name for tie in found.scoring.ties.players] == ["highest game", "best meeting", "lot"]
    assert found.ending.last_year.value == found.ending.last_year_top_board.value == 1908
    assert found.ending.vote.from_year.value == 1905
    assert str(found.ending.vote.includes_all_survivors.value) == "no"
    assert "49.200" in ran.output  # what the board of 12-9-6-4-3-0-0 pays its leader
    assert f"--tournament {file}" in ran.output


@settings(max_examples=25)
@given(name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
@example(name='"Frost" \\ Cup 🏆')
@example(name="Frost\nCup = 1\x7f")
def test_a_name_of_any_letters_is_the_name_in_the_file_or_is_refused(name: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "frost.toml"
        ran = run("--new", str(file), *ALL_ANSWERS, "--rare", "no", "--name", name)

        assert load_tournament(file).name == name.strip() if ran.exit_code == 0 else isinstance(ran.exception, Stopped)


RARE = (
    "--rare", "yes", "--round-weights", "2/3, 7/9, 8/9, 1", "--stand-down", "10", "--second-title", "Alpha Weasel",
    "--second-counted", "3", "--winners-first", "yes", "--wins-first", "yes", "--power-by", "centres",
    "--concession-centres", "12",
)  # fmt: skip


def test_rare_rules_are_asked_for_only_when_they_are_wanted(tmp_path: Path) -> None:
    plain, rare = tmp_path / "plain.toml", tmp_path / "rare.toml"
    asked = run("--new", str(plain), *ALL_ANSWERS, typed="no\n")
    assert asked.exit_code == 0, asked.output
    assert "something rarer" in asked.output
    assert "multiplied" not in asked.output
    assert run("--new", str(rare), *ALL_ANSWERS, *RARE).exit_code == 0
    found = load_tournament(rare)
    totals, final = found.scoring.totals, found.scoring.final
    assert [str(weight) for weight in totals.round_weights] == ["2/3", "7/9", "8/9", "1"]
    assert found.scoring.bonuses.withdrawal is not None
    assert found.scoring.bonuses.withdrawal.points == 10
    assert (totals.wins_first, final is not None and final.winners_first) == (True, True)
    assert (found.scoring.awards.power_by, found.ending.concession_centres.value) == ("centres", 12)
    assert [(title.title, len(title.weights.of(3))) for title in found.scoring.awards.titles] == [("Alpha Weasel", 3)]


def test_a_league_is_written_by_its_rounds(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    assert run("--new", str(file), "--system", "carnage", "--rounds", "any", "--yes").exit_code == 0
    assert load_tournament(file).is_league
    ran = run("--new", str(tmp_path / "other.toml"), "--system", "carnage", "--rounds", "any", "--final", "3", "--yes")
    assert isinstance(ran.exception, Stopped)
    assert {problem.where for problem in ran.exception.problems} == {"final"}


def test_every_other_switch_stands_at_a_default_with_its_source(tmp_path: Path) -> None:
    file = tmp_path / "plain.toml"
    run("--new", str(file), "--system", "carnage", "--yes")
    found = load_tournament(file)
    switches = list(found.switches())
    assert len(switches) > 118
    assert len(found.open_switches()) <= 12
    assert all(comes_from_somewhere(each) for each in switches if each.path.partition(".")[0] not in POINTS)


POINTS = ("scoring", "totals", "ties", "teams", "awards")


def comes_from_somewhere(switch: Switch) -> bool:
    return switch.setting.asks or bool(switch.setting.rule)


def test_a_newcomer_types_answers_and_is_told_at_once_what_is_wrong_with_one(tmp_path: Path) -> None:
    file = tmp_path / "winter-cup.toml"
    typed = [
        "",
        "",
        "?",
        "trubute",
        "Tribute",
        "three",
        "3",
        "5x",
        "2",
        "",
        "hihgest game",
        "",
        "",
        "",
        "",
        "",
        "07",
        "1907",
    ]
    ran = run("--new", str(file), typed="\n".join([*typed, "", "", ""]) + "\n")
    assert ran.exit_code == 0, ran.output
    assert "open-tribute" in ran.output  # what "?" lists
    assert "'trubute' is not one of" in ran.output
    assert "did you mean 'tribute'?" in ran.output
    assert "expected 1 to 20 rounds, or 'any', found 'three'" in ran.output
    assert "found '5x'" in ran.output
    assert "did you mean 'highest game'?" in ran.output
    assert "expected a year such as 1908" in ran.output
    found = load_tournament(file)
    assert (found.name, found.short) == ("Winter Cup", "WINTERCU")
    assert [str(weight) for weight in found.scoring.totals.weights.of(3)] == ["1", "1", "0"]
    assert found.ending.last_year.value == 1907


@pytest.mark.parametrize(
    ("typed", "system"),
    [("OMG", "omg"), ("open mind", "omg"), ("Sum of squares", "sum-of-squares"), ("carnage", "carnage")],
)
def test_a_system_may_be_called_by_its_name_or_by_its_beginning(typed: str, system: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert run("--new", str(file), "--system", typed, "--yes").exit_code == 0
    assert points_of(file).system == load_systems()[system].system


def test_all_wrong_answers_are_told_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    ran = run(
        "--new",
        str(file),
        "--yes",
        "--system",
        "x",
        "--rounds",
        "3",
        "--counted",
        "4",
        "--final",
        "9",
        "--votes",
        "soon",
    )
    assert isinstance(ran.exception, Stopped)
    assert {problem.where for problem in ran.exception.problems} == {"system", "counted", "final", "votes"}
    assert not file.exists()


@pytest.mark.parametrize(
    ("question", "taken", "refused"),
    [
        ("rounds", ("1", "20", "any"), ("0", "21", "three", "\N{ARABIC-INDIC DIGIT THREE}")),
        ("counted", ("1", "5", "all"), ("0", "6", "none", "few")),
        ("second-counted", ("1", "5", "all"), ("0", "6", "none", "few")),
        ("final", ("2", "5", "none"), ("1", "6", "all", "last")),
        ("teams", ("2", "9", "none"), ("1", "10", "all", "some")),
        ("concession-centres", ("1", "34", "none"), ("0", "35", "all", "most")),
        ("last-year", ("1901", "1999", "none"), ("1900", "2001", "late")),
        ("votes", ("1901", "1999", "none"), ("1900", "2001", "late")),
        ("round-weights", ("1, 100", "1/2, 2", "none"), ("1, -1", "1, 101", "much")),
        ("stand-down", ("1", "1/2", "none"), ("0", "-1", "some")),
        ("ties", ("highest game", "none"), ("none, highest game", "luck")),
    ],
)
def test_an_answer_is_taken_up_to_the_edge_and_refused_beyond_it(
    question: str, taken: tuple[str, ...], refused: tuple[str, ...], tmp_path: Path
) -> None:
    def answer(number: int, text: str) -> tuple[Result, Path]:
        file = tmp_path / f"{number}.toml"
        others = ("--yes", "--system", "omg", *(() if question == "rounds" else ("--rounds", "5")))
        return run("--new", str(file), *others, f"--{question}", text), file

    for number, text in enumerate(taken):
        ran, file = answer(number, text)
        assert (ran.exit_code, file.exists()) == (0, True), (text, ran.output)
        assert load_tournament(file)
    for number, text in enumerate(refused, len(taken)):
        ran, file = answer(number, text)
        assert isinstance(ran.exception, Stopped), text
        assert {problem.where for problem in ran.exception.problems} == {question.replace("-", "_")}
        assert not file.exists()


def test_each_question_with_a_list_takes_one_of_it_and_says_which_there_are() -> None:
    """Two of a list are none of it, though each is; of tie-breaks alone several are taken."""
    questions = rules_questions(load_systems(), ("english", "french"))
    plain = {question.key: question.otherwise for question in questions}
    answers = NewRulesAnswers(**plain | {"name": "Cup", "short": "C", "system": "omg", "rounds": "3"})
    assert _wrong(answers, questions) == []
    listed = [question for question in questions if question.known]
    assert len(listed) > 8
    for question in listed:
        for answer in question.known:
            told = _wrong(replace(answers, **{question.key: answer}), questions)
            assert not any("is not one of" in text for _, text in told), (question.key, answer)
        both = ", ".join(question.known[:2])
        for said in (both, "zz") if question.key != "ties" else ("zz",):
            [(key, text)] = _wrong(replace(answers, **{question.key: said}), questions)
            shown = ", ".join(question.known[:8]) + (", …" if len(question.known) > 8 else "")
            assert (key, text.startswith(f"{said!r} is not one of {shown}")) == (question.key, True), text
        assert _wrong(replace(answers, **{question.key: ""}), questions) == [(question.key, "expected an answer")]


def test_a_number_may_be_typed_with_a_zero_before_it(tmp_path: Path) -> None:
    file = tmp_path / "zero.toml"
    ran = run("--new", str(file), "--yes", "--system", "omg", "--rounds", "03", "--concession-centres", "018")
    assert ran.exit_code == 0, ran.output
    rules = load_tournament(file)
    assert (rules.rounds, rules.ending.concession_centres.value) == (3, 18)


def test_what_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    lost = run("--new", str(tmp_path / "no folder" / "mine.toml"), "--system", "omg", "--yes").exception
    assert isinstance(lost, Stopped)
    assert "cannot be written: No such file or directory" in str(lost)
    file = tmp_path / "odd.toml"
    file.write_bytes(b'[scoring]\nsystem = "\xff"\n')
    assert "not saved as UTF-8 (line 2); save it as UTF-8" in str(run(str(file), "--check").exception)
    assert "Is a directory" in str(run(str(tmp_path), "--check").exception)


def test_no_file_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("# mine\n", "utf-8")
    ran = run("--new", str(file), "--system", "omg", "--yes")
    assert isinstance(ran.exception, Stopped)
    assert file.read_text("utf-8") == "# mine\n"
    assert isinstance(run("--new", str(tmp_path / "mine"), "--yes").exception, Stopped)
    assert isinstance(run("--new").exception, Stopped)


def test_every_tie_break_that_is_offered_works_between_players(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert run("--new", str(file), "--system", "omg", "--ties", ", ".join(TIES), "--yes").exit_code == 0
    assert run(str(file), "--check").exit_code == 0


@pytest.mark.parametrize("system", slow_after(12, load_systems()))
def test_every_system_makes_a_file_without_faults(system: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert run("--new", str(file), "--system", system, "--yes").exit_code == 0
    assert check_rules(file.read_text("utf-8"), file).faults == ()


def test_sandard_takes_more_than_half_of_its_centres(tmp_path: Path) -> None:
    file = tmp_path / "six.toml"
    assert run("--new", str(file), "--system", "c-diplo-100", "--map", "sandard", "--yes").exit_code == 0
    found = load_tournament(file)
    assert found.scoring.system.solo.centres is None
    assert found.scoring.system.has_sandard
    assert found.ending.solo_centres.value is None
    assert found.map == "sandard"


FAULTY = """[tournament]
name = "Odd"
short = "ODD"
abbreviations = "englisch"
unstated = "defaults"

[reading]
not_ordered = { value = "hols", rule = "ODD 1" }
letter_wrong = "followed"

[scoring]
pool = 100

[[scoring.parts]]
give = "centres"

[[scoring.parts]]
give = "near top"
points = 12
shares = [
  0,
  1,
]

[scoring.tribute]
due = "leads"

[totals]
rounds = "3"
"""


def test_a_check_tells_every_fault_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(FAULTY, "utf-8")
    ran = run(str(file), "--check")
    assert ran.exit_code == 2
    assert [(fault.line, fault.path) for fault in check_rules(FAULTY, file).faults] == [
        (4, "abbreviations"),
        (8, "reading.not_ordered.value"),
        (9, "reading.letter_wrong"),
        (11, "scoring.solo.winner"),
        (20, "scoring.parts[1].shares[0]"),
        (25, "scoring.tribute"),
        (26, "scoring.tribute.due"),
        (29, "totals.rounds"),
    ]
    assert (
        "odd.toml: line 8, reading.not_ordered.value: 'hols' is not one of ask, hold; did you mean 'hold'?"
        in ran.output
    )


@pytest.mark.parametrize(
    ("text", "path", "says"),
    [
        ("[totals]\nrounds = 0", "totals.rounds", "expected 1 to 30, or 'any', found 0"),
        ("[totals]\nrounds = 3\n[teams]\nsize = 3\nrounds = [4]", "teams.rounds", "round 4 is not played"),
        ('[totals]\nrounds = 3\n[ties]\nplayers = ["final score"]', "ties.players", "take 'highest game'"),
        ('[totals]\nrounds = 3\n[ties]\nplayers = ["chose last"]', "ties.players", "separates nobody without"),
        ('[totals]\nrounds = 3\n[ties]\nfinal_years = [1907, 1907]\nteams = []\nplayers = ["centres by year"]',
         "ties.players", "separates nobody without"),
        (f'[totals]\nrounds = 3\n[ties]\npower_order = {json.dumps(list(Power))}\npowers = ["power order"]',
         "ties.powers", "separates nobody without"),
        ('[totals]\nrounds = 3\n[ties]\nplayers = ["most top grades"]', "ties.players", "only ties.votes has"),
        (
            "[totals]\nrounds = 3\n[totals.final]\nround = 3\nqualifying_rounds = [1, 2]\n"
            '[ties]\nfinal = ["most top grades"]',
            "ties.final",
            "only ties.votes has",
        ),
        *(
            (f"[totals]\nrounds = 3\n[ties]\nfinal_years = {years}", "ties.final_years", "the last and the first year")
            for years in ("[1907]", "[1902, 1907]", "[1907, 1906, 1902]")
        ),
        ('[totals]\nrounds = 3\n[ties]\nteams = ["lot"]', "ties.teams", "there is no [teams]"),
        ('[totals]\nrounds = 3\n[ties]\nfinal = ["lot"]', "ties.final", "there is no [totals.final]"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_told_with_its_line_and_what_would(text: str, path: str, says: str, tmp_path: Path) -> None:
    whole = '[scoring]\nsystem = "tribute"\n\n' + text + "\n"
    [fault] = check_rules(whole, tmp_path / "mine.toml").faults
    assert fault.path == path
    assert says in fault.text
    assert fault.line is not None
    assert path.rpartition(".")[2].partition("[")[0] in whole.splitlines()[fault.line - 1]


def test_a_check_says_that_a_solo_has_no_rule_of_its_own_only_where_it_has_none(tmp_path: Path) -> None:
    own = '[scoring]\n[[scoring.parts]]\ngive = "centres"\n'
    for scoring, is_said in (
        (own, True),
        ('[scoring]\nsystem = "dixie"\n', False),
        ('[scoring]\nsystem = "omg"\n', False),
    ):
        notes = check_rules(f"{scoring}[totals]\nrounds = 3\n", tmp_path / "mine.toml").notes
        assert any("no [scoring.solo]" in note for note in notes) is is_said


def test_a_check_says_which_keys_of_the_judge_decide_nothing_that_is_written() -> None:
    path = find_rules("wdc2008")
    whole = path.read_text("utf-8")
    key = 'missing_coast = { value = "default", rule = "MINE 5" }'
    for text, is_said in ((whole, False), (whole.replace("[judge]\n", f"[judge]\n{key}\n", 1), True)):
        notes = check_rules(text, path).notes
        assert any("[judge] missing_coast: only for orders that another program" in note for note in notes) is is_said


def test_a_check_tells_what_the_workbook_could_not_compute(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[scoring]\nsystem = "omg"\n[totals]\nrounds = 3\n[ties]\nplayers = ["centre margin"]\n', "utf-8")
    ran = run(str(file), "--check")
    assert ran.exit_code == 2
    assert "no formula for the tie-break 'centre margin'" in ran.output
    assert "choose another one" in ran.output


def test_a_check_is_one_object_for_scripts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[scoring]\nsystem = "maxonian"\n[totals]\nrounds = 3\n[ties]\nplayers = ["distance", "lot"]\n', "utf-8"
    )
    found = json.loads(run(str(file), "--check", "--json").output)
    assert found["faults"] == []
    assert found["pays"][0] == {
        "board": "12-9-6-4-3-0-0",
        "centers": [12, 9, 6, 4, 3, 0, 0],
        "scores": ["7.000", "6.000", "5.000", "4.000", "3.000", "2.000", "1.000"],
    }
    assert len(found["notes"]) == 4  # the years, the distance, the lot, what is asked
    assert isinstance(run(str(tmp_path / "none.toml"), "--check").exception, Stopped)
    file.write_text("[scoring\n", "utf-8")
    assert "not TOML" in json.loads(run(str(file), "--check", "--json").output)["faults"][0]["text"]


def test_what_is_not_in_a_file_is_asked_unless_it_says_otherwise(tmp_path: Path) -> None:
    points = '[scoring]\nsystem = "omg"\n[totals]\nrounds = 3\n'
    file = tmp_path / "mine.toml"
    file.write_text('[tournament]\nname = "M"\nshort = "M"\nabbreviations = "english"\n' + points, "utf-8")
    asks = len(load_tournament(file).open_switches())
    assert asks > 100
    file.write_text(points, "utf-8")
    alone = load_tournament(file)
    assert len(alone.open_switches()) <= 12
    assert (alone.id, alone.name, alone.short, alone.abbreviations.id) == ("mine", "mine", "MINE", "english")
    file.write_text('[reading]\nnot_ordered = "ask"\n' + points, "utf-8")
    assert len(load_tournament(file).open_switches()) == len(alone.open_switches()) + 1
    file.write_text('[tournament]\nunstated = "defaults"\n' + points, "utf-8")
    assert {fault.path for fault in check_rules(file.read_text("utf-8"), file).faults} == {
        "tournament.name",
        "tournament.short",
    }


def test_points_say_what_a_late_sheet_costs_and_what_wins_a_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[scoring]\nsystem = "omg"\nsolo = { centres = 16 }\n[totals]\nrounds = 3\n'
        '[[totals.penalties]]\nkind = "late"\npoints = { value = "1/2", rule = "M 9" }\n',
        "utf-8",
    )
    found = load_tournament(file)
    assert found.ending.solo_centres.value == 16
    assert str(found.conduct.late_points.value) == "-1/2"


def test_lines_are_found_in_tables_lists_and_keys_that_are_quoted() -> None:
    text = """# head
[a]
x = [
  1, # ] not the end
]
"y z" = { p = 1,
  q = 2 }
b.c = 1
[[a.list]]
k = "[["
[[a.list]]
[[a.list.inner]]
k = 2
[a.list.table]
k = 3
"""
    lines = lines_of(text)
    assert lines["a.x"] == 3
    assert lines["a.y z"] == 6
    assert lines["a.b.c"] == 8
    assert lines["a.list[0].k"] == 10
    assert lines["a.list[1].inner[0].k"] == 13
    assert lines["a.list[1].table.k"] == 15
    assert line_of(lines, "a.x[3]") == 3
    assert line_of(lines, "a.y z.q.deep") == 6
    assert line_of(lines, "b") is None


# ---- the pages that are made of the code ---------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pictures_of_the_gallery_are_made_of_the_files() -> None:
    for system in load_systems().values():
        assert picture_file(system.id).read_text("utf-8") == draw_system(system.name, system.system) + "\n", system.id


def test_the_gallery_gives_a_name_a_sentence_and_a_picture_of_each() -> None:
    hung = load_systems()
    assert [each.id for each in hung.values()] == list(hung)
    for each in hung.values():
        assert each.name
        assert each.summary.endswith(".")
        assert picture_file(each.id).read_text("utf-8").startswith("<svg ")


def test_the_list_has_every_system_with_what_it_pays() -> None:
    out = run("--list").output
    found = json.loads(run("--list", "--json").output)
    assert [each["id"] for each in found] == list(load_systems())
    for each in found:
        assert each["id"] in out
    tribute = next(each for each in found if each["id"] == "tribute")
    assert tribute["pays"] == ["49.2", "16.2", "13.2", "11.2", "10.2", "0", "0"]
    assert tribute["solo"] == "100"
    assert "12-9-6-4-3-0-0 pays 49.2  16.2  13.2  11.2  10.2  0  0; a solo 100" in out


def test_the_page_of_words_has_every_tie_break_and_every_block_stands_in_the_page_of_points() -> None:
    words = (ROOT / "docs/generated/words.md").read_text("utf-8")
    points = (ROOT / "docs/scoring.md").read_text("utf-8")
    for name in (*SIMPLE, *HIGHEST):
        assert f"`{name}`" in words
        assert name in TIES or name in OF_OTHERS
    for block in (str(part.__struct_config__.tag) for part in kinds_of(Part)):
        assert f"| `{block}` |" in points
        assert f"`{block}`" in words


def test_the_page_of_words_has_every_switch() -> None:
    words = (ROOT / "docs/generated/words.md").read_text("utf-8")
    for switch in load_tournament("edc1996").switches():
        section, _, key = switch.path.partition(".")
        if section in ("reading", "adjustments", "conduct", "ending", "draw"):
            assert f"| `{key}` |" in words, switch.path
