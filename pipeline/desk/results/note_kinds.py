"""What can be noted beside the results: penalties, scores by ruling, newcomers, lots, and the like.

Every kind is one fact with who, when and why; the page and the command ask for its fields and read them alike.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.desk.event.draw_notes import draw
from pipeline.desk.event.note_values import NOBODY, START, YES, AskedValue, NoteField, Values
from pipeline.desk.forms.typed_results import result_facts
from pipeline.desk.results.note_checks import (
    Facts,
    Read,
    announced,
    award,
    board_by_hand,
    bonus,
    counts,
    excluded,
    late_start,
    lot,
    noted,
    penalty,
    score,
    substitute,
    swap,
)
from pipeline.ledger.parts import Column
from pipeline.scoring.results.results import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteKind:
    """One kind of note."""

    word: str  # as the command has it
    title: str  # as the page has it
    fields: tuple[NoteField, ...]
    facts: Callable[[Values, Read], Facts]  # what is written down; faults are noted in the values
    needs_why: bool = False
    rules: str = ""  # what the five tournaments say of it


ENDINGS = tuple(str(ending) for ending in Ending if ending is not Ending.UNSTATED)
WHO = NoteField(name="player", label="who", asked=AskedValue.PLAYER)
BOARD = NoteField(name="board", label="board", asked=AskedValue.BOARD, help="such as 2.3")
FROM = NoteField(name="phase", label="from", asked=AskedValue.PHASE, help="his first season, such as F1903")
KIND = NoteField(name="kind", label="what for", asked=AskedValue.WORD, is_open=True)
POWER = NoteField(name="power", label="power", asked=AskedValue.POWER)
ROUND = NoteField(name="round", label="round", asked=AskedValue.ROUND, needed=False)
RULED = NoteField(
    name="ruled",
    label="allowed by the director",
    asked=AskedValue.WORD,
    needed=False,
    help="where the rules leave it to him",
    words=YES,
)
SEATED = NoteField(
    name="players",
    label="who sits where",
    asked=AskedValue.LINES,
    help="such as AUSTRIA Ada, a power a line",
)
POINTS = NoteField(name="points", label="points, where the rules give none", asked=AskedValue.POINTS, needed=False)


KINDS = {
    kind.word: kind
    for kind in (
        NoteKind(
            word="penalty",
            title="A penalty",
            fields=(
                WHO,
                replace(KIND, help="absence, contesting, late, conduct, or a word of your own"),
                replace(POINTS, help="taken away; the sign does not matter"),
                ROUND,
                NoteField(name="times", label="how often", asked=AskedValue.COUNT, needed=False),
            ),
            facts=penalty,
            needs_why=True,
            rules="EDC23 D4; NZ99 9, 24; WDC08 11.3, 18",
        ),
        NoteKind(
            word="bonus",
            title="A bonus",
            fields=(
                WHO,
                replace(KIND, help="withdrawal, preregistration, or a word of your own"),
                POINTS,
                ROUND,
            ),
            facts=bonus,
            needs_why=True,
            rules="EDC23 D2, D3",
        ),
        NoteKind(
            word="score",
            title="A score by ruling",
            fields=(BOARD, POWER, NoteField(name="score", label="score", asked=AskedValue.POINTS)),
            facts=score,
            needs_why=True,
            rules="NZ99 22; WM III.8",
        ),
        NoteKind(
            word="substitute",
            title="Somebody takes a seat",
            fields=(
                BOARD,
                POWER,
                NoteField(name="player", label="newcomer", asked=AskedValue.NEWCOMER, help=f"a name, or {NOBODY}"),
                replace(FROM, help="his first season, such as F1903; S1901 before play: he sat there from the start"),
                RULED,
            ),
            facts=substitute,
            needs_why=True,
            rules="WDC08 12.6; WM III.8; NZ99 5, 13; EDC23 D",
        ),
        NoteKind(
            word="swap",
            title="Two players change places",
            fields=(
                WHO,
                NoteField(name="other", label="with", asked=AskedValue.PLAYER),
                replace(ROUND, help="without it the round that was drawn last"),
            ),
            facts=swap,
            needs_why=True,
            rules="before play, by the director's hand",
        ),
        NoteKind(
            word="board",
            title="A board set by hand",
            fields=(
                NoteField(name="board", label="board", asked=AskedValue.ROOM, help="round and board, such as 2.3"),
                SEATED,
                RULED,
            ),
            facts=board_by_hand,
            needs_why=True,
            rules="latecomers, fixed tables",
        ),
        NoteKind(
            word="draw",
            title="Who is in a draw",
            fields=(
                BOARD,
                NoteField(
                    name="powers", label="powers in it", asked=AskedValue.POWERS, help="such as AUSTRIA ITALY, or A I"
                ),
            ),
            facts=draw,
            rules="Dixiecon, Tribute and others that leave survivors out",
        ),
        NoteKind(
            word="late-start",
            title="Somebody arrived late",
            fields=(
                BOARD,
                POWER,
                NoteField(
                    name="phase",
                    label="in",
                    asked=AskedValue.ARRIVAL,
                    help=f"his first season, such as F1903; {START}: nothing is taken off his score",
                ),
            ),
            facts=late_start,
            needs_why=True,
            rules="EDC23 D",
        ),
        NoteKind(
            word="counts",
            title="Which of two boards counts",
            fields=(
                WHO,
                BOARD,
                NoteField(
                    name="both",
                    label="both count",
                    asked=AskedValue.WORD,
                    needed=False,
                    help="where the rules leave it to the director",
                    words=YES,
                ),
            ),
            facts=counts,
            rules="EDC23 D",
        ),
        NoteKind(
            word="lot",
            title="A lot",
            fields=(
                NoteField(
                    name="players", label="names", asked=AskedValue.PLAYERS, help="a name a line, the first drawn first"
                ),
            ),
            facts=lot,
            rules="WM XI.1.b.v, XI.2; WDC08 16.3; EDC23 B",
        ),
        NoteKind(
            word="excluded",
            title="Somebody is excluded",
            fields=(WHO,),
            facts=excluded,
            needs_why=True,
            rules="EDC96 12; NZ99 9, 24; WDC08 18",
        ),
        NoteKind(
            word="award",
            title="A special award",
            fields=(NoteField(name="award", label="award", asked=AskedValue.TEXT), WHO),
            facts=award,
            rules="WM XI.3",
        ),
        NoteKind(
            word="distance",
            title="Distance from home",
            fields=(WHO, NoteField(name="km", label="kilometres", asked=AskedValue.COUNT)),
            facts=noted(Column.DISTANCE, "km"),
            rules="WM XI.1.b.iv; EDC23 B",
        ),
        NoteKind(
            word="country",
            title="Country",
            fields=(WHO, NoteField(name="country", label="country", asked=AskedValue.TEXT)),
            facts=noted(Column.COUNTRY, "country"),
            rules="EDC96 team tournament",
        ),
        NoteKind(
            word="preregistered",
            title="Announced beforehand",
            fields=(WHO, NoteField(name="rounds", label="rounds", asked=AskedValue.ROUNDS, help="such as 1, 4")),
            facts=announced,
            rules="EDC23 D3, G",
        ),
        NoteKind(
            word="result",
            title="A game played elsewhere",
            fields=(
                NoteField(name="board", label="board", asked=AskedValue.ROOM, help="round and board, such as 2.3"),
                NoteField(name="ended", label="how it ended", asked=AskedValue.WORD, words=ENDINGS),
                NoteField(
                    name="years",
                    label="counts, a year a line",
                    asked=AskedValue.LINES,
                    help="such as 1907 A5 E4 F5 G5 I4 R6 T5, and N with those of nobody",
                ),
                replace(SEATED, label="who played, where the board is not drawn", needed=False),
                RULED,
            ),
            facts=result_facts,
            rules="WDC08 11.3",
        ),
    )
}
