"""The handwriting net as an engine: rows in, readings with tiers out."""

import copy
import hashlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from pipeline.ink import InkLine, InkReading, Note, Tier, surest_first
from pipeline.reading import free, further
from pipeline.reading.alphabet import STRUCK, bare
from pipeline.reading.evidence import Evidence, Expected, Joint, rank_lines, spelling_in_words, weigh, weigh_jointly
from pipeline.reading.gate import AnyEvidence, Gates, digest, load_gates, readers_of
from pipeline.reading.lattice import Floats, Frames, drop_repeated_blanks
from pipeline.reading.loose import has_line_through, has_loose_ink
from pipeline.reading.network import BORROWED, OURS, Head, Ink, Network, NormalCanvas, load_head, shipped_weights
from pipeline.reading.recogniser import AFTER_FIRST, Compared, Crop, KeptRow, Vocabulary, VocabularyLine
from pipeline.reading.unread import UNTAUGHT, UnreadInk, signs_in_crop
from pipeline.words.speech import write_count

# Whether a player who shows his hand copied the printed text. A copy that is accepted teaches this hand, any other line
# is ignored. No order depends on it, so the test is weaker than that of an order: it weighs the printed words against
# all slips in them, and against the likeliest letters, with all readers alike.

# Log odds, the mean of the readers. Of 124 correct copies by 14 people (fit half) 95 % are accepted; of 109 with one
# wrong letter two are, and in both the letter looks like the right one
LEAST_TO_SLIPS = -4.5
LEAST_TO_FREE = -6.5


def _read_copy(text: str, ink: Ink, frames: Sequence[Frames]) -> InkLine:
    """Whether each reader takes a row for a copy of a text, in the readers' order."""
    expected = Expected(Vocabulary((VocabularyLine(((text,),)),)))
    by_reader = [weigh([frame], expected)[0][0] for frame in frames]
    letters = free.free_text(expected.without_unwanted_digits(frames[0]), ink)
    struck = free.struck_notes(letters) or ((Note.PARTLY_STRUCK,) if any(each.struck for each in by_reader) else ())
    if not struck and _is_copy(by_reader):
        return InkLine.without_place((InkReading(text, 1.0),), Tier.ACCEPTED)
    return InkLine.without_place((InkReading(letters, 0.0),) if letters else (), Tier.ASKED, struck)


def _is_copy(by_reader: Sequence[Evidence]) -> bool:
    """Whether the readers together take a row for what was to be copied."""
    to_slips, to_free = fmean(each.to_slips for each in by_reader), fmean(each.to_free for each in by_reader)
    return to_slips > LEAST_TO_SLIPS and to_free > LEAST_TO_FREE


# Whether what hangs down out of a row is tails of the letters that were read there.

DESCENDERS = frozenset("fgjpqyz")  # in one case or the other, in somebody's hand
# How far to the left and right of a tail its letter may be, in ink heights: of 24 tails (fit half) at most 0.2 and 0.45
BEFORE, BEHIND = 0.4, 0.6


def _hang_from_letters(tails: Sequence[tuple[float, float]], text: str, frames: Frames) -> bool:
    """Say whether there are tails, each (the columns that it hangs down between) under a letter that may have one."""
    if not tails:
        return False
    letters = free.laid_along(bare(text), frames)
    columns = [(frame + 0.5) * OURS.columns_per_frame for letter, frame in letters if letter in DESCENDERS]
    before, behind = BEFORE * OURS.ink_rows, BEHIND * OURS.ink_rows
    return all(any(first - before <= column <= last + behind for column in columns) for first, last in tails)


MOST_KNOWN = 48  # rows of one hand, the latest: nine hands were asked 23.5 % with 48 and with 120, 28.8 % with 24
PROPOSED = 3  # lines offered for a row that is asked
BLANK_ROW = InkLine.without_place((), Tier.BLANK)
DIGITS = 9  # of a confidence; sums by several processors differ in the 14th
HOPELESS = -30.0  # log likelihood below which a line is not offered
NOT_WORTH_IT = -45.0  # log likelihood below which no further reader is tried: the row is illegible
# Margins of two readers below which the third does not look, because it cannot outweigh them. Of 645 rows at which it
# looked 38 passed, the furthest with -8.5 and -3.7, and 407 are below the limits
THIRD_LEAST = {"to_asked": -15.0, "to_harm": -8.0}


# Log likelihood that a row gains if signs may stand between the letters of its text, the mean of the readers: from the
# first on it has such signs; what one reader says counts for no more than the second. Of 2,774 legal rows of 66 people
# that were accepted before, 13 are asked, of 276 with a struck dash, a back arrow or a stray letter 178
LEAST_GAIN, MOST_GAIN = 2.5, 12.0
# Log likelihood that a row must gain by the dash of its text: 9 of 2,152 legal rows of 57 people do not
DASH_SEEN = 1.0
# Log likelihood by which the first reader must tell an S from a dash: the head of an arrow is like an S. Of 668 legal
# rows such as "A Bud S Tri" four are asked for it; of eleven heads that stood as an S none was further behind than 8
SIGN_TOLD = 8.0
# Log odds that a row has ink that belongs to no sign of its text, from which it is asked. Set on rows by 90 people: of
# 2,589 legal ones that were accepted before, 40 are asked for it, for loose ink or for a line through them; of 698 with
# a mark or sign 30 are still accepted. A lower limit asks legal rows and hardly any other
LEAST_ODDS = 4.6
LEAST_ODDS_UNSURE = -1.0  # below, all ink belongs to signs, whatever else is seen; above, a piece by itself is asked
LEAST_ODDS_LINED = 0.0  # where a straight line goes through letters, or a dash is hardly seen


class WeighedRow(Struct, frozen=True, eq=False):
    """One row as it was seen, and its evidence against the vocabulary, before the verdict."""

    seen: further.Seen
    frames: Frames  # of the first reader
    evidence: AnyEvidence
    likelihoods: Floats  # by line
    others: float  # log likelihood (log-sum-exp) of all inadmissible lines, by the first reader

    @property
    def readers(self) -> int:
        """The number of readers whose likelihoods are combined."""
        return readers_of(self.evidence)


class NetRecogniser:
    """Reads rows with the nets that ship in the package, or with others. One thread at a time.

    >>> reader = NetRecogniser()
    >>> reader.taught_by([]).name == reader.name
    True
    """

    def __init__(self, weights: Path | None = None, gates: Gates | None = None) -> None:
        self.weights = weights or shipped_weights()
        self.network = Network(self.weights)
        self.head = load_head(self.weights)
        self.rows_known = 0  # of one hand
        self.further = further.further_readers()
        self.unread = UnreadInk()
        self.digest = hashlib.sha256(self.weights.read_bytes()).hexdigest()[:8]
        self.use(gates or load_gates())

    def use(self, gates: Gates, name: str = "") -> None:
        """Judge by these thresholds from now on; the name says whose they are."""
        here = gates if len(self.further) > 1 else gates.without_third()
        self.gates = replace(here, is_alone=not self.further)
        self.gate_name = name or f"gates {digest(gates)}"

    @property
    def digests(self) -> tuple[str, ...]:
        """The nets that read, each by the digest of its file."""
        return (self.digest, *(reader.digest for reader in self.further))

    @property
    def heads(self) -> tuple[Head, ...]:
        """The last layer of each reader."""
        return (self.head, *(reader.head for reader in self.further))

    @property
    def name(self) -> str:
        """The engine and its version: the weights' own digests, whose thresholds, and how much it knows of a hand."""
        nets = f"row nets {in_a_row(self.digests)}" if self.further else f"row net {self.digest}"
        known = f"{write_count(self.rows_known, 'row')} of this hand" if self.rows_known else ""
        return ", ".join(part for part in (nets, self.gate_name, known) if part)

    def with_gates(self, gates: Gates, name: str) -> "NetRecogniser":
        """Make a reader with other thresholds; the name says which, wherever this reader is named."""
        other = copy.copy(self)
        other.use(gates, name)
        return other

    def taught_by(self, known: Sequence[further.Known]) -> "NetRecogniser":
        """Make a reader for one hand of rows that the first net has seen before: `look` takes most of the time.

        The texts are what was written, letter by letter as far as anybody can tell, not what was meant. The further
        readers learn from what they have seen, and look at pictures of the other rows when they are first used.
        """
        rows = known[-MOST_KNOWN:]
        other = copy.copy(self)
        other.head, other.rows_known = further.fit_head(self.head, rows), self.rows_known + len(rows)
        other.further = further.taught_further(self.further, rows)
        return other

    def read(self, crops: Sequence[Crop], vocabulary: Vocabulary) -> Sequence[InkLine]:
        """Read inked rows, one answer for each; `EngineFailed` where the net cannot be run."""
        expected = Expected(vocabulary) if vocabulary.lines else None
        return self.rows([self.look(crop) for crop in crops], expected, crops)

    def compare(self, crops: Sequence[Crop], texts: Sequence[str]) -> Sequence[Compared]:
        """Say of rows whether they are copies of what was printed beside them; all readers look."""
        return [self.compare_row(self.look(crop), crop, text) for crop, text in zip(crops, texts, strict=True)]

    def compare_row(self, row: further.Seen | None, crop: Crop, text: str) -> Compared:
        if row is None:
            return Compared(BLANK_ROW, None)
        seen = self.look_again(row, crop)
        return Compared(_read_copy(text, seen.ink, self.frames_of(seen)), seen.as_kept)

    def frames_of(self, row: further.Seen) -> list[Frames]:
        """What each reader that has looked makes of a row, letter by letter."""
        others = zip(row.views[1:], self.further, strict=False)
        return [row.frames(self.head), *(view.frames(reader.head) for view, reader in others)]

    def look(self, crop: Crop) -> further.Seen | None:
        """See one row; None where there is no ink, `EngineFailed` where the net cannot be run."""
        return further.seen_safely(lambda: further.look(crop, self.network))

    def look_again(self, row: further.Seen, crop: Crop | None, readers: int | None = None) -> further.Seen:
        """Run the later nets on a row where they have not run; ``readers`` limits how many of all are used.

        A row that was kept may have no picture.
        """
        return further.look_further(self.further[: None if readers is None else readers - 1], row, crop)

    def seen_before(self, kept: KeptRow) -> further.Seen:
        """Restore a row from the cached features."""
        row = further.Seen.unpack(kept.first, self.head.kernel.shape[1])
        pairs = zip(kept.further, self.further, strict=False)
        return row.then([further.Seen.unpack(packed, reader.head.kernel.shape[1]) for packed, reader in pairs])

    def weigh_rows(self, rows: Sequence[further.Seen | None], expected: Expected) -> list[WeighedRow | None]:
        """The evidence of a sheet's rows by the first reader; None where there is no ink."""
        inked = [(row, row.frames(self.head)) for row in rows if row is not None]
        evidence = weigh([frames for _, frames in inked], expected)
        weighed = iter(
            WeighedRow(seen, frames, *of_row) for (seen, frames), of_row in zip(inked, evidence, strict=True)
        )
        return [None if row is None else next(weighed) for row in rows]

    def weighed_again(
        self, weighed: Sequence[WeighedRow | None], expected: Expected, crops: Sequence[Crop | None]
    ) -> list[WeighedRow | None]:
        """Let the further readers look at rows where those before are not sure: with the joint evidence."""
        rows = list(weighed)
        for readers in range(2, 1 + min(self.gates.most_readers, 1 + len(self.further))):
            rows = self.weighed_by(readers, weighed, rows, expected, crops)
        return rows

    def weighed_by(
        self,
        readers: int,
        first: Sequence[WeighedRow | None],
        before: Sequence[WeighedRow | None],
        expected: Expected,
        crops: Sequence[Crop | None],
    ) -> list[WeighedRow | None]:
        """Let so many readers weigh the rows at which another look is worth it."""
        rows = list(before)
        again: list[tuple[int, WeighedRow]] = []
        for number, (alone, row) in enumerate(zip(first, before, strict=True)):
            if alone is None or row is None or row.readers != readers - 1:
                continue
            if self.is_worth_another_look(row, expected):
                looked = self.look_again(row.seen, crops[number], readers)
                rows[number] = replace(row, seen=looked)
                if len(looked.views) >= readers:
                    again.append((number, replace(alone, seen=looked)))
        joint = weigh_jointly(
            list(zip(*(self.frames_of(row.seen)[:readers] for _, row in again), strict=True)),
            [row.likelihoods for _, row in again],
            [row.others for _, row in again],
            [row.evidence.struck for _, row in again],
            expected,
            [row.seen.ink if row.seen.box_frames is None else further.NO_INK for _, row in again],
        )
        for (number, row), (evidence, lines) in zip(again, joint, strict=True):
            rows[number] = replace(row, evidence=evidence, likelihoods=lines)
        return rows

    def is_worth_another_look(self, row: WeighedRow, expected: Expected) -> bool:
        """Whether another reader looks at a row: if it would be asked otherwise and is not hopeless.

        Also if only the first reader sees marks beside the letters, or hardly sees a dash.
        """
        evidence = row.evidence
        if not row.seen.is_written or evidence.struck or evidence.likelihood < NOT_WORTH_IT * row.readers:
            return False
        gates = self.gates_for(row.seen, expected)
        if isinstance(evidence, Joint):
            if any(getattr(evidence, name) < least for name, least in THIRD_LEAST.items()):
                return False
            return gates.tier(evidence) is Tier.ASKED and not self.doubts(row, expected)
        if gates.tier(evidence) is Tier.ASKED:
            return True
        return self.has_more(row, expected) or (row.seen.box_frames is None and self.lacks_dash(row, expected))

    def gates_for(self, row: further.Seen, expected: Expected) -> Gates:
        """The gates that judge a row: of the first reader alone where all of it is ticked or printed."""
        gates = self.gates.for_misspelt(expected.misspelt)
        return gates if row.is_written else replace(gates, is_alone=True)

    def rows(
        self, rows: Sequence[further.Seen | None], expected: Expected | None, crops: Sequence[Crop | None]
    ) -> list[InkLine]:
        if expected is None:
            return [
                BLANK_ROW if row is None else self.read_letters_alone(row, row.frames(self.head), None) for row in rows
            ]
        weighed = self.weighed_again(self.weigh_rows(rows, expected), expected, crops)
        return [BLANK_ROW if row is None else self.judge_row(row, expected) for row in weighed]

    def read_letters_alone(self, row: further.Seen, frames: Frames, expected: Expected | None) -> InkLine:
        """Read a row freely, without a vocabulary."""
        letters = free.free_text(frames if expected is None else expected.without_unwanted_digits(frames), row.ink)
        freely = read_as(letters, _chance_of_letters(letters, frames))
        return InkLine.without_place((freely,) if letters else (), Tier.ASKED, free.struck_notes(letters))

    def judge_row(self, row: WeighedRow, expected: Expected) -> InkLine:
        """Pass the verdict on one row.

        Its readings are in the order of one measure: the probability that this is what is written. The gate gives that
        of the best line; another line has proportionally less; the free letters have the remainder. An accepted row has
        its best line first.
        """
        frames, evidence = row.frames, row.evidence
        letters = free.free_text(expected.without_unwanted_digits(frames), row.seen.ink)
        if set(letters) <= {STRUCK, " "}:
            return self.read_letters_alone(row.seen, frames, expected)
        notes = free.struck_notes(letters)
        gates = self.gates_for(row.seen, expected)
        tier = gates.tier(evidence)
        if tier is not Tier.ASKED and (doubts := self.doubts(row, expected)):
            tier, notes = Tier.ASKED, (*notes, *doubts)
        chance = gates.chance(evidence)
        best = read_as(evidence.text, chance)
        same = bare(letters) == bare(evidence.text)
        freely = read_as(letters, chance if same else (1 - chance) * _chance_of_letters(letters, frames))
        if tier is not Tier.ASKED:
            tails_read = _hang_from_letters(row.seen.tails, evidence.text, expected.without_unwanted_digits(frames))
            freely = replace(freely, confidence=min(chance, freely.confidence))
            return InkLine.without_place((best, freely), tier, notes, tails_read=tails_read)
        hopeful = evidence.likelihood > HOPELESS * row.readers
        proposals = self.proposals(row, expected, chance) if hopeful else []
        return InkLine.without_place(surest_first([best, *proposals, freely]), tier, notes)

    def doubts(self, row: WeighedRow, expected: Expected) -> tuple[Note, ...]:
        """Notes that the letters do not show, such as ink beyond the ends; not for rows of boxes."""
        if row.seen.box_frames is not None:
            return ()
        return (
            *_gap_notes(row, expected),
            *((Note.NO_DASH,) if self.lacks_dash(row, expected) else ()),
            *((Note.S_OR_ARROW,) if self.may_be_other_sign(row, expected) else ()),
            *((Note.MORE,) if self.has_more(row, expected) else ()),
        )

    def has_more(self, row: WeighedRow, expected: Expected) -> bool:
        """Whether a row has more than the letters of a text.

        More is ink that belongs to no sign. Where that is not sure, it is a further letter or sign, to the readers
        together that weighed the row; or a sign that no letter is, or ink beyond the letters: to the first reader, and
        to the second if that has looked.
        """
        seen, text = row.seen, row.evidence.text
        if seen.box_frames is not None:
            return False
        if (is_unread := self.has_unread_ink(row, expected)) is not None:
            return is_unread
        if self.has_further_signs(row, expected):
            return True
        if not _sees_more(text, row.frames, seen, expected, OURS):
            return False
        if not self.further or seen.again is None:
            return True
        return _sees_more(text, seen.again.frames(self.further[0].head), seen.again, expected, BORROWED)

    def weighed_frames(self, row: WeighedRow) -> list[Frames]:
        """What each reader that weighed a row makes of it."""
        return self.frames_of(row.seen)[: row.readers]

    def lacks_dash(self, row: WeighedRow, expected: Expected) -> bool:
        """Whether the readers that weighed a row hardly see a dash of its text, and the rules need it.

        Where they take the text without it for the same order, it is no doubt by itself.
        """
        return any(
            expected.taken is None or _is_other(text, row.evidence, expected)
            for text in self.texts_without_dashes(row, expected)
        )

    def texts_without_dashes(self, row: WeighedRow, expected: Expected) -> Iterator[str]:
        """The text of a row without each dash that the ink does not show and the readers that weighed it hardly see."""
        views = [expected.comparable(view) for view in self.weighed_frames(row)]
        text = bare(row.evidence.text)
        drawn = free.drawn_dashes(text, expected.without_unwanted_digits(row.frames), row.seen.ink)
        for at, other in free.without_each_dash(row.evidence.text):
            if at not in drawn and fmean(free.gain_as(bare(other), text, view) for view in views) > -DASH_SEEN:
                yield other

    def may_be_other_sign(self, row: WeighedRow, expected: Expected) -> bool:
        """Whether an S may be an arrow's head, or a head an S, and the row is a legal order with either.

        The first reader hardly tells one from the other; and where a dash was read, all readers were needed.
        """
        text, view = row.evidence.text, expected.comparable(row.frames)
        may_be = free.DASH not in text.split() or row.readers == 1 + len(AFTER_FIRST)
        return may_be and any(
            free.gain_as(bare(other), bare(text), view) > -SIGN_TOLD
            for other in free.with_other_signs(text)
            if expected.spells_order(bare(other))
        )

    def has_further_signs(self, row: WeighedRow, expected: Expected) -> bool:
        """Whether the readers that weighed a row see letters or signs between, before or behind those of its text.

        Brackets and strokes count where the rules make something else of the text with them, and a bracket that has no
        other: it may be of another kind (``]``).
        """
        evidence, views = row.evidence, self.weighed_frames(row)
        silent = [expected.comparable(view) for view in views]
        if _gain_of_signs(evidence, silent) >= LEAST_GAIN:
            return True
        if _gain_of_signs(evidence, [expected.without_unwanted_digits(view) for view in views]) < LEAST_GAIN:
            return False
        return any(_says_more(text, evidence, expected) for text in self.texts_with_air(row, expected))

    def texts_with_air(self, row: WeighedRow, expected: Expected) -> list[str]:
        """The text of a row with the brackets and strokes that each reader that weighed it sees."""
        views = [(expected.without_unwanted_digits(view), view) for view in self.weighed_frames(row)]
        text = row.evidence.text
        return [free.with_air(text, clean, expected.comparable(view)) for clean, view in views]

    def has_unread_ink(self, row: WeighedRow, expected: Expected) -> bool | None:
        """Whether ink of a row belongs to no sign of its text; None where that is not sure.

        The brackets and strokes that the first reader sees are signs where they say nothing, else those of the next.
        Others account for no ink: the readers together do not see them, or the row has further signs.
        """
        ink = row.seen.found
        if ink is None:
            return None
        clean = expected.without_unwanted_digits(row.frames)
        texts = (one for one in self.texts_with_air(row, expected) if not _says_more(one, row.evidence, expected))
        text = next(texts, row.evidence.text)
        odds = self.unread.odds(ink, row.seen.features, text, clean)
        if odds >= LEAST_ODDS:
            return True
        if odds < LEAST_ODDS_UNSURE:
            return None if UNTAUGHT in text else False
        signs = signs_in_crop(text, clean, ink)
        if has_loose_ink(ink, signs):
            return True
        if odds >= LEAST_ODDS_LINED:
            may_be_struck = any(True for _ in self.texts_without_dashes(row, expected))
            if may_be_struck or has_line_through(ink, signs):
                return True
        return None

    def proposals(self, row: WeighedRow, expected: Expected, chance: float) -> list[InkReading]:
        """Offer the lines that come after the best, where they are not far behind it; ``chance`` is the best one's."""
        evidence, likelihoods = row.evidence, row.likelihoods / row.readers
        likely = [line for line in rank_lines(likelihoods, expected, PROPOSED) if float(likelihoods[line]) >= HOPELESS]
        after = [line for line in likely if line != evidence.best]
        short = drop_repeated_blanks(expected.comparable(row.frames))
        spellings = free.likeliest_spellings([expected.slots[line] for line in after], [short] * len(after))
        texts = [
            spelling_in_words(expected.lines[line], spelling) for line, spelling in zip(after, spellings, strict=True)
        ]
        best = float(likelihoods[evidence.best])
        return [
            read_as(text, chance * math.exp(float(likelihoods[line]) - best))
            for line, text in zip(after, texts, strict=True)
            if text != evidence.text
        ]


def _gain_of_signs(evidence: AnyEvidence, views: Sequence[Frames]) -> float:
    """How much likelier a row is with signs between the letters of its text (log), the mean of the readers."""
    return fmean(min(MOST_GAIN, free.gain_of_further_signs(bare(evidence.text), view)) for view in views)


def _sees_more(text: str, frames: Frames, row: further.Seen, expected: Expected, canvas: NormalCanvas) -> bool:
    """Whether a reader sees more than the letters of the best line: a sign, or ink."""
    if free.has_sign(text, frames, expected.unwanted):
        return True
    return free.reaches_beyond(frames, row.ink, expected.unwanted, canvas)


def _gap_notes(row: WeighedRow, expected: Expected) -> tuple[Note, ...]:
    """Say what is amiss with the gaps of the best line: one tears a word, or one is missing that the rules need."""
    text = row.evidence.text
    apart = free.gaps_of(text, expected.without_unwanted_digits(row.frames), row.seen.ink)
    if apart is None or free.is_torn(text, apart):
        return (Note.TORN,)
    return (Note.RUN_TOGETHER,) if _is_other(free.run_together(text, apart), row.evidence, expected) else ()


def _is_other(written: str, evidence: AnyEvidence, expected: Expected) -> bool:
    """Whether the rules make something else of a text than of the best line, whose letters it has."""
    taken, text, line = expected.taken, evidence.text, evidence.best
    return taken is not None and written != text and taken(written, line) is not taken(text, line)


def _says_more(text: str, evidence: AnyEvidence, expected: Expected) -> bool:
    """Whether the brackets and strokes of a text tell: the rules make something else of it, or one has no other.

    Whether a stroke stands apart from the words is not seen, so it must not tell in either case.
    """
    is_odd = text.count("(") != text.count(")")
    return is_odd or any(_is_other(one, evidence, expected) for one in (text, text.replace("/", " / ")))


def in_a_row(names: Sequence[str]) -> str:
    """Join names with commas, the last with "and".

    >>> in_a_row(("a", "b")), in_a_row(("a", "b", "c"))
    ('a and b', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def read_as(text: str, chance: float) -> InkReading:
    """Make a reading with a rounded confidence, so that it does not depend on the number of processors."""
    return InkReading(text, round(chance, DIGITS))


def _chance_of_letters(text: str, frames: Frames) -> float:
    """The probability that all freely read letters are right."""
    return math.exp(_surety_of(frames) * len(bare(text)))


def _surety_of(frames: Frames) -> float:
    """Mean log of the best class's probability: how sure the net is, whatever it read."""
    return sum(map(math.log, frames.max(1).tolist())) / len(frames)
