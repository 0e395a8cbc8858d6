"""What the director reads where players do not fill their boards, word for word."""

import pytest

from draw.draw_room import names
from pipeline.draw.offers import MOST_NAMED, Offer, OfferWay, UnevenChoice, _offer_lines
from pipeline.problems import Problem, Weight

MISSING = (Problem(Weight.ASKS, "the journey of Ann is missing", "roster"), Problem(Weight.ASKS, "Bob's too", "roster"))


def choice(*offers: Offer, **more: object) -> UnevenChoice:
    """Thirteen players, under rules that offer something."""
    fields = {
        "round": 2, "seats": 13, "people": 13, "six": 0, "size": 7, "over": 6, "short": 1, "rule": "rule 5",
        "is_open": False, "is_paid": False, "boards": 2, "offers": offers, "cannot": (), **more,
    }  # fmt: skip
    return UnevenChoice(**fields)  # type: ignore[arg-type]  # fields by name


NOTHING = "no offer helps; anything else needs a reason: add --why to --six, --plays, --twice or --out"
TAKE = "repeat the command with one of these, or with several"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (choice(), f"13 players, 7 to a board: 6 too many, or 1 too few; rule 5 offers what follows; {NOTHING}"),
        (
            choice(seats=14, six=2, over=2, short=5),
            f"13 players, 7 to a board, 14 seats taken, 2 boards of six: 2 too many, or 5 too few; "
            f"rule 5 offers what follows; {NOTHING}",
        ),
        (
            choice(people=1, seats=7, six=1, over=1, short=6, is_open=True),
            f"1 player, 7 to a board, 7 seats taken, 1 board of six: 1 too many, or 6 too few; "
            f"the director decides (rule 5); {NOTHING}",
        ),
        (
            choice(Offer(way=OfferWay.LOT, needed=6), people=6, seats=6),
            f"6 players, 7 to a board: 1 too few; rule 5 offers what follows; {TAKE}",
        ),
    ],
)
def test_the_matter_is_said_first(found: UnevenChoice, told: str) -> None:
    assert next(_offer_lines(found)) == told


@pytest.mark.parametrize(
    ("way", "needed", "more", "told"),
    [
        (OfferWay.VOLUNTEERS, 1, {}, "1 sits out voluntarily"),
        (OfferWay.VOLUNTEERS, 2, {"is_paid": True}, "2 sit out voluntarily, for the bonus of a withdrawal"),
        (OfferWay.DOUBLE, 1, {}, "1 plays on two boards voluntarily"),
        (OfferWay.DOUBLE, 2, {}, "2 play on two boards voluntarily"),
        (OfferWay.DIRECTOR, 1, {}, "1 seat for the director"),
        (OfferWay.DIRECTOR, 2, {}, "2 seats for the director"),
        (OfferWay.LEAVE_OUT, 1, {}, "1 is left out, in the order of the rules"),
        (OfferWay.LEAVE_OUT, 2, {}, "2 are left out, in the order of the rules"),
        (OfferWay.LOT, 1, {}, "1 is left out, whom the director names or a lot decides"),
        (OfferWay.LOT, 2, {}, "2 are left out, whom the director names or a lot decides"),
    ],
)
def test_an_offer_says_how_many_do_what(way: OfferWay, needed: int, more: dict[str, object], told: str) -> None:
    _, line = _offer_lines(choice(Offer(way=way, needed=needed, sure=names(needed)), **more))
    assert line.startswith(f"{way}: {told}: P01")


@pytest.mark.parametrize(
    ("needed", "more", "told"),
    [
        (2, {}, "2 boards of six without Turkey; --take sandard, or --six 2"),
        (1, {}, "1 board of six without Turkey beside 1 board of 7; --take sandard, or --six 1"),
        (1, {"six": 1, "boards": 5}, "2 boards of six without Turkey beside 3 boards of 7; --take sandard, or --six 2"),
        (2, {"is_open": True},
         "2 boards of six without Turkey, of which the rules say nothing; --take sandard, or --six 2"),
    ],
)  # fmt: skip
def test_boards_of_six_are_counted_with_those_beside_them(needed: int, more: dict[str, object], told: str) -> None:
    _, line = _offer_lines(choice(Offer(way=OfferWay.VARIANT, needed=needed), **more))
    assert line == f"sandard: {told}"


LONG = names(MOST_NAMED + 1)


@pytest.mark.parametrize(
    ("offer", "told"),
    [
        (
            Offer(way=OfferWay.LEAVE_OUT, needed=3, sure=("Ann", "Bob"), willing=("Ann",), lot=("Cat", "Dan")),
            "3 are left out, in the order of the rules: first Ann, voluntarily, and then Bob, "
            "and by lot 1 of Cat, Dan; --take leave-out, or --out NAME for each",
        ),
        (Offer(way=OfferWay.LEAVE_OUT, needed=1, sure=("Ann",), willing=("Ann",)),
         "1 is left out, in the order of the rules: first Ann, voluntarily; --take leave-out, or --out NAME"),
        (Offer(way=OfferWay.VOLUNTEERS, needed=2, sure=("Ann", "Bob"), willing=("Ann", "Bob")),
         "2 sit out voluntarily: Ann, Bob; --take volunteers, or --aside NAME for each"),
        (Offer(way=OfferWay.VOLUNTEERS, needed=3, sure=("Ann",), willing=("Ann",)),
         "3 sit out voluntarily: Ann, and 2 more to be found; --take volunteers, or --aside NAME for each"),
        (
            Offer(way=OfferWay.DOUBLE, needed=1),
            "1 plays on two boards voluntarily: nobody has said so on the roster (column 'two boards'), ask; "
            "--twice NAME",
        ),
        (Offer(way=OfferWay.DIRECTOR, needed=2), "2 seats for the director: 2 more to be found; --plays NAME for each"),
        (Offer(way=OfferWay.LEAVE_OUT, needed=2, sure=("Ann",), missing=MISSING),
         "2 are left out, in the order of the rules: the journey of Ann is missing; Bob's too; --out NAME for each"),
        (
            Offer(way=OfferWay.LOT, needed=6, lot=LONG[:-1]),
            f"6 are left out, whom the director names or a lot decides: by lot 6 of {', '.join(LONG[:-1])}; "
            "--take lot, or --out NAME for each",
        ),
        (
            Offer(way=OfferWay.LOT, needed=6, lot=LONG),
            "6 are left out, whom the director names or a lot decides: by lot 6 of all 13; "
            "--take lot, or --out NAME for each",
        ),
    ],
)  # fmt: skip
def test_an_offer_names_whom_it_concerns_and_how_it_is_taken(offer: Offer, told: str) -> None:
    assert list(_offer_lines(choice(offer)))[1:] == [f"{offer.way}: {told}"]


def test_of_a_long_lot_it_is_said_what_makes_them_level() -> None:
    lines = list(
        _offer_lines(
            choice(
                Offer(way=OfferWay.LOT, needed=1, lot=LONG), Offer(way=OfferWay.LEAVE_OUT, needed=1, lot=LONG), seats=20
            )
        )
    )
    assert "by lot 1 of 13 who have played most and missed least; " in lines[1]
    assert "by lot 1 of 13 who are level in the order of the rules; " in lines[2]


def test_where_a_withdrawal_is_paid_only_who_is_left_out_is_told_that_he_is_not() -> None:
    left_out = Offer(way=OfferWay.LEAVE_OUT, needed=1, sure=("Ann",))
    double = Offer(way=OfferWay.DOUBLE, needed=1, sure=("Ann",))
    unpaid = ": Ann, without a bonus; who is left out may still withdraw later;"
    assert [unpaid in line for line in _offer_lines(choice(left_out, double, is_paid=True))] == [False, True, False]
    assert not any(unpaid in line for line in _offer_lines(choice(left_out)))


def test_what_does_not_help_comes_last_with_its_reason() -> None:
    found = choice(Offer(way=OfferWay.LOT, needed=1), cannot=((OfferWay.DOUBLE, "there is one board only"),))
    assert list(_offer_lines(found))[-1] == "double: does not help here: there is one board only"


@pytest.mark.parametrize(
    ("offer", "is_enough"),
    [
        (Offer(way=OfferWay.VARIANT, needed=2), True),
        (Offer(way=OfferWay.LOT, needed=2, lot=("Ann", "Bob")), True),
        (Offer(way=OfferWay.LEAVE_OUT, needed=2, sure=("Ann",), lot=("Bob",)), True),
        (Offer(way=OfferWay.LEAVE_OUT, needed=2, sure=("Ann",)), False),
        (Offer(way=OfferWay.LEAVE_OUT, needed=3, sure=("Ann", "Bob", "Cat", "Dan")), True),
    ],
)
def test_an_offer_is_enough_where_it_names_as_many_as_are_needed(offer: Offer, is_enough: bool) -> None:
    assert offer.is_enough is is_enough
    assert choice(offer).as_json()["offers"][0]["enough"] is is_enough


def test_the_choice_for_other_programs() -> None:
    offer = Offer(way=OfferWay.LEAVE_OUT, needed=2, sure=("Ann",), willing=("Ann",), lot=("Bob",), missing=MISSING[:1])
    assert choice(offer, cannot=((OfferWay.DOUBLE, "there is one board only"),)).as_json() == {
        "round": 2,
        "seated": False,
        "seats": 13,
        "size": 7,
        "over": 6,
        "short": 1,
        "rule": "rule 5",
        "offers": [
            {
                "way": "leave-out",
                "needed": 2,
                "names": ["Ann"],
                "willing": ["Ann"],
                "lot": ["Bob"],
                "enough": True,
                "missing": ["the journey of Ann is missing"],
            }
        ],
        "cannot": [{"way": "double", "why": "there is one board only"}],
    }
