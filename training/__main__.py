"""``python -m training STEP``: from strokes to weights and gate. The steps: train, export, rows, calibrate."""

import sys

from training import calibrate, rows

STEPS = {"rows": rows.main, "calibrate": calibrate.main}


def main() -> None:
    """Take one step; those that need torch are only loaded when they are asked for."""
    step, *arguments = sys.argv[1:] or [""]
    if step == "train":
        from training import train  # noqa: PLC0415 - needs torch

        train.main(arguments)
    elif step == "export":
        from training import export  # noqa: PLC0415 - needs torch

        export.main(arguments)
    elif step in STEPS:
        STEPS[step](arguments)
    else:
        raise SystemExit(f"{step!r} is no step; there are train, export, {', '.join(STEPS)}")


if __name__ == "__main__":
    main()
