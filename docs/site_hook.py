"""For mkdocs: the pictures of the scoring systems stand beside their rules, outside of docs/, and belong to the site."""

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]


def on_files(files: Files, config: Any) -> Files:
    """Add the pictures to the files of the site, at the path that they have in the repository."""
    for picture in sorted((ROOT / "templates/scoring").glob("*.svg")):
        path = str(picture.relative_to(ROOT))
        files.append(File(path, str(ROOT), config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links to these pictures begin at the site's root, which is docs/."""
    return markdown.replace("(../templates/scoring/", "(templates/scoring/")
