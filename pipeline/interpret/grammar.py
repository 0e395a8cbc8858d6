"""Read the grammar of a line: which words are units, which are places, what sign stands between them."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from pipeline.board import Kind, Step
from pipeline.interpret import account
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.places import (
    HYPHENS,
    BareUnit,
    Builds,
    Convoys,
    Disbands,
    Holds,
    Moves,
    Phrase,
    PlaceReader,
    Senseless,
    Shape,
    Supports,
    UnitWords,
    Waives,
)
from pipeline.interpret.tokens import (
    ALL_OF_THEM,
    AND,
    ARTICLES,
    AT_SEA,
    BUT,
    CONVOYED,
    CROSSES,
    DENIES,
    DISLODGED,
    EVERYBODY,
    EVERYDAY_WORDS,
    FILLERS,
    FIRST_WORDS,
    FROM,
    GRAMMAR_WORDS,
    IF,
    INSTEAD_OF,
    LETTERS,
    NO,
    NOT,
    NOTHING,
    OF,
    OF_A_WAIVER,
    OR,
    POLITE,
    PRONOUNS,
    SHORT_COASTS,
    SPOILERS,
    TAKEN_BACK,
    TOWARDS,
    GrammarWords,
    Mark,
    SignSense,
    Token,
    fold_word,
    tells_rest_to_hold,
)
from pipeline.interpret.verdict import Entry

OF_STEP: dict[Step, frozenset[type[Shape]]] = {  # what several units may share, or may stand behind another order
    Step.MOVEMENT: frozenset({Holds, Moves, Supports, Convoys}),
    Step.RETREATS: frozenset({Moves, Disbands}),
    Step.ADJUSTMENTS: frozenset(),
}


NUMBER = re.compile(r"[(\[]?\d")  # of the next order on a line
SHORTEST_GOAL = 3  # letters of an unlisted word that may be a goal with no sign before it


def read_tokens(tokens: Sequence[Token], text: str, words: GrammarWords, step: Step) -> tuple[Entry, ...]:
    """Read every order on a line, the whole line at once; a line without a word has none.

    If that fails, the line is read again without its unknown words: the result is only offered, with the words that
    were left out.
    """
    said = [
        token
        for before, token, after in zip((None, *tokens[:-1]), tokens, (*tokens[1:], None), strict=True)
        if token.mark is not Mark.WORD
        or words.is_listed(token.folded)
        or not (_is_polite(before, token, after) or _is_passive(before, token, after, words))
    ]
    is_subject = _begins_with_subject(said, words, step)
    is_unit = is_subject and not _names_unit_behind_verb(said, words, step)  # "I retreat Tys" may be Ionian's
    said = said[1:] if is_subject and not is_unit else said
    said = _without_verb(said, words) or list(tokens)  # "Thanks!"
    orders = tuple(LineReader(said, text, words, step, is_whole=True).orders())
    orders = tuple(map(_as_odd, orders)) if is_unit else orders
    if all(getattr(order.shape, "is_for_all", False) or _is_read(order.shape, words) for order in orders):
        return orders
    spoilt = [token for token in said if token.folded in SPOILERS and not words.is_listed(token.folded)]
    left = [token for token in said if token in spoilt or _is_no_word_of_orders(token, words)]
    kept = [token for token in said if token not in left]
    again = tuple(LineReader(kept, text, words, step).orders())
    if again and all(_is_read(each.shape, words) and _has_unit(each) and not each.rest for each in again):
        return tuple(_with_words_left(again, left, text))
    return orders


ASKS = frozenset({"will", "shall", "does", "did"})  # before the unit: a question


def _is_polite(before: Token | None, token: Token, after: Token | None) -> bool:
    """Say whether a word changes no order; "to be confirmed" does, and "thanks to Ruh" names no goal.

    "Will nach" is what somebody wants, in German.
    """
    behind = after.folded if after is not None else ""
    if (before is None and token.folded in ASKS) or (token.folded, behind) in {("thanks", "to"), ("will", "nach")}:
        return False
    return token.folded in POLITE and (before is None or before.folded != "be")


LONGEST_SIGN = 3  # letters of a sign that is no verb written out: "ret", "rem", "bld"


def _begins_with_subject(tokens: Sequence[Token], words: GrammarWords, step: Step) -> bool:
    """Say whether "I" stands before a verb: "I build an army in Budapest"; in movement "I support" may be Italy's."""
    if step is Step.MOVEMENT or len(tokens) < 2 or tokens[0].folded != "i" or words.is_listed("i"):
        return False
    return len(tokens[1].folded) > LONGEST_SIGN and words.sign_of(tokens[1].folded) is not None


def _names_unit_behind_verb(tokens: Sequence[Token], words: GrammarWords, step: Step) -> bool:
    """Say whether a unit is named behind "I" and a verb, so that "I" is none: its letter, or a place before a goal."""
    if step is Step.ADJUSTMENTS:
        return len(tokens) > FIRST_WORDS or words.sign_of(tokens[1].folded) is SignSense.WAIVE
    behind = [each for each in tokens[2:] if each.folded not in FILLERS]
    is_goal = [each.mark is Mark.DASH or words.sign_of(each.folded) is SignSense.TO for each in behind]
    return any(each.folded in LETTERS for each in behind[:1]) or (any(is_goal[1:]) and not is_goal[0])


def _without_verb(tokens: list[Token], words: GrammarWords) -> list[Token]:
    """Leave out "move" before a unit that goes somewhere: "Move the army from Vienna to Galicia"."""
    is_verb = len(tokens) > 1 and tokens[0].folded in {"move", "moves"}
    following = next((token.folded for token in tokens[1:] if token.folded not in FILLERS), "")
    has_goal = any(each.mark is Mark.DASH or words.sign_of(each.folded) is SignSense.TO for each in tokens[2:])
    return tokens[1:] if is_verb and following in LETTERS and has_goal else tokens


SAYS_NO = frozenset({"off"})  # "is off" takes an order back


def _is_passive(before: Token | None, token: Token, after: Token | None, words: GrammarWords) -> bool:
    """Say whether "be" or "is" stands before a verb: "A Tun to be convoyed to Gre", "A Vie is to move to Gal".

    Else "be" begins the name of Belgium, and "IS" is the Irish Sea.
    """
    is_before_verb = after is not None and after.folded in words.signs and after.folded not in SAYS_NO
    if token.folded != "is" or after is None or before is None:
        return is_before_verb and token.folded == "be"
    return is_before_verb and len(after.folded) > 1 and words.is_listed(before.folded)


def _is_no_word_of_orders(token: Token, words: GrammarWords) -> bool:
    """Say whether a word means nothing in the language of orders; in brackets small words are a part of a remark."""
    is_small = token.bracketed and token.folded in GRAMMAR_WORDS and not words.is_listed(token.folded)
    is_small = is_small and token.folded not in ARTICLES
    return token.mark is Mark.WORD and (is_small or not words.may_be_meant(token.folded))


def _is_read(shape: Shape, words: GrammarWords) -> bool:
    """Say whether words make an order, and every place in it may be one."""
    if isinstance(shape, Waives):
        return True
    unit, of = shape.unit, getattr(shape, "of", None)
    steps = (*getattr(shape, "steps", ()), *getattr(shape, "over", ()))
    if isinstance(shape, BareUnit | Senseless) or (isinstance(shape, Moves | Convoys) and not shape.steps):
        return False
    if isinstance(of, UnitWords) and of.place is None:
        return False
    places = [each.place for each in (unit, of) if isinstance(each, UnitWords) and each.place is not None]
    return all(words.sense(place.folded).meanings for place in (*places, *steps))


def _has_unit(written: Entry) -> bool:
    """Say whether an order names its unit's place, or declines a build."""
    return isinstance(written.shape, Waives) or written.shape.unit.place is not None


def _with_words_left(orders: Sequence[Entry], left: Sequence[Token], text: str) -> Iterator[Entry]:
    """Add the left-out words to every order of the line."""
    words = " ".join(text[each.start : each.end] for each in left)
    for order in orders:
        yield replace(order, rest=words, is_spoilt=False)


def _has_half_bracket(text: str) -> bool:
    """Say whether a bracket is opened and not closed, or the other way round."""
    return any(text.count(left) != text.count(right) for left, right in ("()", "[]", "{}"))


def _completes(shape: Shape, joined: Entry) -> bool:
    """Say whether the words before and behind a break are one order."""
    whole = joined.shape
    if joined.rest or isinstance(whole, BareUnit | Senseless) or getattr(whole, "has_sign", True) is False:
        return False
    match shape:
        case BareUnit():
            return True
        case Moves(_, steps):
            return isinstance(whole, Moves) and bool(whole.steps) and (not steps or _goes_as_far(steps, whole))
        case Supports(_, _, ()) | Convoys(_, _, ()):
            return type(whole) is type(shape) and (bool(whole.steps) or shape.of.is_empty)
        case _:
            return False


def _goes_as_far(steps: Sequence[Phrase], whole: Moves) -> bool:
    """Say whether a move has the same goal as another one, and only adds a convoy sign or a coast to it."""
    if tuple(steps) == whole.steps:
        return whole.via or whole.by_land
    *before, last = whole.steps
    return tuple(steps) == (*before, replace(last, coast=""))


def _way_of(moved: Moves) -> tuple[tuple[Phrase, ...], bool, bool, bool, bool]:
    """What a support and a convoy say of a move: its places with the seas on the way, and how it is written."""
    steps = (*moved.over, *moved.steps) if moved.steps else ()
    return steps, moved.has_sign, moved.to_unit, moved.via, moved.by_land


def _unit_place_word(written: Entry) -> str:
    """The word for the place of an order's unit, folded."""
    unit = getattr(written.shape, "unit", None)
    return unit.place.folded if isinstance(unit, UnitWords) and unit.place is not None else ""


def _may_be_route(before: Entry, marks: Sequence[Token], after: Entry, words: GrammarWords) -> bool:
    """Say whether a stroke may part two goals of one order: "Vie-Gal/Boh-Sil", "A Yor - NTH / NWG - Nwy"."""
    if _unit_letter(after) is not None:
        return False
    is_tight = any(each.text == "/" and each.tight for each in marks)
    return is_tight or _unit_letter(before) is not None or words.is_at_sea(_unit_place_word(after))


def _unit_letter(written: Entry) -> Kind | None:
    """The letter of an order's unit, where it has one."""
    unit = getattr(written.shape, "unit", None)
    return unit.letter if isinstance(unit, UnitWords) else None


def _with_shared_order(orders: Sequence[Entry], step: Step) -> Iterator[Entry]:
    """Units side by side before one order may all be meant: "F NTH and F ENG C A Lon - Bel"."""
    shared: Shape | None = None
    units = list(orders)
    has_own = {_unit_place_word(order) for order in units if not isinstance(order.shape, BareUnit)}
    for at in range(len(units) - 1, -1, -1):
        shape = units[at].shape
        if isinstance(shape, BareUnit):
            if _unit_place_word(units[at]) in has_own:
                continue
            if shared is not None:
                units[at] = replace(units[at], other_shapes=(replace(shared, unit=shape.unit),))
        else:
            shared = shape if type(shape) in OF_STEP[step] else None
    yield from units


def _with_breaks(tokens: Sequence[Token], words: GrammarWords) -> list[Token]:
    """Make a break of every "and" that is not inside a name, as it is in "Caucase et Arménie"."""
    parted = list(tokens)
    for at, token in enumerate(parted):
        if token.folded not in AND or words.is_listed(token.folded):
            continue
        before = ["".join(each.folded for each in tokens[first : at + 1]) for first in range(at)]
        if not any(words.begins_name(name) for name in before):
            parted[at] = Token(Mark.BREAK, *token[1:])
    return parted


def _is_same_goal(shape: Shape, other: Shape, words: GrammarWords) -> bool:
    """Say whether two moves have one goal: "Gal (yes, Galicia)", "Sev (Crimea)"."""
    if not (isinstance(shape, Moves) and isinstance(other, Moves) and shape.steps and other.steps):
        return False
    one, two = (words.sense(each.steps[-1].folded).codes for each in (shape, other))
    return len(one) == 1 and one == two


def _is_odd_way(shape: Shape, last: Token, words: GrammarWords) -> bool:
    """Say whether a fleet goes by land, or a C stands behind a cut goal: parts of a name, "- ENG land", "- Engl C"."""
    if not isinstance(shape, Moves | Supports) or not shape.steps:
        return False
    is_fleet = (shape.of if isinstance(shape, Supports) else shape.unit).letter is Kind.FLEET
    is_cut = shape.via and last.folded == "c" and not words.is_listed(shape.steps[-1].folded)
    return is_fleet and (is_cut or (shape.by_land and isinstance(shape, Moves)))


PLACING = FROM | {"in", "on", "at"}  # between a unit that is supported and a place


def _may_add(shape: Shape, said: set[str], words: GrammarWords) -> bool:
    """Say whether words around the end of an order may add to it: "S A Mun in Bur", "- Bur S Ruh, Hol"."""
    helps = any(words.sign_of(word) in {SignSense.SUPPORT, SignSense.CONVOY} for word in said)
    return not PLACING.isdisjoint(said) if isinstance(shape, Supports) else helps and isinstance(shape, Moves)


def _is_way_on_land(shape: Shape, words: GrammarWords) -> bool:
    """Say whether a way is named that no fleet can carry an army over: "- Bur by Ruh" may say who supports it."""
    return isinstance(shape, Moves) and not all(words.is_at_sea(place.folded) for place in shape.over)


def _as_odd(written: Entry) -> Entry:
    """Mark an order as one that accounts for less than what is written."""
    return replace(written, is_odd=True)


COMMAS = frozenset(",;\n")
STOP = re.compile(r"\.\s")
LONGEST_CUT = 5  # letters of a sign that is cut and has a stop: "conv.", "suppt."
GOES_ON = frozenset({SignSense.TO, SignSense.BY, SignSense.SUPPORT, SignSense.CONVOY})  # the order is not over there
HOLD = frozenset({"hold", "holds"})
SIGNS_OF_SEVERAL = frozenset({"t", "defend", "defends"})  # it stays, or transports or helps the unit behind it


def _is_joint_plain(before: Entry | None, between: Sequence[Token], after: Entry, words: GrammarWords) -> bool:
    """Say whether it is plain that what stands behind marks is another order, and not a part of the one before it.

    "F NTH C A Yor - Nwy & A Lon - Bel" may carry both, and an order without its sign may end anywhere.
    """
    marks = [each for each in between if each.text not in COMMAS]
    if before is None:
        return not marks
    shape = before.shape
    if isinstance(shape, Supports | Convoys):
        if shape.of.place is not None and shape.of.place.folded == _unit_place_word(after):
            return True  # the order of the unit that is helped
        is_apart = all((each.mark is Mark.SLASH and not each.tight) or NUMBER.match(each.text) for each in marks)
        is_whole = bool(shape.steps) or not marks or _unit_letter(after) is not None  # not "S A Pic / Lon - Bre"
        return is_apart and is_whole and (bool(between) or bool(shape.steps))
    if isinstance(shape, Holds) and not between and fold_word(before.text.split()[-1]) in SIGNS_OF_SEVERAL:
        return False  # "F NTH T A Lon - Bel"
    if any(each.mark is Mark.SLASH for each in marks) and _may_be_route(before, marks, after, words):
        return False
    return len({each.text for each in marks}) < 2 and (bool(between) or getattr(shape, "has_sign", True))


class LineReader(PlaceReader):
    """Reads every order of one line."""

    def __init__(
        self, tokens: Sequence[Token], text: str, words: GrammarWords, step: Step, *, is_whole: bool = False
    ) -> None:
        super().__init__(_with_breaks(tokens, words), text, words)
        self.end = len(text) if is_whole else tokens[-1].end if tokens else 0  # where the last order ends
        self.step = step
        self.letter_goal: Phrase | None = None  # where the letter of a sign may be meant for a place
        self.carried: type[Builds] | type[Disbands] | None = None  # "Build A Mun, F Kie": the sign goes for both
        self.is_inner = False  # it reads a part of a line again, to see what order that is; nothing else is tried of it

    def of_part(self, tokens: Sequence[Token]) -> "LineReader":
        """A reader of a part of the line, which says what order that is."""
        reader = LineReader(tokens, self.text, self.words, self.step)
        reader.is_inner = True
        return reader

    # the orders of a line

    def orders(self) -> list[Entry]:
        """Read order after order. What stands behind a break and begins no order belongs to the order before it."""
        drafts: list[Entry] = []
        between: list[Token] = []  # marks since the last order
        began = self.at
        while (token := self.peek()) is not None:
            if token.mark is Mark.BREAK and drafts and not self.is_break_before_order():
                drafts[-1] = self.with_tail(drafts[-1], began)
                continue
            if token.mark in {Mark.BREAK, Mark.SLASH} or (
                token.mark is Mark.PLUS and self.step is not Step.ADJUSTMENTS
            ):
                between.append(token)
                self.at += 1
                continue
            began = self.at
            written = self.one_order()
            is_choice = self.step is Step.ADJUSTMENTS and any(each.mark is Mark.SLASH for each in between)
            is_bare = bool(drafts) and isinstance(drafts[-1].shape, BareUnit)
            is_help = bool(drafts) and isinstance(drafts[-1].shape, Supports | Convoys)
            goes_on = is_help and token.mark is Mark.DASH and any(each.text in ",;" for each in between)
            if (
                goes_on
                or (is_choice and is_bare)
                or not _is_joint_plain(drafts[-1] if drafts else None, between, written, self.words)
            ):
                drafts[-1:] = map(_as_odd, drafts[-1:])
                written = _as_odd(written)
            drafts.append(written)
            between = []
        if any(each.text not in COMMAS for each in between):
            drafts[-1:] = map(_as_odd, drafts[-1:])
        return list(_with_shared_order(drafts, self.step))

    def one_order(self) -> Entry:
        """Read the order that begins here, with the words behind it that belong to no order."""
        began = self.at
        self.letter_goal = None
        shape = self.order()
        if isinstance(shape, BareUnit) and not self.is_break() and self.step is not Step.ADJUSTMENTS:
            self.take_words()  # a sign may have been lost between this unit and the next: "A Mun A Ber - Kie"
            shape = Senseless(shape.unit, self.words_from(began))
        others: tuple[Shape, ...] = ()
        if isinstance(shape, Supports) and shape.steps and not shape.is_complete:  # "A Bud S xxx A Ser - Rum"
            others = (replace(shape, is_complete=True), Supports(shape.unit, shape.of))
        may_offer = self.step is not Step.ADJUSTMENTS and not self.is_inner
        if may_offer and isinstance(shape, Senseless) and not shape.is_for_all:
            shape, others = self.nearest_orders(shape, began)
        goal = self.letter_goal
        others = others if goal is None else (*others, self.with_letter_goal(shape, goal))
        is_odd = (
            goal is not None
            or _is_way_on_land(shape, self.words)
            or _is_odd_way(shape, self.tokens[self.at - 1], self.words)
            or self.has_odd_crosses(shape, began)
            or self.has_help_stopped(shape, began)
            or not self.accounts_for(shape, began)
        )
        end = max(self.at, began + 1)
        text = self.text[self.tokens[began].start : self.tokens[end - 1].end]
        written = Entry(shape, text, is_odd=is_odd, other_shapes=others)
        is_cut = isinstance(shape, BareUnit) or self.sign(-1) in GOES_ON
        is_minus = isinstance(shape, Disbands) and self.carried is Disbands and self.is_dash()  # "-A Ser -F Tri"
        is_over = (
            self.is_break()
            if isinstance(shape, Waives)
            else self.is_over() or (not is_cut and self.is_for_rest()) or (is_minus and self.letter(1) is not None)
        )
        return written if is_over else self.with_rest(written, self.at, self.skip_words())

    def has_odd_crosses(self, shape: Shape, began: int) -> bool:
        """Say whether crosses behind the first word of an order may be no hold: not right behind a unit, at its end."""
        at = next((at for at in range(began + 1, self.at) if self.tokens[at].folded == CROSSES), None)
        if at is None:
            return False
        is_end = at == self.at - 1 and self.is_break()
        return not (is_end and isinstance(shape, Holds | Supports) and self.tokens[at - 1].mark is Mark.WORD)

    def has_help_stopped(self, shape: Shape, began: int) -> bool:
        """Say whether a full stop may end an order at its S: "A Bud supports. A Vie - Gal", or as it ends others.

        The stop in "A Bud S. A Vie" alone may be of a cut word.
        """
        if not isinstance(shape, Supports | Convoys):
            return False
        are_stopped = bool(began) and "." in self.text[self.tokens[began - 1].end : self.tokens[began].start]
        return any(
            self.words.sign_of(each.folded) in {SignSense.SUPPORT, SignSense.CONVOY}
            and STOP.match(self.text, each.end) is not None
            and (are_stopped or len(each.folded) > LONGEST_CUT)
            for each in self.tokens[began : self.at - 1]
        )

    def accounts_for(self, shape: Shape, began: int) -> bool:
        """Say whether an order that was read from a token up to here accounts for all of them."""
        is_end = self.at == len(self.tokens)
        text = self.text[: self.end] if is_end else self.text[: self.tokens[self.at].start].rstrip(account.OPENING)
        piece = slice(began, self.at)
        return account.accounts_for(shape, self.tokens[piece], self.roles[piece], text, self.words, self.step)

    def is_break_before_order(self) -> bool:
        """Say whether a break parts one order from the next: behind it a unit is named, and something said of it."""
        first = self.at
        while (token := self.peek()) is not None and token.mark is Mark.BREAK:
            self.at += 1
        begins = token is None or self.begins_order()
        self.at = first
        return begins

    def begins_order(self) -> bool:
        """Say whether an order with its unit begins here; in winter a place is enough, a coast alone is none."""
        first = self.at
        token = self.peek()
        assert token is not None
        if token.mark is Mark.PLUS or token.folded in SPOILERS:
            return token.mark is Mark.PLUS or (self.step is Step.ADJUSTMENTS and self.is_no_build())
        if self.is_for_everybody():
            return self.step is Step.MOVEMENT
        sign = self.sign()
        if sign is SignSense.TO and self.is_bullet() and self.letter(1) is not None:
            return True
        if sign is not None and self.step is Step.MOVEMENT:
            return False
        if sign in {SignSense.DISBAND, SignSense.RETREAT, SignSense.BUILD, SignSense.WAIVE, SignSense.TO}:
            self.at += 1
        is_coast = token.folded in self.words.coasts or token.folded in SHORT_COASTS
        unit = self.unit()
        after = self.sign()
        self.at = first
        if self.step is Step.ADJUSTMENTS:
            return sign is not None or (unit.place is not None and not is_coast) or token.folded in NOTHING | NO
        if sign is not None:
            return unit.letter is not None or (sign is SignSense.DISBAND and unit.place is not None)
        return unit.place is not None and (unit.letter is not None or (after is not None and not is_coast))

    def with_tail(self, last: Entry, began: int) -> Entry:
        """Join what stands behind a break to the order before it: it completes it, or it is left over."""
        end = self.at
        self.at += 1
        first = self.at
        while (token := self.peek()) is not None and not (token.mark is Mark.BREAK and self.is_break_before_order()):
            self.at += 1
        behind = [each for each in self.tokens[first : self.at] if each.mark is not Mark.BREAK]
        again = LineReader([*self.tokens[began:end], *behind], self.text, self.words, self.step)
        again.carried, again.is_inner = self.carried, self.is_inner
        orders = again.orders()
        if not last.rest and len(orders) == 1 and _completes(last.shape, orders[0]):
            is_and = self.tokens[end].folded in AND and isinstance(last.shape, Supports)  # "A Ruh S A Bel and - Hol"
            return _as_odd(orders[0]) if last.is_odd or is_and else orders[0]
        return self.with_rest(last, first, self.at)

    def with_rest(self, written: Entry, first: int, end: int) -> Entry:
        """Attach leftover words to an order, and say what they do to it."""
        tokens = [each for each in self.tokens[first:end] if each.mark is not Mark.BREAK]
        if (harmless := self.without_denial(written, tokens)) is not None:
            return harmless
        rest = " ".join((*filter(None, [written.rest]), self.text[tokens[0].start : tokens[-1].end] if tokens else ""))
        small = {each.folded for each in tokens if each.folded in SPOILERS and not self.words.is_listed(each.folded)}
        is_last = end >= len(self.tokens)
        names_more = not is_last or any(
            self.words.is_listed(each.folded) or self.words.sign_of(each.folded) for each in tokens
        )
        # "or Boh", "if A Tyr - Boh"; not "or bust", "everything else holds"
        spoils = names_more and bool(tokens) and tokens[0].folded in OR | IF
        before = self.tokens[first - 1] if first and tokens else None
        is_cut = before is not None and bool(
            (before.bracketed and not tokens[0].bracketed)
            or (before.mark is Mark.WORD and self.words.is_listed(before.folded + tokens[0].folded))  # "- Swe den"
            or (before.mark is Mark.WORD and self.words.misspelt_name((before.folded, tokens[0].folded)))  # "Black Sa"
        )
        is_cut = is_cut or CROSSES in {*(each.folded for each in tokens), before.folded if before is not None else ""}
        is_denied = not spoils and (is_cut or bool(small))  # "- [Gal] Boh", "not Boh": nobody says that both are meant
        other = self.other_order(written.shape, [each for each in tokens if each.folded not in OR])
        if other is not None and not _is_read(other, self.words):
            other = None
        is_first = isinstance(written.shape, BareUnit | Senseless) or not all(  # "A Gas tries Mar", "A Gas tto Mar"
            self.words.is_listed(step.folded) for step in getattr(written.shape, "steps", ())
        )
        says_holds = isinstance(other, Holds) and isinstance(written.shape, Supports)  # "A Den S A Kie in holding"
        left = {fold_word(word) for word in rest.split()}
        is_struck = not left.isdisjoint(TAKEN_BACK) or "~~" in self.text
        is_letter = len(tokens) == 1 and len(tokens[0].folded) == 1 and not tokens[0].bracketed
        is_initial = is_letter and self.words.sign_of(tokens[0].folded) is None  # "A Vie - Gal :P"
        is_same = other is not None and _is_same_goal(written.shape, other, self.words)
        said = {fold_word(rest.partition(" ")[0]), *(each.folded for each in filter(None, [before]))}
        adds = _may_add(written.shape, said, self.words)
        is_second = other is not None and not (
            is_denied or is_first or says_holds or is_struck or is_initial or is_same or adds
        )
        is_spoilt = spoils or is_second or written.is_spoilt
        others = written.other_shapes if other is None else (*written.other_shapes, other)
        return replace(written, rest=rest, is_spoilt=is_spoilt, other_shapes=others)

    def without_denial(self, written: Entry, tokens: Sequence[Token]) -> Entry | None:
        """Leave out words that deny something else: "no convoy", "no support", "not Boh"; None if they may say more.

        An army that goes by no convoy goes by land. "No Boh" may correct the goal. In a retreat a denied goal is asked
        about, because a unit that is lost does not come back.
        """
        shape = written.shape
        reader = LineReader(tokens, self.text, self.words, self.step)
        first = "".join(reader.word(ahead) for ahead in (0, 1))
        if not isinstance(shape, Moves | Holds | Supports):
            return None
        if reader.word() in BUT and reader.word(1) in DENIES:
            reader.at += 1
        if first in INSTEAD_OF or reader.word() in DENIES:
            reader.at += 2 if first in INSTEAD_OF else 1
            if self.step is Step.MOVEMENT and self.is_other_goal(shape, reader):
                return written
            reader.at = 0
        if reader.word() not in NOT | NO:
            return None
        reader.at += 1
        reader.at += reader.word() == "by"
        is_convoy = reader.sign() is SignSense.CONVOY
        if not is_convoy and reader.sign() is not SignSense.SUPPORT:
            return None
        reader.at += 1
        if reader.peek() is not None or (is_convoy and getattr(shape, "via", True)):
            return None
        return (
            replace(written, shape=replace(shape, by_land=True)) if isinstance(shape, Moves) and is_convoy else written
        )

    def is_other_goal(self, shape: Moves | Holds | Supports, reader: "LineReader") -> bool:
        """Say whether a reader has one place left, and the order has another goal."""
        reader.at += reader.sign() is SignSense.TO
        denied = reader.places()
        goals = getattr(shape, "steps", ())
        if len(denied) != 1 or denied[0].coast or not goals or reader.peek() is not None:
            return False
        senses = [self.words.sense(place.folded) for place in (denied[0], goals[-1])]
        return all(sense.is_firm for sense in senses) and senses[0].codes != senses[1].codes

    def other_order(self, shape: Shape, tokens: Sequence[Token]) -> Shape | None:
        """Read words behind an order as another order for its unit: "Boh", "- Boh", "A Vie - Boh"."""
        unit = getattr(shape, "unit", None)
        if not isinstance(unit, UnitWords) or unit.place is None or not tokens:
            return None
        reader = self.of_part(tokens)
        if isinstance(shape, Supports) and not shape.steps and reader.sign() in {SignSense.SUPPORT, SignSense.CONVOY}:
            return None  # "S F NTH C A Hol - Yor" may say what the supported unit does
        if tokens[0].bracketed and reader.sign() in {SignSense.SUPPORT, SignSense.CONVOY, SignSense.HOLD}:
            return None  # "A Vie - Gal (S Bud)" may say who supports it
        orders = reader.orders()
        if len(orders) != 1 or orders[0].rest:
            return None
        match orders[0].shape:
            case BareUnit(UnitWords(None, None, Phrase() as place)):
                return self.with_goal(shape, unit, place)
            case Moves(UnitWords(None, None, None), (*_, _) as steps) if isinstance(shape, Supports | Convoys):
                return replace(shape, steps=steps)
            case Moves(_, ()):
                return None
            case Holds() | Moves() | Supports() | Convoys() | Disbands() as other if type(other) in OF_STEP[self.step]:
                theirs = other.unit.place
                is_same = other.unit.is_empty or (theirs is not None and theirs.folded == unit.place.folded)
                return replace(other, unit=unit) if is_same else None
            case _:
                return None

    def with_goal(self, shape: Shape, unit: UnitWords, place: Phrase) -> Shape | None:
        """Take a place behind an order as its destination; a misspelt word does not count, nor an army's sea."""
        sense = self.words.sense(place.folded)
        is_near = sense.how is WordMatch.NEAR and not sense.is_firm
        if is_near or place.folded in GRAMMAR_WORDS or not self.words.may_be_meant(place.folded):
            return None
        is_army = getattr(shape, "of", unit).letter is Kind.ARMY or bool(getattr(shape, "over", ()))
        if is_army and self.words.is_at_sea(place.folded):
            return None  # "A Tun - Bul via Ion, Aeg"
        match shape:
            case Supports(_, of) | Convoys(_, of):
                return replace(shape, steps=(place,)) if of.place != place else None  # not "S A Bud in Bud"
            case Moves():
                return replace(shape, steps=(place,))
            case BareUnit() if self.step is not Step.ADJUSTMENTS:
                return Moves(unit, (place,))
            case _:
                return None

    def nearest_orders(self, shape: Senseless, began: int) -> tuple[Senseless, tuple[Shape, ...]]:
        """Read words that are no order as the nearest order; it is offered, and never followed.

        "Gal <- A Vie" and "G Vie - Gal" are Vienna's move; in "F NTH ships A Lon to Bel" a unit is helped, with
        whatever word.
        """
        tokens = self.tokens[began : self.at]
        if shape.unit.is_empty and self.may_be_letter(tokens[0].folded):
            match self.of_part(tokens[1:]).orders():
                case [Entry(Holds() | Moves() | Supports() | Convoys() | Disbands() as order, rest="")]:
                    return replace(shape, unit=order.unit), (order,)
        aside = self.of_part([each for each in tokens if each.bracketed])
        place = aside.places() if tokens[-1].bracketed else []
        move = self.with_goal(BareUnit(shape.unit), shape.unit, place[0]) if place and aside.peek() is None else None
        if move is not None:
            return shape, (move,)
        for at, token in enumerate(tokens[1:-1], start=1):
            if token.folded in FROM and not self.words.is_listed(token.folded):
                goal, start = self.of_part(tokens[:at]), self.of_part(tokens[at + 1 :])
                to, unit = goal.places(), start.unit()
                is_move = bool(to) and unit.place is not None and goal.peek() is None and start.peek() is None
                return (replace(shape, unit=unit), (Moves(unit, (to[0],)),)) if is_move else (shape, ())
            if token.folded in LETTERS and at > 1 and self.step is Step.MOVEMENT:
                other = self.of_part(tokens[at:])
                match other.orders():
                    case [Entry(BareUnit(of) | Holds(of), rest="")] if of.place is not None:
                        return shape, (Supports(shape.unit, of),)
                    case [Entry(Moves(of, (*_, _) as steps), rest="")] if of.place is not None:
                        return shape, (Convoys(shape.unit, of, steps), Supports(shape.unit, of, steps))
        return shape, ()

    def skip_words(self) -> int:
        """Take everything up to the next break, and say where that stands."""
        self.take_words()
        return self.at

    def order(self) -> Shape:
        first = self.at
        match self.step:
            case Step.MOVEMENT:
                return self.with_letter_read(first, self.movement_order())
            case Step.RETREATS:
                return self.with_letter_read(first, self.retreat_order())
            case Step.ADJUSTMENTS:
                return self.adjustment_order()

    def with_letter_read(self, first: int, shape: Shape) -> Shape:
        """What cannot be read right before a place is more likely a unit's letter than a place: "_A_ Bur".

        So are one or two letters that nobody listed, as Germany's in "G Mun - Bur" and "GA Mun - Bur".
        """
        if not isinstance(shape, Moves | Supports | Convoys) or shape.has_sign:
            return shape
        unread = [each for each in (shape.unit, getattr(shape, "of", UnitWords())) if each.letter is None]
        if not any(each.place is not None and self.may_be_letter(each.place.folded) for each in unread):
            return shape
        self.take_words()
        return Senseless(UnitWords() if shape.unit in unread else shape.unit, self.words_from(first))

    def may_be_letter(self, folded: str) -> bool:
        """Say whether a word before a place may be a unit's letter: it cannot be read, or is short and in no table."""
        return "?" in folded or (len(folded) < 3 and not self.words.is_listed(folded))

    def movement_order(self) -> Shape:
        """Read hold, move, support or convoy."""
        if self.sign() is SignSense.TO and self.is_bullet():
            self.at += 1
        if self.is_for_everybody():
            first, is_rest = self.at, self.is_for_rest()
            words = self.take_words()
            is_spoilt = any(each.folded in SPOILERS for each in self.tokens[first : self.at])  # "except A Vie - Gal"
            return Senseless(UnitWords(), words, is_for_all=is_rest or not is_spoilt)
        if self.is_dash_behind_letter():
            return self.move_behind_dash()
        unit = self.unit()
        self.skip_to()
        match self.sign():
            case SignSense.HOLD:
                self.at += 1
                return Holds(self.unit_of_hold(unit))
            case SignSense.TO | SignSense.BY | SignSense.LAND:
                return self.hold_or_move(unit)
            case SignSense.SUPPORT:
                self.at += 1
                return self.support(unit)
            case SignSense.CONVOY:
                self.at += 1
                return self.convoy(unit)
            case None if self.is_over():
                return self.nothing(unit)
            case None if unit.place is not None and self.is_goal():
                return self.move(unit, has_sign=False)
            case _:
                return Senseless(unit, self.take_words())

    def unit_of_hold(self, unit: UnitWords) -> UnitWords:
        """The unit that holds: "Hold A Vie" has it behind the sign, "A Vie stays in Vienna" its own place again."""
        first = self.at
        if unit.is_empty and self.word(-1) in HOLD and self.letter() is not None:  # "Defend Vie" may be a support
            behind = self.unit()
            if behind.place is not None and self.is_over():
                return behind
        elif unit.place is not None and self.word() in PLACING - FROM:
            self.at += 1
            own, *others = (self.words.sense(each.folded).codes for each in (unit.place, *self.places()))
            if others == [own] and len(own) == 1:
                return unit
        self.at = first
        return unit

    def skip_to(self) -> None:
        """Take a "to" before a verb: "F Ion to convoy A Tun to Gre"; not before a letter."""
        is_verb = len(self.word(1)) > 2 and self.sign(1) in {SignSense.SUPPORT, SignSense.CONVOY}
        self.at += is_verb and self.word() == "to"
        is_inside = self.is_dash() and self.sign(1) in {SignSense.SUPPORT, SignSense.CONVOY}
        self.at += is_inside and self.is_dash(2) and self.letter(3) is not None  # "A Bud - S - A Vie - Gal"

    def is_dash(self, ahead: int = 0) -> bool:
        """Say whether a dash stands here, and no word for moving."""
        token = self.peek(ahead)
        return token is not None and token.mark is Mark.DASH

    def is_goal(self) -> bool:
        """Say whether a word for a place stands here; where brackets begin it may be a remark: "S A Vie (Gal)"."""
        before, token = self.tokens[self.at - 1], self.peek()
        if token is None or (token.bracketed and not before.bracketed):
            return False
        return self.misspelt_length(self.known_length()) > 0 or (
            self.is_place_word() and self.may_be_place(token.folded)
        )

    def may_be_place(self, folded: str) -> bool:
        """Say whether a word that no table lists begins a place's name, or is one slip away from one."""
        is_other = (
            len(folded) < SHORTEST_GOAL or folded in EVERYDAY_WORDS or folded in self.words.nations or "?" in folded
        )
        return not is_other and self.words.may_be_place(folded)

    def is_dash_behind_letter(self) -> bool:
        """Say whether a dash with spaces stands behind a unit's letter, and another one behind the place after it."""
        token = self.peek(1)
        if self.letter() is None or token is None or token.mark is not Mark.DASH or not self.is_place_word(2):
            return False
        first = self.at
        self.at += 2
        is_spaced = not token.tight and self.goes_on()
        self.at = first
        return is_spaced

    def move_behind_dash(self) -> Moves:
        """Read "A - Vie - Gal" as Vienna's move; it may as well be a move by way of Vienna that names no unit."""
        letter = self.letter()
        self.take_letter()
        self.at += 1
        place = self.places()[0]
        return replace(self.move(UnitWords(None, letter, place)), to_unit=True)

    def is_for_everybody(self) -> bool:
        """Say whether the line is "all hold": it names no unit, and units without an order hold anyway."""
        token, after = self.peek(), self.peek(1)
        if self.is_for_rest():
            return True
        if token is None or token.folded not in EVERYBODY or after is None:
            return False
        is_group = after.folded in {"units", "other", "others"}
        return self.sign(1) is SignSense.HOLD or (is_group and SignSense.HOLD in {self.sign(2), self.sign(3)})

    def is_for_rest(self) -> bool:
        """Say whether what stands up to the next break says that the rest of the units hold."""
        ahead = takewhile(lambda each: each.mark is not Mark.BREAK, self.tokens[self.at :])
        return self.step is Step.MOVEMENT and tells_rest_to_hold((*ahead,), self.words.sign_of)

    def hold_or_move(self, unit: UnitWords) -> Shape:
        """Read a move; "to hold" is a hold."""
        if self.sign(1) is SignSense.HOLD and not unit.is_empty:
            self.note_letter(1)
            self.at += 2
            return Holds(unit)
        return self.move(unit)

    def nothing(self, unit: UnitWords) -> Shape:
        """A unit alone; or nothing that can be read at all, or half of a bracket that joins it to another line."""
        if unit.is_empty:
            return Senseless(unit, self.take_words())
        behind = self.text[self.tokens[self.at - 1].end :]
        if _has_half_bracket(behind) and _has_half_bracket(self.text):  # not "1) A Vie", nor "(A Vie)"
            return Senseless(unit, self.text)
        return BareUnit(unit)

    def is_bullet(self) -> bool:
        """Say whether the dash in front of a line is only a bullet: a unit with its own sign follows."""
        if self.letter(1) is not None and self.is_place_word(2):
            return True
        token = self.peek()
        if token is not None and token.text not in HYPHENS:
            return False  # "-> Eas H": an arrow says where something goes
        ahead = 1
        while self.is_place_word(ahead):
            ahead += 1
        return ahead > 1 and self.sign(ahead) is not None

    def retreat_order(self) -> Shape:
        if self.sign() is SignSense.DISBAND:
            self.at += 1
            return Disbands(self.unit())
        has_sign = self.sign() in {SignSense.TO, SignSense.RETREAT}
        is_minus = self.sign() is SignSense.TO
        while self.sign() in {SignSense.TO, SignSense.RETREAT}:
            self.at += 1  # "retreat to Tus"
        self.at += has_sign and self.word() == "of"  # "retreat of A Ven to Tus"
        unit = self.unit()
        self.at += self.word() == DISLODGED
        match self.sign():
            case SignSense.RETREAT | SignSense.TO | SignSense.BY:
                if self.sign() is SignSense.RETREAT:
                    self.at += 1
                return self.disband_or_move(unit)
            case SignSense.DISBAND:
                self.at += 1
                return Disbands(unit)
            case SignSense.HOLD:
                self.at += 1
                return Holds(unit)
            case None if self.is_over():
                return self.after_sign(unit, is_minus=is_minus) if has_sign else self.nothing(unit)
            case None if unit.place is not None and self.is_goal():
                return self.move(unit, has_sign=False)
            case _:
                return Senseless(unit, self.take_words())

    def after_sign(self, unit: UnitWords, *, is_minus: bool) -> Shape:
        """A minus and a unit disband it (WDC08 12.2); a sign and a place is a retreat that names no unit."""
        if unit.place is None or unit.letter is not None:
            return Disbands(unit) if is_minus else self.nothing(unit)
        return Moves(UnitWords(), (unit.place,))

    def disband_or_move(self, unit: UnitWords) -> Shape:
        """Read what stands after the sign for retreating."""
        while self.sign() is SignSense.TO and self.sign(1) in {SignSense.TO, SignSense.DISBAND}:
            self.at += 1
        if self.sign() is SignSense.DISBAND:
            self.note_letter(0)
            self.at += 1
            return Disbands(unit)
        comma = self.peek()
        self.at += comma is not None and comma.text == "," and self.sign(1) is SignSense.TO  # "A Ven retreats, to Tus"
        moved = self.move(unit, has_sign=True)
        after = self.peek(1)
        is_last = after is None or after.mark is Mark.BREAK
        self.at += bool(moved.steps) and is_last and self.sign() is SignSense.RETREAT  # "A Ven - Tus (retreat)"
        return moved

    def note_letter(self, ahead: int) -> None:
        """Note that a sign where a goal is due is a letter that begins a place's name: "A Bel - H", "F Kie R D"."""
        token = self.peek(ahead)
        if token is not None and len(token.folded) == 1 and self.words.sense(token.folded).meanings:
            self.letter_goal = Phrase(token.text, token.folded)

    def with_letter_goal(self, shape: Shape, goal: Phrase) -> Shape:
        """The order in which the letter of a sign is the goal."""
        if isinstance(shape, Supports):
            return replace(shape, steps=(goal,))
        return Moves(shape.unit, (goal,)) if isinstance(shape, Holds | Disbands) else shape

    def adjustment_order(self) -> Shape:
        """Read build, disband or waive; a sign in front goes for every unit after it."""
        token = self.peek()
        first = self.at
        if token is not None and (token.folded in NOTHING or self.sign() is SignSense.WAIVE or self.is_no_build()):
            return self.waiver()
        front: type[Builds] | type[Disbands] | None = None
        if token is not None and (token.mark is Mark.PLUS or self.sign() is SignSense.BUILD):
            self.at += 1
            self.carried = front = Builds
            after = self.peek()
            if after is not None and after.folded in NOTHING | NO:
                return self.waiver()
        elif self.sign() in {SignSense.DISBAND, SignSense.TO, SignSense.RETREAT}:
            front = None if token is not None and token.mark is Mark.DASH else Disbands  # a dash may be a bullet
            self.at += 1
            self.carried = Disbands
        unit = self.unit(is_other=self.letter() is None, is_glued=True)  # "Build T Con" may say whose
        behind = self.sign_behind()
        if behind is not None and front not in {None, behind}:
            self.take_words()
            return Senseless(unit, self.words_from(first))  # "disband A Mos B"
        if behind is not None:
            return behind(unit)
        if not self.is_over():
            return Senseless(unit, self.take_words())
        if unit.is_empty:
            return Senseless(unit, self.take_words())
        return self.carried(unit) if self.carried is not None else BareUnit(unit)

    def sign_behind(self) -> type[Builds] | type[Disbands] | None:
        """Take the sign behind a unit, and say what it asks for."""
        after = self.peek()
        if self.sign() is SignSense.BUILD or (after is not None and after.mark is Mark.PLUS and self.peek(1) is None):
            self.at += 1
            return Builds
        return Disbands if self.skip_disband_sign() else None

    def skip_disband_sign(self) -> bool:
        """Take the sign behind a unit that goes, as in "A War - disband", and say whether it was there.

        A unit with a minus needs none, where the next one has its own: "- A War - F Bot".
        """
        if self.sign() is SignSense.TO and self.sign(1) is SignSense.DISBAND:
            self.at += 1
        if self.sign() in {SignSense.DISBAND, SignSense.RETREAT}:
            self.at += 1
            return True
        return self.carried is Disbands and self.sign() is SignSense.TO and self.letter(1) is not None

    def waiver(self) -> Waives:
        """Read the words that decline a build, up to one that says something else: "waive one build", "no builds"."""
        first = self.at
        while (token := self.peek()) is not None and token.mark is not Mark.BREAK:
            is_part = self.sign() in {SignSense.WAIVE, SignSense.BUILD} or token.folded in OF_A_WAIVER
            if not (is_part or token.folded.isdecimal()):
                break
            self.at += 1
        return Waives(are_all=any(each.folded in ALL_OF_THEM for each in self.tokens[first : self.at]))

    def is_no_build(self) -> bool:
        """Say whether "no" stands here before the word for a build, or before words such as "more" and nothing else."""
        ahead = 1
        if self.word() not in NO:
            return False
        while (after := self.peek(ahead)) is not None and after.folded in OF_A_WAIVER:
            ahead += 1
        return self.sign(ahead) is SignSense.BUILD or (ahead > 1 and (after is None or after.mark is Mark.BREAK))

    def is_break(self) -> bool:
        """Say whether the line ends here, or a mark parts this order from the next."""
        token = self.peek()
        return token is None or token.mark in {Mark.BREAK, Mark.PLUS, Mark.SLASH}

    def take_words(self) -> str:
        """Take everything up to the next break."""
        first = self.at
        while (token := self.peek()) is not None and token.mark is not Mark.BREAK:
            self.at += 1
        return self.words_from(first)

    def words_from(self, first: int) -> str:
        """The text from one token up to here."""
        if first == self.at:
            return ""
        return self.text[self.tokens[first].start : self.tokens[self.at - 1].end]

    # the parts of an order

    def move(self, unit: UnitWords, *, has_sign: bool = True) -> Moves:
        """Read places after dashes, and how the army travels."""
        steps: list[Phrase] = []
        over: list[Phrase] = []
        via = by_land = to_unit = is_goal_last = False
        if self.sign() is None:
            to_unit = has_sign and self.skip_letter_inside(unit)
            steps.extend(self.places())
        while True:
            match self.sign():
                case SignSense.TO if steps and self.ends_after_dash():
                    break
                case SignSense.TO:
                    self.at += 1
                    to_unit = self.skip_letter_inside(unit) or to_unit
                    steps.extend(self.places())
                case SignSense.BY if self.is_way_missing():
                    break
                case SignSense.BY:
                    self.at += 1
                    if self.sign() is SignSense.LAND:
                        self.at += 1
                        by_land = True
                    else:
                        via = self.take_way(unit, over, is_going=bool(steps))
                        is_goal_last = bool(over) and not steps
                case SignSense.CONVOY:
                    self.at += 1
                    via = True
                    over.extend(self.fleet_at_end() if steps else self.convoying_fleet())
                case SignSense.LAND:
                    self.at += 1
                    by_land = True
                case _:
                    break
        unit = self.unit_behind(unit) if steps else unit
        return Moves(unit, tuple(steps), tuple(over), is_goal_last, via, by_land, has_sign, to_unit)

    def unit_behind(self, unit: UnitWords) -> UnitWords:
        """Take where a unit stands from behind its goal: "The army moves to Galicia from Vienna"."""
        if unit.place is not None or self.word() not in FROM or not self.is_place_word(1):
            return unit
        self.at += 1
        behind = self.unit()
        return replace(unit, letter=unit.letter or behind.letter, place=behind.place)

    def skip_letter_inside(self, unit: UnitWords) -> bool:
        """Take a unit's letter from before a goal; say whether it is anything but that of a fleet on the route."""
        letter = self.letter()
        if letter is None or not self.is_place_word(1):
            return False
        self.take_letter()
        return not (letter is Kind.FLEET and unit.letter is not Kind.FLEET and self.goes_on())

    def goes_on(self) -> bool:
        """Say whether a route goes on behind the place that stands here: "A Yor - F NTH - Nwy"."""
        first = self.at
        has_more = bool(self.places()) and self.sign() is SignSense.TO and self.peek(1) is not None
        self.at = first
        return has_more

    def ends_after_dash(self) -> bool:
        """A dash at the end, or before a unit's letter, is a bullet or a slip; but not before a fleet of the route."""
        if self.peek(1) is None:
            return True
        if self.letter(1) is None or not self.is_place_word(2):
            return False
        first = self.at
        self.at += 2
        is_route = self.letter(-1) is Kind.FLEET and self.is_lettered_step(first - 2) and self.goes_on()
        self.at = first
        return not is_route

    def is_lettered_step(self, at: int) -> bool:
        """Say whether a fleet's letter stands at a token, as before every sea of "A Lon - F NTH - F NWG - Cly"."""
        return at >= 0 and LETTERS.get(self.tokens[at].folded) is Kind.FLEET

    def is_way_missing(self) -> bool:
        """Say whether nothing stands behind a "by" that stands here: "via" alone is a convoy."""
        after = self.peek(1)
        is_last = after is None or after.mark is Mark.BREAK or self.sign(1) is SignSense.TO
        return self.word() != "via" and is_last

    def further_seas(self, *, is_going: bool) -> list[Phrase]:
        """Take the other seas of a route: "A Tun - Bul via Ion-Aeg", "via Ion, Aeg", "by Ion and Aeg to Bul".

        A sea behind a comma of which something is said is a unit: "via Ion, Aeg C A Tun - Bul".
        """
        phrases: list[Phrase] = []
        while (token := self.peek()) is not None and (
            (token.mark is Mark.DASH and is_going) or (token.mark is Mark.BREAK and token.text not in {";", "\n"})
        ):
            first = self.at
            while (mark := self.peek()) is not None and mark.mark is token.mark:
                self.at += 1  # ", and"
            sea = (self.convoying_fleet() if token.mark is Mark.DASH else []) or self.places()
            after = self.peek()
            is_unit = token.mark is Mark.BREAK and not (
                after is None or after.mark is Mark.BREAK or (self.sign() is SignSense.TO and not is_going)
            )
            if is_unit or not (sea and self.words.is_at_sea(sea[0].folded)):
                self.at = first
                break
            phrases += sea
        return phrases

    def take_way(self, unit: UnitWords, over: list[Phrase], *, is_going: bool) -> bool:
        """Take what stands behind "by" or "via", and say whether it is a convoy; a fleet goes "by sea" anyhow."""
        over.extend(self.convoying_fleet() or (self.places() if self.is_listed_word() else []))
        if over:
            over.extend(self.further_seas(is_going=is_going))
        is_at_sea = self.word() in AT_SEA
        self.at += is_at_sea
        is_said = is_at_sea or bool(over) or self.is_over() or self.sign() is SignSense.TO
        return is_said and not (is_at_sea and unit.letter is Kind.FLEET)

    def convoying_fleet(self) -> list[Phrase]:
        """Take the fleet that is named after "convoyed by", if one is."""
        if self.letter() is Kind.FLEET and self.is_place_word(1):
            self.take_letter()
            return self.places()
        return []

    def fleet_at_end(self) -> list[Phrase]:
        """Take a fleet behind "convoy" that ends the order, and not one with its own: "by convoy F Eng - Iri"."""
        first = self.at
        fleet = self.convoying_fleet()
        if self.is_break():
            return fleet
        self.at = first
        return []

    def support(self, unit: UnitWords) -> Supports:
        """Read whom a unit supports, and where to; in "support move to Gal from Vie" the goal comes first."""
        is_to_hold = self.sign() is SignSense.HOLD and self.is_word(1) and self.sign(1) is not SignSense.HOLD
        self.at += 1 if is_to_hold else 0  # "support hold to Vienna"
        goal = self.goal_before_unit()
        is_hold = self.sign(-1) is SignSense.HOLD if self.at else False
        first = self.at
        self.at += self.is_dash() and self.letter(1) is not None
        while (token := self.peek()) is not None and (
            (token.mark is Mark.WORD and self.sign() is SignSense.TO)
            or (token.folded in OF and not self.words.is_listed(token.folded))
            or (token.folded in FILLERS and self.is_word(1) and self.sign(1) is SignSense.TO)
        ):
            self.at += 1
        self.skip_pronoun()
        of = self.unit(is_other=True)
        if goal is not None:
            return Supports(unit, of, (goal,))
        if self.sign() is SignSense.TO and self.sign(1) is SignSense.HOLD:
            self.note_letter(1)
            self.at += 2
        elif self.sign() is SignSense.HOLD:
            self.at += 1
        elif self.sign() in {SignSense.TO, SignSense.BY}:
            moved = self.move(of)
            is_one = bool(moved.steps) and not is_to_hold  # "S xxx A Bud - Rum" says both
            return replace(Supports(unit, of, *_way_of(moved)), is_complete=is_one)
        elif of.place is not None and self.is_goal():
            return Supports(unit, of, *_way_of(self.move(of, has_sign=False)))
        elif self.names_a_goal(first, of) and not is_hold:
            return Supports(unit, UnitWords(), (of.place,) if of.place is not None else ())
        return Supports(unit, of, is_complete=not self.names_a_move(first))

    def skip_pronoun(self) -> None:
        """Take a word that stands for a unit at the end of an order: "A Bud S this" says no more than "A Bud S"."""
        if self.word() in PRONOUNS and not self.words.is_listed(self.word()):
            after = self.peek(1)
            self.at += after is None or after.mark is Mark.BREAK

    def names_a_goal(self, first: int, of: UnitWords) -> bool:
        """Say whether a word for moving, and no unit's letter, stands before a place: "supports attack on Rum"."""
        signs = self.words.signs
        behind = self.tokens[first : self.at]
        return of.letter is None and any(signs.get(each.folded, each.folded) in {SignSense.TO, "on"} for each in behind)

    def names_a_move(self, first: int) -> bool:
        """Say whether a verb for moving stands before a unit that is supported: "supports the attack on A Bul"."""
        behind = self.tokens[first : self.at]
        return any(self.words.signs.get(each.folded) is SignSense.TO and each.folded not in TOWARDS for each in behind)

    def convoy(self, unit: UnitWords) -> Convoys | Moves:
        """Read whom a fleet carries, and where to; in "convoy to Bel from Lon" the goal comes first."""
        sign = self.tokens[self.at - 1]
        if self.sign() is SignSense.BY or (self.letter() is Kind.FLEET and (sign.bracketed or sign.folded in CONVOYED)):
            self.at -= 1
            return self.move(unit)  # "A Lon convoyed by F NTH to Bel", "A Lon (C F NTH) - Bel"
        goal = self.goal_before_unit()
        self.skip_pronoun()
        of = self.unit(is_other=True)
        if goal is not None:
            return Convoys(unit, of, (goal,))
        if self.sign() in {SignSense.TO, SignSense.BY}:
            moved = self.move(of)
            return Convoys(unit, of, *_way_of(moved))
        if of.place is not None and self.is_goal():
            return Convoys(unit, of, *_way_of(self.move(of, has_sign=False)))
        return Convoys(unit, of)

    def goal_before_unit(self) -> Phrase | None:
        """Take a goal that stands before its unit, with the word between them: "move to Galicia from Vienna"."""
        first = self.at
        while self.is_word(0) and self.sign() is SignSense.TO:
            self.at += 1
        goal = self.places() if self.at > first else []
        if not goal or self.word() not in FROM or self.words.is_listed(self.word()):
            self.at = first
            return None
        self.at += 1
        return goal[0]

    def is_word(self, ahead: int) -> bool:
        """Say whether a word stands here, and no mark."""
        token = self.peek(ahead)
        return token is not None and token.mark is Mark.WORD
