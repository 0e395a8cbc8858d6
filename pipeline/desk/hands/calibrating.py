"""Fit the thresholds on a director's own confirmed scans. They rise at once, and fall only with enough rows.

Only the thresholds move; what each piece of evidence weighs stays as it was measured on people's strokes. The text of a
row must be known exactly: a row settled by choosing an order may be misspelt. Such rows are ignored, and count as
misreadings when thresholds would fall.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import GATE_KEY, OF_EVENT, as_toml, gate_name
from pipeline.desk.event.games import Game, at_phase, games
from pipeline.desk.event.people import Turn
from pipeline.desk.event.settings import note_changes, rewrite
from pipeline.desk.hands.known_rows import KnownBy, KnownRow, known_rows
from pipeline.desk.hands.reader import Hands
from pipeline.desk.hands.vocabulary import OtherForms, others_of, vocabulary_of
from pipeline.ink import Tier
from pipeline.ledger.files import keep_file
from pipeline.problems import Stopped, stop
from pipeline.reading.alphabet import accepts, bare
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.evidence import Expected
from pipeline.reading.gate import ENOUGH_TO_LOWER, AnyEvidence, Gates, Judged, fit_thresholds, readers_of, write_gates
from pipeline.reading.recogniser import Taken, Vocabulary
from pipeline.words.speech import write_count

# The confirmed rows, read again by the present readers: the data for fitting thresholds.


class Confirmed(Struct, frozen=True):
    """One row: its evidence, its known text, and whether the best line is that text."""

    row: KnownRow
    player: str
    evidence: AnyEvidence  # of the first reader, or of all that were asked
    is_right: bool
    misspelt: Taken = Taken.SAME  # what the rules of its event make of a misspelt word

    @property
    def as_judged(self) -> Judged:
        """The row as thresholds are fitted on it."""
        return Judged(self.evidence, self.is_right)


class Weighing(Struct, frozen=True):
    """Weighs the known rows of one event, each sheet by the reader that would read it now."""

    event: Event
    hands: Hands
    games: dict[str, Game]
    others: OtherForms

    @classmethod
    def of(cls, event: Event, engine: NetRecogniser) -> "Weighing":
        return cls(event, Hands(event, engine), games(event), others_of(event.tournament))

    def rows(self) -> Iterator[Confirmed]:
        """Every known row, turn by turn."""
        for turn, known in known_rows(self.event).items():
            lines = self.vocabulary(turn)
            if lines.lines:
                expected = Expected(lines)
                for _, sheet in groupby(known, key=lambda row: (row.sha256, row.page)):
                    yield from self.sheet(tuple(sheet), expected)

    def sheet(self, known: tuple[KnownRow, ...], expected: Expected) -> Iterator[Confirmed]:
        seen = self.hands.pages_of(known[:1]).get((known[0].sha256, known[0].page), {})
        here = [row for row in known if row.row in seen]
        reader = self.hands.reader_of(known[0].sheet, before=min(row.since for row in known))
        weighed = reader.weigh([seen[row.row] for row in here], expected)
        for row, evidence in zip(here, weighed, strict=True):
            right = accepts(expected.slots[evidence.best], bare(row.text))
            yield Confirmed(row, self.hands.player_of(row.sheet) or "", evidence, right, expected.misspelt)

    def vocabulary(self, turn: Turn) -> Vocabulary:
        """The vocabulary of that time; empty if the game was set up anew since."""
        game = self.games.get(turn.board)
        if game is None:
            return Vocabulary()
        try:
            then = at_phase(game, str(turn.phase))
        except Stopped:
            return Vocabulary()
        return vocabulary_of(self.event, then, turn.power, self.others)


ROOM = 0.5  # log odds above the worst row that was read wrongly: e^0.5, about 1.6 times its odds
# A new misread row exceeds the worst of 50 known ones with probability 1/51. One row in twenty is no legal order, so
# about one row in a thousand can pass
WRONG_TO_LOWER = 50
SHOWN = 3  # how many of the rows that set the threshold are shown: among them may be the director's own slips
GATE_COMMENT = "thresholds fitted on confirmed scans by 'ordersheets calibrate'"  # beside their name in event.toml
Z95 = 1.96  # standard deviations on each side of 95 %


class RowShare(Struct, frozen=True):
    hits: int
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """Bound the share from both sides with 95 % confidence (Wilson 1927; none found: the rule of three).

        >>> [round(10_000 * end, 1) for end in RowShare(0, 3000).interval]
        [0.0, 10.0]
        """
        if self.hits == 0:
            return 0.0, min(1.0, 3.0 / max(1, self.of))
        share, spread = self.hits / self.of, Z95**2 / self.of
        middle = share + spread / 2
        half = Z95 * math.sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        return max(0.0, (middle - half) / (1 + spread)), (middle + half) / (1 + spread)

    @property
    def in_words(self) -> str:
        """The share of ten thousand, with its interval.

        >>> RowShare(1, 2000).in_words
        '1 of 2000; 0.9 to 28.3 per 10,000'
        """
        low, high = (10_000 * end for end in self.interval)
        return f"{self.hits} of {self.of}; {low:.1f} to {high:.1f} per 10,000"


class GateOutcome(Struct, frozen=True):
    gates: Gates
    rows: Sequence[Confirmed]

    @property
    def asked_count(self) -> int:
        return sum(self.is_asked(row) for row in self.rows)

    def is_asked(self, row: Confirmed) -> bool:
        """Whether a row is asked, under the rules of its event."""
        return self.gates.for_misspelt(row.misspelt).tier(row.evidence) is Tier.ASKED

    @property
    def wrong_unasked(self) -> RowShare:
        """How many rows whose text is known are read wrongly and not asked."""
        known = known_to_the_letter(self.rows)
        wrong = (not row.is_right and not self.is_asked(row) for row in known)
        return RowShare(sum(wrong), len(known))


class Calibration(Struct, frozen=True):
    """The thresholds before and after fitting, with the rows that they are fitted on."""

    events: tuple[str, ...]
    reader: str
    rows: tuple[Confirmed, ...]
    before: Gates
    after: Gates
    why: str  # why the thresholds rise, fall or stay

    @property
    def moves(self) -> bool:
        return _thresholds(self.before) != _thresholds(self.after)

    def lines(self) -> Iterator[str]:
        """Describe it: the rows it is based on, what would change, what is missing."""
        how = Counter(row.row.how for row in self.rows)
        players = len({row.player for row in self.rows})
        known = known_to_the_letter(self.rows)
        yield f"{self.reader}, on {', '.join(self.events)}"
        text = ", ".join(f"{how[each]} {each}" for each in (KnownBy.TYPED, KnownBy.CHECKED, KnownBy.STOOD))
        people = write_count(players, "player")
        yield f"{write_count(len(known), 'row')} of {people} whose text is known: {text}"
        yield f"{sum(not row.is_right for row in known)} of them the reader alone would have read wrongly"
        if how[KnownBy.CHOSEN]:
            yield f"{how[KnownBy.CHOSEN]} more were settled by choosing an order: their spelling is not known"
        for title, gates in (("now", self.before), ("would be" if self.moves else "stays", self.after)):
            outcome = GateOutcome(gates, self.rows)
            share = 100 * outcome.asked_count / max(1, len(self.rows))
            asked = f"{title:<9} {_thresholds_in_words(gates)}: asked {share:.1f} %"
            yield f"{asked}, wrong unasked {outcome.wrong_unasked.in_words}"
        yield self.why
        nearest = sorted((row for row in known if not row.is_right), key=lambda row: -self.before.odds(row.evidence))
        for row in nearest[:SHOWN]:
            text = f"{row.row.sheet} line {row.row.row}: {row.row.text!r} is written, {row.evidence.text!r} was read"
            yield f"  {text}, odds {self.before.odds(row.evidence):.2f}"
        if how[KnownBy.STOOD]:
            yield "rows that nobody checked count as right here, even if one of them is a silent error"


def known_to_the_letter(rows: Sequence[Confirmed]) -> list[Confirmed]:
    """Leave out the rows of which only the order is known."""
    return [row for row in rows if row.row.how is not KnownBy.CHOSEN]


def _thresholds(gates: Gates) -> tuple[float, ...]:
    thresholds = [gates.first.marked, gates.first.accepted, gates.enough, gates.both.marked, gates.both.accepted]
    if gates.three is not None:
        thresholds += [gates.three.marked, gates.three.accepted]
    return tuple(thresholds)


def _thresholds_in_words(gates: Gates) -> str:
    before = "" if gates.is_alone else f"one reader is enough from {gates.enough:.2f}, "
    if gates.three is not None and not gates.is_alone:
        before += f"two from {gates.both.marked:.2f}, "
    who = {1: "", 2: "both: ", 3: "all three: "}[1 if gates.is_alone else gates.most_readers]
    return f"{before}{who}threshold {gates.last.marked:.2f}, unmarked from {gates.last.accepted:.2f}"


def calibrate(events: Sequence[Event], engine: NetRecogniser) -> Calibration:
    """Weigh every confirmed row of some events again, and fit the thresholds of an engine on them."""
    rows = tuple(row for event in events for row in Weighing.of(event, engine).rows())
    if not known_to_the_letter(rows):
        text = "no row is confirmed yet: type what is written (T in 'review'), answer spot checks, publish a phase"
        raise stop(text, ", ".join(event.details.name for event in events))
    after, why = _fit_gates(engine.gates, rows)
    names = tuple(event.details.name for event in events)
    calibration = Calibration(names, engine.name, rows, engine.gates, after, why)
    if not calibration.moves:
        return calibration
    text = "\n".join(["ordersheets calibrate", *calibration.lines(), "", "Before:", calibration.before.measured])
    return replace(calibration, after=replace(after, measured=text.replace("'''", "' ' '").rstrip() + "\n"))


def _fit_gates(gates: Gates, rows: Sequence[Confirmed]) -> tuple[Gates, str]:
    """Fit the thresholds, and say why they rise, fall or stay."""
    known = [row.as_judged for row in known_to_the_letter(rows)]
    wrong = sum(not row.right for row in known)
    own = _refit_gates(gates, known)
    if any(now > before for now, before in zip(_thresholds(own), _thresholds(gates), strict=True)):
        return own, "a misread row came too near the threshold, so the threshold is raised at once"
    if wrong == 0:
        return gates, (
            "no threshold is lowered: none of these rows was misread, so they do not show how near a misorder "
            f"comes; {WRONG_TO_LOWER} such rows are needed, and {ENOUGH_TO_LOWER} rows in all"
        )
    if len(known) < ENOUGH_TO_LOWER or wrong < WRONG_TO_LOWER:
        return gates, (
            f"no threshold is lowered: {write_count(len(known), 'row')} of {ENOUGH_TO_LOWER} that are needed, "
            f"{wrong} read wrongly of {WRONG_TO_LOWER}"
        )
    chosen = [Judged(row.evidence, right=False) for row in rows if row.row.how is KnownBy.CHOSEN]
    lower = _refit_gates(gates, [*known, *chosen])
    changes = [now - before for now, before in zip(_thresholds(lower), _thresholds(gates), strict=True)]
    if min(changes) < 0 and max(changes) <= 0:
        return lower, "there are rows enough: the threshold is lowered"
    return gates, "no threshold is lowered: a misread row, or one of unknown spelling, comes as near as the threshold"


def _refit_gates(gates: Gates, rows: Sequence[Judged]) -> Gates:
    """Fit each threshold on the rows that it decided.

    A threshold below which a further reader is asked never falls: the rows below it were judged by more readers.
    """
    by_first, by_two, by_three = ([row for row in rows if readers_of(row.evidence) == count] for count in (1, 2, 3))
    front = fit_thresholds(gates.front, by_first, ROOM)
    if gates.is_alone:
        return replace(gates, first=front)
    enough, both = max(gates.enough, front.marked), fit_thresholds(gates.both, by_two, ROOM)
    if gates.three is None:
        return replace(gates, both=both, enough=enough)
    both = both if both.marked > gates.both.marked else gates.both
    return replace(gates, both=both, enough=enough, three=fit_thresholds(gates.three, by_three, ROOM))


def write_to(event: Event, gates: Gates) -> Path:
    """Put a gate into an event's folder and name it in ``event.toml``; earlier ones stay for the rows they judged."""
    note_changes(event)  # first, so that earlier edits are not recorded under this command's name
    text = write_gates(gates)
    path = event.folder / gate_name(text.encode())
    keep_file(path, text.encode())
    rewrite(event, {f"{OF_EVENT}{GATE_KEY}": as_toml(path.name)}, GATE_COMMENT)
    note_changes(event)
    return path
