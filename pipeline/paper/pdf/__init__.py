"""Printed paper: a template and a position in, PDF bytes out."""
