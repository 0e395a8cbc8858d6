"""For mkdocs: what the site has and docs/ does not: the scoring systems, cases of the judge."""

from pathlib import Path
from typing import Any

from generate import case_pages
from mkdocs.structure.files import File, Files

SYSTEMS = Path(__file__).parents[1] / "templates/scoring"


def on_files(files: Files, config: Any) -> Files:
    """Add the scoring systems and the cases to the files of the site."""
    for file in sorted(SYSTEMS.iterdir()):
        files.append(File.generated(config, f"pictures/scoring/{file.name}", abs_src_path=str(file)))
    for name, text in case_pages().items():
        files.append(File.generated(config, f"cases/{name}", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let the gallery's links lead to the files in the site."""
    return markdown.replace("(../../templates/scoring/", "(../pictures/scoring/")
