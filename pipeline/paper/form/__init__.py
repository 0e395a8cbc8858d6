"""Board sheets, slips, ballots and entries: their template, and where everything is on them."""
