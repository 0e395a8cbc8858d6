"""The roster: who plays, as the director's list has it, checked before anybody sits down."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import fields, replace

from pipeline.printable import BLANKS, LINES, is_whole, unprintable
from pipeline.problems import Problem, UnknownWords, Weight
from pipeline.rules.table import did_you_mean
from pipeline.words.names import fold_name
from pipeline.words.speech import write_count

BETWEEN_NAMES = ";/,"  # in the column keep_apart
Who = int | str  # a player: in facts the number, in memory the name
ListPlace = int | str  # where a row of a list stands: its number, or "5 of Owls" where several sheets are read


class Player(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One person of the tournament. Only the name must be given; a rule that needs more asks for it."""

    name: str
    family_name: str = ""  # if the list had it in a column; other databases ask for it
    number: int | None = None  # facts name a player by it; given with the first roster, never to anybody else
    club: str = ""
    country: str = ""
    team: str = ""
    distance_km: int | None = None  # from home to the tournament (WM XI.1.b.iv, EDC23 B)
    standing: str = ""  # "board member", "club member", "local", "traveller" (WM III.5)
    preregistered: bool = False  # announced the day before (EDC23 G)
    director: bool = False  # the TD, when he plays (WM III.6)
    two_boards: bool = False  # volunteers for two boards in one round (WM III.5, EDC23 B)
    stands_aside: bool = False  # volunteers to sit a round out (WM III.5)
    keep_apart: tuple[str, ...] = ()  # family and the like (WM III.3)
    ranking: int | None = None  # 1 is best, where the tournament has a list
    beginner: bool = False  # whose orders are read first (EDC23 R1, R12)
    stays_at: str = ""  # the board of every round for somebody who cannot move from table to table
    recorder: bool = False  # helps to enter results: a draw spreads them over the boards
    left: bool = False  # has gone home: no draw seats him any more
    more: tuple[tuple[str, str], ...] = ()  # other columns of the list, kept as they are: ("email", "a@b")


COLUMNS = tuple(field.name for field in fields(Player) if field.name != "more")
YES = frozenset({"yes", "y", "true", "1", "x", "oui", "ja"})
NO = frozenset({"no", "n", "false", "0", "", "non", "nein"})
FORMULA_SIGNS = ("=", "+", "-", "@")
LOOK_ALIKE = str.maketrans("авекмнорстухіѕјαβεζηικμνορτυχ", "abekmhopctyxisjabezhikmnoptyx")


def read_roster_rows(
    rows: Sequence[Sequence[str]], where: str, lines: Sequence[ListPlace] | None = None
) -> tuple[tuple[Player, ...], tuple[Problem, ...]]:
    """Read a roster from rows of text, the first of which names the columns; ``lines`` are where they begin.

    Columns that the program does not know are kept, and named.
    """
    places = lines or range(1, len(rows) + 1)
    numbered = [(place, row) for place, row in zip(places, rows, strict=True) if any(cell.strip() for cell in row)]
    if not numbered:
        return (), (Problem(Weight.STOPS, "the roster is empty; give one player a row under a heading 'name'", where),)
    place, headings = numbered[0]
    columns = _columns_of(headings, [row for _, row in numbered[1:]])
    problems = _heading_problems(columns, f"{where} row {place}" if place else where)  # 0: no row names the columns
    if "name" not in columns:
        text = "no column 'name'; the first row must name the columns"
        return (), (*problems, Problem(Weight.STOPS, text, f"{where} row {place}"))
    players = []
    for number, row in numbered[1:]:
        cells = dict(zip(columns, (cell.strip(BLANKS) for cell in row), strict=False))
        player, faults = _read_roster_row(cells, f"{where} row {number}")
        problems += _unprintable_cells(cells, f"{where} row {number}")
        problems += [*_too_long(row, columns, f"{where} row {number}"), *faults]
        players.append((number, player))
    names = {player.name for _, player in players}
    players = [
        (
            number,
            replace(player, keep_apart=tuple(name for cell in player.keep_apart for name in split_names(cell, names))),
        )
        for number, player in players
    ]
    problems += (
        _same_names(players, where) + _same_numbers(players, where) + _unknown_apart([p for _, p in players], where)
    )
    return tuple(p for _, p in players), tuple(problems)


def _columns_of(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The name of each column: a known one, or else its heading, or else its number."""
    named = [known if (known := _known_as(text)) in COLUMNS else text.strip(BLANKS) for text in headings]
    used = [any(cell.strip() for row in rows for cell in row[place : place + 1]) for place in range(len(named))]
    return [name or (f"column {place}" if used[place - 1] else "") for place, name in enumerate(named, start=1)]


def _known_as(heading: str) -> str:
    """A heading as the program's own columns are written.

    >>> _known_as(" Keep Apart ")
    'keep_apart'
    """
    return heading.strip().lower().replace(" ", "_")


IS_STATE = re.compile(
    r"\b(status|state|confirm\w*|zugesagt|angemeldet|bestatigt|inscrit\w*|conferm\w*|attend\w*|come|coming|rsvp|going|playing|participat\w+|zusage|teilnahme|kommt|kommst|dabei|mitspiel\w*|anwesend\w*|zustand|"
    r"presen\w+|participe|etat|asist\w+|estado|partecipa\w*|stato|obecnosc|uczestnictwo|udzial|aanwezig\w*|komt)\b"
)  # heads a column that says whether somebody plays


def _heading_problems(columns: Sequence[str], where: str) -> list[Problem]:
    """Notes on headings: columns that are only kept, and possible misspellings."""
    problems = []
    for column in dict.fromkeys(column for column in columns if column):
        if columns.count(column) > 1:
            text = f"the column {column[:60]!r} stands twice; give one of the two another heading"
            problems.append(Problem(Weight.STOPS, text, where))
        if fault := unprintable(column):
            problems.append(Problem(Weight.STOPS, f"the heading {column[:60]!r} holds {fault}", where))
        if IS_STATE.search(fold_name(column)):
            text = f"the column {column[:60]!r} is kept; whom it says not to play, you are asked about"
            problems.append(Problem(Weight.NOTES, text, where))
        elif column not in COLUMNS:
            hint = did_you_mean(_known_as(column), COLUMNS)
            text = f"the column {column[:60]!r} is kept, and the program makes no use of it{hint}"
            problems.append(Problem(Weight.NOTES, text, where))
    return problems


def _too_long(row: Sequence[str], columns: Sequence[str], where: str) -> list[Problem]:
    """A row with more cells than columns: a comma inside a cell may have split it."""
    if not any(cell.strip() for cell in row[len(columns) :]):
        return []
    text = (
        f"{write_count(len(row), 'cell')} in {write_count(len(columns), 'column')}; put a cell that has the "
        "separator in it in quotes"
    )
    return [Problem(Weight.STOPS, text, where)]


def _unprintable_cells(cells: Mapping[str, str], where: str) -> list[Problem]:
    """List the cells of a row that cannot be printed on a line."""
    return [
        Problem(Weight.STOPS, f"{column}: {cell[:60]!r} holds {fault}", where)
        for column, cell in cells.items()
        if (fault := unprintable(cell, "" if column in COLUMNS else LINES))
    ]


def _read_roster_row(cells: Mapping[str, str], where: str) -> tuple[Player, list[Problem]]:
    problems: list[Problem] = []

    def number(column: str) -> int | None:
        text = cells.get(column, "")
        if not text:
            return None
        if not is_whole(text):
            problems.append(Problem(Weight.STOPS, f"{column}: expected a whole number, found {text[:60]!r}", where))
            return None
        return int(text)

    def yes(column: str) -> bool:
        text = cells.get(column, "").lower()
        if text not in YES | NO:
            problems.append(Problem(Weight.STOPS, f"{column}: expected yes or no, found {text!r}", where))
        return text in YES

    name = unicodedata.normalize("NFC", " ".join(cells.get("name", "").split()))
    if not name:
        problems.append(Problem(Weight.STOPS, "a player without a name", where))
    elif name.startswith(FORMULA_SIGNS):
        text = f"the name {name!r} begins like a formula; it is kept as text and never computed"
        problems.append(Problem(Weight.NOTES, text, where))
    player = Player(
        name=name,
        family_name=unicodedata.normalize("NFC", cells.get("family_name", "")),
        number=number("number"),
        club=cells.get("club", ""),
        country=cells.get("country", ""),
        team=cells.get("team", ""),
        distance_km=number("distance_km"),
        standing=cells.get("standing", ""),
        preregistered=yes("preregistered"),
        director=yes("director"),
        two_boards=yes("two_boards"),
        stands_aside=yes("stands_aside"),
        keep_apart=(cells["keep_apart"],) if cells.get("keep_apart", "") else (),
        ranking=number("ranking"),
        beginner=yes("beginner"),
        stays_at=cells.get("stays_at", ""),
        recorder=yes("recorder"),
        left=yes("left"),
        more=tuple((column, cell) for column, cell in cells.items() if column not in ("", *COLUMNS) and cell),
    )
    return player, problems


def _same_names(players: Iterable[tuple[ListPlace, Player]], where: str) -> list[Problem]:
    """List names that stand twice, whatever their case: results could not be told apart."""
    seen: dict[str, ListPlace] = {}
    problems = []
    for number, player in players:
        key = player.name.casefold()
        if key and key in seen:
            text = f"{player.name!r} stands twice, also in row {seen[key]}; add an initial to one of them"
            problems.append(Problem(Weight.STOPS, text, f"{where} row {number}"))
        seen.setdefault(key, number)
    return problems


def _same_numbers(players: Iterable[tuple[ListPlace, Player]], where: str) -> list[Problem]:
    """List numbers that occur twice or are invalid: facts could not be attributed."""
    seen: dict[int, str] = {}
    problems = []
    for row, player in players:
        if player.number is None:
            continue
        if player.number < 1:
            text = f"{player.name!r} has the number {player.number}; they begin with 1; leave it out, and one is given"
            problems.append(Problem(Weight.STOPS, text, f"{where} row {row}"))
        elif player.number in seen:
            text = f"number {player.number} stands twice, for {seen[player.number]!r} and {player.name!r}"
            problems.append(Problem(Weight.STOPS, f"{text}; leave it out where it is wrong", f"{where} row {row}"))
        seen.setdefault(player.number, player.name)
    return problems


def name_look(text: str) -> str:
    """As `fold_name`, with Latin letters for the Cyrillic and Greek ones that look like them, small or capital.

    >>> name_look("\N{CYRILLIC CAPITAL LETTER A}da"), name_look("\N{CYRILLIC CAPITAL LETTER EN}al")
    ('ada', 'hal')
    """
    return fold_name(text).translate(LOOK_ALIKE)


NO_FAMILY = re.compile(r"(?i)(jr|sr|junior|senior|[ivx]{2,}|ph\.? ?d|m\.? ?d)\.?")  # behind a family name


def family_order(player: Player) -> tuple[str, str]:
    """What a list is sorted by in which people look for their family name; the last word where no list said it.

    >>> names = (Player(name="Ada Zorn"), Player(name="Bo Ek Jr."), Player(name="Lim Wei", family_name="Lim"))
    >>> [player.name for player in sorted(names, key=family_order)]
    ['Bo Ek Jr.', 'Lim Wei', 'Ada Zorn']
    """
    words = [word for word in player.name.replace(",", " ").split() if not NO_FAMILY.fullmatch(word)]
    return fold_name(player.family_name or (words or [player.name])[-1]), fold_name(player.name)


def assign_numbers(
    players: Sequence[Player], known: Mapping[str, int], taken: Iterable[int] = ()
) -> tuple[Player, ...]:
    """Give everybody a number: his own, the one that facts have for his name, or the next unused one.

    >>> ana, bo, cy = Player(name="Ana"), Player(name="Bo", number=4), Player(name="Cy")
    >>> [player.number for player in assign_numbers([ana, bo, cy], {"Cy": 2}, taken=[5])]
    [6, 4, 2]
    """
    own = {player.number for player in players if player.number is not None}
    used = own | set(taken) | set(known.values())
    following = max(used, default=0)
    players_numbered = []
    for player in players:
        number = player.number
        if number is None and known.get(player.name) not in own:
            number = known.get(player.name)
        if number is None:
            number = following = following + 1
        own.add(number)
        players_numbered.append(replace(player, number=number))
    return tuple(players_numbered)


def split_names(cell: str, names: Collection[str]) -> Iterator[str]:
    """The names in a cell, with ; or / or a comma between; a name on the roster that holds such a sign is one.

    >>> list(split_names("Bo Ek; Cy/Day, Ann", {"Bo Ek", "Cy", "Day, Ann"}))
    ['Bo Ek', 'Cy', 'Day, Ann']
    """
    cell = cell.strip()
    sign = next((sign for sign in BETWEEN_NAMES if sign in cell), "")
    if cell in names or not sign:
        yield from (cell,) if cell else ()
        return
    parts = cell.split(sign)
    most = 1 + max((name.count(sign) for name in names), default=0)
    place = 0
    while place < len(parts):  # take a name that contains the separator whole, else one part
        ends = range(min(len(parts), place + most), place + 1, -1)
        end = next((end for end in ends if sign.join(parts[place:end]).strip() in names), place + 1)
        yield from split_names(sign.join(parts[place:end]), names)
        place = end


def _unknown_apart(players: Sequence[Player], where: str) -> list[Problem]:
    """List people to be kept apart from somebody who is not on the roster."""
    names = tuple(p.name for p in players)
    return [
        Problem(
            Weight.STOPS,
            f"keep_apart: nobody is called {other!r}; write whole names with ; or / or a comma between"
            f"{did_you_mean(other, names)}",
            f"{where} {p.name}",
        )
        for p in players
        for other in p.keep_apart
        if other not in names
    ]


# Whom somebody means: a whole name in any case, or its first words, such as the first name, where they are unique; the
# last name may stand in front, with a comma behind it.


def _meant_by(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Everybody who may be meant: one player, several if the name is ambiguous, none if it is unknown.

    >>> names = ("Anna Berg", "Anna Lind", "Bo", "Bo Ek", "Cy Day")
    >>> _meant_by("cy", names), _meant_by("Bo", names), _meant_by("Anna", names), _meant_by("Dee", names)
    (('Cy Day',), ('Bo',), ('Anna Berg', 'Anna Lind'), ())
    >>> _meant_by("Lind, Anna", names), _meant_by("ek,bo", names)
    (('Anna Lind',), ('Bo Ek',))
    """
    names = tuple(names)
    if text in names:
        return (text,)
    for look in (str.casefold, fold_name):  # as it is written, then as people type it
        wanted = look(text).split()
        whole = tuple(name for name in names if look(name).split() == wanted)
        begun = tuple(name for name in names if wanted and look(name).split()[: len(wanted)] == wanted)
        if whole or begun:
            return whole or begun
    last, comma, first = text.partition(",")
    return _meant_by(f"{first} {last}", names) if comma else ()


def full_name(text: str, names: Iterable[str], former: Mapping[str, str] = MappingProxyType({})) -> str:
    """The name of the one who is meant; if nobody or several may be meant, the text unchanged.

    Where nobody has such a name, a whole former name will do: ``former`` has the present one of each.

    >>> full_name("cy", ("Cy Day", "Bo Ek")), full_name("al day", ("Cy Day", "Bo Ek"), {"Al Day": "Cy Day"})
    ('Cy Day', 'Cy Day')
    """
    matching = _meant_by(text, names) or tuple({former[name] for name in former if fold_name(name) == fold_name(text)})
    return matching[0] if len(matching) == 1 else text


def nobody_called(text: str, names: Iterable[str], where: str) -> UnknownWords:
    """Say that a name is unknown, or may mean several players.

    >>> print(nobody_called("Anna", ("Anna Berg", "Anna Lind"), "players"))
    stops  players: 'Anna' may be Anna Berg or Anna Lind; say which
    >>> found = nobody_called("Bo Eck", ("Anna Berg", "Bo Ek"), "players")
    >>> found.text, found.meant
    ("nobody on the roster is called 'Bo Eck'; did you mean 'Bo Ek'?", ('Bo Ek',))
    """
    names = tuple(names)
    if len(matching := _meant_by(text, names)) > 1:
        return UnknownWords(Weight.STOPS, f"{text!r} may be {' or '.join(matching)}; say which", where, text, matching)
    meant = tuple(get_close_matches(text, names, n=1))
    unknown = f"nobody on the roster is called {text!r}{did_you_mean(text, names)}"
    return UnknownWords(Weight.STOPS, unknown, where, text, meant)
