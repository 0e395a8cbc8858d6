"""What a change of the event's settings rests on, and what undoing it leaves in the file, beside plain words for it."""

import random
import threading
from collections.abc import Iterator, Mapping

import pytest

from pipeline.desk.event.event import Event
from pipeline.desk.event.event_file import as_toml, settings_of
from pipeline.desk.event.settings import FilesWatch, change_setting, note_changes, rewrite
from pipeline.journal.acts import undo_all, undo_fact
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.dependencies import rests
from pipeline.journal.undo_codes import Dependency
from pipeline.ledger.events import SettingsChanged
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SettingChange
from pipeline.problems import Stopped


def told(fact: Fact[SettingsChanged], event: Event) -> set[tuple[object, object]]:
    """What a change rests on, each with its number or its setting."""
    found = [(one.code, dict(one.data)) for one in rests(fact, Chronicle.of(event))]
    return {(code, said.get("fact", said.get("setting"))) for code, said in found}


def expected(number: int, facts: dict[int, dict[str, SettingChange]], event: Event) -> Iterator[tuple[object, object]]:
    """The same from what was written down and what the file says: a newer change, or what nobody has written down."""
    undone, file = Chronicle.of(event).undone, settings_of(event.folder)
    newer = [n for n in facts if n > number and n not in undone and facts[n].keys() & facts[number].keys()]
    if newer:
        yield Dependency.LATER, newer[-1]
    for setting in facts[number]:
        last = max(n for n in facts if setting in facts[n])
        known = {facts[last][setting].now} | ({facts[last][setting].was} if last in undone else set())
        if file.get(setting) not in known:
            yield Dependency.FILE_SAYS_OTHER, setting


def test_a_change_goes_if_nothing_is_newer_and_what_an_editor_wrote_since_stays(cup: Event) -> None:
    dice, met, gone = random.Random(3), set(), 0
    for _ in range(60):
        name, value = dice.choice(("name", "notice")), dice.choice("abc")
        act = dice.choice(("page", "editor", "both", "look", "undo", "undo", "undo"))
        if act == "page":
            change_setting(cup, name, value, "Tess")
        elif act in ("editor", "both"):
            names = ("name", "notice") if act == "both" else (name,)
            rewrite(cup, {f"event.{each}": as_toml(value) for each in names})
        elif act == "look":
            note_changes(cup)
        facts = {fact.number: fact for fact in cup.facts.select(SettingsChanged)}
        counting = facts.keys() - Chronicle.of(cup).undone.keys()
        if act != "undo" or not counting:
            continue
        number, before = dice.choice(sorted(counting)), settings_of(cup.folder)
        changes = {n: {each.setting: each for each in fact.said.changes} for n, fact in facts.items()}
        resting = set(expected(number, changes, cup))
        assert told(facts[number], cup) == resting
        met |= {code for code, _ in resting}
        if resting:
            with pytest.raises(Stopped):
                undo_fact(cup, number, by="Tess")
            continue
        undo_fact(cup, number, by="Tess")
        gone += 1
        back = {s: each.was for s, each in changes[number].items() if before.get(s) == each.now}
        assert settings_of(cup.folder) == {s: v for s, v in {**before, **back}.items() if v is not None}
    assert (met, gone > 5) == ({Dependency.LATER, Dependency.FILE_SAYS_OTHER}, True)


@pytest.mark.parametrize(
    ("setting", "code"), [("rules/own.toml", Dependency.OF_RULES), ("player 3 club", Dependency.OF_PLAYER)]
)
def test_what_stands_in_another_file_or_list_is_changed_there(cup: Event, setting: str, code: Dependency) -> None:
    change = SettingChange(setting=setting, was=None, now='"x"')
    fact = cup.facts.write(SettingsChanged(changes=(change,), saved=""), "an editor")
    assert told(fact, cup) == {(code, setting)}


def test_who_writes_while_changes_are_undone_takes_the_file_for_no_edit(
    cup: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    FilesWatch(cup)
    before = settings_of(cup.folder)
    made = [change_setting(cup, name, "Owl", "Tess") for name in ("name", "notice")]
    others: list[threading.Thread] = []

    def write() -> None:
        with cup.facts.transaction():
            pass

    def rewritten(event: Event, settings: Mapping[str, str | None]) -> None:
        rewrite(event, settings)
        others.append(threading.Thread(target=write))
        others[-1].start()
        others[-1].join(0.05)  # it waits for its turn

    monkeypatch.setattr("pipeline.journal.dependencies.rewrite", rewritten)
    undo_all(cup, [fact.number for fact in made if fact], by="Tess")
    for each in others:
        each.join()
    assert others
    assert settings_of(cup.folder) == before
    assert len(list(cup.facts.select(SettingsChanged))) == len(made)
