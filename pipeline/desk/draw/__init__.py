"""A round drawn for an event: from facts, roster and standings to seats."""
