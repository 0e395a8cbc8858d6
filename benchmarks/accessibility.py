"""Whether axe-core finds a serious fault on any page: desk, review, public pages, log-in and refusals.

    npm pack axe-core && tar xzf axe-core-*.tgz          # at development time; nothing of it is in the product
    python benchmarks/accessibility.py --axe package [--all] [--pages journal,review]

Every page is looked at light and dark, 1280, 1920 and 390 pixels wide. Told is what axe-core calls serious or
critical, with ``--all`` the rest too. Exit code 1 where there is a serious fault.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.browsed import PAGES, BrowsedPage, chromium, log_in, make_event, served, visit

SERIOUS = ("serious", "critical")
SIZES = ((1280, 657), (1920, 1080), (390, 844))
LOOKS = ("light", "dark")
NAMES = ("axe.min.js", "package/axe.min.js", "node_modules/axe-core/axe.min.js", "axe-core/axe.min.js")
RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations.map(each => ({
    id: each.id, impact: each.impact, help: each.help,
    nodes: each.nodes.map(
        node => `${node.target.join(' ')}: ${[...node.any, ...node.all, ...node.none][0]?.message}`)}))"""


class PageFault(Struct, frozen=True):
    """One rule that a page breaks."""

    page: str
    look: str
    width: int
    rule: str
    impact: str
    help: str
    nodes: tuple[str, ...]


def axe_in(folder: Path) -> str:
    """The script of axe-core in a folder, or a plain word that it is not there."""
    found = next((folder / name for name in NAMES if (folder / name).is_file()), None)
    if found is None:
        sys.exit(
            f"no axe.min.js in {folder}; get it with 'npm pack axe-core', unpack it, and name its folder with --axe"
        )
    return found.read_text("utf-8")


def faults_of(page: Any, axe: str) -> Iterator[dict[str, Any]]:
    """What axe-core finds on a page that is open."""
    page.evaluate(axe)
    yield from page.evaluate(RUN)


def walk(axe: str, folder: Path, pages: Sequence[BrowsedPage]) -> Iterator[PageFault]:
    """Some pages in every look and width."""
    with served(folder) as link, chromium() as browser:
        state, base = log_in(browser, link)
        for (width, height), look in product(SIZES, LOOKS):
            options = {"viewport": {"width": width, "height": height}, "color_scheme": look}
            contexts = {
                True: browser.new_context(**options, storage_state=state),
                False: browser.new_context(**options),
            }
            for wanted in pages:
                page = visit(contexts, base, wanted)
                for found in faults_of(page, axe):
                    nodes, rule = tuple(found.pop("nodes")), found.pop("id")
                    yield PageFault(page=wanted.name, look=look, width=width, rule=rule, nodes=nodes, **found)
                page.close()


def main() -> int:
    """Walk, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axe", type=Path, required=True, help="the folder with axe.min.js")
    parser.add_argument("--all", action="store_true", help="what is not serious as well")
    parser.add_argument("--pages", default="", help="names of pages, with commas between them")
    asked = parser.parse_args()
    pages = [page for page in PAGES if not asked.pages or page.name in asked.pages.split(",")]
    axe = axe_in(asked.axe)
    with tempfile.TemporaryDirectory() as folder:
        found = list(walk(axe, make_event(Path(folder) / "owls"), pages))
    serious = [fault for fault in found if fault.impact in SERIOUS]
    for fault in found if asked.all else serious:
        print(f"{fault.page} {fault.look} {fault.width}: {fault.impact} {fault.rule}: {fault.help}")
        for node in fault.nodes[:6]:
            print(f"    {node}")
    looked = len(pages) * len(SIZES) * len(LOOKS)
    print(f"{looked} pages looked at, {len(serious)} serious faults, {len(found) - len(serious)} others")
    return 1 if serious else 0


if __name__ == "__main__":
    sys.exit(main())
