"""A Diplomacy tournament from paper orders to standings, and back from any standing to the ink."""
