"""What the net learns to read: never the list of legal orders.

A net that has only seen legal orders corrects the player. So the provinces, spellings and coasts are drawn at random,
letters are slipped, and a third of all text is letters without sense.
"""

import random
import string
from collections.abc import Callable

from msgspec import Struct

from pipeline.board import standard_map
from pipeline.reading.alphabet import ALONE, SIGNS

PROVINCES = tuple(standard_map().provinces.values())
DASHES = (" - ", "-", " -", "- ", "->", " -> ", " > ", ">", " → ", " to ", " ")
DASH_WEIGHTS = (34, 22, 6, 5, 8, 8, 2, 1, 6, 5, 3)
VERBS = ("H", "S", "C", "Hold", "Holds", "Sup", "Supp", "Supports", "Con", "Conv", "Convoys", "R", "D", "B")
VERB_WEIGHTS = (14, 34, 12, 3, 3, 4, 3, 3, 3, 2, 2, 4, 4, 4)
COASTS = ("(nc)", "(sc)", "(ec)", "/nc", "/sc", "/ec", " nc", " sc", " ec", "(NC)", "(SC)", "/NC", "(wc)", " (ec)")
SLIPPED = 0.20  # share of orders with a slip of any kind ...
MISTAKEN = 0.40  # ... and of those with one letter that looks like the right one: a net must see that it is not
ALIKE = (  # letters that somebody draws alike
    *("il", "uv", "an", "et", "ad", "hn", "oa", "ce", "rv", "gq", "gy", "ij", "nr", "mn", "uw", "ft", "bh", "eo", "sr"),
    "pr",
)
SIGNED = 0.06  # share of lines with a sign that no order has
OTHER_WORDS = (
    *("build", "remove", "disband", "retreat", "waive", "none", "hold", "spring", "fall", "autumn", "winter", "void"),
    *("support", "convoy", "by", "via", "army", "fleet", "north", "south", "east", "west", "coast", "player", "power"),
    *("no", "order", "see", "below", "ok", "from", "and", "yes", "draw", "vote", "the", "same", "as", "before"),
    *("austria", "england", "france", "germany", "italy", "russia", "turkey", "peace", "moves", "supports", "holds"),
)


class Habit(Struct, frozen=True):
    """What one player does on every line of a sheet."""

    case: Callable[[str], str]
    dash: str
    after_unit: str
    prefers_names: float  # share of provinces written out

    def __call__(self, text: str) -> str:
        """Write a piece of text in this habit's case."""
        return self.case(text)


def habit(rng: random.Random) -> Habit:
    """Draw a player's habits."""
    case = rng.choices((str.title, str.upper, str.lower), (40, 42, 18))[0]
    dash = rng.choices(DASHES, DASH_WEIGHTS)[0]
    after = rng.choices((" ", "", ". ", "  "), (75, 13, 5, 7))[0]
    return Habit(case, dash, after, rng.choices((0.0, 0.15, 1.0), (70, 19, 11))[0])


def shortened(name: str, rng: random.Random) -> str:
    """Shorten a name as people do: its beginning, its consonants, its initials."""
    words = name.replace("-", " ").split()
    first, *rest = words
    draw = rng.random()
    if rest and draw < 0.3:
        return "".join(word[0] for word in words)
    if draw < 0.75:
        return first[: rng.randint(2, 6)]
    return first[0] + "".join(letter for letter in first[1:] if letter not in "aeiou")[: rng.randint(2, 4)]


def province(way: Habit, rng: random.Random) -> str:
    """Spell a random province one way or another."""
    chosen = rng.choice(PROVINCES)
    if rng.random() < way.prefers_names:
        text = way(chosen.name)
    else:
        text = way(shortened(chosen.name, rng) if rng.random() < 0.2 else chosen.code)
    wants_coast = rng.random() < (0.6 if chosen.coasts else 0.02)
    return text + (rng.choice(COASTS) if wants_coast else "")


def unit(way: Habit, rng: random.Random) -> str:
    """Name a unit: ``A Vie``, ``F. LON``."""
    letter = rng.choice("AF")
    return (letter if rng.random() < 0.85 else way(letter)) + way.after_unit + province(way, rng)


def order(rng: random.Random) -> str:
    """Write something of the shape of an order, over any provinces at all."""
    way = habit(rng)
    shape = rng.choices(("move", "verb", "support", "aftermath"), (42, 16, 36, 6))[0]
    if shape == "move":
        return unit(way, rng) + way.dash + province(way, rng)
    if shape == "aftermath":
        return way(rng.choice(("build ", "b ", "remove ", "disband ", "d ", "bld "))) + unit(way, rng)
    verb = way(rng.choices(VERBS, VERB_WEIGHTS)[0])
    if shape == "verb":
        return f"{unit(way, rng)} {verb}"
    other = unit(way, rng) if rng.random() < 0.6 else province(way, rng)
    target = way.dash + province(way, rng) if rng.random() < 0.72 else ""
    return f"{unit(way, rng)} {verb} {other}{target}"


def slipped(text: str, rng: random.Random) -> str:
    """Change, drop, add or swap a letter of a text."""
    places = [place for place, letter in enumerate(text) if letter.isalpha()][1:]
    if not places:
        return text
    at = rng.choice(places)
    letter = rng.choice(string.ascii_lowercase)
    letter = letter.upper() if text[at].isupper() else letter
    kind = rng.choices(("change", "drop", "add", "swap"), (45, 20, 20, 15))[0]
    before, here, after = text[:at], text[at], text[at + 1 :]
    match kind:
        case "change":
            return before + letter + after
        case "drop":
            return before + after
        case "add":
            return before + letter + here + after
        case _:
            return before + after[:1] + here + after[1:]


def mistaken(text: str, rng: random.Random) -> str:
    """Change a letter of a text into one that looks like it: what a careful reader must still see."""
    places = [at for at, letter in enumerate(text) if any(letter.lower() in pair for pair in ALIKE)][1:]
    if not places:
        return text
    at = rng.choice(places)
    here = text[at].lower()
    pair = rng.choice([pair for pair in ALIKE if here in pair])
    other = pair.replace(here, "")
    return text[:at] + (other.upper() if text[at].isupper() else other) + text[at + 1 :]


def nonsense(rng: random.Random) -> str:
    """Write letters that are no words, in the shape of an order."""
    way = habit(rng)

    def word() -> str:
        length = rng.choices((1, 2, 3, 4, 5, 7), (8, 8, 54, 13, 10, 7))[0]
        return way("".join(rng.choices(string.ascii_lowercase, k=length)))

    text = (rng.choice("AF") if rng.random() < 0.6 else word()) + way.after_unit + word()
    for _ in range(rng.randint(1, 3)):
        joint = way.dash if rng.random() < 0.5 else rng.choice((" S ", " s ", " C ", " ", " / ", " H ", " - "))
        text += joint + word()
    return text + (rng.choice(COASTS) if rng.random() < 0.1 else "")


def prose(rng: random.Random) -> str:
    """Write a few words that are no order."""
    way = habit(rng)
    pool = [rng.choice(OTHER_WORDS) if rng.random() < 0.6 else rng.choice(PROVINCES).name for _ in range(3)]
    return rng.choice((" ", " ", " - ", "/")).join(way(word) for word in pool[: rng.randint(1, 3)])


def numbers(rng: random.Random) -> str:
    """Write what board sheets and ballots ask for: counts, years, ratings."""
    shape = rng.choices(("count", "year", "season", "long", "pair"), (45, 15, 15, 15, 10))[0]
    match shape:
        case "count":
            return str(rng.randint(0, 34))
        case "year":
            return str(rng.randint(1900, 1925))
        case "season":
            return rng.choice("SFWsfw") + rng.choice(("19", "")) + f"{rng.randint(0, 20):02}"
        case "long":
            return "".join(rng.choices(string.digits, k=rng.randint(3, 8)))
        case _:
            return f"{rng.randint(0, 34)}{rng.choice((' - ', '/', '-'))}{rng.randint(0, 34)}"


def cell(rng: random.Random) -> str:
    """Write what one field of a sheet holds: a place, a unit."""
    way = habit(rng)
    return province(way, rng) if rng.random() < 0.8 else unit(way, rng)


def signed(text: str, rng: random.Random) -> str:
    """Put a sign behind a text, before it, or between two of its words: a doubt, a note, the same as above."""
    sign: str = rng.choices((*SIGNS, *ALONE), (6, 4, 3, *(1 for _ in SIGNS[3:]), 3, 4))[0]
    place = rng.choices(("behind", "before", "between"), (60, 25, 15))[0]
    air = rng.choice(("", " "))
    words = text.split(" ")
    match place:
        case "behind":
            return text + air + sign * rng.choice((1, 1, 1, 1, 2))
        case "before" if len(words) > 1 and rng.random() < 0.5:
            return " ".join([sign, *words[1:]])
        case "before":
            return sign + air + text
        case _:
            at = rng.randint(1, len(words))
            return " ".join([*words[:at], sign, *words[at + rng.choice((0, 1)) :]])


def text(rng: random.Random) -> str:
    """Draw one line for the net to learn from."""
    kind = rng.choices((order, cell, prose, nonsense, numbers), (56, 7, 5, 28, 4))[0]
    line = kind(rng)
    draw = rng.random()
    if kind is order and draw < SLIPPED + MISTAKEN:
        line = slipped(line, rng) if draw < SLIPPED else mistaken(line, rng)
    return signed(line, rng) if kind in (order, nonsense) and rng.random() < SIGNED else line
