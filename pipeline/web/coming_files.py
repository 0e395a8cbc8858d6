"""Uploads: their bytes are counted while they come, of each file, each person and in all; too many are refused."""

import threading
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager

from msgspec import Struct, field
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from pipeline.problems import ExitCode, stop
from pipeline.web.app import Refused, limit_request

LARGEST = 64 << 20  # bytes of one file: 40 sides at 300 dpi have 30 MB
LARGEST_STACK = 256 << 20  # bytes of all that comes at once from one person: 60 pictures of a telephone
LARGEST_IN_ALL = 512 << 20  # bytes of all that comes at once, and lies in the folder for temporary files
STACK_S = 600.0  # longest time for a request to arrive: 256 MB need 3.6 Mbit/s for that
MOST_FILES = 60
BUSY = 503  # HTTP 503: not now; the page sends the file again by itself


class ComingFiles(Struct):
    """How many bytes of files that are not kept yet there are, in all and of each session."""

    of_session: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @asynccontextmanager
    async def receive(self, request: Request, session: str) -> AsyncGenerator[list[UploadFile], None]:
        """The files of a form, while they are needed.

        Refused at the first byte where the request says that it is too large, else as soon as it is.
        """
        limited = limit_request(request, LARGEST_STACK, STACK_S)
        with self.counting(session) as count:
            count(int(request.headers.get("content-length", "0")), is_here=False)
            form = await _UploadParser(limited, count).read()
            try:
                files = [each for each in form.getlist("files") if isinstance(each, UploadFile)]
                if not files:
                    raise stop("no file came; choose one or more", "upload")
                yield files
            finally:
                await form.close()

    @contextmanager
    def counting(self, session: str) -> Iterator["_BytesTaken"]:
        """Count the bytes of one request for as long as its files are needed."""
        count = _BytesTaken(self, session)
        try:
            yield count
        finally:
            with self.lock:
                self.of_session[session] -= count.came
                self.of_session += Counter()  # without those at zero


class _BytesTaken:
    """Counts the bytes of one request."""

    def __init__(self, coming: ComingFiles, session: str) -> None:
        self.coming, self.session = coming, session
        self.came = 0

    def __call__(self, more: int, *, is_here: bool = True) -> None:
        """Count bytes that came, or only ask whether so many may come."""
        with self.coming.lock:
            counts = self.coming.of_session
            if counts[self.session] + more > LARGEST_STACK or counts.total() + more > LARGEST_IN_ALL:
                raise Refused("many files are coming in at this moment; it is sent again by itself", BUSY)
            if is_here:
                counts[self.session] += more
                self.came += more


class _UploadParser(MultiPartParser):
    """The form of a request; its files are measured while they come."""

    def __init__(self, request: Request, count: _BytesTaken) -> None:
        super().__init__(request.headers, request.stream(), max_files=MOST_FILES, max_fields=MOST_FILES)
        self.count = count
        self.size = 0  # of the part that comes now

    async def read(self) -> FormData:
        """Read it to its end; stop if its file names cannot be decoded, or it is too large."""
        try:
            return await self.parse()
        except (UnicodeError, KeyError) as error:
            raise stop("the names of the files cannot be read; send them under other names", "upload") from error
        except MultiPartException as error:  # too many files, or parts that do not end
            mend = f"at most {MOST_FILES} files at once, and none was kept; send them in parts"
            raise stop(f"the files could not be received ({error.message}): {mend}", "upload") from error

    def on_part_begin(self) -> None:
        super().on_part_begin()
        self.size = 0

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self.count(end - start)
        self.size += end - start
        if self.size > LARGEST:
            raise stop(f"a file is larger than {LARGEST >> 20} MB; send it in parts", "upload", ExitCode.TOO_MUCH)
        super().on_part_data(data, start, end)
