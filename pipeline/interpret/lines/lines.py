"""Lines as they hang together: what continues the line above, and what a ditto mark repeats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pipeline.board.position import Step
from pipeline.interpret.doubts.doubts import Doubt, Found
from pipeline.interpret.doubts.entry import Line
from pipeline.interpret.language.grammar import LineReader, read_tokens
from pipeline.interpret.language.lexicon import Lexicon
from pipeline.interpret.language.signs import IF, OR, SPOILERS, SignSense
from pipeline.interpret.language.tokens import Mark, Token, cut, join_signs, unglue
from pipeline.interpret.language.written import BareUnit, Convoys, Moves, Supports, UnitWords, Written
from pipeline.interpret.lines.drafts import unit_spoken_of
from pipeline.interpret.lines.sheet import Sheet

CONTINUES = frozenset(
    {SignSense.SUPPORT, SignSense.CONVOY, SignSense.HOLD, SignSense.TO, SignSense.BY, SignSense.LAND, SignSense.RETREAT}
)
KEPT = 2_000  # lines
BREAK = "\n"  # between a line and one that may go on from it
DANGLES = frozenset({SignSense.SUPPORT, SignSense.CONVOY, SignSense.TO, SignSense.BY})


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One line with what belongs to it, and the orders on it."""

    number: int
    orders: tuple[Written, ...]
    notes: tuple[Found, ...] = ()  # what was seen on the paper
    also: tuple[int, ...] = ()  # the lines that continue it


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line on its way to its orders."""

    number: int
    shown: str  # as it is on the paper
    text: str  # with the words that ditto marks stand for
    tokens: tuple[Token, ...]
    also: tuple[int, ...] = ()  # the lines that continue it


def read_lines(sheet: Sheet, lines: Sequence[Line]) -> tuple[WrittenLine, ...]:
    """Read all lines of a sheet in order; blank ones are no lines."""
    joined: list[CutLine] = []
    above: tuple[Token, ...] = ()
    for line in lines:
        piece = cut_line(line, above, sheet.lexicon)
        if not piece.tokens:
            continue
        above = piece.tokens
        between = joint(sheet, joined[-1], piece) if joined else None
        if between is not None:
            joined[-1] = join(joined[-1], piece, between, sheet.lexicon)
        else:
            joined.append(piece)
    notes = {line.number: tuple(notes_of(line)) for line in lines}
    written = [
        WrittenLine(
            piece.number,
            orders_of(sheet, piece),
            tuple(note for number in (piece.number, *piece.also) for note in notes[number]),
            piece.also,
        )
        for piece in joined
    ]
    for at, (above_it, below_it) in enumerate(pairwise(joined)):
        whole = as_one_order(sheet, above_it, below_it)
        if whole is not None and written[at].orders and written[at + 1].orders:
            written[at : at + 2] = both_in_doubt(written[at], written[at + 1], whole)
    return tuple(written)


def as_one_order(sheet: Sheet, above: CutLine, below: CutLine) -> Written | None:
    """Read a support or a convoy that breaks off above a whole order as one order with it, if that can be."""
    step = sheet.position.phase.step
    end = sheet.lexicon.signs.get(above.tokens[-1].folded)
    if step is not Step.MOVEMENT or end not in {SignSense.SUPPORT, SignSense.CONVOY}:
        return None
    orders = read_text(join(above, below, " ", sheet.lexicon).text, sheet.lexicon, step)
    is_one = len(orders) == 1 and isinstance(orders[0].shape, Supports | Convoys) and not orders[0].rest
    return orders[0] if is_one else None


def both_in_doubt(above: WrittenLine, below: WrittenLine, whole: Written) -> list[WrittenLine]:
    """Neither of two lines is followed unasked that may be two orders, or one."""
    *others, last = above.orders
    first = below.orders[0]
    return [
        replace(
            above,
            orders=(*others, replace(last, alternatives=(whole.shape,))),
            notes=(*above.notes, Found.of(Doubt.OTHER_PART, text=first.text)),
        ),
        replace(below, notes=(*below.notes, Found.of(Doubt.OTHER_PART, text=last.text))),
    ]


def notes_of(line: Line) -> Iterator[Found]:
    """Crossed out or written over: what that means is a rule of the tournament (row 9)."""
    if line.struck_out:
        yield Found.of(Doubt.STRUCK_OUT, text=line.text.strip())
    if line.overwritten:
        yield Found.of(Doubt.OVERWRITTEN, text=line.text.strip())


def cut_line(line: Line, above: tuple[Token, ...], lexicon: Lexicon) -> CutLine:
    """Cut one line, and put words in the place of its ditto marks."""
    text, tokens = line.text, words_of(line.text, lexicon)
    if any(token.mark is Mark.DITTO for token in tokens):
        text = undo_dittos(line.text, above)
        tokens = words_of(text, lexicon)
    return CutLine(line.number, line.text.strip(), text, tokens)


@lru_cache(maxsize=KEPT)
def read_text(text: str, lexicon: Lexicon, step: Step) -> tuple[Written, ...]:
    """Read the orders of a line; kept, since players write few different ones and a sheet is read again and again."""
    return read_tokens(words_of(text, lexicon), text, lexicon, step)


@lru_cache(maxsize=KEPT)
def words_of(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """Cut a line; part what was written together, and join the signs of several words."""
    parted = unglue(cut(text), lexicon.is_known, lexicon.is_listed)
    if any(token.folded in lexicon.long_begin for token in parted):
        return join_signs(parted, lexicon.long_signs)
    return parted


def join(above: CutLine, below: CutLine, between: str, lexicon: Lexicon) -> CutLine:
    """Make one line of two; a row number in front of the lower one is left out."""
    text = f"{above.text}{between}{below.text[below.tokens[0].start :]}"
    also = (*above.also, below.number)
    return CutLine(above.number, f"{above.shown} {below.shown}", text, words_of(text, lexicon), also)


def orders_of(sheet: Sheet, piece: CutLine) -> tuple[Written, ...]:
    """Read the orders of a line; a single one is shown as it is on the paper, dittos and all."""
    orders = read_text(piece.text, sheet.lexicon, sheet.position.phase.step)
    if len(orders) != 1 or orders[0].text == piece.shown:
        return orders
    return (replace(orders[0], text=piece.shown),)


def undo_dittos(text: str, before: tuple[Token, ...]) -> str:
    """A ditto mark repeats what stands above it; the last one on a line repeats all that is left there.

    >>> undo_dittos('A Boh " A Mun - Ber', cut("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    >>> undo_dittos('A Boh "', cut("A Sil S A Mun - Ber"))
    'A Boh S A Mun - Ber'
    """
    tokens = cut(text)
    if not any(token.mark is Mark.DITTO for token in tokens):
        return text
    words: list[str] = []
    above = at = 0
    while at < len(tokens):
        if tokens[at].mark is not Mark.DITTO:
            words.append(spell(tokens[at]))
            above, at = above + 1, at + 1
            continue
        run = at
        while run < len(tokens) and tokens[run].mark is Mark.DITTO:
            run += 1
        end = next_like(tokens[run], before, above) if run < len(tokens) else len(before)
        words += [spell(token) for token in before[above:end]]
        above, at = end, run
    return " ".join(words)


def next_like(token: Token, before: tuple[Token, ...], above: int) -> int:
    """Find where the word after a ditto mark stands in the line above; a word that is not there follows one ditto."""
    for index in range(above, len(before)):
        if before[index].mark is token.mark and before[index].folded == token.folded:
            return index
    return min(above + 1, len(before))


def spell(token: Token) -> str:
    """Write a token again, brackets and all."""
    return f"({token.text})" if token.bracketed else token.text


def joint(sheet: Sheet, above: CutLine, below: CutLine) -> str | None:
    """What to put between a line and one that belongs to it: a space where it goes on, a break where it may.

    None: the lower line stands by itself.
    """
    step = sheet.position.phase.step
    if step is not Step.ADJUSTMENTS and continues(sheet, above, below):
        return " "
    before, after = (read_text(each.text, sheet.lexicon, step) for each in (above, below))
    if not before or not after or unit_of(before[-1]).place is None:
        return None
    first, last = below.tokens[0].folded, above.tokens[-1].folded
    if first in OR | IF or last in OR | IF or (first in SPOILERS and not names_own_unit(sheet, after)):
        return BREAK
    return BREAK if step is not Step.ADJUSTMENTS and is_tail(sheet, before[-1], after[0], below) else None


def unit_of(written: Written) -> UnitWords:
    """The words for the unit of an order; none for a waived build."""
    unit = getattr(written.shape, "unit", None)
    return unit if isinstance(unit, UnitWords) else UnitWords()


def names_own_unit(sheet: Sheet, orders: Sequence[Written]) -> bool:
    """Say whether one of the orders begins with an own unit."""
    return any(unit_spoken_of(sheet, each.shape) is not None for each in orders)


def is_tail(sheet: Sheet, above: Written, below: Written, line: CutLine) -> bool:
    """Say whether a line has no unit of its own: it begins with a sign, or is a place or a coast and nothing else."""
    if unit_of(below).letter is not None:
        return False
    if unit_of(below).is_empty:
        start = LineReader(line.tokens, line.text, sheet.lexicon, sheet.position.phase.step)
        return isinstance(below.shape, Moves | Supports | Convoys) or start.sign() is not None
    if not isinstance(below.shape, BareUnit) or below.shape.unit.place is None:
        return False
    place = below.shape.unit.place
    if place.folded in sheet.lexicon.coasts and len(line.tokens) == 1:
        return True
    return sheet.lexicon.is_listed(place.folded) and unit_spoken_of(sheet, below.shape) is None


def continues(sheet: Sheet, above: CutLine, below: CutLine) -> bool:
    """A line goes on from the line above if that breaks off, or if it begins with a sign that needs a unit."""
    step = sheet.position.phase.step
    start = LineReader(below.tokens, below.text, sheet.lexicon, step)
    breaks_off = LineReader(above.tokens, above.text, sheet.lexicon, step).sign(len(above.tokens) - 1) in DANGLES
    sign = start.sign()
    if sign not in CONTINUES and not breaks_off:
        return False
    before = read_text(above.text, sheet.lexicon, step)
    after = read_text(below.text, sheet.lexicon, step)
    if not before or not after:
        return False  # nothing but commas
    last, first = before[-1], after[0]
    if isinstance(last.shape, Moves) and last.shape.steps:
        breaks_off = False  # "A Hol - Bel C": the sign at the end is how the army travels
    if sign in CONTINUES:
        if breaks_off or isinstance(last.shape, BareUnit):
            return not (sign is SignSense.TO and start.is_bullet())
        return sign in {SignSense.BY, SignSense.CONVOY} and isinstance(last.shape, Moves) and len(below.tokens) <= 3
    if not breaks_off:
        return False
    return isinstance(first.shape, BareUnit) or unit_spoken_of(sheet, first.shape) is None
