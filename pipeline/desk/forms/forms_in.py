"""What came in on forms: for every form what stands in its fields, and what nobody can say but a person."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.form_rulings import SIGNED, FormRulings, rulings_of_forms
from pipeline.desk.forms.printed_forms import PrintedForm, printed_forms
from pipeline.desk.sheets.crops import crop_path, page_path
from pipeline.desk.sheets.same_paper import together
from pipeline.ink import InkLine, Tier, Transcription
from pipeline.ledger.events import FieldRuled, PageIdentified, PageRead
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.paper.form.form import FormKind
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer, SignatureAnswer, TextAnswer
from pipeline.reading.transcription.outcome import Tray
from pipeline.words import Told, sentence


@dataclass(frozen=True, slots=True)
class FormDoubt:
    """One thing about a form that only a person can say."""

    field: str  # nothing: the form as a whole
    reason: Told  # why: a `FormReason`
    picture: str  # relative to the event's folder
    may_stand: bool = False  # whether the director may take the form in spite of it

    @property
    def text(self) -> str:
        """The reason in a sentence."""
        return sentence(self.reason)


@dataclass(frozen=True, slots=True)
class Answered:
    """One field of a form, as it was read and as it was ruled."""

    answer: Answer
    line: InkLine
    ruling: Fact[FieldRuled] | None
    picture: str

    @property
    def value(self) -> str | None:
        """What stands there: nothing where it is empty, None where a person must say."""
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
        """Why a person must say what stands here."""
        if self.value is not None:
            return None
        offered = tuple(reading.text for reading in self.line.readings[:3])
        match self.answer:
            case TextAnswer():
                reason = Told.of(FormReason.HANDWRITTEN, offered=offered)
            case ChoiceAnswer():
                reason = Told.of(FormReason.WHICH_TICK, seen=self.line.notes, offered=offered)
            case NumberAnswer():
                reason = Told.of(FormReason.NOT_READ, seen=self.line.notes, offered=offered)
            case _:
                reason = Told.of(FormReason.MAYBE_SIGNED, seen=self.line.notes)
        return FormDoubt(self.answer.name, reason, self.picture)


@dataclass(frozen=True)
class FormIn:
    """One form that came in, once or several times."""

    printed: PrintedForm
    scans: tuple[Transcription, ...]  # oldest first
    answers: tuple[Answered, ...]
    rulings: FormRulings

    @property
    def id(self) -> str:
        """The form's id."""
        return str(self.printed.request.id)

    @property
    def kind(self) -> FormKind:
        """Which form it is."""
        return self.printed.request.kind

    @property
    def counts(self) -> bool:
        """Whether it has not been set aside."""
        return self.rulings.aside is None

    @property
    def picture(self) -> str:
        """The picture of the whole form."""
        return page_path(self.scans[-1].scan_sha256, self.scans[-1].page)

    @cached_property
    def by_name(self) -> dict[str, Answered]:
        """The fields by their names."""
        return {answered.answer.name: answered for answered in self.answers}

    def about(self, reason: FormReason | Told, field: str = "", *, may_stand: bool = False) -> FormDoubt:
        """A doubt about a field, or about the form as a whole."""
        picture = self.by_name[field].picture if field in self.by_name else self.picture
        return FormDoubt(field, reason if isinstance(reason, Told) else Told.of(reason), picture, may_stand)

    def unread(self) -> Iterator[FormDoubt]:
        """Fields that nobody has read: numbers, ticks and signatures; words wait only where they are needed."""
        for answered in self.answers:
            if not isinstance(answered.answer, TextAnswer) and answered.doubt is not None:
                yield answered.doubt


def forms_in(event: Event) -> dict[str, FormIn]:
    """Every form that was filed, by its id; those set aside among them."""
    printed, rulings = printed_forms(event), rulings_of_forms(event)
    named = {fact.said.place: fact.said.sheet for fact in standing(event.facts, PageIdentified)}
    scans: dict[str, list[Transcription]] = {}
    for fact in standing(event.facts, PageRead):
        if (found := fact.said.form) is None:
            continue
        page = (found.scan_sha256, found.page)
        if found.sheet_id == named[page] if page in named else fact.said.tray is Tray.FILED:
            scans.setdefault(found.sheet_id, []).append(found)
    return {form: filed(printed[form], tuple(pages), rulings.get(form, FormRulings())) for form, pages in scans.items()}


def board_of_form_page(event: Event, sha256: str, page: int) -> str | None:
    """The board of the form that a scanned page shows, by the beginning of the scan's hash; None for a stray page."""
    for fact in standing(event.facts, PageRead):
        if fact.said.page == page and fact.said.sha256.startswith(sha256) and fact.said.form is not None:
            return printed_forms(event)[fact.said.form.sheet_id].request.board or None
    return None


def filed(printed: PrintedForm, scans: tuple[Transcription, ...], rulings: FormRulings) -> FormIn:
    """Put together what was read of a form and what was decided about it."""
    newest = scans[-1]
    lines = {line.number: line for line in together(scans)}
    inked = {line.number for line in newest.lines if line.tier is not Tier.BLANK}  # these have a picture of their own
    whole = page_path(newest.scan_sha256, newest.page)
    answers = tuple(
        Answered(
            answer,
            lines[answer.number],
            rulings.values.get(answer.name),
            crop_path(newest.scan_sha256, newest.page, answer.number) if answer.number in inked else whole,
        )
        for answer in printed.page.answers
    )
    return FormIn(printed, scans, answers, rulings)
