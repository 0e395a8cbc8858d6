"""Mutated inputs for every door of the program: what is mutated, how, and what is asked of each answer."""
