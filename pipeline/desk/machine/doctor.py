"""What this machine has, what it lacks, and how to get it."""

import platform
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipeline.desk.event.event import open_event
from pipeline.desk.machine.ways import GoodToHave, install_again, way_to
from pipeline.ledger.clock import now
from pipeline.problems import Stopped
from pipeline.reading.rows.recogniser import AFTER_FIRST
from pipeline.rules.toml.folders import data_folder

PACKAGES = (
    "cryptography",
    "numpy",
    "opencv-python",
    "openpyxl",
    "pypdfium2",
    "pytesseract",
    "rapidfuzz",
    "reportlab",
    "zxing-cpp",
)
LEAST_FREE_GB = 2.0  # a day of 12 boards in colour at 300 dpi is about 1.2 GB of scans


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    what: str
    is_well: bool
    text: str  # what was found; where it is not well, how to mend it


def examine(folder: Path) -> tuple[Finding, ...]:
    """Look at everything the program uses; ``folder`` is an event's, or where events will be kept."""
    return (
        Finding("python", sys.version_info >= (3, 11), f"{sys.version.split()[0]} (3.11 or newer)"),
        Finding("system", True, f"{platform.system()} {platform.release()}"),
        *(package(name) for name in PACKAGES),
        tesseract(),
        program(GoodToHave.LIBREOFFICE, "LibreOffice", "opens the workbook where Excel is missing"),
        program(GoodToHave.CHROMIUM, "Chromium", "any browser will do for the pages"),
        Finding("sqlite", sqlite3.sqlite_version_info >= (3, 38), f"{sqlite3.sqlite_version} (3.38 or newer)"),
        *(
            data(name)
            for name in ("abbreviations", "templates/rules", "templates/scoring", "templates/sheets", "samples")
        ),
        reader(folder),
        *map(further_reader, AFTER_FIRST),
        disk(folder),
    )


def reader(folder: Path) -> Finding:
    """Say who reads handwriting, and with whose thresholds where the folder is an event's."""
    try:
        from pipeline.desk.hands.reader import gated  # noqa: PLC0415 - where OpenCV is missing the others are still told
        from pipeline.reading.handwriting.engine import NetRecogniser  # noqa: PLC0415 - likewise

        net = NetRecogniser()
        if (folder / "event.toml").is_file():
            with open_event(folder, now) as event:
                net = gated(event, net)
    except ImportError as error:
        return Finding("reader", False, f"{error}; {install_again()}")
    except Stopped as stopped:
        return Finding("reader", False, "; ".join(f"{each.where}: {each.text}" for each in stopped.problems))
    return Finding("reader", True, f"{net.name}; {net.gates.measured.strip().partition(chr(10))[0]}")


def further_reader(name: str) -> Finding:
    """Say whether one of the readers after the first is there; without it all runs, and more rows are asked."""
    try:
        from pipeline.reading.net.further import weights_of, why_missing  # noqa: PLC0415 - as above

        missing = why_missing(name)
    except ImportError as error:
        return Finding(f"{name} reader", False, f"{error}; {install_again()}")
    if missing:
        return Finding(f"{name} reader", False, f"missing: more rows are asked; {missing}")
    return Finding(f"{name} reader", True, weights_of(name).name)


def package(name: str) -> Finding:
    """Look for an installed package."""
    for known in (name, f"{name}-headless"):
        try:
            return Finding(name, True, version(known))
        except PackageNotFoundError:
            continue
    return Finding(name, False, f"missing; {install_again()}")


def tesseract() -> Finding:
    """Look for Tesseract, without which printed text is not read; everything else runs."""
    path = shutil.which("tesseract")
    if path is None:
        return Finding(
            "tesseract",
            False,
            f"missing: what is typed or printed on a sheet is not read, all else is; {way_to(GoodToHave.TESSERACT)}",
        )
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30)
    return Finding("tesseract", told.returncode == 0, (told.stdout or told.stderr).splitlines()[0])


def program(wanted: GoodToHave, name: str, use: str) -> Finding:
    """Look for a program that is good to have and never needed."""
    path = shutil.which(wanted)
    return Finding(name, True, path or f"not here, not needed: {use}; {way_to(wanted)}")


def data(name: str) -> Finding:
    """Look for the files the program reads."""
    folder = data_folder(name)
    return Finding(name, folder.is_dir(), str(folder) if folder.is_dir() else f"missing at {folder}; {install_again()}")


def disk(folder: Path) -> Finding:
    """Look at the room on the disk."""
    free = shutil.disk_usage(folder).free / 1e9
    return Finding("disk", free >= LEAST_FREE_GB, f"{free:.1f} GB free; an event day needs about {LEAST_FREE_GB:g} GB")
