"""What the director does, room by room: from an event and its paper to what is read out."""
