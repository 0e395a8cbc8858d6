"""A picture of every page, in every size and look, to be looked at; or a film of one event in the browser.

python benchmarks/screenshots.py FOLDER [--pages screen,live] [--sizes 1366x768,390x844] [--film]

``--film`` writes numbered pictures of the sample event instead, and all of them, small, as ``film.jpg``: from the first
page on it is drawn, and a year is printed, filled in, scanned, settled and published; last season is corrected, a copy
restored, the rules are changed and changed back, and the game is over and scored, without a terminal.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from PIL import Image
from web.driven import section, started

from benchmarks.browsed import PAGES, SETTLED_MS, chromium, log_in, make_event, served, visit

SIZES = "1366x768,1920x1080,390x844"
PAINTED = "[...document.images].every((each) => !each.getAttribute('src') || each.complete)"
MOST_LOOKS = 10  # for pictures that are not there yet
READING_MS = 300_000  # for the sheets of a board
MOST_ROWS_TRIED = 20  # until one is corrected with which anything changes
MOST_DECISIONS = 60  # in one phase of a board
SMALL = (384, 240)  # pixels of a picture of the film among the others
ACROSS = 4


def main() -> None:
    """Make the pictures: ``page-1366-dark.png``; of a telephone the whole page, however long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", default="", help="names of pages, with commas between them")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--film", action="store_true", help="numbered pictures of one event, in the first size")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    wanted = [page for page in PAGES if not asked.pages or page.name in asked.pages.split(",")]
    sizes = [tuple(map(int, size.split("x"))) for size in asked.sizes.split(",")]
    if asked.film:
        film(asked.folder, sizes[0])
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        served(make_event(Path(folder) / "owls")) as link,
        chromium() as browser,
    ):
        state, base = log_in(browser, link)
        for (width, height), look in product(sizes, ("light", "dark")):
            options = {"viewport": {"width": width, "height": height}, "color_scheme": look}
            contexts = {
                True: browser.new_context(**options, storage_state=state),
                False: browser.new_context(**options),
            }
            for each in wanted:
                page = visit(contexts, base, each)
                for _ in range(MOST_LOOKS):  # the pages' own rules forbid Playwright's waiting for a function
                    if page.evaluate(PAINTED):
                        break
                    page.wait_for_timeout(SETTLED_MS)
                page.screenshot(path=asked.folder / f"{each.name}-{width}-{look}.png", full_page=width < height)
                page.close()


def film(out: Path, size: tuple[int, ...]) -> None:
    """Play the sample event by the buttons of its pages, and take a picture of every step."""
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder), "desk", "--no-browser", "--port", "0", "--by", "Tess") as link,
        chromium() as browser,
    ):
        page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
        page.set_default_timeout(60_000)
        page.goto(link)
        for number, step in enumerate(steps(page), start=1):
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=out / f"{number:02}-{step}.png")
            print(f"{number:02} {step}", flush=True)
    write_contact_sheet(out)


def write_contact_sheet(out: Path) -> None:
    """All pictures of a film, small, from left to right and from above."""
    files = sorted(out.glob("[0-9][0-9]-*.png"))
    width, height = SMALL
    sheet = Image.new("RGB", (ACROSS * width, -(-len(files) // ACROSS) * height), "#888")
    for number, file in enumerate(files):
        picture = Image.open(file).convert("RGB").resize((width - 2, height - 2), Image.Resampling.LANCZOS)
        sheet.paste(picture, (number % ACROSS * width + 1, number // ACROSS * height + 1))
    sheet.save(out / "film.jpg", quality=50)


def steps(page: Any) -> Iterator[str]:
    """Do one thing after the other; each is named when its page can be looked at."""
    base = "/".join(page.url.split("/")[:3])
    page.get_by_role("button", name="Try the sample event").wait_for()
    yield "events"
    page.get_by_role("button", name="Try the sample event").click()
    page.wait_for_selector("#steps li")
    yield "a-new-round"
    page.get_by_role("button", name="Draw round 1").click()
    page.get_by_role("button", name="Take this").first.wait_for()
    yield "the-rules-offer"
    page.get_by_role("button", name="Take this").first.click()
    page.get_by_role("button", name="Tell everybody").click()
    page.locator("[data-board='1.1'] h3").wait_for()
    yield "seats-are-public"
    yield from play_phase(page, "spring")
    yield from play_phase(page, "fall")
    yield from correct_last_season(page, base)
    yield from restore_and_change_rules(page, base)
    yield from end_and_score(page, base)


def correct_last_season(page: Any, base: str) -> Iterator[str]:
    """Let a unit hold that moved, with what follows from it; the first one whose hold changes anything."""
    for at in range(MOST_ROWS_TRIED):
        page.goto(f"{base}/correct?board=1.1")
        page.get_by_label("Phase", exact=True).select_option("S1901M")
        page.locator("details[data-power] > summary").first.wait_for()
        page.evaluate("for (const each of document.querySelectorAll('details[data-power]')) each.open = true")
        moved = page.locator(".words b", has_text=re.compile(r"^[AF] \S+ - "))
        row = page.locator("li[data-line]").filter(has=moved).nth(at)
        row.get_by_role("button", name="change line").click()
        hold = row.locator("option[value$=' H']").first.get_attribute("value")
        row.get_by_role("combobox").select_option(hold)
        row.get_by_role("button", name="Take this").click()
        page.get_by_role("button", name="As it was").first.wait_for()
        if page.get_by_role("button", name="Correct it").count():
            break
    yield "what-a-correction-would-change"
    page.get_by_label("Reason, kept in the journal").fill("it was misread")
    page.get_by_role("button", name="Correct it").click()
    page.get_by_role("link", name="take it back").wait_for()
    yield "corrected"
    page.get_by_role("link", name="to the round").click()
    page.wait_for_selector("#steps li")
    yield "the-fall-is-played-anew"
    yield from settle_and_publish(page, "fall-anew")


def restore_and_change_rules(page: Any, base: str) -> Iterator[str]:
    """Copy the event, restore the copy, and go by other rules."""
    page.goto(f"{base}/desk")
    section(page, "settings").locator("#copies > summary").click()
    page.get_by_role("button", name="Copy now").click()
    page.locator("#copies td", has_text="whole").first.wait_for()
    page.locator("#copies").scroll_into_view_if_needed()
    yield "copies"
    page.get_by_role("link", name="restore one").click()
    page.get_by_role("button", name="Restore this").first.click()
    page.get_by_role("button", name="Replace it by this copy").wait_for()
    yield "restoring-is-asked-once"
    page.get_by_role("button", name="Replace it by this copy").click()
    page.get_by_text("what was in the folder is kept here").wait_for()
    yield "restored"
    page.get_by_role("link", name="to the event").click()
    page.wait_for_selector("#steps li")
    section(page, "settings").get_by_role("button", name="Other rules").click()
    page.get_by_label("tournament").select_option("edc2023")
    page.get_by_role("button", name="See what changes").click()
    page.get_by_role("button", name="Go by these rules").scroll_into_view_if_needed()
    yield "other-rules"
    page.get_by_role("button", name="Go by these rules").click()
    page.get_by_text("From now on this event goes by the rules of European Diplomacy Championship 2023").wait_for()
    yield "changed-rules"
    page.goto(f"{base}/journal")
    page.get_by_label("take back…").first.click()
    page.get_by_role("button", name="Take it back").wait_for()
    yield "what-taking-it-back-would-change"
    page.get_by_role("button", name="Take it back").click()
    page.locator("#lines .back").first.wait_for()
    yield "the-old-rules-again"


def end_and_score(page: Any, base: str) -> Iterator[str]:
    """Call time on the board, and look at the standings."""
    page.goto(f"{base}/tables?board=1.1")
    game = page.locator("#games section", has=page.get_by_role("heading", name="Board 1.1"))
    game.get_by_label("how it ended").select_option("time")
    game.get_by_role("button", name="End it…").click()
    page.get_by_label("why", exact=True).fill("the hall closes")
    yield "may-it-end"
    page.locator("#asked button.main").click()
    game.get_by_text("over: time").wait_for()
    page.locator("#standings").scroll_into_view_if_needed()
    yield "standings"


def play_phase(page: Any, phase: str) -> Iterator[str]:
    """Print, fill in, scan, settle and publish what the first board plays next."""
    card = page.locator("[data-board='1.1']")
    with page.expect_popup() as opened:
        card.get_by_role("button", name="Print").click()
    opened.value.close()
    card.get_by_role("button", name="Fill in the sheets").wait_for()
    yield f"{phase}-is-printed"
    card.get_by_role("button", name="Fill in the sheets").click()
    card.get_by_role("button", name="Scan what they wrote").wait_for(timeout=READING_MS)
    yield f"{phase}-is-filled-in"
    card.get_by_role("button", name="Scan what they wrote").click()
    page.locator("progress").first.wait_for()
    yield f"{phase}-is-being-read"
    page.get_by_text("all are read").wait_for(state="attached", timeout=READING_MS)
    settle_link(page).wait_for()
    yield f"{phase}-is-in"
    yield from settle_and_publish(page, phase)


def settle_link(page: Any) -> Any:
    """What leads to the first doubt of the first board, or to its orders."""
    card = page.locator("[data-board='1.1']")
    return card.get_by_role("link", name="Settle").or_(card.get_by_role("link", name="Publish"))


def settle_and_publish(page: Any, phase: str) -> Iterator[str]:
    """Answer every question on the first board as the rules do, and publish it."""
    settle_link(page).click()
    seen = ""
    for _ in range(MOST_DECISIONS):
        page.wait_for_selector("body[data-kind]:not(.busy)")
        page.wait_for_timeout(SETTLED_MS)
        kind = str(page.get_attribute("body", "data-kind"))
        if kind != seen:
            yield f"{phase}-review-{kind}"
        seen = kind
        if kind not in ("row", "check", "sheet"):
            break
        keys = page.locator("#choices .choice kbd").all_inner_texts()
        page.keyboard.press("Enter" if "Enter" in keys else keys[0])
    page.wait_for_timeout(2 * SETTLED_MS)  # the page takes no decision so soon after it was painted
    page.get_by_role("button", name="as it stands here").click()
    page.get_by_text("is published").first.wait_for()
    yield f"{phase}-is-published"
    page.get_by_role("link", name="Round", exact=True).click()
    page.wait_for_selector("#steps li")
    yield f"after-{phase}"


if __name__ == "__main__":
    main()
