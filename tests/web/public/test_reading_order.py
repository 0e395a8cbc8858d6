"""The gate and the public screen read the orders in the order of the tournament's rules."""

from pathlib import Path

from desk.publish.test_reading_order import FIRST, folder_of

from pipeline.web.server import open_office
from web.conftest import SEATS, Browser


def test_the_gate_and_the_screen_have_the_same_order(tmp_path: Path) -> None:
    with open_office(folder_of(tmp_path, "edc2023"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        tess.look()
        while tess.item["kind"] != "ready":
            tess.press("right" if tess.item["kind"] == "check" else "later")
        assert [power["power"] for power in tess.item["powers"]] == FIRST
        tess.press("publish")
        (board,) = Browser(office, "beamer").client.get("/api/clock").json()["boards"]
        assert [power for power, _ in board["orders"]] == FIRST
