"""For mkdocs: the pictures of the scoring systems stand outside of docs/, and belong to the site."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

PICTURES = Path(__file__).parents[1] / "templates/scoring"


def on_files(files: Files, config: Any) -> Files:
    """Add the pictures to the files of the site."""
    for picture in sorted(PICTURES.glob("*.svg")):
        files.append(File.generated(config, f"pictures/scoring/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let the gallery's links lead to the pictures in the site."""
    return markdown.replace("(../templates/scoring/", "(pictures/scoring/")
