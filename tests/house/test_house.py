"""What holds for the whole house: data travels with the package, commands load what they need, links lead somewhere."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    "page", sorted(HOUSE.glob("*.md")) + sorted((HOUSE / "docs").glob("*.md")), ids=lambda p: p.name
)
def test_every_link_of_the_documentation_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []
