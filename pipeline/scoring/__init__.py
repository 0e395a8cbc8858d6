"""Points, totals, tie-breaks and standings, in exact fractions."""
