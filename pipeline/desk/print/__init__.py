"""What is printed for an event, and remembered: sheets, forms, pads."""
