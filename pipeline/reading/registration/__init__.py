"""A page laid straight, by its marks, bars and dots; or refused where that is not sure."""

DOOR = ("defects", "dewarp_bars", "dots", "fit", "marks", "picture_faults", "register", "shaken", "warp")
