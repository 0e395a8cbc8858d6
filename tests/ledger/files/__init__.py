"""Tests of the room ledger/files."""
