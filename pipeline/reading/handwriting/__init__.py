"""The engine that reads handwriting: rows in, readings with tiers out, a writer's own hand learnt."""
