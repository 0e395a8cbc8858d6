"""What is possible: an order is illegal if no orders of the others could make it work (DATC 4.E.1).

The questions are asked of the position alone. Whether the others' orders match is the business of ``movement``.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Kind, Map, Position, Power, Terrain, Unit, province_of
from pipeline.judge import rulebook
from pipeline.judge.outcome import Failed, Illegal, Invalid
from pipeline.orders import Convoy, Hold, Move, Order, Support, Waive
from pipeline.words.speech import wording

# The map as the judge uses it: tables made once, so that a question is one look into a dictionary.

ConvoyRoute = tuple[str, ...]  # seas, first to last


class Ground(Struct, frozen=True, eq=False):
    """Where units can go. Kept per map by `ground_of`."""

    board: Map
    walks: Mapping[str, frozenset[str]]  # army's province -> provinces
    sails: Mapping[str, frozenset[str]]  # fleet's place -> places
    sails_to: Mapping[str, frozenset[str]]  # fleet's place -> provinces, whichever coast
    seas: frozenset[str]
    coastal: frozenset[str]  # where an army can embark and land
    shores: Mapping[str, frozenset[str]]  # province or sea -> seas that touch it
    coasts: Mapping[str, tuple[str, ...]]  # province -> its coasts, only where there are two
    armies: Mapping[str, Unit]  # province -> the army that can stand there
    fleets: Mapping[str, Unit]  # place -> the fleet that can stand there

    def unit(self, kind: Kind, place: str) -> Unit | None:
        """Give the unit that can stand there; each is made once."""
        return self.armies.get(place) if kind is Kind.ARMY else self.fleets.get(place)

    def reaches(self, unit: Unit, province: str) -> bool:
        """Say whether a unit can go to a province by itself."""
        if unit.kind is Kind.ARMY:
            return province in self.walks[unit.place]
        return province in self.sails_to[unit.place]


@cache
def ground_of(board: Map) -> Ground:
    """Make the tables of a map, once."""
    sails = dict(board.fleet_borders)
    seas = frozenset(code for code, p in board.provinces.items() if p.terrain is Terrain.SEA)
    shores = {
        code: frozenset(other for place in board.places(code) for other in sails.get(place, ()) if other in seas)
        for code in board.provinces
    }
    return Ground(
        board=board,
        walks=dict(board.army_borders),
        sails=sails,
        sails_to={place: frozenset(province_of(other) for other in others) for place, others in sails.items()},
        seas=seas,
        coastal=frozenset(code for code, p in board.provinces.items() if p.terrain is Terrain.COAST),
        shores=shores,
        coasts={code: p.coasts for code, p in board.provinces.items() if p.coasts},
        armies={place: Unit(Kind.ARMY, place) for place in board.army_borders},
        fleets={place: Unit(Kind.FLEET, place) for place in sails},
    )


@lru_cache(maxsize=4096)
def convoy_routes(ground: Ground, start: str, to: str, afloat: frozenset[str]) -> tuple[ConvoyRoute, ...]:
    """List the minimal routes over seas with a fleet: without any one of its seas a route breaks (DATC 4.E.1, 6.G.19).

    Every longer way round contains one of these, so a convoy stands if one of them does.
    """
    first, last = ground.shores[start] & afloat, ground.shores[to] & afloat
    if not last:
        return ()
    routes: list[ConvoyRoute] = []
    open_ends: list[ConvoyRoute] = [(sea,) for sea in sorted(first)]
    while open_ends:
        route = open_ends.pop()
        if route[-1] in last:
            routes.append(route)
            continue
        for sea in sorted(ground.shores[route[-1]] & afloat - first - set(route)):
            if not any(sea in ground.shores[earlier] for earlier in route[:-1]):
                open_ends.append((*route, sea))
    return tuple(sorted(routes))


# Who stands where in one movement phase: every unit has a number, and is looked up by its province.


class Battlefield(Struct, eq=False):
    """All units of a phase before anything happens."""

    ground: Ground
    rules: rulebook.Rulebook
    powers: list[Power]  # by number
    units: list[Unit]  # by number
    at: dict[str, int]  # province -> number
    afloat: frozenset[str]  # seas with a fleet in them
    # each sea of a route that an army's order names, with where that army stands and goes; None: orders are not known
    named: frozenset[tuple[str, str, str]] | None = None


def field_of(ground: Ground, position: Position, rules: rulebook.Rulebook) -> Battlefield:
    """Number the units of a position."""
    powers: list[Power] = []
    units: list[Unit] = []
    at: dict[str, int] = {}
    for power, owned in position.units.items():
        for unit in owned:
            at[unit.province] = len(units)
            powers.append(power)
            units.append(unit)
    return Battlefield(ground, rules, powers, units, at, ground.seas.intersection(at))


def is_army(unit: Unit) -> bool:
    return unit.kind is Kind.ARMY


Refusal = Illegal | Invalid | Failed
NOT_NOW = Illegal(wording("not an order for a movement phase"))


def refusal(field: Battlefield, power: Power, order: Order) -> Refusal | None:
    """An order is refused if its unit is not there or not the writer's, or cannot do what is written (DATC 6.A)."""
    if not isinstance(order, Hold | Move | Support | Convoy):
        return NOT_NOW
    number = field.at.get(order.unit.province)
    if number is None or field.powers[number] is not power:
        return _no_such_unit(field, power, order.unit)
    unit = field.units[number]
    if why := misnaming(field.ground, field.rules, order.unit, unit):
        return why
    match order:
        case Move():
            place = landing(field, number, order)
            return None if isinstance(place, str) else place
        case Support():
            return _support_refusal(field, number, order)
        case Convoy():
            return _convoy_refusal(field, number, order)
        case _:
            return None


def _no_such_unit(field: Battlefield, power: Power, named: Unit) -> Refusal:
    """A power orders its own units, where they are (DATC 6.A.6)."""
    province = named.province
    if unknown := _unknown_province(field, province):
        return unknown
    number = field.at.get(province)
    if number is None:
        return Illegal(wording("there is no unit in {province}", province=province))
    return Illegal(
        wording(
            "the unit in {province} belongs to {owner}, not to {power}",
            province=province,
            owner=field.powers[number].title(),
            power=power.title(),
        )
    )


def _unknown_province(field: Battlefield, province: str) -> Refusal | None:
    """A word that names no province is not understood; Switzerland is understood, and impossible."""
    board = field.ground.board
    if province in board.provinces:
        return None
    if province in board.impossible:
        return Illegal(wording("{place} can never be entered", place=board.impossible[province]))
    return Invalid(wording("{province!r} is not a province of this map", province=province))


def misnaming(ground: Ground, rules: rulebook.Rulebook, named: Unit, unit: Unit) -> Illegal | None:
    """A wrong letter or a wrong coast on a unit that is known all the same (DATC 4.B.5, 4.B.6, 4.C.2)."""
    if named.kind is not unit.kind and rules.wrong_letter is rulebook.Garbled.ILLEGAL:
        return Illegal(wording("the unit is {unit}", unit=unit), "DATC 4.C.2")
    if named.place != unit.place and "/" in named.place:
        if "/" in unit.place and named.place in ground.sails:
            if rules.wrong_unit_coast is rulebook.Garbled.ILLEGAL:
                return Illegal(wording("the unit is {unit}", unit=unit), "DATC 4.B.5")
        elif rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("the unit is {unit}", unit=unit), "DATC 4.B.6")
    return None


def landing(field: Battlefield, number: int, order: Move) -> str | Refusal:
    """A unit moves to a province that it borders, and an army over water too; give the place it would stand in."""
    unit, province = field.units[number], province_of(order.to)
    for named in (province, *order.route):
        if unknown := _unknown_province(field, province_of(named)):
            return unknown
    if province == unit.province:
        return Illegal(wording("{province} is where the unit stands", province=province), "DATC 6.A.4")
    if unit.kind is Kind.ARMY:
        return _army_landing(field, unit, order)
    if order.via or order.route:
        return Illegal(wording("only armies are convoyed"), "DATC 6.A.7")
    return _fleet_landing(field, unit, order)


def _army_landing(field: Battlefield, unit: Unit, order: Move) -> str | Refusal:
    """An army walks to a neighbour, or is carried where fleets lie on the way (DATC 6.A.1, 6.D.32)."""
    ground, rules, to = field.ground, field.rules, province_of(order.to)
    if "/" in order.to and rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
        return Illegal(wording("an army has no coast: {to}", to=order.to), "DATC 4.B.6")
    walks = to in ground.walks[unit.place]
    if walks and not order.via:
        return to
    if to in ground.seas:
        return Illegal(wording("{to} is a sea, and {unit} an army", to=to, unit=unit), "DATC 6.A.2")
    if walks and rules.land_fallback is not rulebook.LandFallback.NEVER:
        return to
    if to not in ground.coastal or unit.place not in ground.coastal:
        return Illegal(wording("no convoy goes from {place} to {to}", place=unit.place, to=to), "DATC 6.A.1")
    if order.route and rules.named_route is not rulebook.NamedRoute.IGNORED:
        return _route_refusal(field, unit, order) or to
    if convoy_routes(ground, unit.place, to, field.afloat):
        return to
    if rules.missing_fleet is rulebook.MissingFleet.MOVE:
        return to
    return Illegal(wording("no fleets lie on the way from {place} to {to}", place=unit.place, to=to), "DATC 6.D.32")


def _route_refusal(field: Battlefield, unit: Unit, order: Move) -> Refusal | None:
    """A route that is named leads from sea to sea where fleets lie (DATC 4.A.6, WDC08 12.5)."""
    here = unit.place
    for sea in order.route:
        if sea not in field.ground.shores[here]:
            return Illegal(wording("{sea} does not follow {here} on a convoy route", sea=sea, here=here), "DATC 4.A.6")
        if sea not in field.afloat:
            return Illegal(wording("there is no fleet in {sea}", sea=sea), "DATC 6.D.32")
        here = sea
    if here not in field.ground.shores[province_of(order.to)]:
        return Illegal(
            wording("{to} does not follow {here} on a convoy route", to=province_of(order.to), here=here), "DATC 4.A.6"
        )
    return None


def _fleet_landing(field: Battlefield, unit: Unit, order: Move) -> str | Refusal:
    """A fleet sails to a sea or coast that its own coast borders; two coasts are told apart (DATC 6.B)."""
    ground, to, province = field.ground, order.to, province_of(order.to)
    reach = ground.sails[unit.place]
    if to in reach:
        return to
    if province not in ground.sails_to[unit.place]:
        return _out_of_reach(field, unit, order)
    rules, coasts = field.rules, ground.coasts.get(province, ())
    possible = [place for place in reach if province_of(place) == province]
    if "/" in to and to not in coasts:  # a coast that is not there: as if none had been written
        if rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("there is no {to}", to=to), "DATC 4.B.6")
        to = province
    if to in coasts:
        if rules.impossible_coast is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("{unit} cannot reach {to}", unit=unit, to=to), "DATC 4.B.3")
        return possible[0]
    if len(possible) > 1:
        if rules.missing_coast is rulebook.MissingCoast.DEFAULT:
            return next(place for place in coasts if place[3:] in ("/NC", "/EC"))
        return Illegal(
            wording("{province} has two coasts in reach, and none is named", province=province), "DATC 4.B.1"
        )
    if coasts and rules.only_coast_omitted is rulebook.Garbled.ILLEGAL:
        return Illegal(wording("the coast of {province} is missing", province=province), "DATC 4.B.2")
    return possible[0]


def _out_of_reach(field: Battlefield, unit: Unit, order: Move) -> Refusal:
    """A fleet does not reach it. The order is not illegal if it could be meant for the other coast (DATC 6.B.11)."""
    province = province_of(order.to)
    if province in field.ground.sails_to.get(order.unit.place, ()):
        return Failed(
            wording("the fleet lies in {place}, which does not border {province}", place=unit.place, province=province),
            "DATC 6.B.11",
        )
    if province not in field.ground.seas and province not in field.ground.coastal:
        return Illegal(wording("{province} is inland, and {unit} a fleet", province=province, unit=unit), "DATC 6.A.3")
    return Illegal(
        wording("{place} does not border {province} by sea", place=unit.place, province=province), "DATC 6.A.1"
    )


def _helped_unit(field: Battlefield, named: Unit) -> int | Refusal:
    """A support or a convoy is for a unit that is there; give its number."""
    province = named.province
    if unknown := _unknown_province(field, province):
        return unknown
    other = field.at.get(province)
    if other is None:
        return Illegal(wording("there is no unit in {province}", province=province))
    return misnaming(field.ground, field.rules, named, field.units[other]) or other


def _support_refusal(field: Battlefield, number: int, order: Support) -> Refusal | None:
    """A unit supports only where it could go itself, and only what can be done (DATC 6.A.10, 6.D.22, 6.D.31)."""
    other = _helped_unit(field, order.of)
    if not isinstance(other, int):
        return other
    if other == number:
        return Illegal(wording("a unit cannot support itself"), "DATC 6.A.8")
    unit, supported = field.units[number], field.units[other]
    province = order.of.province if order.to is None else province_of(order.to)
    if unknown := _unknown_province(field, province):
        return unknown
    if province == unit.province:
        return Illegal(wording("{province} is where the supporter stands", province=province), "DATC 6.D.34")
    if not field.ground.reaches(unit, province):
        return Illegal(wording("{unit} cannot go to {province} itself", unit=unit, province=province), "DATC 6.A.10")
    if order.to is None:
        return None
    return _unsupportable(field, number, other, supported, order.to)


def _unsupportable(field: Battlefield, number: int, other: int, supported: Unit, to: str) -> Refusal | None:
    """A move that is impossible cannot be supported either (DATC 6.D.22, 6.D.23, 6.D.24, 6.D.31)."""
    ground, province = field.ground, province_of(to)
    if province == supported.province:
        return Illegal(wording("{province} is where {unit} stands", province=province, unit=supported), "DATC 6.A.5")
    if supported.kind is Kind.ARMY:
        if "/" in to and field.rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("an army has no coast: {to}", to=to), "DATC 4.B.6")
        if province in ground.walks[supported.place]:
            return None
        if province not in ground.coastal or supported.place not in ground.coastal:
            return Illegal(wording("{unit} cannot go to {province}", unit=supported, province=province), "DATC 6.D.24")
        afloat = field.afloat - {field.units[number].place}
        if convoy_routes(ground, supported.place, province, afloat):
            return None
        return Illegal(
            wording("{unit} cannot go to {province} without this fleet, or at all", unit=supported, province=province),
            "DATC 6.D.31",
        )
    return _coast_unsupportable(field, number, other, supported, to)


def _coast_unsupportable(field: Battlefield, number: int, other: int, supported: Unit, to: str) -> Refusal | None:
    """A support to a province with two coasts may leave the coast out, or not (DATC 4.B.2, 4.B.3, 4.B.4)."""
    rules, province = field.rules, province_of(to)
    reach = field.ground.sails[supported.place]
    possible = [place for place in reach if province_of(place) == province]
    if not possible:
        return Illegal(wording("{unit} cannot go to {province}", unit=supported, province=province), "DATC 6.D.22")
    if to in reach:
        return None
    coasts = field.ground.coasts.get(province, ())
    if to in coasts:
        if rules.impossible_coast is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("{unit} cannot go to {to}", unit=supported, to=to), "DATC 6.D.23")
        return None
    if "/" in to and rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
        return Illegal(wording("there is no {to}", to=to), "DATC 4.B.6")
    if len(possible) == 1:
        if coasts and rules.only_coast_omitted is rulebook.Garbled.ILLEGAL:
            return Illegal(wording("the coast of {province} is missing", province=province), "DATC 4.B.2")
        return None
    own = field.powers[number] is field.powers[other]
    if rules.support_coast is rulebook.SupportCoast.ILLEGAL or (
        rules.support_coast is rulebook.SupportCoast.OWN_ONLY and not own
    ):
        return Illegal(wording("the coast of {province} is missing", province=province), "DATC 4.B.4")
    return None


def _convoy_refusal(field: Battlefield, number: int, order: Convoy) -> Refusal | None:
    """A fleet at sea carries an army from coast to coast, if its sea is on a way there (DATC 6.F.1, 6.F.12, 6.G.19)."""
    unit, to = field.units[number], province_of(order.to)
    if unknown := _unknown_province(field, to):
        return unknown
    if unit.place not in field.ground.seas:
        return Illegal(wording("{unit} is not a fleet at sea", unit=unit), "DATC 6.F.1")
    other = _helped_unit(field, order.of)
    if not isinstance(other, int):
        return other
    army = field.units[other]
    if army.kind is not Kind.ARMY:
        return Illegal(wording("only armies are convoyed, and the unit is {unit}", unit=army), "DATC 6.A.7")
    if "/" in order.to and field.rules.irrelevant_coast is rulebook.Garbled.ILLEGAL:
        return Illegal(wording("an army has no coast: {to}", to=order.to), "DATC 4.B.6")
    if to == army.place:
        return Illegal(wording("{to} is where the army stands", to=to), "DATC 6.A.5")
    if not _convoys_by_way_of(field, unit.place, army.place, to):
        return Illegal(
            wording("{place} is on no convoy route from {start} to {to}", place=unit.place, start=army.place, to=to),
            "DATC 6.F.12",
        )
    return None


def _convoys_by_way_of(field: Battlefield, sea: str, start: str, to: str) -> bool:
    """A fleet is useful if some route needs it; by a looser rule, if any route passes it (DATC 4.E.1).

    It is useful, too, if the army names a route over it, and such a route binds (DATC 4.A.6).
    """
    ground = field.ground
    if to not in ground.coastal:
        return False
    if any(sea in route for route in convoy_routes(ground, start, to, field.afloat)):
        return True
    binds = field.rules.named_route is not rulebook.NamedRoute.IGNORED
    is_named = binds and (field.named is None or (sea, start, to) in field.named)
    return (is_named or not field.rules.superfluous_convoy_is_illegal) and _detours(field, (), start, to, sea)


def _detours(field: Battlefield, gone: tuple[str, ...], here: str, to: str, sea: str) -> bool:
    """Say whether a route from sea to sea, through none of them twice, passes a certain sea."""
    shores = field.ground.shores
    if sea in gone and here in shores[to]:
        return True
    return any(_detours(field, (*gone, other), other, to, sea) for other in shores[here] & field.afloat - set(gone))


def meant_order(field: Battlefield, number: int, order: Order) -> Order:
    """Give an order as it is taken: what is written twice in two ways is one order (DATC 4.D.3, WM VI.2.g)."""
    ground, unit = field.ground, field.units[number]
    if refusal(field, field.powers[number], order) is not None:
        return order if isinstance(order, Waive) else replace(order, unit=unit)
    match order:
        case Hold():
            return Hold(unit)
        case Move():
            place = landing(field, number, order)
            binds = field.rules.named_route is not rulebook.NamedRoute.IGNORED
            walks = ground.reaches(unit, province_of(order.to))
            assert isinstance(place, str)
            return Move(
                unit,
                place,
                via=order.via and walks,
                route=order.route if binds else (),
            )
        case Support():
            other = field.units[field.at[order.of.province]]
            return Support(unit, other, None if order.to is None else _meant_place(ground, other, order.to))
        case Convoy():
            return Convoy(unit, field.units[field.at[order.of.province]], province_of(order.to))
        case _:
            return order


def _meant_place(ground: Ground, unit: Unit, to: str) -> str:
    """Give the coast that a supported fleet would land on, where only one can be meant; else what is written."""
    province = province_of(to)
    if unit.kind is Kind.ARMY:
        return province
    possible = [place for place in ground.sails[unit.place] if province_of(place) == province]
    if to in possible:
        return to
    return possible[0] if len(possible) == 1 else province
