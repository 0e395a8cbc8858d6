"""LibreOffice, where there is one: it makes a PDF of a workbook."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from pipeline.problems import ExitCode, stop

PROGRAMS = ("soffice", "libreoffice")
OTHERWISE = "write --wall -o wall.xlsx, open it and print the entire workbook"
LONGEST_S = 300  # a first start on an old laptop takes half a minute


def pdf_of(workbook: bytes) -> bytes:
    """Print a workbook into a PDF; it runs in a profile of its own, so an office that is open does not hinder it."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise stop(f"no LibreOffice here that could make a PDF; {OTHERWISE}", "pdf", ExitCode.MACHINE_LACKS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given, made = folder / "wall.xlsx", folder / "wall.pdf"
        given.write_bytes(workbook)
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        options = ["--headless", profile, "--convert-to", "pdf", "--outdir", name]
        try:
            subprocess.run([program, *options, str(given)], check=True, capture_output=True, timeout=LONGEST_S)
            return made.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise stop(
                f"LibreOffice made no PDF ({type(error).__name__}); {OTHERWISE}", "pdf", ExitCode.MACHINE_LACKS
            ) from error
