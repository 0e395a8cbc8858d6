"""Paper orders in, standings out; and from any standing back to the ink."""

from pipeline.kept_methods import keep_methods

keep_methods()
