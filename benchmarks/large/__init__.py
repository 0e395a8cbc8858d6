"""A large event, made by the desk's own functions, and many desks that work on it at once."""
