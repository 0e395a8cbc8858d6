"""Structs as JSON, both ways, by msgspec: a field is a key, and its type says how it is read and written.

Unknown keys are ignored. A missing field takes its default; a struct that is declared
with ``omit_defaults`` leaves such fields out. A class that is no struct writes itself with ``as_body`` and is read with
``of_body``: phases, and codes with their data.
"""

import json
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def read_text(kind: type[T], text: str) -> T:
    """Read a struct from JSON."""
    of: Any = kind  # hashable, as every type
    found: T = _decoder_of(of).decode(text)
    return found


def encode(value: object) -> dict[str, Any]:
    """Write a struct as JSON; sets are sorted."""
    plain = msgspec.to_builtins(value, enc_hook=_write_other, str_keys=True, order="deterministic")
    found: dict[str, Any] = json.loads(json.dumps(plain))  # as it will be read back: tuples become lists
    return found


@cache
def _decoder_of(kind: Any) -> Any:
    return msgspec.json.Decoder(kind, dec_hook=_decode_other)


def _decode_other(kind: Any, body: Any) -> Any:
    return kind.of_body(body)


def _write_other(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value.as_body()  # a plain text, without the subclass
