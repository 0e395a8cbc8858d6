"""Read the places and units of a line: the longest name the table knows, its coast, the letter, the nationality."""

from pipeline.board import Kind, Power
from pipeline.interpret.order_words import Phrase, UnitWords
from pipeline.interpret.token_reader import TokenReader
from pipeline.interpret.tokens import Mark, Token
from pipeline.interpret.written_words import (
    ARTICLES,
    ENGLISH,
    EVERYDAY_WORDS,
    FILLERS,
    GRAMMAR_WORDS,
    LETTERS,
    OF,
    OWN,
    SHORT_COASTS,
    SPOILERS,
    SignSense,
    fold_word,
)

MORE_OF_A_NAME = 3  # letters: the shortest word at the end of one is "Sea"
BEFORE_UNIT = FILLERS | OWN  # words before a unit's letter
THAT_IS = frozenset({"ie", "dh"})  # i.e., d.h.
HYPHENS = frozenset("-–—−‐‑")  # dashes that may stand before a coast
BETWEEN_COASTS = frozenset({"or", "and", "oder", "und", "ou", "et", "o"})  # "nc or sc"
LONGEST_NAME = 6  # words: "Gulf of Lyon", "Kingdom of Montenegro", "Mer du Groenland et de Norvège"


def _join_coasts(one: str, other: str) -> str:
    """Put coasts together, each once.

    >>> _join_coasts("NC", "SC"), _join_coasts("NC/SC", "NC"), _join_coasts("", "SC")
    ('NC/SC', 'NC/SC', 'SC')
    """
    return "/".join(dict.fromkeys(coast for coast in (*one.split("/"), *other.split("/")) if coast))


class PlaceReader(TokenReader):
    """Parses units and places from a line, token by token."""

    def unit(self, *, is_other: bool = False, is_glued: bool = False) -> UnitWords:
        """Read nationality, letter and place of a unit; ``is_glued``: a hyphen behind the letter is no sign."""
        is_own = self.skip_before_letter()
        nation = self.nation(is_other)
        is_own = self.skip_before_letter() or is_own
        letter = self.letter()
        if letter is not None and not self.is_listed_alone():
            self.take_letter()
            self.skip_behind_letter(is_glued=is_other or is_glued)
        else:
            letter = None
        nation = nation or self.nation(is_other)
        phrases = self.places()
        place = phrases[0] if phrases else None
        after = self.peek()
        if place is not None and nation is None and after is not None and after.bracketed:
            nation = self.words.nations.get(after.folded)
            if nation is None and is_other and not is_glued:
                nation = self.initial_in_brackets(after)
            if nation is not None:
                self.take_as("N")
        if place is not None and self.is_letter_behind(letter):
            letter = self.letter()
            self.take_letter()
        return UnitWords(nation, letter, place, is_own)

    def initial_in_brackets(self, token: Token) -> Power | None:
        """The power of an initial in brackets, "S A War (R) - Gal"; A and F are letters of units, E may be a coast."""
        after = self.peek(1)
        is_alone = token.folded not in LETTERS.keys() | SHORT_COASTS and (after is None or not after.bracketed)
        return next((power for power in Power if is_alone and power[0].lower() == token.folded), None)

    def take_as(self, role: str) -> None:
        """Take a token, and note its part in the order."""
        self.roles[self.at] = role
        self.at += 1

    def take_letter(self) -> None:
        """Take a unit's letter."""
        self.take_as("A")

    def skip_before_letter(self) -> bool:
        """Skip "the", "my" and "a" before "army" and "fleet", and say whether the unit is called an own one."""
        first, is_own = self.at, False
        while (token := self.peek()) is not None and token.mark is Mark.WORD and not self.words.is_listed(token.folded):
            after = self.peek(1)
            is_article = token.folded in ARTICLES and after is not None and len(after.folded) > 2
            if token.folded not in BEFORE_UNIT and not (is_article and self.letter(1) is not None):
                break
            is_own = is_own or token.folded in OWN
            self.at += 1
        is_nation = self.word() in self.words.nations and self.letter(1) is not None  # "the English fleet"
        if is_own or is_nation or self.letter() is not None:
            return is_own
        self.at = first  # `places` skips what stands before a place
        return False

    def skip_behind_letter(self, *, is_glued: bool) -> None:
        """Skip what stands between a unit's letter and its place: "Army of Vienna", and the hyphen of "A-Vie - Gal"."""
        token = self.peek()
        if token is None:
            return
        if token.folded in OF and self.is_place_word(1) and not self.words.is_listed(token.folded):
            self.at += 1
        elif token.mark is Mark.SLASH and token.tight and self.is_place_word(1):
            self.at += 1  # "A/Vie"
        elif token.text in HYPHENS and token.tight and self.is_place_word(1):
            first = self.at
            self.at += 1
            self.places()
            is_unit = is_glued or self.sign() is not None
            self.at = first + 1 if is_unit else first

    def is_letter_behind(self, letter: Kind | None) -> bool:
        """Say whether the unit's letter stands behind its place: "Con (A) - Bul", "Vie A - Gal", "Burgundy army"."""
        token = self.peek()
        behind = self.letter()
        if token is None or behind is None or letter not in {None, behind} or self.words.is_listed(token.folded):
            return False
        if self.at and self.tokens[self.at - 1].folded in ENGLISH:
            return False  # "the English army" stands anywhere
        return token.bracketed or not self.is_place_word(1)

    def is_listed_alone(self) -> bool:
        """A word that is both a unit's letter and a place ("Ar") is a place if no place follows."""
        return self.words.is_listed(self.word()) and not self.is_place_word(1)

    def nation(self, is_other: bool) -> Power | None:
        """Take a nationality: an adjective, or an initial before a unit's letter or a whole place ("S I Ven")."""
        token = self.peek()
        if token is None or token.mark is not Mark.WORD:
            return None
        nations = self.words.nations
        power = nations.get(token.folded) or nations.get(token.folded.removesuffix("s"))
        if power is None and is_other and self.is_before_unit(token):
            power = next((p for p in Power if p[0].lower() == token.folded), None)
        if power is None:
            return None
        is_listed, has_letter = self.words.is_listed(token.folded), self.letter(1) is not None
        ahead = 1 + has_letter
        ahead += has_letter and self.word(ahead) in FILLERS | OF  # "the English fleet in Edi"
        if not self.is_place_word(ahead) and (is_listed or not has_letter):
            return None  # "Eng (F) - Pic" is the Channel's
        if is_listed and not has_letter:
            return None
        self.take_as("N")
        return power

    def is_before_unit(self, initial: Token) -> bool:
        """Say whether a letter alone stands before a unit's letter and place, or a place that it is no part of."""
        if self.letter(1):
            return self.is_place_word(2)
        after = self.peek(1)
        if self.letter() or after is None or not self.words.is_listed(after.folded):
            return False
        return not self.words.is_known(initial.folded + after.folded)

    def places(self) -> list[Phrase]:
        while (token := self.peek()) is not None and token.folded in FILLERS and not self.words.is_listed(token.folded):
            self.at += 1
        first = self.at
        phrase = self.place()
        if phrase is None:
            return []
        self.skip_repeated(phrase, is_goal=self.is_goal_at(first))
        self.roles[first : self.at] = ["P", *"p" * (self.at - first - 1)]
        return [phrase]

    def skip_repeated(self, phrase: Phrase, *, is_goal: bool) -> None:
        """Take a second name of the same place: "Gal (Galicia)", "Gal Galicia", "Gal = Galicia"."""
        start = self.at
        token = self.peek()
        if token is not None and is_goal and token.text == "=":
            self.at += 1
        elif self.word() + self.word(1) in THAT_IS:
            self.at += 2
        self.take_repeated(phrase, start)

    def is_goal_at(self, at: int) -> bool:
        """Say whether a sign for moving or retreating stands before a token."""
        return at > 0 and self.sign(at - 1 - self.at) in {SignSense.TO, SignSense.RETREAT}

    def take_repeated(self, phrase: Phrase, start: int) -> None:
        """Take a second name of the same place that stands here, or go back to the start."""
        token, before = self.peek(), self.padded[start - 1]
        is_other = token is not None and (token.bracketed or self.at > start or token.folded != phrase.folded)
        is_denial = token is not None and not token.text.isascii() and len(token.folded) <= MORE_OF_A_NAME  # "não"
        if token is None or not is_other or is_denial or not self.is_place_word():
            self.at = start
            return
        again = self.place()
        is_same = again is not None and again.coast in {"", phrase.coast} and self.is_same_place(phrase, again)
        after = self.peek()
        is_remark = not token.bracketed or before is None or before.bracketed or after is None or not after.bracketed
        if not (is_same and is_remark):
            self.at = start

    def is_same_place(self, one: Phrase, other: Phrase) -> bool:
        """Say whether two words have one meaning each, and it is the same province."""
        senses = [self.words.sense(phrase.folded) for phrase in (one, other)]
        return all(sense.is_firm for sense in senses) and senses[0].codes == senses[1].codes

    def place(self) -> Phrase | None:
        """Read the words of one place: the longest the table knows, else the words up to the next sign."""
        token = self.peek()
        if token is None or not self.is_place_word():
            return None
        if (coast := self.coast_before()) is not None:
            return coast
        count = self.misspelt_length(self.known_length()) or self.unknown_length()
        pieces = self.tokens[self.at : self.at + count]
        self.at += count
        folded = "".join(piece.folded for piece in pieces)
        text = self.text[pieces[0].start : pieces[-1].end]
        phrase = self.with_coast(self.unglued_coast(text, folded))
        slash = self.peek()
        after = self.peek(1)
        is_other = after is not None and self.is_place_word(1) and not self.is_slash_before_order()
        if slash is not None and slash.mark is Mark.SLASH and after is not None and is_other:
            self.at += 1
            is_coast = self.words.has_coasts(phrase.folded) and not self.words.is_listed(after.folded)
            other = None if is_coast else self.place()  # "Spa/mc" has a coast that cannot be read
            if other is not None:
                both = _join_coasts(phrase.coast, other.coast)
                return Phrase(f"{phrase.text}{slash.text}{other.text}", f"{phrase.folded}/{other.folded}", both)
        return phrase

    def is_over(self) -> bool:
        """Say whether the order ends here; a stroke before a place and a sign ends it, too: "Vie-Gal | Bud-Ser"."""
        return super().is_over() or self.is_slash_before_order()

    def is_slash_before_order(self) -> bool:
        """Say whether a stroke stands here between two orders: a sign before it, a listed place and a sign behind it.

        In "A Yor - NTH/NWG - Nwy" the stroke is tight, and the line has units' letters: these are two seas.
        """
        token = self.peek()
        if token is None or token.mark is not Mark.SLASH or not self.is_sign_before():
            return False
        if token.tight and token.text == "/" and self.tokens[0].folded in LETTERS:
            return False
        self.at += 1
        count = self.known_length()
        self.at -= 1
        return count > 0 and self.sign(1 + count) is not None

    def is_sign_before(self) -> bool:
        """Say whether a sign stands between the last stroke or break and here."""
        for at in range(self.at - 1, -1, -1):
            if self.tokens[at].mark in {Mark.SLASH, Mark.BREAK}:
                break
            if self.sign(at - self.at) is not None:
                return True
        return False

    def coast_before(self) -> Phrase | None:
        """Read a place with its coast in front: "NC Spa", "north coast of Spain"."""
        first = self.at
        coast, length = self.coasts_at(0, is_coastal=True)
        word = self.tokens[first].folded
        before = self.peek(-1) if first else None
        is_goal = before is not None and before.mark is Mark.DASH  # "- N Spa", "- East Bul"; not a unit's place
        if not coast or (length == 1 and not is_goal and (len(word) == 1 or self.words.is_listed(word))):
            return None
        self.at += length
        token = self.peek()
        if token is not None and token.folded == "of":
            self.at += 1
        token = self.peek()
        is_coastal = token is not None and self.words.is_listed(token.folded) and self.words.has_coasts(token.folded)
        phrase = self.place() if is_coastal else None
        if phrase is None:
            self.at = first
            return None
        return Phrase(phrase.text, phrase.folded, _join_coasts(coast, phrase.coast))

    def known_length(self) -> int:
        """Count the words, or words with a hyphen between, that together are in the table."""
        best = 0
        joined = ""
        for ahead in range(LONGEST_NAME):
            token = self.peek(ahead)
            if token is None or (token.mark is not Mark.WORD and not self.is_hyphen(token, ahead)):
                break
            if ahead and (token.folded in LETTERS or token.folded in SPOILERS or self.sign_word(ahead) is not None):
                break  # "Mar S" is not Marseilles, nor "Bre S" Brest
            if token.mark is not Mark.WORD:
                continue  # a hyphen ends no name: in "Nth-Den" it is the sign of the move
            if self.words.are_two_places(joined, token.folded):
                break
            first = self.peek()
            if best and first is not None and token.bracketed is not first.bracketed:
                break  # "Apu (lie)"
            is_short = len(token.folded) < 4 and self.words.is_listed(token.folded)
            is_next = is_short and ahead == best == 1  # "Bur Gas" is no Burgas
            if is_short and first is not None and first.text.endswith(("'s", "’s")):
                break  # "Peter's Bur" is no Petersburg
            joined += token.folded
            is_begun = len(joined) > 3 and len(token.folded) > 1 and self.words.begins_name(joined)
            if self.words.is_listed(joined) or (
                ahead and (is_begun or (self.words.is_elsewhere(joined) and not is_next))
            ):
                best = ahead + 1
            elif ahead and not (self.words.begins_real_name(joined) or self.words.begins_name(joined)):
                break
        return best

    def misspelt_length(self, known: int) -> int:
        """Count the words that together are a misspelt name, where they are more than are known: "Gulf of Bothia".

        What stands behind a whole name is no part of it: "Bulgaria n", "Constantinople no". Nor is a letter
        or two before one: "I Vie" may be Italy's.
        """
        words: list[str] = []
        ends: list[int] = []  # behind each word
        for ahead in range(LONGEST_NAME):
            token = self.peek(ahead)
            if token is None or token.bracketed:
                break
            if ahead and self.is_hyphen(token, ahead):
                continue  # "Mid-Atlantc"
            if token.mark is not Mark.WORD or not self.may_go_on(ahead):
                break
            words.append(token.folded)
            ends.append(ahead + 1)
        least = len("".join(word for word, end in zip(words, ends, strict=True) if end <= known)) + MORE_OF_A_NAME
        for count in range(len(words), 1, -1):
            if ends[count - 1] > known and len(self.words.misspelt_name(words[:count])) >= least:
                return ends[count - 1]
        return known

    def may_go_on(self, ahead: int) -> bool:
        """Say whether a name may go on with a word: no letter alone, no sign, no "not"."""
        word = self.word(ahead)
        if word in LETTERS or word in SPOILERS or self.sign_word(ahead):
            return False
        return (len(word) > 2 and word not in EVERYDAY_WORDS - GRAMMAR_WORDS) or word == "of"

    def is_hyphen(self, token: Token, ahead: int) -> bool:
        """A dash inside a name ("Mid-Atlantic") has no space on either side."""
        after = self.peek(ahead + 1)
        is_tight = token.tight and after is not None and after.tight
        return token.mark is Mark.DASH and is_tight and self.word(ahead - 1) in self.words.halves

    def unknown_length(self) -> int:
        """Count the words up to the next sign or mark: a place that the table does not know.

        What stands behind a word that may be a place by itself is no part of it: "Marseiles ne".
        """
        count = 1
        joined = self.word()
        if len(joined) > 2 and self.words.may_be_place(joined):
            return count
        while count < LONGEST_NAME and self.is_place_word(count) and not self.words.sense(joined).is_firm:
            joined += self.word(count)
            token = self.peek(count)
            if token is None or self.words.is_listed(token.folded):
                break
            if self.coast_at(count, is_coastal=True)[1]:
                break
            count += 1
        return count

    def unglued_coast(self, text: str, folded: str) -> Phrase:
        """Take a coast off the end of a place that is no word with it: "StPNc"; a letter alone is no place."""
        coast = self.words.coasts.get(folded[-2:]) if len(folded) > 3 else ""
        is_name = self.words.is_listed(folded) or self.words.is_elsewhere(folded)
        if coast and not is_name and self.words.has_coasts(folded[:-2]):
            name = text[:-2].removesuffix("_")  # "Spa_nc"
            return Phrase(name, fold_word(name), coast)
        is_sign = text[-1].isupper() and (text[-2:-1].islower() or not self.words.begins_name(folded))
        is_support = folded[-1] == "s" and self.peek() is not None
        short = SHORT_COASTS.get(folded[-1:], "") if is_sign and not is_support else ""
        if short and not is_name and self.words.is_listed(folded[:-1]) and self.words.has_coasts(folded[:-1]):
            return Phrase(text[:-1], folded[:-1], short)  # "SpaN": the capital is no letter of the name
        return Phrase(text, folded)

    def with_coast(self, phrase: Phrase) -> Phrase:
        """Take the coast that stands after a place."""
        slash = self.peek()
        skip = 1 if slash is not None and slash.mark in {Mark.SLASH, Mark.DASH} and self.is_tight_coast(slash) else 0
        after = self.peek(1)
        if slash is not None and slash.text in HYPHENS and after is not None and after.tight and self.is_sign_before():
            skip = 1  # "- Bul -ec"
        if slash is not None and slash.text == "," and len(self.word(1)) > 1 and self.peek(3) is None:
            skip = 1  # "F St Petersburg, north coast"
        is_coastal = self.words.has_coasts(phrase.folded)
        if is_coastal and self.word() == "on":
            skip = 2 if self.word(1) == "the" else 1  # "Bul on the ec"
        coast, length = self.coasts_at(skip, is_coastal=is_coastal)
        if not coast:
            return phrase
        self.at += skip + length
        return Phrase(phrase.text, phrase.folded, _join_coasts(phrase.coast, coast))

    def begins_a_longer_name(self, ahead: int, length: int) -> bool:
        """A coast word that begins a longer place name is no coast: "Spain->North Africa"."""
        first = self.at
        self.at += ahead
        longer = self.known_length() > length
        self.at = first
        return longer

    def is_tight_coast(self, token: Token) -> bool:
        """A stroke, or a hyphen without spaces, may stand before a coast: "StP/nc", "StP-nc"; an arrow never does."""
        return token.mark is Mark.SLASH or (token.tight and token.text in HYPHENS)

    def coasts_at(self, ahead: int, *, is_coastal: bool) -> tuple[str, int]:
        """Say which coasts are written here, "NC/SC" where there are two, and in how many tokens."""
        coasts, length = self.coast_at(ahead, is_coastal=is_coastal)
        if not coasts or self.begins_a_longer_name(ahead, length):
            return "", 0
        while True:
            gap = self.between_coasts(ahead + length)
            another, words = self.coast_at(ahead + length + gap, is_coastal=is_coastal)
            if not another or not self.is_another_coast(ahead + length, gap, words):
                return coasts, length
            coasts, length = _join_coasts(coasts, another), length + gap + words

    def between_coasts(self, ahead: int) -> int:
        """Count the tokens that may stand between two coasts: a mark, an "or", or both."""
        count = 0
        while count < 2 and (token := self.peek(ahead + count)) is not None:
            if token.mark not in {Mark.SLASH, Mark.PLUS, Mark.BREAK} and token.folded not in BETWEEN_COASTS:
                break
            count += 1
        return count

    def is_another_coast(self, ahead: int, gap: int, words: int) -> bool:
        """Say whether a word behind a coast is a coast, too, and begins nothing new: "Spa nc, South Irish Sea"."""
        ahead += gap
        token, after = self.peek(ahead), self.peek(ahead + words)
        assert token is not None
        if self.begins_a_longer_name(ahead, words):
            return False
        if token.bracketed or gap == 0:
            return token.bracketed or len(token.folded) > 1
        return after is None or after.mark is not Mark.WORD or self.sign(ahead + words) is not None

    def coast_at(self, ahead: int, *, is_coastal: bool) -> tuple[str, int]:
        """Say which coast is written here, and in how many words."""
        token, after = self.peek(ahead), self.peek(ahead + 1)
        if token is None or token.mark is not Mark.WORD:
            return "", 0
        coasts = self.words.coasts
        both = token.folded + self.word(ahead + 1)
        if after is not None and after.mark is Mark.WORD and both in coasts and (is_coastal or len(both) > 2):
            return coasts[both], 2  # not "F ENG C E A Lon - Bel": England's
        if is_coastal and token.bracketed and self.word(ahead + 1) == "c" and f"{token.folded}coast" in coasts:
            return coasts[f"{token.folded}coast"], 2  # "(North C.)"
        if is_coastal and after is not None and after.mark is Mark.DASH and self.is_tight_coast(after):
            coast = token.folded + self.word(ahead + 2)  # "Spain-North-Coast"
            if coast in coasts and self.word(ahead + 2) == "coast":
                return coasts[coast], 3
        if token.folded in coasts and (is_coastal or self.is_needless_coast(token)):
            return coasts[token.folded], 1
        if token.folded in SHORT_COASTS and is_coastal and self.is_short_coast(token, ahead):
            return SHORT_COASTS[token.folded], 1
        return "", 0

    def is_needless_coast(self, token: Token) -> bool:
        """Two letters or brackets are a coast even where there is none; but "EC" is the Channel, too: "F Lon-EC"."""
        return token.bracketed or (len(token.folded) == 2 and not self.words.are_initials(token.folded))

    def is_short_coast(self, token: Token, ahead: int) -> bool:
        """A single letter is a coast in brackets or after a stroke, or where the table says so and no unit follows."""
        before = self.peek(ahead - 1) if self.at + ahead else None
        if token.bracketed or (before is not None and before.mark is Mark.SLASH):
            return True
        if not self.words.short_coasts:
            return False
        after = self.peek(ahead + 1)
        return not (token.folded == "s" and after is not None and after.mark is Mark.WORD and not self.sign(ahead + 1))
