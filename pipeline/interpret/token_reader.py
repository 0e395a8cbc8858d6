"""Look at the tokens of a line: where a sign stands, where a letter, where a word that can only be a place."""

from collections.abc import Callable, Sequence
from typing import Protocol

from pipeline.board import Kind, Power
from pipeline.interpret.doubts import Sense
from pipeline.interpret.tokens import Mark, Token
from pipeline.interpret.written_words import (
    AT_SEA,
    BESIDE_THE_REST,
    EVERYBODY,
    EVERYTHING_ELSE,
    FILLERS,
    HELD_STILL,
    LETTERS,
    NOBODY_ELSE,
    SPOILERS,
    THE_REST,
    UNMOVED,
    UNNAMED,
    SignSense,
)


def tells_rest_to_hold(tokens: Sequence[Token], sign_of: Callable[[str], SignSense | None]) -> bool:
    """Say whether words say that the units without an order hold, which they do anyway, and nothing else.

    >>> from pipeline.interpret.tokens import tokenize
    >>> from pipeline.interpret.written_words import SIGNS
    >>> [tells_rest_to_hold(tokenize(line), SIGNS.get) for line in ("the others hold", "Rest - H", "nobody else moves")]
    [True, True, True]
    >>> [tells_rest_to_hold(tokenize(line), SIGNS.get) for line in ("all hold", "others hold Bur", "not all others H")]
    [False, False, False]
    """
    if any(each.mark not in {Mark.WORD, Mark.DASH} and each.text not in {",", ":"} for each in tokens):
        return False
    said = " ".join(each.folded for each in tokens if each.folded)
    said = UNMOVED.sub("hold", NOBODY_ELSE.sub("others hold", said))
    said = EVERYTHING_ELSE.sub("others", UNNAMED.sub("others", said))
    words = {*said.split()}
    held = words - THE_REST - BESIDE_THE_REST
    are_held = all(word in HELD_STILL or sign_of(word) is SignSense.HOLD for word in held)
    return bool(held and words & THE_REST) and are_held


class GrammarWords(Protocol):
    """What the grammar must know of a tournament's table: which words are places, which are signs."""

    signs: dict[str, SignSense]
    nations: dict[str, Power]
    coasts: dict[str, str]  # folded word -> NC, SC, EC, or NC/SC/EC for any
    halves: frozenset[str]  # what may stand before the hyphen of a name
    short_coasts: bool  # 'n', 's', 'e' after a place with two coasts are coasts
    parts: dict[str, str]  # the cache of `account`

    def is_listed(self, folded: str) -> bool:
        """Say whether a word stands in the table, or is a full name."""

    def are_two_places(self, folded: str, after: str) -> bool:
        """Say whether two words are two places, although together they spell one."""

    def are_initials(self, folded: str) -> bool:
        """Say whether a word in no table is made of the initials of a name."""

    def begins_name(self, folded: str) -> bool:
        """Say whether a word of three letters or more begins a word of the table."""

    def is_elsewhere(self, folded: str) -> bool:
        """Say whether a word is the real name of a place that is no province."""

    def begins_real_name(self, folded: str) -> bool:
        """Say whether a word begins a name, of a province or of another place."""

    def misspelt_name(self, several: Sequence[str]) -> str:
        """Find the name that several words together are a slip or two away from; nothing where there is none."""

    def sign_of(self, folded: str) -> SignSense | None:
        """Say what a word asks for, if it is no place."""

    def misspelt_sign(self, folded: str) -> SignSense | None:
        """Find the word for a build or a disband that an unknown word is one slip away from."""

    def is_known(self, folded: str) -> bool:
        """Say whether a word means something as it stands."""

    def sense(self, folded: str) -> Sense:
        """Say everything that a word may mean."""

    def may_be_meant(self, folded: str) -> bool:
        """Say whether a word means something, or may be a slip of the pen for a word that does."""

    def may_be_place(self, folded: str) -> bool:
        """Say whether a word is listed, begins a place's name, or is one slip away from one."""

    def has_coasts(self, folded: str) -> bool:
        """Say whether a listed word may mean a province with two coasts."""

    def is_at_sea(self, folded: str) -> bool:
        """Say whether a word can only mean a sea."""


FIRST_WORDS = 2  # of a line: its unit
NO_PLACES = FILLERS | SPOILERS | EVERYBODY | LETTERS.keys()  # words that are no part of an unknown name
TO_IN_FRENCH = frozenset("àÀ")  # without its accent it is the letter of an army
PADDING = (None,) * 8  # more than anybody looks ahead


class TokenReader:
    """Goes through the tokens of one line, from left to right."""

    def __init__(self, tokens: Sequence[Token], text: str, words: GrammarWords) -> None:
        self.tokens = tokens
        self.padded: tuple[Token | None, ...] = (*tokens, *PADDING)  # so that looking ahead needs no checking
        self.text = text
        self.words = words
        self.at = 0
        self.roles = [""] * len(tokens)  # of places, units' letters and nationalities, for `account`

    def peek(self, ahead: int = 0) -> Token | None:
        """Look at a token without taking it."""
        return self.padded[self.at + ahead]

    def word(self, ahead: int = 0) -> str:
        """Look at a word, folded; nothing where a mark stands, or behind the end."""
        token = self.peek(ahead)
        return token.folded if token is not None else ""

    def sign(self, ahead: int = 0) -> SignSense | None:
        """Say what sign stands here, if one does; a dash is the sign for moving."""
        token = self.padded[self.at + ahead]
        if token is None:
            return None
        if token.mark is Mark.DASH or token.text in TO_IN_FRENCH:
            return SignSense.TO
        if token.mark is not Mark.WORD:
            return None
        if token.folded == "par" and self.sign_word(ahead + 1) is SignSense.CONVOY:
            return SignSense.BY  # "par convoi"; everywhere else it is Paris
        if token.folded == "by" and self.says_how(ahead + 1):
            return SignSense.BY  # where the table lists it for Paris (EDC23 G)
        return self.words.sign_of(token.folded)

    def says_how(self, ahead: int) -> bool:
        """Say whether a word behind "by" says how an army travels: convoy, sea, land, a fleet; not "A By - Bur"."""
        token = self.peek(ahead)
        if token is None or self.at + ahead <= FIRST_WORDS:
            return False
        is_way = token.folded in AT_SEA or self.sign_word(ahead) in {SignSense.CONVOY, SignSense.LAND}
        return is_way or self.letter(ahead) is Kind.FLEET or self.is_place_word(ahead)

    def sign_word(self, ahead: int) -> SignSense | None:
        """Say what a word asks for, unless it is a place."""
        token = self.padded[self.at + ahead]
        return None if token is None or token.mark is not Mark.WORD else self.words.sign_of(token.folded)

    def letter(self, ahead: int = 0) -> Kind | None:
        """Say which unit letter stands here, if one does."""
        token = self.peek(ahead)
        return None if token is None or token.text in TO_IN_FRENCH else LETTERS.get(token.folded)

    def is_over(self) -> bool:
        """Say whether the order ends here: end of line, a break, or the letter of the next unit."""
        token = self.peek()
        if token is None or token.mark in {Mark.BREAK, Mark.PLUS}:
            return True
        ahead = 1 if token.mark is Mark.SLASH else 0
        return self.letter(ahead) is not None and self.is_place_word(ahead + 1)

    def is_place_word(self, ahead: int = 0) -> bool:
        """Say whether a word that can only be a place, or nothing we know, stands here."""
        token = self.peek(ahead)
        if token is None or token.mark is not Mark.WORD:
            return False
        if self.is_both(ahead):
            return False
        if self.words.is_listed(token.folded) or self.is_initial_goal(ahead):
            return True
        return self.sign(ahead) is None and token.folded not in NO_PLACES

    def is_initial_goal(self, ahead: int) -> bool:
        """Say whether a unit's letter is the goal: it ends the line behind a dash, and begins one name: "A StP - F"."""
        before = self.padded[self.at + ahead - 1] if self.at + ahead else None
        if before is None or before.mark is not Mark.DASH or self.peek(ahead + 1) is not None:
            return False
        word = self.word(ahead)
        return word in LETTERS and self.words.sense(word).likely is not None

    def is_both(self, ahead: int) -> bool:
        """Say whether "both" stands for two units and not for the Gulf of Bothnia: at the end, or before "fleets"."""
        token = self.peek(ahead)
        before = self.tokens[self.at + ahead - 1] if self.at + ahead else None
        if token is None or token.folded != "both" or (before is not None and before.folded in LETTERS):
            return False
        after = self.peek(ahead + 1)
        if after is not None:
            return after.folded in LETTERS or after.folded == "units"
        return before is not None and before.mark is Mark.WORD  # "remove both", and not "Swe - Both"

    def is_listed_word(self) -> bool:
        """Say whether a word that the table lists as a place stands here."""
        token = self.peek()
        return token is not None and token.mark is Mark.WORD and self.words.is_listed(token.folded)
