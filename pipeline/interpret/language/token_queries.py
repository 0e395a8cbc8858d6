"""Look at the tokens of a line: where a sign stands, where a letter, where a word that can only be a place."""

from collections.abc import Sequence
from typing import Protocol

from pipeline.board.map import Kind, Power
from pipeline.interpret.doubts.sense import Sense
from pipeline.interpret.language.signs import AT_SEA, FILLERS, LETTERS, SPOILERS, SignSense
from pipeline.interpret.language.tokens import Mark, Token


class GrammarWords(Protocol):
    """What the grammar must know of a tournament's table: which words are places, which are signs."""

    signs: dict[str, SignSense]
    nations: dict[str, Power]
    coasts: dict[str, str]  # folded word -> NC, SC or EC
    halves: frozenset[str]  # what may stand before the hyphen of a name
    short_coasts: bool  # 'n', 's', 'e' after a place with two coasts are coasts

    def is_listed(self, folded: str) -> bool:
        """Say whether a word stands in the table, or is a full name."""

    def are_initials(self, folded: str) -> bool:
        """Say whether a word in no table is made of the initials of a name."""

    def begins_name(self, folded: str) -> bool:
        """Say whether a word of three letters or more begins a word of the table."""

    def is_elsewhere(self, folded: str) -> bool:
        """Say whether a word is the real name of a place that is no province."""

    def begins_real_name(self, folded: str) -> bool:
        """Say whether a word begins a name, of a province or of another place."""

    def misspelt_name(self, words: Sequence[str]) -> str:
        """Find the name that several words together are a slip or two away from; nothing where there is none."""

    def is_known(self, folded: str) -> bool:
        """Say whether a word means something as it stands."""

    def sense(self, folded: str) -> Sense:
        """Say everything that a word may mean."""

    def may_be_meant(self, folded: str) -> bool:
        """Say whether a word means something, or may be a slip of the pen for a word that does."""

    def has_coasts(self, folded: str) -> bool:
        """Say whether a listed word may mean a province with two coasts."""


FIRST_WORDS = 2  # of a line: its unit
NO_PLACES = FILLERS | SPOILERS | LETTERS.keys()  # words that are no part of an unknown name
TO_IN_FRENCH = frozenset("àÀ")  # without its accent it is the letter of an army
AIR = (None,) * 8  # more than anybody looks ahead


class TokenReader:
    """Goes through the tokens of one line, from left to right."""

    def __init__(self, tokens: Sequence[Token], text: str, words: GrammarWords) -> None:
        self.tokens = tokens
        self.padded: tuple[Token | None, ...] = (*tokens, *AIR)  # so that looking ahead needs no checking
        self.text = text
        self.words = words
        self.at = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """Look at a token without taking it."""
        return self.padded[self.at + ahead]

    def sign(self, ahead: int = 0) -> SignSense | None:
        """Say what sign stands here, if one does; a dash is the sign for moving."""
        token = self.peek(ahead)
        if token is None:
            return None
        if token.mark is Mark.DASH:
            return SignSense.TO
        if token.mark is not Mark.WORD:
            return None
        if token.text in TO_IN_FRENCH:
            return SignSense.TO
        if token.folded == "par" and self.sign_word(ahead + 1) is SignSense.CONVOY:
            return SignSense.BY  # "par convoi"; everywhere else it is Paris
        if token.folded == "by" and self.says_how(ahead + 1):
            return SignSense.BY  # where the table lists it for Paris (EDC23 G)
        return self.sign_word(ahead)

    def says_how(self, ahead: int) -> bool:
        """Say whether an army travels so, behind a "by": by convoy, by sea, by land, by a fleet; not "A By - Bur"."""
        token = self.peek(ahead)
        if token is None or self.at + ahead <= FIRST_WORDS:
            return False
        is_way = token.folded in AT_SEA or self.sign_word(ahead) in {SignSense.CONVOY, SignSense.LAND}
        return is_way or self.letter(ahead) is Kind.FLEET or self.is_place_word(ahead)

    def sign_word(self, ahead: int) -> SignSense | None:
        """Say what a word asks for, unless it is a place."""
        token = self.peek(ahead)
        if token is None or token.mark is not Mark.WORD:
            return None
        found = self.words.signs.get(token.folded)
        return None if found and self.words.is_listed(token.folded) else found

    def letter(self, ahead: int = 0) -> Kind | None:
        """Say which unit letter stands here, if one does."""
        token = self.peek(ahead)
        is_word = token is not None and token.mark is Mark.WORD and token.text not in TO_IN_FRENCH
        return LETTERS.get(token.folded) if token is not None and is_word else None

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
        if self.words.is_listed(token.folded):
            return True
        return self.sign(ahead) is None and token.folded not in NO_PLACES

    def is_listed_word(self) -> bool:
        """Say whether a word that the table lists as a place stands here."""
        token = self.peek()
        return token is not None and token.mark is Mark.WORD and self.words.is_listed(token.folded)
