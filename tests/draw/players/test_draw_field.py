"""Who plays when seven do not divide: what each tournament's rules offer, by name, and nothing done unasked."""

import math
from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.draw.field import (
    STANDINGS,
    Gathering,
    Record,
    RoundDecisions,
    Terms,
    Turnout,
    by_lot,
    choose_left_out,
    gather_players,
)
from pipeline.draw.offers import (
    Offer,
    OfferWay,
    Uneven,
    UnevenChoice,
    _choosing,
    concerned_names,
    make_even,
    objections_to_choices,
)
from pipeline.draw.roster import Player
from pipeline.problems import Problem, Stopped
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import StandDown

ALL = ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"]
SIZES = [6, 8, 13, 15, 20, 27, 34, 40]


def field(
    tournament: str,
    players: Sequence[Player],
    told: RoundDecisions | None = None,
    records: Mapping[str, Record] | None = None,
) -> Gathering:
    """Take in who is there."""
    rules = load_tournament(tournament)
    terms = Terms(
        uneven=rules.draw.uneven,
        director_boards=rules.draw.director_boards,
        two_boards=rules.conduct.two_boards_often,
        rounds_most=rules.draw.rounds_most,
        is_paid=rules.scoring.bonuses.withdrawal is not None,
    )
    return gather_players(players, told or RoundDecisions(), Gathering(round=1, terms=terms, records=records or {}))


def backwards(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """A lot that always draws from the end; a lot is only drawn where it decides."""
    assert 0 < count < len(names)
    return names[::-1][:count]


def turned_out(
    tournament: str,
    players: Sequence[Player],
    *take: OfferWay,
    told: RoundDecisions | None = None,
    records: Mapping[str, Record] | None = None,
) -> Turnout:
    gathering = field(tournament, players, told, records)
    make_even(gathering, take, backwards)
    return gathering.turnout()


def asked(
    tournament: str,
    players: Sequence[Player],
    *take: OfferWay,
    told: RoundDecisions | None = None,
    records: Mapping[str, Record] | None = None,
) -> UnevenChoice:
    with pytest.raises(Uneven) as caught:
        turned_out(tournament, players, *take, told=told, records=records)
    assert caught.value.code == 3
    return caught.value.choice


def offered(choice: UnevenChoice, way: OfferWay) -> Offer:
    return next(offer for offer in choice.offers if offer.way is way)


def crowd(count: int, **more: object) -> list[Player]:
    return [Player(name=f"P{n:02}", **more) for n in range(1, count + 1)]  # type: ignore[arg-type]  # by name


def travelled(count: int) -> list[Player]:
    return [Player(name=f"P{n:02}", distance_km=100 * n) for n in range(1, count + 1)]


TESS = Player(name="Tess", director=True)


@pytest.mark.parametrize("tournament", ALL)
def test_a_multiple_of_seven_plays_as_it_is(tournament: str) -> None:
    found = turned_out(tournament, [*crowd(14), TESS])
    assert found == Turnout(bodies=tuple(player.name for player in crowd(14)))


def test_who_is_left_out_is_no_volunteer_where_the_rules_name_nobody_who_is_here() -> None:
    gathering = field("weaselmoot", crowd(8, standing="traveller"))
    clubs_only = replace(gathering.terms.uneven, value=(StandDown.LOCAL_CLUB,))
    gathering.terms = replace(gathering.terms, uneven=clubs_only)
    with pytest.raises(Stopped, match="leave-out: the rules name nobody who is here; name people one by one"):
        make_even(gathering, [OfferWay.LEAVE_OUT], backwards)


@pytest.mark.parametrize(
    ("told", "name"), [(RoundDecisions(twice=("P01",)), "P01"), (RoundDecisions(plays=("Tess",)), "Tess")]
)
def test_who_has_played_all_his_rounds_is_not_silently_left_out_of_a_board_that_he_is_named_for(
    told: RoundDecisions, name: str
) -> None:
    with pytest.raises(Stopped) as stopped:
        field("edc1996", [*crowd(14), TESS], told, {name: Record(rounds=3)})
    [problem] = stopped.value.problems
    assert problem.where == ("--twice" if told.twice else "--plays")
    assert problem.text == f"{name!r} cannot play: has played 3 rounds already (EDC96 tournament rounds)"


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("tournament", ALL)
def test_nobody_is_sent_away_or_doubled_unasked(tournament: str, count: int) -> None:
    players = [
        Player(name=f"P{n:02}", distance_km=n, standing="local", two_boards=n < 9, stands_aside=n > 6)
        for n in range(count)
    ]
    choice = asked(tournament, [*players, TESS])
    assert (choice.seats, choice.over, choice.short) == (count, count % 7, -count % 7)


@pytest.mark.parametrize(
    ("tournament", "ways"),
    [
        (
            "nzdc1999",
            [OfferWay.DIRECTOR, OfferWay.VOLUNTEERS, OfferWay.LOT],
        ),  # GM positions, or he asks people (NZ99 5)
        ("weaselmoot", [OfferWay.DOUBLE, OfferWay.DIRECTOR, OfferWay.VOLUNTEERS, OfferWay.LEAVE_OUT]),
        ("edc2023", [OfferWay.DOUBLE, OfferWay.DIRECTOR, OfferWay.VARIANT, OfferWay.VOLUNTEERS, OfferWay.LEAVE_OUT]),
        (
            "edc1996",
            [OfferWay.DOUBLE, OfferWay.DIRECTOR, OfferWay.VARIANT, OfferWay.VOLUNTEERS, OfferWay.LOT],
        ),  # silent: all there is
        (
            "wdc2008",
            [OfferWay.DOUBLE, OfferWay.DIRECTOR, OfferWay.VARIANT, OfferWay.VOLUNTEERS, OfferWay.LOT],
        ),  # the directors decide (9)
    ],
)
def test_thirteen_players_are_offered_what_each_tournaments_rules_offer(tournament: str, ways: list[OfferWay]) -> None:
    players = [Player(name=f"P{n:02}", distance_km=n, standing="local") for n in range(13)]
    choice = asked(tournament, [*players, TESS])
    assert [offer.way for offer in choice.offers] == ways
    assert offered(choice, OfferWay.DIRECTOR).sure == ("Tess",)
    assert not choice.cannot


def test_offers_name_those_who_come_first_and_among_whom_a_lot_is_drawn() -> None:
    players = [*travelled(11), *(Player(name=f"V{n}", two_boards=True, distance_km=5) for n in range(2))]
    choice = asked("edc2023", players)
    assert offered(choice, OfferWay.DOUBLE) == Offer(way=OfferWay.DOUBLE, needed=1, lot=("V0", "V1"))
    assert offered(choice, OfferWay.LEAVE_OUT).sure == ("V0", "V1", "P01", "P02", "P03", "P04")
    assert not offered(choice, OfferWay.VOLUNTEERS).is_enough


def test_what_cannot_help_is_said_with_its_reason() -> None:
    choice = asked("edc2023", travelled(8))
    assert dict(choice.cannot) == {
        OfferWay.DIRECTOR: "nobody on the roster is a director (column 'director')",
        OfferWay.VARIANT: "it takes 6 boards of 6, for 36 players",
    }
    six = asked("edc2023", travelled(6))
    assert [offer.way for offer in six.offers] == [OfferWay.VARIANT]


@pytest.mark.parametrize(("count", "six"), [(6, 1), (12, 2), (13, 1), (20, 1), (27, 1), (34, 1), (40, 2)])
def test_boards_of_six_stand_beside_boards_of_seven(count: int, six: int) -> None:
    found = turned_out("edc2023", travelled(count), OfferWay.VARIANT)
    assert found.six == six
    assert len(found.bodies) == count
    assert found == turned_out("edc2023", travelled(count), told=RoundDecisions(six=six))


def test_more_boards_of_six_than_players_fill_are_refused() -> None:
    with pytest.raises(Stopped, match="9 players make 2 boards, not 5 of six"):
        turned_out("edc2023", travelled(9), told=RoundDecisions(six=5))


def test_a_volunteer_who_doubles_beside_a_board_of_six_is_a_mixture() -> None:
    found = turned_out("edc2023", travelled(12), told=RoundDecisions(six=1, twice=("P03",)))
    assert (len(found.bodies), found.six) == (13, 1)


def test_weasel_doubles_up_volunteers_when_the_director_says_so() -> None:
    players = [*crowd(11), *(Player(name=f"V{n}", two_boards=True) for n in range(2))]
    found = turned_out("weaselmoot", players, OfferWay.DOUBLE)
    assert len(found.bodies) == 14
    assert [(each.name, each.why) for each in found.twice] == [
        ("V1", "volunteers for two boards (WM III.5, III.6), by lot")
    ]


def test_weasels_director_plays_one_or_two_boards() -> None:
    assert turned_out("weaselmoot", [*crowd(12), TESS], OfferWay.DIRECTOR).bodies.count("Tess") == 2
    assert turned_out("weaselmoot", [*crowd(13), TESS], OfferWay.DIRECTOR).bodies.count("Tess") == 1
    rest = asked("weaselmoot", [*crowd(18), TESS], OfferWay.DIRECTOR)
    assert (rest.seats, offered(rest, OfferWay.DOUBLE).needed) == (20, 1)


def test_new_zealands_director_plays_as_many_gm_positions_as_there_are_boards() -> None:
    assert turned_out("nzdc1999", [*crowd(18), TESS], OfferWay.DIRECTOR).bodies.count("Tess") == 3


def test_weasel_leaves_out_local_board_members_first_and_travellers_last() -> None:
    words = ["traveller"] * 5 + ["local"] * 5 + ["club member"] * 4 + ["board member"] * 2
    players = [Player(name=f"{word} {n}", standing=word) for n, word in enumerate(words)]
    found = turned_out("weaselmoot", players, OfferWay.LEAVE_OUT)
    assert sorted(each.name for each in found.sent) == ["board member 14", "board member 15"]
    players = [p for p in players if p.standing != "board member"] + [Player(name="club late", standing="Club Member")]
    (left,) = turned_out("weaselmoot", players, OfferWay.LEAVE_OUT).sent
    assert left.name == "club member 13"
    assert left.why == "local members of the club are left out (WM III.5, III.6), by lot"
    assert left.way == "local_club_members"


@pytest.mark.parametrize(("way", "words"), STANDINGS.items(), ids=str)
def test_each_word_for_a_standing_puts_a_player_into_its_class(way: StandDown, words: tuple[str, ...]) -> None:
    """In capitals, too; and one word belongs to one class."""
    for word in ("board member", "local board member", "club member", "local club member", "member", "local",
                 "local non-member", "non-member", "traveller", "traveler", "travellers"):  # fmt: skip
        players = [*crowd(7, standing="traveller"), Player(name="Zed", standing=word.title())]
        levels, missing = choose_left_out(field("weaselmoot", players), 8)
        assert not missing
        assert [each.way for each in levels if "Zed" in each.names] == [way] or word not in words


def test_weasel_asks_volunteers_before_anybody_is_left_out() -> None:
    players = [*crowd(14, standing="traveller"), Player(name="Bo", standing="board member")]
    willing = Player(name="Vol", standing="traveller", stands_aside=True)
    choice = asked("weaselmoot", [*players, willing])
    assert (offered(choice, OfferWay.LEAVE_OUT).sure, offered(choice, OfferWay.LEAVE_OUT).willing) == (
        ("Vol", "Bo"),
        ("Vol",),
    )
    found = turned_out("weaselmoot", [*players, willing], OfferWay.LEAVE_OUT)
    assert [each.name for each in found.aside] == ["Vol"]
    assert [each.name for each in found.sent] == ["Bo"]


def test_nobody_is_left_out_by_a_standing_that_is_unknown() -> None:
    players = [Player(name="Bo", standing="board member"), *crowd(14)]
    (problem,) = offered(asked("weaselmoot", players), OfferWay.LEAVE_OUT).missing
    assert "P01, P02, P03, P04, P05 and 9 more" in problem.text
    with pytest.raises(Stopped, match="column 'standing'"):
        turned_out("weaselmoot", players, OfferWay.LEAVE_OUT)


def test_edc23_pays_volunteers_most_rounds_first_then_the_lowest_ranked_and_once_each() -> None:
    volunteers = [Player(name=name, stands_aside=True) for name in ("Ann", "Bob", "Cem")]
    records = {"Ann": Record(rounds=1, place=3), "Bob": Record(rounds=2, place=1), "Cem": Record(rounds=2, place=2)}
    players = [*crowd(12), *volunteers]
    assert [each.name for each in turned_out("edc2023", players, OfferWay.VOLUNTEERS, records=records).aside] == ["Cem"]
    new = records | {"Bob": Record(rounds=2)}
    assert [each.name for each in turned_out("edc2023", players, OfferWay.VOLUNTEERS, records=new).aside] == ["Bob"]
    records["Cem"] = Record(rounds=2, place=2, aside=1)
    assert [each.name for each in turned_out("edc2023", players, OfferWay.VOLUNTEERS, records=records).aside] == ["Bob"]
    records["Bob"] = Record(rounds=2, place=1, doubled=1)  # the one excludes the other (EDC23 D)
    assert [each.name for each in turned_out("edc2023", players, OfferWay.VOLUNTEERS, records=records).aside] == ["Ann"]


def test_edc23_leaves_out_by_rank_and_who_is_sent_away_keeps_his_withdrawal() -> None:
    places = {f"P{n:02}": Record(rounds=1, place=n) for n in range(1, 16)}
    found = turned_out("edc2023", crowd(15), OfferWay.LEAVE_OUT, records=places)
    assert [(each.name, each.why) for each in found.sent] == [("P15", "has place 15 (EDC23 B, D, F)")]
    assert not found.aside
    sent_before = {**places, "P15": replace(places["P15"], sent=1)}
    players = [replace(player, stands_aside=player.name == "P15") for player in crowd(15)]
    assert [each.name for each in turned_out("edc2023", players, OfferWay.VOLUNTEERS, records=sent_before).aside] == [
        "P15"
    ]


def test_edc23_keeps_who_travelled_most_in_round_one_and_among_equals() -> None:
    found = turned_out("edc2023", travelled(15), OfferWay.LEAVE_OUT)
    assert [(each.name, each.why) for each in found.sent] == [("P01", "travelled 100 km (EDC23 B, D, F)")]
    level = {f"P{n:02}": Record(rounds=1, place=min(n, 12)) for n in range(1, 16)}
    found = turned_out("edc2023", travelled(15), OfferWay.LEAVE_OUT, records=level)
    assert [each.name for each in found.sent] == ["P12"]  # of the four who share place 12 the nearest


def test_edc23_asks_when_journeys_are_unknown_and_draws_lots_when_they_are_equal() -> None:
    (problem,) = offered(asked("edc2023", crowd(15)), OfferWay.LEAVE_OUT).missing
    assert "column 'distance_km'" in problem.text
    assert offered(asked("edc2023", crowd(15, distance_km=5)), OfferWay.LEAVE_OUT).lot == tuple(
        p.name for p in crowd(15)
    )
    found = turned_out("edc2023", crowd(15, distance_km=5), OfferWay.LEAVE_OUT)
    assert [(each.name, each.why) for each in found.sent] == [("P15", "travelled 5 km (EDC23 B, D, F), by lot")]


def by_rules_that_offer(ways: tuple[StandDown, ...], players: Sequence[Player]) -> Gathering:
    """The field under rules of one's own."""
    rules = load_tournament("edc2023")
    terms = Terms(
        uneven=replace(rules.draw.uneven, value=ways),
        director_boards=rules.draw.director_boards,
        two_boards=rules.conduct.two_boards_often,
        rounds_most=rules.draw.rounds_most,
    )
    return gather_players(players, RoundDecisions(), Gathering(round=1, terms=terms, records={}))


def left_out_by(ways: tuple[StandDown, ...], players: Sequence[Player], count: int) -> tuple[list[int], int]:
    """How many are in each level of who is left out, and how many questions there are, by rules of one's own."""
    levels, missing = choose_left_out(by_rules_that_offer(ways, players), count)
    return [len(level.names) for level in levels], len(missing)


VOLUNTARY = {
    StandDown.DOUBLE: OfferWay.DOUBLE,
    StandDown.DIRECTOR_PLAYS: OfferWay.DIRECTOR,
    StandDown.VOLUNTEERS: OfferWay.VOLUNTEERS,
    StandDown.VARIANT: OfferWay.VARIANT,
}


@pytest.mark.parametrize("word", [each for each in StandDown if each is not StandDown.ASK])
def test_every_word_of_the_rules_is_offered_and_a_lot_where_they_name_nobody_who_is_left_out(word: StandDown) -> None:
    choice = _choosing(by_rules_that_offer((word,), [*crowd(8), TESS]))
    ways = {*(offer.way for offer in choice.offers), *(way for way, _ in choice.cannot)}
    assert ways == ({VOLUNTARY[word], OfferWay.LOT} if word in VOLUNTARY else {OfferWay.LEAVE_OUT})


def test_a_journey_is_no_matter_where_only_the_rank_decides() -> None:
    """All are level by rank; by a rule that names the rank alone a lot decides among them, and nobody is asked more."""
    assert left_out_by((StandDown.LOWEST_RANKED,), crowd(8), 1) == ([8], 0)
    assert left_out_by((StandDown.LOWEST_RANKED, StandDown.NEAREST), crowd(8), 1) == ([8], 1)


@pytest.mark.parametrize("count", range(9))
def test_journeys_are_asked_for_however_many_of_equals_are_left_out(count: int) -> None:
    """Also where one alone is left; of all or of nobody no journey decides."""
    assert left_out_by((StandDown.LOWEST_RANKED, StandDown.NEAREST), crowd(8), count)[1] == (0 < count < 8)


def test_journeys_are_asked_for_when_those_who_come_first_are_not_enough() -> None:
    """One local player goes first; of a second and a third who are left out, the journeys decide."""
    ways = (StandDown.LOCAL, StandDown.NEAREST)
    players = [Player(name="Loc", standing="local"), *crowd(8, standing="traveller")]
    assert left_out_by(ways, players, 1) == ([1, 8], 0)
    assert left_out_by(ways, players, 3) == ([1, 8], 1)


def test_a_lot_hits_first_who_has_played_most_and_missed_least() -> None:
    records = {f"P{n:02}": Record(rounds=2 if n > 3 else 1, sent=int(n > 12)) for n in range(1, 16)}
    choice = asked("nzdc1999", crowd(15), records=records)
    assert offered(choice, OfferWay.LOT).lot == tuple(f"P{n:02}" for n in range(4, 13))


def test_a_long_lot_is_counted_with_what_makes_them_level() -> None:
    def among(tournament: str, way: OfferWay, players: Sequence[Player], **records: Record) -> str:
        choice = asked(tournament, players, records=records)
        return concerned_names(choice, offered(choice, way))

    assert among("nzdc1999", OfferWay.LOT, crowd(15)) == ": by lot 1 of all 15"
    missed = {f"P{n:02}": Record(rounds=1, sent=1) for n in range(1, 3)}
    others = {f"P{n:02}": Record(rounds=1) for n in range(3, 16)}
    most = ": by lot 1 of 13 who have played most and missed least"
    assert among("nzdc1999", OfferWay.LOT, crowd(15), **others, **missed) == most
    one_more = {**others, "P03": Record()}
    assert among("nzdc1999", OfferWay.LOT, crowd(15), **one_more).startswith(": by lot 1 of P04, P05, P06")
    far = [replace(player, distance_km=9 if player.name in missed else 5) for player in crowd(15)]
    level = ": by lot 1 of 13 who are level in the order of the rules"
    assert among("edc2023", OfferWay.LEAVE_OUT, far).startswith(level)


def test_ways_are_taken_one_after_another_and_the_rest_is_offered() -> None:
    players = [*travelled(11), *(Player(name=f"V{n}", stands_aside=True, distance_km=9) for n in range(2))]
    left = asked("edc2023", players, OfferWay.VOLUNTEERS)
    assert (left.seats, left.over, left.short) == (11, 4, 3)
    found = turned_out("edc2023", players, OfferWay.VOLUNTEERS, OfferWay.LEAVE_OUT)
    assert [each.name for each in found.aside] == ["V0", "V1"]
    assert [each.name for each in found.sent] == ["P01", "P02", "P03", "P04"]


@pytest.mark.parametrize(
    ("tournament", "way", "told"),
    [
        ("weaselmoot", OfferWay.VARIANT,
         "WM III.5, III.6 does not offer sandard; it offers volunteers, double, director"),
        ("edc2023", OfferWay.DOUBLE, "double: nobody on the roster has volunteered; name people one by one"),
        ("edc2023", OfferWay.DIRECTOR, "director: nobody on the roster is a director"),
    ],
)  # fmt: skip
def test_a_way_that_does_not_help_is_refused(tournament: str, way: OfferWay, told: str) -> None:
    with pytest.raises(Stopped) as caught:
        turned_out(tournament, crowd(13), way)
    assert caught.value.problems[0].text.startswith(told)


def test_a_way_that_is_not_needed_is_refused() -> None:
    with pytest.raises(Stopped, match="the boards are full without sandard"):
        turned_out("edc2023", crowd(14), OfferWay.VARIANT)


def against_the_rules(
    tournament: str, players: Sequence[Player], told: RoundDecisions, **more: Record
) -> list[Problem]:
    return list(objections_to_choices(field(tournament, players, told, more), told))


def test_what_the_rules_do_not_offer_wants_a_reason() -> None:
    players = [*travelled(13), TESS]
    assert [p.where for p in against_the_rules("weaselmoot", players, RoundDecisions(six=1))] == ["--six"]
    assert [p.where for p in against_the_rules("weaselmoot", players, RoundDecisions(plays=("Tess",) * 3))] == [
        "--plays"
    ]
    assert not against_the_rules("weaselmoot", players, RoundDecisions(plays=("Tess",) * 2))
    for flag, told in (("--aside", RoundDecisions(aside=("P03",))), ("--twice", RoundDecisions(twice=("P03",)))):
        for record in (Record(aside=1), Record(doubled=1)):
            assert [p.where for p in against_the_rules("edc2023", players, told, P03=record)] == [flag]
        assert not against_the_rules("edc2023", players, told, P03=Record(sent=1))
        assert not against_the_rules("weaselmoot", players, told, P03=Record(aside=1))


def test_everybody_who_stands_down_again_is_named_with_what_he_had() -> None:
    told = RoundDecisions(aside=("P03", "P04"), twice=("P05",))
    records = {"P03": Record(aside=1, doubled=1), "P04": Record(aside=1), "P05": Record(doubled=2)}
    found = against_the_rules("edc2023", [*travelled(14), TESS], told, **records)
    assert [(problem.where, problem.text.split(" already")[0]) for problem in found] == [
        ("--aside", "P03 has withdrawn and played on two boards"),
        ("--aside", "P04 has withdrawn"),
        ("--twice", "P05 has played on two boards"),
    ]


def test_every_director_who_plays_too_often_is_named() -> None:
    two = [Player(name="Tess", director=True), Player(name="Theo", director=True)]
    found = against_the_rules("weaselmoot", [*travelled(13), *two], RoundDecisions(plays=("Tess", "Theo") * 3))
    assert [problem.text.split(" of a round")[0] for problem in found] == [
        "Tess plays on 2 boards",
        "Theo plays on 2 boards",
    ]


def test_nobody_is_left_out_before_others_without_a_reason() -> None:
    (problem,) = against_the_rules("edc2023", travelled(15), RoundDecisions(sent=("P02",)))
    assert problem.text.startswith("P01 would be left out before P02 in the order of EDC23 B")
    assert not against_the_rules("edc2023", travelled(15), RoundDecisions(sent=("P01",)))
    assert not against_the_rules(
        "edc2023", crowd(15), RoundDecisions(sent=("P02",))
    )  # journeys unknown: the director knows
    assert not against_the_rules("nzdc1999", crowd(15), RoundDecisions(sent=("P02",)))  # at his discretion (NZ99 5)


@pytest.mark.parametrize("tournament", ["edc1996", "wdc2008"])
def test_where_the_rules_are_silent_the_director_names_people(tournament: str) -> None:
    players = crowd(15)
    assert asked(tournament, players).is_open
    assert "P03" not in turned_out(tournament, players, told=RoundDecisions(sent=("P03",))).bodies
    twice = tuple(f"P{n:02}" for n in range(1, 7))
    assert len(turned_out(tournament, players, told=RoundDecisions(twice=twice)).bodies) == 21


def test_who_has_played_his_rounds_is_out() -> None:
    found = turned_out("edc1996", crowd(8), records={"P08": Record(rounds=3)})
    assert [(each.name, each.why) for each in found.out] == [
        ("P08", "has played 3 rounds already (EDC96 tournament rounds)")
    ]


def test_a_director_plays_only_when_he_is_named() -> None:
    players = [*crowd(14), TESS]
    assert "Tess" not in turned_out("weaselmoot", players).bodies
    assert "Tess" in turned_out("weaselmoot", players, told=RoundDecisions(plays=("Tess",), absent=("P01",))).bodies


def test_nobody_sits_at_one_board_twice() -> None:
    with pytest.raises(Stopped, match="P01 cannot sit 2 times at 1 board"):
        turned_out("weaselmoot", crowd(6), told=RoundDecisions(twice=("P01",)))


def test_all_wrong_words_are_told_at_once() -> None:
    told = RoundDecisions(
        absent=("P1", "P05"), aside=("Zoe", "P05"), sent=("P02",), twice=("P02", "Tess"), plays=("P9", "P03")
    )
    with pytest.raises(Stopped) as caught:
        turned_out("weaselmoot", [*crowd(14), TESS], told=told)
    assert [problem.where for problem in caught.value.problems] == [
        "--absent",
        "--aside",
        "--plays",
        "--plays",
        "--twice",
        "--twice",
        "draw",
    ]
    assert "did you mean" in caught.value.problems[0].text


def test_nobody_at_all_is_told_plainly() -> None:
    with pytest.raises(Stopped, match="nobody to seat; 7 make a board"):
        turned_out("weaselmoot", [])


def test_where_the_rules_leave_nobody_to_seat_the_rule_is_told() -> None:
    played = {name: Record(rounds=3) for name in ("P01", "P02")}
    with pytest.raises(Stopped, match=r"of 2 players each has played 3 rounds already \(EDC96"):
        make_even(field("edc1996", crowd(2), records=played), (), backwards)


def test_offers_are_told_a_line_each_with_what_to_say() -> None:
    players = [*travelled(12), Player(name="Ann", two_boards=True, distance_km=1)]
    with pytest.raises(Uneven) as caught:
        turned_out("edc2023", [*players, TESS])
    (problem,) = caught.value.problems
    assert problem.where == "draw.uneven"
    assert problem.text.split("\n") == [
        "13 players, 7 to a board: 6 too many, or 1 too few; EDC23 B, D, F offers what follows; "
        "repeat the command with one of these, or with several",
        "  double: 1 plays on two boards voluntarily: Ann; --take double, or --twice NAME",
        "  director: 1 seat for the director: Tess; --take director, or --plays NAME",
        "  sandard: 1 board of six without Turkey beside 1 board of 7; --take sandard, or --six 1",
        "  volunteers: 6 sit out voluntarily, for the bonus of a withdrawal: nobody has said so on the roster "
        "(column 'stands aside'), ask; --aside NAME for each",
        "  leave-out: 6 are left out, in the order of the rules: Ann, P01, P02, P03, P04, P05, without a bonus; "
        "who is left out may still withdraw later; --take leave-out, or --out NAME for each",
    ]


CLASSES = ("board member", "club member", "local", "traveller")  # in the order in which WM III.5 leaves out


def turn_to_stay_away(tournament: str, player: Player, record: Record) -> tuple[float, ...]:
    """The lower, the sooner somebody is left out, as the rules say: volunteers before all others."""
    rank, far = float(record.place or math.inf), float(player.distance_km or 0)
    if tournament == "weaselmoot":
        if player.stands_aside:
            return 0, record.aside
        return 1, CLASSES.index(player.standing), record.aside + record.sent
    if player.stands_aside and not record.aside and not record.doubled:  # for once only (EDC23 D)
        return 0, -record.rounds, -rank
    return 1, -rank, far


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), tournament=st.sampled_from(["weaselmoot", "edc2023"]))
def test_nobody_is_left_out_before_somebody_whose_turn_comes_sooner(seed: int, tournament: str) -> None:
    dice = Random(seed)
    count = 7 * dice.choice((1, 2, 3)) + dice.randint(1, 6)
    players = [
        Player(
            name=f"P{number:02}",
            standing=dice.choice(CLASSES),
            stands_aside=dice.random() < 0.15,
            distance_km=dice.choice((1, 50, 300)),
        )
        for number in range(count)
    ]
    records = {
        player.name: Record(
            rounds=dice.randint(0, 2), aside=dice.choice((0, 0, 1)), sent=dice.choice((0, 0, 1)),
            doubled=dice.choice((0, 0, 1)), place=dice.choice((None, 1, 4, 9)),
        )
        for player in players
    }  # fmt: skip
    found = turned_out(tournament, players, OfferWay.LEAVE_OUT, records=records)
    out = {each.name for each in (*found.aside, *found.sent)}
    turns = {player.name: turn_to_stay_away(tournament, player, records[player.name]) for player in players}

    assert len(out) == count % 7
    assert max(turns[name] for name in out) <= min(turn for name, turn in turns.items() if name not in out)
    assert {each.name for each in found.aside} == {name for name in out if turns[name][0] == 0}


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_nobody_doubles_before_a_volunteer_who_has_done_so_less_often(seed: int) -> None:
    dice = Random(seed)
    players = [*crowd(dice.randint(9, 12)), *(Player(name=f"V{n}", two_boards=True) for n in range(dice.randint(5, 7)))]
    records = {player.name: Record(rounds=2, doubled=dice.choice((0, 1, 2))) for player in players}
    wanted = -len(players) % 7
    if 0 < wanted <= sum(player.two_boards for player in players):
        twice = [each.name for each in turned_out("weaselmoot", players, OfferWay.DOUBLE, records=records).twice]
        others = [player.name for player in players if player.two_boards and player.name not in twice]

        assert len(twice) == wanted
        assert all(name.startswith("V") for name in twice)
        assert max(records[name].doubled for name in twice) <= min(
            (records[name].doubled for name in others), default=2
        )


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whatever_is_said_boards_are_full_or_the_director_is_asked(data: st.DataObject) -> None:
    tournament = data.draw(st.sampled_from(ALL))
    count = data.draw(st.integers(1, 45))
    players = [
        Player(
            name=f"P{n:02}",
            distance_km=data.draw(st.none() | st.integers(0, 3)),
            standing=data.draw(st.sampled_from(["", "local", "board member", "traveller"])),
            two_boards=data.draw(st.booleans()),
            stands_aside=data.draw(st.booleans()),
        )
        for n in range(count)
    ]
    directors = [TESS] * data.draw(st.integers(0, 1))
    some = st.lists(st.sampled_from([player.name for player in players]), max_size=3, unique=True).map(tuple)
    told = RoundDecisions(
        absent=data.draw(some),
        aside=data.draw(some),
        sent=data.draw(some),
        twice=data.draw(some),
        plays=("Tess",) * data.draw(st.integers(0, 3)) if directors else (),
        six=data.draw(st.integers(0, 3)),
    )
    ways = data.draw(st.lists(st.sampled_from(list(OfferWay)), max_size=3))
    try:
        gathering = field(tournament, [*players, *directors], told)
        list(objections_to_choices(gathering, told))
        make_even(gathering, ways, backwards)
    except Stopped as stopped:
        assert all(problem.text and problem.where for problem in stopped.problems)
        return
    found = gathering.turnout()
    boards = (len(found.bodies) + found.six) / 7
    assert boards == int(boards) >= max(found.six, 1)
    assert all(found.bodies.count(name) <= boards for name in found.bodies)
    away = [each.name for each in (*found.aside, *found.sent)]
    assert len(away) == len(set(away))
    assert not {*away} & {*found.bodies}


def test_a_lot_goes_by_rounds_played_and_missed_and_says_so() -> None:
    rounds = {"P1": (0, 0), "P2": (1, 2), "P3": (2, 0), "P4": (1, 1)}
    records = {name: Record(rounds=played, sent=missed) for name, (played, missed) in rounds.items()}
    levels = by_lot(field("weaselmoot", [Player(name=name) for name in rounds], records=records))
    assert [(*level.names, level.why) for level in levels] == [
        ("P3", "2 rounds played, 0 missed so far"),
        ("P4", "1 round played, 1 missed so far"),
        ("P2", "1 round played, 2 missed so far"),
        ("P1", "no round played, 0 missed so far"),
    ]
