"""Facts as they are kept, their kind by its name, with JSON: what a file holds, or what an older one may hold."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from pipeline.ledger.facts import FactStore

Body = Mapping[str, Any]


class KeptFact(Struct, frozen=True):
    """One fact, with what it says as JSON."""

    number: int
    at: str
    by: str
    kind: str
    body: Body


def read_facts(store: FactStore, kind: str | None = None, after: int = 0) -> Iterator[KeptFact]:
    """The facts of a kind, or all of them, in the order in which they were written."""
    for number, at, by, what, text in store.rows(kind, after):
        yield KeptFact(number, at, by, what, json.loads(text))


def append_facts(store: FactStore, facts: tuple[tuple[str, Body], ...], by: str) -> tuple[KeptFact, ...]:
    """Write several facts down together."""
    with store.transaction():
        return tuple(KeptFact(*store.add(kind, body, by), by, kind, body) for kind, body in facts)


def append_fact(store: FactStore, kind: str, body: Body, by: str) -> KeptFact:
    """Write one fact down."""
    return append_facts(store, ((kind, body),), by)[0]
