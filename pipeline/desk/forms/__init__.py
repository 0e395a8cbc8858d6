"""What came in on forms: votes, ballots, score sheets, entries; and the director's word on them."""

DOOR = (
    "board_sheets",
    "form_printing",
    "form_rulings",
    "forms_in",
    "numbered_players",
    "printed_forms",
    "ratings",
    "score_sheets",
    "team_entries",
    "typed_results",
    "vote_slips",
    "votes",
)
