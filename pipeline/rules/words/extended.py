"""Make one abbreviation table of its file and of those that it extends, with all faults at once."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pipeline.board.map import Power
from pipeline.board.standard import standard_map
from pipeline.problems import Problem
from pipeline.rules.toml.table import Table, did_you_mean
from pipeline.rules.words.abbreviations import Abbreviations, CaseHabit, ProvinceWords, Sign, fold

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})  # ß folds to ss
Words = Mapping[str, tuple[str, ...]]
K = TypeVar("K", bound=str)


def read_abbreviations(name: str, files: Mapping[str, Mapping[str, Any]], problems: list[Problem]) -> Abbreviations:
    """Read table ``name``; ``files`` holds it and every table that it extends, near or far.

    What two tables say about the same province is joined, the extending table's words first. Its list numbers are
    its own; without any, those of the first table it extends.
    """
    return join(name, files, problems, ())


def join(
    name: str, files: Mapping[str, Mapping[str, Any]], problems: list[Problem], under: tuple[str, ...]
) -> Abbreviations:
    """Join one table with its bases; ``under`` are the tables that are being joined already."""
    table = Table(files[name], f"{name}.toml", problems, between=" ")
    bases = []
    for base in texts(table, "extends"):
        if base in (*under, name):
            table.fault("extends", f"{base!r} extends this table, so this table cannot extend it")
        elif base in files:
            bases.append(join(base, files, problems, (*under, name)))
        else:
            table.fault("extends", f"expected the name of a table, found {base!r}")
    own = read_rows(table.table("provinces"))
    rows = join_rows([own, *(base.rows for base in bases)])
    if not under:
        check_complete(rows, table)
    found = Abbreviations(
        id=name,
        name=table.get("name", str, name),
        source=table.get("source", str, ""),
        case=CaseHabit(table.choice("case", tuple(CaseHabit))),
        rows=rows,
        ambiguous=merge([read_ambiguous(table), *(settled(base.ambiguous, own) for base in bases)]),
        coasts=merge([read_coasts(table), *(base.coasts for base in bases)]),
        signs=merge([read_words(table.table("signs"), tuple(Sign)), *(base.signs for base in bases)]),
        nations=merge([read_words(table.table("nations"), tuple(Power)), *(base.nations for base in bases)]),
        accepted_lint=read_lint(table.table("lint")),
        other_names=merge([read_places(table, "other_names"), *(base.other_names for base in bases)]),
        within=merge([read_places(table, "within"), *(base.within for base in bases)]),
        elsewhere=tuple(dict.fromkeys((*read_elsewhere(table), *(name for base in bases for name in base.elsewhere)))),
        language=table.get("language", str, "") or (bases[0].language if bases else ""),
    )
    table.finish()
    return found


def settled(ambiguous: Words, own: Mapping[str, ProvinceWords]) -> Words:
    """Drop the words that a table's own rows explain: what a base calls ambiguous may be listed here."""
    listed = {fold(word) for row in own.values() for word in row.accepted}
    return {word: codes for word, codes in ambiguous.items() if word not in listed}


def check_complete(rows: Mapping[str, ProvinceWords], table: Table) -> None:
    """Note the provinces for which nothing may be written."""
    missing = [code for code in standard_map().provinces if code not in rows]
    if missing:
        table.fault("provinces", f"no row for {', '.join(missing)}; what may be written for them?")


def read_rows(table: Table) -> dict[str, ProvinceWords]:
    """Read ``[provinces]``: a row for each province, in the order of the printed list.

    A table with all provinces numbers them by that order, unless it writes the numbers itself.
    """
    numbered = len(table.values) >= len(standard_map().provinces)
    board = standard_map()
    known = (*board.provinces, *board.impossible)
    rows = {}
    for position, code in enumerate(table.values, start=1):
        if code not in known:
            table.fault(code, f"no such province{did_you_mean(code, known)}")
            table.asked.add(code)
            continue
        row = table.table(code)
        name = board.provinces[code].name if code in board.provinces else board.impossible[code]
        rows[code] = ProvinceWords(
            code=code,
            number=row.get("number", int, position if numbered else 0),
            name=row.get("name", str, name),
            accepted=tuple(dict.fromkeys((*texts(row, "accepted"), name))),
            as_printed=row.get("as_printed", str, ""),
            note=row.get("note", str, ""),
        )
        row.finish()
    table.finish()
    return rows


def join_rows(tables: list[Mapping[str, ProvinceWords]]) -> dict[str, ProvinceWords]:
    """Join the rows of several tables, province by province."""
    codes = {code: None for rows in reversed(tables) for code in rows}
    joined = {}
    for code in codes:
        found = [rows[code] for rows in tables if code in rows]
        joined[code] = ProvinceWords(
            code=code,
            number=next((row.number for row in found if row.number), 0),
            name=found[0].name,
            accepted=with_umlauts_spelt(word for row in found for word in (*row.accepted, row.name)),
            as_printed=found[0].as_printed,
            note=found[0].note,
        )
    return dict(sorted(joined.items(), key=lambda item: item[1].number))


def read_ambiguous(table: Table) -> dict[str, tuple[str, ...]]:
    """Read ``[ambiguous]``: folded words with all provinces they may mean."""
    inside = table.table("ambiguous")
    board = standard_map()
    found = {}
    for word in inside.values:
        codes = texts(inside, word)
        for code in codes:
            if code not in board.provinces:
                inside.fault(word, f"no such province {code!r}{did_you_mean(code, tuple(board.provinces))}")
        if len(codes) < 2:
            inside.fault(word, f"expected two provinces or more, found {list(codes)}; a word for one stands in its row")
        found[fold(word)] = codes
    inside.finish()
    return found


def read_coasts(table: Table) -> dict[str, tuple[str, ...]]:
    """Read ``[coasts]``: for each place with a coast, the words for it."""
    places = tuple(place for province in standard_map().provinces.values() for place in province.coasts)
    return dict(read_words(table.table("coasts"), places))


def read_places(table: Table, key: str) -> dict[str, tuple[str, ...]]:
    """Read ``[other_names]`` or ``[within]``: for each province, real names that belong to it."""
    board = standard_map()
    return dict(read_words(table.table(key), (*board.provinces, *board.impossible)))


def read_elsewhere(table: Table) -> tuple[str, ...]:
    """Read ``[elsewhere]``: real names that belong to no province, under any headings."""
    inside = table.table("elsewhere")
    names = tuple(name for heading in inside.values for name in with_umlauts_spelt(texts(inside, heading)))
    inside.finish()
    return names


def read_words(table: Table, keys: tuple[K, ...]) -> dict[K, tuple[str, ...]]:
    """Read a table of lists of words."""
    found = {key: with_umlauts_spelt(texts(table, key)) for key in keys if key in table.values}
    table.asked.update(keys)
    table.finish()
    return found


def read_lint(table: Table) -> dict[str, str]:
    """Read ``[lint]``: words that the lint remarks on, each with the reason why it stays."""
    reasons = {word: table.need(word, str, "") for word in table.values}
    table.finish()
    return reasons


def texts(table: Table, key: str) -> tuple[str, ...]:
    """Take a list of words."""
    words = table.get(key, list, [])
    for word in words:
        if not isinstance(word, str):
            table.fault(key, f"expected a list of words, found {word!r} in it")
        elif key == "accepted" and not fold(word):
            table.fault(key, f"{word!r} has no letters")
    return tuple(word for word in words if isinstance(word, str))


def with_umlauts_spelt(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they are written with umlauts, and with two letters for each, where a typewriter or a habit has none.

    >>> with_umlauts_spelt(("Mün", "Preußen", "Pre"))
    ('Mün', 'Muen', 'Preußen', 'Pre')
    """
    return tuple(dict.fromkeys(form for word in words for form in (word, word.translate(UMLAUTS))))


def merge(tables: list[Mapping[K, tuple[str, ...]]]) -> dict[K, tuple[str, ...]]:
    """Join lists of words, key by key, the first table's words first."""
    keys = {key: None for table in tables for key in table}
    return {key: tuple(dict.fromkeys(word for table in tables for word in table.get(key, ()))) for key in keys}
