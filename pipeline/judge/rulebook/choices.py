"""The choices a rulebook or a tournament can make: one small set of words for each open question (DATC chapter 4).

A word is what a tournament writes in its file; a letter is what the test cases call it.
"""

from enum import StrEnum


class Routes(StrEnum):
    """When a convoy that has several routes is disrupted (DATC 4.A.1)."""

    ANY_BROKEN = "any-broken"  # a: one route is enough (1971)
    ALL_BROKEN = "all-broken"  # b: only when no route is left (1982 and later)


class Paradox(StrEnum):
    """What happens where a convoyed army decides over its own convoy (DATC 4.A.2)."""

    RULE_1971 = "1971"  # a: no cut of a fleet's support for a fleet attacking one of the army's convoying fleets
    RULE_1982 = "1982"  # b: no cut of a fleet's support for anything in a sea with a convoying fleet
    RULE_2000 = "2000"  # c: no cut of a support for an attack on a fleet that the convoy cannot do without
    ALL_HOLD = "all-hold"  # d: every move in the paradox fails
    VERHEIJDEN = "verheijden"  # e: a convoyed attack has no effect on its own convoying fleets
    SZYKMAN = "szykman"  # f, Szykman's rule: the convoying fleets in the paradox do not convoy
    PANDIN = "pandin"  # NZ99 14: the convoy fails, and the fleet is not dislodged either


class AdjacentConvoy(StrEnum):
    """When an army that could walk goes by sea (DATC 4.A.3)."""

    OPPOSED = "opposed"  # a: only to swap with the unit it attacks, and only if the convoy stands (1971)
    INTENT = "intent"  # b: if the whole of the owner's orders shows it (1982)
    OWN_FLEET = "own-fleet"  # c, d: an own fleet convoys it, or the order says so (2000, 2023)
    TAGGED = "tagged"  # DPTG: only if the order says so (WM VI.1.b, EDC96 9, WDC08 12.5)
    ANY = "any"  # NZ99 14: an unwanted convoy cannot be refused


class LandFallback(StrEnum):
    """When an army that meant to go by sea to a neighbour walks instead (DATC 4.A.3)."""

    NEVER = "never"
    UNORDERED = "unordered"  # if no convoy was ordered for it
    ALWAYS = "always"  # also if the convoy was ordered and disrupted


class AttackFrom(StrEnum):
    """Where the attack of a convoyed army comes from (DATC 4.A.4)."""

    START = "start"  # the army's province (Calhamer)
    LAST_FLEET = "last-fleet"  # the sea it lands from (Brannan)


class NamedRoute(StrEnum):
    """What a route written in the army's order means (DATC 4.A.6)."""

    IGNORED = "ignored"  # a
    BINDING = "binding"  # b: that route or none (WDC08 12.5, NZ99 14)
    REQUIRED = "required"  # c: a convoyed move without a route fails


class MissingCoast(StrEnum):
    """A fleet ordered to a province where it could reach two coasts, with none named (DATC 4.B.1)."""

    FAILS = "fails"
    DEFAULT = "default"  # the coast in the north, or the east


class SupportCoast(StrEnum):
    """A support without a coast, for a fleet that could reach two (DATC 4.B.4)."""

    ILLEGAL = "illegal"  # a
    OWN_ONLY = "own-only"  # b: good for a unit of the same power (Calhamer)
    ANY = "any"  # c: good for either coast


class Garbled(StrEnum):
    """A detail of an order that is wrong and not needed (DATC 4.B.2, 4.B.3, 4.B.5, 4.B.6, 4.C.2)."""

    IGNORED = "ignored"
    ILLEGAL = "illegal"


class Several(StrEnum):
    """Which of several orders that exclude each other counts (DATC 4.D.3, 4.D.4, 4.D.5, 4.D.6)."""

    NONE = "none"  # none of them; for removals: civil disorder decides
    FIRST = "first"
    LAST = "last"  # EDC23 R6: the lowest written are kept
    BOTTOM_UP = "bottom-up"  # WM VII.3.d: the excess is taken back from the bottom of the sheet upwards


class FarFrom(StrEnum):
    """From what the unit that is removed stands farthest (DATC 4.D.8)."""

    HOME = "home"  # a: the nearest home supply centre (1971, 1982; WDC08 12.3)
    COUNTRY = "country"  # b: the home country, its other provinces included (2000)
    OWNED = "owned"  # c: the nearest owned supply centre (2023; WM VII.1.b, EDC23 R7)


class RemovalDistance(StrEnum):
    """How the distance of a removal is counted (DATC 4.D.8)."""

    MOVES = "moves"  # as the unit moves: fleets by sea and coast, armies over land and over water
    REGIONS = "regions"  # provinces that touch, whatever they are (2023; EDC23 R7)


class Impossible(StrEnum):
    """What becomes of a unit whose order is impossible (DATC 4.E.1)."""

    IGNORED = "ignored"  # the order is as if not written: another one counts, else the unit holds
    HOLD = "hold"  # the unit holds, and that was its order (2023)
    MOVE = "move"  # it stays, but an impossible move still denies it support to hold (old practice)
    UNSUPPORTED = "unsupported"  # it stays, and may not be supported to hold (NZ99 16)


class MissingFleet(StrEnum):
    """An army ordered over water where no fleets lie that could carry it (DATC 4.E.1)."""

    ILLEGAL = "illegal"
    MOVE = "move"  # it tried to move, and may not be supported to hold
