"""A page becomes what the ink says, or a reason why not; whoever watches is told each stage."""

DOOR = ("outcome", "stages", "transcribe")
