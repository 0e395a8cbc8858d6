"""Draw votes of all kinds of ballots under five rule sets: what is written down, refused or ended by them."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET

from desk.cup import clock, seated
from pipeline.board import Power, starting_position
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import Game, find_game, survivors
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, hold_vote, objections_to_vote, undo_vote
from pipeline.ledger.events import GameEnded, PositionSet, VoteHeld
from pipeline.ledger.parts import Ballot
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.tournament import Absent

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")


def refusal(event: Event, asking: Asking, ballots: dict[Power, Ballot], says: Says, voters: tuple[Power, ...]) -> str:
    """Why a vote is refused by these ballots, a part of what is said; nothing: it is held."""
    rules, count = event.tournament.ending.vote, Counter(ballots[power] for power in voters if power in ballots)
    if missing := [str(power) for power in voters if power not in ballots]:
        return f"no ballot of {', '.join(missing)};"
    if rules.asker_says_yes.value is YesNo.YES and ballots[asking.power] is Ballot.NO:
        return "who asks for the vote votes for the draw"
    for ballot, rule in ((Ballot.ABSENT, rules.absent), (Ballot.GONE, rules.abandoned)):
        if count[ballot] and rule.value is Absent.MUST_VOTE:
            return "a player "
        if count[ballot] and rule.value is not Absent.YES and says.for_absent is None:
            return "how such a vote counts; say it"
    return ""


def put(event: Event, phase: str, gone: list[Power]) -> Game:
    """Set the position to the first one, without some powers."""
    position = write_position(starting_position(event.board)) | {"phase": phase}
    for part in ("units", "centers"):
        position[part] = {power: own for power, own in position[part].items() if power not in gone}
    event.facts.write(PositionSet(board="1.1", position=position), "Tess")
    return find_game(event, "1")


def compare(vote: VoteHeld, event: Event, mine: dict[Power, Ballot], says: Says) -> bool:
    """Look at what was written down of a vote; tells whether it is carried."""
    rules, count = event.tournament.ending.vote, Counter(mine.values())
    for_absent = {Absent.YES: True}.get(rules.absent.value, says.for_absent)
    for_gone = {Absent.YES: True}.get(rules.abandoned.value, says.for_absent)
    yes = count[Ballot.YES] + (count[Ballot.ABSENT] if for_absent else 0) + (count[Ballot.GONE] if for_gone else 0)
    assert (vote.yes, vote.no, vote.carried, vote.vetoed) == (yes, len(mine) - yes, yes == len(mine), False)
    counted = (count[Ballot.ABSENT], count[Ballot.GONE])
    assert (vote.absent or 0, vote.gone or 0) == counted
    assert vote.for_absent == (says.for_absent if any(counted) else UNSET)
    assert (vote.season, vote.why, vote.board, str(vote.phase)) == ("F1905", says.why, "1.1", "F1905M")
    return vote.carried


@pytest.mark.parametrize("tournament", ALL)
def test_a_vote_is_what_its_ballots_and_the_rules_make_of_it(tmp_path: Path, tournament: str) -> None:
    dice = Random(tournament)
    outcomes = Counter[str]()
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        for _ in range(4):
            game = put(event, "F1905M", dice.sample([*Power], dice.randrange(4)))
            voters = survivors(game)
            for _ in range(12):
                kinds = dice.choice(([Ballot.YES], [Ballot.YES, Ballot.ABSENT], [*Ballot], [Ballot.YES, Ballot.GONE]))
                powers = voters if dice.random() < 0.9 else voters[1:]
                ballots = {power: dice.choice(kinds) for power in powers}
                asking = Asking(power=dice.choice(powers), all_agree=True, stalemate=True)
                says = Says(ruled=True, for_absent=dice.choice((None, True, False)), why="so it was")
                outcomes[hold(event, game, asking, ballots, says)] += 1
    assert (outcomes["carried"] and outcomes["not carried"]) or outcomes["forbidden"] == outcomes.total()
    assert outcomes["refused"] or outcomes["forbidden"]


def hold(event: Event, game: Game, asking: Asking, ballots: dict[Power, Ballot], says: Says) -> str:
    """Hold a vote by its ballots, and by their counts alone, and keep nothing of it; tells what came of it."""
    voters = survivors(game)
    if any(not each.asks for each in objections_to_vote(event, game, asking)):
        with pytest.raises(Stopped):
            hold_vote(event, game, asking, ballots, says, by="Tess")
        return "forbidden"
    if why := refusal(event, asking, ballots, says, voters):
        with pytest.raises(Stopped, match=why):
            hold_vote(event, game, asking, ballots, says, by="Tess")
        return "refused"
    mine = {power: ballots[power] for power in voters}
    with event.facts.trial():
        number = event.facts.last_number()
        vote = hold_vote(event, game, asking, ballots, says, by="Tess").said
        is_carried = compare(vote, event, mine, says)
        is_secret = event.tournament.ending.vote.secret.value is YesNo.YES
        assert (vote.asked_by, vote.ballots) == (asking.power, None if is_secret else mine)
        ended = [fact.said.how for fact in event.facts.select(GameEnded, after=number)]
        assert (find_game(event, "1").ending, ended) == (("vote", ["vote"]) if is_carried else (None, []))
        undo_vote(event, find_game(event, "1"), by="Tess", why="misread")
        assert find_game(event, "1").ending is None
    with event.facts.trial():
        assert (
            compare(hold_counted(event, game, asking, Count.of(mine), says, by="Tess").said, event, mine, says)
            is is_carried
        )
    for wrong in (Count(len(mine) + 1, 0), Count(len(mine) + 1, -1), Count(len(mine) - 1, 0)):
        with pytest.raises(Stopped, match=f"expected {len(mine)} votes, one of each power with a centre"):
            hold_counted(event, game, asking, wrong, says, by="Tess")
    assert not list(event.facts.select(VoteHeld))
    return "carried" if is_carried else "not carried"
