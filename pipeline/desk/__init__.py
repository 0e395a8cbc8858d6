"""What the director does: ingest, review, play, publish, explain, check, rehearse."""
