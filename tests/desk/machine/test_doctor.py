"""The doctor says how to get what is missing on the machine that it runs on."""

import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli.status import doctor_command
from pipeline.desk import doctor
from pipeline.desk.doctor import Finding, GoodToHave, _install_again, _way_to, examine

COMMANDS = {  # by system and package manager: the beginning of the way to Tesseract
    ("Windows", ""): "winget install",
    ("Darwin", ""): "brew install",
    ("Linux", "apt-get"): "sudo apt-get install tesseract-ocr",
    ("Linux", "dnf"): "sudo dnf install tesseract",
    ("Linux", "zypper"): "sudo zypper install tesseract-ocr",
    ("Linux", "pacman"): "sudo pacman -S tesseract",
}


def be(monkeypatch: pytest.MonkeyPatch, system: str, manager: str) -> None:
    """Take this machine for another one, on which nothing but its package manager is found."""
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == manager else None)


@pytest.mark.parametrize(("system", "manager"), COMMANDS)
def test_it_names_this_machines_own_way_to_tesseract(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, manager: str
) -> None:
    be(monkeypatch, system, manager)
    found = {finding.what: finding for finding in examine(tmp_path)}
    assert not found["tesseract"].is_well
    assert COMMANDS[system, manager] in found["tesseract"].text
    assert found["LibreOffice"].is_well, "nobody needs it"
    others = [finding.text for finding in found.values() if system != "Linux" and "apt-get" in finding.text]
    assert others == [], "no way of another system is named"


@pytest.mark.skipif(os.name != "posix", reason="a script without an ending runs on POSIX only")
@pytest.mark.parametrize(
    ("script", "said"), [("#!/bin/sh\nexit 1\n", "does not say its version"), ("#!/no/shell\n", "does not run")]
)
def test_a_tesseract_that_does_not_work_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, said: str
) -> None:
    program = tmp_path / "tesseract"
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = doctor._look_for_tesseract()
    assert (found.is_well, said in found.text) == (False, True)


@pytest.mark.parametrize("wanted", GoodToHave)
@pytest.mark.parametrize("system", ["Windows", "Darwin", "Linux", "FreeBSD"])
def test_there_is_a_way_to_everything_on_every_system(
    monkeypatch: pytest.MonkeyPatch, system: str, wanted: GoodToHave
) -> None:
    be(monkeypatch, system, "")
    assert _way_to(wanted)


def test_a_missing_package_is_mended_as_the_program_was_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "make setup" in doctor._package("no-such-package").text
    (tmp_path / "_data").mkdir()
    monkeypatch.setattr(doctor, "PACKAGE", tmp_path)
    assert "make" not in _install_again()
    assert "pipx" in _install_again()


@pytest.mark.parametrize("installed", ["opencv-python", "opencv-python-headless"])
def test_opencv_is_well_with_its_windows_and_without(monkeypatch: pytest.MonkeyPatch, installed: str) -> None:
    def version(name: str) -> str:
        if name != installed:
            raise PackageNotFoundError(name)
        return "4.11"

    monkeypatch.setattr(doctor, "version", version)
    assert doctor._package("opencv-python").is_well


def test_a_program_that_lacks_a_part_is_not_called_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [Finding("msgspec", True, "1.0", is_part=True), Finding("opencv", False, "lost", is_part=True)]
    monkeypatch.setattr("pipeline.cli.status.examine", lambda folder: parts)
    said = CliRunner().invoke(doctor_command, []).output
    assert "MISSING  opencv" in said
    assert "complete" not in said
