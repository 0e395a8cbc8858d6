"""What the review shows beside rows: sheets that are not signed or missing, builds, and that nothing waits any more."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from desk.cup import OPENINGS, clock, hand_in, inked, printed, seated, spring
from msgspec.structs import replace

from pipeline.board import Phase, Position, Power, standard_map, starting_position
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.dutchmen import set_position
from pipeline.ink import Box, Tier
from pipeline.scoring.results import Ending
from web.driven import GUARD_MS, IN_CHROMIUM, desk, facts, served

pytestmark = list(IN_CHROMIUM)


def test_what_a_missing_signature_may_mean_stands_first_and_the_rest_is_folded(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], sha256="c" * 64, signed=False)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("body[data-kind=sheet]")
        assert page.locator("#choices .choice:visible kbd").all_inner_texts() == ["A", "W", "R", "K"]
        page.get_by_role("heading", name="France, Cem: the sheet is not signed").wait_for()
        assert page.locator("#beside .sheet img").count() == 1
        assert page.locator("#beside .cover").count() == 0, "the heading says who wrote it"
        page.wait_for_timeout(GUARD_MS + 200)
        page.keyboard.press("l")
        assert facts(folder, "sheet ruling") == []
        page.locator("#choices summary", has_text="Late").click()
        assert page.locator("#choices .choice:visible").count() == 10
        page.locator("#choices summary", has_text="Late").click()
        page.keyboard.press("w")
        page.get_by_text("Every sheet without a signature is accepted").wait_for()


def test_a_missing_sheet_names_whom_to_look_for_with_no_gap_after_a_narrow_picture(
    chromium: Any, tmp_path: Path
) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        for number, power in enumerate(OPENINGS):
            if power not in (Power.ITALY, Power.TURKEY):
                lines = [inked(row, line) for row, line in enumerate(OPENINGS[power], start=1)]
                hand_in(event, spring(power), lines, sha256=f"{number:064d}")
        doubtful = [inked(1, "A Ven - Tr?", Tier.ASKED), inked(2, "A Rom H")]  # nothing for F NAP
        hand_in(event, spring(Power.ITALY), doubtful, sha256="f" * 64)
        crops = event.out / "crops"
        crops.mkdir(parents=True, exist_ok=True)
        (crops / "ffffffffffffffff-p1-r1.png").write_bytes(
            bytes(cv2.imencode(".png", np.full((177, 300), 250, np.uint8))[1])
        )
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("body[data-kind=row] main.narrow")
        page.wait_for_timeout(GUARD_MS + 200)
        page.keyboard.press("0")
        page.get_by_role("heading", name="Nothing is written for this unit").wait_for()
        assert page.locator("#choices .choice kbd").all_inner_texts() == ["Enter"], "0 would say the same"
        assert "0" not in page.locator("footer kbd").all_inner_texts()
        top, below = page.locator("#choices").bounding_box()["y"], page.locator("#title").bounding_box()
        assert top - below["y"] - below["height"] < 40
        for _ in range(12):  # what the rule says, then spot checks
            page.wait_for_timeout(GUARD_MS + 200)
            if page.evaluate("document.body.dataset.kind") == "sheet":
                break
            page.keyboard.press("Enter")
        page.get_by_role("heading", name="Turkey, Gil: no sheet is in").wait_for()


def test_the_second_build_is_chosen_by_keys_from_1_and_another_boards_builds_are_named(
    chromium: Any, tmp_path: Path
) -> None:
    folder = seated(tmp_path / "cup")
    start = starting_position(standard_map())
    units = {**start.units, Power.AUSTRIA: start.units[Power.AUSTRIA][:1]}
    with open_event(folder, clock) as event:
        winter = Position(phase=Phase.read("W1901A"), units=units, centres=start.centres)
        set_position(event, find_game(event, "1.1"), winter, "Tess", "taken over")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("body[data-kind=entry]")
        page.evaluate("""showPublished({board: "1.2", phase: "Fall 1901", correct: "/correct", card: null, maps: [],
                                          next: ["FRANCE builds 3"]})""")
        page.get_by_text("Next on board 1.2: France builds 3").wait_for()
        page.wait_for_timeout(GUARD_MS + 200)
        keys = page.locator("#wide .options kbd")
        first = keys.all_inner_texts()
        assert first[:2] == ["1", "2"]
        assert page.locator("#keys [data-key]").all_inner_texts()[0] == "WNo build"
        page.keyboard.press("1")
        page.get_by_role("heading", name="▸ Austria: build 2 of 2").wait_for()
        second = keys.all_inner_texts()
        assert len(second) < len(first)
        assert second == [*first[: len(second) - 1], "W"]


def test_when_all_games_are_over_nothing_is_to_be_printed(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="late")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.get_by_role("heading", name="All games are over.").wait_for()
        assert page.locator("#choices .main").count() == 0
        assert page.get_by_text("New sheets appear here").count() == 0


def test_a_tall_row_is_as_wide_as_the_page_with_all_answers_below_it(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        doubtful = replace(inked(1, "A Ven - Tr?", Tier.ASKED), box=Box(22, 54, 160, 33))
        hand_in(event, spring(Power.ITALY), [doubtful], sha256="f" * 64)
        crops = event.out / "crops"
        crops.mkdir(parents=True, exist_ok=True)
        two_lines = np.full((280, 1440), 250, np.uint8)
        two_lines[:, ::20] = 0  # there is ink from edge to edge
        (crops / "ffffffffffffffff-p1-r1.png").write_bytes(bytes(cv2.imencode(".png", two_lines)[1]))
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.set_viewport_size({"width": 1280, "height": 657})
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("body[data-kind=row]:not(.busy)")
        assert page.locator("#picture").bounding_box()["width"] >= page.locator("#title").bounding_box()["width"] - 2
        foot = page.locator("footer").bounding_box()["y"]
        answers = [each.bounding_box() for each in page.locator("#choices .choice:visible").all()]
        assert answers and all(each["y"] + each["height"] <= foot for each in answers)
