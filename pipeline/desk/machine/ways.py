"""How to get what is missing, said for the machine at hand: Windows, macOS, or a Linux with its package manager."""

import platform
import shutil
from enum import StrEnum

from pipeline.rules.toml.folders import PACKAGE


class GoodToHave(StrEnum):
    """Programs that are no Python packages, and serve beside this one."""

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


def way_to(wanted: GoodToHave) -> str:
    """Say how to get a program on this machine."""
    match platform.system():
        case "Windows":
            return ON_WINDOWS[wanted]
        case "Darwin":
            return ON_MACOS[wanted]
    for manager, (command, names) in ON_LINUX.items():
        if shutil.which(manager):
            return f"{command} {names[tuple(GoodToHave).index(wanted)]}"
    return f"install {wanted} with this system's package manager"


def install_again() -> str:
    """Say how to put this program's own packages right: in a checkout, or as it was installed from its wheel."""
    if not (PACKAGE / "_data").is_dir():
        return "run 'make setup' where the program was unpacked"
    return "install the wheel again: 'uv tool install --force WHEEL', or 'pipx install --force WHEEL'"
