"""Two lines that are one order, or may be."""

import re
from collections.abc import Iterator, Sequence, Set
from functools import partial
from itertools import takewhile, zip_longest

from msgspec.structs import replace

from pipeline.board import Power, Step, Terrain, Unit
from pipeline.interpret import order_words, places
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.lexicon import Lexicon
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.lines import cut_words, is_whole_order, read_line, unit_words_of
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import NUMBERING, Mark, Token, tokenize
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.who_and_when import is_signature
from pipeline.interpret.written_words import FILLERS, IF, LETTERS, OF, OR, SPOILERS, TAKEN_BACK, SignSense, fold_word

CONTINUES = frozenset(  # a line that begins with one may continue the line above
    {SignSense.SUPPORT, SignSense.CONVOY, SignSense.HOLD, SignSense.TO, SignSense.BY, SignSense.LAND, SignSense.RETREAT}
)

WAYS = frozenset({SignSense.BY, SignSense.CONVOY})  # how an army goes
BREAK = "\n"  # put between a line and the next, if that may continue it
HELPERS = frozenset({SignSense.SUPPORT, SignSense.BY})  # a unit that helps may stand below a line ending so
DANGLES = frozenset({SignSense.SUPPORT, SignSense.CONVOY, SignSense.TO, SignSense.BY})  # a line ending so breaks off
BEFORE_NAMES = FILLERS | OF  # a line may end in one before the name of a unit
HYPHEN = "\u00ad"  # put in the place of a hyphen at the end of a line; a word goes on behind it


def join_lines(sheet: Sheet, pieces: Sequence[Line], ordered: Set[Unit | None]) -> tuple[list[Line], list[Line]]:
    """Join what continues the line above or may; and the lower lines that may be another order for a unit they name."""
    joined: list[Line] = []
    other_orders: list[Line] = []  # "or Bud H"
    for piece in pieces:
        between = _joint(sheet, joined[-1], piece, ordered) if joined else None
        if between is None:
            joined.append(piece)
        else:
            above = _join(joined[-1], piece, between, sheet.lexicon)
            orders = read_line(joined[-1].text, sheet.lexicon, sheet.position.phase.step)
            label = NUMBERING.match(piece.text)
            is_whole = bool(orders) and is_whole_order(sheet, orders[-1])
            if is_whole and label and label[0].strip():  # it may be an order of its own, or change another
                above = replace(above, notes=(*above.notes, LineDoubt.of(Doubt.UNDER_HEADING, text=piece.shown)))
            joined[-1] = above
            other_orders += [piece] if between == BREAK else []
    return joined, other_orders


def _join(above: Line, below: Line, between: str, lexicon: Lexicon) -> Line:
    """Make one line of two; a row number in front of the lower one is left out."""
    end = above.tokens[-1].start if between == HYPHEN else len(above.text)
    text = f"{above.text[:end]}{between}{below.text[below.tokens[0].start :]}"
    notes, also = (*above.notes, *below.notes), (*above.also, below.number)
    shown = f"{above.shown} {below.shown}"
    return replace(above, text=text, shown=shown, tokens=cut_words(text, lexicon), notes=notes, also=also)


def _joint(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> str | None:
    """What to put between two lines to join them: a space if the lower continues the upper, `BREAK` if it may.

    None: they are not joined.
    """
    step = sheet.position.phase.step
    is_open = all(isinstance(e.shape, order_words.BareUnit) for e in read_line(above.text, sheet.lexicon, step)[-1:])
    if not is_open and is_signature(sheet, below):
        return None
    if _is_name_broken(above, below, sheet.lexicon):
        return HYPHEN
    if _is_name_in_two(sheet, above, below.tokens[0]):
        return " "
    if step is not Step.ADJUSTMENTS and _continues(sheet, above, below):
        return None if _may_end_in_unit(sheet, below, ordered) else " "
    before, after = (read_line(each.text, sheet.lexicon, step) for each in (above, below))
    if (
        not before
        or not after
        or unit_words_of(before[-1]).place is None
        or isinstance(after[0].shape, order_words.Waives)
    ):
        return None
    first, last = below.tokens[0].folded, above.tokens[-1].folded
    named = {code for token in below.tokens for code in sheet.lexicon.spoken.get(token.folded, ())}
    names_own_unit = any(unit_spoken_of(sheet, each.shape) is not None for each in after) or (
        first in TAKEN_BACK and any(unit.province in named for unit in sheet.own)  # "scratch Vie"
    )
    if {first, last} & (OR | IF) or first == "instead" or (first in SPOILERS and not names_own_unit):
        is_fleet = first == after[0].rest.lower() == "if" and unit_words_of(after[0]).letter is None
        return None if is_fleet and names_own_unit and sheet.power is Power.ITALY else BREAK  # "IF Nap - Ion"
    if len(below.tokens) == 1 and sheet.lexicon.sign_of(first) in WAYS and not _may_go_by_sea(sheet, before[-1].shape):
        return None
    return BREAK if step is not Step.ADJUSTMENTS and _is_tail(sheet, after[0], below) else None


def _is_name_broken(above: Line, below: Line, lexicon: Lexicon) -> bool:
    """Say whether a name is broken at the end of a line: "Nor-", and below it "way"."""
    first, last = below.tokens[0], above.tokens[-1]
    if len(above.tokens) < 2 or last.text not in places.HYPHENS | {"=", "~"} or not last.tight:
        return False
    return lexicon.is_listed(above.tokens[-2].folded + first.folded)


def _is_name_in_two(sheet: Sheet, above: Line, first: Token) -> bool:
    """Say whether the last word of a line is a name with the first one below: "St", "Petersburg".

    By itself it is no name, or nothing is said of its unit yet: "F Eastern", "Mediterranean - Syr".
    """
    last, lexicon = above.tokens[-1], sheet.lexicon
    if lexicon.sign_of(last.folded) is not None or {last.folded, first.folded} & LETTERS.keys():
        return False
    if not (last.folded and first.folded and lexicon.is_listed(last.folded + first.folded)):
        return False
    before = read_line(above.text, lexicon, sheet.position.phase.step)
    return not lexicon.is_listed(last.folded) or (bool(before) and isinstance(before[-1].shape, order_words.BareUnit))


def _is_tail(sheet: Sheet, below: Entry, line: Line) -> bool:
    """Say whether a line has no unit of its own: it begins with a sign, or is a place or a coast and nothing else."""
    if unit_words_of(below).letter is not None:
        return False
    if unit_words_of(below).is_empty:
        start = LineReader(line.tokens, line.text, sheet.lexicon, sheet.position.phase.step)
        return (
            isinstance(below.shape, order_words.Moves | order_words.Supports | order_words.Convoys)
            or start.sign() is not None
        )
    shape = below.shape
    if not isinstance(shape, order_words.BareUnit | order_words.Moves) or getattr(
        shape, "steps", False
    ):  # not "- Boh -"
        return False
    place = shape.unit.place
    if place is None:
        return False
    if place.folded in sheet.lexicon.coasts and len(line.tokens) == 1:
        return True
    return sheet.lexicon.is_listed(place.folded) and unit_spoken_of(sheet, shape) is None


def _continues(sheet: Sheet, above: Line, below: Line) -> bool:
    """A line continues the line above if that one breaks off, or if it begins with a sign that needs a unit."""
    step = sheet.position.phase.step
    start = LineReader(below.tokens, below.text, sheet.lexicon, step)
    breaks_off = LineReader(above.tokens, above.text, sheet.lexicon, step).sign(len(above.tokens) - 1) in DANGLES
    sign = start.sign()
    if sign not in CONTINUES and not breaks_off:
        return False
    before = read_line(above.text, sheet.lexicon, step)
    after = read_line(below.text, sheet.lexicon, step)
    if not before or not after:
        return False  # nothing but commas
    last, first = before[-1], after[0]
    if not sign and unit_words_of(last).is_empty:
        return False  # a line of dashes
    if isinstance(last.shape, order_words.Moves) and last.shape.steps:
        breaks_off = False  # "A Hol - Bel C": the sign at the end is how the army travels
    if sign in CONTINUES:
        if breaks_off or isinstance(last.shape, order_words.BareUnit):
            return not (sign is SignSense.TO and start.is_bullet())
        return sign in WAYS and len(below.tokens) <= 3 and _may_go_by_sea(sheet, last.shape)
    if not breaks_off:
        return False
    return isinstance(first.shape, order_words.BareUnit) or unit_spoken_of(sheet, first.shape) is None


def _may_go_by_sea(sheet: Sheet, shape: order_words.Shape) -> bool:
    """Say whether an order may be a move by convoy: not from or to inland places, below which "Convoy" is a heading."""
    if not isinstance(shape, order_words.Moves):
        return False
    ends = [*filter(None, [shape.unit.place]), *shape.steps[-1:]]
    return all(
        any(sheet.board.provinces[code].terrain is not Terrain.LAND for code in codes)
        for each in ends
        if (codes := [code for code in sheet.lexicon.sense(each.folded).codes if code in sheet.board.provinces])
    )


MARKS_AT_END = re.compile(r"(?:[^\w\-–—→>)?]|[_\d]|\(cont\.?\))+$", re.IGNORECASE)  # "A Bud S A ...", "A Bud S A 1"
LETTER_AT_END = re.compile(
    r"(?<!\s)(?:\s+(?:a|f|army|fleet|of|in|at|the))+\s*$", re.IGNORECASE
)  # "S army of", "A Mun - Bur"
MARKS_AHEAD = re.compile(r"[\W_]+")  # "* Vie - Gal"


def as_one_order(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> Entry | None:
    """Read a line that breaks off as one order with the line below, if that can be.

    A support or a convoy may end in a whole order; a move in the place of a unit of one's own: "A Vie -" above "Bud";
    the move that a support helps in a mere place.
    """
    step = sheet.position.phase.step
    text = MARKS_AT_END.sub("", above.text)
    above = replace(above, text=text, tokens=tuple(each for each in above.tokens if each.end <= len(text)))
    if not above.tokens:
        return None
    end = LineReader(above.tokens, above.text, sheet.lexicon, step).sign(len(above.tokens) - 1)
    helps = step is Step.MOVEMENT and (end in {SignSense.SUPPORT, SignSense.CONVOY} or _helps_nobody_yet(sheet, above))
    may_go_on = end in DANGLES and _may_end_in_unit(sheet, below, ordered)
    if not (helps or may_go_on or (step is Step.MOVEMENT and _may_end_in_goal(sheet, above, below))):
        return None
    if helps and (marks := MARKS_AHEAD.match(below.text)) and marks.end() < len(below.text):
        text = " " * marks.end() + below.text[marks.end() :]
        below = replace(below, text=text, tokens=cut_words(text, sheet.lexicon))
    if helps and any(unit_words_of(each).letter is not None for each in read_line(below.text, sheet.lexicon, step)[:1]):
        text = LETTER_AT_END.sub("", above.text)
        above = replace(above, text=text, tokens=tuple(each for each in above.tokens if each.end <= len(text)))
    orders = read_line(_join(above, below, " ", sheet.lexicon).text, sheet.lexicon, step)
    whole = (
        order_words.Supports | order_words.Convoys
        if helps
        else order_words.Moves | order_words.Supports | order_words.Convoys
    )
    is_one = (
        len(orders) == 1 and isinstance(orders[0].shape, whole) and not orders[0].rest
    )  # "… via convoy" is at its end
    return orders[0] if is_one else None


def _helps_nobody_yet(sheet: Sheet, line: Line) -> bool:
    """Whether a line breaks off before the place of the unit that is helped: "F Sev S A", "F Sev S Russian"."""
    match read_line(line.text, sheet.lexicon, Step.MOVEMENT):
        case (*_, Entry(shape=order_words.Supports(of=of, steps=()) | order_words.Convoys(of=of, steps=()))):
            word = of.place.folded if of.place is not None else ""
            return not word or word in sheet.lexicon.nations or word in BEFORE_NAMES
        case _:
            return False


def _may_end_in_unit(sheet: Sheet, below: Line, ordered: Set[Unit | None]) -> bool:
    """Whether an order may end in the line below: that names one own unit, which no other line has an order for."""
    after = read_line(below.text, sheet.lexicon, sheet.position.phase.step)
    shape = after[0].shape if len(after) == 1 else None
    return isinstance(shape, order_words.BareUnit) and unit_spoken_of(sheet, shape) not in {None, *ordered}


def _may_end_in_goal(sheet: Sheet, above: Line, below: Line) -> bool:
    """Whether the place that a support may help a unit to stands alone in the line below, without a unit's letter."""
    shapes = [
        tuple(each.shape for each in read_line(line.text, sheet.lexicon, Step.MOVEMENT)) for line in (above, below)
    ]
    match shapes:
        case [(order_words.Supports(steps=(), is_complete=True),), (order_words.Moves(unit=unit, steps=(_,)),)]:
            return unit.is_empty
        case [(order_words.Supports(steps=(), is_complete=True),), (order_words.BareUnit(unit=unit),)]:
            return unit.letter is None and unit.place is not None and sheet.lexicon.is_listed(unit.place.folded)
        case _:
            return False


def may_go_on_below(sheet: Sheet, above: Line, below: Line, ordered: Set[Unit | None]) -> bool:
    """Say whether words behind a unit that nobody understands may be a sign for the unit below: "backs", "hacia"."""
    if not above.orders or len(below.orders) != 1 or sheet.position.phase.step is Step.ADJUSTMENTS:
        return False
    last, first = above.orders[-1].shape, below.orders[0].shape
    if not isinstance(last, order_words.Senseless) or unit_spoken_of(sheet, last) is None:
        return False
    unit = unit_spoken_of(sheet, first)
    is_bare = isinstance(first, order_words.BareUnit) and unit not in {None, *ordered}
    is_word = len(last.words) > 2 and " " not in last.words and fold_word(last.words).isalpha()  # "appoggia"
    is_whole = isinstance(first, order_words.Moves | order_words.Holds) and is_word
    return is_bare or is_whole or (isinstance(first, order_words.Moves) and unit is None)


def may_be_goal_behind_a(sheet: Sheet, above: Line, below: Line) -> bool:
    """Say whether a small "a" below a unit alone is no army, but Italian or Spanish: "A Roma", "a Venezia"."""
    if len(below.orders) != 1 or below.tokens[0].text != "a" or not _is_unit_alone(sheet, above):
        return False
    return isinstance(below.orders[0].shape, order_words.BareUnit) and above.text != above.text.lower()


BRACES = ("|", "\\", ",")  # at the end of rows that have one goal
COMPARES = re.compile(  # a line that ends so says what is not done, and the line below is a part of it
    r"\b(?:instead of|rather than|in place of|au lieu de|plut[oô]t que|anstatt|statt|not|nicht|pas|or|ou|oder)"
    r"[\s,;:.…-]*$",
    re.IGNORECASE,
)
POINTED = (" >", "→")  # so may such a row, if a part of the brace stands in the row below
POINTERS = re.compile(r"\W*[|↑↓⇑⇓⬆⬇⤴⤵]\W*")  # a line that points to the one below or above


def is_tied(sheet: Sheet, line: Line, other: Line) -> bool:
    """Say whether a line may have a part in the line above or below: a stroke joins them, an arrow or a comparison.

    So may a unit alone below a line that ends in a sign, "A Vie - Gal S", "A Bud", and above one with ditto marks.
    """
    shown, is_below = line.shown.strip(), other.number < line.number
    if is_below and COMPARES.search(other.shown):
        return True
    is_pointed = not is_below and shown.endswith(POINTED) and shown[-1] in other.shown
    last = line.orders[-1].shape if line.orders else None
    if is_pointed and last is not None and unit_spoken_of(sheet, last) is not None:
        return not getattr(last, "steps", ())  # "A Mun >", "A Ruh > Bur"
    is_braced = shown.endswith(BRACES) and not shown.startswith(BRACES)
    end = LineReader(other.tokens, other.text, sheet.lexicon, Step.MOVEMENT).sign(len(other.tokens) - 1)
    breaks_off = end in HELPERS and is_below
    repeats = not is_below and any(each.mark is Mark.DITTO for each in tokenize(other.shown))  # "A Bud 〃 - Gal"
    is_joined = is_braced or breaks_off or repeats or POINTERS.fullmatch(other.shown) is not None
    return is_joined and _is_unit_alone(sheet, line)


def _is_unit_alone(sheet: Sheet, line: Line) -> bool:
    """Whether the last order of a line is an own unit of which nothing is said."""
    last = line.orders[-1].shape if line.orders else None
    return isinstance(last, order_words.BareUnit) and unit_spoken_of(sheet, last) is not None


def both_in_doubt(above: Line, below: Line, whole: Entry | None) -> list[Line]:
    """If two lines may be one order or two, both are asked."""
    *others, last = above.orders
    first = below.orders[0]
    return [
        replace(
            above,
            orders=(*others, last if whole is None else replace(last, other_shapes=(whole.shape,))),
            notes=(*above.notes, LineDoubt.of(Doubt.OTHER_PART, text=first.text)),
        ),
        replace(below, notes=(*below.notes, LineDoubt.of(Doubt.OTHER_PART, text=last.text))),
    ]


WINTER_SIGNS = frozenset({SignSense.BUILD, SignSense.DISBAND})


def with_sign_above(lexicon: Lexicon, pieces: Sequence[Line], due: int) -> Iterator[Line]:
    """Write a sign that stands alone above units, "Builds:", before each of them; the first takes up its line.

    So for those below "Builds: A Mun", if no more are named than are due.
    """
    above: Line | None = None
    is_first = False
    for at, (piece, after) in enumerate(zip_longest(pieces, pieces[1:])):
        if _is_sign_alone(lexicon, piece) and after is not None and _names_units_only(lexicon, after):
            above, is_first = piece, True
        elif above is not None and _names_units_only(lexicon, piece):
            joined = _join(above, piece, " ", lexicon)
            yield joined if is_first else replace(joined, number=piece.number, shown=piece.shown, also=())
            is_first = False
        else:
            below = list(takewhile(partial(_names_units_only, lexicon), pieces[at + 1 :]))
            above, is_first = _sign_before_units(lexicon, piece) if len(below) < abs(due) else None, False
            yield piece


def _sign_before_units(lexicon: Lexicon, piece: Line) -> Line | None:
    """Cut the word for building or disbanding out of a line where units follow its colon: "Builds: A Mun"."""
    word, colon, units = piece.text.partition(":")
    alone = replace(piece, text=word, tokens=cut_words(word, lexicon), notes=())
    rest = replace(piece, text=units, tokens=cut_words(units, lexicon))
    is_sign = bool(colon) and _is_sign_alone(lexicon, alone) and bool(rest.tokens) and _names_units_only(lexicon, rest)
    return alone if is_sign else None


def _is_sign_alone(lexicon: Lexicon, piece: Line) -> bool:
    """Say whether a line is a word for building or disbanding, and no more."""
    words = [token.folded for token in piece.tokens]
    is_word = len(words) == 1 and len(words[0]) > 1 and words[0] != "scrap"  # it may be the lines that are scrapped
    return is_word and lexicon.sign_of(words[0]) in WINTER_SIGNS


def _names_units_only(lexicon: Lexicon, piece: Line) -> bool:
    """Say whether units stand on a line and nothing is said of them."""
    orders = read_line(piece.text, lexicon, Step.ADJUSTMENTS)
    return all(isinstance(each.shape, order_words.BareUnit) and not each.rest for each in orders)
