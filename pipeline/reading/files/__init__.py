"""Pages out of files: PDF, TIFF, JPEG, PNG. One clear problem for each that is bad."""

DOOR = ("limits", "own_process", "pages", "pdf_pages", "picture", "stated")
