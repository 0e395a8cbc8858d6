#!/bin/sh
# Set up one machine: a virtual environment with the packages, and by apt, where we may, what no package brings.
# Nothing here is needed at run time; what cannot be had is named, with how to get it.
set -eu
venv=$1
python=${PYTHON:-python3}

say() { printf 'setup: %s\n' "$*"; }

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  say "Python 3.11 or newer is needed; '$python' is $("$python" --version 2>&1). Run: make PYTHON=python3.11 …"; exit 1; }

wanted=""
command -v tesseract >/dev/null 2>&1 || wanted="$wanted tesseract-ocr"
"$python" -c 'import ensurepip' 2>/dev/null || wanted="$wanted python3-venv"
if [ "${CI:-}" = true ]; then  # the tests that recalculate the workbook and drive the page skip cleanly without these
  command -v soffice >/dev/null 2>&1 || wanted="$wanted libreoffice-calc"
  command -v chromium >/dev/null 2>&1 || wanted="$wanted chromium"
  # the same browser without windows, for the tests alone; not every system has it
  command -v chromium-headless-shell >/dev/null 2>&1 || ! apt-cache show chromium-headless-shell >/dev/null 2>&1 \
    || wanted="$wanted chromium-headless-shell"
fi
if [ -n "$wanted" ]; then
  if command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    sudo=""; [ "$(id -u)" = 0 ] || sudo="sudo -n"
    say "installing by apt:$wanted"
    $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null \
      || say "apt could not install$wanted; the program runs without, see 'ordersheets doctor'"
  else
    say "not installed:$wanted. The program runs without; to add it: sudo apt-get install$wanted"
  fi
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
pip() { "$venv/bin/python" -m pip "$@" --quiet --disable-pip-version-check; }
pip install uv || say "uv cannot be had here: pip takes longer"
# uv needs a tenth of pip's time; it does not know pip's settings (an index of one's own, wheels in a folder): else pip
add() { "$venv/bin/python" -m uv pip install --quiet --python "$venv/bin/python" "$@" || pip install "$@"; }
# the versions and checksums of requirements.lock; LOCK=none takes the newest that pyproject.toml allows
if [ "${LOCK:-}" = none ]; then
  add -e '.[test]'
else
  add --require-hashes -r requirements.lock
  add --no-deps -e .
fi
# opencv-python wants the window system's libGL; without it the same library without windows does all we need.
"$venv/bin/python" -c 'import cv2' 2>/dev/null || {
  say "libGL is not on this machine: taking OpenCV without its window functions"
  version=$("$venv/bin/python" -m pip show opencv-python 2>/dev/null | sed -n 's/^Version: //p')
  pip uninstall -y opencv-python
  add "opencv-python-headless${version:+==$version}"
}
say "ready: $venv/bin/ordersheets"
