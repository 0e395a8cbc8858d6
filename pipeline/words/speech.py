"""The language of what players see: prints, the pages for telephones, the screen.

English stands in the program; each other language is a gettext catalogue beside this module, a ``.po`` for people and
a ``.mo`` for the program, which ``python -m languages`` keeps. What stands in no catalogue is said in English.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files

from pipeline.words.wording import Worded, in_a_row

ENGLISH = "en"
FOLDER = "catalogues"
PLACE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]C)?(?![A-Za-z/])")


def to_say(text: str) -> str:
    """Mark a text that is said elsewhere, so that it stands in the catalogues."""
    return text


POWERS = (
    to_say("Austria"),
    to_say("England"),
    to_say("France"),
    to_say("Germany"),
    to_say("Italy"),
    to_say("Russia"),
    to_say("Turkey"),
)
NAMES = (*POWERS, to_say("Switzerland"))
HALF = to_say("0.5")  # a number as it is written: its second sign is a point or a comma


@dataclass(frozen=True, slots=True)
class Speech:
    """One language, with the words for places that are printed in it.

    >>> Speech().says("Board {board}", board="1.2"), Speech("de").says("Board {board}", board="1.2")
    ('Board 1.2', 'Brett 1.2')
    """

    code: str = ENGLISH
    places: Mapping[str, str] = field(default_factory=dict)  # place -> its word; what is not there keeps its code

    def says(self, text: str, /, **data: object) -> str:
        """Say an English text, or pattern, in this language."""
        if self.code == ENGLISH or not text:
            return text.format(**data) if data else text
        if isinstance(text, Worded):
            return self.says(text.pattern, **{name: self.of_the_game(value) for name, value in text.data.items()})
        said = catalogue(self.code).gettext(text)
        return said.format(**{name: self.datum(value) for name, value in data.items()}) if data else said

    def datum(self, value: object) -> object:
        """Say what stands in a sentence where it is a sentence itself; names of people stay."""
        return self.says(value) if isinstance(value, Worded) else value

    def of_the_game(self, value: object) -> object:
        """Say what a sentence of the game is made of: sentences, powers, places and orders, or several of them."""
        if isinstance(value, tuple):
            return in_a_row(tuple(map(self.of_the_game, value)))
        if isinstance(value, Worded):
            return self.says(value)
        text = str(value)  # of an order or a unit, too
        if text.title() in NAMES:
            return self.power(text).upper() if text.isupper() else self.power(text)
        return self.order(text)

    def power(self, power: str) -> str:
        """Name a power.

        >>> Speech("de").power("AUSTRIA"), Speech().power("AUSTRIA")
        ('Österreich', 'Austria')
        """
        return self.says(power.title())

    def order(self, text: str) -> str:
        """Write the places of an order, or of what names some, with the words of this language.

        >>> Speech("de", {"VIE": "WIE"}).order("A VIE - BOH")
        'A WIE - BOH'
        """
        return PLACE.sub(lambda found: self.places.get(found[0], found[0]), text) if self.places else text

    def number(self, text: str) -> str:
        """Write a number that has decimals.

        >>> Speech("de").number("12.50"), Speech().number("12.50")
        ('12,50', '12.50')
        """
        return text.replace(HALF[1], self.says(HALF)[1])


IN_ENGLISH = Speech()


@cache
def languages() -> tuple[str, ...]:
    """The languages there are: English, and those with a catalogue."""
    found = (each.name for each in files(__package__).joinpath(FOLDER).iterdir())
    return (ENGLISH, *sorted(name.removesuffix(".mo") for name in found if name.endswith(".mo")))


@cache
def catalogue(code: str) -> GNUTranslations:
    """A language's catalogue."""
    with files(__package__).joinpath(FOLDER, f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)


def speech_of(code: str) -> Speech:
    """A language by its code, such as a template says; what an older edition does not know is said in English."""
    return Speech(code) if code in languages() else IN_ENGLISH
