"""Taking changes of an event's file back: the file is written again."""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.event.setting_values import OF_EVENT, settings_in
from pipeline.desk.event.settings import FILE, noted, rewrite
from pipeline.journal.codes import Resting
from pipeline.journal.later import by_newest
from pipeline.journal.past import Chronicle
from pipeline.ledger.events import SettingsChanged
from pipeline.ledger.ledger import Fact
from pipeline.words import Told


def rests_on_settings(fact: Fact[SettingsChanged], past: Chronicle) -> Iterator[Told]:
    """A newer change of the same, what somebody is writing in the file now, and lines of the roster."""
    now = settings_in((past.event.folder / FILE).read_text("utf-8"))
    mine = {change.setting for change in fact.said.changes}
    newer = past.counting(SettingsChanged, after=fact.number)
    yield from by_newest(Resting.LATER, (each for each in newer if mine & {c.setting for c in each.said.changes}), past)
    for setting in sorted(mine):
        if not setting.startswith(OF_EVENT):
            yield Told.of(Resting.OF_PLAYER, setting=setting)
        elif now.get(setting) not in said_last(setting, past):
            yield Told.of(Resting.FILE_SAYS_OTHER, setting=setting)


def said_last(setting: str, past: Chronicle) -> set[str | None]:
    """What a setting was last changed to; where that was taken back the file may say it still, or not any more."""
    for fact in reversed(list(past.event.facts.told(SettingsChanged))):
        for change in fact.said.changes:
            if change.setting == setting:
                return {change.now, change.was} if fact.number in past.undone else {change.now}
    return set()


def mend_file(event: Event, said: SettingsChanged) -> None:
    """The file says again what counts without a change that was taken back, but for what somebody wrote there since."""
    now, counts = settings_in((event.folder / FILE).read_text("utf-8")), noted(event.facts).settings
    settings = [change.setting for change in said.changes if now.get(change.setting) == change.now]
    back = {setting: counts.get(setting) for setting in settings if now.get(setting) != counts.get(setting)}
    if back:
        rewrite(event, back)
