"""The five rules files: complete, quoted, and as the catalogue of situations has them."""

import re
from collections.abc import Iterator, Mapping

import pytest

from pipeline.board import Power
from pipeline.judge import rulebook
from pipeline.rules.load import load_tournament
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import SECTIONS, Tournament

FIVE = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
CATALOGUE = {*map(str, range(1, 35)), "end", "clock", "draw"}


@pytest.fixture(params=FIVE, scope="module")
def tournament(request: pytest.FixtureRequest) -> Tournament:
    return load_tournament(request.param)


def test_what_is_pinned_up_names_the_tournament_and_not_its_system(tournament: Tournament) -> None:
    assert tournament.scoring.name == tournament.name


def test_every_situation_of_the_catalogue_is_a_switch(tournament: Tournament) -> None:
    answered = {row for switch in tournament.switches() for row in rows(switch.rows)}

    assert answered >= CATALOGUE - rows("18-21")  # the judge's own, where a tournament plays as its edition does
    if tournament.id == "nzdc1999":
        assert answered >= rows("18-20")


def settings_in(found: object, path: str) -> Iterator[tuple[str, object]]:
    """Every setting below something, with where it stands in the file."""
    if isinstance(found, Setting):
        yield path, found
    elif isinstance(found, Mapping):
        for name, each in found.items():
            yield from settings_in(each, f"{path}.{name}".replace(".choices.", "."))
    else:
        for name in getattr(found, "__struct_fields__", getattr(found, "__dataclass_fields__", ())):
            yield from settings_in(getattr(found, name), f"{path}.{name}")


def test_every_setting_is_a_switch_that_knows_where_it_stands_in_the_file(tournament: Tournament) -> None:
    known = {switch.path: switch.setting for switch in tournament.switches()}
    inside = [pair for name in ("judge", *SECTIONS) for pair in settings_in(getattr(tournament, name), name)]

    assert known["clock.years"].value
    assert [path for path, setting in inside if known.get(path) is not setting] == []
    assert {path for path in known if path.partition(".")[0] in ("judge", *SECTIONS)} - dict(inside).keys() == {
        "clock.years"
    }


def test_a_value_always_quotes_a_rule_of_its_own_document_or_its_rulebook(tournament: Tournament) -> None:
    quoted = re.compile(rf"{tournament.short} |rulebook (?:1982|1992|2000|2023)\b|docs/rules-files")

    for switch in tournament.switches():
        if switch.path == "tournament.abbreviations":
            assert switch.setting.rule
        elif switch.setting.rule:
            assert quoted.match(switch.setting.rule), switch.path
        else:
            assert switch.setting.asks or switch.path == "teams.apart", switch.path


def test_most_of_the_lines_people_write_are_settled_by_the_rules(tournament: Tournament) -> None:
    asked = [switch.path for switch in tournament.open_switches() if switch.path.startswith(("reading", "adjustments"))]

    assert len(asked) <= 17
    assert not {"reading.not_ordered", "reading.twice_different", "reading.word_unsettled"} & set(asked)


# row, switch, then NZ99, WM, EDC23, EDC96, WDC08; as the five documents say
SITUATIONS = """
 1  conduct.late_first                 warned            warned          until_demanded   warned          all_hold
 1  conduct.late_again                 civil_disorder    all_hold        until_demanded   all_hold        all_hold
 1  conduct.late_counted               tournament        game            tournament       ask             game
 1  conduct.late_points                0                 0               -1               0               0
 2  conduct.missing_sheet              civil_disorder    all_hold        all_hold         all_hold        all_hold
 2  reading.not_ordered                hold              hold            hold             hold            hold
 3  conduct.unsigned                   ask               ask             ask              ask             ask
 4  conduct.wrong_season               ask               ask             ask              ask             ask
 5  conduct.two_sheets                 ask               ask             per_unit         ask             first
 5  conduct.resubmitted                ask               ask             per_unit         ask             first
 6  reading.twice_different            hold              hold            hold             hold            hold
 6  reading.twice_one_invalid          ask               hold            hold             ask             ask
 6  reading.twice_same                 once              once            once             once            once
 7  reading.implied                    no                no              yes              no              no
 8  reading.unitless                   one_meaning       void            own_orders       one_meaning     one_meaning
 9  reading.struck_out                 ask               ask             ask              ask             ask
 9  reading.overwritten                ask               ask             ask              ask             ask
10  reading.illegible_reachability     ask               settles         ask              ignored         ask
10  reading.illegible_own_orders       ask               ask             settles          ignored         settles
11  reading.word_reachability          ask               settles         listed_words     ignored         ignored
11  reading.word_own_orders            ask               ask             ask              ignored         settles
11  reading.word_letter_case           ask               ignored         settles          ignored         ignored
11  reading.word_unsettled             hold              hold            hold             hold            hold
12  reading.impossible                 hold_unsupported  hold            ask              hold            hold
13  reading.letter_wrong               ask               followed        ask              ask             ask
13  reading.letter_missing             followed          followed        followed         followed        followed
13  adjustments.build_letter           coast             coast           coast            coast           always
14  reading.nation_wrong               ask               followed        ask              ask             ask
14  reading.nation_missing             followed          followed        followed         followed        followed
15  reading.coast_needed               always            both_reachable  both_reachable   both_reachable  both_reachable
15  reading.coast_needed_in_support    always            never           ask              both_reachable  both_reachable
15  adjustments.build_coast_missing    none              none            none             none            none
16  reading.coast_wrong                fails             fails           ask              fails           fails
16  reading.coast_in_support           that_coast        that_coast      that_coast       that_coast      that_coast
17  reading.by_land                    any_fleet         land            own_fleet        land            land
17  reading.route                      binds             binds           ask              ask             binds
22  reading.retreat_missing            disbanded         disbanded       disbanded        disbanded       disbanded
22  reading.retreat_written            always            two_powers      always           could_meet      always
23  adjustments.build_missing          none              none            none             none            none
23  adjustments.first_year_builds      0                 0               2                0               0
24  adjustments.too_many_builds        ask               bottom_up       last             ask             ask
25  adjustments.disband_missing        automatic_told    automatic       automatic        automatic       automatic
26  adjustments.gains_and_losses       balance           balance         balance          balance         balance
27  conduct.error_limit                next_adjudication next_deadline   next_orders      ask             ask
27  conduct.error_later                ask               no_disruption   stands           ask             ask
28  conduct.dutchman                   ask               builds_back     ask              ask             removal_order
29  conduct.abandoned                  ask               ask             ask              ask             replaced
29  conduct.leaver                     ask               ask             ask              excluded        ask
29  scoring.replaced                   ask               ask             newcomer         ask             nobody
30  totals.two_boards                  ask               higher          chosen           ask             ask
31  ending.vote.proposal               all_agree         one_asks        one_asks_openly  request         request
31  ending.vote.from_year              None              1904            None             None            None
31  ending.vote.absent                 ask               must_vote       ask              ask             ask
31  ending.vote.abandoned              ask               yes             ask              ask             ask
31  ending.vote.asker_says_yes         no                ask             ask              ask             yes
31  ending.vote.eliminated_asks        no                no              ask              ask             no
31  ending.vote.per_player             None              None            1                None            1
32  conduct.reader                     designated        in_turn         beginners_first  left_neighbour  any_player
34  reading.bare_unit                  ask               hold            hold             ask             hold
34  adjustments.bare_unit              followed          ask             ask              followed        ask
11  reading.misspelt                   followed          followed        followed         followed        followed
11  reading.misspelt_unsettled         ask               ask             ask              ask             ask
"""


@pytest.mark.parametrize("line", SITUATIONS.strip().splitlines(), ids=lambda line: line.split()[1])
def test_each_tournament_answers_a_situation_in_its_own_way(line: str) -> None:
    row, path, *expected = line.split()
    found = [{each.path: each for each in load_tournament(name).switches()}.get(path) for name in FIVE]

    assert [str(each.setting.value) if each else "missing" for each in found] == expected
    assert all(not each.rows or row in rows(each.rows) for each in found if each)


def test_how_games_end() -> None:
    nz, wm, edc23, edc96, wdc = (load_tournament(name) for name in FIVE)

    assert [t.ending.last_year.value for t in (nz, wm, edc23, edc96, wdc)] == [None, None, 1907, 1908, 1907]
    assert wdc.ending.last_year_top_board.value == 1909
    assert (nz.ending.counted_in_fall.value, nz.ending.counted_in_spring.value) == ("fall_retreats", "last_fall")
    assert (wm.ending.dice.added.value, wm.ending.dice.ends_at.value) == ((1, 3, 5, 7), 7)
    assert [t.ending.solo_centres.value for t in (nz, wm, edc23, edc96, wdc)] == [18, 18, None, 18, 18]


def test_the_clock_changes_with_the_years() -> None:
    nz, wm, edc23 = (load_tournament(name).clock for name in FIVE[:3])
    found = [[(span.spring.negotiation, span.fall.negotiation) for y in years if (span := clock.at(y))]
             for clock, years in ((nz, (1902, 1903)), (wm, (1904, 1906, 1910)))]  # fmt: skip

    assert found == [[(1200, 1200), (900, 900)], [(1080, 960), (1020, 900), (900, 780)]]
    assert edc23.at(1901) == edc23.years[0]
    assert str(edc23.years[0]) == "from 1901 Spring 8:00 + 1:00 + 4:00, Fall 8:00 + 1:00 + 6:00"
    assert (edc23.retreats.value, edc23.winter.value) == (60, 60)


def test_the_judge_plays_each_tournament_by_its_own_rulebook() -> None:
    nz, wm, edc23, edc96, wdc = (load_tournament(name).rulebook for name in FIVE)

    assert (nz.paradox, nz.routes, nz.adjacent_convoy) == (
        rulebook.Paradox.PANDIN,
        rulebook.Routes.ALL_BROKEN,
        rulebook.AdjacentConvoy.ANY,
    )
    assert not nz.convoy_against_own
    assert (nz.named_route, nz.impossible_orders) == (rulebook.NamedRoute.BINDING, rulebook.Impossible.UNSUPPORTED)
    assert wm.own_fleets_first and wm.retreat_to_convoyed_attacker
    assert (wm.adjacent_convoy, wm.too_many_builds) == (rulebook.AdjacentConvoy.TAGGED, rulebook.Several.BOTTOM_UP)
    assert (wm.removal_far_from, edc23.removal_far_from) == (rulebook.FarFrom.OWNED, rulebook.FarFrom.OWNED)
    assert (edc23.adjacent_convoy, edc23.too_many_builds, edc23.imposed_builds) == (
        rulebook.AdjacentConvoy.OWN_FLEET,
        rulebook.Several.LAST,
        2,
    )
    assert edc96.adjacent_convoy is rulebook.AdjacentConvoy.TAGGED
    assert (wdc.paradox, wdc.removal_far_from) == (rulebook.Paradox.SZYKMAN, rulebook.FarFrom.HOME)
    assert wdc.removal_spares_centres
    assert wdc.named_route is rulebook.NamedRoute.BINDING


def test_edc23_removes_by_the_numbers_of_its_list_although_they_are_not_alphabetical() -> None:
    order = load_tournament("edc2023").rulebook.removal_list

    assert len(order) == 75
    assert order.index("TUS") + 1 == 65
    assert order.index("TRI") + 1 == 66
    assert (order.index("STP"), order.index("SER")) == (54, 55)


def test_what_the_draw_is_told() -> None:
    nz, wm, edc23, edc96, _ = (load_tournament(name) for name in FIVE)
    england, france, germany = Power.ENGLAND, Power.FRANCE, Power.GERMANY

    assert nz.draw.power_groups.value[0] == (england, france, germany)
    assert (nz.draw.meetings_most.value, nz.teams_apart_rounds) == (2, (3,))
    assert wm.draw.uneven.value[-4:] == ("local_board_members", "local_club_members", "local_non_members", "travellers")
    assert edc96.teams_apart_rounds == (1, 2, 3, 4)
    assert edc96.draw.rounds_most.value == 3
    assert edc23.draw.uneven.value[-1] == "variant"
    assert [t.rounds for t in (nz, wm, edc23, edc96)] == [3, 3, 4, 5]


def rows(text: str) -> set[str]:
    """Take apart "12, 16-25"."""
    found = set()
    for part in filter(None, text.split(", ")):
        first, _, last = part.partition("-")
        found |= {str(number) for number in range(int(first), int(last) + 1)} if last else {part}
    return found
