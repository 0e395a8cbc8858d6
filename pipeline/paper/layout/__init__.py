"""Where everything is on a sheet, in millimetres: what prints a box also cuts it out again."""
