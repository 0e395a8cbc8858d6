"""Read the grammar of a line: which words are units, which are places, what sign stands between them."""

from collections.abc import Iterator, Sequence

from pipeline.board.map import Kind
from pipeline.board.position import Step
from pipeline.interpret.language.places import PlaceReader
from pipeline.interpret.language.signs import AT_SEA, EVERYBODY, NO, NOTHING, SignSense
from pipeline.interpret.language.token_queries import GrammarWords
from pipeline.interpret.language.tokens import Mark, Token
from pipeline.interpret.language.written import (
    BareUnit,
    Builds,
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
    Written,
)


def read_tokens(tokens: Sequence[Token], text: str, words: GrammarWords, step: Step) -> tuple[Written, ...]:
    """Read every order on a line; a line without a word has none."""
    return tuple(LineReader(tokens, text, words, step).orders())


class LineReader(PlaceReader):
    """Reads every order of one line."""

    def __init__(self, tokens: Sequence[Token], text: str, words: GrammarWords, step: Step) -> None:
        super().__init__(tokens, text, words)
        self.step = step
        self.carried: type[Builds] | type[Disbands] | None = None  # "Build A Mun, F Kie": the sign goes for both

    # the orders of a line

    def orders(self) -> Iterator[Written]:
        """Read order after order."""
        while (token := self.peek()) is not None:
            if token.mark in {Mark.BREAK, Mark.SLASH} or (token.mark is Mark.PLUS and self.step is Step.MOVEMENT):
                self.at += 1
                continue
            start = self.at
            shape = self.order()
            if isinstance(shape, BareUnit) and not self.is_break():
                self.take_words()  # a sign may have been lost between this unit and the next: "A Mun A Ber - Kie"
                shape = Senseless(shape.unit, self.words_from(start))
            end = max(self.at, start + 1)
            rest = self.take_rest()
            text = self.text[token.start : self.tokens[end - 1].end]
            yield Written(shape, text, rest)

    def take_rest(self) -> str:
        """Take the words after an order: they belong to nothing, and so does what stands behind them up to a break."""
        return "" if self.is_over() else self.take_words()

    def order(self) -> Shape:
        """Read one order of this phase."""
        match self.step:
            case Step.MOVEMENT:
                return self.movement_order()
            case Step.RETREATS:
                return self.retreat_order()
            case Step.ADJUSTMENTS:
                return self.adjustment_order()

    def movement_order(self) -> Shape:
        """Read hold, move, support or convoy."""
        if self.sign() is SignSense.TO and self.is_bullet():
            self.at += 1
        if self.is_for_everybody():
            return Senseless(UnitWords(), self.take_words())
        unit = self.unit()
        match self.sign():
            case SignSense.HOLD:
                self.at += 1
                return Holds(unit)
            case SignSense.TO | SignSense.BY:
                return self.hold_or_move(unit)
            case SignSense.SUPPORT:
                self.at += 1
                return self.support(unit)
            case SignSense.CONVOY:
                self.at += 1
                return self.convoy(unit)
            case None if self.is_over():
                return self.nothing(unit)
            case None if unit.place is not None and self.is_listed_word():
                return self.move(unit, has_sign=False)
            case _:
                return Senseless(unit, self.take_words())

    def is_for_everybody(self) -> bool:
        """Say whether the line is "all hold": it names no unit, and units without an order hold anyway."""
        token, after = self.peek(), self.peek(1)
        if token is None or token.folded not in EVERYBODY or after is None:
            return False
        return self.sign(1) is SignSense.HOLD or (after.folded == "units" and self.sign(2) is SignSense.HOLD)

    def hold_or_move(self, unit: UnitWords) -> Shape:
        """Read a move; "to hold" is a hold."""
        if self.sign(1) is SignSense.HOLD and not unit.is_empty:
            self.at += 2
            return Holds(unit)
        return self.move(unit)

    def nothing(self, unit: UnitWords) -> Shape:
        """A unit alone; or nothing that can be read at all."""
        if unit.is_empty:
            return Senseless(unit, self.take_words())
        return BareUnit(unit)

    def is_bullet(self) -> bool:
        """Say whether the dash in front of a line is only a bullet: a unit with its own sign follows."""
        if self.letter(1) is not None and self.is_place_word(2):
            return True
        ahead = 1
        while self.is_place_word(ahead):
            ahead += 1
        return ahead > 1 and self.sign(ahead) is not None

    def retreat_order(self) -> Shape:
        """Read retreat or disband."""
        if self.sign() is SignSense.DISBAND:
            self.at += 1
            return Disbands(self.unit())
        minus = self.sign() is SignSense.TO
        if minus or self.sign() is SignSense.RETREAT:
            self.at += 1
        unit = self.unit()
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
                return self.after_minus(unit) if minus else self.nothing(unit)
            case None if unit.place is not None and self.is_listed_word():
                return self.move(unit, has_sign=False)
            case _:
                return Senseless(unit, self.take_words())

    def after_minus(self, unit: UnitWords) -> Shape:
        """A minus and a unit disband it (WDC08 12.2); a dash and a place is a retreat that names no unit."""
        if unit.place is None or unit.letter is not None:
            return Disbands(unit)
        return Moves(UnitWords(), (unit.place,))

    def disband_or_move(self, unit: UnitWords) -> Shape:
        """Read what stands after the sign for retreating."""
        while self.sign() is SignSense.TO and self.sign(1) in {SignSense.TO, SignSense.DISBAND}:
            self.at += 1
        if self.sign() is SignSense.DISBAND:
            self.at += 1
            return Disbands(unit)
        return self.move(unit, has_sign=True)

    def adjustment_order(self) -> Shape:
        """Read build, disband or waive; a sign in front goes for every unit after it."""
        token = self.peek()
        if token is not None and (token.folded in NOTHING or self.sign() is SignSense.WAIVE or self.is_no_build()):
            self.take_words()
            return Waives()
        if token is not None and (token.mark is Mark.PLUS or self.sign() is SignSense.BUILD):
            self.at += 1
            self.carried = Builds
            after = self.peek()
            if after is not None and after.folded in NOTHING | NO:
                self.take_words()
                return Waives()
        elif self.sign() in {SignSense.DISBAND, SignSense.TO, SignSense.RETREAT}:
            self.at += 1
            self.carried = Disbands
        unit = self.unit()
        after = self.peek()
        if self.sign() is SignSense.BUILD or (after is not None and after.mark is Mark.PLUS and self.peek(1) is None):
            self.at += 1
            return Builds(unit)
        if self.sign() in {SignSense.DISBAND, SignSense.RETREAT}:
            self.at += 1
            return Disbands(unit)
        if not self.is_over():
            return Senseless(unit, self.take_words())
        if unit.is_empty:
            return Senseless(unit, self.take_words())
        return self.carried(unit) if self.carried is not None else BareUnit(unit)

    def is_no_build(self) -> bool:
        """Say whether "no" and the word for a build stand here."""
        token = self.peek()
        return token is not None and token.folded in NO and self.sign(1) is SignSense.BUILD

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
        via = by_land = False
        if not has_sign or self.is_place_word():
            steps.extend(self.places())
        while True:
            match self.sign():
                case SignSense.TO if steps and self.ends_after_dash():
                    break
                case SignSense.TO:
                    self.at += 1
                    steps.extend(self.places())
                case SignSense.BY:
                    self.at += 1
                    if self.sign() is SignSense.LAND:
                        self.at += 1
                        by_land = True
                    else:
                        over.extend(self.convoying_fleet() or (self.places() if self.is_listed_word() else []))
                        via = self.skip_at_sea() or bool(over) or self.is_over()
                case SignSense.CONVOY:
                    self.at += 1
                    via = True
                    over.extend(self.convoying_fleet())
                case SignSense.LAND:
                    self.at += 1
                    by_land = True
                case _:
                    break
        return Moves(unit, tuple(steps), tuple(over), via, by_land, has_sign)

    def ends_after_dash(self) -> bool:
        """A dash at the end of everything, or before a new unit's letter, is a bullet or a slip."""
        return self.peek(1) is None or (self.letter(1) is not None and self.is_place_word(2))

    def skip_at_sea(self) -> bool:
        """Take the words "convoy" or "sea" after "by", and say whether they were there."""
        token = self.peek()
        found = token is not None and (self.sign() is SignSense.CONVOY or token.folded in AT_SEA)
        self.at += 1 if found else 0
        return found

    def convoying_fleet(self) -> list[Phrase]:
        """Take the fleet that is named after "convoyed by", if one is."""
        if self.letter() is Kind.FLEET and self.is_place_word(1):
            self.at += 1
            return self.places()
        return []

    def support(self, unit: UnitWords) -> Supports:
        """Read whom a unit supports, and where to."""
        while (token := self.peek()) is not None and (
            (token.mark is Mark.WORD and self.sign() is SignSense.TO) or token.folded == "of"
        ):
            self.at += 1
        of = self.unit(is_other=True)
        if self.sign() is SignSense.TO and self.sign(1) is SignSense.HOLD:
            self.at += 2
        elif self.sign() is SignSense.HOLD:
            self.at += 1
        elif self.sign() in {SignSense.TO, SignSense.BY}:
            steps = self.move(of).steps
            return Supports(unit, of, steps, bool(steps))
        elif of.place is not None and self.is_listed_word():
            return Supports(unit, of, self.move(of, has_sign=False).steps, has_sign=False)
        return Supports(unit, of)

    def convoy(self, unit: UnitWords) -> Convoys:
        """Read whom a fleet carries, and where to."""
        of = self.unit(is_other=True)
        if self.sign() in {SignSense.TO, SignSense.BY}:
            return Convoys(unit, of, self.move(of).steps)
        if of.place is not None and self.is_listed_word():
            return Convoys(unit, of, self.move(of, has_sign=False).steps, has_sign=False)
        return Convoys(unit, of)
