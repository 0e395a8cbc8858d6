"""The button beside each kind of doubt leads to where this very doubt is settled."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from scoring.results.test_doubts import CAUSES

from pipeline.scoring.doubts import SeveralFinals
from pipeline.scoring.stakes import Stake, WeighedDoubt, weigh_doubts
from pipeline.web.tables import _doubt_view


@pytest.mark.parametrize("code", CAUSES)
def test_an_address_says_of_a_doubt_what_it_is_about(code: str) -> None:
    weighed = next(each for each in weigh_doubts(CAUSES[code]()) if each.doubt.code == code)
    doubt, view = weighed.doubt, _doubt_view(weighed)
    page, said = urlsplit(view["settle"]).path, dict(parse_qsl(urlsplit(view["settle"]).query))
    spot = getattr(doubt, "spot", None) or next(iter(getattr(doubt, "spots", ())[-1:]), None)
    number = spot[0] if spot else getattr(doubt, "round", None)
    spot = spot or (number, getattr(doubt, "board", None))
    known = {"board": f"{spot[0]}.{spot[1]}", "round": str(number), "power": str(getattr(doubt, "power", ""))}
    known["player"] = getattr(doubt, "player", "")
    for key, about in known.items():
        assert said.get(key, about) == about
    assert ("what" in said) == (page == "/notes")
    assert view["button"]


def test_of_several_final_tables_the_draw_of_the_last_is_looked_at() -> None:
    doubt = SeveralFinals(spots=((2, "A"), (3, "B")))
    view = _doubt_view(WeighedDoubt(doubt=doubt, stake=Stake.NOTHING, titles=()))
    assert (view["settle"], view["button"]) == ("/desk?round=3", "look at the draw of round 3")
