"""What holds for the whole house: data travels with the package, commands load what they need, links lead somewhere."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.fold import fold
from docs.generate import case_pages

HOUSE = Path(__file__).parents[2]


@pytest.mark.slow
def test_an_installed_wheel_has_its_data_and_runs_from_anywhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    built = subprocess.run([*build, str(HOUSE)], capture_output=True, text=True, check=False)
    if "hatchling" in built.stderr and built.returncode:
        pytest.skip("the build backend is not installed here")
    assert built.returncode == 0, built.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site")
    code = (
        "import pipeline; from pipeline.rules.load import load_tournament, tournament_ids; "
        "from pipeline.rehearsal.rehearse import read_sample; from pipeline.desk.hands.reader import best_recogniser; "
        "[load_tournament(each) for each in tournament_ids()]; read_sample(); best_recogniser(); "
        "from pipeline.words.speech import Speech; assert Speech('de').says('Army') == 'Armee'; "
        "from pipeline.ink import Note; from pipeline.words.speech import sentence; "
        "assert sentence(Note.STRUCK_OUT) == 'struck out'; "
        "print(pipeline.__file__)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "site", capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert str(tmp_path) in told.stdout, "the wheel's own code was run"


def test_the_judge_does_not_wait_for_pictures_or_spreadsheets() -> None:
    heavy = "('cv2', 'openpyxl', 'reportlab')"
    code = f"import sys; import pipeline.cli.judge; print([each for each in {heavy} if each in sys.modules])"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"


def test_every_licence_and_notice_travels_with_the_package() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [HOUSE / "LICENSE", *(HOUSE / "pipeline").rglob("LICENSE*"), *(HOUSE / "pipeline").rglob("NOTICE*")]

    assert sorted(project["license-files"]) == sorted(each.relative_to(HOUSE).as_posix() for each in texts)


PAGES = sorted([*HOUSE.glob("*.md"), *(HOUSE / "docs").rglob("*.md"), *(HOUSE / "benchmarks/results").glob("*.md")])


def headings(page: Path) -> set[str]:
    """The anchors of a page: its headings as GitHub and mkdocs write them."""
    titles = re.findall(r"^#+ (.+?)\s*$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    lost = [f"{page.relative_to(HOUSE)}: {link}" for page in PAGES for link in lost_links(page)]

    assert lost == []


def lost_links(page: Path) -> Iterator[str]:
    """The links of a page that lead to no file, or to no heading of one."""
    for link in re.findall(r"\]\((?!https?://)([^)\s]*)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in headings(target)):
            yield link


def test_every_page_is_folded_at_a_width_that_people_read() -> None:
    kept = {page.name: page.read_text("utf-8") for page in PAGES if page.parent.name != "generated"}

    assert [name for name, text in kept.items() if fold(text) != text] == [], "run python docs/fold.py"


def test_every_page_of_the_site_is_in_its_contents() -> None:
    listed = re.findall(r": ([\w/-]+\.md)$", (HOUSE / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)

    kept = [page.relative_to(HOUSE / "docs").as_posix() for page in (HOUSE / "docs").rglob("*.md")]
    assert sorted(listed) == sorted([*kept, *(f"cases/{name}" for name in case_pages())])
