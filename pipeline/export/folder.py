"""The folder of an export: what was written there before and is not made any more goes, and nothing else is touched."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.export.made import What
from pipeline.ledger.files.disk import make_again, place_inside
from pipeline.problems import stop
from pipeline.rules.toml.plain_text import fault_in_file_name

CONTENTS = "contents.json"  # the files of the last export, by what they are
Made = Mapping[What, Mapping[str, bytes]]


def write_folder(folder: Path, event: str, made: Made) -> None:
    """Write files, sorted by what they are; of another kind than those that are made now, earlier files stay."""
    before = contents_of(folder)
    gone = {name for kind in made for name in before.get(kind, ())} - {
        name for files in made.values() for name in files
    }
    for name in sorted(gone):
        place_inside(folder, name).unlink(missing_ok=True)
    for files in made.values():
        for name, data in files.items():
            make_again(place_inside(folder, name), data)
    kept = {kind: list(names) for kind, names in before.items()} | {kind: sorted(files) for kind, files in made.items()}
    body = {"event": event, "files": kept}
    make_again(folder / CONTENTS, (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode())


def contents_of(folder: Path) -> Mapping[str, Sequence[str]]:
    """The files of an export that is already there; a folder with anything else in it is refused."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    try:
        found = json.loads((folder / CONTENTS).read_text("utf-8"))["files"]
        listed = {str(kind): [str(name) for name in names] for kind, names in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise stop("something else is here; choose a new folder, or one of an earlier export", str(folder)) from error
    if any(fault_in_file_name(name) for names in listed.values() for name in names):
        raise stop(f"its {CONTENTS} names files outside of it; choose another folder", str(folder))
    return listed
