"""The catalogues of the languages: collected from the program and from the templates, kept in step, and compiled.

Only who changes a text or a sentence needs this, and Babel; the program reads what it leaves in
``pipeline/words/catalogues``.
"""
