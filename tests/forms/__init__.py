"""Forms on paper: how they are described, printed, read and used."""
