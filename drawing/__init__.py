"""How the board's drawing is made: coastlines, borders, and room for everything. No part of the product."""
