"""A page laid straight, by its marks, bars and dots; or refused where that is not sure."""
