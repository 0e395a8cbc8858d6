"""In every test of the journal each message has exactly what the comment beside its code says."""

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated

from pipeline.desk.event.event import Event, open_event
from pipeline.journal.consequences import Consequence
from pipeline.journal.happened import Happened, SettingNow
from pipeline.journal.undo_codes import Dependency, UndoEffect
from pipeline.words.speech import Message, SentenceCode

CODES = (Happened, SettingNow, Consequence, Dependency, UndoEffect)
CODE_AND_COMMENT = re.compile(r'^    [A-Z_]+ = "([A-Z_]+)"(?:  # of ([a-z_]+(?:, [a-z_]+)*))?', re.MULTILINE)


@cache
def mentioned(codes: type[SentenceCode]) -> Mapping[str, set[str]]:
    """What the sentence of each code mentions, as the comment beside it says."""
    found = CODE_AND_COMMENT.finditer(inspect.getsource(codes))
    return {each[1]: set((each[2] or "").split(", ")) - {""} for each in found}


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        yield event


@pytest.fixture(autouse=True)
def checked_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Message.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[Message], code: SentenceCode, /, **data: object) -> Any:
        if isinstance(code, CODES):
            assert set(data) == mentioned(type(code))[code], code
        return make(cls, code, **data)

    monkeypatch.setattr(Message, "of", classmethod(of))
