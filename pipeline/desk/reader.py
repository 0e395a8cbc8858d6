"""Choose the engine that reads handwriting, and the thresholds it reads an event with."""

import hashlib

from pipeline.desk.event import Event
from pipeline.reading.net.engine import NetRecogniser
from pipeline.reading.net.gate import load_gate
from pipeline.reading.recogniser import Recogniser


def best_recogniser() -> Recogniser:
    """The handwriting net that ships with the program."""
    return NetRecogniser()


def reader_for(event: Event, engine: Recogniser) -> Recogniser:
    """The engine with the event's own thresholds, where 'calibrate' wrote some; another engine is left as it is."""
    if not event.details.gate or not isinstance(engine, NetRecogniser):
        return engine
    path = event.folder / event.details.gate
    gate = load_gate(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    return engine.gated(gate, f"thresholds {path.name} {digest}")
