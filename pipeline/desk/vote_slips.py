"""Draw votes on paper: the slips of one printing are one vote; where votes are secret nobody learns who voted how."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.desk.event import Event
from pipeline.desk.form_printing import PrintedForm, printed_forms
from pipeline.desk.forms_in import FormDoubt, FormIn, forms_in
from pipeline.desk.games import Game, survivors
from pipeline.desk.votes import Asking, Count, hold_counted, hold_vote
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.store.facts import Fact
from pipeline.tournament.form import FormKind

YES, VOTE = "yes", "vote"


@dataclass(frozen=True, slots=True)
class Slips:
    """The slips of one vote: those that were printed together, last, for the phase that a board is in."""

    printed: tuple[PrintedForm, ...]
    filed: tuple[FormIn, ...]  # those that count

    @property
    def are_named(self) -> bool:
        """Whether the powers stand on them."""
        return all(form.request.power for form in self.printed)


def slips_of(event: Event, game: Game) -> Slips:
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
    return Slips(printed, tuple(form for form in forms_in(event).values() if form.id in ids and form.counts))


def doubts(form: FormIn) -> Iterator[FormDoubt]:
    """A slip on which not exactly one box is ticked."""
    yield from form.unread()
    if form.by_name[VOTE].is_empty:
        yield form.about("no box is ticked", VOTE)


def vote_by_slips(event: Event, game: Game, asking: Asking, absent: int, *, ruled: bool, by: str) -> Fact:
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
    missing = len(survivors(game)) - len(votes) - absent
    if missing:
        found = f"{len(votes)} slips and {absent} absent for {len(survivors(game))} powers with a centre"
        raise stop(f"{found}; scan the others, or say with --absent how many players are not there", game.name)
    if slips.are_named:
        told: dict[Power, bool | None] = dict.fromkeys(survivors(game))
        told |= {Power(form.printed.request.power): votes[form.id] for form in slips.filed}
        return hold_vote(event, game, asking, told, ruled=ruled, by=by)
    count = Count(yes=sum(votes.values()), no=len(votes) - sum(votes.values()), absent=absent)
    return hold_counted(event, game, asking, count, ruled=ruled, by=by)
