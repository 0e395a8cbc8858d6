"""Read the orders of one line one after the other, and say what stands beside each of them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from pipeline.board import Kind, Step
from pipeline.interpret import account
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.order_reader import PLACING, OrderReader
from pipeline.interpret.order_words import (
    BareUnit,
    Convoys,
    Disbands,
    Holds,
    Moves,
    Phrase,
    Senseless,
    Shape,
    Supports,
    UnitWords,
    Waives,
)
from pipeline.interpret.places import HYPHENS
from pipeline.interpret.token_reader import GrammarWords
from pipeline.interpret.tokens import CROSSES, Mark, Token
from pipeline.interpret.verdict import Entry
from pipeline.interpret.written_words import (
    AND,
    BUT,
    CORRECTS,
    DENIES,
    FILLERS,
    FROM,
    GRAMMAR_WORDS,
    IF,
    INSTEAD_OF,
    LETTERS,
    NO,
    NOT,
    NOTHING,
    OR,
    SHORT_COASTS,
    SPOILERS,
    SignSense,
    fold_word,
)

OF_STEP: dict[Step, frozenset[type[Shape]]] = {  # what several units may share, or may stand behind another order
    Step.MOVEMENT: frozenset({Holds, Moves, Supports, Convoys}),
    Step.RETREATS: frozenset({Moves, Disbands}),
    Step.ADJUSTMENTS: frozenset(),
}
NUMBER = re.compile(r"[(\[]?\d")  # of the next order on a line
COMMAS = frozenset(",;\n")
STOP = re.compile(r"\.\s")
LONGEST_CUT = 5  # letters of a sign that is cut and has a stop: "conv.", "suppt."
GOES_ON = frozenset({SignSense.TO, SignSense.BY, SignSense.SUPPORT, SignSense.CONVOY})  # the order is not over there
SIGNS_OF_SEVERAL = frozenset({"t", "defend", "defends"})  # it stays, or transports or helps the unit behind it
HELPS_ABROAD = frozenset({"u", "k"})  # places, or it supports (German "unterstützt") or convoys ("Konvoi") what follows


class LineReader(OrderReader):
    """Reads every order of one line."""

    def __init__(
        self, tokens: Sequence[Token], text: str, words: GrammarWords, step: Step, *, is_whole: bool = False
    ) -> None:
        super().__init__(tokens, text, words, step)
        self.end = len(text) if is_whole else tokens[-1].end if tokens else 0  # where the last order ends
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
            before = drafts[-1] if drafts else None
            may_go_on = self.is_choice(before, between) or _may_go_on(before, between, token)
            if may_go_on or not _is_joint_plain(before, between, written, self.words):
                drafts[-1:] = map(as_odd, drafts[-1:])
                written = as_odd(written)
            drafts.append(written)
            between = []
        if any(each.text not in COMMAS for each in between):
            drafts[-1:] = map(as_odd, drafts[-1:])
        if not drafts and any(each.mark is Mark.SLASH for each in between):  # "//" may repeat, or strike out
            drafts.append(Entry(Senseless(UnitWords(), self.text.strip()), self.text.strip()))
        return list(_with_shared_order(drafts, self.step))

    def is_choice(self, before: Entry | None, between: Sequence[Token]) -> bool:
        """Say whether a stroke behind a unit in winter leaves a choice: "A Vie / Bud"."""
        is_bare = before is not None and isinstance(before.shape, BareUnit)
        return is_bare and self.step is Step.ADJUSTMENTS and any(each.mark is Mark.SLASH for each in between)

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
        is_corrected = self.has_second_arrow(shape, began)
        if is_corrected and isinstance(shape, Moves | Supports):  # "A Vie - Gal => Boh"
            others = (*others, *(replace(shape, steps=(step,)) for step in reversed(shape.steps)))
        others = others if goal is None else (*others, self.with_letter_goal(shape, goal))
        is_split = self.has_split_word(began)
        is_odd = goal is not None or is_corrected or is_split or self.may_be_otherwise(shape, began)
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
        if is_over:
            return written
        whole = self.with_rest(written, self.at, self.skip_words())
        return replace(whole, is_spoilt=False) if is_split else whole  # "A Ru h - Bel" are no two orders

    def may_be_otherwise(self, shape: Shape, began: int) -> bool:
        """Say whether what is written here may be another order than was read, or more than it."""
        return (
            _is_way_on_land(shape, self.words)
            or _is_odd_way(shape, self.tokens[self.at - 1], self.words)
            or _may_name_owner(shape, self.words)
            or self.has_odd_crosses(shape, began)
            or self.has_help_stopped(shape, began)
            or not self.accounts_for(shape, began)
        )

    def has_split_word(self, began: int) -> bool:
        """Say whether a sign of one letter may be a part of the word beside it: "A M os - Ukr", "A Mo s", "- M. O"."""
        for at, (one, two) in enumerate(pairwise(self.tokens[began : self.at + 1]), start=began):
            if {one.mark, two.mark} != {Mark.WORD}:
                continue
            if at and self.tokens[at - 1].mark is Mark.DASH and one.folded == "m":
                return True
            is_first = len(one.folded) == 1
            letter, rest = (at, two.folded) if is_first else (at + 1, one.folded)
            is_sign = len(self.tokens[letter].folded) == 1 and not self.roles[letter]
            is_whole = rest in FILLERS or rest in self.words.coasts or self.words.is_listed(rest)
            if is_sign and not is_whole and self.words.is_listed(one.folded + two.folded):
                return True
        return False

    def has_odd_crosses(self, shape: Shape, began: int) -> bool:
        """Say whether crosses behind the first word of an order may be no hold: not right behind a unit, at its end."""
        at = next((at for at in range(began + 1, self.at) if self.tokens[at].folded == CROSSES), None)
        if at is None:
            return False
        is_end = at == self.at - 1 and self.is_break()
        return not (is_end and isinstance(shape, Holds | Supports) and self.tokens[at - 1].mark is Mark.WORD)

    def has_second_arrow(self, shape: Shape, began: int) -> bool:
        """Say whether an arrow behind a goal that has another sign may put another in its place: "A Vie - Gal => Boh".

        Behind a sea it may be the way of an army.
        """
        if not isinstance(shape, Moves | Supports) or len(shape.steps) < 2:
            return False
        signs = [each.text for each in self.tokens[began : self.at] if each.mark is Mark.DASH]
        is_other = len(signs) > 1 and signs[-1] not in HYPHENS and signs[-1] != signs[-2]
        return is_other and not all(self.words.is_at_sea(step.folded) for step in shape.steps[:-1])

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
            is_torn = _tears(self.tokens[end], last.shape)
            return as_odd(orders[0]) if last.is_odd or is_torn else orders[0]
        return self.with_rest(last, first, self.at)

    def with_rest(self, written: Entry, first: int, end: int) -> Entry:
        """Attach leftover words to an order, and say what they do to it."""
        tokens = [each for each in self.tokens[first:end] if each.mark is not Mark.BREAK]
        if (harmless := self.without_denial(written, tokens)) is not None:
            return harmless
        rest = " ".join((*filter(None, [written.rest]), self.text[tokens[0].start : tokens[-1].end] if tokens else ""))
        before = self.tokens[first - 1] if first and tokens else None
        other = self.other_order(written.shape, [each for each in tokens if each.folded not in OR])
        if other is not None and not is_read(other, self.words):
            other = None
        is_spoilt = (
            written.is_spoilt
            or self.leaves_choice(tokens, end)
            or (other is not None and self.is_second(other, written.shape, before, tokens, rest))
        )
        others = written.other_shapes if other is None else (*written.other_shapes, other)
        return replace(written, rest=rest, is_spoilt=is_spoilt, other_shapes=others)

    def leaves_choice(self, tokens: Sequence[Token], end: int) -> bool:
        """Say whether words behind an order make it one of two: "or Boh", "if A Tyr - Boh"; not "or bust"."""
        names_more = end < len(self.tokens) or any(
            self.words.is_listed(each.folded) or self.words.sign_of(each.folded) for each in tokens
        )
        return names_more and bool(tokens) and tokens[0].folded in OR | IF

    def is_second(self, other: Shape, shape: Shape, before: Token | None, tokens: Sequence[Token], rest: str) -> bool:
        """Say whether another order that is read from leftover words stands beside the one before them."""
        said = {fold_word(rest.partition(" ")[0]), *(each.folded for each in filter(None, [before]))}
        says_holds = isinstance(other, Holds) and isinstance(shape, Supports)  # "A Den S A Kie in holding"
        helps = len(tokens) > 1 and tokens[-1].folded == "s" and not tokens[-1].bracketed  # "- Swe, StP S"
        is_first = isinstance(shape, BareUnit | Senseless) or not all(  # "A Gas tries Mar", "A Gas tto Mar"
            self.words.is_listed(step.folded) for step in getattr(shape, "steps", ())
        )
        return not (
            self.is_cut_off(before, tokens)
            or self.is_taken_back(tokens, rest)
            or is_first
            or says_holds
            or helps
            or self.is_initial(tokens)
            or _is_same_goal(shape, other, self.words)
            or _may_add(shape, said, self.words)
        )

    def is_cut_off(self, before: Token | None, tokens: Sequence[Token]) -> bool:
        """Say whether leftover words are cut off from the word before them: "- [Gal] Boh", "- Swe den", "Black Sa"."""
        if before is None:
            return any(each.folded == CROSSES for each in tokens)
        is_name = before.mark is Mark.WORD and bool(
            self.words.is_listed(before.folded + tokens[0].folded)
            or self.words.misspelt_name((before.folded, tokens[0].folded))
        )
        is_behind_brackets = before.bracketed and not tokens[0].bracketed
        return is_name or is_behind_brackets or CROSSES in {before.folded, *(each.folded for each in tokens)}

    def is_taken_back(self, tokens: Sequence[Token], rest: str) -> bool:
        """Say whether leftover words, or strokes through the line, take something back: "not Boh", "sorry Boh"."""
        spoils = any(each.folded in SPOILERS and not self.words.is_listed(each.folded) for each in tokens)
        return spoils or "~~" in self.text or not CORRECTS.isdisjoint(map(fold_word, rest.split()))

    def is_initial(self, tokens: Sequence[Token]) -> bool:
        """Say whether one or two letters are left that mean nothing: "A Vie - Gal :P", "F Nwg - N. Atl. Oc"."""
        last = tokens[0].folded if len(tokens) == 1 and not tokens[0].bracketed else ""
        is_short = 0 < len(last) < 3 and not (self.words.is_listed(last) or self.words.are_initials(last))
        return is_short and self.words.sign_of(last) is None

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


def is_read(shape: Shape, words: GrammarWords) -> bool:
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


def _tears(joint: Token, before: Shape) -> bool:
    """Say whether a part of an order may be missing at a mark inside it: "A Vie and - Gal", "A Vie - // Gal"."""
    is_and = joint.folded in AND or joint.text == "&"
    return joint.text == "//" or (is_and and not (isinstance(before, Moves) and before.steps))


def _goes_as_far(steps: Sequence[Phrase], whole: Moves) -> bool:
    """Say whether a move has the same goal as another one, and only adds a convoy sign or a coast to it."""
    if tuple(steps) == whole.steps:
        return whole.via or whole.by_land
    *before, last = whole.steps
    return tuple(steps) == (*before, replace(last, coast=""))


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


def _is_same_goal(shape: Shape, other: Shape, words: GrammarWords) -> bool:
    """Say whether two moves have one goal: "Gal (yes, Galicia)", "Sev (Crimea)"; so may a cut word: "Mid-. Ocea"."""
    if not (
        isinstance(shape, Moves | Supports) and isinstance(other, Moves | Supports) and shape.steps and other.steps
    ):
        return False
    last = other.steps[-1].folded
    one, two = (words.sense(each.steps[-1].folded).codes for each in (shape, other))
    return (len(one) == 1 and one == two) or (not words.is_listed(last) and not {*one}.isdisjoint(two))


def _is_odd_way(shape: Shape, last: Token, words: GrammarWords) -> bool:
    """Say whether a fleet goes by land, or a C stands behind a cut goal: parts of a name, "- ENG land", "- Engl C"."""
    if not isinstance(shape, Moves | Supports) or not shape.steps:
        return False
    is_fleet = (shape.of if isinstance(shape, Supports) else shape.unit).letter is Kind.FLEET
    is_cut = shape.via and last.folded == "c" and not words.is_listed(shape.steps[-1].folded)
    return is_fleet and (is_cut or (shape.by_land and isinstance(shape, Moves)))


def _may_name_owner(shape: Shape, words: GrammarWords) -> bool:
    """Say whether the place of a unit that is helped may be a power, and its goal the place: "F NTH S Eng Lon"."""
    if not isinstance(shape, Supports | Convoys) or shape.has_sign or not shape.steps or shape.of.letter is not None:
        return False
    return shape.of.place is not None and shape.of.place.folded in words.nations


def _may_add(shape: Shape, said: set[str], words: GrammarWords) -> bool:
    """Say whether words around the end of an order may add to it: "S A Mun in Bur", "- Bur S Ruh, Hol"."""
    helps = any(words.sign_of(word) in {SignSense.SUPPORT, SignSense.CONVOY} for word in said)
    return not PLACING.isdisjoint(said) if isinstance(shape, Supports) else helps and isinstance(shape, Moves)


def _is_way_on_land(shape: Shape, words: GrammarWords) -> bool:
    """Say whether a way is named that no fleet can carry an army over: "- Bur by Ruh" may say who supports it."""
    return isinstance(shape, Moves) and not all(words.is_at_sea(place.folded) for place in shape.over)


def as_odd(written: Entry) -> Entry:
    """Mark an order as one that accounts for less than what is written."""
    return replace(written, is_odd=True)


def _may_go_on(before: Entry | None, between: Sequence[Token], first: Token) -> bool:
    """Say whether a dash behind a comma may go on with the help before it: "S A Vie, - Gal"."""
    is_help = before is not None and isinstance(before.shape, Supports | Convoys)
    return is_help and first.mark is Mark.DASH and any(each.text in ",;" for each in between)


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
    if isinstance(shape, Moves) and not between and {step.folded for step in shape.steps[-1:]} & HELPS_ABROAD:
        return False  # "A Mos - U A Sil - War"
    if any(each.mark is Mark.SLASH for each in marks) and _may_be_route(before, marks, after, words):
        return False
    return len({each.text for each in marks}) < 2 and (bool(between) or getattr(shape, "has_sign", True))
