"""A first look at a picture while the paper is still in the hand: is it worth reading, or to be taken again."""

from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from pipeline.reading.files.pages import BadPage, PageImage, pages
from pipeline.reading.identity.identify import Identified, Layouts, NothingThere, NotOurs, Unclear, identify
from pipeline.reading.registration.picture_faults import PictureFault
from pipeline.reading.registration.register import NotRegistered, RegisteredPage, register
from pipeline.words import sentence

MOST_PAGES = 4  # of one file: a telephone sends one, and a scanner's stack is read anyway
AROUND_MM = 2.0  # of white that is looked at round a marker
BLACK_AND_WHITE = [5, 95]  # percentiles of a marker: its print and its paper, without specks
STEEPEST = 97  # percentile of its slopes that counts as the steepest edge
SOBEL = 8  # times: what the operator makes of a slope of one grey level a pixel
LEAST_CONTRAST = 60  # grey levels; a marker in the shadow says nothing about sharpness
SHARP = 0.20  # steepest edge, parts of the contrast a pixel: scans have 0.39, blurred by 0.19 mm 0.22, by 0.38 mm 0.13


def glance(path: Path, layouts: Layouts, event: str) -> tuple[str, ...]:
    """Say what a better picture would mend, page by page; nothing: keep the paper away."""
    return tuple(fault for page in islice(pages(path), MOST_PAGES) for fault in faults_of(page, layouts, event))


def faults_of(page: PageImage | BadPage, layouts: Layouts, event: str) -> tuple[str, ...]:
    """Look at one page."""
    if isinstance(page, BadPage):
        return (page.problem.text,)
    found = identify(page.grey, layouts, event)
    match found:
        case Identified():
            straight = register(found.grey, found.marks, found.layout.marker_ids, found.layout.form)
            if isinstance(straight, NotRegistered):
                return (straight.why,)
            lost = tuple(sentence(each) for each in straight.warnings if each.code is PictureFault.MARKERS_LOST)
            sharpness = sharpness_of(straight)
            blurred = ("the picture is blurred; hold still, or come nearer",) if sharpness < SHARP else ()
            return (*lost, *blurred)
        case NothingThere():
            return ("nothing is on the paper; is it the other side?",)
        case NotOurs() | Unclear():
            return (found.text,)
        case _:
            return ("the two square codes cannot be read; they and all four corners must be in the picture",)


def sharpness_of(page: RegisteredPage) -> float:
    """How steep the edges of the corner markers are, in parts of their contrast a pixel; 1 where none can be judged."""
    scale = page.flat.shape[1] / page.form.width
    found = []
    for box in page.form.markers:
        left, top = (max(0, round((side - AROUND_MM) * scale)) for side in (box.left, box.top))
        right, bottom = (round((side + AROUND_MM) * scale) for side in (box.left + box.width, box.top + box.height))
        marker = page.flat[top:bottom, left:right].astype(np.float32)
        dark, light = np.percentile(marker, BLACK_AND_WHITE) if marker.size else (0.0, 0.0)
        if light - dark >= LEAST_CONTRAST:
            across, down = (cv2.Sobel(marker, cv2.CV_32F, *way) / SOBEL for way in ((1, 0), (0, 1)))
            found.append(float(np.percentile(np.hypot(across, down), STEEPEST) / (light - dark)))
    return float(np.median(found)) if found else 1.0
