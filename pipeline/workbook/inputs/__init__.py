"""The sheets that people fill in: rules, players, results, bonuses and penalties."""

DOOR = ("config", "ledger_sheets", "players_sheet", "results_sheet", "roster_list", "seats")
