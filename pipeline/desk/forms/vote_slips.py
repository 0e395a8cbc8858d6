"""Draw votes on paper: the slips of one printing are one vote; where votes are secret nobody learns who voted how."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, survivors
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, forms_in
from pipeline.desk.forms.printed_forms import PrintedForm, printed_forms
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, hold_vote
from pipeline.ledger.events import VoteHeld
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import Ballot
from pipeline.paper.form.form import FormKind
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop

YES, VOTE = "yes", "vote"


@dataclass(frozen=True, slots=True)
class VoteSlips:
    """The slips of one vote: those that were printed together, last, for the phase that a board is in."""

    printed: tuple[PrintedForm, ...]
    filed: tuple[FormIn, ...]  # those that count

    @property
    def are_named(self) -> bool:
        """Whether the powers stand on them."""
        return all(form.request.power for form in self.printed)


def slips_of(event: Event, game: Game) -> VoteSlips:
    """Find the slips of the vote that a board holds now."""
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
    printed = tuple(form for form in mine if form.fact == newest)
    ids = {str(form.request.id) for form in printed}
    return VoteSlips(printed, tuple(form for form in forms_in(event).values() if form.id in ids and form.counts))


def doubts(form: FormIn) -> Iterator[FormDoubt]:
    """A slip on which not exactly one box is ticked."""
    yield from form.unread()
    if form.by_name[VOTE].is_empty:
        yield form.about(FormReason.NO_TICK, VOTE)


@dataclass(frozen=True, slots=True)
class MissingSlip:
    """The players with a centre from whom no slip will come."""

    absent: int = 0  # are not there
    gone: int = 0  # have abandoned the game


def vote_by_slips(
    event: Event, game: Game, asking: Asking, missing: MissingSlip, says: Says, *, by: str
) -> Fact[VoteHeld]:
    """Count the slips and hold the vote, or say what stands against it."""
    slips = slips_of(event, game)
    open_now = [(form, doubt) for form in slips.filed for doubt in doubts(form)]
    if open_now:
        raise Stopped(
            [
                Problem(Weight.ASKS, f"{doubt.text}; rule on it, or set the slip aside", form.id)
                for form, doubt in open_now
            ],
            ExitCode.RULE_FIRST,
        )
    votes = {form.id: form.by_name[VOTE].value == YES for form in slips.filed}
    if len(survivors(game)) != len(votes) + missing.absent + missing.gone:
        found = f"{len(votes)} slips, {missing.absent} absent and {missing.gone} gone"
        text = f"{found} for {len(survivors(game))} powers with a centre; scan the others, or say how many players"
        raise stop(f"{text} are not there (--absent), and how many have abandoned the game (--gone)", game.name)
    if slips.are_named:
        return hold_vote(event, game, asking, named_ballots(game, slips, votes, missing), says, by=by)
    yes = sum(votes.values())
    count = Count(yes=yes, no=len(votes) - yes, absent=missing.absent, gone=missing.gone)
    return hold_counted(event, game, asking, count, says, by=by)


def named_ballots(game: Game, slips: VoteSlips, votes: Mapping[str, bool], missing: MissingSlip) -> dict[Power, Ballot]:
    """Whose each ballot is; from whom no slip came is either not there or gone, and not some of them this or that."""
    if missing.absent and missing.gone:
        text = "the slips carry names, and the rules tell who is not there from who has abandoned the game"
        raise stop(f"{text}; hold this vote in the browser, power by power", game.name)
    told = dict.fromkeys(survivors(game), Ballot.GONE if missing.gone else Ballot.ABSENT)
    for form in slips.filed:
        told[Power(form.printed.request.power)] = Ballot.YES if votes[form.id] else Ballot.NO
    return told
