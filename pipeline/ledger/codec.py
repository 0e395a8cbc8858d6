"""Frozen dataclasses as JSON, both ways: a field is a key, and its type says how it is read and written.

What a body says beyond that is not read: it is of a newer edition. A field that a body does not have takes its default.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from operator import itemgetter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from pipeline.board.position import Phase
from pipeline.ink import Note, Noted, PictureFault
from pipeline.interpret.doubts import Doubt, Found
from pipeline.scoring.results import Ending
from pipeline.words.speech import Told

T = TypeVar("T")
Turn = Callable[[Any], Any]
Walk = Callable[[Any, Turn], Any]
WITH = "with"


SILENT = Meta(extra={"silent": True})  # a field that a body says only where it is not its default


def says_with(other: str) -> Meta:
    """Mark a field that a body says, None too, where it says another one."""
    return Meta(extra={WITH: other})


class Codec(Struct, frozen=True):
    """How a value is read and written; None where it is JSON as it is."""

    read: Turn | None = None
    write: Turn | None = None


PLAIN = Codec()


def _read_noted(body: Any) -> Noted:
    """Read a note on ink: a code, or with its data a mapping."""
    return Told.of_body(Note, body) if isinstance(body, dict) else Note(body)


def _write_noted(note: Noted) -> Any:
    """Write a note on ink."""
    return note.as_body() if isinstance(note, Told) else str(note)


SPECIAL: dict[object, Codec] = {
    Phase: Codec(Phase.read, str),
    Noted: Codec(_read_noted, _write_noted),
    Found: Codec(lambda body: Found.of_body(Doubt, body), Found.as_body),
    Ending | None: Codec(lambda body: Ending(body) if body else None, lambda ending: ending or ""),
    Told: Codec(lambda body: Told.of_body(PictureFault, body), Told.as_body),  # the other kinds are told above
}


def read_as(kind: type[T], body: Any) -> T:
    """Read a dataclass."""
    of: Any = kind  # hashable, as every type
    said: T = _reader_of(of)(body)
    return said


def encode(value: object) -> dict[str, Any]:
    """Write a dataclass."""
    of: Any = type(value)
    return _writer_of(of)(value)


@cache
def _codec_of(hint: Any) -> Codec:
    """How values of a type are read and written."""
    if hint in SPECIAL:
        return SPECIAL[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _of_option(inside)
    if origin is tuple:
        return _of_row(inside[0]) if inside[-1] is Ellipsis else _of_tuple(inside)
    if origin is frozenset:
        read = _codec_of(inside[0]).read
        return Codec(lambda body: frozenset(body if read is None else map(read, body)), sorted)
    if origin is not None and issubclass(origin, Mapping):
        return _of_mapping(*inside)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Codec(EnumWords(hint).__getitem__, str)
    if _is_struct(hint):
        return Codec(_reader_of(hint), _writer_of(hint))
    return PLAIN


class EnumWords(dict[str, StrEnum]):
    """The words of an enum by what is written; one that it does not have is refused by the enum itself."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__((str(word), word) for word in kind)
        self.kind = kind

    def __missing__(self, word: str) -> StrEnum:
        return self.kind(word)


def _of_option(inside: tuple[Any, ...]) -> Codec:
    """A value or None; several plain ones are read as they are."""
    some = [each for each in inside if each is not NoneType]
    one = _codec_of(some[0]) if len(some) == 1 else PLAIN
    return Codec(*(None if turn is None else _but_none(turn) for turn in (one.read, one.write)))


def _but_none(turn: Turn) -> Turn:
    """Turn whatever is not None."""
    return lambda value: None if value is None else turn(value)


def _of_row(inside: Any) -> Codec:
    """Any number of values of one type."""
    one = _codec_of(inside)
    read, write = one.read, one.write
    if (length := _plain_length(inside)) is not None:
        return Codec(_rows_of(length), lambda value: list(map(list, value)))
    return Codec(
        tuple if read is None else lambda body: tuple([read(each) for each in body]),
        list if write is None else lambda value: [write(each) for each in value],
    )


def _plain_length(hint: Any) -> int | None:
    """How many values a tuple has, where they are JSON as they are; None of any other type."""
    inside = get_args(hint)
    is_plain = (
        get_origin(hint) is tuple and inside[-1] is not Ellipsis and all(_codec_of(one) == PLAIN for one in inside)
    )
    return len(inside) if is_plain else None


def _rows_of(count: int) -> Turn:
    """How many tuples of so many plain values are read: what may be ticked on all sheets of an event are 50,000."""

    def read(body: Any) -> tuple[Any, ...]:
        found = tuple(map(tuple, body))
        if not {count}.issuperset(map(len, found)):
            raise ValueError(f"expected {count} values each, found {sorted(set(map(len, found)))}")
        return found

    return read


def _of_tuple(inside: tuple[Any, ...]) -> Codec:
    """So many values, each of its type."""
    each = [_codec_of(hint) for hint in inside]
    if all(one == PLAIN for one in each):
        return Codec(_tuple_of(len(each)), list)

    def read(body: Any) -> tuple[Any, ...]:
        return tuple(one.read(value) if one.read else value for one, value in zip(each, body, strict=True))

    def write(values: Any) -> list[Any]:
        return [one.write(value) if one.write else value for one, value in zip(each, values, strict=True)]

    return Codec(read, write)


def _tuple_of(count: int) -> Turn:
    """How so many plain values are read."""

    def read(body: Any) -> tuple[Any, ...]:
        if len(body) != count:
            raise ValueError(f"expected {count} values, found {len(body)}")
        return tuple(body)

    return read


def _of_mapping(key: Any, value: Any) -> Codec:
    """A mapping: its keys are text in JSON, whatever they are here."""
    keys = _codec_of(key).read or (int if key is int else _read_who if key == int | str else None)
    one = _codec_of(value)
    if keys is None and one == PLAIN and value is Any:
        return PLAIN

    def read(body: Any) -> dict[Any, Any]:
        return {(keys(k) if keys else k): (one.read(v) if one.read else v) for k, v in body.items()}

    def write(values: Any) -> dict[str, Any]:
        return {str(k): (one.write(v) if one.write else v) for k, v in values.items()}

    return Codec(read, write)


def _read_who(key: str) -> int | str:
    """A number, as a key of JSON is text, or a name."""
    return int(key) if key.isdecimal() else key


@cache
def _reader_of(kind: Any) -> Turn:
    """How a dataclass is read."""
    hints = get_type_hints(kind)
    turns = [(each.name, turn) for each in _fields_of(kind) if (turn := _codec_of(hints[each.name]).read)]
    needed = [each.name for each in _fields_of(kind) if _is_needed(each)]
    others = frozenset(each.name for each in _fields_of(kind)) - set(needed)
    if len(needed) > 1 and not others and not turns:
        return _plain_reader(kind, needed)

    def read(body: Any) -> Any:
        said = {name: body[name] for name in needed}
        for name in others & body.keys():
            said[name] = body[name]
        for name, turn in turns:
            if name in said:
                said[name] = turn(said[name])
        return kind(**said)

    return read


def _plain_reader(kind: Any, names: list[str]) -> Turn:
    """How a dataclass is read whose fields are all said, and are JSON as they are: most of what is on paper."""
    values = itemgetter(*names)
    return lambda body: kind(**dict(zip(names, values(body), strict=True)))


def _is_needed(each: FieldInfo) -> bool:
    """Whether a field has no default."""
    return each.default is NODEFAULT and each.default_factory is NODEFAULT


def _fields_of(kind: Any) -> tuple[FieldInfo, ...]:
    """The fields of a dataclass."""
    return fields(kind) if _is_struct(kind) else ()


@cache
def _writer_of(kind: Any) -> Callable[[Any], dict[str, Any]]:
    """How a dataclass is written."""
    hints = get_type_hints(kind)
    all_of = [(each, _codec_of(hints[each.name]).write) for each in _fields_of(kind)]

    def write(value: Any) -> dict[str, Any]:
        body = {}
        for each, turn in all_of:
            said = getattr(value, each.name)
            if _is_said(each, said, value):
                body[each.name] = said if turn is None else turn(said)
        return body

    return write


def is_always_said(each: FieldInfo) -> bool:
    """Whether every body says a field."""
    return not _marks_of(each)


def _is_said(each: FieldInfo, said: Any, value: Any) -> bool:
    """Whether a body says a field."""
    marks = _marks_of(each)
    if "silent" in marks:
        return bool(said != each.default)
    return WITH not in marks or getattr(value, marks[WITH]) is not None


def _marks_of(each: FieldInfo) -> Mapping[str, Any]:
    """When a body leaves a field out (`SILENT`, `says_with`)."""
    return {
        key: value
        for mark in getattr(each.type, "__metadata__", ())
        if isinstance(mark, Meta)
        for key, value in (mark.extra or {}).items()
    }


def _is_struct(kind: Any) -> bool:
    """Whether a type is a struct, whose fields are the keys of a body."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def convert_parts(value: T, wanted: Any, turn: Turn) -> T:
    """The same value with every part of one type turned into another value."""
    of: Any = type(value)
    walk = _walker_of(of, wanted)
    found: T = value if walk is None else walk(value, turn)
    return found


@cache
def _walker_of(hint: Any, wanted: Any) -> Walk | None:
    """How the parts of one type are turned inside values of another; None where there are none."""
    if hint == wanted:
        return lambda value, turn: turn(value)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is tuple and inside[-1] is Ellipsis:
        return _in_row(_walker_of(inside[0], wanted))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return _in_mapping(*(_walker_of(each, wanted) for each in inside))
    if origin in (Union, UnionType):
        some = [each for each in inside if each is not NoneType]
        return _in_option(_walker_of(some[0], wanted)) if len(some) == 1 else None
    return _in_fields(hint, wanted) if _is_struct(hint) else None


def _in_row(one: Walk | None) -> Walk | None:
    """How the values of a row are turned."""
    return None if one is None else lambda values, turn: tuple(one(each, turn) for each in values)


def _in_option(one: Walk | None) -> Walk | None:
    """How a value that may be None is turned."""
    return None if one is None else lambda value, turn: None if value is None else one(value, turn)


def _in_mapping(key: Any, value: Any) -> Walk | None:
    """How the keys or values of a mapping are turned."""
    if key is None and value is None:
        return None
    return lambda found, turn: {
        (key(k, turn) if key else k): (value(v, turn) if value else v) for k, v in found.items()
    }


def _in_fields(kind: type, wanted: Any) -> Walk | None:
    """How the fields of a dataclass are turned."""
    hints = get_type_hints(kind)
    names = tuple(each.name for each in _fields_of(kind))
    walks = {name: walk for name in names if (walk := _walker_of(hints[name], wanted))}
    if not walks:
        return None

    def in_value(value: Any, turn: Turn) -> Any:
        said = {name: getattr(value, name) for name in names}
        return kind(**(said | {name: each(said[name], turn) for name, each in walks.items()}))

    return in_value
