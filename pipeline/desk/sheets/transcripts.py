"""Transcriptions as the bodies of facts, both ways."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pipeline.desk.sheets.old_sentences import fault_of, note_of
from pipeline.ink import Box, InkLine, Note, Noted, Reading, Tier, Transcription
from pipeline.reading.registration.picture_faults import PictureFault
from pipeline.words import Told


def write_transcription(transcription: Transcription) -> dict[str, Any]:
    """Write a transcription as JSON; `read_transcription` reads it back."""
    body = asdict(transcription)
    body["ticks"] = sorted(transcription.ticks)
    for line, written in zip(transcription.lines, body["lines"], strict=True):
        written["notes"] = [write_note(note) for note in line.notes]
    return body


def write_note(note: Noted) -> Any:
    """Write a note on ink: its code, and with it the data that it needs."""
    return note.as_body() if isinstance(note, Told) else str(note)


def read_warnings(body: Mapping[str, Any]) -> tuple[Told, ...]:
    """What was wrong with the picture of a page that was read; older events have it in sentences."""
    return tuple(
        Told.of_body(PictureFault, each) if isinstance(each, dict) else fault_of(each)
        for each in body.get("warnings", ())
    )


def read_note(body: Any) -> Noted:
    """Read a note back; events of before there were codes have it as a sentence."""
    if isinstance(body, dict):
        return Told.of_body(Note, body)
    return Note(body) if body in tuple(Note) else note_of(body)


def read_transcription(body: dict[str, Any]) -> Transcription:
    """Read a transcription back."""
    return Transcription(
        sheet_id=body["sheet_id"],
        scan_sha256=body["scan_sha256"],
        page=body["page"],
        reader=body["reader"],
        lines=tuple(read_line(line) for line in body["lines"]),
        residual_mm=body["residual_mm"],
        ticks=frozenset(body["ticks"]),
        signed=body["signed"],
        outside=tuple(Box(**box) for box in body.get("outside", ())),  # facts of before it was looked for have none
    )


def read_line(body: dict[str, Any]) -> InkLine:
    """Read one line back."""
    return InkLine(
        number=body["number"],
        box=Box(**body["box"]),
        readings=tuple(Reading(**reading) for reading in body["readings"]),
        tier=Tier(body["tier"]),
        notes=tuple(map(read_note, body["notes"])),
    )
