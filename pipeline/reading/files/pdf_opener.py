"""A process of its own that opens PDFs: ``python -m pipeline.reading.files.pdf_opener SECONDS BYTES``.

A PDF can be made so that whoever opens it hangs, fills the memory or falls over: then it is this process that ends, and
whoever asked goes on. It ends itself when a question takes longer than so many seconds, also where nobody is left who
asked, and on Linux when it needs more memory than so many bytes; elsewhere only the time is limited.

Questions come on standard input and are answered on standard output, each a line of JSON; behind
the line of a page come its pixels.
"""

import faulthandler
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pypdfium2 as pdfium

from pipeline.reading.files.limits import Unreadable
from pipeline.reading.files.own_process import served
from pipeline.reading.files.pdf_page import PictureOnPage, on_page, opened

try:
    import resource
except ImportError:  # as on Windows: there only the time is limited
    resource = None  # type: ignore[assignment]


def limit_memory(most: int) -> None:
    """Let this process have so many bytes, and leave none of them on the disk when it falls over."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hardest = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if hardest == resource.RLIM_INFINITY or hardest > most:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def serve(questions: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """Answer every question until there are no more."""
    document: pdfium.PdfDocument | None = None
    with Path(os.devnull).open("w") as nowhere:
        for line in questions:
            faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
            question, found = json.loads(line), None
            try:
                if "page" in question:
                    found = on_page(document, question["page"])
                    told = lie_of(found)
                else:
                    if document is not None:
                        document.close()
                    document = opened(Path(question["file"]))
                    told = {"pages": len(document)}
            except Unreadable as unreadable:
                told = {"unreadable": str(unreadable)}
            except MemoryError:  # as where PDFium itself runs out of it, and ends the process
                return
            answers.write(json.dumps(told).encode() + b"\n")
            if found is not None:
                answers.write(memoryview(found.bitmap.buffer))
            answers.flush()
            faulthandler.cancel_dump_traceback_later()


def lie_of(page: PictureOnPage) -> dict[str, Any]:
    """Say how the pixels of a page lie in its bytes, and how large it is."""
    bitmap = page.bitmap
    lie = {"width": bitmap.width, "height": bitmap.height, "stride": bitmap.stride, "channels": bitmap.n_channels}
    return lie | {"stated_mm": [page.width_mm, page.height_mm]}


def main() -> None:
    """Serve the process that started this one; what ends programs, such as Ctrl-C, is meant for that one.

    Were this one to end first, the page that it draws would be told as one that cannot be drawn.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not end up among the answers
    limit_memory(int(sys.argv[2]))
    served(lambda: serve(sys.stdin.buffer, answers, float(sys.argv[1])))


if __name__ == "__main__":
    main()
