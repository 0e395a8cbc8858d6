"""What came in on forms: votes, ballots, score sheets, entries; and the director's word on them."""
