"""A name means one thing: no class is defined twice."""

import ast
from collections import defaultdict
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "pipeline"


def test_no_two_classes_have_one_name() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for file in sorted(PROGRAM.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):  # inner ones too
                defined[node.name].append(str(file.relative_to(PROGRAM)))
    assert len(defined) > 500
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}
