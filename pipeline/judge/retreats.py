"""One retreat phase, judged. Only dislodged units have orders, and none can help another (DATC 6.H)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Dislodged, Kind, Map, Position, Power, Season, province_of
from pipeline.judge.legality import ground_of, misnaming
from pipeline.judge.outcome import Automatic, Clashed, Done, Illegal, Invalid, OrderOutcome, Resolution, Result
from pipeline.judge.rulebook import Garbled, Impossible, MissingCoast, Rulebook
from pipeline.judge.winter import after_fall
from pipeline.orders import Disband, Move, Order, Retreat, Waive, write
from pipeline.words.speech import wording

DISBANDED = Done(wording("disbands"))
RETREATED = Done(wording("retreats"))
UNORDERED = Automatic(wording("disbands: no retreat was ordered"))


class RetreatOrder(Struct, eq=False):
    """One order of a dislodged unit: where it retreats to, or why it cannot."""

    power: Power
    order: Order
    unit: Dislodged | None
    place: str | None  # where it goes; None: it disbands
    refusal: Illegal | Invalid | None


def adjudicate_retreats(
    board: Map, position: Position, orders: Mapping[Power, Sequence[Order]], rules: Rulebook
) -> Resolution:
    """A dislodged unit goes where it is ordered if that is legal; units that meet, or have no order, disband."""
    driven = {each.unit.province: each for each in position.dislodged}
    retreats = [
        _read_retreat_order(board, driven, power, order, rules) for power, given in orders.items() for order in given
    ]
    counting = _settle_retreats(retreats, rules)
    meeting: dict[str, list[RetreatOrder]] = {}
    for retreat in counting.values():
        if retreat.place is not None:
            meeting.setdefault(province_of(retreat.place), []).append(retreat)
    results = [Result(each.power, each.order, _retreat_outcome(each, meeting)) for each in retreats]
    ordered = {each.unit.unit.province for each in retreats if each.unit is not None}
    for each in position.dislodged:
        if each.unit.province not in ordered:
            results.append(Result(each.power, Disband(each.unit), UNORDERED))
    return Resolution(position.phase, tuple(results), _position_after_retreats(board, position, meeting))


def _position_after_retreats(board: Map, position: Position, meeting: Mapping[str, list[RetreatOrder]]) -> Position:
    """Put the units that got away on the board."""
    ground = ground_of(board)
    units = {power: list(owned) for power, owned in position.units.items()}
    for retreats in meeting.values():
        retreat = retreats[0]
        if len(retreats) == 1 and retreat.unit is not None and retreat.place is not None:
            arrived = ground.unit(retreat.unit.unit.kind, retreat.place)
            if arrived is not None:
                units.setdefault(retreat.power, []).append(arrived)
    after = replace(
        position,
        phase=position.phase.following(retreats=False),
        units={power: tuple(sorted(owned)) for power, owned in units.items()},
        dislodged=(),
    )
    return after_fall(board, after) if position.phase.season is Season.FALL else after


def _read_retreat_order(
    board: Map, driven: Mapping[str, Dislodged], power: Power, order: Order, rules: Rulebook
) -> RetreatOrder:
    """Read one order: only an own dislodged unit may retreat or disband (DATC 6.H.1 to 6.H.4).

    A move is read as a retreat: many write it so (WDC08 12.2).
    """
    not_now = Illegal(wording("not an order for a retreat phase"), "DATC 6.H.1")
    if isinstance(order, Waive):
        return RetreatOrder(power, order, None, None, not_now)
    province = order.unit.province
    unit = driven.get(province)
    if unit is None or unit.power is not power:
        if province not in board.provinces:
            return RetreatOrder(
                power,
                order,
                None,
                None,
                Invalid(wording("{province!r} is not a province of this map", province=province)),
            )
        return RetreatOrder(
            power,
            order,
            None,
            None,
            Illegal(
                wording("{power} has no dislodged unit in {province}", power=power.title(), province=province),
                "DATC 6.H.4",
            ),
        )
    if not isinstance(order, Retreat | Disband | Move):
        return RetreatOrder(power, order, unit, None, not_now)
    if why := misnaming(ground_of(board), rules, order.unit, unit.unit):
        return RetreatOrder(power, order, unit, None, why)
    if isinstance(order, Disband):
        return RetreatOrder(power, order, unit, None, None)
    if isinstance(order, Move) and order.via:
        return RetreatOrder(power, order, unit, None, Illegal(wording("no convoys during retreats"), "DATC 6.H.3"))
    place = _refuge(board, unit, order.to, rules)
    if isinstance(place, str):
        return RetreatOrder(power, order, unit, place, None)
    return RetreatOrder(power, order, unit, None, place)


def _refuge(board: Map, unit: Dislodged, to: str, rules: Rulebook) -> str | Illegal | Invalid:
    """A unit retreats to one of its legal retreats; the coast is needed if both are open (DATC 4.B.1, 4.B.2)."""
    province = province_of(to)
    if province not in board.provinces and province not in board.impossible:
        return Invalid(wording("{province!r} is not a province of this map", province=province))
    if to in unit.retreats:
        return to
    possible = [place for place in unit.retreats if province_of(place) == province]
    if not possible:
        options = unit.retreats or wording("none")
        return Illegal(
            wording(
                "{province} is not open to {unit}: open are {options}",
                province=province,
                unit=unit.unit,
                options=options,
            ),
            "DATC 6.H.5",
        )
    return _refuge_coast(board, unit, to, possible, rules)


def _refuge_coast(board: Map, unit: Dislodged, to: str, possible: list[str], rules: Rulebook) -> str | Illegal:
    """Find the open coast that is meant by another word for its province, as for a move (DATC 4.B.1 to 4.B.6)."""
    province = province_of(to)
    coasts = board.provinces[province].coasts if unit.unit.kind is Kind.FLEET else ()
    if "/" in to and to not in coasts:  # a coast that is not there: as if none had been written
        if rules.irrelevant_coast is Garbled.ILLEGAL:
            return Illegal(wording("there is no {to}", to=to), "DATC 4.B.6")
        to = province
        if to in unit.retreats:
            return to
    if to in coasts:
        if rules.impossible_coast is Garbled.ILLEGAL:
            return Illegal(
                wording("{to} is not open to {unit}: open are {options}", to=to, unit=unit.unit, options=unit.retreats),
                "DATC 4.B.3",
            )
        return possible[0]
    if len(possible) > 1:
        if rules.missing_coast is MissingCoast.DEFAULT:
            return next(place for place in possible if place[3:] in ("/NC", "/EC"))
        return Illegal(wording("{province} has two coasts open, and none is named", province=province), "DATC 4.B.1")
    if rules.only_coast_omitted is Garbled.ILLEGAL:
        return Illegal(wording("the coast of {province} is missing", province=province), "DATC 4.B.2")
    return possible[0]


def _settle_retreats(retreats: list[RetreatOrder], rules: Rulebook) -> dict[str, RetreatOrder]:
    """Of several orders for one unit the first counts, or the last, or none (DATC 4.D.3).

    An impossible order is one of them, unless it is ignored (DATC 4.E.1; EDC23 R9: "even if some of the orders were
    invalid").
    """
    ignored = rules.impossible_orders is Impossible.IGNORED
    written: dict[str, list[RetreatOrder]] = {}
    for retreat in retreats:
        if retreat.unit is not None and not isinstance(retreat.refusal, (Illegal, Invalid) if ignored else Invalid):
            written.setdefault(retreat.unit.unit.province, []).append(retreat)
    counting = {}
    for province, several in written.items():
        meant = [each.place if each.refusal is None else each.order for each in several]
        differ = any(each != meant[0] for each in meant)
        counts = rules.several_orders.pick(several) if differ else several[0]
        for each, place in zip(several, meant, strict=True):
            if counts is None:
                each.refusal = each.refusal or Illegal(
                    wording("the unit has several orders: it disbands"), "DATC 4.D.3"
                )
            elif place != meant[several.index(counts)]:
                each.refusal = each.refusal or Illegal(
                    wording("the unit has another order, {order}", order=write(counts.order)), "DATC 4.D.3"
                )
        if counts is not None and counts.refusal is None:
            counting[province] = counts
    return counting


def _retreat_outcome(retreat: RetreatOrder, meeting: Mapping[str, list[RetreatOrder]]) -> OrderOutcome:
    if retreat.refusal is not None:
        return retreat.refusal
    if retreat.place is None:
        return DISBANDED
    others = [other for other in meeting[province_of(retreat.place)] if other.unit is not retreat.unit]
    return Clashed(tuple(other.order for other in others)) if others else RETREATED


def retreat_orders(position: Position, power: Power) -> list[Order]:
    """List the legal orders of a power in a retreat phase."""
    orders: list[Order] = []
    for each in position.dislodged:
        if each.power is power:
            orders += [Retreat(each.unit, place) for place in each.retreats]
            orders.append(Disband(each.unit))
    return orders


def retreat_refusal(
    board: Map, position: Position, power: Power, order: Order, rules: Rulebook
) -> Illegal | Invalid | None:
    """Say what makes one retreat impossible, taken by itself."""
    driven = {each.unit.province: each for each in position.dislodged}
    return _read_retreat_order(board, driven, power, order, rules).refusal
