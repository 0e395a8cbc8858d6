"""Transcriptions as the bodies of facts, both ways."""

from dataclasses import asdict
from typing import Any

from pipeline.ink import Box, InkLine, Reading, Tier, Transcription


def write_transcription(transcription: Transcription) -> dict[str, Any]:
    """Write a transcription as JSON; `read_transcription` reads it back."""
    body = asdict(transcription)
    body["ticks"] = sorted(transcription.ticks)
    return body


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
        notes=tuple(body["notes"]),
    )
