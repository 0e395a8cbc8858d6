"""Where a power's sheet is, and what this tournament makes of it as a sheet."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from pipeline.desk.event.turn import Turn
from pipeline.desk.ruling.outside import outside
from pipeline.desk.ruling.rival_sheets import left_by, standing
from pipeline.desk.ruling.rulings import RulingsOf, SheetRuling, TypedLines
from pipeline.desk.ruling.sheet_news import is_news, unseen
from pipeline.desk.sheets.pads import PadIn
from pipeline.desk.sheets.sheet_reasons import SheetReason
from pipeline.desk.sheets.sheet_states import SheetState
from pipeline.desk.sheets.sheets_in import SheetIn, written_on
from pipeline.ledger.parts import SheetDecision
from pipeline.problems import Problem, Weight
from pipeline.rules.conduct import (
    Effect,
    FaultOfForm,
    ForeignSheet,
    HeaderIncomplete,
    JointOrders,
    LateSheet,
    MissingSheet,
    ProxyOrders,
    SheetConduct,
    TwoSheets,
    Unsigned,
    WrongSeason,
    decide,
)
from pipeline.rules.conduct_rules import ConductRules
from pipeline.rules.rulings_book import Situation
from pipeline.words import Told, sentences

FAULTS: Mapping[SheetDecision, FaultOfForm] = {  # what a person says of a sheet, and the rules then decide
    SheetDecision.FOREIGN: ForeignSheet(),
    SheetDecision.JOINT: JointOrders(),
    SheetDecision.PROXY: ProxyOrders(),
}


@dataclass(frozen=True, slots=True)
class SheetDoubt(Problem):
    """What is to be said of a sheet, or asked, with the setting of the rules that is about it."""

    because: tuple[Told, ...]  # its text says this
    setting: str = ""  # its path: "conduct.unsigned"; empty where no rule is about it
    situation: Situation | None = None  # what is asked, where another sheet may raise it again

    @property
    def settings(self) -> tuple[str, ...]:
        """The setting that is about it, or none."""
        return (self.setting,) if self.setting else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedSheets:
    """What becomes of a power's sheets."""

    state: SheetState
    problems: tuple[Problem, ...] = ()  # one that ASKS keeps the power open
    counted: tuple[SheetIn, ...] = ()  # the sheets that count
    typed: bool = False  # lines that were typed count, and no sheet does
    nothing_will_come: bool = False  # units without an order have none, and a person knows


@dataclass(frozen=True, slots=True)
class Conduct:
    """The tournament's rules on sheets, and what was decided in this event before."""

    rules: ConductRules
    rulings: Mapping[Turn, RulingsOf]
    players: Mapping[Turn, str]  # who plays the power of a turn that was ruled on

    def weigh(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> WeighedSheets:
        """Say where a power's sheet is, what a person must still decide about it, and which sheets count.

        A ruling is on the sheets that were in when it was made. Where another is in since, or one that counts
        shows writing outside its rows since, it is asked anew.
        """
        rulings = self.rulings.get(turn, RulingsOf())
        if rulings.typed is None:
            return self.weigh_sheets(turn, rulings, sheets)
        found = self.typed(turn, rulings.typed, rulings, sheets)
        if isinstance(found, WeighedSheets):
            return found
        return aside(self.weigh_sheets(turn, rulings, found), rulings.typed, turn)

    def weigh_sheets(self, turn: Turn, rulings: RulingsOf, sheets: tuple[SheetIn, ...]) -> WeighedSheets:
        """Say what becomes of sheets where no typed lines stand."""
        written = written_on(sheets)
        since: tuple[Told, ...] = ()
        if rulings.sheet is not None:
            decided = self.decided(turn, rulings, rulings.sheet, sheets)
            since = tuple(unseen(rulings.sheet, sheets, decided.counted))
            if not is_news(rulings.sheet, sheets, decided.counted):
                return decided
        if not sheets:
            asked = decide(MissingSheet(), self.rules)
            return WeighedSheets(
                state=SheetState.MISSING, problems=(asking(asked, turn, Told.of(SheetReason.NO_SHEET)),)
            )
        if two := self.two(turn, sheets, since):
            return two
        look = Told.of(SheetReason.LOOK)
        anew = (told(Weight.ASKS, turn, *since, Told.of(SheetReason.RULE_AGAIN)),) if since else ()
        problems = (
            *anew,
            *missing_parts(turn, sheets),
            *(told(Weight.ASKS, turn, place, look) for place in outside(sheets)),
            *self.unsigned(turn, written),
            *self.seasons(turn, written),
        )
        return WeighedSheets(state=SheetState.IN, problems=problems, counted=written)

    def typed(
        self, turn: Turn, typed: TypedLines, rulings: RulingsOf, sheets: tuple[SheetIn, ...]
    ) -> WeighedSheets | tuple[SheetIn, ...]:
        """Say whether typed lines stand; or which sheets count instead, where a ruling on sheets came after them.

        A sheet that shows something new since then is asked about, until it is refused or they are typed again. Where
        no sheet was in, a ruling after them is on the lines themselves.
        """
        ruling = rulings.sheet
        after = tuple(sheet for sheet in sheets if sheet.news > typed.fact.number)
        newest = max([typed.fact.number, *(sheet.news for sheet in after)])
        if ruling is not None and ruling.lost is None and ruling.fact.number > newest:
            if all(sheet.came > ruling.fact.number for sheet in sheets):
                return self.ruled_on_lines(turn, typed, rulings, ruling)
            by_rules = self.by_rules(turn, ruling)
            is_void = by_rules is not None and by_rules.effect is Effect.NO_ORDERS
            if is_void or ruling.decision is SheetDecision.REFUSED:
                note = told(
                    Weight.NOTES, turn, Told.of(SheetReason.LINES_COUNT, sheets=ids_of(sheets), by=typed.fact.by)
                )
                return WeighedSheets(state=SheetState.TYPED, problems=(note,), typed=True)
            return sheets if standing(rulings.choices, sheets) else after or sheets
        if not after:
            instead = Told.of(SheetReason.LINES_INSTEAD, sheets=ids_of(written_on(sheets)), lines=typed.told)
            notes = (told(Weight.NOTES, turn, instead),) if sheets else ()
            return WeighedSheets(state=SheetState.TYPED, problems=notes, typed=True)
        came = Told.of(SheetReason.CAME_AFTER, sheets=ids_of(after), what=typed.told)
        problem = told(Weight.ASKS, turn, came, Told.of(SheetReason.LINES_OR_SHEET))
        return WeighedSheets(state=SheetState.TYPED, problems=(problem,), typed=True)

    def ruled_on_lines(self, turn: Turn, typed: TypedLines, rulings: RulingsOf, ruling: SheetRuling) -> WeighedSheets:
        """Carry out a ruling that was made when nothing but typed lines was there: it is on them, late or refused."""
        decided = self.decided(turn, rulings, ruling, ())
        if decided.nothing_will_come:
            return aside(decided, typed, turn)
        state = decided.state if ruling.decision.is_late else SheetState.TYPED
        return replace(decided, state=state, typed=True)

    def two(self, turn: Turn, sheets: tuple[SheetIn, ...], since: tuple[Told, ...] = ()) -> WeighedSheets | None:
        """Two sheets of the same part on which something is written are asked; ``since`` is what else is to be told."""
        written = written_on(sheets)
        parts = [s.printed.said.part for s in written]
        ids = ids_of(tuple(s for s in written if parts.count(s.printed.said.part) > 1))
        if not ids:
            return None
        together, later = (decide(TwoSheets(resubmitted=each), self.rules) for each in (False, True))
        if later.effect is not together.effect:  # which of them it was, only a person knows
            since = (*since, quoted(later))
        doubts = (*(s.pad.doubt for s in written if s.pad and is_doubtful(s)), *outside(sheets))
        because = (Told.of(SheetReason.TWO_SHEETS, sheets=ids), *since, *doubts)
        return WeighedSheets(state=SheetState.TWO, problems=(asking(together, turn, *because),), counted=written)

    def decided(
        self, turn: Turn, rulings: RulingsOf, ruling: SheetRuling, sheets: tuple[SheetIn, ...]
    ) -> WeighedSheets:
        """Carry out what the director decided about the sheets; ``ruling`` is the newest decision.

        Choosing is between sheets that claim the same rows: what claims other rows counts beside the chosen one.
        """
        choices = standing(rulings.choices, sheets)
        meant = left_by(choices, sheets) if choices else sheets
        match ruling.decision:
            case SheetDecision.NO_ORDERS:
                return WeighedSheets(state=SheetState.NO_ORDERS, nothing_will_come=True)
            case SheetDecision.REFUSED:
                return WeighedSheets(state=SheetState.REFUSED, nothing_will_come=True)
            case SheetDecision.CHOSEN:
                return self.two(turn, meant) or self.beside_the_chosen(turn, choices, meant)
            case _:
                by_rules = self.by_rules(turn, ruling)
                if by_rules is None:
                    return WeighedSheets(state=SheetState.IN, counted=meant)
                return self.as_the_rules_say(turn, ruling, by_rules, meant)

    def beside_the_chosen(
        self, turn: Turn, choices: tuple[SheetRuling, ...], left: tuple[SheetIn, ...]
    ) -> WeighedSheets:
        """A sheet that counts beside the chosen ones, and was not chosen, is asked about if it is not signed."""
        chosen = {choice.serial for choice in choices}
        others = tuple(sheet for sheet in left if sheet.serial not in chosen and not sheet.is_empty)
        return WeighedSheets(state=SheetState.IN, problems=self.unsigned(turn, others), counted=left)

    def by_rules(self, turn: Turn, ruling: SheetRuling) -> SheetConduct | None:
        """What the tournament makes of what a person said of a sheet; None where he decided himself."""
        if ruling.decision.is_late:
            return self.late_decision(turn, ruling)
        fault = FAULTS.get(ruling.decision)
        return None if fault is None else decide(fault, self.rules)

    def as_the_rules_say(
        self, turn: Turn, ruling: SheetRuling, decision: SheetConduct, sheets: tuple[SheetIn, ...]
    ) -> WeighedSheets:
        """The sheets count, or do not, as the tournament says; where it is silent the director must say."""
        is_late = ruling.decision.is_late
        match decision.effect:
            case Effect.ACCEPTED:
                notes = (told(Weight.NOTES, turn, place) for place in outside(sheets))
                problems = (noted(decision, turn, quoted(decision)), *notes)
                state = SheetState.LATE if is_late else SheetState.IN
                return WeighedSheets(state=state, problems=problems, counted=sheets)
            case Effect.NO_ORDERS:
                note = noted(decision, turn, quoted(decision))
                state = SheetState.LATE if is_late else SheetState.REFUSED
                return WeighedSheets(state=state, problems=(note,), nothing_will_come=True)
            case _:
                asked = asking(decision, turn, Told.of(SheetReason.ACCEPTED_OR_REFUSED))
                state = SheetState.LATE if is_late else SheetState.IN
                return WeighedSheets(state=state, problems=(asked,), counted=sheets)

    def late_decision(self, turn: Turn, ruling: SheetRuling) -> SheetConduct:
        """What the tournament makes of this late sheet, with the earlier ones of the same player."""
        earlier = [
            other
            for other, rulings in self.rulings.items()
            if rulings.sheet is not None
            and rulings.sheet.decision.is_late
            and rulings.sheet.fact.number < ruling.fact.number
            and self.players.get(other) == self.players.get(turn)
        ]
        late = LateSheet(
            earlier_in_game=sum(other.board == turn.board for other in earlier),
            earlier_in_tournament=len(earlier),
            reading_began=ruling.decision is SheetDecision.LATE_READING,
            demanded=ruling.decision is SheetDecision.LATE_DEMANDED,
        )
        return decide(late, self.rules)

    def unsigned(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
        """An unsigned sheet is asked once in an event where the rules are silent; then the ruling stands for all."""
        ids = ids_of(tuple(sheet for sheet in sheets if sheet.scans[-1].signed is False))
        if not ids:
            return ()
        decision = decide(Unsigned(), self.rules)
        before = next((r.unsigned for r in self.rulings.values() if r.unsigned), None)
        if decision.effect is Effect.ACCEPTED or before is not None:
            by_before = Told.of(SheetReason.UNSIGNED_BEFORE, by=before.fact.by) if before is not None else None
            return (noted(decision, turn, by_before or quoted(decision)),)
        return (asking(decision, turn, Told.of(SheetReason.UNSIGNED, sheets=ids)),)

    def seasons(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
        """A pad whose ticks do not name the phase that is open is what the tournament makes of a wrong season.

        Where it is refused a person still says so: a speck in a tick box must not cost a player his season. What was
        ruled on a case like it is offered, never applied.
        """
        found: list[Problem] = []
        for pad in (sheet.pad for sheet in sheets if sheet.pad is not None and not sheet.pad.is_clean):
            if pad.before is not None:
                found.append(told(Weight.ASKS, turn, pad.doubt, Told.of(SheetReason.ONLY_IF_NOT_COUNTED)))
                continue
            missing = pad.ticked.missing
            decision = decide(HeaderIncomplete(missing) if missing else WrongSeason(pad.ticked.in_words), self.rules)
            match decision.effect:
                case Effect.ACCEPTED:
                    found.append(noted(decision, turn, pad.doubt, quoted(decision)))
                case Effect.NO_ORDERS:
                    found.append(self.asking_as_before(decision, turn, pad, SheetReason.IF_TICKS_DIFFER))
                case _:
                    found.append(self.asking_as_before(decision, turn, pad, SheetReason.ACCEPTED_OR_REFUSED))
        return tuple(found)

    def asking_as_before(self, decision: SheetConduct, turn: Turn, pad: PadIn, may: SheetReason) -> SheetDoubt:
        """A question to the director, with the newest ruling on the same situation, whichever sheet it was about."""
        rulings = (each.sheet for each in self.rulings.values() if each.sheet and each.sheet.asked == pad.situation)
        before = max(rulings, key=lambda ruling: ruling.fact.number, default=None)
        asked = asking(decision, turn, pad.doubt, Told.of(may))
        offered = (Told.of(SheetReason.OFFERED, ruling=before.told),) if before else ()
        because = (*asked.because, *offered)
        return replace(asked, text=sentences(because), because=because, situation=pad.situation)

    def late_points(self) -> dict[Turn, SheetConduct]:
        """Every late sheet of the event with what the tournament makes of it, for the penalties."""
        return {
            turn: self.late_decision(turn, rulings.sheet)
            for turn, rulings in self.rulings.items()
            if rulings.sheet is not None and rulings.sheet.decision.is_late
        }


def aside(weighed: WeighedSheets, typed: TypedLines, turn: Turn) -> WeighedSheets:
    """Tell, with what counts, that lines which were typed do not."""
    lines = Told.of(SheetReason.LINES_DO_NOT_COUNT, by=typed.fact.by, at=typed.fact.at)
    return replace(weighed, problems=(*weighed.problems, told(Weight.NOTES, turn, lines)))


def ids_of(sheets: tuple[SheetIn, ...]) -> tuple[str, ...]:
    """Name sheets by their printed ids."""
    return tuple(str(sheet.printed.id) for sheet in sheets)


def is_doubtful(sheet: SheetIn) -> bool:
    """Whether a sheet is a pad that does not say for which phase it is."""
    return sheet.pad is not None and not sheet.pad.is_clean


def missing_parts(turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
    """Continuation sheets that were printed and are not in."""
    of = sheets[0].printed.said.parts
    here = {s.printed.said.part for s in sheets}
    return tuple(
        told(Weight.ASKS, turn, Told.of(SheetReason.PART_MISSING, part=part, parts=of))
        for part in range(1, of + 1)
        if part not in here
    )


def told(weight: Weight, turn: Turn, *because: Told, setting: str = "") -> SheetDoubt:
    """Something to be told of a turn's sheets, or asked."""
    return SheetDoubt(weight, sentences(because), str(turn), because, setting)


def asking(decision: SheetConduct, turn: Turn, *because: Told) -> SheetDoubt:
    """A question to the director, with what the rules say about it."""
    return told(Weight.ASKS, turn, *because, quoted(decision), setting=decision.setting.path)


def noted(decision: SheetConduct, turn: Turn, *because: Told) -> SheetDoubt:
    """Something to be told, of which the rules say enough."""
    return told(Weight.NOTES, turn, *because, setting=decision.setting.path)


def quoted(decision: SheetConduct) -> Told:
    """A decision with its rule.

    >>> from pipeline.rules.toml.setting import Setting
    >>> late = SheetConduct(Effect.ACCEPTED, "late for the first time: they are accepted", Setting("warned", "NZ99 9"))
    >>> sentences([quoted(late)])
    'late for the first time: they are accepted (NZ99 9)'
    """
    return Told.of(SheetReason.BY_RULE, decision=decision, rule=(decision.rule,) if decision.rule else ())


def points_of(decision: SheetConduct) -> Fraction:
    """What a late sheet costs, as a positive number; nothing where the director has not said."""
    return -(decision.points or Fraction(0))
