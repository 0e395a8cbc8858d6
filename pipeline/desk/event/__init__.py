"""An event: its folder, its people, its games as the facts have them."""
