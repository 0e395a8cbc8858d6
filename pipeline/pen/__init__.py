"""A procedural pen and a scanner, for demos, tests and rehearsals: sheets filled as people fill them."""
