"""A command as somebody types it."""

from click.testing import CliRunner

from pipeline.cli import group
from pipeline.problems import Stopped


def run(*words: object, code: int = 0, typed: str | None = None) -> str:
    """Run a command that exits with a code; all that it prints, and what it says against it."""
    result = CliRunner().invoke(group, [str(word) for word in words], input=typed)
    if isinstance(result.exception, Stopped):
        problems = result.exception.problems
        assert result.exception.code == code, [str(problem) for problem in problems]
        return result.output + "\n".join(f"{problem.where}: {problem.text}" for problem in problems)
    assert result.exit_code == code, (result.output, result.exception)
    return result.output
