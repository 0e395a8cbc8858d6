"""The handwriting net: a row of ink in, letters with their likelihoods out. Words are words here, not provinces."""
