"""Pages of the documentation that are made of the program; a test says whether they are fresh.

``python docs/generate.py`` writes ``docs/generated/`` and the table of facts in ``docs/house.md`` anew. The cases of
the judge are not kept: ``docs/site_hook.py`` builds them into the site.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from pipeline.board import MAPS, Power
from pipeline.cli.rules import solo_payment, typical_payments
from pipeline.judge.rulebook import DATC, EDITIONS, FIELDS
from pipeline.ledger.events import KINDS, LedgerEvent
from pipeline.rules.conduct import ConductRules
from pipeline.rules.convert import is_table, kinds_of
from pipeline.rules.load import Unstated, load_defaults, load_systems, load_tournament
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.scoring import CHAINS, HIGHEST, NEEDS, SIMPLE
from pipeline.rules.switches import ASK, Asks, Switch, write_value
from pipeline.rules.systems import SystemFile
from pipeline.rules.table import in_words, without_notes
from pipeline.rules.tournament import ABOUT, IMPLIED, TABLE, ClockRules, DrawRules, EndingRules, Tournament
from pipeline.scoring import rules
from pipeline.scoring import system as systems
from pipeline.scoring.numbers import Derived, Instead, Range
from pipeline.scoring.parts import Part
from pipeline.words.speech import Choice, languages

HERE = Path(__file__).parent

# Tournaments side by side, switch by switch.

TABLE_ORDER = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")

SIDE_BY_SIDE = ("tournament", "reading", "adjustments", "conduct", "ending", "clock", "draw")
TABLE_HEAD = """# Tournaments side by side

How the rules files in `templates/rules/` say that a game is played, ended and drawn, with the rule behind each value.
Points and ties are not here: `ordersheets rules TOURNAMENT` prints everything. **ask** means that the rules are silent
or leave it to the director, who is asked; **=** means: as the edition of the rulebook. The meaning of each word stands
in [keys and words](words.md).
"""


def tables_page(tournaments: Sequence[Tournament]) -> str:
    parts = [TABLE_HEAD, "\n".join(_judge_part(tournaments))]
    parts += ["\n".join(_section_part(tournaments, section)) for section in SIDE_BY_SIDE]
    return "\n".join(parts)


def _section_part(tournaments: Sequence[Tournament], section: str) -> Iterator[str]:
    """Write one table of the rules files; every file has the same switches in it."""
    columns = [{each.path: each for each in tournament.switches()} for tournament in tournaments]
    yield from _table_head(tournaments, section)
    for path, switch in columns[0].items():
        if path.split(".")[0] == section:
            yield _table_row(
                switch, path.removeprefix(f"{section}."), [_table_cell(column[path]) for column in columns]
            )
    yield ""


def _judge_part(tournaments: Sequence[Tournament]) -> Iterator[str]:
    """Write the table ``[judge]``, in which a file has only what it does not take from its edition."""
    columns = [{each.path: each for each in t.switches() if each.path.startswith("judge.")} for t in tournaments]
    known = {path: column[path] for column in columns for path in column}
    yield from _table_head(tournaments, "judge")
    for path, switch in known.items():
        cells = [_table_cell(column[path]) if path in column else "=" for column in columns]
        yield _table_row(switch, path.removeprefix("judge."), cells)
    yield ""


def _table_head(tournaments: Sequence[Tournament], section: str) -> Iterator[str]:
    yield f"## [{section}]"
    yield ""
    yield f"| switch | {' | '.join(t.short for t in tournaments)} |"
    yield f"|---|{'---|' * len(tournaments)}"


def _table_row(switch: Switch, name: str, cells: Sequence[str]) -> str:
    return f"| `{name}`: {switch.question} | {' | '.join(cells)} |"


def _table_cell(switch: Switch) -> str:
    """Write one value with its rule."""
    value = "**ask**" if switch.setting.asks else write_value(switch.setting.value)
    if switch.setting.otherwise is not None:
        value = f"{value} (or {write_value(switch.setting.otherwise)})"
    return f"{value}; {switch.setting.rule}" if switch.setting.rule else value


# Every key of a rules file and every word that it takes.

WORDS_HEAD = """# Keys and words

Every key of a rules file, and every word that it takes. A switch (`[judge]` to `[draw]`) is written
`key = { value = …, rule = "the paragraph of your rules" }`. All of them also take `ask`: the director rules. The last
column is the default, for a file with `[tournament] unstated = "defaults"` or without `[tournament]`;
`templates/defaults.toml` gives its source and the reasons. Without a default in `[judge]`, the edition of the rulebook
decides. Keys about points (`[scoring]` to `[awards]`) need no rule; [scoring.md](../scoring.md) explains them. Their
numbers may be written as `15`, `0.1`, `"1/2"` or `"110 %"`.

A long list of words that several keys take is written once; the other keys say "as `struck_out`".
"""
ASK_MEANS = "the director rules"  # the meaning of `ask`, which every switch takes: it is said once, above all tables
FEW_WORDS = 9  # a list of at most so many words is repeated in full
SECTIONS: Mapping[str, type] = {
    "reading": ReadingRules,
    "adjustments": AdjustmentRules,
    "conduct": ConductRules,
    "ending": EndingRules,
    "clock": ClockRules,
    "draw": DrawRules,
}
MANY = {int: "whole numbers", str: "texts", Fraction: "numbers"}
NUMBERS = {int: "a whole number", float: "a number", str: "a text", Fraction: 'points, such as 1 or "1/2"'}
POINTS: tuple[tuple[str, type[Struct]], ...] = (
    ("scoring", systems.System),
    ("totals", rules.Totals),
    ("totals.final", rules.Final),
    ("totals.bonuses", rules.Bonuses),
    ("totals.penalties", rules.PenaltyRule),
    ("teams", rules.TeamRules),
    ("awards", rules.AwardRules),
    ("awards.votes", rules.RatingRules),
    ("awards.board_games", rules.BoardGameRules),
    ("interim", rules.InterimRules),
)


def words_page() -> str:
    lines = [WORDS_HEAD, *_tournament_part(), *_judge_words()]
    shown: dict[str, str] = {}
    for name, section in SECTIONS.items():
        lines += ["", f"## [{name}]", "", "| key | about | words | default |", "|---|---|---|---|"]
        lines += _section_rows(section, "", load_defaults().get(name, {}), shown)
    lines += ["", "## Points: [scoring] [totals] [teams] [awards]", "", "| key | words |", "|---|---|"]
    for path, kind in POINTS:
        lines += [f"| `{path}.{key}` | {words} |" for key, words in _points_rows(kind).items()]
    return "\n".join([*lines, *_ties_part()]) + "\n"


def _points_rows(kind: type[Struct], inside: type[Struct] | None = None) -> dict[str, str]:
    """What may stand under each key of a table about points, and of the tables in it; not again of those ``inside``."""
    found: dict[str, str] = {}
    for each in fields(kind):
        notes, plain = getattr(each.type, "__metadata__", ()), without_notes(each.type)
        if any(isinstance(note, Derived) for note in notes):
            continue
        words = [f"`{note.word}`" for note in notes if isinstance(note, Instead)]
        inner: dict[str, str] = {}
        for option in get_args(plain) if get_origin(plain) in (Union, UnionType) else (plain,):
            single = get_args(option)[0] if get_origin(option) is tuple else option
            if single is inside or (single is Part and kind is not systems.System):
                words.append("a list of blocks, as `scoring.parts`")
            elif isinstance(single, type) and issubclass(single, Struct):
                inner |= _table_rows(single)
                words += [f"`{example}`" for example in getattr(single, "SHORT", ())]
            elif option is not type(None):
                words.append(_points_words(option, notes))
        if words:
            found[each.encode_name] = ", ".join(words)
        found |= {f"{each.encode_name}.{key}": row for key, row in inner.items()}
    return found


def _table_rows(kind: type[Struct]) -> dict[str, str]:
    """The same for a table inside; of a building block, for those of all kinds of blocks."""
    tag = kind.__struct_config__.tag_field
    if tag is None:
        return _points_rows(kind) if is_table(kind) else {}
    names = {str(part.__struct_config__.tag): part for part in kinds_of(kind)}
    ways: dict[str, dict[str, None]] = {tag: {_join_code_words(names): None}}
    for part in names.values():
        for key, words in _points_rows(part, inside=kind).items():
            ways.setdefault(key, {})[words] = None
    return {key: "; or ".join(several) for key, several in ways.items()}


def _points_words(kind: Any, notes: Iterable[object]) -> str:
    """What a key about points takes: words, or a number with its range."""
    single = without_notes(get_args(kind)[0] if get_origin(kind) is tuple else kind)
    notes = (*notes, *getattr(kind, "__metadata__", ()))
    if isinstance(single, type) and issubclass(single, StrEnum):
        return _describe_words(list(single))
    within = [str(note).replace("expected ", ", ") for note in notes if isinstance(note, Range)]
    words = ("a list of " if get_origin(kind) is tuple else "") + MANY.get(single, "numbers")
    return (words if get_origin(kind) is tuple else in_words(without_notes(kind))) + "".join(within)


def _tournament_part() -> Iterator[str]:
    yield from ("", "## [tournament]", "", "| key | words |", "|---|---|")
    yield "| `name`, `short`, `source`, `id` | a text: what it is called, how its rules are quoted, where they stand |"
    yield f"| `map` | {_join_code_words(MAPS)} |"
    yield "| `abbreviations` | the name of a table, beside the file or of the program's own |"
    yield f"| `language` | {_join_code_words(languages())}: of what players see |"
    yield f"| `unstated` | {_describe_words(tuple(Unstated))} |"


def _judge_words() -> Iterator[str]:
    """``[judge]``: the editions, and the choices that a file may make differently."""
    default, shown = load_defaults()["judge"], dict[str, str]()
    yield from (
        "",
        "## [judge]",
        "",
        "Letters and coasts of written lines are keys of [reading].",
        "",
        "| key | about | words | default |",
        "|---|---|---|---|",
    )
    about = "the rulebook that holds where no key below says otherwise; `datc`: the preferences of the test cases"
    yield f"| `edition` | {about} | {_join_code_words(EDITIONS)} | {_default_in_words(default.get('edition', ASK))} |"
    for field in FIELDS:
        if field in IMPLIED:  # these are set in [reading] or [adjustments], and not in [judge]
            continue
        question, words = ABOUT[field][1], _accepted_words(type(getattr(DATC, field)))
        first = shown.setdefault(words, field) if len(words.split()) > FEW_WORDS else field
        otherwise = _default_in_words(default[field]) if field in default else ""
        yield f"| `{field}` | {question} | {words if first == field else f'as `{first}`'} | {otherwise} |"


def _section_rows(section: type, before: str, defaults: Mapping[str, Any], shown: dict[str, str]) -> Iterator[str]:
    """A row for each switch of a section, also of inner ones; ``shown``: long lists, with the key that shows them."""
    hints = get_type_hints(section, include_extras=True)
    for each in fields(section):
        hint = hints[each.name]
        if get_origin(hint) is Annotated:
            setting, asks = get_args(hint)
            question = asks.question if isinstance(asks, Asks) else ""
            default = _default_in_words(defaults.get(each.name, ASK))
            key, words = before + each.name, _accepted_words(get_args(setting)[0])
            first = shown.setdefault(words, key) if len(words.split()) > FEW_WORDS else key
            yield f"| `{key}` | {question} | {words if first == key else f'as `{first}`'} | {default} |"
        elif isinstance(hint, type) and issubclass(hint, Struct):
            yield from _section_rows(hint, f"{before}{each.name}.", defaults.get(each.name, {}), shown)
        else:
            yield f"| `[[clock.{each.name}]]` | the clock by year | `from_year`, `spring`, `fall`, `rule` | one |"


def _accepted_words(kind: Any) -> str:
    """The words that a switch takes."""
    if get_origin(kind) in (Union, UnionType):
        return f"{_accepted_words(get_args(kind)[0])}, or `none`"
    if get_origin(kind) is tuple:
        return f"a list of: {_accepted_words(get_args(kind)[0])}"
    if isinstance(kind, type) and issubclass(kind, Choice):
        return _describe_words([word for word in kind if word.meaning != ASK_MEANS])
    if kind is Power:
        return _join_code_words(Power)
    return _describe_kind(kind)


def _describe_kind(kind: Any) -> str:
    """What a switch without a list of words takes."""
    return {bool: "`true` (yes), `false` (no)", tuple: f"`{TABLE}`, or a list of provinces"}.get(kind) or NUMBERS.get(
        kind, "a list"
    )


def _describe_words(words: Iterable[str]) -> str:
    """Words, each with its meaning if it has one that says more."""
    meanings = {str(word): word.meaning for word in words if isinstance(word, Choice) and word.meaning != word}
    explained = [f"`{word}` {meanings[word]}" if word in meanings else f"`{word}`" for word in words]
    return ("; " if meanings else ", ").join(explained)


def _join_code_words(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _default_in_words(default: Any) -> str:
    return f"`{write_value(default['value'])}`" if isinstance(default, Mapping) else "`ask`"


def _ties_part() -> Iterator[str]:
    yield from (
        "",
        "## [ties]",
        "",
        f"Chains: {_join_code_words(CHAINS)}. Each is a list of these, in the order in which they are asked:",
        "",
    )
    yield f"* {_join_code_words(HIGHEST)}: the higher score in that game"
    names: dict[str, list[str]] = {}
    for name, (first, *_) in SIMPLE.items():
        names.setdefault(_first_sentence(first), []).append(name)
    yield from (f"* {_join_code_words(alike)}: {said}" for said, alike in names.items())
    for name, key in NEEDS.items():
        yield f"* `{name}`, which needs the setting `{key}`"
    yield "* `dropped_games_break_ties`: whether games that do not count may break ties: `true`, `false`"


def _first_sentence(tiebreak: object) -> str:
    """What a tie-break is: the beginning of its class's docstring, without the source in brackets."""
    words = (type(tiebreak).__doc__ or "").split("(")[0].split(".")[0].strip()
    return words[:1].lower() + words[1:]


# The gallery of scoring systems.

PICTURES = "../../templates/scoring"  # from docs/
GALLERY_HEAD = """# Scoring systems

What one game is worth, system by system. A rules file takes one by its name:

```toml
[scoring]
system = "tribute"

[totals]
rounds = 3
```

Other keys of the table `[scoring]` override the system's own; [scoring.md](../scoring.md) has all settings. In the
pictures the line is the mean over 249 ways to share 34 centres among seven powers without a solo. The band reaches from
the least to the most that a count of centres brings. The bars are what a board of 12-9-6-4-3-0-0 pays, two powers
having been eliminated in 1904 and 1906. The file of each system names its source, works examples out, and says what
the source leaves open (`why`).

| system | what it rewards | 12-9-6-4-3-0-0 pays | a solo |
|---|---|---|---|
"""


def gallery_page() -> str:
    systems = load_systems().values()
    page = GALLERY_HEAD
    for system in systems:
        pays, name = ", ".join(typical_payments(system, 2)), f"[`{system.id}`](#{system.id})"
        page += f"| {name} | {system.rewards} | {pays} | {solo_payment(system)} |\n"
    return page + "".join("\n".join(_gallery_entry(each)) for each in systems)


def _gallery_entry(system: SystemFile) -> Iterator[str]:
    yield f"\n## {system.id}\n"
    origin = ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each)
    also = f" Also called {', '.join(system.also)}." if system.also else ""
    yield f"**{system.name}**{f' ({origin})' if origin else ''}. {system.summary}{also}\n"
    yield f"![{system.name}]({PICTURES}/{system.id}.svg)\n"
    yield f"[Source and examples]({PICTURES}/{system.id}.toml)\n"


# The table of all facts in ``docs/house.md``, made from their classes.

BEGIN, END = "<!-- facts: python docs/generate.py -->", "<!-- end of facts -->"
FACTS_HEAD = "| kind | what it says | its keys (optional ones in brackets) | made in |"


def facts_table() -> str:
    """The table, a row for each kind of fact."""
    return "\n".join([FACTS_HEAD, "|---|---|---|---|", *(_write_fact_row(kind) for kind in KINDS.values())])


def _write_fact_row(kind: type[LedgerEvent]) -> str:
    """One kind of fact."""
    says = " ".join((kind.__doc__ or "").split()).rstrip(".")
    writers = ", ".join(f"`{each}`" for each in kind.WRITERS)
    return f"| `{kind.KIND}` | {says} | {_keys_of(kind)} | {writers} |"


def _keys_of(kind: Any) -> str:
    """The keys of its body; those that are always there first."""
    found = fields(kind)
    may_be_left_out = kind.__struct_config__.omit_defaults
    always = [each.name for each in found if each.required or not may_be_left_out]
    sometimes = [each.name for each in found if each.name not in always]
    return ", ".join(always) + (f" ({', '.join(sometimes)})" if sometimes else "")


def _with_table(text: str) -> str:
    """A document with the table as it is now between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{facts_table()}\n{END}{after}"


# The cases of the judge: pages of the site, made of the files that are run as tests.

CASES = HERE.parent / "tests/cases/judge"
CASES_HEAD = """# Cases of the judge

Every order of every case, with its result and its reason. The same pages are run as tests
(`tests/cases/judge/`).

The cases 6.A to 6.J are those of the *Diplomacy Adjudicator Test Cases* 3.2 by Lucas B. Kruijswijk (numbers, units and
orders), told in our own words; `@2.4` marks ten older ones for removals before 2023. `under` says which
orders fare otherwise by another choice. How to read and write a page: `tests/judge/pages.py`.

"""


def case_pages() -> dict[str, str]:
    """Print every page, and a table of contents; by file name."""
    chapters = {path: path.read_text("utf-8").splitlines() for path in sorted(CASES.glob("*.case"))}
    contents = [f"- [{_title(lines)}]({path.stem}.md)" for path, lines in chapters.items()]
    printed = {f"{path.stem}.md": _chapter(lines) for path, lines in chapters.items()}
    return {"README.md": CASES_HEAD + "\n".join(contents) + "\n", **printed}


def _title(lines: list[str]) -> str:
    """A page's first line says what it is about."""
    return lines[0].removeprefix("# ").removesuffix(".")


def _chapter(lines: list[str]) -> str:
    """Print one page: cases as headings, lessons as text, orders as they stand."""
    printed = [f"# {_title(lines)}"]
    block: list[str] = []
    for line in [*lines[1:], "end"]:
        if line.startswith("  ") or (block and not line):
            block.append(line)
            continue
        if block:
            printed += ["", "```text", *_trim(block), "```", ""]
            block = []
        if line and line != "end":
            number, gap, name = line.partition("  ")
            printed += [f"\n## {number} · {name}\n"] if gap else [line]
            if not gap:
                continue
        elif line != "end":
            printed.append("")
    return "\n".join(printed).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _trim(block: list[str]) -> list[str]:
    """Leave out the empty lines at the end, and the indent that all have."""
    while block and not block[-1]:
        block = block[:-1]
    return [line[2:] for line in block]


def generated_pages() -> dict[Path, str]:
    """Every page that is kept, and what should stand in it now."""
    house = HERE / "house.md"
    return {
        HERE / "generated/words.md": words_page(),
        HERE / "generated/five-tournaments.md": tables_page([load_tournament(known) for known in TABLE_ORDER]),
        HERE / "generated/scoring-systems.md": gallery_page(),
        house: _with_table(house.read_text("utf-8")),
    }


if __name__ == "__main__":
    for page, written in generated_pages().items():
        page.write_text(written, "utf-8")
