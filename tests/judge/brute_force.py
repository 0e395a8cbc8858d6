"""A second judge, slow and plain: try every set of winning moves, and keep those that agree with the rules.

It knows legal orders under the preferences of the test cases only, and has no paradox rule: it says what is consistent.
"""

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from pipeline.board import Kind, Position, Power, Unit
from pipeline.judge.legality import Ground
from pipeline.orders import Convoy, Move, Order, Support


class Piece(Struct):
    """One unit and its order."""

    power: Power
    unit: Unit
    order: Order

    @property
    def province(self) -> str:
        """Where it stands."""
        return self.unit.place[:3]

    @property
    def target(self) -> str:
        """The province it moves to, or nothing."""
        return self.order.to[:3] if isinstance(self.order, Move) else ""


class Table:
    """All pieces, and what follows from a guess at which moves win."""

    def __init__(self, ground: Ground, position: Position, orders: dict[Power, list[Order]]) -> None:
        told = {order.unit.place[:3]: order for given in orders.values() for order in given}  # type: ignore[union-attr]
        self.ground = ground
        self.pieces = [
            Piece(power, unit, told[unit.province]) for power, units in position.units.items() for unit in units
        ]
        self.at = {piece.province: piece for piece in self.pieces}
        self.movers = [piece for piece in self.pieces if piece.target]
        self.carried = {piece.province: self.fleets_for(piece) for piece in self.movers if self.sails(piece)}

    def fleets_for(self, army: Piece) -> list[Piece]:
        """The fleets ordered to carry an army where it was ordered to go."""
        return [
            piece
            for piece in self.pieces
            if isinstance(piece.order, Convoy)
            and piece.order.of.place[:3] == army.province
            and piece.order.to[:3] == army.target
        ]

    def sails(self, piece: Piece) -> bool:
        """Whether it goes by sea: it must, or it says so, or a fleet of its own carries it."""
        if piece.unit.kind is Kind.FLEET:
            return False
        assert isinstance(piece.order, Move)
        walks = piece.target in self.ground.walks[piece.unit.place]
        return not walks or piece.order.via or any(f.power is piece.power for f in self.fleets_for(piece))

    def solutions(self) -> Iterator[frozenset[str]]:
        """Every set of winning moves that makes itself come true."""
        for guess in product((False, True), repeat=len(self.movers)):
            won = frozenset(piece.province for piece, wins in zip(self.movers, guess, strict=True) if wins)
            if all((piece.province in won) == self.wins(piece, won) for piece in self.movers):
                yield won

    def dislodged(self, piece: Piece, won: frozenset[str]) -> bool:
        """Whether somebody got in while it did not get out."""
        return piece.province not in won and any(
            other.province in won and other.target == piece.province for other in self.movers
        )

    def arrives(self, piece: Piece, won: frozenset[str]) -> bool:
        """Walk from sea to sea over the fleets that are left."""
        if piece.province not in self.carried:
            return True
        seas = {fleet.province for fleet in self.carried[piece.province] if not self.dislodged(fleet, won)}
        reached = seas & self.ground.shores[piece.province]
        while True:
            further = reached | {sea for sea in seas if self.ground.shores[sea] & reached}
            if further == reached:
                return bool(reached & self.ground.shores[piece.target])
            reached = further

    def supporters(self, piece: Piece, won: frozenset[str]) -> list[Piece]:
        """All whose support for this piece's order matches and is not cut."""
        return [
            other
            for other in self.pieces
            if isinstance(other.order, Support) and self.matches(other.order, piece) and not self.is_cut(other, won)
        ]

    def matches(self, support: Support, piece: Piece) -> bool:
        """Whether a support is for what a piece does."""
        if support.of.place[:3] != piece.province:
            return False
        if support.to is None:
            return not piece.target
        if support.to[:3] != piece.target:
            return False
        assert isinstance(piece.order, Move)
        fleet = piece.unit.kind is Kind.FLEET
        return not (fleet and len(support.to) > 3 and support.to != piece.order.to)

    def is_cut(self, supporter: Piece, won: frozenset[str]) -> bool:
        """Whether an enemy arrives, and from the province supported into also wins."""
        assert isinstance(supporter.order, Support)
        into = (supporter.order.to or supporter.order.of.place)[:3]
        for attacker in self.movers:
            if attacker.target == supporter.province and attacker.power is not supporter.power:
                if attacker.province == into:
                    if attacker.province in won:
                        return True
                elif self.arrives(attacker, won):
                    return True
        return False

    def face_to_face(self, one: Piece, other: Piece) -> bool:
        """Whether two cross one border in opposite directions."""
        crossing = one.target == other.province and other.target == one.province
        return crossing and one.province not in self.carried and other.province not in self.carried

    def wins(self, piece: Piece, won: frozenset[str]) -> bool:
        """Whether a move gets through, if exactly those moves win that are said to."""
        if not self.arrives(piece, won):
            return False
        supporters = self.supporters(piece, won)
        attack, resistance = 1 + len(supporters), 0
        holder = self.at.get(piece.target)
        if holder and (holder.province not in won or self.face_to_face(piece, holder)):
            if holder.power is piece.power:
                return False
            attack = 1 + sum(supporter.power is not holder.power for supporter in supporters)
            moves = holder.target and not self.face_to_face(piece, holder)
            resistance = 1 if moves else 1 + len(self.supporters(holder, won))
        if attack <= resistance:
            return False
        rivals = [r for r in self.movers if r.target == piece.target and r is not piece and self.arrives(r, won)]
        for rival in rivals:
            beaten = holder and holder.province in won and self.face_to_face(rival, holder)
            if not beaten and attack <= 1 + len(self.supporters(rival, won)):
                return False
        return True
