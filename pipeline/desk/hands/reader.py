"""Choose the engine that reads handwriting, and the thresholds it reads an event with."""

import hashlib
from collections.abc import Mapping

from msgspec import Struct

from pipeline.board.map import Power
from pipeline.board.position import Position, Step
from pipeline.desk.event.event import GATE_KEY, OWN_GATES, Event, gate_name
from pipeline.desk.event.games import Game
from pipeline.interpret.interpret import interpret
from pipeline.interpret.lexicon import other_forms, spellings
from pipeline.interpret.verdict import Line as WrittenLine
from pipeline.interpret.verdict import Status
from pipeline.orders import Order
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.gate import load_gates
from pipeline.reading.recogniser import Recogniser, Taken, Vocabulary, VocabularyLine
from pipeline.rules.reading_rules import Misspelt
from pipeline.rules.table import read_small
from pipeline.rules.tournament import Tournament

TAKE_OUT = f"take the line '{GATE_KEY}' out of event.toml, and calibrate again"


def best_recogniser() -> Recogniser:
    """The handwriting net that ships with the program."""
    return NetRecogniser()


def net_for(event: Event) -> NetRecogniser:
    """The net, with an event's own thresholds."""
    return with_event_gate(event, NetRecogniser())


def reader_for(event: Event, engine: Recogniser) -> Recogniser:
    """An engine with an event's own thresholds, where it is one that has thresholds."""
    return with_event_gate(event, engine) if isinstance(engine, NetRecogniser) else engine


def with_event_gate(event: Event, net: NetRecogniser) -> NetRecogniser:
    """Give a net the thresholds that 'calibrate' wrote for an event; without any it keeps those of the package."""
    if not event.details.gate:
        return net
    path = event.folder / event.details.gate
    if not path.is_file():
        raise stop(f"the thresholds that event.toml names are not there; copy them back; or {TAKE_OUT}", str(path))
    try:
        data = read_small(path)
    except OSError as error:
        raise stop(f"the thresholds cannot be read: {error.strerror or error}; {TAKE_OUT}", str(path)) from error
    if path.match(OWN_GATES) and path.name != gate_name(data):
        raise stop(f"these thresholds are not what 'calibrate' wrote; copy the file back; or {TAKE_OUT}", str(path))
    try:
        gates = load_gates(path)
    except Stopped as stopped:
        raise Stopped((*stopped.problems, Problem(Weight.STOPS, TAKE_OUT, str(path)))) from stopped
    if not all(digest in gates.measured for digest in net.digests):
        nets = " and ".join(net.digests)
        raise stop(f"these thresholds were not measured with the readers in use, {nets}; {TAKE_OUT}", str(path))
    return net.with_gates(gates, f"thresholds {hashlib.sha256(data).hexdigest()[:8]}")


# The vocabulary of a sheet as texts: the reader knows no provinces.

MISSPELT = {Misspelt.FOLLOWED: Taken.SAME, Misspelt.ASK: Taken.ASKED, Misspelt.FAILS: Taken.OTHER}


Others = Mapping[Step, tuple[VocabularyLine, ...]]  # lines in the form of a step's orders, possible here or not


def vocabulary_of(event: Event, game: Game, power: Power, others: Others) -> Vocabulary:
    """The vocabulary: every legal order of the power in every accepted spelling.

    And inadmissible lines, to compete with them.
    """
    return words_of(power, game.position, event.rules_on(game.map_name), others)[0]


def words_of(
    power: Power, position: Position, tournament: Tournament, others: Others
) -> tuple[Vocabulary, tuple[Order | None, ...]]:
    """What a power may write in a position, and the order of each line."""
    found = tuple(spellings(power, position, tournament))
    lines = tuple(VocabularyLine(spelling.slots, spelling.weight) for spelling in found)
    orders = tuple(spelling.order for spelling in found)
    misspelt, unusual = MISSPELT[tournament.reading.misspelt.value], tournament.abbreviations.unusual
    rules = Rules(power, position, tournament)

    def taken(text: str, line: int) -> Taken:
        return rules.take(text, orders[line])

    beside = others.get(position.phase.step, ())
    if position.phase.step is not Step.MOVEMENT and misspelt is Taken.SAME:
        misspelt = Taken.ASKED  # stricter: a short line has few letters to tell it by, and half of them are its sign
    return Vocabulary(lines, beside, taken=taken, misspelt=misspelt, unusual=unusual), orders


class Rules(Struct, frozen=True):
    """What a tournament makes of a single line that one power writes."""

    power: Power
    position: Position
    tournament: Tournament

    def take(self, text: str, order: Order | None) -> Taken:
        """What the rules make of a text that is nearly this order: the same order, asked, or another outcome.

        Where misspelt words fail (`Misspelt.FAILS`) the unit holds, which counts as another outcome. Orders implied for
        other units are ignored. A winter's text that falls into parts is asked if one part is and none is an order.
        """
        found = interpret([WrittenLine(1, text)], self.power, self.position, self.tournament).entries
        entries = [entry for entry in found if not entry.is_supplied]
        statuses = {entry.status for entry in entries}
        is_winter = self.position.phase.step is Step.ADJUSTMENTS
        is_asked = is_winter and Status.ASK in statuses and statuses <= {Status.ASK, Status.VOID}
        if not entries or (len(entries) > 1 and not is_asked):
            return Taken.OTHER
        if entries[0].is_implied or Status.ILLEGAL in statuses:
            return Taken.OTHER
        if entries[0].status is Status.CLEAR:
            return Taken.SAME if entries[0].order == order else Taken.OTHER
        held = self.tournament.reading.misspelt.value is Misspelt.FAILS
        return Taken.OTHER if held else Taken.ASKED


def others_of(tournament: Tournament) -> Others:
    """The forms of the orders of each step, with any place for any place: possible here or not."""
    return {
        step: tuple(VocabularyLine(spelling.slots, spelling.weight) for spelling in other_forms(tournament, step))
        for step in Step
    }
