"""Commands for results: what is noted, the standings, and from any standing back to the ink."""

DOOR = ()
