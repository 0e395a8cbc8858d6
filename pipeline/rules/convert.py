"""Make typed values of what a file says: every fault at once, each with its path and how to mend it.

A class says what may stand in a table: a field is a key (``field(name=…)`` gives it another), its type says which
values are good, its default holds where the key is left out. `msgspec.convert` makes the values; it stops at the first
fault, so it gets one value at a time, and `_explain` says in our words what it found. Beside its type a field may have
notes (`pipeline.scoring.numbers`): a range, a word for a value, what to write. A class may have two methods: ``faults``
yields what its fields cannot be together; ``spell_out`` makes the whole table of a value that is short for one. A
class that is no struct has ``read``, which makes it of one value, or raises a `ValueError` in words.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from pipeline.board import Power
from pipeline.printable import is_whole
from pipeline.rules.switches import ASK, Setting
from pipeline.rules.table import MOST, NONE, Table, in_words, not_one_of, without_notes, write_shortly
from pipeline.scoring.numbers import MOST_LISTED, Also, Derived, Instead, Needed, Once, Range
from pipeline.scoring.results import exact
from pipeline.words.speech import Choice

S = TypeVar("S", bound=Struct)
BAD = object()  # a value that has been complained about
MISSING_RULE = "missing; quote the rule that says so, such as 'WDC08 12.4'"
COUNTED = Range(-MOST, MOST)
LISTED = Range(0, MOST_LISTED, unit="numbers")
# The value of a number on which the rules are silent: a likeness that no misspelt word reaches; of whole numbers 0
NEVER: Mapping[Any, Any] = {float: 1.0, int: 0}


def read_struct(kind: type[S], table: Table, given: Mapping[str, Any] | None = None) -> S:
    """Make a struct of a table; its faults are noted there. ``given`` are fields that the caller has made.

    A field with a fault gets its default, or a value that makes sense, so that the other faults are found, too. What
    the fields cannot be together is looked at where none had to be made up.
    """
    values = dict(given or {})
    for each in fields(kind):
        if each.name not in values and not any(isinstance(note, Derived) for note in _notes_of(each.type)):
            values[each.name] = _read_field(each, table)
    if kind.__struct_config__.tag_field:
        table.asked.add(kind.__struct_config__.tag_field)
    table.finish()
    faulty = [each for each in fields(kind) if values.get(each.name) is BAD]
    made = kind(**values | {each.name: _stand_in(each.type) for each in faulty})
    if not faulty and hasattr(made, "faults"):
        for key, text in made.faults():
            table.fault_if_first(key, text)
    return made


def _read_field(each: FieldInfo, table: Table) -> Any:
    """Make one field: of what stands there, else its default; `BAD` where it has neither."""
    notes = _notes_of(each.type)
    key = _key_of(each.encode_name, notes, table)
    setting, value = _setting_kind(each.type), table.values.get(key)
    if setting is not None:
        return read_setting(setting, table, key)
    needed = next((note for note in notes if isinstance(note, Needed)), None)
    if value is None and each.required and _may_be_silent(each.type):
        value = {}
    if value is None or (needed and value in ([], {}, "")):
        if each.required or value is not None:
            table.fault(key, f"missing; {needed or f'expected {in_words(each.type)}'}")
    elif (made := convert_value(value, each.type, table, key)) is not BAD:
        return made
    if each.required:
        return BAD
    return each.default if each.default_factory is NODEFAULT else each.default_factory()


def _key_of(key: str, notes: Iterable[Any], table: Table) -> str:
    """The key under which a field stands: its own, or another that means the same; two may not say two things."""
    keys = [key, *(other for note in notes if isinstance(note, Also) for other in note.keys)]
    table.asked.update(keys)
    given = [each for each in keys if table.values.get(each) is not None]
    for other in given[1:]:
        if table.values[other] != table.values[given[0]]:
            table.fault(other, f"{given[0]!r} says otherwise; leave one of them out")
    return given[0] if given else key


def convert_value(value: Any, kind: Any, table: Table, key: str) -> Any:
    """Make a value of a kind; note what is wrong with it under its key in ``table``, and return `BAD`.

    Of a number that is too large or too small the nearest that is not goes on.
    """
    notes = _notes_of(kind)
    kind = _fitting(value, without_notes(kind))
    notes = (*notes, *_notes_of(kind))
    kind = without_notes(kind)
    for note in notes:
        if isinstance(note, Instead) and value == note.word:
            return note.value
    match get_origin(kind) or kind:
        case origin if origin is tuple:
            return _convert_list(value, get_args(kind)[0], table, key, notes)
        case type() as origin if issubclass(origin, Mapping):
            return _convert_mapping(value, get_args(kind), table, key)
        case type() as origin if issubclass(origin, Struct):
            return _convert_struct(value, origin, table, key)
    if kind is Power and isinstance(value, str):
        value = value.strip().upper()
    try:
        made = msgspec.convert(value, kind, dec_hook=_make_other)
    except (msgspec.ValidationError, OverflowError) as error:
        table.fault(key, _explain(error, value, kind))
        return BAD
    limits = _limits_in(notes) or (COUNTED if isinstance(made, int | float) else None)
    if limits is not None and not limits.has(made):
        words = "".join(f", or {note.word!r}" for note in notes if isinstance(note, Instead))
        table.fault(key, f"{limits}{words}, found {write_shortly(value)}")
        return kind(limits.nearest(made))
    return made


def _explain(error: Exception, value: Any, kind: Any) -> str:
    """Say in our words why a value could not be made: what was expected, and what was found."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return not_one_of(value, tuple(map(str, kind)))
    if kind is Fraction or hasattr(kind, "read"):
        return str(error)
    written = write_shortly(value) if isinstance(value, int | float) else repr(value)
    return f"expected {in_words(kind)}, found {written}"


def _make_other(kind: type, value: Any) -> Any:
    """Make what msgspec does not know; a `ValueError` goes into its own error."""
    if kind is Fraction:
        return exact(value)
    if hasattr(kind, "read"):
        return kind.read(value)
    return tuple(value) if isinstance(value, list) else value  # of any kind: the caller looks at it


def _convert_list(value: Any, kind: Any, table: Table, key: str, notes: Iterable[Any]) -> Any:
    """Make a tuple of a list; elements with faults are left out of it. A range is that of its length."""
    if not isinstance(value, list):
        table.fault(key, f"expected a list, found {value!r}")
        return BAD
    limits = _limits_in(notes) or (LISTED if without_notes(kind) is Fraction else None)
    if limits and not limits.has(len(value)):
        table.fault(key, f"{limits}, found {len(value)}")
        return BAD
    if any(isinstance(note, Once) for note in notes):
        for twice in {str(each): each for n, each in enumerate(value) if each in value[:n]}:
            table.fault(key, f"{twice} stands twice; write each once")
    made = (convert_value(each, kind, table, f"{key}[{n}]") for n, each in enumerate(value))
    return tuple(each for each in made if each is not BAD)


def _convert_mapping(value: Any, kinds: tuple[Any, Any], table: Table, key: str) -> Any:
    """Make a mapping of a table; its keys are words, or whole numbers. None may be there twice in two ways to write."""
    if not isinstance(value, Mapping):
        table.fault(key, f"expected {table.noun}, found {value!r}")
        return BAD
    made_of: dict[Any, Any] = {}
    for word, each in value.items():
        here = f"{key}.{word}"
        written = int(word) if without_notes(kinds[0]) is int and is_whole(word) else word
        limits = _limits_in(_notes_of(kinds[0]))
        if limits is not None and isinstance(written, int) and not limits.has(written):
            table.fault(here, f"{limits}, found {word!r}")
        elif (name := convert_value(written, kinds[0], table, here)) in made_of:
            table.fault(here, f"{name} stands twice; leave one of them out")
        elif name is not BAD and (made := convert_value(each, kinds[1], table, here)) is not BAD:
            made_of[name] = made
    return made_of


def _convert_struct(value: Any, kind: type[Struct], table: Table, key: str) -> Any:
    """Make a struct of a table, or of a value that is short for one."""
    spelt = value
    if hasattr(kind, "spell_out"):
        try:
            spelt = kind.spell_out(value)
        except ValueError as error:
            table.fault(key, str(error))
            return BAD
    if not isinstance(spelt, Mapping):
        table.fault(key, f"expected {table.noun}, found {value!r}")
        return BAD
    inside = table.open_table(spelt, key, is_short=spelt is not value)
    tag = kind.__struct_config__.tag_field
    return read_struct(kind, inside) if tag is None else _convert_tagged(inside, kind, tag)


def is_table(kind: type[Struct]) -> bool:
    """Whether a struct may be written as a table: some are always written short."""
    try:
        return not hasattr(kind, "spell_out") or kind.spell_out({}) == {}
    except ValueError:
        return False


def _convert_tagged(table: Table, kind: type[Struct], tag: str) -> Any:
    """Make a struct of the class that a table names by its tag."""
    kinds = {str(each.__struct_config__.tag): each for each in kinds_of(kind)}
    word = table.values.get(tag)
    if isinstance(word, str) and word in kinds:
        return read_struct(kinds[word], table)
    missing = f"missing; expected one of {', '.join(kinds)}"
    table.fault(tag, missing if word is None else not_one_of(word, tuple(kinds)))
    return BAD


def kinds_of(kind: type[Struct]) -> Iterator[type[Struct]]:
    """All classes that a tag may name: those derived from one that have a tag of their own, not what several share."""
    for each in kind.__subclasses__():
        if each.__struct_config__.tag != each.__name__:
            yield each
        yield from kinds_of(each)


def read_setting(kind: Any, table: Table, key: str) -> Setting[Any]:
    """Read ``key = { value = …, rule = "…", why = "…" }``, or ``key = "ask"``, or nothing."""
    table.asked.add(key)
    path = table.path(key).rpartition(" ")[2]  # without the file's name
    written = table.values.get(key, ASK)
    if not isinstance(written, dict):
        if written != ASK:
            example = f'{{ value = {written!r}, rule = "…" }}'.replace("'", '"')
            table.fault(key, f"a value needs the rule it comes from; write {example}, or 'ask' where there is none")
        return Setting(_silent(kind), left_open=True, path=path)
    inside = Table(written, table.path(key), table.problems)
    rule, why = inside.get("rule", str, ""), inside.get("why", str, "")
    inside.asked.update(("value", "otherwise"))
    if "value" not in written:
        inside.fault("value", f"missing; expected {in_words(kind)}")
    if written.get("value", ASK) == ASK:
        if "otherwise" in written:
            inside.fault("otherwise", "the value is 'ask', so there is no other reading; leave it out")
        inside.finish()
        return Setting(_silent(kind), rule, why, left_open=True, path=path)
    value = _setting_value(kind, inside, "value")
    if not rule and value is not BAD:
        inside.fault("rule", MISSING_RULE)
    other = _read_other(kind, inside, value)
    inside.finish()
    return Setting(_silent(kind) if value is BAD else value, rule, why, path=path, otherwise=other)


def _setting_value(kind: Any, inside: Table, key: str) -> Any:
    """The value of a setting; ``"none"`` is one where there may be none."""
    is_none = type(None) in get_args(kind) and inside.values[key] == NONE
    return None if is_none else convert_value(inside.values[key], kind, inside, key)


def _read_other(kind: Any, inside: Table, value: Any) -> Any:
    """Read ``otherwise``, the value by the other way to read the rule; ``why`` says why it is not taken."""
    if "otherwise" not in inside.values:
        return None
    other = _setting_value(kind, inside, "otherwise")
    if other == value and other is not BAD:
        text = "is the value itself; leave it out where the rule can be read in one way only"
        inside.fault("otherwise", f"{inside.values['otherwise']!r} {text}")
    elif not inside.values.get("why"):
        inside.fault("why", "missing; say why the rule is read as it is")
    return None if other is BAD else other


def _silent(kind: Any) -> Any:
    """The value of a switch on which the rules are silent."""
    if isinstance(kind, type) and issubclass(kind, Choice):
        return next(word for word in kind if word == ASK)
    return () if get_origin(kind) is tuple else NEVER.get(kind)


def _stand_in(kind: Any) -> Any:
    """A value of a kind, in the place of one with a fault, so that the other faults can be found."""
    limits = _limits_in(_notes_of(kind))
    plain = without_notes(kind)
    if type(None) in get_args(plain):
        return None
    match get_origin(plain) or plain:
        case origin if origin is tuple:
            return ()
        case type() as origin if issubclass(origin, Struct):
            return origin(**{each.name: _stand_in(each.type) for each in fields(origin) if each.required})
        case type() as origin if issubclass(origin, Enum):
            return next(iter(origin))
        case type() as origin if issubclass(origin, Mapping):
            return {}
        case type() as origin if issubclass(origin, int | float | Fraction):
            return origin(1 if limits is None else limits.nearest(1))
        case type() as origin:
            return origin()
    return None


def _notes_of(kind: Any) -> tuple[Any, ...]:
    return get_args(kind)[1:] if get_origin(kind) is Annotated else ()


def _limits_in(notes: Iterable[Any]) -> Range | None:
    return next((note for note in notes if isinstance(note, Range)), None)


def _fitting(value: Any, kind: Any) -> Any:
    """Of several kinds that a value may be of, those that it is held against: for a list, the kind that is a list."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    kinds = [each for each in get_args(kind) if each is not type(None)]
    lists = [each for each in kinds if get_origin(without_notes(each)) is tuple]
    others = [each for each in kinds if each not in lists]
    return lists[0] if lists and (isinstance(value, list) or not others) else reduce(or_, others)


def _setting_kind(kind: Any) -> Any:
    """The kind of the value of a setting, where a field is one; else None."""
    plain = without_notes(kind)
    return get_args(plain)[0] if get_origin(plain) is Setting else None


def _may_be_silent(kind: Any) -> bool:
    """Whether a table may be left out that has no default: every field of it is a setting, or has a default."""
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return False
    return all(_setting_kind(each.type) is not None or not each.required for each in fields(kind))
