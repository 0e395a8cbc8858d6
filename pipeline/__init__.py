"""Paper orders in, standings out; and from any standing back to the ink."""
