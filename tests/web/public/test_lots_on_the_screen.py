"""A lot is drawn before everybody: the public screen has its hash before the word is called, and its order after."""

from pathlib import Path

from desk.cup import clock, seated

from pipeline.desk.event.event import open_event
from pipeline.desk.event.lots import OpenLots
from pipeline.ledger.claims import Claims
from pipeline.ledger.parts import About
from pipeline.problems import Stopped
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser

NAMES = ("Ada", "Bo", "Cem")


def draw(folder: Path, word: str | None) -> None:
    """Seal a lot for the second round, or draw it."""
    claims = Claims(folder / "claims.db")
    with open_event(folder, clock) as event:
        urn = OpenLots(event=event, claims=claims, round=2, by="Tess", word=word, seed=lambda: "5eed")
        try:
            urn.draw(About.FIELD, NAMES, 1)
        except Stopped:
            assert word is None
    claims.close()


def test_the_screen_shows_the_hash_first_and_the_seed_after(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_office(folder, SEATS, is_lan=True) as office:
        beamer = Browser(office, "beamer").client
        assert beamer.get("/api/clock").json()["lots"] == []
        draw(folder, None)
        (sealed,) = beamer.get("/api/clock").json()["lots"]
        assert sealed["names"] == list(NAMES)
        assert (sealed["seed"], sealed["order"]) == (None, [])
        draw(folder, "plum")
        (drawn,) = beamer.get("/api/clock").json()["lots"]
        assert (drawn["seed"], drawn["word"], drawn["hash"]) == ("5eed", "plum", sealed["hash"])
        assert sorted(drawn["order"]) == list(NAMES)
