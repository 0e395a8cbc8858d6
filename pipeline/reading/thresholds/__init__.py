"""Which row is accepted and which is asked: the evidence, the thresholds, and how they are fitted."""

DOOR = ("evidence", "fitting", "gate", "joint")
