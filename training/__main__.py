"""``python -m training STEP``, from strokes to weights and gate: labels, train, export, unfold, rows, calibrate."""

import sys

from training import calibrate, labels, rows

STEPS = {"labels": labels.main, "rows": rows.main, "calibrate": calibrate.main}


def main() -> None:
    """Take one step; those that need torch are only loaded when they are asked for."""
    step, *arguments = sys.argv[1:] or [""]
    if step == "train":
        from training import train  # noqa: PLC0415 - needs torch

        train.main(arguments)
    elif step == "export":
        from training import export  # noqa: PLC0415 - needs torch

        export.main(arguments)
    elif step == "unfold":
        from training import unfold  # noqa: PLC0415 - needs torch

        unfold.main(arguments)
    elif step in STEPS:
        STEPS[step](arguments)
    else:
        raise SystemExit(f"{step!r} is no step; there are train, export, unfold, {', '.join(STEPS)}")


if __name__ == "__main__":
    main()
