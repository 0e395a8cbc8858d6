"""A picture of every page, in every size and look, to be looked at.

python benchmarks/screenshots.py FOLDER [--pages screen,live] [--sizes 1366x768,390x844]
"""

import argparse
import sys
import tempfile
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.browsed import PAGES, SETTLED_MS, chromium, log_in, make_event, served, visit

SIZES = "1366x768,1920x1080,390x844"
PAINTED = "[...document.images].every((each) => !each.getAttribute('src') || each.complete)"
MOST_LOOKS = 10  # for pictures that are not there yet


def main() -> None:
    """Make the pictures: ``page-1366-dark.png``; of a telephone the whole page, however long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", default="", help="names of pages, with commas between them")
    parser.add_argument("--sizes", default=SIZES)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    wanted = [page for page in PAGES if not asked.pages or page.name in asked.pages.split(",")]
    sizes = [tuple(map(int, size.split("x"))) for size in asked.sizes.split(",")]
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


if __name__ == "__main__":
    main()
