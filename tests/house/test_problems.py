"""What stops the work says so in whichever process it is caught."""

import pickle

from pipeline.problems import ExitCode, Problem, Stopped, Weight


def test_what_stops_the_work_crosses_from_one_process_to_another_whole() -> None:
    problems = (Problem(Weight.STOPS, "no such file", "a.toml"), Problem(Weight.ASKS, "which one", "b.toml"))

    crossed = pickle.loads(pickle.dumps(Stopped(problems, code=ExitCode.MACHINE_LACKS)))

    assert (crossed.problems, crossed.code, str(crossed)) == (
        problems,
        ExitCode.MACHINE_LACKS,
        "a.toml: no such file; b.toml: which one",
    )
