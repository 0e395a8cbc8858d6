"""What a word may mean: every province, how the word came to mean it, and whether the word alone says which."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pipeline.interpret.doubts.because import Because
from pipeline.words import Told


class WordMatch(StrEnum):
    """How a word came to mean a province."""

    LISTED = "LISTED"
    OTHER_NAME = "OTHER_NAME"  # in another language, or of another time
    WITHIN = "WITHIN"  # the name of what lies within it
    DISPUTED = (
        "DISPUTED"  # known to be taken for it, and for others: written out as ambiguous, because no row could list it
    )
    INITIALS = "INITIALS"
    BEGINS = "BEGINS"
    NEAR = "NEAR"
    FITS = "FITS"  # in all letters that can be read


@dataclass(frozen=True, slots=True)
class Meaning:
    """One province that a word may mean."""

    code: str
    how: WordMatch
    spelling: str  # the word of the table
    likeness: float  # 0..1, Jaro-Winkler; 1 for a word that is listed, begins one or fits one
    is_slip: bool = False  # one letter left out, put in or changed, or two neighbours swapped

    def of_word(self, text: str) -> Told:
        """Tell that a word was taken for it, and how."""
        likeness = (f"{self.likeness:.2f}",) if self.how is WordMatch.NEAR else ()
        return Told.of(
            Because.WORD, text=text, province=self.code, how=self.how, spelling=self.spelling, likeness=likeness
        )


@dataclass(frozen=True, slots=True)
class Sense:
    """All that a word may mean, likeliest first, and whether the word alone says which."""

    meanings: tuple[Meaning, ...]
    is_firm: bool  # one meaning, and near enough to it and far enough from all others
    likely: Meaning | None = None  # of a word with few letters: what is meant if the unit can do nothing else with it
    is_elsewhere: bool = False  # a real name of what is no province: nobody's slip of the pen
    are_alternatives: bool = False  # several places are written, with a stroke between them

    @property
    def codes(self) -> tuple[str, ...]:
        """The provinces."""
        return tuple(meaning.code for meaning in self.meanings)

    @property
    def how(self) -> WordMatch | None:
        """How its meanings were found; those that were found in another way come after the others."""
        return self.meanings[0].how if self.meanings else None

    @property
    def may_be_a_slip(self) -> bool:
        """Its letters may be wrong: then no list says what it may mean, and what is possible chooses from none."""
        return not self.is_firm and (self.how is WordMatch.NEAR or self.likely is not None or self.is_elsewhere)


def sense_of(meanings: Iterable[Meaning]) -> Sense:
    """Make a sense of meanings that are all equally good; each province is in it once, as it was found first."""
    found: dict[str, Meaning] = {}
    for meaning in meanings:
        found.setdefault(meaning.code, meaning)
    return Sense(tuple(found.values()), is_firm=len(found) == 1)
