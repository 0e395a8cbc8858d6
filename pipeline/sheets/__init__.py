"""Printed sheets: a template and a position in, PDF bytes out."""
