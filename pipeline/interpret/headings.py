"""Lines that may change others: headings, conditions, corrections, and what takes the rest back."""

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Step
from pipeline.interpret import order_words
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.line_reader import LineReader
from pipeline.interpret.lines import is_lettered, is_without_unit, speaks_of_no_unit, unit_words_of
from pipeline.interpret.readings import Sheet, unit_spoken_of
from pipeline.interpret.tokens import LABEL
from pipeline.interpret.verdict import Entry, Line
from pipeline.interpret.who_and_when import (
    FOR_THE_DIRECTOR,
    may_be_name,
    names_another,
    tells_another_time,
    words_of_time,
)
from pipeline.interpret.written_words import (
    BUT,
    CORRECTS,
    DENIES,
    DENYING,
    EVERYBODY,
    EVERYONE,
    FAREWELL,
    FILLERS,
    HEADINGS,
    IF,
    IF_ALONE,
    LETTERS,
    LOOKS_UP,
    NO,
    NOT,
    NOTHING,
    OF,
    OR,
    OTHER_ROWS,
    OWN,
    REST,
    ROWS,
    SPOILERS,
    STEP_WORDS,
    TAKEN_BACK,
    UNSETTLES,
    SignSense,
    fold_word,
)


class ChangingLines(Struct, frozen=True):
    """The lines of a sheet that may change others, by their places on it."""

    corrections: Set[int]  # each and the line above it may change one another
    takes_back: int  # the last line that takes back all above it; -1: there is none
    unsettling: int | None  # a line that may change all the others
    of_kinds: Mapping[int, Set[Kind]]  # lines that tell all units of some kinds what to do

    @classmethod
    def of(cls, sheet: Sheet, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> "ChangingLines":
        taken_back = (
            at for at, piece in enumerate(pieces) if _is_heading(sheet, piece, orders[at]) and _takes_back(sheet, piece)
        )
        corrections = {
            at
            for at, piece in enumerate(pieces)
            if at
            and (_corrects(sheet, piece, orders[at]) or _may_tell_a_goal(sheet, orders[at - 1], piece, orders[at]))
        }
        of_kinds = {at: kinds for at, piece in enumerate(pieces) if (kinds := _kinds_told(sheet, piece, orders[at]))}
        unsettling = _find_unsettling(sheet, pieces, orders)
        return cls(corrections, max(taken_back, default=-1), unsettling, of_kinds)

    def beside(self, at: int, sheet: Sheet, orders: Sequence[Sequence[Entry]]) -> Iterator[int]:
        """The lines that may change one, those that are surest to do so first."""
        if at in self.corrections:
            yield at - 1
        if at + 1 in self.corrections:
            yield at + 1
        if at < self.takes_back:
            yield self.takes_back
        if self.unsettling is not None and at != self.unsettling:
            yield self.unsettling
        if at not in self.of_kinds:
            for other, kinds in self.of_kinds.items():
                if _is_told(sheet, orders[at], orders[other], kinds):
                    yield other


def with_headings(sheet: Sheet, pieces: Sequence[Line], orders: Sequence[tuple[Entry, ...]]) -> Iterator[Line]:
    """Note what stands under a heading that may change it, "Next season:", or above a line that takes it back.

    Of a correction, "sorry, Boh", and the line above it each may change the other.
    """
    changing = ChangingLines.of(sheet, pieces, orders)
    above: Line | None = None  # the last heading, where it may change what stands below it
    for at, piece in enumerate(pieces):
        is_other_time = tells_another_time(sheet, piece, orders[at])
        is_heading = is_other_time or _is_heading(sheet, piece, orders[at])
        if is_heading:
            above = piece if is_other_time or _changes_below(sheet, at, pieces, orders) else None
        beside = above or next((pieces[other] for other in changing.beside(at, sheet, orders)), None)
        if beside is None and any(
            isinstance(each.shape, order_words.Supports | order_words.Convoys) for each in orders[at]
        ):
            both = zip(pieces, orders, strict=True)
            beside = next((other for other, said in both if takes_help_back(sheet, other, said)), None)
        if beside is None or is_heading:
            yield piece
        else:
            yield replace(piece, notes=(*piece.notes, LineDoubt.of(Doubt.UNDER_HEADING, text=beside.shown)))


def _changes_below(sheet: Sheet, at: int, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> bool:
    """Say whether a heading may change the lines below it: it says more than what is ordered there, and by whom."""
    words = {word for token in pieces[at].tokens for word in words_of_time(token.folded)}
    plain = HEADINGS | STEP_WORDS[sheet.position.phase.step] | sheet.lexicon.nations.keys()
    plain |= _signs_below(sheet, at, pieces, orders)
    return bool(words & SPOILERS) or not words <= plain or names_another(sheet, pieces[at])


def _signs_below(sheet: Sheet, at: int, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> Set[str]:
    """The words for building alone, where builds stand below: "Builds:" changes none of them; so for disbanding."""
    kinds = {SignSense.BUILD: order_words.Builds, SignSense.DISBAND: order_words.Disbands}
    if sheet.position.phase.step is not Step.ADJUSTMENTS:
        return frozenset()
    below = {type(each.shape) for said in orders[at + 1 :] for each in said} - {order_words.Waives}
    words = (token.folded for token in pieces[at].tokens)
    signs = ((word, sheet.lexicon.sign_of(word)) for word in words)
    return {word for word, sign in signs if sign is not None and below == {kinds.get(sign)}}


def _is_heading(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line names no unit, and ends in a colon, names another power or may change other lines.

    So may a word alone that means nothing in an order, "Ideas", or "opposite day"; two may be a name.
    """
    words = [word for token in piece.tokens for word in words_of_time(token.folded)]
    may_be = piece.text.rstrip().endswith(":") or not (SPOILERS | DENIES).isdisjoint(words) or _is_if_alone(piece)
    is_unknown = len(words) == 1 and words[0] not in HEADINGS and not sheet.lexicon.may_be_meant(words[0])
    says_nothing = is_unknown or set("".join(words)) == {"x"}  # "x" above rows may strike them out
    is_phrase = len(words) > 1 and piece.text.replace(" ", "").isalpha() and not may_be_name(piece)
    is_plain = bool(((FAREWELL | sheet.lexicon.nations.keys()) - {"for"}).intersection(words))  # "For discussion"
    says_nothing = says_nothing or (
        is_phrase and not is_plain and all(speaks_of_no_unit(sheet, each, frozenset()) for each in orders)
    )
    if not (may_be or says_nothing or names_another(sheet, piece)):
        return False
    units = [unit_words_of(each) for each in orders if not isinstance(each.shape, order_words.Waives)]
    is_winter = sheet.position.phase.step is Step.ADJUSTMENTS
    if is_winter and any(
        isinstance(each.shape, order_words.Builds | order_words.Disbands) and each.shape.unit.is_empty
        for each in orders
    ):
        return False  # "Builds:"
    return bool(units) and all(unit.place is None or not sheet.lexicon.is_listed(unit.place.folded) for unit in units)


def _is_if_alone(piece: Line) -> bool:
    """Say whether a line is one word that means "if" somewhere, or denies: "si", "ne"; elsewhere it may be a name."""
    return len(piece.tokens) == 1 and piece.tokens[0].folded in IF_ALONE


OFF = frozenset({"off"})  # "is off"


EXAMPLES = frozenset({"eg", "zb", "zbsp", "bspw", "pex", "cf", "vgl", "ex"})  # "e.g." above orders that are none


def _find_unsettling(sheet: Sheet, pieces: Sequence[Line], orders: Sequence[Sequence[Entry]]) -> int | None:
    """Find the line that may change all the others, if there is one."""
    last = len(pieces) - 1
    return next(
        (
            at
            for at, (piece, said) in enumerate(zip(pieces, orders, strict=True))
            if _unsettles(sheet, piece, said)
            or _speaks_of_others(piece, said)
            or (at == last and _is_condition(sheet, piece, said))
        ),
        None,
    )


def _speaks_of_others(piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a remark may change other lines, behind an order, too: "F Tri H (all of this only if needed)"."""
    if any(isinstance(each.shape, order_words.Waives) for each in orders):
        return False  # "no more builds"
    words = {token.folded for token in piece.tokens}
    rows = words & OTHER_ROWS
    return bool(rows) and (bool(words & SPOILERS) or (len(rows) > 1 and bool(words & NOTHING)))


def _unsettles(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line that names no unit may change all the others: "just kidding", "not the first", "↕", "??".

    A question mark alone is a row that could not be read.
    """
    if any(isinstance(each.shape, order_words.Waives) for each in orders):
        return False  # "waive the last build"
    words = {token.folded for token in piece.tokens}
    is_question = piece.text.count("?") > 1 and not piece.text.strip(" ?!.")
    is_exchange = not piece.text.strip(" ()↕⇅⇵↔⟷⇄⇆⇋⇌")
    is_about_rows = bool(words & (SPOILERS | CORRECTS | NO | NOTHING | OFF)) and any(
        w in ROWS or w.isdecimal() for w in words
    )
    is_about_rows = is_about_rows or (
        bool(words & (ROWS - EVERYBODY)) and any(sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words)
    )
    is_labelled = bool(words & TAKEN_BACK) and LABEL.match(piece.text) is not None
    is_instead = sheet.position.phase.step is Step.ADJUSTMENTS and "instead" in words and words.isdisjoint(OF)
    is_hold = words.isdisjoint(REST) and any(  # "on hold"
        sheet.lexicon.sign_of(word) is SignSense.HOLD for word in words if len(word) > 1
    )
    is_hold = is_hold and all(isinstance(each.shape, order_words.Holds) and each.shape.unit.is_empty for each in orders)
    is_example = fold_word(piece.text) in EXAMPLES
    is_doubt = is_example or is_about_rows or is_labelled or is_hold or bool(words & UNSETTLES)
    return is_question or is_exchange or is_instead or (is_doubt and is_without_unit(sheet, orders))


def _is_condition(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether the last line of a sheet may make all the others depend on something: "if Italy agrees", "off"."""
    words = {token.folded for token in piece.tokens}
    is_open = bool(words & (IF - BUT)) or words <= OFF or piece.tokens[0].folded in OR or _is_if_alone(piece)
    is_order = not all(isinstance(each.shape, order_words.Senseless) for each in orders)
    if "only" in words and not is_order:
        return True  # "Vie only"
    return is_open and not any(unit_spoken_of(sheet, each.shape) for each in orders)


def _corrects(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line may change the one above it: "sorry, Boh", "no, F Alb", "this was a joke"."""
    if any(isinstance(each.shape, order_words.Waives) for each in orders):
        return False
    words = [token.folded for token in piece.tokens]
    is_bare = is_without_unit(sheet, orders)
    return not CORRECTS.isdisjoint(words[:2]) or (is_bare and not CORRECTS.isdisjoint(words))


def _may_tell_a_goal(sheet: Sheet, above: Sequence[Entry], piece: Line, below: Sequence[Entry]) -> bool:
    """Say whether a line without a unit, "va à Galicia", may say where a supported unit goes."""
    if not above or not isinstance(above[-1].shape, order_words.Supports) or above[-1].shape.steps:
        return False
    units = [unit_words_of(each) for each in below]
    orders = (order_words.Moves, order_words.Supports, order_words.Convoys)
    if any(unit.is_empty and isinstance(each.shape, orders) for unit, each in zip(units, below, strict=True)):
        return False  # it continues the line above, or has its own doubt
    is_bare = all(
        unit.letter is None and not (unit.place and sheet.lexicon.is_listed(unit.place.folded)) for unit in units
    )
    signs = LineReader(piece.tokens, piece.text, sheet.lexicon, sheet.position.phase.step)
    return is_bare and any(
        sheet.lexicon.is_listed(token.folded) or signs.sign(at) is SignSense.TO for at, token in enumerate(piece.tokens)
    )


def _takes_back(sheet: Sheet, piece: Line) -> bool:
    """Say whether a line takes all lines above it back: "ignore the above", "not valid"; one with a place may not."""
    words = {token.folded for token in piece.tokens}
    if piece.text.rstrip().endswith(":"):
        return False
    if words & FOR_THE_DIRECTOR and words <= FAREWELL | NO:
        return False
    names_place = any(len(word) > 1 and sheet.lexicon.is_listed(word) for word in words)
    return bool(words & TAKEN_BACK and words & LOOKS_UP) or (
        bool(words & (TAKEN_BACK | NOT | DENIES)) and not names_place
    )


HELP = frozenset({SignSense.SUPPORT, SignSense.CONVOY})


def takes_help_back(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> bool:
    """Say whether a line of no unit may deny a support or a convoy: "support is off", "no convoy"."""
    words = {token.folded for token in piece.tokens}
    is_about_help = not HELP.isdisjoint({sheet.lexicon.sign_of(word) for word in words if len(word) > 1})
    is_denial = not words.isdisjoint(DENYING | OFF)
    return is_about_help and is_denial and not any(unit_spoken_of(sheet, each.shape) for each in orders)


def _kinds_told(sheet: Sheet, piece: Line, orders: Sequence[Entry]) -> frozenset[Kind]:
    """The kinds of unit that a line without a place tells what to do, or not: "no army moves", "all units hold"."""
    words = {token.folded for token in piece.tokens}
    if any(isinstance(each.shape, order_words.Waives) for each in orders) or not is_without_unit(sheet, orders):
        return frozenset()
    if any(is_lettered(sheet, each) and unit_spoken_of(sheet, each.shape) is not None for each in orders):
        return frozenset()  # "Fleet Gulf of Lyons holds"
    kinds = frozenset(LETTERS[word] for word in words if word in LETTERS and len(word) > 1)
    signs = {sheet.lexicon.sign_of(word) for word in words if len(word) > 1 or word in {"h", "d"}} - {None}
    of_heading = LETTERS.keys() | HEADINGS | FILLERS | OWN | sheet.lexicon.nations.keys() | {""}
    if words <= of_heading or not (kinds or signs or words & (SPOILERS | DENYING)):
        return frozenset()  # "Armies:"
    if kinds and "only" in words:
        return frozenset(Kind)
    is_for_rest = not words.isdisjoint(REST - {"reste"})
    if kinds or is_for_rest:
        return kinds
    is_for_all = not words.isdisjoint(EVERYONE) or (words <= NO | NOT | STEP_WORDS[sheet.position.phase.step])
    return frozenset(Kind) if is_for_all else kinds


def _is_told(sheet: Sheet, orders: Sequence[Entry], others: Sequence[Entry], kinds: Set[Kind]) -> bool:
    """Say whether a line orders a unit of one of these kinds, and not the same as they are told to: to hold."""
    shapes = [each.shape for each in (*orders, *others)]
    are_alike = any(
        all(isinstance(shape, same) for shape in shapes) for same in (order_words.Holds, order_words.Disbands)
    )
    units = [unit_spoken_of(sheet, each.shape) for each in orders]
    told = {unit.kind for unit in units if unit is not None} | {unit_words_of(each).letter for each in orders}
    return not are_alike and not kinds.isdisjoint(told)
