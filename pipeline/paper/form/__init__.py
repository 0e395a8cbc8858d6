"""Board sheets, slips, ballots and entries: their template, and where everything is on them."""

DOOR = ("form", "form_layout", "form_paper", "load_form", "writing_sample")
