"""What this machine has, what it lacks, and how to get it."""

import platform
import re
import shutil
import sqlite3
import subprocess
import sys
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from msgspec import Struct

from pipeline.desk.event.event import open_event
from pipeline.ledger.files import now
from pipeline.problems import Stopped
from pipeline.reading.recogniser import AFTER_FIRST
from pipeline.small_files import PACKAGE, data_folder

# How to install what is missing on this machine: Windows, macOS, or a Linux with its package manager.


class GoodToHave(StrEnum):
    """Other programs that help this one if they are installed."""

    TESSERACT = "tesseract"
    LIBREOFFICE = "soffice"
    CHROMIUM = "chromium"


ON_WINDOWS = {
    GoodToHave.TESSERACT: "winget install UB-Mannheim.TesseractOCR, "
    r"add C:\Program Files\Tesseract-OCR to the Path (Environment Variables), and open a new window",
    GoodToHave.LIBREOFFICE: "winget install TheDocumentFoundation.LibreOffice",
    GoodToHave.CHROMIUM: "Edge is there already",
}
ON_MACOS = {
    GoodToHave.TESSERACT: "brew install tesseract (Homebrew: https://brew.sh)",
    GoodToHave.LIBREOFFICE: "brew install --cask libreoffice",
    GoodToHave.CHROMIUM: "Safari is there already",
}
ON_LINUX = {  # by the package manager that is there, in the order in which they are looked for
    "apt-get": ("sudo apt-get install", ("tesseract-ocr", "libreoffice-calc", "chromium")),
    "dnf": ("sudo dnf install", ("tesseract", "libreoffice-calc", "chromium")),
    "zypper": ("sudo zypper install", ("tesseract-ocr", "libreoffice-calc", "chromium")),
    "pacman": ("sudo pacman -S", ("tesseract tesseract-data-eng", "libreoffice-fresh", "chromium")),
}


def _way_to(wanted: GoodToHave) -> str:
    match platform.system():
        case "Windows":
            return ON_WINDOWS[wanted]
        case "Darwin":
            return ON_MACOS[wanted]
    for manager, (command, names) in ON_LINUX.items():
        if shutil.which(manager):
            return f"{command} {names[tuple(GoodToHave).index(wanted)]}"
    return f"install {wanted} with this system's package manager"


def _install_again() -> str:
    """Say how to put this program's own packages right: in a checkout, or as it was installed from its wheel."""
    if not (PACKAGE / "_data").is_dir():
        return "run 'make setup' where the program was unpacked"
    return "install the wheel again: 'uv tool install --force WHEEL', or 'pipx install --force WHEEL'"


PROGRAM = "ordersheets"  # this program as a package
LEAST_FREE_GB = 2.0  # a day of 12 boards in colour at 300 dpi is about 1.2 GB of scans


class Finding(Struct, frozen=True):
    """The result of looking at one part of the machine."""

    what: str
    is_well: bool
    text: str  # what was found; if it is not well, for most parts also how to mend it
    is_part: bool = False  # a part of the program: people see it only if it is missing


def examine(folder: Path) -> tuple[Finding, ...]:
    """Look at everything the program uses; ``folder`` is an event's, or where events will be kept."""
    free = shutil.disk_usage(folder).free / 1e9
    room = f"{free:.1f} GB free; an event day needs about {LEAST_FREE_GB:g} GB"
    return (
        Finding("python", sys.version_info >= (3, 11), f"{sys.version.split()[0]} (3.11 or newer)", is_part=True),
        Finding("system", True, f"{platform.system()} {platform.release()}", is_part=True),
        *map(_package, _needed_packages()),
        _look_for_tesseract(),
        _program(GoodToHave.LIBREOFFICE, "LibreOffice", "opens the workbook where Excel is missing"),
        _program(GoodToHave.CHROMIUM, "Chromium", "any browser will do for the pages"),
        Finding(
            "sqlite", sqlite3.sqlite_version_info >= (3, 38), f"{sqlite3.sqlite_version} (3.38 or newer)", is_part=True
        ),
        *(
            _look_for_data(name)
            for name in ("abbreviations", "templates/rules", "templates/scoring", "templates/sheets", "samples")
        ),
        *_look_at_reader(folder),
        *map(_further_reader, AFTER_FIRST),
        Finding("disk", free >= LEAST_FREE_GB, room),
    )


def _look_at_reader(folder: Path) -> tuple[Finding, ...]:
    """Report the handwriting reader and its thresholds, the event's own if the folder is an event."""
    try:
        from pipeline.desk.hands.reader import with_event_gate  # noqa: PLC0415 - if OpenCV is missing, the other checks still run
        from pipeline.reading.engine import NetRecogniser  # noqa: PLC0415 - likewise

        net = NetRecogniser()
        if (folder / "event.toml").is_file():
            with open_event(folder, now) as event:
                net = with_event_gate(event, net)
    except ImportError as error:
        return (Finding("handwriting", False, f"{error}; {_install_again()}"),)
    except Stopped as stopped:
        return (Finding("handwriting", False, "; ".join(f"{each.where}: {each.text}" for each in stopped.problems)),)
    fitted = ", as 'calibrate' fitted it to this event's scans" if net.gates != NetRecogniser().gates else ""
    return (
        Finding("handwriting", True, f"is read{fitted}"),
        Finding("reader", True, net.name, is_part=True),
    )


def _further_reader(name: str) -> Finding:
    """Say whether one of the further readers is installed; without it everything works, but more rows are asked."""
    try:
        from pipeline.reading.further import weights_of, why_missing  # noqa: PLC0415 - as above

        missing = why_missing(name)
    except ImportError as error:
        return Finding(f"{name} reader", False, f"{error}; {_install_again()}")
    if missing:
        return Finding(f"{name} reader", False, f"missing: more rows are asked; {missing}")
    return Finding(f"{name} reader", True, weights_of(name).name, is_part=True)


def _needed_packages() -> tuple[str, ...]:
    """The packages that this program needs, as its own metadata names them; itself, if it is not installed."""
    try:
        wanted = requires(PROGRAM) or ()
    except PackageNotFoundError:
        return (PROGRAM,)
    return tuple(re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in wanted if "extra ==" not in each)


def _package(name: str) -> Finding:
    """Look for a package of the program; OpenCV is good with its windows and without."""
    for known in (name, f"{name}-headless"):
        try:
            return Finding(name, True, version(known), is_part=True)
        except PackageNotFoundError:
            continue
    return Finding(name, False, f"missing; {_install_again()}")


def _look_for_tesseract() -> Finding:
    """Look for Tesseract, without which printed text is not read; everything else runs."""
    path = shutil.which("tesseract")
    if path is None:
        return Finding(
            "tesseract",
            False,
            f"missing: what is typed or printed on a sheet is not read, all else is; {_way_to(GoodToHave.TESSERACT)}",
        )
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("tesseract", False, f"{path} does not run: {error}; {_way_to(GoodToHave.TESSERACT)}")
    text = (answer.stdout or answer.stderr).strip() or f"{path} does not say its version"
    return Finding("tesseract", answer.returncode == 0, text.splitlines()[0])


def _program(wanted: GoodToHave, name: str, use: str) -> Finding:
    """Look for a program that is good to have and never needed."""
    path = shutil.which(wanted)
    return Finding(name, True, path or f"not here, not needed: {use}; {_way_to(wanted)}")


def _look_for_data(name: str) -> Finding:
    folder = data_folder(name)
    is_there = folder.is_dir()
    text = str(folder) if is_there else f"missing at {folder}; {_install_again()}"
    return Finding(name, is_there, text, is_part=True)
