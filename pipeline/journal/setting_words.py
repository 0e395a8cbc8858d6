"""Changes of an event's file as the journal tells them."""

from collections.abc import Iterable, Iterator

from pipeline.journal.codes import SettingNow
from pipeline.ledger.parts import SettingChange
from pipeline.words import Told


def setting_now(change: SettingChange) -> Told:
    """One setting that is another."""
    if change.now is None:
        return Told.of(SettingNow.GONE, setting=change.setting, was=change.was)
    if change.was is None:
        return Told.of(SettingNow.ADDED, setting=change.setting, now=change.now)
    return Told.of(SettingNow.CHANGED, setting=change.setting, was=change.was, now=change.now)


def turned_back(changes: Iterable[SettingChange]) -> Iterator[SettingChange]:
    """What would make the settings again what they were."""
    for change in changes:
        yield SettingChange(setting=change.setting, was=change.now, now=change.was)
