"""What can be noted beside the results: penalties, scores by ruling, newcomers, lots, and the like.

Every kind is one fact with who, when and why; the page and the command ask for its fields and read them alike.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.desk.event.draw_notes import draw
from pipeline.desk.event.note_values import NOBODY, Asked, Field, Values
from pipeline.desk.forms.typed_results import result_facts
from pipeline.desk.results.note_checks import (
    Facts,
    Read,
    announced,
    award,
    bonus,
    counts,
    excluded,
    late_start,
    lot,
    noted,
    penalty,
    score,
    substitute,
)
from pipeline.ledger.parts import Column
from pipeline.scoring.results import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of note."""

    word: str  # as the command has it
    title: str  # as the page has it
    fields: tuple[Field, ...]
    facts: Callable[[Values, Read], Facts]  # what is written down; faults are noted in the values
    needs_why: bool = False
    rules: str = ""  # what the five tournaments say of it


ENDINGS = tuple(str(ending) for ending in Ending if ending is not Ending.UNSTATED)
WHO = Field(name="player", label="who", asked=Asked.PLAYER)
BOARD = Field(name="board", label="board", asked=Asked.BOARD, help="such as 2.3")
FROM = Field(name="phase", label="from", asked=Asked.PHASE, help="his first season, such as F1903")
KIND = Field(name="kind", label="what for", asked=Asked.WORD, is_open=True)
POWER = Field(name="power", label="power", asked=Asked.POWER)
ROUND = Field(name="round", label="round", asked=Asked.ROUND, needed=False)
POINTS = Field(name="points", label="points, where the rules give none", asked=Asked.POINTS, needed=False)


KINDS = {
    kind.word: kind
    for kind in (
        Kind(
            word="penalty",
            title="A penalty",
            fields=(
                WHO,
                replace(KIND, help="absence, contesting, late, conduct, or a word of your own"),
                replace(POINTS, help="taken away; the sign does not matter"),
                ROUND,
                Field(name="times", label="how often", asked=Asked.COUNT, needed=False),
            ),
            facts=penalty,
            needs_why=True,
            rules="EDC23 D4; NZ99 9, 24; WDC08 11.3, 18",
        ),
        Kind(
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
        Kind(
            word="score",
            title="A score by ruling",
            fields=(BOARD, POWER, Field(name="score", label="score", asked=Asked.POINTS)),
            facts=score,
            needs_why=True,
            rules="NZ99 22; WM III.8",
        ),
        Kind(
            word="substitute",
            title="Somebody takes a seat over",
            fields=(
                BOARD,
                POWER,
                Field(name="player", label="newcomer", asked=Asked.NEWCOMER, help=f"a name, or {NOBODY}"),
                FROM,
            ),
            facts=substitute,
            needs_why=True,
            rules="WDC08 12.6; WM III.8; NZ99 5, 13; EDC23 D",
        ),
        Kind(
            word="draw",
            title="Who is in a draw",
            fields=(
                BOARD,
                Field(name="powers", label="powers in it", asked=Asked.POWERS, help="such as AUSTRIA ITALY, or A I"),
            ),
            facts=draw,
            rules="Dixiecon, Tribute and others that leave survivors out",
        ),
        Kind(
            word="late-start",
            title="Somebody arrived late",
            fields=(BOARD, POWER, replace(FROM, label="in")),
            facts=late_start,
            needs_why=True,
            rules="EDC23 D",
        ),
        Kind(
            word="counts",
            title="Which of two boards counts",
            fields=(WHO, BOARD),
            facts=counts,
            rules="EDC23 D",
        ),
        Kind(
            word="lot",
            title="A lot",
            fields=(
                Field(name="players", label="names", asked=Asked.PLAYERS, help="a name a line, the first drawn first"),
            ),
            facts=lot,
            rules="WM XI.1.b.v, XI.2; WDC08 16.3; EDC23 B",
        ),
        Kind(
            word="excluded",
            title="Somebody is excluded",
            fields=(WHO,),
            facts=excluded,
            needs_why=True,
            rules="EDC96 12; NZ99 9, 24; WDC08 18",
        ),
        Kind(
            word="award",
            title="A special award",
            fields=(Field(name="award", label="award", asked=Asked.TEXT), WHO),
            facts=award,
            rules="WM XI.3",
        ),
        Kind(
            word="distance",
            title="Distance from home",
            fields=(WHO, Field(name="km", label="kilometres", asked=Asked.COUNT)),
            facts=noted(Column.DISTANCE, "km"),
            rules="WM XI.1.b.iv; EDC23 B",
        ),
        Kind(
            word="country",
            title="Country",
            fields=(WHO, Field(name="country", label="country", asked=Asked.TEXT)),
            facts=noted(Column.COUNTRY, "country"),
            rules="EDC96 team tournament",
        ),
        Kind(
            word="preregistered",
            title="Announced beforehand",
            fields=(WHO, Field(name="rounds", label="rounds", asked=Asked.ROUNDS, help="such as 1, 4")),
            facts=announced,
            rules="EDC23 D3, G",
        ),
        Kind(
            word="result",
            title="A game played elsewhere",
            fields=(
                Field(name="board", label="board", asked=Asked.ROOM, help="round and board, such as 2.3"),
                Field(name="ended", label="how it ended", asked=Asked.WORD, words=ENDINGS),
                Field(
                    name="years",
                    label="counts, a year a line",
                    asked=Asked.LINES,
                    help="such as 1907 A5 E4 F5 G5 I4 R6 T5, and N with those of nobody",
                ),
                Field(
                    name="players",
                    label="who played, where the board is not drawn",
                    asked=Asked.LINES,
                    needed=False,
                    help="such as AUSTRIA Ada, a power a line",
                ),
            ),
            facts=result_facts,
            rules="WDC08 11.3",
        ),
    )
}
