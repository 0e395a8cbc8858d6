"""Scanned forms: for every form the values of its fields, and its doubts."""

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from pipeline.desk.event.event import Event
from pipeline.desk.sheets.sheets_in import crop_path, merge_scans, page_path
from pipeline.ink import InkLine, Tier, Transcription
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, UpToNow, standing
from pipeline.paper.form import FormKind, FormRequest, FormTemplate, place_form
from pipeline.paper.load_form import read_form
from pipeline.paper.sheet_layout import Answer, ChoiceAnswer, NumberAnswer, PageLayout, SignatureAnswer, TextAnswer
from pipeline.printable import BLANKS, is_whole, unprintable
from pipeline.problems import stop
from pipeline.reading.recogniser import Tray
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import Message, SentenceCode, sentence

# Which forms were printed, from the facts `FormsPrinted`.

NOBODY = "NOBODY"  # the centres that no power owns, on a board sheet
OTHERS = "others"  # the seats that a ballot grades, as they were when it was printed
BEFORE_NAME = "  "  # between a power and its player, in the label of a seat
ROSTER = "roster"  # the list of players with their numbers, as it was when the form was printed
WRITER = "writer"  # of a writing sample: the one player whose hand it is, as he was called when it was printed


class PrintedForm(Struct, frozen=True):
    """One form that exists on paper, with the template it was printed from."""

    request: FormRequest
    page: PageLayout
    fact: int  # of the printing: forms of one printing belong together
    template: FormTemplate


FORMS: UpToNow[dict[str, PrintedForm]] = UpToNow()


def printed_forms(event: Event) -> dict[str, PrintedForm]:
    """Every form ever printed for this event, by its id; each is cut out by the template it was printed with."""
    return dict(FORMS.of(event.facts, lambda: _forms_anew(event)))


def _forms_anew(event: Event) -> dict[str, PrintedForm]:
    """Read the printed forms from the facts, without the cache."""
    by_id = {}
    templates: dict[str, FormTemplate] = {}  # the same few are printed from all the time
    for fact in event.facts.select(events.FormsPrinted):
        template = templates.get(fact.said.template) or read_form(fact.said.template, "printed form")
        templates[fact.said.template] = template
        for form in fact.said.forms:
            request = replace(form, event=event.details.code, token=form.token or fact.said.token)
            by_id[str(request.id)] = PrintedForm(request, place_form(request, template), fact.number, template)
    return by_id


class FormReason(SentenceCode):
    """Why a form waits for a person; the comments name the values that the sentence mentions."""

    HANDWRITTEN = "HANDWRITTEN"  # of offered
    WHICH_TICK = "WHICH_TICK"  # of seen, offered
    NOT_READ = "NOT_READ"  # of seen, offered
    MAYBE_SIGNED = "MAYBE_SIGNED"  # of seen
    WRONG_SUM = "WRONG_SUM"  # of year, sum, centres
    NOT_PLAYED_YET = "NOT_PLAYED_YET"  # of year
    LEAP = "LEAP"  # of power, here, year, before, then, most
    COUNT_DIFFERS = "COUNT_DIFFERS"  # of power, here, centres, year
    SET_OTHERWISE = "SET_OTHERWISE"  # of power, here, year, centres
    NO_ENDING = "NO_ENDING"
    NO_STALEMATE = "NO_STALEMATE"  # of rule
    POWER_UNSIGNED = "POWER_UNSIGNED"  # of power
    NOT_ON_ROSTER = "NOT_ON_ROSTER"  # of name
    NO_NUMBER = "NO_NUMBER"
    NOBODYS_NUMBER = "NOBODYS_NUMBER"  # of number
    OTHER_NAME = "OTHER_NAME"  # of number, player, beside
    NO_NAME_BESIDE = "NO_NAME_BESIDE"  # of number, player
    NO_GAME = "NO_GAME"
    NO_PLACE = "NO_PLACE"
    TWICE_ON_SHEET = "TWICE_ON_SHEET"  # of player
    NO_POINTS = "NO_POINTS"  # of players, known
    WRONG_PLACES = "WRONG_PLACES"  # of places
    NO_TEAM_NAME = "NO_TEAM_NAME"
    EMPTY_TEAM = "EMPTY_TEAM"
    UNSIGNED = "UNSIGNED"
    TWICE_ON_FORM = "TWICE_ON_FORM"  # of player
    IN_OTHER_TEAM = "IN_OTHER_TEAM"  # of player, team
    SECOND_BALLOT = "SECOND_BALLOT"  # of others
    FORMER_PLAYER = "FORMER_PLAYER"  # of power, named, now
    NO_TICK = "NO_TICK"


# The director's decisions on forms: a field's value, accepting a form, or setting it aside.

SIGNED = "signed"
NOTHING = "nothing"  # as a value: the field is empty


class FormRulings(Struct, frozen=True):
    """All decisions about one form; the newest counts."""

    values: dict[str, Fact[events.FieldRuled]] = field(default_factory=dict)  # by field
    accepted: Fact[events.FormAccepted] | None = None
    aside: Fact[events.FormSetAside] | None = None

    @property
    def is_changed(self) -> bool:
        """Whether a field was ruled on after the form was accepted: what was entered from it may be another value."""
        accepted = self.accepted
        return accepted is not None and any(fact.number > accepted.number for fact in self.values.values())


def _rulings_of_forms(event: Event) -> dict[str, FormRulings]:
    """Gather all decisions by form."""
    by_form: dict[str, FormRulings] = {}
    for fact in standing(event.facts, events.OnForm):
        before = by_form.get(fact.said.form, FormRulings())
        if ruled := fact.of(events.FieldRuled):
            by_form[fact.said.form] = FormRulings(before.values | {ruled.said.field: ruled}, before.accepted, None)
        elif accepted := fact.of(events.FormAccepted):
            by_form[fact.said.form] = FormRulings(before.values, accepted, None)
        else:
            by_form[fact.said.form] = FormRulings(before.values, None, fact.of(events.FormSetAside))
    return by_form


def find_form(event: Event, form: str) -> PrintedForm:
    """Find a form by its whole id: another folder of this event may have printed a form with the same serial."""
    known = printed_forms(event)
    if form in known:
        return known[form]
    raise stop(f"no such form was printed{did_you_mean(form, tuple(known))}", form)


def rule_field(
    event: Event, printed: PrintedForm, name: str, value: str, *, by: str, why: str = ""
) -> Fact[events.FieldRuled]:
    """Write down a field's value, or stop with the values that are possible."""
    form = str(printed.request.id)
    answers = {answer.name: answer for answer in printed.page.answers}
    if name not in answers:
        raise stop(f"no such field{did_you_mean(name, tuple(answers))}", f"{form} {name}")
    written = "" if value == NOTHING else value.strip(BLANKS)
    if unseen := unprintable(written):
        raise stop(f"{value[:60]!r} holds {unseen}", f"{form} {name}")
    if fault := _value_fault(answers[name], written):
        raise stop(f"{fault}, or {NOTHING!r}; found {value!r}", f"{form} {name}")
    if isinstance(answers[name], NumberAnswer) and written:
        written = str(int(written))
    return event.facts.write(events.FieldRuled(form=form, field=name, value=written, why=why), by)


def _value_fault(answer: Answer, value: str) -> str:
    """Say which values are possible if this one is not; empty if it is."""
    match answer:
        case _ if not value:
            return ""
        case NumberAnswer():
            good = is_whole(value) and answer.least <= int(value) <= answer.most
            return "" if good else f"expected {answer.least} to {answer.most}"
        case ChoiceAnswer():
            return "" if value in answer.choices else f"expected one of {', '.join(answer.choices)}"
        case SignatureAnswer():
            return "" if value == SIGNED else f"expected {SIGNED!r}"
        case _:
            return ""


class FormDoubt(Struct, frozen=True):
    """One thing about a form that only a person can say."""

    field: str  # nothing: the form as a whole
    reason: Message  # why: a `FormReason`
    picture: str  # relative to the event's folder
    may_stand: bool = False  # whether the director may take the form in spite of it

    @property
    def text(self) -> str:
        return sentence(self.reason)


class AnsweredField(Struct, frozen=True):
    """One field of a form, as it was read and as it was ruled."""

    answer: Answer
    line: InkLine
    ruling: Fact[events.FieldRuled] | None
    picture: str

    @property
    def value(self) -> str | None:
        """The field's value: empty if nothing is written, None if a person must say."""
        if self.ruling is not None:
            return self.ruling.said.value
        if self.line.tier is Tier.BLANK:
            return ""
        match self.answer:
            case SignatureAnswer():
                return SIGNED if self.line.tier is Tier.ACCEPTED else None
            case TextAnswer(copies=copies):
                return copies if copies and self.line.tier is Tier.ACCEPTED else None
            case _:
                return self.line.text if self.line.tier in (Tier.ACCEPTED, Tier.MARKED) else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is there, beyond doubt."""
        return self.value == ""

    @property
    def doubt(self) -> FormDoubt | None:
        """Why a person must decide on this field."""
        if self.value is not None:
            return None
        offered = tuple(reading.text for reading in self.line.readings[:3])
        match self.answer:
            case TextAnswer():
                reason = Message.of(FormReason.HANDWRITTEN, offered=offered)
            case ChoiceAnswer():
                reason = Message.of(FormReason.WHICH_TICK, seen=self.line.notes, offered=offered)
            case NumberAnswer():
                reason = Message.of(FormReason.NOT_READ, seen=self.line.notes, offered=offered)
            case _:
                reason = Message.of(FormReason.MAYBE_SIGNED, seen=self.line.notes)
        return FormDoubt(self.answer.name, reason, self.picture)


class FormIn(Struct, frozen=True, dict=True, weakref=True):
    """One form that came in, once or several times."""

    printed: PrintedForm
    scans: tuple[Transcription, ...]  # oldest first
    answers: tuple[AnsweredField, ...]
    rulings: FormRulings

    @property
    def id(self) -> str:
        return str(self.printed.request.id)

    @property
    def kind(self) -> FormKind:
        return self.printed.request.kind

    @property
    def is_counted(self) -> bool:
        """Whether it has not been set aside."""
        return self.rulings.aside is None

    @property
    def picture(self) -> str:
        return page_path(self.scans[-1].scan_sha256, self.scans[-1].page)

    @cached_property
    def by_name(self) -> dict[str, AnsweredField]:
        return {answered.answer.name: answered for answered in self.answers}

    def make_doubt(self, reason: FormReason | Message, name: str = "", *, may_stand: bool = False) -> FormDoubt:
        picture = self.by_name[name].picture if name in self.by_name else self.picture
        return FormDoubt(name, reason if isinstance(reason, Message) else Message.of(reason), picture, may_stand)

    def unread(self) -> Iterator[FormDoubt]:
        """Fields that are still unread: numbers, ticks and signatures, but not words."""
        for answered in self.answers:
            if not isinstance(answered.answer, TextAnswer) and answered.doubt is not None:
                yield answered.doubt


def forms_in(event: Event) -> dict[str, FormIn]:
    """Every form that was filed, by its id; those set aside among them."""
    printed, rulings = printed_forms(event), _rulings_of_forms(event)
    named = {fact.said.place: fact.said.sheet for fact in standing(event.facts, events.PageIdentified)}
    scans: dict[str, list[Transcription]] = {}
    for fact in standing(event.facts, events.PageRead):
        if (scan := fact.said.form) is None:
            continue
        page = (scan.scan_sha256, scan.page)
        if scan.sheet_id == named[page] if page in named else fact.said.tray is Tray.FILED:
            scans.setdefault(scan.sheet_id, []).append(scan)
    return {
        form: _combine_form(printed[form], tuple(pages), rulings.get(form, FormRulings()))
        for form, pages in scans.items()
    }


def board_of_form_page(event: Event, sha256: str, page: int) -> str | None:
    """The board of the form on a scanned page; None without one. ``sha256`` may be the beginning of the hash."""
    for fact in standing(event.facts, events.PageRead):
        if fact.said.page == page and fact.said.sha256.startswith(sha256) and fact.said.form is not None:
            return printed_forms(event)[fact.said.form.sheet_id].request.board or None
    return None


def _combine_form(printed: PrintedForm, scans: tuple[Transcription, ...], rulings: FormRulings) -> FormIn:
    """Put together what was read of a form and what was decided about it."""
    newest = scans[-1]
    lines = {line.number: line for line in merge_scans(scans)}
    inked = {line.number for line in newest.lines if line.tier is not Tier.BLANK}  # these have a picture of their own
    whole = page_path(newest.scan_sha256, newest.page)
    answers = tuple(
        AnsweredField(
            answer,
            lines[answer.number],
            rulings.values.get(answer.name),
            crop_path(newest.scan_sha256, newest.page, answer.number) if answer.number in inked else whole,
        )
        for answer in printed.page.answers
    )
    return FormIn(printed, scans, answers, rulings)
