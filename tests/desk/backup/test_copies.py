"""Thirty copies of an event that goes on, beside those of another event: which stay, and what each of them holds."""

from itertools import islice
from pathlib import Path

from facts_as_kept import read_facts

from desk.backup.copied import another, kinds_in
from desk.cup import clock, seated
from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import copies_in, make_copy, newest_whole, place_beside
from pipeline.ledger.events import StandingsOpened


def test_the_newest_ten_and_every_tenth_stay_whole_and_numbers_go_on(tmp_path: Path) -> None:
    place = place_beside(tmp_path / "cup")
    with open_event(another(tmp_path / "other"), clock) as event:
        others = [make_copy(event.facts.snapshot(), place, event.label(), clock()).copy]
    tips = {}
    with open_event(seated(tmp_path / "cup"), clock) as event:
        for number in range(1, 31):
            event.facts.write(StandingsOpened(open=bool(number % 2)), "Tess")
            made = make_copy(event.facts.snapshot(), place, event.label(), clock())
            again = make_copy(event.facts.snapshot(), place, event.label(), clock())
            assert (made.copy.number, made.notes, again) == (number, (), made), "nothing is new: no copy is made"
            tips[number] = made.copy.tip
            assert made.copy.tip == event.facts.snapshot().tip()
            kept = [copy for copy in copies_in(place) if copy not in others]
            expected = [each for each in range(1, number + 1) if each > number - 10 or each % 10 == 0]
            assert sorted(copy.number for copy in kept) == expected
            assert newest_whole(kept) == (made.copy, ())
        facts = [fact.kind for fact in read_facts(event.facts)]
    for copy in kept:
        assert copy.tip == tips[copy.number]
        assert kinds_in(copy) == [*islice(facts, copy.tip.facts)]
    assert [copy for copy in copies_in(place) if copy in others] == others
