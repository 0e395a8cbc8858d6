"""What every line of one sheet is read against: whose it is, who stands where, and under which rules."""

from dataclasses import dataclass
from typing import Any

from pipeline.board.map import Kind, Map, Power, Terrain, province_of
from pipeline.board.position import Position, Step, Unit
from pipeline.interpret.doubts.doubts import Found
from pipeline.interpret.language.lexicon import Lexicon
from pipeline.interpret.language.written import Phrase
from pipeline.judge.field import Battlefield, field_of
from pipeline.judge.ground import ground_of
from pipeline.orders.order import Disband, Hold, Order
from pipeline.rules.rulings_book import Situation
from pipeline.rules.toml.setting import Setting
from pipeline.rules.tournament import Tournament
from pipeline.rules.words.abbreviations import fold


@dataclass(frozen=True, slots=True)
class Sheet:
    """One power's sheet in one phase."""

    power: Power
    position: Position
    tournament: Tournament
    lexicon: Lexicon
    field: Battlefield
    stands: dict[str, tuple[Power, Unit]]  # province -> who stands there; in retreats, who was driven out of it
    own: tuple[Unit, ...]  # the power's own units; in retreats, those that were driven out

    @property
    def board(self) -> Map:
        """The map."""
        return self.lexicon.board

    def own_at(self, code: str) -> Unit | None:
        """Find the own unit in a province."""
        found = self.stands.get(code)
        return found[1] if found and found[0] is self.power else None

    def coast_place(self, code: str, coast: str) -> str | None:
        """Name the place of a coast; a table may call Bulgaria's east coast north (EDC23 G); two coasts are none."""
        if "/" in coast:
            places = {place for each in coast.split("/") if (place := self.coast_place(code, each)) is not None}
            return places.pop() if len(places) == 1 else None
        coasts = self.board.provinces[code].coasts if code in self.board.provinces else ()
        if f"{code}/{coast}" in coasts:
            return f"{code}/{coast}"
        table = self.tournament.abbreviations.coasts
        return next((p for p in coasts for w in table.get(p, ()) if self.lexicon.coasts.get(fold(w)) == coast), None)

    def kind_for(self, code: str, letter: Kind | None) -> Kind:
        """Guess the letter of a unit that is not there, so that it can be written down: only seas have no armies."""
        if letter is not None:
            return letter
        province = self.board.provinces.get(code)
        return Kind.FLEET if province is not None and province.terrain is Terrain.SEA else Kind.ARMY

    def without_order(self, unit: Unit) -> Order | None:
        """What a unit does if its line is not followed: it holds; driven out, it disbands; in winter, nothing."""
        match self.position.phase.step:
            case Step.MOVEMENT:
                return Hold(unit)
            case Step.RETREATS:
                return Disband(unit)
            case Step.ADJUSTMENTS:
                return None

    def situation(self, setting: Setting[Any], found: Found, text: str) -> Situation:
        """Name what the director is asked, so that he finds it again in the rulings book."""
        return Situation(str(found.doubt), setting.path, text)

    def name(self, code: str) -> str:
        """The province's name."""
        province = self.board.provinces.get(province_of(code))
        return province.name if province else self.board.impossible.get(code, code)


def make_sheet(power: Power, position: Position, tournament: Tournament, lexicon: Lexicon) -> Sheet:
    """Put a sheet's background together."""
    field = field_of(ground_of(lexicon.board), position, tournament.rulebook)
    if position.phase.step is Step.RETREATS:
        driven = {each.unit.province: (each.power, each.unit) for each in position.dislodged}
        own = tuple(unit for owner, unit in driven.values() if owner is power)
        return Sheet(power, position, tournament, lexicon, field, driven, own)
    stands = {unit.province: (owner, unit) for owner, units in position.units.items() for unit in units}
    return Sheet(power, position, tournament, lexicon, field, stands, position.units.get(power, ()))


def in_capitals(phrase: Phrase) -> bool:
    """Say whether a word is written in capitals throughout."""
    return phrase.text.isupper()
