"""Printed paper: a template and a position in, PDF bytes out."""

DOOR = ("card", "codes", "printed_deck", "printed_form", "printed_sheet", "seat_lists")
