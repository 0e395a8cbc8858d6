"""Choose the engine that reads handwriting, and the thresholds it reads an event with."""

import hashlib

from pipeline.desk.event.event import GATE_KEY, Event
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading.handwriting.engine import NetRecogniser
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.reading.thresholds.gate import load_gates

TAKE_OUT = f"take the line '{GATE_KEY}' out of event.toml, and calibrate again"


def best_recogniser() -> Recogniser:
    """The handwriting net that ships with the program."""
    return NetRecogniser()


def net_for(event: Event) -> NetRecogniser:
    """The net, with an event's own thresholds."""
    return gated(event, NetRecogniser())


def reader_for(event: Event, engine: Recogniser) -> Recogniser:
    """An engine with an event's own thresholds, where it is one that has thresholds."""
    return gated(event, engine) if isinstance(engine, NetRecogniser) else engine


def gated(event: Event, net: NetRecogniser) -> NetRecogniser:
    """Give a net the thresholds that 'calibrate' wrote for an event; without any it keeps those of the package."""
    if not event.details.gate:
        return net
    path = event.folder / event.details.gate
    if not path.is_file():
        raise stop(f"the thresholds that event.toml names are not there; copy them back; or {TAKE_OUT}", str(path))
    try:
        gates = load_gates(path)
    except Stopped as stopped:
        raise Stopped((*stopped.problems, Problem(Weight.STOPS, TAKE_OUT, str(path)))) from stopped
    if not all(digest in gates.measured for digest in net.digests):
        nets = " and ".join(net.digests)
        raise stop(f"these thresholds were not measured with what reads now, {nets}; {TAKE_OUT}", str(path))
    return net.gated(gates, f"thresholds {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}")
