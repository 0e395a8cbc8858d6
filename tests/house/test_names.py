"""A name means one thing: no class is defined twice."""

import ast
from collections import defaultdict

from house.program import PROGRAM, files, nodes


def test_no_two_classes_have_one_name() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for file in files():
        for node in nodes(file):
            if isinstance(node, ast.ClassDef):  # inner ones too
                defined[node.name].append(str(file.relative_to(PROGRAM)))
    assert len(defined) > 500
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}
