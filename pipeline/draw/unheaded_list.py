"""A list of players whose columns nobody named and whose family names stand in front: the names are proposed."""

import re
from collections.abc import Sequence

from msgspec import Struct, field

from pipeline.draw.letter_lines import says_closing
from pipeline.draw.name_doubts import LONGEST_TEXT, PARTICLES, drop_counts, says_state
from pipeline.draw.roster import ListPlace
from pipeline.words.names import fold_name

MOST = 0.6  # of the rows: what so many are like is what the list is like
LONGEST_NAME = 3  # words of a first name, or of a family name
BEHIND = re.compile(r"([^()\[\]]*\S)\s+(?:[(\[]\s*([^()\[\]]*\S)\s*[)\]]|[-–—]\s+([^()\[\]]+))")
TURNED = "a family name and a first name, it seems"

NumberedRows = list[tuple[ListPlace, Sequence[str]]]


class ProposedNames(Struct):
    """What a list without headings is taken for: its columns, its rows, and what must be asked about."""

    headings: list[str]
    rows: NumberedRows
    told: str
    asked: dict[ListPlace, tuple[str, bool]] = field(default_factory=dict)  # why, and whether a player is likely


def propose_turned_names(numbered: NumberedRows) -> ProposedNames | None:
    """The names of a list without headings such as "Lund, Ada", a player a line; None if too few rows are so.

    >>> proposed = propose_turned_names([(1, ["1. O'Brien", " Siobhan (Dublin)"]), (2, ["2. Lund", " Ada (Oslo)"])])
    >>> proposed.rows if proposed else None
    [(1, ["O'Brien, Siobhan", 'Dublin']), (2, ['Lund, Ada', 'Oslo'])]
    """
    filled = [[cell.strip() for cell in row if cell.strip()] for _, row in numbered]
    surnames, _ = drop_counts([row[0] for row in filled])
    has_blanks = any(cell.startswith(" ") for _, row in numbered for cell in row[1:2])
    if not has_blanks or sum(map(is_whole_name, surnames)) >= MOST * len(surnames):
        return None
    rows: NumberedRows = []
    asked: dict[ListPlace, tuple[str, bool]] = {}
    for (line, _), surname, (_, *behind) in zip(numbered, surnames, filled, strict=True):
        parts = [surname, *behind]
        first, club = _part_club(parts[1]) if len(parts) in (2, 3) else ("", "")
        if len(parts) > 3 or not (first and _is_part_of_name(parts[0]) and _is_part_of_name(first)):
            asked[line] = "not written as the other lines are", len(parts) == 1
            rows.append((line, [", ".join(parts), ""]))
            continue
        asked[line] = TURNED, True
        rows.append((line, [f"{parts[0]}, {first}", "; ".join(filter(None, (club, *parts[2:])))]))
    if sum(
        row[0].count(",") == 1 and is_likely for (_, row), (_, is_likely) in zip(rows, asked.values(), strict=True)
    ) < MOST * len(rows):
        return None
    return ProposedNames(["name", "club"], rows, "the family names stand in front, it seems", asked)


def _part_club(text: str) -> tuple[str, str]:
    """A text, and what stands behind it in brackets or behind a dash.

    >>> _part_club("Siobhan (Dublin Castle)"), _part_club("Ada - Oslo"), _part_club("Ada")
    (('Siobhan', 'Dublin Castle'), ('Ada', 'Oslo'), ('Ada', ''))
    """
    both = BEHIND.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    return (both[1], (both[2] or both[3]).strip()) if both else (text, "")


def _is_part_of_name(text: str) -> bool:
    """Whether a text may be a first name or a family name.

    >>> [_is_part_of_name(text) for text in ("O'Brien", "van der Berg", "Jean-Luc", "paid", "Best regards", "12")]
    [True, True, True, False, False, False]
    """
    words = text.split()
    own = [word for word in words if fold_name(word) not in PARTICLES or not word.islower()]
    is_name = bool(own) and all(word[0].isupper() and word.replace("-", "").isalpha() for word in _plain(own))
    return is_name and len(own) <= LONGEST_NAME and not says_state(text) and not says_closing(text)


def _plain(words: Sequence[str]) -> list[str]:
    """Words without apostrophes, and without the point of an initial."""
    return [word.translate(dict.fromkeys(map(ord, "'’‘`´."))) or "." for word in words]


def is_whole_name(text: str) -> bool:
    """Whether a text may be a first name and a family name.

    >>> [is_whole_name(text) for text in ("Ada Lund", "Vincent van der Berg", "Ada", "Ada Lund paid", "New address")]
    [True, True, False, False, False]
    """
    words = text.replace(",", " ").split()
    own = [word for word in words if fold_name(word) not in PARTICLES or not word.islower()]
    return 1 < len(own) <= 2 * LONGEST_NAME and all(map(_is_part_of_name, own)) and not says_state(text)
