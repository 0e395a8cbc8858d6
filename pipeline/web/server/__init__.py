"""The server: all pages under one roof, and what runs beside them."""

DOOR = ("hall", "server")
