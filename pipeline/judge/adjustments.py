"""One adjustment phase, judged: builds and removals (DATC 6.I, 6.J)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.board import FIRST_PHASE, Kind, Map, Position, Power, Unit, province_of
from pipeline.judge.legality import Refusal, ground_of
from pipeline.judge.outcome import Automatic, Done, Failed, Illegal, Invalid, OrderOutcome, Resolution, Result
from pipeline.judge.rulebook import FarFrom, Garbled, RemovalDistance, Rulebook, Several
from pipeline.judge.winter import balances
from pipeline.orders import Build, Disband, Order, Waive, write
from pipeline.words.speech import wording

# Which units come off when a power orders too few removals (DATC 4.D.8).

NOWHERE = 99  # distance of an unreachable province; longer than any way on the map

# provinces of each home country that hold no centre, as the borders of the map colour them (rulebook 2000, map)
COUNTRYSIDE: Mapping[Power, tuple[str, ...]] = {
    Power.AUSTRIA: ("BOH", "GAL", "TYR"),
    Power.ENGLAND: ("CLY", "WAL", "YOR"),
    Power.FRANCE: ("BUR", "GAS", "PIC"),
    Power.GERMANY: ("PRU", "RUH", "SIL"),
    Power.ITALY: ("APU", "PIE", "TUS"),
    Power.RUSSIA: ("FIN", "LVN", "UKR"),
    Power.TURKEY: ("ARM", "SYR"),
}


def removed_first(board: Map, position: Position, power: Power, rules: Rulebook) -> list[tuple[Unit, str]]:
    """Removal in civil disorder: the unit farthest away first, then fleets before armies, then by list of provinces.

    Some tournaments spare, of units equally far, those that stand on a centre (WDC08 12.3).
    """
    targets = _distance_origins(board, position, power, rules)
    ranks = {code: rank for rank, code in enumerate(rules.removal_list or _by_name(board))}
    steps = {unit: _distance(board, unit, targets, rules) for unit in position.units.get(power, ())}

    def key(unit: Unit) -> tuple[int, bool, bool, int, str]:
        spared = rules.removal_spares_centres and board.provinces[unit.province].is_centre
        return -steps[unit], spared, unit.kind is not Kind.FLEET, ranks.get(unit.province, NOWHERE), unit.place

    return [(unit, _say_distance(steps[unit], rules)) for unit in sorted(steps, key=key)]


def _say_distance(steps: int, rules: Rulebook) -> str:
    """Say how far a unit is."""
    place = {
        FarFrom.HOME: wording("home centre"),
        FarFrom.COUNTRY: wording("home country"),
        FarFrom.OWNED: wording("owned centre"),
    }[rules.removal_far_from]
    if steps >= NOWHERE:
        return wording("removed: out of reach of any {place} (DATC 4.D.8)", place=place)
    return wording("removed: {steps} from the nearest {place} (DATC 4.D.8)", steps=steps, place=place)


def _by_name(board: Map) -> list[str]:
    """List the provinces by their English names."""
    return sorted(board.provinces, key=lambda code: board.provinces[code].name)


def _distance_origins(board: Map, position: Position, power: Power, rules: Rulebook) -> frozenset[str]:
    match rules.removal_far_from:
        case FarFrom.HOME:
            return frozenset(board.homes[power])
        case FarFrom.COUNTRY:
            return frozenset((*board.homes[power], *COUNTRYSIDE[power]))
        case _:
            return frozenset(position.centres.get(power, ()))


def _distance(board: Map, unit: Unit, targets: frozenset[str], rules: Rulebook) -> int:
    """Count the steps to the nearest of the targets: by provinces that touch, or fleets by their own moves."""
    if rules.removal_steps is RemovalDistance.MOVES and unit.kind is Kind.FLEET:
        return _steps_to(unit.place, targets, lambda place: board.fleet_borders.get(place, frozenset()))
    return _steps_to(unit.province, targets, lambda place: board.neighbours[place])


def _steps_to(start: str, targets: frozenset[str], borders: Callable[[str], Iterable[str]]) -> int:
    """Count the steps of the shortest way."""
    seen, edge, steps = {start}, [start], 0
    while edge:
        if any(province_of(place) in targets for place in edge):
            return steps
        edge = sorted({near for place in edge for near in borders(place)} - seen)
        seen.update(edge)
        steps += 1
    return NOWHERE


BUILT, REMOVED, WAIVED = (
    Done(wording("built")),
    Done(wording("removed")),
    Done(wording("waived")),
)


class Change(Struct, eq=False):
    """One adjustment order of a power."""

    order: Order
    unit: Unit | None = None  # what is built or removed, where that is possible
    refusal: Refusal | None = None


class Winter(Struct, eq=False):
    """One power's adjustments."""

    board: Map
    position: Position
    power: Power
    due: int  # builds above zero, removals below
    rules: Rulebook
    changes: list[Change] = field(default_factory=list)


def adjudicate_adjustments(
    board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook
) -> Resolution:
    """A power with more centres than units may build, one with fewer must remove; its orders are taken one by one."""
    due = balances(position)
    results: list[Result] = []
    automatic: list[Result] = []
    units: dict[Power, tuple[Unit, ...]] = dict(position.units)
    for power in (*orders, *(power for power in due if power not in orders)):
        winter = Winter(board, position, power, due.get(power, 0), rules)
        winter.changes = [_read_change(winter, order) for order in orders.get(power, ())]
        done = _choose(winter)
        results += [Result(power, change.order, _verdict(change)) for change in winter.changes]
        imposed, forced = _impose_builds(winter, done), _force_removals(winter, done)
        automatic += [Result(power, order, why) for _, order, why in (*imposed, *forced)]
        built = [unit for unit in done if winter.due > 0] + [unit for unit, _, _ in imposed]
        gone = {unit for unit in done if winter.due < 0} | {unit for unit, _, _ in forced}
        owned = [unit for unit in position.units.get(power, ()) if unit not in gone] + built
        if owned or power in units:
            units[power] = tuple(sorted(owned))
    after = replace(position, phase=position.phase.following(retreats=False), units=units, dislodged=())
    return Resolution(position.phase, (*results, *automatic), after)


def _verdict(change: Change) -> OrderOutcome:
    """Say what became of one order."""
    if change.refusal is not None:
        return change.refusal
    match change.order:
        case Build():
            return BUILT
        case Waive():
            return WAIVED
        case _:
            return REMOVED


def _read_change(winter: Winter, order: Order) -> Change:
    """An order is first judged as if it were the only one."""
    match order:
        case Build(unit):
            return _read_build(winter, order, unit)
        case Disband(unit):
            return _read_removal(winter, order, unit)
        case Waive():
            if winter.due <= 0:
                return Change(order, refusal=Illegal(wording("there is no build to waive")))
            if not winter.rules.waiving:
                return Change(order, refusal=Illegal(wording("builds may not be waived"), "DATC 4.D.7"))
            return Change(order)
        case _:
            return Change(order, refusal=Illegal(wording("not an order for an adjustment phase")))


def _read_build(winter: Winter, order: Build, unit: Unit) -> Change:
    """A unit is built in an empty home centre that its power still owns (DATC 6.I.3 to 6.I.6)."""
    province, power = unit.province, winter.power
    if province not in winter.board.provinces:
        return Change(order, refusal=Invalid(wording("{province!r} is not a province of this map", province=province)))
    if winter.due <= 0:
        return Change(order, refusal=Illegal(wording("{power} has no unit to build", power=power.title())))
    if province not in winter.board.homes[power]:
        return Change(
            order,
            refusal=Illegal(
                wording("{province} is not a home centre of {power}", province=province, power=power.title()),
                "DATC 6.I.6",
            ),
        )
    if province not in winter.position.centres.get(power, ()):
        return Change(
            order,
            refusal=Illegal(
                wording("{power} does not own {province}", power=power.title(), province=province), "DATC 6.I.5"
            ),
        )
    standing = winter.position.at(province)
    if standing is not None:
        return Change(order, refusal=Illegal(wording("{unit} stands there", unit=standing[1]), "DATC 6.I.3"))
    return _build_kind(winter, order, unit)


def _build_kind(winter: Winter, order: Build, unit: Unit) -> Change:
    """A fleet is built on a coast, and on a named one where there are two (DATC 4.B.7, 4.C.4)."""
    ground, rules, province = ground_of(winter.board), winter.rules, unit.province
    coasts = ground.coasts.get(province, ())
    useless = "/" in unit.place and (unit.kind is Kind.ARMY or unit.place not in coasts)
    if useless and rules.irrelevant_coast is Garbled.ILLEGAL:
        return Change(
            order,
            refusal=Illegal(wording("there is no {place} for {kind}", place=unit.place, kind=unit.kind), "DATC 4.B.6"),
        )
    if unit.kind is Kind.ARMY:
        return Change(order, ground.armies[province])
    if province not in ground.coastal:
        if rules.inland_fleet_is_army:
            return Change(order, ground.armies[province])
        return Change(order, refusal=Illegal(wording("{province} is inland", province=province), "DATC 4.C.4"))
    if coasts and unit.place not in coasts:
        return Change(
            order, refusal=Failed(wording("the coast of {province} is missing", province=province), "DATC 4.B.7")
        )
    return Change(order, ground.fleets[unit.place if coasts else province])


def _read_removal(winter: Winter, order: Disband, unit: Unit) -> Change:
    """A power removes units of its own, and only as many as it has too many (DATC 6.J.1)."""
    province = unit.province
    if province not in winter.board.provinces:
        return Change(order, refusal=Invalid(wording("{province!r} is not a province of this map", province=province)))
    if winter.due >= 0:
        return Change(order, refusal=Illegal(wording("{power} has no unit to remove", power=winter.power.title())))
    own = next((u for u in winter.position.units.get(winter.power, ()) if u.province == province), None)
    if own is None:
        return Change(
            order,
            refusal=Illegal(
                wording("{power} has no unit in {province}", power=winter.power.title(), province=province),
                "DATC 6.J.1",
            ),
        )
    if own.kind is not unit.kind and winter.rules.wrong_letter is Garbled.ILLEGAL:
        return Change(order, refusal=Illegal(wording("the unit is {unit}", unit=own), "DATC 4.C.2"))
    return Change(order, own)


def _choose(winter: Winter) -> list[Unit]:
    """Of too many orders the first count, or the last, or none; a repeated order is one too many (DATC 6.I.7)."""
    rules = winter.rules
    if winter.due > 0:
        _settle_places(winter)
    rule = rules.too_many_builds if winter.due > 0 else rules.too_many_removals
    possible = [change for change in winter.changes if change.refusal is None]
    distinct: list[Change] = []
    for change in possible:
        if change.unit is None or all(change.unit != other.unit for other in distinct):
            distinct.append(change)
        else:
            case = "DATC 6.I.7" if winter.due > 0 else "DATC 6.J.2"
            change.refusal = Illegal(wording("{order} is ordered already", order=write(change.order)), case)
    limit = abs(winter.due)
    kept = distinct[-limit:] if rule is Several.LAST else distinct[:limit]
    if rule is Several.NONE and len(distinct) > limit:
        kept = []
    units = [change.unit for change in kept if change.unit is not None]
    for change in distinct:
        if change not in kept:
            change.refusal = _excess(winter, rule)
    return units


def _excess(winter: Winter, rule: Several) -> Illegal:
    """Say why an order is one too many."""
    which = {
        Several.FIRST: wording("the first ones count"),
        Several.LAST: wording("the lowest written ones count"),
        Several.NONE: wording("none of them counts"),
        Several.BOTTOM_UP: wording("taken back from the bottom of the sheet upwards"),
    }[rule]
    if winter.due > 0:
        return Illegal(wording("too many builds, {due} due: {which}", due=winter.due, which=which), "DATC 4.D.4")
    return Illegal(wording("too many removals, {due} due: {which}", due=-winter.due, which=which), "DATC 4.D.6")


def _settle_places(winter: Winter) -> None:
    """Of two different builds in one province the first counts, or the last, or none (DATC 4.D.5)."""
    places: dict[str, list[Change]] = {}
    for change in winter.changes:
        if change.unit is not None:
            places.setdefault(change.unit.province, []).append(change)
    rule = winter.rules.two_builds_in_one_place
    for several in places.values():
        if any(change.unit != several[0].unit for change in several):
            counts = rule.pick(several)
            for change in several:
                if counts is None:
                    change.refusal = Illegal(wording("two builds in one province: neither counts"), "DATC 4.D.5")
                elif change.unit != counts.unit:
                    change.refusal = Illegal(
                        wording("another build there counts, {order}", order=write(counts.order)), "DATC 4.D.5"
                    )


def _impose_builds(winter: Winter, done: list[Unit]) -> list[tuple[Unit, Order, Automatic]]:
    """In the first winter the referee imposes builds, up to so many in all, on a power that ordered too few (EDC23 R5).

    Which they are the rule leaves to him; unless he orders others, a home centre gets the unit that began there.
    """
    rules, position = winter.rules, winter.position
    if position.phase.year != FIRST_PHASE.year:
        return []
    waived = sum(isinstance(change.order, Waive) and change.refusal is None for change in winter.changes)
    wanted = min(winter.due, rules.imposed_builds) - len(done) - waived
    began = {province_of(place): (kind, place) for kind, place in winter.board.start.get(winter.power, ())}
    taken = {unit.province for unit in done}
    free = [
        code
        for code in rules.removal_list or _by_name(winter.board)
        if code in winter.board.homes[winter.power]
        and code in position.centres.get(winter.power, ())
        and code not in taken
        and position.at(code) is None
    ]
    why = Automatic(wording("imposed by the referee in the first year (EDC23 R5)"))
    units = [ground_of(winter.board).unit(*began[code]) for code in free[: max(0, wanted)]]
    return [(unit, Build(unit), why) for unit in units if unit is not None]


def _force_removals(winter: Winter, done: list[Unit]) -> list[tuple[Unit, Order, Automatic]]:
    """Removals that were not ordered are made by the rules (DATC 6.J.2)."""
    missing = -winter.due - len(done)
    if missing <= 0:
        return []
    order_of_going = removed_first(winter.board, winter.position, winter.power, winter.rules)
    left = [(unit, why) for unit, why in order_of_going if unit not in done]
    return [(unit, Disband(unit), Automatic(why)) for unit, why in left[:missing]]


def adjustment_orders(board: Map, position: Position, power: Power, rules: Rulebook) -> list[Order]:
    """List all that a power can order in an adjustment phase."""
    due = balances(position).get(power, 0)
    if due < 0:
        return [Disband(unit) for unit in position.units.get(power, ())]
    if due == 0:
        return []
    winter = Winter(board, position, power, due, rules)
    ground = ground_of(board)
    units = [
        unit
        for code in board.homes[power]
        for unit in (ground.armies.get(code), *(ground.fleets.get(place) for place in board.places(code)))
        if unit is not None
    ]
    builds = [Build(unit) for unit in units if _read_build(winter, Build(unit), unit).refusal is None]
    return [*builds, Waive()] if rules.waiving else list(builds)


def adjustment_refusal(
    board: Map, position: Position, power: Power, order: Order, rules: Rulebook
) -> Illegal | Invalid | Failed | None:
    """Say what makes one adjustment impossible, taken by itself."""
    due = balances(position).get(power, 0)
    return _read_change(Winter(board, position, power, due, rules), order).refusal
