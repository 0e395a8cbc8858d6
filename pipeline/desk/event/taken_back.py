"""What the director entered and took back: the fact stays, and counts no more."""

from pipeline.ledger.facts import Fact, FactStore

TAKEN_BACK = "taken back"  # its body names the fact


def standing(facts: FactStore, *kinds: str) -> list[Fact]:
    """The facts of some kinds that nobody took back, oldest first."""
    gone = {fact.body["fact"] for fact in facts.read(TAKEN_BACK)}
    found = [fact for kind in kinds for fact in facts.read(kind) if fact.number not in gone]
    return sorted(found, key=lambda fact: fact.number)
