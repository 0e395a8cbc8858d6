"""What leaves the house: an event's public record as tables, games, maps and pages, for other people's programs."""

DOOR = ("folder", "games", "made")
