"""How long a picture takes: drawing it, writing it as SVG and PDF. Limits: SVG 30 ms, PDF 100 ms.

``python benchmarks/picture.py``. A crowded Fall: 34 units, every kind of order, with title and legend. Time of the
processor, since other work on the machine is not the picture's fault; the wall's clock is shown beside it.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipeline.board import Kind, Power, Unit, standard_map
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import DATC
from pipeline.orders import read_order, read_position
from pipeline.picture.draw import Caption, draw_candidates, draw_resolution
from pipeline.picture.formats import as_pdf, as_svg
from pipeline.picture.shapes import Drawing

ORDERS = {
    Power.AUSTRIA: "A TRI H, A VIE S A TRI, F ALB - ION, A BUD - GAL, A SER S A BUD",
    Power.ENGLAND: "A YOR - DEN VIA, F NTH C A YOR - DEN, F SKA S A YOR - DEN, F ENG C A WAL - BRE, A LVP - WAL, "
    "F IRI S A LVP - WAL",
    Power.FRANCE: "F MAO - IRI, A WAL - NAF, F BRE - ENG, A PIC - LON, A GAS - MAR",
    Power.GERMANY: "A HOL - BEL, A RUH S A HOL - BEL, F HEL - HOL, A MUN - TYR, A BOH S A MUN - TYR",
    Power.ITALY: "A APU - TUN VIA, F ION C A APU - TUN, F TYS - WES, A VEN - TRI, A TYR S A VEN - TRI",
    Power.RUSSIA: "F STP/NC - NWY, A FIN S F STP/NC - NWY, F BOT - STP, A GAL - BUD, F RUM S F BUL/EC",
    Power.TURKEY: "F BUL/EC - BLA, A CON - BUL, F AEG S F ALB - ION, A SMY H",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=30)
    times = parser.parse_args().times
    board = standard_map()
    orders = {power: [read_order(text) for text in line.split(", ")] for power, line in ORDERS.items()}
    units = {power: [" ".join(text.split()[:2]) for text in line.split(", ")] for power, line in ORDERS.items()}
    before = read_position({"phase": "F1903M", "units": units}, board)
    resolution = adjudicate(board, before, orders, DATC)
    caption = Caption("Board 1.3", "Example Open", "orders and results")
    begun = time.process_time()
    drawing = draw_resolution(board, before, resolution, caption)
    as_svg(drawing)
    first = 1000 * (time.process_time() - begun)
    row = [read_order(text) for text in ("A MUN - BUR", "A MUN - BER", "A MUN S A RUH - BUR")]

    def crop() -> Drawing:
        return draw_candidates(board, before, Unit(Kind.ARMY, "MUN"), row)

    print(f"first picture of a process, the geometry's reading included: {first:.0f} ms of the processor, as SVG")
    print(f"{'':22}{'median':>8}{'p95':>8}{'wall':>8}{'bytes':>10}")
    report("draw", lambda: str(draw_resolution(board, before, resolution, caption).title), times)
    report("svg (limit 30)", lambda: as_svg(drawing), times)
    report("pdf (limit 100)", lambda: as_pdf(drawing), times)
    report("row's crop, draw + svg", lambda: as_svg(crop()), times)


def report(name: str, work: Callable[[], str | bytes], times: int) -> None:
    """Print one line."""
    processor, wall = [], []
    made: str | bytes = ""
    for _ in range(times):
        begun, started = time.process_time(), time.perf_counter()
        made = work()
        processor.append(1000 * (time.process_time() - begun))
        wall.append(1000 * (time.perf_counter() - started))
    worst = sorted(processor)[int(0.95 * (times - 1))]
    middle, clock = statistics.median(processor), statistics.median(wall)
    print(f"{name:22}{middle:>8.1f}{worst:>8.1f}{clock:>8.1f}{len(made):>10,}")


if __name__ == "__main__":
    main()
