"""Words of which letters could not be read."""

import pytest

from pipeline.interpret.interpret import _lexicon_of
from pipeline.rules.load import load_tournament, tournament_ids


@pytest.mark.parametrize("name", tournament_ids())
def test_every_word_of_a_table_is_found_with_a_mark_behind_it_and_with_any_letter_unreadable(name: str) -> None:
    lexicon = _lexicon_of(load_tournament(name))
    for word in list(lexicon.spellings)[::5]:
        codes = set(lexicon.listed[word])
        for seen in (word, f"{word}?", f"{word}??", f"?{word[1:]}", f"{word[:-1]}?"):
            assert codes <= {meaning.code for meaning in lexicon.fitting(seen)} or not seen.strip("?"), seen
        assert codes.isdisjoint(meaning.code for meaning in lexicon.fitting(f"{word[:-1]}0")), (
            "a letter that was read counts"
        )
