"""Draw votes: whether one may be held now, how it is counted, and what it ends."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power, Season, Step
from pipeline.desk.event.ending import bars_against_end as against_end
from pipeline.desk.event.ending import check_lifted, end_by_vote, end_of, undo_end, votes_held, votes_that_count
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, survivors
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, FormReason, PrintedForm, forms_in, printed_forms
from pipeline.ledger.events import EndUndone, LedgerEvent, VoteHeld, VoteUndone
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Ballot
from pipeline.paper.form import FormKind
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.game_end import Moment, Objection, VoteAsked, knows_veto, objections, veto_is_a_vote
from pipeline.rules.reading_rules import YesNo
from pipeline.rules.switches import Setting
from pipeline.rules.tournament import Absent
from pipeline.scoring.results import Ending
from pipeline.words.speech import write_count


class Asking(Struct, frozen=True, kw_only=True):
    """Who asks for a vote, and what the director sees at the board."""

    power: Power
    moment: Moment | None = None  # None: what the open phase says
    all_agree: bool = False  # every survivor agrees to hold it
    vetoed: bool = False  # somebody objects openly
    stalemate: bool = False


class Says(Struct, frozen=True, kw_only=True):
    """What the director says where the rules leave it to him, kept with the vote."""

    ruled: bool = False  # it is held although the rules do not say whether it may be
    for_absent: bool | None = None  # how those vote who are not there, or have gone, where the rules do not say
    why: str = ""


class Count(Struct, frozen=True):
    """The counts of an anonymous vote."""

    yes: int
    no: int
    absent: int = 0  # players with a centre who are not there
    gone: int = 0  # players with a centre who have abandoned the game

    @classmethod
    def of(cls, ballots: Mapping[Power, Ballot]) -> "Count":
        given = list(ballots.values())
        return cls(*(given.count(ballot) for ballot in (Ballot.YES, Ballot.NO, Ballot.ABSENT, Ballot.GONE)))


def _vote_asked(event: Event, game: Game, asking: Asking) -> VoteAsked:
    """Translate a request for the rules, or stop if it contradicts the board's phase."""
    ending, phase = event.tournament.ending, game.position.phase
    moment = asking.moment or Moment.of(phase.step)
    if not moment.fits(phase.step):
        text = f"{phase.in_words} is open, so the board is not at {moment.value!r}; publish what is over first"
        raise stop(text, game.name)
    held = [fact for fact in votes_that_count(event, game) if not fact.said.vetoed or veto_is_a_vote(ending.vote)]
    season = Season.FALL if phase.season is Season.WINTER else phase.season
    last = event.tournament.last_year(is_final=game.seating.is_final, pool=game.seating.pool)
    return VoteAsked(
        year=phase.year,
        season=season,
        moment=moment,
        is_last_year=last.value is not None and phase.year >= last.value,
        votes_this_season=sum(fact.said.season == f"{season}{phase.year}" for fact in held),
        asked_before=len(_requests_of(event, game, asking.power)),
        all_agree_to_vote=asking.all_agree,
        vetoed_openly=asking.vetoed,
        is_stalemate=asking.stalemate,
        asker_is_out=asking.power not in survivors(game),
        adjusting=phase.step is Step.ADJUSTMENTS,
    )


def _requests_of(event: Event, game: Game, power: Power) -> list[Fact[VoteHeld]]:
    """The votes that a power's present player has asked for in this game (EDC23 E)."""
    came = [each.until.sort_key for each in game.seating.earlier if each.power is power]
    asked = [fact for fact in votes_that_count(event, game) if fact.said.asked_by == power]
    return [fact for fact in asked if not came or fact.said.phase.sort_key >= max(came)]


def objections_to_vote(event: Event, game: Game, asking: Asking) -> tuple[Objection, ...]:
    """All objections to holding a vote now; on those with ``asks`` the director decides."""
    objected = objections(_vote_asked(event, game, asking), event.tournament.ending)
    ends = against_end(event, game, Ending.VOTE, has_voted=True)
    return (*objected, *(Objection(bar.text, bar.rule, asks=not bar.is_firm) for bar in ends))


def hold_vote(
    event: Event, game: Game, asking: Asking, ballots: Mapping[Power, Ballot], says: Says, *, by: str
) -> Fact[VoteHeld]:
    """Count a vote and write it down; a draw that is carried ends the game.

    Where votes are secret only the count is kept, because others may read the facts.
    """
    _check_may_vote(event, game, asking, says)
    rules = event.tournament.ending.vote
    voters = survivors(game)
    if missing := [str(power) for power in voters if power not in ballots]:
        raise stop(f"no ballot of {', '.join(missing)}; every power with a centre votes", game.name)
    if rules.asker_says_yes.value is YesNo.YES and ballots.get(asking.power) is Ballot.NO:
        raise stop(f"who asks for the vote votes for the draw ({rules.asker_says_yes.source})", str(asking.power))
    mine = {power: ballots[power] for power in voters}
    vote = _vote_of(event, game, asking, Count.of(mine), says)
    if rules.secret.value is not YesNo.YES:
        vote = replace(vote, ballots=mine)
    return _write_down(event, game, vote, by)


def hold_counted(event: Event, game: Game, asking: Asking, count: Count, says: Says, *, by: str) -> Fact[VoteHeld]:
    """Hold a vote of which only the count is known; the same rules hold as for `hold_vote`."""
    _check_may_vote(event, game, asking, says)
    voters = survivors(game)
    numbers = (count.yes, count.no, count.absent, count.gone)
    if min(numbers) < 0 or sum(numbers) != len(voters):
        text = f"expected {write_count(len(voters), 'vote')}, one of each power with a centre, found {sum(numbers)}"
        raise stop(text, game.name)
    asker = event.tournament.ending.vote.asker_says_yes
    if asker.value is YesNo.YES and not count.yes and asking.power in voters:
        raise stop(f"who asks for the vote votes for the draw ({asker.source}), and nobody did", str(asking.power))
    return _write_down(event, game, _vote_of(event, game, asking, count, says), by)


def record_veto(event: Event, game: Game, asking: Asking, says: Says, *, by: str) -> Fact[VoteHeld]:
    """Write down that somebody objected openly: the game goes on, and the request has been made.

    What is against ending the game now is not against this, since nothing ends.
    """
    rules = event.tournament.ending.vote
    if not knows_veto(rules):
        text = f"an open objection ends no request here: {rules.proposal.value.meaning} ({rules.proposal.source})"
        raise stop(text, game.name)
    _check_may_vote(event, game, replace(asking, vetoed=False), says, may_end=False)
    return event.facts.write(replace(_request_of(event, game, asking, says), vetoed=True), by)


def undo_vote(event: Event, game: Game, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """Take the last vote of a board back; the game that it ended goes on."""
    held = votes_held(event, game.name)
    if not held:
        raise stop("no vote was held on this board", game.name)
    vote, ended = held[-1], end_by_vote(event, held[-1])
    if ended and game.ending and game.end and game.end.fact == ended:
        return undo_end(event, game, by=by, why=why)
    facts: list[LedgerEvent] = [VoteUndone(board=game.name, fact=vote.number, why=why)]
    if ended:  # a correction took it away, and must not bring it back
        facts.append(EndUndone(board=game.name, fact=ended.number, why=why))
    return event.facts.write_all(facts, by)[0]


def _check_may_vote(event: Event, game: Game, asking: Asking, says: Says, *, may_end: bool = True) -> None:
    """Stop a vote that the rules forbid, or leave to a director who has not ruled.

    ``may_end``: whether the vote may end the game, so that what is against its end is against the vote.
    """
    if game.ending:
        raise stop(f"the game is over: {game.ending}", game.name)
    rules = event.tournament.ending
    objected = (
        objections_to_vote(event, game, asking) if may_end else objections(_vote_asked(event, game, asking), rules)
    )
    if forbidden := [o for o in objected if not o.asks or not says.ruled]:
        raise Stopped(
            Problem(Weight.STOPS, f"{o.text} ({o.rule or 'the rules are silent'})", game.name) for o in forbidden
        )
    if may_end:
        check_lifted(against_end(event, game, Ending.VOTE, has_voted=True), says.why, game.name)


def _is_yes(setting: Setting[Absent], count: int, says: Says, who: str, where: str) -> bool:
    """Whether absent players vote yes, or stop if the director must say how they vote."""
    if not count or setting.value is Absent.YES:
        return True
    if setting.value is Absent.MUST_VOTE:
        raise stop(f"{who}: {setting.value.meaning} ({setting.source})", where)
    if says.for_absent is None:
        raise stop(f"{who}: the rules do not say how such a vote counts; say it (--absent-votes)", where)
    return says.for_absent


def _request_of(event: Event, game: Game, asking: Asking, says: Says) -> VoteHeld:
    """The fact of a request before its outcome is known: not carried."""
    asked = _vote_asked(event, game, asking)
    return VoteHeld(
        board=game.name,
        phase=game.position.phase,
        season=f"{asked.season}{asked.year}",
        asked_by=asking.power,
        carried=False,
        why=says.why,
    )


def _vote_of(event: Event, game: Game, asking: Asking, count: Count, says: Says) -> VoteHeld:
    """What is written down of a vote; all powers with a centre vote, and all must agree."""
    rules = event.tournament.ending.vote
    absent = _is_yes(rules.absent, count.absent, says, "a player is not there", game.name)
    gone = _is_yes(rules.abandoned, count.gone, says, "a player has abandoned the game", game.name)
    yes = count.yes + count.absent * absent + count.gone * gone
    no = len(survivors(game)) - yes
    vote = replace(_request_of(event, game, asking, says), yes=yes, no=no, carried=not no)
    if count.absent or count.gone:
        return replace(vote, absent=count.absent, gone=count.gone, for_absent=says.for_absent)
    return vote


def _write_down(event: Event, game: Game, vote: VoteHeld, by: str) -> Fact[VoteHeld]:
    """Write a vote down; a draw that is carried ends the game."""
    with event.facts.transaction():
        held = event.facts.write(vote, by)
        if vote.carried:
            event.facts.write(end_of(event, game, Ending.VOTE, why=vote.why, has_voted=True), by)
    return held


# Draw votes on paper: the slips of one printing are one vote; where votes are secret nobody learns who voted how.

YES, VOTE = "yes", "vote"


def _slips_of(event: Event, game: Game) -> tuple[tuple[PrintedForm, ...], tuple[FormIn, ...]]:
    """The slips of a board's present vote: all of the last print-out, and those of them that are in and count."""
    mine = [
        form
        for form in printed_forms(event).values()
        if form.request.kind is FormKind.VOTE
        and (form.request.board, form.request.phase) == (game.name, str(game.position.phase))
    ]
    if not mine:
        text = "no slips were printed for this board and phase; use 'ordersheets forms EVENT vote --board'"
        raise stop(text, game.name)
    newest = max(form.fact for form in mine)
    for vote in votes_held(event, game.name) if not game.ending else ():
        if vote.number > newest and not vote.said.vetoed:
            text = f"a vote was held since these slips were printed (number {vote.number} of the journal)"
            raise stop(f"{text}; print new ones for another vote, or take that one back", game.name)
    printed = tuple(form for form in mine if form.fact == newest)
    ids = {str(form.request.id) for form in printed}
    return printed, tuple(form for form in forms_in(event).values() if form.id in ids and form.is_counted)


def slip_doubts(form: FormIn) -> Iterator[FormDoubt]:
    """A slip on which not exactly one box is ticked."""
    yield from form.unread()
    if form.by_name[VOTE].is_empty:
        yield form.make_doubt(FormReason.NO_TICK, VOTE)


def vote_by_slips(
    event: Event, game: Game, asking: Asking, says: Says, *, by: str, absent: int = 0, gone: int = 0
) -> Fact[VoteHeld]:
    """Count the slips and hold the vote, or stop with the objections.

    No slip will come of so many players with a centre: who are ``absent``, or ``gone``, having abandoned the game.
    """
    printed, filed = _slips_of(event, game)
    open_now = [(form, doubt) for form in filed for doubt in slip_doubts(form)]
    if open_now:
        raise Stopped(
            [
                Problem(Weight.ASKS, f"{doubt.text}; rule on it, or set the slip aside", form.id)
                for form, doubt in open_now
            ],
            ExitCode.RULE_FIRST,
        )
    votes = {form.id: form.by_name[VOTE].value == YES for form in filed}
    if len(survivors(game)) != len(votes) + absent + gone:
        counted = f"{write_count(len(votes), 'slip')}, {absent} absent and {gone} gone"
        text = (
            f"{counted} for {write_count(len(survivors(game)), 'power')} with a centre; scan the others, or say "
            "how many players"
        )
        raise stop(f"{text} are not there (--absent), and how many have abandoned the game (--gone)", game.name)
    if all(form.request.power for form in printed):
        return hold_vote(event, game, asking, _named_ballots(game, filed, votes, absent, gone), says, by=by)
    yes = sum(votes.values())
    count = Count(yes=yes, no=len(votes) - yes, absent=absent, gone=gone)
    return hold_counted(event, game, asking, count, says, by=by)


def _named_ballots(
    game: Game, filed: Iterable[FormIn], votes: Mapping[str, bool], absent: int, gone: int
) -> dict[Power, Ballot]:
    """The ballots by power; all players without a slip must be absent, or all gone, since slips do not tell which."""
    if absent and gone:
        text = "the slips carry names, and the rules tell who is not there from who has abandoned the game"
        raise stop(f"{text}; hold this vote in the browser, power by power", game.name)
    cast = dict.fromkeys(survivors(game), Ballot.GONE if gone else Ballot.ABSENT)
    for form in filed:
        cast[Power(form.printed.request.power)] = Ballot.YES if votes[form.id] else Ballot.NO
    return cast
