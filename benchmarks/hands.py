"""What it brings to know a hand from the first row on: a writing sample, and all that becomes certain in six seasons.

``python benchmarks/hands.py``. Rows alone, by writers the nets never saw, each in one habit of writing, in positions of
real games. Of every letter that a writer wrote more than once half of the recordings write what teaches (the sample,
and the rows of earlier seasons), and the other half what is judged: no stroke that was learnt from is ever judged.
Letters of which there is one recording are judged, and nobody teaches them, not even a sample, which shows all letters
at a table: so rows are counted apart all of whose letters a hand could show.

Every season has two sheets of a writer: one teaches, as it was read by the reader of that season, the other is judged.
A sheet teaches itself, too, at the desk: here five rows of the season's other sheet do, that nobody was asked about.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase

import cv2
import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.whole_sheets.count import markdown, share
from benchmarks.whole_sheets.real_ink import has_real_ink, on_one_core
from pipeline.board import Position, Power
from pipeline.desk.hands.reader import ROOM_TO_SPARE
from pipeline.ink import Tier
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.orders import Order
from pipeline.paper.places_to_write import LETTERS, places_to_write
from pipeline.reading.alphabet import bare
from pipeline.reading.engine import MOST_KNOWN, NetRecogniser
from pipeline.reading.further import Known, Seen
from pipeline.reading.hand_reader import MOST_OWN, HandReader, read_again
from pipeline.reading.recogniser import CROP_DPI, Crop
from training import texts
from training.cases import KINDS, read_or_none, spoilt, text_of, written_by
from training.dev_labels import leave_out_wrong_labels
from training.measured import POSITIONS, expected
from training.orders import BOARD, TABLE, Seat, seats
from training.rows import COMPOSER_DPI, halves
from training.strokes import HANDWRITING
from training.wrong import Wrong

NO_PICTURE = Crop(np.zeros((1, 1), np.uint8))  # what has been looked at needs none
SEASONS = 6
ROWS = 10  # of a sheet
MISORDERS = 0.3  # share of the rows that are judged: six times as many as at a table
SPARE = math.log(ROOM_TO_SPARE / (1 - ROOM_TO_SPARE))
AT_A_TABLE = 0.05  # share of the rows that teach: as many misorders as there are at a table
LEAST_LETTERS = 20  # that a writer has in his case, of 26, to take part


class Written(Struct, frozen=True):
    """One row, as both readers saw it."""

    text: str
    kind: str
    seen: Seen


class Sheet(Struct, frozen=True):
    """The rows of one seat."""

    position: Position
    power: Power
    rows: tuple[Written, ...]


class Hand(Struct, frozen=True):
    """All that one writer wrote."""

    writer: str
    letters: frozenset[str]  # that could be taught
    sample: tuple[Written, ...]
    teaching: tuple[Sheet, ...]  # by season
    judged: tuple[Sheet, ...]


class Pen:
    """Writes with half of the recordings of each letter."""

    def __init__(self, first: int, seed: int) -> None:
        sys.path.insert(0, str(HANDWRITING / "tools"))
        from compose import Bank  # type: ignore[import-not-found]  # noqa: PLC0415 - the set's own tool

        self.bank = Bank(split="dev", borrow=True)
        leave_out_wrong_labels(self.bank.B)
        for kept in self.bank.B.values():
            kept["glyphs"] = {
                letter: (found if len(found) == 1 and first == 0 else found[first::2])
                for letter, found in kept["glyphs"].items()
            }
            kept["glyphs"] = {letter: found for letter, found in kept["glyphs"].items() if found}
        self.rng = np.random.default_rng(seed)

    def can(self, writer: str, text: str) -> bool:
        """Whether a writer has all letters of a text."""
        return not self.bank.missing(writer, text)

    def write(self, writer: str, text: str) -> NDArray[np.uint8]:
        """Write one row; the sheet's own print is gone."""
        colour, _ = self.bank.line(text, writer, self.rng, ruled=bool(self.rng.random() < 0.1))
        grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
        scale = CROP_DPI / COMPOSER_DPI
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)


def habit_of(writer: str, pen: Pen, rng: random.Random) -> texts.Habit | None:
    """Draw how a player writes, in a case that he has letters for; None where he has too few."""
    ways = [
        (case, sum(pen.can(writer, letter) for letter in letters))
        for case, letters in ((str.upper, ascii_uppercase), (str.title, ascii_lowercase), (str.lower, ascii_lowercase))
    ]
    able = [case for case, count in ways if count >= LEAST_LETTERS]
    return replace(written_by(rng), case=rng.choice(able)) if able else None


def some_seat(everywhere: Sequence[Seat], rng: random.Random) -> Seat:
    """Draw a seat that has something to order."""
    while True:
        seat = rng.choice(everywhere)
        if len(legal_orders(BOARD, seat.position, seat.power)) >= ROWS:
            return seat


def text_for(seat: Seat, way: texts.Habit, rng: random.Random, misorders: float) -> tuple[str, str]:
    """Draw what is written on a row, and what kind of row it is."""
    possible = legal_orders(BOARD, seat.position, seat.power)
    given = [order for order in map(read_or_none, seat.ordered) if order in possible]
    order = rng.choice(given) if given and rng.random() < 0.7 else rng.choice(possible)
    if rng.random() >= misorders:
        return text_of(order, way, rng), "legal"
    kind = rng.choice(KINDS)
    match kind:
        case "free text":
            return rng.choice((texts.prose, texts.nonsense))(rng), kind
        case "misspelling":
            return texts.slipped(text_of(order, way, rng), rng), kind
        case _:
            other = spoilt(order, seat, kind, rng)
            if other is None or why_illegal(BOARD, seat.position, seat.power, other) is None:
                return "", kind
            return text_of(other, way, rng), kind


def sheet(
    seat: Seat, writer: str, way: texts.Habit, pen: Pen, reader: NetRecogniser, rng: random.Random, misorders: float
) -> Sheet:
    """Write one sheet."""
    rows: list[Written] = []
    for _ in range(40 * ROWS):
        if len(rows) == ROWS:
            break
        text, kind = text_for(seat, way, rng, misorders)
        if text and pen.can(writer, text):
            rows += looked(text, kind, pen.write(writer, text), reader)
    return Sheet(seat.position, seat.power, tuple(rows))


def looked(text: str, kind: str, grey: NDArray[np.uint8], reader: NetRecogniser) -> list[Written]:
    """Let both readers look at a row."""
    crop = Crop(grey)
    seen = reader.look(crop)
    return [] if seen is None else [Written(text, kind, reader.look_again(seen, crop))]


def hands_of(half: str, seed: int, seasons: int = SEASONS) -> list[Hand]:
    """Write everything."""
    rng = random.Random(seed)
    teaches, judges = Pen(1, seed), Pen(0, seed + 1)
    reader = NetRecogniser()
    everywhere = list(seats())
    found: list[Hand] = []

    def season_by_season(pen: Pen, misorders: float, writer: str, way: texts.Habit) -> Iterator[Sheet]:
        for _ in range(seasons):
            yield sheet(some_seat(everywhere, rng), writer, way, pen, reader, rng, misorders)

    for writer in sorted(halves()[half == "test"]):
        way = habit_of(writer, teaches, rng) if writer in teaches.bank.B else None
        if way is None or sum(judges.can(writer, way(letter)) for letter in ascii_lowercase) < LEAST_LETTERS:
            continue
        teaching = tuple(season_by_season(teaches, AT_A_TABLE, writer, way))
        judged = tuple(season_by_season(judges, MISORDERS, writer, way))
        letters = frozenset(letter for letter in ascii_letters if teaches.can(writer, letter))
        found.append(Hand(writer, letters, tuple(sample(writer, way, teaches, reader)), teaching, judged))
        print(f"{writer}: {len(found[-1].sample)} lines of a sample", file=sys.stderr, flush=True)
    return found


def sample(writer: str, way: texts.Habit, pen: Pen, reader: NetRecogniser) -> Iterator[Written]:
    """Fill the writing sample; letters that nobody recorded twice are left out, as are places with one of them."""
    for row in LETTERS:
        text = "".join(f"{way(letter)} " for letter in row.split() if pen.can(writer, way(letter))).strip()
        if text:
            yield from looked(text, "letters", pen.write(writer, text), reader)
    for place in places_to_write(TABLE):
        if pen.can(writer, way(place)):
            yield from looked(way(place), "place", pen.write(writer, way(place)), reader)


class Way(Struct, frozen=True):
    """What is learnt of a hand."""

    name: str
    sample: bool = False
    seasons: bool = False
    sheet: bool = False  # rows of a sheet that nobody is asked about teach the others
    spoilt: float = 0.0  # share of the rows let stand that are given the text of another order


WAYS = (
    Way("nobody is known"),
    Way("the sheet itself", sheet=True),
    Way("a sample", sample=True),
    Way("a sample and the sheet itself", sample=True, sheet=True),
    Way("earlier seasons", seasons=True),
    Way("a sample and earlier seasons", sample=True, seasons=True),
    Way("a sample, earlier seasons and the sheet itself", sample=True, seasons=True, sheet=True),
    Way("the same, 1 in 20 rows let stand misread", sample=True, seasons=True, sheet=True, spoilt=0.05),
)


class Tally(Struct):
    """What became of the rows that are judged, and of those that taught."""

    legal: Counter[int] = field(default_factory=Counter)  # by season
    asked: Counter[int] = field(default_factory=Counter)
    taught: int = 0  # of the legal ones those whose letters could all be taught
    taught_asked: int = 0
    of_hand: Counter[str] = field(default_factory=Counter)  # that are asked
    right: int = 0
    misorders: int = 0
    wrong: dict[Wrong, list[str]] = field(default_factory=lambda: {Wrong.OTHER: [], Wrong.SLIP: []})
    stood: int = 0  # rows let stand that taught
    misread: int = 0  # of these, with another text than is written


class Verdict(Struct, frozen=True):
    """What was read on a row, and what would come of it."""

    row: Written
    asked: bool
    text: str
    odds: float
    order: Order | None
    wrong: Wrong


def read_sheet(found: Sheet, hand: HandReader, beside: Sequence[Known] = ()) -> list[Verdict]:
    """Read one sheet as the product does, but for the looking, which is done; rows ``beside`` teach what is asked."""
    key = f"{found.position.phase} {sorted(found.position.all_units())}"
    POSITIONS.setdefault(key, found.position)
    orders, lines, truth = expected(key, found.power)
    hand.seen = tuple(row.seen for row in found.rows)
    no_crops = [None] * len(found.rows)
    before, after = hand.weigh_rows(lines, no_crops)
    verdicts, all_told = [], []
    for glance, one in zip(before, after, strict=True):
        assert one is not None
        all_told.append(hand.surer(glance, one, lines))
    open_rows = hand.open_rows(all_told, before, after)
    all_told = hand.by_a_stranger(all_told, open_rows, lines, no_crops)
    open_rows = hand.open_rows(all_told, before, after)
    again = read_again(hand.reader.taught_by(beside), open_rows, lines, no_crops) if beside and open_rows else {}
    for number, (row, one, told) in enumerate(zip(found.rows, after, all_told, strict=True)):
        assert one is not None
        order = orders[one.evidence.best]
        is_asked = again.get(number, told).tier is Tier.ASKED
        odds = hand.plain.gates.odds(one.evidence)
        verdicts.append(Verdict(row, is_asked, one.evidence.text, odds, order, truth.wrong(row.text, order)))
    return verdicts


def played(hands: Sequence[Hand], way: Way, engine: NetRecogniser, rng: random.Random) -> Tally:
    """Play the seasons of all hands, learning in one way."""
    found = Tally()
    for hand in hands:
        copied = [row for row in hand.sample if way.sample and is_copied(row, engine)]
        sample = [Known(row.seen, row.text) for row in copied]
        learnt: list[Known] = []
        for season in range(len(hand.judged)):
            known = [*sample, *learnt[-(MOST_KNOWN - len(sample)) :]]
            taught = engine.taught_by(known) if known else None
            other = read_sheet(hand.teaching[season], HandReader(engine, taught)) if way.sheet or way.seasons else []
            sure = [Known(one.row.seen, one.text) for one in other if way.sheet and not one.asked]
            for one in read_sheet(hand.judged[season], HandReader(engine, taught), sure[:MOST_OWN]):
                count(found, one, hand, season)
            if way.seasons:
                learnt += lessons(other, way, found, rng)
    return found


def is_copied(row: Written, engine: NetRecogniser) -> bool:
    """Whether a line of a sample is taken for what was to be copied."""
    return engine.compare_row(row.seen, NO_PICTURE, row.text).reading.tier is Tier.ACCEPTED


def count(found: Tally, one: Verdict, hand: Hand, season: int) -> None:
    """Count one row that is judged."""
    if one.row.kind == "legal":
        found.legal[season] += 1
        found.asked[season] += one.asked
        found.of_hand[hand.writer] += one.asked
        if {letter for letter in one.row.text if letter in ascii_letters} <= hand.letters:
            found.taught += 1
            found.taught_asked += one.asked
        found.right += one.wrong is Wrong.NOT
    else:
        found.misorders += 1
    if not one.asked and one.wrong is not Wrong.NOT:
        found.wrong[one.wrong].append(f"{one.row.kind}: {one.row.text!r} taken for {one.text!r}")


def lessons(sheet: Sequence[Verdict], way: Way, found: Tally, rng: random.Random) -> Iterator[Known]:
    """What a sheet teaches once its season is over: what was asked as it is written, the rest with room to spare."""
    for one in sheet:
        if one.asked:
            yield Known(one.row.seen, one.row.text)
        elif one.odds >= SPARE:
            text = rng.choice(sheet).text if rng.random() < way.spoilt else one.text
            found.stood += 1
            found.misread += bare(text) != bare(one.row.text)
            yield Known(one.row.seen, text)


def row_of(way: Way, found: Tally) -> tuple[str, ...]:
    """One way of learning, as a row of the table."""
    legal, asked = found.legal.total(), found.asked.total()
    by_season = [share(found.asked[season], of) for season, of in sorted(found.legal.items())]
    low, high = interval(asked, legal)
    return (
        way.name,
        *by_season,
        f"{100 * asked / legal:.1f} % ({100 * low:.1f} to {100 * high:.1f})",
        f"{share(found.taught_asked, found.taught)} of {found.taught}",
        ", ".join(str(count) for _, count in found.of_hand.most_common(3) if count),
        share(found.right, legal, 1),
        f"{len(found.wrong[Wrong.OTHER])}, {len(found.wrong[Wrong.SLIP])}",
        f"{found.stood}, {found.misread}",
    )


def interval(count: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); rows of one hand are alike, so the truth is wider."""
    z, share_of = 1.96, count / of
    middle = (share_of + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share_of * (1 - share_of) / of + z * z / (4 * of * of))
    return middle - half, middle + half


KNOWN = "known of the hand"
HEAD = (
    "all (95 %)",
    "letters that could be taught",
    "rows of the hands asked most",
    "best right",
    "other orders, forgiven slips",
    "let stand and taught, misread",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the rows of one half, and learn each hand in every way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("fit", "test"), default="test", help="of the dev writers")
    parser.add_argument("--seasons", type=int, default=SEASONS)
    parser.add_argument("--seed", type=int, default=7)
    found = parser.parse_args(arguments)
    if not has_real_ink():
        return
    with on_one_core():
        engine = NetRecogniser()
        hands = hands_of(found.half, found.seed, found.seasons)
        tallies = []
        for way in WAYS:
            tallies.append((way, played(hands, way, engine, random.Random(found.seed))))
            print(*row_of(*tallies[-1]), sep="  ", file=sys.stderr, flush=True)
        first = tallies[0][1]
        each = f"{first.legal.total()} legal rows and {first.misorders} misorders, each way"
        print(f"{engine.name}: {len(hands)} hands, {each}")
        seasons = [f"season {number}" for number in range(1, found.seasons + 1)]
        print(markdown((KNOWN, *seasons, *HEAD), [row_of(way, tally) for way, tally in tallies]))
        for way, tally in tallies:
            for kind, rows in tally.wrong.items():
                print(*(f"{way.name}: {kind}, {row}" for row in rows), sep="\n", end="\n" if rows else "")


if __name__ == "__main__":
    main()
