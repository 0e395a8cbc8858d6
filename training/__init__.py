"""How the handwriting net is made: real strokes, our own pen, text that is no order book. No part of the product."""
