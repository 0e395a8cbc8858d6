"""How many forms one page of paper holds, and where they are cut apart."""

from dataclasses import dataclass

from pipeline.paper.form.form import FormTemplate
from pipeline.problems import stop

PAPERS = {"A4": (210.0, 297.0), "A5": (148.0, 210.0), "LETTER": (215.9, 279.4)}  # mm, upright


@dataclass(frozen=True, slots=True)
class Imposed:
    """A page of paper with its forms."""

    width: float
    height: float
    places: tuple[tuple[float, float], ...]  # the top-left corner of each form, row by row

    @property
    def is_cut(self) -> bool:
        """Whether there are several to cut apart."""
        return len(self.places) > 1


def impose(template: FormTemplate, paper: str) -> Imposed:
    """Lay as many forms on a paper as it holds, upright or across, in the middle.

    >>> from pipeline.rules.toml.folders import data_folder
    >>> from pipeline.paper.form.load_form import read_form
    >>> text = (data_folder("templates/sheets/forms") / "vote.toml").read_text("utf-8")
    >>> page = impose(read_form(text, "vote.toml"), "A4")
    >>> page.width, len(page.places)
    (297.0, 4)
    """
    short, long = PAPERS[paper]
    ways = [imposed(template, width, height) for width, height in ((short, long), (long, short))]
    best = max(ways, key=lambda way: len(way.places))
    if not best.places:
        size = f"{template.width:g} by {template.height:g} mm"
        text = f"a form of {size} does not fit on {paper}; print it on A4 or LETTER with --paper"
        raise stop(text, f"form {template.kind}")
    return best


def imposed(template: FormTemplate, width: float, height: float) -> Imposed:
    """Lay forms on a paper that is held in one way."""
    across, down = int(width // template.width), int(height // template.height)
    left, top = (width - across * template.width) / 2, (height - down * template.height) / 2
    return Imposed(
        width,
        height,
        tuple(
            (round(left + column * template.width, 3), round(top + row * template.height, 3))
            for row in range(down)
            for column in range(across)
        ),
    )
