"""``python -m training STEP``, from strokes to weights and gate; the steps are listed below."""

import sys
from importlib import import_module

STEPS = ("labels", "fonts", "train", "together", "export", "unread", "unfold", "rows", "calibrate")


def main() -> None:
    """Take one step; what it needs, such as torch, is only loaded when it is asked for."""
    step, *arguments = sys.argv[1:] or [""]
    if step not in STEPS:
        raise SystemExit(f"{step!r} is no step; there are {', '.join(STEPS)}")
    import_module(f"training.{step}").main(arguments)


if __name__ == "__main__":
    main()
