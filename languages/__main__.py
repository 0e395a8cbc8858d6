"""python -m languages: keep the catalogues in step with the program; with a code, such as ``es``, begin another one."""

import sys

from languages.catalogues import FOLDER, as_mo, as_po, in_step, languages, unwritten


def main(new: list[str]) -> None:
    """Write each catalogue, and say what is left to write in it."""
    FOLDER.mkdir(exist_ok=True)
    for language in sorted({*languages(), *new}):
        found = in_step(language)
        (FOLDER / f"{language}.po").write_bytes(as_po(found))
        (FOLDER / f"{language}.mo").write_bytes(as_mo(found))
        left = unwritten(found)
        print(f"{FOLDER / language}.po: {len(found)} texts, {len(left)} to write", *left[:20], sep="\n  ")


main(sys.argv[1:])
