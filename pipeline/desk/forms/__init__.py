"""What came in on forms: votes, ballots, score sheets, entries; and the director's word on them."""

DOOR = (
    "board_sheets",
    "form_rulings",
    "forms_in",
    "numbered_players",
    "ratings",
    "score_sheets",
    "team_entries",
    "typed_results",
    "vote_slips",
    "votes",
)
