"""Tests of pipeline/ledger: files."""
