"""The demo says how its event is opened, so that the line can be typed where it stands."""

import shutil
import sys

import pytest

from pipeline.cli.rehearse import _this_program


def test_the_program_is_named_as_it_is_called_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/ordersheets", "demo"])
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert _this_program() == ".venv/bin/ordersheets"
    monkeypatch.setattr(shutil, "which", lambda name: f"/home/tess/.local/bin/{name}")
    assert _this_program() == "ordersheets"
