"""What is asked about a team's form and a score sheet, whatever is written on them and ruled, beside plain words."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from desk.cup import inked
from desk.forms.table import NAMES, event_of
from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.forms.forms_in import SIGNED, AnsweredField, FormIn, forms_in
from pipeline.desk.forms.player_forms import board_games_of, entry_of, score_sheet_doubts, team_entry_doubts
from pipeline.ink import InkLine, InkReading, Tier, Transcription
from pipeline.ledger.events import FieldRuled, PageRead, TeamEntered
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_layout import Answer, ChoiceAnswer, NumberAnswer, SignatureAnswer, TextAnswer
from pipeline.reading.recogniser import Tray
from pipeline.scoring.results import BoardGame

COPIES = 60
IN_BATS = NAMES[2]  # who is in a team already
NOBODY = "Hal Nobody"  # is not on the roster
Asked = Counter[tuple[str, str]]  # reasons with their fields


def line_of(chance: random.Random, answer: Answer, who: int, *, is_good: bool) -> InkLine:
    """What is written in a field of a row for a player: mostly all that is due, and read."""
    row = answer.name.partition(" ")[0]
    if chance.random() < (0.1 if isinstance(answer, SignatureAnswer) else 0) if is_good else chance.random() < 0.25:
        return inked(answer.number, "", Tier.BLANK)
    tier = Tier.ASKED if not is_good and chance.random() < 0.25 else Tier.ACCEPTED
    match answer:
        case NumberAnswer(name=name) if name.endswith("number"):
            return inked(
                answer.number, str(who if is_good or chance.random() < 0.8 else chance.choice((8, who % 7 + 1))), tier
            )
        case NumberAnswer():
            return inked(answer.number, row if is_good else chance.choice("123"), tier)
        case TextAnswer():
            name = NAMES[(who - 1 if is_good or chance.random() < 0.8 else who) % len(NAMES)]
            texts = ["scrawl", name.upper()] if is_good or chance.random() < 0.9 else ["scrawl"]
            return replace(inked(answer.number, "", Tier.ASKED), readings=tuple(InkReading(t, 0.5) for t in texts))
        case ChoiceAnswer(choices=choices):
            return inked(answer.number, chance.choice(choices), tier)
    return inked(answer.number, SIGNED, tier)


def fill(event: Event, form: str, chance: random.Random) -> None:
    """Some rows are filled, some of them as they should be; some fields are ruled."""
    answers, lines = FORMS[form], []
    are_good = chance.random() < 0.4
    used = {str(row): are_good or chance.random() < 0.5 for row in range(1, chance.randrange(5) + 1)}
    people = chance.sample(range(1, 8), 7) if chance.random() < 0.8 else [chance.randrange(1, 4) for _ in range(7)]
    for answer in answers:
        row = answer.name.partition(" ")[0]
        is_head = not row.isdecimal()
        if is_head or row in used:
            is_good = chance.random() < 0.5 if is_head else used[row]
            lines.append(line_of(chance, answer, 1 if is_head else people[int(row)], is_good=is_good))
        else:
            lines.append(inked(answer.number, "", Tier.BLANK))
    scan = f"{len(list(event.facts.everything())):064d}"
    read = Transcription(sheet_id=form, scan_sha256=scan, page=1, reader="test", lines=tuple(lines), residual_mm=0.0)
    event.facts.write(PageRead(sha256=scan, page=1, tray=Tray.FILED, text="", form=read), "test")
    for answer in answers:
        row = answer.name.partition(" ")[0]
        if answer.name == "team" or (row in used and chance.random() < 0.15):
            value = ruled_value(chance, answer)
            if value is not None:
                event.facts.write(FieldRuled(form=form, field=answer.name, value=value, why=""), "Tess")


def ruled_value(chance: random.Random, answer: Answer) -> str | None:
    match answer:
        case TextAnswer(name="team"):
            return chance.choice(("Owls", "Owls", "Bats", "", None))
        case TextAnswer():
            return chance.choice((NAMES[0], NAMES[4], NOBODY, ""))
        case NumberAnswer(name=name):
            return chance.choice("1236" if name.endswith("number") else "123")
        case SignatureAnswer():
            return chance.choice((SIGNED, ""))
    return None


FORMS: dict[str, tuple[Answer, ...]] = {}


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    folder: Path = tmp_path_factory.mktemp("forms")
    with event_of(folder, "nzdc1999") as opened:
        opened.facts.write(TeamEntered(team="Bats", members=(NAMES.index(IN_BATS) + 1,), form="another"), "Tess")
        for seed, kind in enumerate((FormKind.TEAM, FormKind.GAME)):
            chance, printed = random.Random(seed), print_wanted(opened, Wanted(kind=kind, copies=COPIES))
            for page in printed.pages:
                FORMS[page.sheet] = page.answers
                fill(opened, page.sheet, chance)
        yield opened


class Row(Struct, frozen=True):
    """A row in which anything is written, in plain values: empty is nothing, None is not read."""

    number: str
    fields: dict[str, AnsweredField]

    def value(self, name: str) -> str | None:
        return self.fields[name].value

    @property
    def typed(self) -> str:
        """The name that the director says."""
        ruling = self.fields["name"].ruling
        return ruling.said.value if ruling else ""

    @property
    def numbered(self) -> str:
        number = self.value("number") or "0"
        return {str(n): name for n, name in enumerate(NAMES, start=1)}.get(number, "")

    @property
    def beside(self) -> str:
        """The player whose name is read beside the number."""
        known = {name.upper(): name for name in NAMES}
        return next((known[r.text] for r in self.fields["name"].line.readings if r.text in known), "")

    @property
    def player(self) -> str:
        is_sure = self.fields["number"].ruling is not None or self.beside == self.numbered
        return self.typed or (self.numbered if is_sure else "")

    def asked(self) -> Iterator[tuple[str, str]]:
        number = self.value("number")
        if self.typed:
            if self.typed == NOBODY:
                yield "NOT_ON_ROSTER", "name"
        elif number == "":
            yield "NO_NUMBER", "name"
        elif number is not None and not self.numbered:
            yield "NOBODYS_NUMBER", "number"
        elif number is not None and not self.player:
            yield "OTHER_NAME" if self.beside else "NO_NAME_BESIDE", "name"


def rows_of(form: FormIn) -> list[Row]:
    found: dict[str, dict[str, AnsweredField]] = {}
    for answered in form.answers:
        row, _, field = answered.answer.name.partition(" ")
        if row.isdecimal():
            found.setdefault(row, {})[field] = answered
    rows = [Row(number, fields) for number, fields in found.items()]
    return [row for row in rows if any(answered.value != "" for answered in row.fields.values())]


OF_ROWS = {"NOT_ON_ROSTER", "NO_NUMBER", "NOBODYS_NUMBER", "OTHER_NAME", "NO_NAME_BESIDE", "NOT_READ", "MAYBE_SIGNED"}
UNREAD = {NumberAnswer: "NOT_READ", ChoiceAnswer: "WHICH_TICK", SignatureAnswer: "MAYBE_SIGNED"}


def asked_of_rows(form: FormIn, due: str, missing: str) -> Asked:
    """What is asked of unread fields and row by row; of ``due`` it is said what is missing."""
    asked: Asked = Counter()
    for answered in form.answers:
        if answered.value is None and type(answered.answer) in UNREAD:
            asked[UNREAD[type(answered.answer)], answered.answer.name] += 1
    for row in rows_of(form):
        asked.update((code, f"{row.number} {field}") for code, field in row.asked())
        if row.value(due) == "":
            asked[missing, f"{row.number} {due}"] += 1
    return asked


def doubts(found: Iterator[object]) -> Asked:
    return Counter((str(each.reason.code), each.field) for each in found)  # type: ignore[attr-defined]


def met(asked: Asked) -> set[str]:
    return {code for code, _ in asked}


def test_a_team_is_asked_about_its_name_its_members_and_their_signatures(event: Event) -> None:
    codes, entered = set[str](), 0
    for form in (form for form in forms_in(event).values() if form.kind is FormKind.TEAM):
        asked, rows, team = asked_of_rows(form, "signature", "UNSIGNED"), rows_of(form), form.by_name["team"].value
        if not team:
            asked["HANDWRITTEN" if team is None else "NO_TEAM_NAME", "team"] += 1
        if not rows:
            asked["EMPTY_TEAM", ""] += 1
        for place, row in enumerate(rows):
            if row.player and row.player in [other.player for other in rows[:place]]:
                asked["TWICE_ON_FORM", f"{row.number} number"] += 1
            if row.player == IN_BATS and team == "Owls":
                asked["IN_OTHER_TEAM", f"{row.number} number"] += 1
        assert doubts(team_entry_doubts(event, form)) == asked
        codes |= met(asked)
        if not asked:
            entered += 1
            names = {str(NAMES.index(row.player) + 1): row.player for row in rows}
            said = TeamEntered(team=team or "", members=tuple(map(int, names)), form=form.id, names=names)
            assert entry_of(event, form) == said
    assert codes >= OF_ROWS | {
        "UNSIGNED",
        "NO_TEAM_NAME",
        "HANDWRITTEN",
        "EMPTY_TEAM",
        "TWICE_ON_FORM",
        "IN_OTHER_TEAM",
    }
    assert entered


def test_a_score_sheet_is_asked_about_its_game_its_players_and_their_places_and_counts_without_doubts(
    event: Event,
) -> None:
    codes, counting = set[str](), list[BoardGame]()
    for form in (form for form in forms_in(event).values() if form.kind is FormKind.GAME):
        asked, rows, game = asked_of_rows(form, "place", "NO_PLACE"), rows_of(form), form.by_name["game"].value
        if game == "":
            asked["NO_GAME", "game"] += 1
        named = Counter(row.player for row in rows if row.player)
        if twice := sum(often > 1 for often in named.values()):
            asked["TWICE_ON_SHEET", ""] += twice
        if len(rows) < 2:
            asked["NO_POINTS", ""] += 1
        places = [int(value) for row in rows if (value := row.value("place"))]
        ranked = [1 + sum(other < place for other in places) for place in places]
        if len(places) == len(rows) and places != ranked:
            asked["WRONG_PLACES", ""] += 1
        assert doubts(score_sheet_doubts(event, form)) == asked
        codes |= met(asked)
        if not asked:
            at = {
                place: tuple(row.player for row in rows if row.value("place") == str(place)) for place in sorted(places)
            }
            signed = all(row.value("signature") != "" for row in rows)
            counting.append(BoardGame(game=game or "", places=tuple(at.values()), is_signed=signed))
    assert codes >= OF_ROWS | {"WHICH_TICK", "NO_GAME", "NO_PLACE", "TWICE_ON_SHEET", "NO_POINTS", "WRONG_PLACES"}
    assert {game.is_signed for game in counting} == {True, False}
    assert [*board_games_of(event)] == counting
