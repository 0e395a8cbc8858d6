"""Pictures of the board: one drawing from one geometry file, as SVG and PDF."""
