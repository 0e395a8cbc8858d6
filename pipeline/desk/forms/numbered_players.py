"""Who wrote himself on a form: the number in the boxes names the player, and the name beside it must bear it out."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_reasons import FormReason
from pipeline.desk.forms.forms_in import FormDoubt, FormIn
from pipeline.desk.forms.printed_forms import ROSTER, PrintedForm
from pipeline.desk.sheets.same_paper import fold
from pipeline.paper.form.form_layout import named
from pipeline.reading.rows.recogniser import Vocabulary, VocabularyLine
from pipeline.words.told import Told


def names_on(printed: PrintedForm) -> Vocabulary:
    """What may be written in the field of a name: words to the reader."""
    names = [item.label for item in printed.request.lists.get(ROSTER, ())]
    return Vocabulary(tuple(VocabularyLine(tuple((word,) for word in name.split())) for name in names))


def players_on(form: FormIn) -> dict[str, str]:
    """The numbers that the form was printed with, each with its player by the name of that day."""
    return {item.name: item.label for item in form.printed.request.lists[ROSTER]}


def rows_used(form: FormIn, rows: str, *fields: str) -> Iterator[str]:
    """The rows in which anything is written."""
    for item in form.printed.request.lists[rows]:
        if any(not form.by_name[named(item.name, field)].is_empty for field in fields):
            yield item.name


def player_in(event: Event, form: FormIn, row: str) -> str | None:
    """The player of a row, by the name of today; None where a person must say.

    A name or a number that the director gave stands for itself. A number that was read says who it is only where the
    name beside it reads like that player's.
    """
    name, number = form.by_name[named(row, "name")], form.by_name[named(row, "number")]
    if name.ruling is not None and name.value:
        return event.people.name_of(name.value)
    player = players_on(form).get(number.value or "")
    if player is None or (number.ruling is None and name_beside(form, row) != player):
        return None
    return event.people.name_of(player)


def name_beside(form: FormIn, row: str) -> str:
    """The player whose name the writing beside a number reads like; nothing where it reads like nobody's."""
    names = {fold(label): label for label in players_on(form).values()}
    readings = form.by_name[named(row, "name")].line.readings
    return next((names[fold(reading.text)] for reading in readings if fold(reading.text) in names), "")


def doubts_about(event: Event, form: FormIn, row: str) -> Iterator[FormDoubt]:
    """Why it is not known who wrote himself into a row."""
    name, number = named(row, "name"), named(row, "number")
    typed, field = form.by_name[name], form.by_name[number]
    if typed.ruling is not None and typed.value:
        if event.people.find(typed.value) is None:
            yield form.about(Told.of(FormReason.NOT_ON_ROSTER, name=typed.value), name)
        return
    if field.value is None:
        return  # it is among the fields that were not read
    player, beside = players_on(form).get(field.value), name_beside(form, row)
    if field.is_empty:
        yield form.about(FormReason.NO_NUMBER, name)
    elif player is None:
        yield form.about(Told.of(FormReason.NOBODYS_NUMBER, number=field.value), number)
    elif field.ruling is None and beside != player:
        numbered = {"number": field.value, "player": player}
        other, none = FormReason.OTHER_NAME, FormReason.NO_NAME_BESIDE
        yield form.about(Told.of(other, beside=beside, **numbered) if beside else Told.of(none, **numbered), name)
