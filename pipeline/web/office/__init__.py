"""The office: the event that is open, who may see and do what, and what comes in over the network."""

DOOR = ("app", "auth", "certificate", "intake", "network", "office", "patience")
