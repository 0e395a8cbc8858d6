"""Work the whole event out again from its facts, and name every difference from what was published.

A difference is not always a fault: a ruling corrected after the read-out changes what would be published now. What
becomes of it is the tournament's rule on late errors.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from pipeline.board.map import Power
from pipeline.desk.event.ending import against, over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, games
from pipeline.desk.event.played import Played
from pipeline.desk.forms.board_sheets import years_of
from pipeline.desk.forms.forms_in import forms_in
from pipeline.desk.publish.published import as_result
from pipeline.desk.ruling.desk import Desk
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.parts import OutcomePublished
from pipeline.orders.notation import write
from pipeline.orders.positions import write_position
from pipeline.problems import Problem, Weight
from pipeline.scoring.results.results import Ending

CHUNK = 1 << 20


def check_event(event: Event) -> Iterator[Problem]:
    """Everything that does not follow from the facts any more; nothing else is looked at where they are damaged."""
    if damage := event.facts.verify():
        yield from damage
        return
    yield from check_scans(event)
    yield from check_results(event)
    yield from check_ends(event)
    desk = Desk.of(event)
    for game in games(event).values():
        for played in game.played:
            yield from check_phase(desk, game, played)


def check_scans(event: Event) -> Iterator[Problem]:
    """Every scan is there, byte for byte."""
    for scan in (fact.said for fact in event.facts.told(ScanReceived)):
        path = event.scans / scan.path
        where = f"{scan.name} ({scan.sha256[:8]})"
        if not path.is_file():
            yield Problem(Weight.STOPS, f"the scan is gone from {path}; copy it back from another copy", where)
        elif sha256_of(path.read_bytes()) != scan.sha256:
            yield Problem(Weight.STOPS, f"the file {path} is no longer what came in; copy it back", where)


def check_results(event: Event) -> Iterator[Problem]:
    """Every result that was entered is what its board sheet says now."""
    forms = forms_in(event)
    for game in games(event).values():
        if game.entered is None or not game.entered.form:
            continue  # what was typed in stands on no sheet
        now = years_of(forms[game.entered.form])
        for year, counts in game.entered.years.items():
            for power, entered in counts.items():
                stands = now.get(year, {}).get(str(power))
                if stands != entered:
                    text = f"{power} was entered with {entered} centres in {year}, and its sheet says {stands} now"
                    yield Problem(Weight.STOPS, f"{text}; accept {game.entered.form} again", game.name)


def check_ends(event: Event) -> Iterator[Problem]:
    """Every game that was played here ended as the rules say, or by the director's word, which its fact keeps.

    A solo is called with the phase that wins it; one that was not, an earlier edition left uncalled.
    """
    for game in games(event).values():
        why = over(event, game)
        if why is not None and why.how is Ending.SOLO:
            yield Problem(Weight.STOPS, to_end(why), game.name)
        if not game.ended or game.end is None or game.entered is not None:
            continue
        overruled = {each.ground for each in game.end.fact.said.overruled or ()}
        for bar in against(event, replace(game, end=None), game.end.how):
            if bar.ground not in overruled:
                yield Problem(Weight.STOPS, f"ended as {game.ended}, and {bar}", game.name)


def sha256_of(content: bytes) -> str:
    """The hash that scans are kept under."""
    return hashlib.sha256(content).hexdigest()


def check_phase(desk: Desk, game: Game, played: Played) -> Iterator[Problem]:
    """One published phase: the orders that follow from the ink and the rulings, and what the judge makes of them."""
    said = played.fact.said
    where = f"{game.name} {played.phase}"
    for rows in desk.board(at_phase(game, str(played.phase))):
        now = sorted(write(order) for order in rows.orders)
        then = sorted(said.orders.get(rows.power, ()))
        if rows.is_open:
            yield Problem(Weight.ASKS, "something is open again since it was published", f"{where} {rows.power}")
        elif now != then:
            yield Problem(Weight.STOPS, difference("orders", then, now), f"{where} {rows.power}")
    then_results = {(r.power, r.order): r for r in said.results}
    now_results = {(r.power, write(r.order)): as_result(r) for r in played.resolution.results}
    for key in sorted({*then_results, *now_results}):
        was, is_now = then_results.get(key), now_results.get(key)
        if outcome_of(was) != outcome_of(is_now):
            text = f"{key[1]} was published as {was and was.reason!r} and is {is_now and is_now.reason!r} now"
            yield Problem(Weight.STOPS, text, f"{where} {key[0]}")
    after = write_position(played.resolution.after)
    for power in Power:
        then, now = (sorted(p["units"].get(str(power), [])) for p in (said.after, after))
        if then != now:
            yield Problem(Weight.STOPS, difference("units after it", then, now), f"{where} {power}")


def outcome_of(result: OutcomePublished | None) -> tuple[str, tuple[str, ...]] | None:
    """What became of an order: the word for it, and the orders that decided it; the sentence may be worded anew."""
    return None if result is None else (result.result, result.by)


def difference(what: str, then: list[str], now: list[str]) -> str:
    """Say what was and what is."""
    gone, come = sorted(set(then) - set(now)), sorted(set(now) - set(then))
    return f"{what}: published {', '.join(gone) or 'nothing'}; now {', '.join(come) or 'nothing'}"
