"""What stands beside the map has room there in every language."""

import pytest

from pipeline.board import Power, Step
from pipeline.picture.draw import BODY, SIGN, SIGNS, SMALL, STANDING, WIDTH
from pipeline.picture.orders import width_of
from pipeline.words.speech import Speech, languages


@pytest.mark.parametrize("code", languages())
def test_the_signs_and_the_powers_have_room(code: str) -> None:
    speech = Speech(code)
    room = WIDTH - SIGN - 4
    words = {text for step in Step for _, text in (*SIGNS[step], *STANDING)}
    assert [text for text in words if width_of(speech.says(text), SMALL) > room] == []
    assert [power for power in Power if width_of(speech.power(power), BODY) > room - 150] == []
    headings = [width_of(speech.says(word), SMALL) for word in ("centres", "units")]
    assert headings[1] < 100, "the two headings do not meet"
