"""The engine that reads handwriting: rows in, readings with tiers out, a writer's own hand learnt."""

DOOR = ("each_alone", "engine", "hand_reader")
