"""Pictures of the board: one drawing from one geometry file, as SVG, PDF and PNG."""
