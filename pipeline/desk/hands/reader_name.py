"""The name of an event's handwriting reader, without loading OpenCV, ONNX Runtime and the nets.

The name is cached; the cache key is the files of nets, thresholds and both libraries.
"""

from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from pipeline.desk.event.event import Event
from pipeline.ledger.files import cache_key_of, cached_answer

READING = "pipeline.reading"
KEPT = "reader.json"


def reader_name(event: Event) -> str:
    """The engine that reads an event, its version and its thresholds, as every page read with it says."""
    return cached_answer(
        event.cache_folder / KEPT,
        f"{event.details.gate}\n{cache_key_of(_rests_on(event))}",
        lambda: _load_reader_name(event),
    )


def writer_in_words(by: str) -> str:
    """Who wrote a fact, in words: the reader's nets and thresholds tell a director nothing.

    >>> writer_in_words("row nets 01250a55 and f99ccf03, gates 1f5466e3"), writer_in_words("Tess")
    ('the program', 'Tess')
    """
    return "the program" if by.startswith("row net") else by


def _load_reader_name(event: Event) -> str:
    from pipeline.desk.hands.reader import net_for  # noqa: PLC0415 - it loads OpenCV, which takes longer than all the rest

    return net_for(event).name


def _rests_on(event: Event) -> list[Path]:
    """The files that a reader's name follows from: its code, nets and thresholds, the event's own, and libraries."""
    own = Path(str(resources.files(READING)))
    paths = [file for kind in ("*.py", "*.toml", "weights/*") for file in own.glob(kind)]
    for library in map(find_spec, ("cv2", "onnxruntime")):
        if library is not None and library.origin is not None:
            paths += Path(library.origin).parent.iterdir()
    if event.details.gate:
        paths.append(event.folder / event.details.gate)
    return sorted(paths)
