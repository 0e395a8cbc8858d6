"""What is offered for a field is what happens when it is taken: fields made at random, for every tournament."""

from random import Random

from draw.players.test_draw_field import ALL, backwards, field
from pipeline.draw.field import KNOWN, Gathering, NotSeated, Record, RoundDecisions
from pipeline.draw.offers import SHRINKS, OfferWay, UnevenChoice, _choosing, make_even
from pipeline.draw.roster import Player
from pipeline.problems import Stopped

FIELDS = 200


def random_field(number: int) -> Gathering:
    """Invent who is there, what he said and did before, and what the director decided."""
    dice = Random(number)
    count, is_first = dice.randint(6, 20), dice.random() < 0.3
    names = [f"P{n:02}" for n in range(count)]
    is_complete = dice.random() < 0.8  # the roster

    def player(name: str) -> Player:
        return Player(
            name=name,
            director=dice.random() < 0.1,
            two_boards=dice.random() < 0.2,
            stands_aside=dice.random() < 0.2,
            standing=dice.choice(KNOWN) if is_complete or dice.random() < 0.8 else "",
            distance_km=dice.choice((5, 5, 60, 300, 800)) if is_complete or dice.random() < 0.8 else None,
        )

    def record() -> Record:
        return Record(
            rounds=dice.randint(0, 2),
            doubled=dice.choice((0, 0, 0, 1)),
            aside=dice.choice((0, 0, 0, 1)),
            sent=dice.choice((0, 0, 1)),
            place=dice.choice((None, dice.randint(1, count))),
        )

    players = [player(name) for name in names]
    directors = [player.name for player in players if player.director]
    decisions = RoundDecisions(
        absent=(names[0],) * dice.choice((0, 0, 1)),
        plays=tuple(name for name in directors if name != names[0] and dice.random() < 0.3),
        six=dice.choice((0, 0, 0, 0, 1)),
    )
    records = {} if is_first else {name: record() for name in names}
    return field(ALL[number % len(ALL)], players, decisions, records)


def changes(gathering: Gathering) -> dict[str, list[NotSeated]]:
    """Everybody who sits out, is left out or has a further seat."""
    return {"aside": gathering.aside, "sent": gathering.sent, "twice": gathering.twice, "plays": gathering.plays}


def offered(number: int) -> UnevenChoice | None:
    """What the director is offered for a field, if it does not fill its boards."""
    gathering = random_field(number)
    return _choosing(gathering) if gathering.over else None


def test_an_offer_that_is_taken_seats_and_leaves_out_whom_it_named() -> None:
    taken = set[OfferWay]()
    for number in range(FIELDS):
        choice = offered(number)
        for offer in choice.offers if choice else ():
            gathering = random_field(number)
            before = {kind: len(given) for kind, given in changes(gathering).items()}
            try:
                make_even(gathering, [offer.way], backwards)
            except Stopped:
                has_nobody = offer.way is not OfferWay.VARIANT and not offer.sure + offer.lot
                is_small = gathering.boards() < gathering.six
                assert offer.missing or has_nobody or not offer.is_enough or is_small, (number, offer)
                continue
            assert offer.is_enough
            taken.add(offer.way)
            new = {kind: given[before[kind] :] for kind, given in changes(gathering).items()}
            names = [each.name for given in new.values() for each in given]
            if offer.way is OfferWay.VARIANT:
                assert (names, gathering.six - random_field(number).six) == ([], offer.needed), number
                continue
            assert len(names) == offer.needed, (number, offer)
            assert names[: len(offer.sure)] == list(offer.sure) or offer.willing, (number, offer)
            assert set(offer.sure) <= {*names} <= {*offer.sure, *offer.lot}, (number, offer)
            by_lot = [each.name for given in new.values() for each in given if each.why.endswith(", by lot")]
            assert len(by_lot) == offer.needed - len(offer.sure), (number, offer)
            kinds = {kind for kind, given in new.items() if given}
            assert kinds <= ({"aside", "sent"} if offer.way in SHRINKS else {"twice", "plays"}), (number, offer)
            assert {each.name for each in new["aside"]} >= {*offer.willing}, (number, offer)
    assert taken == {*OfferWay}


def test_what_is_not_offered_is_refused_with_the_reason_that_was_shown() -> None:
    for number in range(FIELDS):
        if choice := offered(number):
            reasons = dict.fromkeys(OfferWay, "does not offer") | dict(choice.cannot)
            for way in reasons.keys() - {offer.way for offer in choice.offers}:
                try:
                    make_even(random_field(number), [way], backwards)
                except Stopped as stopped:
                    assert reasons[way] in stopped.problems[0].text, number
                else:
                    raise AssertionError(number, way)
