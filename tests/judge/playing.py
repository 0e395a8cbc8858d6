"""Play a page: what the judge makes of each block, put in the words of the page."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from judge.pages import Block, Case, Line
from pipeline.board import MAPS, Phase, Position, Power, Unit
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.outcome import Resolution
from pipeline.judge.rulebook import DATC, EDITIONS, Rulebook, rulebook
from pipeline.orders import Order, Waive, read_order, read_unit, write
from pipeline.rules.load import load_tournament


def play(case: Case) -> Iterator[tuple[Block, str, Position, Resolution]]:
    """Judge every block of a case, under each of the rules it names; give the position before, too."""
    first = case.blocks[0]
    before: dict[str, Resolution] = {}
    for block in case.blocks:
        for rules in block.rules.split(" or "):
            if block.kind == "then":
                position = before[rules].after
                if block.phase:
                    position = replace(position, phase=Phase.read(block.phase))
            else:
                position = position_of(first if block.kind == "under" else block)
            resolution = adjudicate(MAPS[first.board](), position, orders_of(block), rules_of(rules))
            before[rules] = resolution
            yield block, rules, position, resolution


def rules_of(text: str) -> Rulebook:
    """Read ``datc``, ``wdc2008``, ``1971``, ``4.A.1 a, 4.A.2 b`` or ``1982, own_fleets_first true``."""
    settings: dict[str, Any] = {}
    for part in text.split(", "):
        key, _, value = part.partition(" ")
        if value:
            settings[key] = {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)
        elif key in EDITIONS:
            settings["base"] = key
        else:
            return load_tournament(key).rulebook
    return rulebook(settings) if settings else DATC


def position_of(block: Block) -> Position:
    """Set up the position that a block starts from."""
    units: dict[Power, list[Unit]] = {}
    for power in block.powers:
        own = [read_order(line.order) for line in block.lines if line.power == power and line.result != "automatic"]
        named = [read_unit(text) for text in block.has[power]] if power in block.has else units_in(own)
        units[Power(power)] = named
    return Position(
        phase=Phase.read(block.phase),
        units={power: tuple(dict.fromkeys(owned)) for power, owned in units.items()},
        centres={Power(power): tuple(owned) for power, owned in block.owns.items()},
    )


def units_in(orders: list[Order]) -> list[Unit]:
    """List the units that are ordered."""
    return [order.unit for order in orders if not isinstance(order, Waive)]


def orders_of(block: Block) -> Mapping[Power, list[Order]]:
    """Read the orders of a block; what happens of itself is no order."""
    orders: dict[Power, list[Order]] = {}
    for line in block.lines:
        given = orders.setdefault(Power(line.power), [])
        if line.result != "automatic":
            given.append(read_order(line.order))
    return orders


def lines_of(resolution: Resolution) -> list[Line]:
    """Write down what became of every order."""
    return [
        Line(str(each.power), write(each.order), str(each.outcome.result), each.reason)
        for each in resolution.results
        if each.written
    ]


def told_of(resolution: Resolution) -> dict[str, str]:
    """Write down where everything ended."""
    after = resolution.after
    dislodged = [
        f"{each.power} {each.unit} from {each.by} to {', '.join(each.retreats) or 'nowhere'}"
        for each in sorted(after.dislodged, key=lambda each: (each.power, each.unit.place))
    ]
    return {
        "ends": owned_by_power({power: [str(u) for u in units] for power, units in after.units.items()}),
        "dislodged": "; ".join(dislodged) or "nobody",
        "owned": owned_by_power(after.centres),
        "next": str(after.phase),
    }


def owned_by_power(things: Mapping[Any, Any]) -> str:
    """Write ``AUSTRIA A VIE, F TRI; ITALY A VEN``, powers that have nothing left out."""
    kept = {power: owned for power, owned in things.items() if owned}
    return "; ".join(f"{power} {', '.join(kept[power])}" for power in sorted(kept)) or "nothing"
