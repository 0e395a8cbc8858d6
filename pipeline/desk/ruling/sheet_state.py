"""Which of a power's sheets counts, and what the rules make of it: late policy, unsigned, wrong season, two sheets."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.rows import NO_GROUND, Row
from pipeline.desk.ruling.rulings import RulingsOf, SheetRuling, TypedLines
from pipeline.desk.sheets.pads import OutsidePlace, PadIn, SheetReason, SheetState
from pipeline.desk.sheets.sheets_in import SheetIn, as_of, filled_sheets, in_order
from pipeline.ink import Box
from pipeline.ledger.files import local_time
from pipeline.ledger.parts import RulingBasis, SheetDecision, round_and_board
from pipeline.paper.sheet_layout import Form
from pipeline.problems import Problem, Weight
from pipeline.rules import conduct
from pipeline.rules.rulings_book import Situation
from pipeline.words.speech import Message, sentences

# New evidence since a ruling on sheets: the question is asked again.

RULE_AGAIN = Message.of(SheetReason.RULE_AGAIN)


def _lines_taken_back(ruling: SheetRuling) -> tuple[Message, ...]:
    """A remark that the typed lines which counted at a ruling were taken back since; empty if they were not."""
    if ruling.lost is None:
        return ()
    return (Message.of(SheetReason.LINES_TAKEN_BACK, by=ruling.lost.fact.by, what=ruling.as_told),)


def _news_since_ruling(
    ruling: SheetRuling, sheets: tuple[SheetIn, ...], counted: tuple[SheetIn, ...]
) -> Iterator[Message]:
    """New evidence since a ruling: sheets that came in later, and new ink on sheets that it set aside.

    New ink on a sheet that is ``counted`` is asked row by row.
    """
    yield from _lines_taken_back(ruling)
    written = filled_sheets(sheets)
    for sheet in sheets:
        if sheet.came > ruling.fact.number and (sheet in written or sheet.outside):
            yield Message.of(SheetReason.CAME_AFTER, sheets=(str(sheet.printed.id),), what=ruling.as_told)
        elif max(sheet.differs, sheet.noted) > ruling.fact.number and sheet not in counted:
            yield Message.of(SheetReason.SCANNED_AGAIN, sheets=(str(sheet.printed.id),), what=ruling.as_told)


def _is_news(ruling: SheetRuling, sheets: tuple[SheetIn, ...], counted: tuple[SheetIn, ...]) -> bool:
    """Whether the sheets show something that must be asked again, writing outside the rows included."""
    return any(_news_since_ruling(ruling, sheets, counted)) or any(
        sheet.noted > ruling.fact.number for sheet in counted
    )


# Sheets that claim the same rows of a power's orders, and what is left of them where the director has chosen.


def _are_rivals(one: SheetIn, other: SheetIn) -> bool:
    """Two sheets claim the same rows if they are the same part, or if a row has the same number on both."""
    return one.printed.request.part == other.printed.request.part or not _row_numbers(one).isdisjoint(
        _row_numbers(other)
    )


def _row_numbers(sheet: SheetIn) -> frozenset[int]:
    return frozenset(field.row for field in sheet.printed.page.form.rows if field.row is not None)


def _standing_choices(rulings: Sequence[SheetRuling], sheets: tuple[SheetIn, ...]) -> tuple[SheetRuling, ...]:
    """The choices of sheets that still count; ``rulings`` are the latest ones, as long as they only choose or accept.

    Rulings and result are newest first. A later "accept" confirms a choice, unless a sheet had come in between: then
    "accept" accepts all sheets and ends the choice.
    """
    if not rulings:
        return ()
    newest, older = rulings[0], _standing_choices(rulings[1:], sheets)
    if newest.decision is SheetDecision.CHOSEN:
        return (newest, *older)
    if not older:
        return ()
    then = tuple(known for sheet in sheets if (known := as_of(sheet, newest.fact.number)) is not None)
    left = _left_by(older, then)
    return older if left and not _is_news(older[0], then, left) else ()


def _left_by(choices: Sequence[SheetRuling], sheets: tuple[SheetIn, ...]) -> tuple[SheetIn, ...]:
    """The sheets that were chosen, and those that claim no row of them.

    ``choices`` are newest first. The newest sets aside all sheets that claim the same rows, an older one only those
    without new ink since. If a chosen sheet is not there any more, only sheets chosen later count.
    """
    by_serial = {sheet.serial: sheet for sheet in sheets}
    chosen: list[tuple[SheetIn, SheetRuling]] = []
    for choice in choices:
        sheet = by_serial.get(choice.serial or 0)
        if sheet is None:
            return in_order(each for each, _ in chosen)
        if not any(_are_rivals(sheet, newer) for newer, _ in chosen):
            chosen.append((sheet, choice))
    left = []
    for sheet in sheets:
        against = [choice for other, choice in chosen if sheet != other and _are_rivals(sheet, other)]
        if all(choice != choices[0] and sheet.news > choice.fact.number for choice in against):
            left.append(sheet)
    return tuple(left)


def _was_late_before(other: Turn, late: SheetRuling, turn: Turn, ruling: SheetRuling) -> bool:
    """Whether a sheet was late before another: in the order of play, whenever each was ruled on.

    On two boards of a round the rulings have the order.
    """
    if other.board == turn.board:
        return other.phase.sort_key < turn.phase.sort_key
    (one, _), (two, _) = round_and_board(other.board), round_and_board(turn.board)
    return one < two if one != two else late.fact.number < ruling.fact.number


# What is written on sheets where nothing is to be filled in.


def _outside(sheets: tuple[SheetIn, ...]) -> tuple[Message, ...]:
    """A remark on what is written outside the rows of sheets; empty if nothing is."""
    many = len(sheets) > 1
    places = tuple(
        dict.fromkeys(
            _name_place(box, sheet.printed.page.form, (str(sheet.printed.id),) if many else ())
            for sheet in sheets
            for box in sheet.outside
        )
    )
    return (Message.of(SheetReason.OUTSIDE, places=places),) if places else ()


def _name_place(box: Box, form: Form, on: tuple[str, ...]) -> Message:
    """Name a place outside the rows: above or below them, or beside which of them."""
    first, last = form.rows[0].box, form.rows[-1].box
    middle = box.top + box.height / 2
    if middle < first.top:
        return Message.of(OutsidePlace.ABOVE, on=on)
    if middle > last.bottom:
        return Message.of(OutsidePlace.BELOW, on=on)
    row = min(form.rows, key=lambda field: abs(field.box.top + field.box.height / 2 - middle))
    is_left = box.left + box.width / 2 < first.left + first.width / 2
    return Message.of(OutsidePlace.LEFT if is_left else OutsidePlace.RIGHT, row=row.row, on=on)


# what a person reports of a sheet; the rules decide whether it counts
FAULTS: Mapping[SheetDecision, conduct.FaultOfForm] = {
    SheetDecision.FOREIGN: conduct.FOREIGN_SHEET,
    SheetDecision.JOINT: conduct.JOINT_ORDERS,
    SheetDecision.PROXY: conduct.PROXY_ORDERS,
}


class SheetDoubt(Problem, frozen=True):
    """A note or question on a sheet, with the setting of the rules that applies."""

    because: tuple[Message, ...]  # the codes and data that its text is made from
    setting: str = ""  # its path: "conduct.unsigned"; empty where no rule is about it
    situation: Situation | None = None  # what is asked, where another sheet may raise it again

    @property
    def settings(self) -> tuple[str, ...]:
        return (self.setting,) if self.setting else ()


class WeighedSheets(Struct, frozen=True, kw_only=True):
    """The sheets of a power that count, their state, and what is asked about them."""

    state: SheetState
    problems: tuple[Problem, ...] = ()  # one that ASKS keeps the power open
    counted: tuple[SheetIn, ...] = ()  # the sheets that count
    typed: bool = False  # lines that were typed count, and no sheet does
    nothing_will_come: bool = False  # no orders count: a unit without one waits only if the rules ask
    rows: tuple[Row, ...] = ()  # of the sheets that count, or the typed lines, as they came in
    ground: RulingBasis = (
        NO_GROUND  # what is recorded with a ruling on no row: the sheets that count, or the typed lines
    )


class Conduct(Struct, frozen=True):
    """The tournament's rules on sheets, and what was decided in this event before."""

    rules: conduct.ConductRules
    rulings: Mapping[Turn, RulingsOf]
    players: Mapping[Turn, str]  # who plays the power of a turn that was ruled on

    def weigh(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> WeighedSheets:
        """Decide which of a power's sheets count, their state, and what a person must still decide.

        A ruling is on the sheets that were in when it was made. If another sheet came in since, or new writing outside
        the rows, it is asked again.
        """
        rulings = self.rulings.get(turn, RulingsOf())
        if rulings.typed is None:
            return self.weigh_sheets(turn, rulings, sheets)
        weighed = self.weigh_typed(turn, rulings.typed, rulings, sheets)
        if isinstance(weighed, WeighedSheets):
            return weighed
        return _note_lines_aside(self.weigh_sheets(turn, rulings, weighed), rulings.typed, turn)

    def weigh_sheets(self, turn: Turn, rulings: RulingsOf, sheets: tuple[SheetIn, ...]) -> WeighedSheets:
        """Decide which sheets count if there are no typed lines."""
        written = filled_sheets(sheets)
        since: tuple[Message, ...] = ()
        if rulings.sheet is not None:
            decided = self.carry_out(turn, rulings, rulings.sheet, sheets)
            since = tuple(_news_since_ruling(rulings.sheet, sheets, decided.counted))
            is_about_some = sheets or decided.nothing_will_come
            if is_about_some and not _is_news(rulings.sheet, sheets, decided.counted):
                return decided
        if not sheets:
            asked = conduct.decide_conduct(conduct.MissingSheet(), self.rules)
            return WeighedSheets(
                state=SheetState.MISSING, problems=(_asking(asked, turn, Message.of(SheetReason.NO_SHEET)),)
            )
        if two := self.ask_about_two(turn, sheets, since):
            return two
        look = Message.of(SheetReason.LOOK)
        anew = (doubt_on_sheets(Weight.ASKS, turn, *since, RULE_AGAIN),) if since else ()
        problems = (
            *anew,
            *_missing_parts(turn, sheets),
            *(doubt_on_sheets(Weight.ASKS, turn, place, look) for place in _outside(sheets)),
            *self.ask_unsigned(turn, written),
            *self.seasons(turn, written),
        )
        return WeighedSheets(state=SheetState.IN, problems=problems, counted=written)

    def weigh_typed(
        self, turn: Turn, typed: TypedLines, rulings: RulingsOf, sheets: tuple[SheetIn, ...]
    ) -> WeighedSheets | tuple[SheetIn, ...]:
        """Decide whether typed lines count; or which sheets do, if a ruling on sheets came after them.

        A sheet that shows something new since then is asked about, until it is refused or the lines are typed again. If
        no sheet had come in, a ruling that was made after the lines is on the lines themselves. If it was on later
        lines, which were taken back, it is asked again.
        """
        ruling = rulings.sheet
        after = tuple(sheet for sheet in sheets if sheet.news > typed.fact.number)
        newest = max([typed.fact.number, *(sheet.news for sheet in after)])
        if ruling is not None and ruling.fact.number > newest:
            if back := _lines_taken_back(ruling):
                problem = doubt_on_sheets(Weight.ASKS, turn, *back, RULE_AGAIN)
                return WeighedSheets(state=SheetState.TYPED, problems=(problem,), typed=True)
            if all(sheet.came > ruling.fact.number for sheet in sheets):
                return self.ruled_on_lines(turn, typed, rulings, ruling)
            is_fault = ruling.decision.is_late or ruling.decision in FAULTS
            is_void = is_fault and self.decision_by_rules(turn, ruling).effect is conduct.Effect.NO_ORDERS
            if is_void or ruling.decision is SheetDecision.REFUSED:
                note = doubt_on_sheets(
                    Weight.NOTES, turn, Message.of(SheetReason.LINES_COUNT, sheets=_ids_of(sheets), by=typed.fact.by)
                )
                return WeighedSheets(state=SheetState.TYPED, problems=(note,), typed=True)
            return sheets if _standing_choices(rulings.choices, sheets) else after or sheets
        if not after:
            instead = Message.of(SheetReason.LINES_INSTEAD, sheets=_ids_of(filled_sheets(sheets)), lines=typed.as_told)
            notes = (doubt_on_sheets(Weight.NOTES, turn, instead),) if sheets else ()
            if fault := rulings.late or (ruling if ruling and ruling.decision in FAULTS else None):
                return self.typed_after_fault(turn, typed, fault, sheets, notes)
            return WeighedSheets(state=SheetState.TYPED, problems=notes, typed=True)
        came = Message.of(SheetReason.CAME_AFTER, sheets=_ids_of(after), what=typed.as_told)
        problem = doubt_on_sheets(Weight.ASKS, turn, came, Message.of(SheetReason.LINES_OR_SHEET))
        return WeighedSheets(state=SheetState.TYPED, problems=(problem,), typed=True)

    def typed_after_fault(
        self, turn: Turn, typed: TypedLines, fault: SheetRuling, sheets: tuple[SheetIn, ...], notes: tuple[Problem, ...]
    ) -> WeighedSheets:
        """Take lines as those of the orders that were ruled late, or at fault; ask where the rules accept none such."""
        decision = self.decision_by_rules(turn, fault)
        if decision.effect is conduct.Effect.ACCEPTED:
            note = _sheet_note(decision, turn, _decision_with_rule(decision))
        else:
            after = Message.of(SheetReason.LINES_AFTER_FAULT, lines=typed.as_told, ruling=fault.as_told)
            may = SheetReason.LINES_OR_SHEET if sheets else SheetReason.ACCEPTED_OR_REFUSED
            note = _asking(decision, turn, after, Message.of(may))
        state = SheetState.LATE if fault.decision.is_late else SheetState.TYPED
        return WeighedSheets(state=state, problems=(note, *notes), typed=True)

    def ruled_on_lines(self, turn: Turn, typed: TypedLines, rulings: RulingsOf, ruling: SheetRuling) -> WeighedSheets:
        """Carry out a ruling that was made when nothing but typed lines was there: it is on them, late or refused."""
        decided = self.carry_out(turn, rulings, ruling, ())
        if decided.nothing_will_come:
            return _note_lines_aside(decided, typed, turn)
        state = decided.state if ruling.decision.is_late else SheetState.TYPED
        return replace(decided, state=state, typed=True)

    def ask_about_two(
        self, turn: Turn, sheets: tuple[SheetIn, ...], since: tuple[Message, ...] = ()
    ) -> WeighedSheets | None:
        """Ask about two sheets of the same part if both are filled in; ``since`` is a further remark."""
        written = filled_sheets(sheets)
        parts = [s.printed.request.part for s in written]
        ids = _ids_of(tuple(s for s in written if parts.count(s.printed.request.part) > 1))
        if not ids:
            return None
        together, later = (
            conduct.decide_conduct(conduct.TwoSheets(resubmitted=each), self.rules) for each in (False, True)
        )
        if later.effect is not together.effect:  # only a person knows whether they came in together
            since = (*since, _decision_with_rule(later))
        doubts = (*_pad_doubts(written), *_outside(sheets))
        because = (Message.of(SheetReason.TWO_SHEETS, sheets=ids), *since, *doubts)
        return WeighedSheets(state=SheetState.TWO, problems=(_asking(together, turn, *because),), counted=written)

    def carry_out(
        self, turn: Turn, rulings: RulingsOf, ruling: SheetRuling, sheets: tuple[SheetIn, ...]
    ) -> WeighedSheets:
        """Carry out what the director decided about the sheets; ``ruling`` is the newest decision.

        A choice excludes only sheets that claim the same rows as the chosen one; other sheets count, too.
        """
        choices = _standing_choices(rulings.choices, sheets)
        meant = _left_by(choices, sheets)
        match ruling.decision:
            case SheetDecision.NO_ORDERS:
                return WeighedSheets(state=SheetState.NO_ORDERS, nothing_will_come=True)
            case SheetDecision.REFUSED:
                return WeighedSheets(state=SheetState.REFUSED, nothing_will_come=True)
            case SheetDecision.CHOSEN:
                if rulings.late is not None:
                    return self.by_the_rules(turn, rulings.late, meant)
                return self.ask_about_two(turn, meant) or self.beside_the_chosen(turn, choices, meant)
            case SheetDecision.ACCEPTED | SheetDecision.ALL_UNSIGNED:
                return WeighedSheets(state=SheetState.IN, counted=meant)
            case _:
                return self.by_the_rules(turn, ruling, meant)

    def beside_the_chosen(
        self, turn: Turn, choices: tuple[SheetRuling, ...], left: tuple[SheetIn, ...]
    ) -> WeighedSheets:
        """Ask about an unsigned sheet that counts beside the chosen ones."""
        chosen = {choice.serial for choice in choices}
        others = tuple(sheet for sheet in left if sheet.serial not in chosen and not sheet.is_empty)
        return WeighedSheets(state=SheetState.IN, problems=self.ask_unsigned(turn, others), counted=left)

    def decision_by_rules(self, turn: Turn, ruling: SheetRuling) -> conduct.SheetConduct:
        """What the rules make of a fault that a person reported: late, on other paper, joint, or by proxy."""
        if ruling.decision.is_late:
            return self.late_decision(turn, ruling)
        return conduct.decide_conduct(FAULTS[ruling.decision], self.rules)

    def by_the_rules(self, turn: Turn, ruling: SheetRuling, sheets: tuple[SheetIn, ...]) -> WeighedSheets:
        """Let sheets with a fault count or not, as the tournament says; where it is silent, ask the director.

        Two sheets of the same part are asked about first, unless neither counts.
        """
        decision = self.decision_by_rules(turn, ruling)
        is_late = ruling.decision.is_late
        if decision.effect is conduct.Effect.NO_ORDERS:
            note = _sheet_note(decision, turn, _decision_with_rule(decision))
            state = SheetState.LATE if is_late else SheetState.REFUSED
            return WeighedSheets(state=state, problems=(note,), nothing_will_come=True)
        if two := self.ask_about_two(turn, sheets, (ruling.as_told,)):
            return two
        state = SheetState.LATE if is_late else SheetState.IN
        if decision.effect is conduct.Effect.ACCEPTED:
            seen = (*_pad_doubts(sheets), *_outside(sheets))
            notes = (doubt_on_sheets(Weight.NOTES, turn, each) for each in seen)
            problems = (_sheet_note(decision, turn, _decision_with_rule(decision)), *notes)
            return WeighedSheets(state=state, problems=problems, counted=sheets)
        asked = _asking(decision, turn, Message.of(SheetReason.ACCEPTED_OR_REFUSED))
        return WeighedSheets(state=state, problems=(asked,), counted=sheets)

    def late_decision(self, turn: Turn, ruling: SheetRuling) -> conduct.SheetConduct:
        """The late policy: what the tournament makes of this late sheet, given the player's earlier ones."""
        earlier = [
            other
            for other, rulings in self.rulings.items()
            if rulings.late is not None
            and self.players.get(other) == self.players.get(turn)
            and _was_late_before(other, rulings.late, turn, ruling)
        ]
        late = conduct.LateSheet(
            earlier_in_game=sum(other.board == turn.board for other in earlier),
            earlier_in_tournament=len(earlier),
            reading_began=ruling.decision is SheetDecision.LATE_READING,
            demanded=ruling.decision is SheetDecision.LATE_DEMANDED,
        )
        return conduct.decide_conduct(late, self.rules)

    def ask_unsigned(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
        """An unsigned sheet is asked once in an event where the rules are silent; then the ruling stands for all."""
        ids = _ids_of(tuple(sheet for sheet in sheets if sheet.scans[-1].signed is False))
        if not ids:
            return ()
        decision = conduct.decide_conduct(conduct.UNSIGNED, self.rules)
        before = next((r.unsigned for r in self.rulings.values() if r.unsigned), None)
        if decision.effect is conduct.Effect.ACCEPTED or before is not None:
            by_before = Message.of(SheetReason.UNSIGNED_BEFORE, by=before.fact.by) if before is not None else None
            return (_sheet_note(decision, turn, by_before or _decision_with_rule(decision)),)
        return (_asking(decision, turn, Message.of(SheetReason.UNSIGNED, sheets=ids)),)

    def seasons(self, turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
        """A pad ticked for another phase is treated by the rule on wrong seasons.

        A person must confirm a refusal: a speck in a tick box must not cost a player his season. Earlier rulings are
        offered, never applied.
        """
        problems: list[Problem] = []
        for pad in (sheet.pad for sheet in sheets if sheet.pad is not None and not sheet.pad.is_clean):
            if pad.before is not None:
                problems.append(
                    doubt_on_sheets(Weight.ASKS, turn, pad.doubt, Message.of(SheetReason.ONLY_IF_NOT_COUNTED))
                )
                continue
            missing = pad.ticked.missing
            decision = conduct.decide_conduct(
                conduct.FaultOfForm.header_incomplete(missing)
                if missing
                else conduct.FaultOfForm.wrong_season(pad.ticked.in_words),
                self.rules,
            )
            match decision.effect:
                case conduct.Effect.ACCEPTED:
                    problems.append(_sheet_note(decision, turn, pad.doubt, _decision_with_rule(decision)))
                case conduct.Effect.NO_ORDERS:
                    problems.append(self.asking_as_before(decision, turn, pad, SheetReason.IF_TICKS_DIFFER))
                case _:
                    problems.append(self.asking_as_before(decision, turn, pad, SheetReason.ACCEPTED_OR_REFUSED))
        return tuple(problems)

    def asking_as_before(self, decision: conduct.SheetConduct, turn: Turn, pad: PadIn, may: SheetReason) -> SheetDoubt:
        """A question to the director, with the newest ruling on the same situation, whichever sheet it was about."""
        rulings = (each.sheet for each in self.rulings.values() if each.sheet and each.sheet.asked == pad.situation)
        before = max(rulings, key=lambda ruling: ruling.fact.number, default=None)
        asked = _asking(decision, turn, pad.doubt, Message.of(may))
        offered = (Message.of(SheetReason.OFFERED, ruling=before.as_told),) if before else ()
        because = (*asked.because, *offered)
        return replace(asked, text=sentences(because), because=because, situation=pad.situation)

    def late_points(self) -> dict[Turn, conduct.SheetConduct]:
        """Every late sheet of the event with what the late policy makes of it, penalties included."""
        return {
            turn: self.late_decision(turn, rulings.late)
            for turn, rulings in self.rulings.items()
            if rulings.late is not None
        }


def _note_lines_aside(weighed: WeighedSheets, typed: TypedLines, turn: Turn) -> WeighedSheets:
    lines = Message.of(SheetReason.LINES_DO_NOT_COUNT, by=typed.fact.by, at=local_time(typed.fact.at))
    return replace(weighed, problems=(*weighed.problems, doubt_on_sheets(Weight.NOTES, turn, lines)))


def _ids_of(sheets: tuple[SheetIn, ...]) -> tuple[str, ...]:
    return tuple(str(sheet.printed.id) for sheet in sheets)


def _pad_doubts(sheets: tuple[SheetIn, ...]) -> tuple[Message, ...]:
    """What is wrong with the ticks of pads; empty if nothing is."""
    return tuple(sheet.pad.doubt for sheet in sheets if sheet.pad is not None and not sheet.pad.is_clean)


def _missing_parts(turn: Turn, sheets: tuple[SheetIn, ...]) -> tuple[Problem, ...]:
    """Ask about each part of a power's orders that was printed and is not in."""
    of = sheets[0].printed.request.parts
    here = {s.printed.request.part for s in sheets}
    return tuple(
        doubt_on_sheets(Weight.ASKS, turn, Message.of(SheetReason.PART_MISSING, part=part, parts=of))
        for part in range(1, of + 1)
        if part not in here
    )


def doubt_on_sheets(weight: Weight, turn: Turn, *because: Message, setting: str = "") -> SheetDoubt:
    """A note or question on a turn's sheets."""
    return SheetDoubt(weight, sentences(because), str(turn), because, setting)


def _asking(decision: conduct.SheetConduct, turn: Turn, *because: Message) -> SheetDoubt:
    """A question to the director, with what the rules say about it."""
    return doubt_on_sheets(Weight.ASKS, turn, *because, _decision_with_rule(decision), setting=decision.setting.path)


def _sheet_note(decision: conduct.SheetConduct, turn: Turn, *because: Message) -> SheetDoubt:
    """A note on something that the rules decide."""
    return doubt_on_sheets(Weight.NOTES, turn, *because, setting=decision.setting.path)


def _decision_with_rule(decision: conduct.SheetConduct) -> Message:
    """A decision with its rule.

    >>> from pipeline.rules.switches import Setting
    >>> warned = Setting("warned", "NZ99 9")
    >>> late = conduct.SheetConduct(conduct.Effect.ACCEPTED, "late for the first time: they are accepted", warned)
    >>> sentences([_decision_with_rule(late)])
    'late for the first time: they are accepted (NZ99 9)'
    """
    return Message.of(SheetReason.BY_RULE, decision=decision, rule=(decision.rule,) if decision.rule else ())
