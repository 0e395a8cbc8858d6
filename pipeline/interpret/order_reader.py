"""Read one order: its unit, its sign and its places, by the step of the game."""

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import replace

from pipeline.board import Kind, Step
from pipeline.interpret.order_words import (
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
)
from pipeline.interpret.places import HYPHENS, PlaceReader
from pipeline.interpret.token_reader import GrammarWords, tells_rest_to_hold
from pipeline.interpret.tokens import Mark, Token
from pipeline.interpret.written_words import (
    ALL_OF_THEM,
    AND,
    AT_SEA,
    CONVOYED,
    DISLODGED,
    EVERYBODY,
    EVERYDAY_WORDS,
    FILLERS,
    FROM,
    LETTERS,
    NO,
    NOTHING,
    OF,
    OF_A_WAIVER,
    PRONOUNS,
    SPOILERS,
    TOWARDS,
    WHICH_OF_THEM,
    SignSense,
)

HOLD = frozenset({"hold", "holds"})
SHORTEST_GOAL = 3  # letters of an unlisted word that may be a goal with no sign before it
PLACING = FROM | {"in", "on", "at"}  # between a unit that is supported and a place


class OrderReader(PlaceReader):
    """Reads one order of a line, from where it stands."""

    def __init__(self, tokens: Sequence[Token], text: str, words: GrammarWords, step: Step) -> None:
        super().__init__(_with_breaks(tokens, words), text, words)
        self.step = step
        self.letter_goal: Phrase | None = None  # where the letter of a sign may be meant for a place
        self.carried: type[Builds] | type[Disbands] | None = None  # "Build A Mun, F Kie": the sign goes for both

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

    def is_mere_to(self) -> bool:
        """Say whether a dash stands here, or "to" and a whole word: behind "to" or a verb a letter is a place."""
        return self.is_dash() or (self.word() in TOWARDS and len(self.word(1)) > 1)

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
        """Read a move; "to hold" is a hold, and "attacks H" is none."""
        if self.sign(1) is SignSense.HOLD and self.is_mere_to() and not unit.is_empty:
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
        while self.sign() is SignSense.TO and (
            self.sign(1) is SignSense.TO or (self.sign(1) is SignSense.DISBAND and self.is_mere_to())
        ):
            self.at += 1
        if self.sign() is SignSense.DISBAND:
            self.note_letter(0)
            self.at += 1
            return Disbands(unit)
        comma = self.peek()
        self.at += comma is not None and comma.text == "," and self.sign(1) is SignSense.TO  # "A Ven retreats, to Tus"
        moved = self.move(unit)
        sign, after = self.peek(), self.peek(1)
        is_last = after is None or after.mark is Mark.BREAK
        if moved.steps and sign is not None and is_last and self.sign() is SignSense.RETREAT:
            self.take_as("r" if sign.bracketed else "")  # "A Ven - Tus (retreat)", "(R)"
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
        if token is not None and (token.folded in NOTHING or self.is_no_build() or self.is_only_waived()):
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
            if not self.is_of_waiver():
                break
            self.at += 1
        return Waives(are_all=any(each.folded in ALL_OF_THEM for each in self.tokens[first : self.at]))

    def is_of_waiver(self, ahead: int = 0) -> bool:
        """Say whether a word here may stand beside the one that declines a build."""
        token = self.peek(ahead)
        is_sign = self.sign(ahead) in {SignSense.WAIVE, SignSense.BUILD}
        return is_sign or (token is not None and (token.folded in OF_A_WAIVER or token.folded.isdecimal()))

    def is_only_waived(self) -> bool:
        """Say whether a word that declines a build stands here, or behind which: "second waived", "2. waive"."""
        ahead = 0
        while self.is_of_waiver(ahead) and self.sign(ahead) is not SignSense.WAIVE:
            ahead += 1
        before = {token.folded for token in self.tokens[self.at : self.at + ahead]}
        is_counted = any(word in WHICH_OF_THEM or word.isdecimal() for word in before)  # "build waived" may be any
        return self.sign(ahead) is SignSense.WAIVE and (is_counted or not before)

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


def _has_half_bracket(text: str) -> bool:
    """Say whether a bracket is opened and not closed, or the other way round."""
    return any(text.count(left) != text.count(right) for left, right in ("()", "[]", "{}"))


def _way_of(moved: Moves) -> tuple[tuple[Phrase, ...], bool, bool, bool, bool]:
    """What a support and a convoy say of a move: its places with the seas on the way, and how it is written."""
    steps = (*moved.over, *moved.steps) if moved.steps else ()
    return steps, moved.has_sign, moved.to_unit, moved.via, moved.by_land


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
