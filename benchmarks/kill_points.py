"""Kill every command that writes at every one of its points: writes, commits, renames, files. Prints what was wrong.

``python benchmarks/kill_points.py [COMMAND…]``; it takes some minutes.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from desk.killing import main  # the tests try some of the same points

with tempfile.TemporaryDirectory() as folder:
    main([folder, "0", *sys.argv[1:]])
