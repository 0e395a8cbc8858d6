"""The rows that a director has confirmed, weighed again as they would be read now: what thresholds are fitted on."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, games
from pipeline.desk.event.turn import Turn
from pipeline.desk.hands.known_rows import KnownRow, known_rows
from pipeline.desk.hands.writer_adaptation import Hands
from pipeline.desk.sheets.vocabulary import others_of, vocabulary_of
from pipeline.problems import Stopped
from pipeline.reading.handwriting.engine import NetRecogniser
from pipeline.reading.net.alphabet import accepts, bare
from pipeline.reading.rows.recogniser import Taken, Vocabulary, VocabularyLine
from pipeline.reading.thresholds.evidence import Expected
from pipeline.reading.thresholds.fitting import Judged
from pipeline.reading.thresholds.gate import AnyEvidence


@dataclass(frozen=True, slots=True)
class Confirmed:
    """One row: its evidence, what is known to be written, and whether the best line is that."""

    row: KnownRow
    player: str
    evidence: AnyEvidence  # of the reader that decides, or of both
    is_right: bool
    misspelt: Taken = Taken.SAME  # what the rules of its event make of a misspelt word

    @property
    def judged(self) -> Judged:
        """The row as thresholds are fitted on it."""
        return Judged(self.evidence, self.is_right)


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weighs the known rows of one event, each sheet by the reader that would read it now."""

    event: Event
    hands: Hands
    games: dict[str, Game]
    others: tuple[VocabularyLine, ...]

    @classmethod
    def of(cls, event: Event, engine: NetRecogniser) -> "Weighing":
        """Read the facts."""
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
        """The known rows of one page."""
        seen = self.hands.pages_of(known[:1]).get((known[0].sha256, known[0].page), {})
        here = [row for row in known if row.row in seen]
        reader = self.hands.reader_of(known[0].sheet, before=min(row.since for row in known))
        weighed = reader.weigh([seen[row.row] for row in here], expected)
        for row, evidence in zip(here, weighed, strict=True):
            right = accepts(expected.slots[evidence.best], bare(row.text))
            yield Confirmed(row, self.hands.player_of(row.sheet) or "", evidence, right, expected.misspelt)

    def vocabulary(self, turn: Turn) -> Vocabulary:
        """What might have been written then; nothing where the game was set up anew since."""
        game = self.games.get(turn.board)
        if game is None:
            return Vocabulary()
        try:
            then = at_phase(game, str(turn.phase))
        except Stopped:
            return Vocabulary()
        return vocabulary_of(self.event, then, turn.power, self.others)
