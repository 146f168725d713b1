"""Sends prepared requests to a server and measures the responses: by wrk where installed, else by `http_load.py`.

All requests are written down before the load starts, so that requests that all differ cost wrk no more than equal ones.
"""

import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from loadtests.measurement.http_load import HttpLoad, Load

CONNECTIONS = 64
#: A request has no zero byte, so it separates them.
_SEPARATOR = b"\0"
_WARM_UP_SECONDS = 0.5
_SCRIPT = """
local requests, next = {{}}, 0
for line in io.open("{file}", "rb"):read("*a"):gmatch("[^%z]+") do
    requests[#requests + 1] = line
end
request = function()
    next = next % #requests + 1
    return requests[next]
end
"""
#: The pause before each request is random: with equal pauses all clients would send at the same moments.
_PAUSE = """
function delay()
    return math.random(0, {max_ms})
end
"""
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True, slots=True)
class Throughput:
    """Responses a second, their number, and the 50th and 99th percentile of their times, in seconds."""

    rate: float
    responses: int
    p50: float
    p99: float


def generator() -> str:
    """Return the name of the load generator."""
    return "wrk" if shutil.which("wrk") else "the benchmark's own (install wrk: this one is slower than the servers)"


def send_load(requests: Sequence[bytes], port: int, load: Load) -> Throughput:
    """Send the requests by turns, at the rate of the load or, if it has none, as fast as the server responds.

    To keep a rate, each client of wrk pauses after each response; the rate comes out a little lower. A response time
    starts when its request is sent; wrk adds the time that requests would have waited that were sent late for want of
    a response. Raises RuntimeError when the server responds with errors.
    """
    if shutil.which("wrk") is None:
        return _send_without_wrk(requests, port, load)
    max_pause_ms = round(2000 * load.connections / load.rate) if load.rate else 0
    with tempfile.TemporaryDirectory(prefix="load-generator-") as folder:
        script, file = Path(folder) / "requests.lua", Path(folder) / "requests"
        file.write_bytes(_SEPARATOR.join(requests))
        script.write_text(_SCRIPT.format(file=file) + (_PAUSE.format(max_ms=max_pause_ms) if max_pause_ms else ""))
        return _run_wrk(script, port, load)


def warm_up(requests: Sequence[bytes], port: int, connections: int = CONNECTIONS) -> None:
    """Send every request at least once, so that the server has met every client."""
    turns, sent = cycle(requests), 0
    load = HttpLoad(port, lambda: next(turns))
    while sent < len(requests):
        sent += load.run(Load(_WARM_UP_SECONDS, connections)).responses


def median(rounds: Sequence[Throughput]) -> Throughput:
    """Return the median of each value over the rounds."""
    return Throughput(
        statistics.median(measured.rate for measured in rounds),
        sum(measured.responses for measured in rounds),
        statistics.median(measured.p50 for measured in rounds),
        statistics.median(measured.p99 for measured in rounds),
    )


def _send_without_wrk(requests: Sequence[bytes], port: int, load: Load) -> Throughput:
    turns = cycle(requests)
    measured = HttpLoad(port, lambda: next(turns)).run(load)
    times = sorted(measured.times)
    return Throughput(measured.rate, len(times), times[len(times) // 2], times[len(times) * 99 // 100])


def _run_wrk(script: Path, port: int, load: Load) -> Throughput:
    arguments = ("wrk", "-t1", f"-c{load.connections}", f"-d{load.seconds:.0f}s", "--latency", "--timeout", "10s")
    output = subprocess.run(
        [*arguments, "-s", str(script), f"http://127.0.0.1:{port}/"], capture_output=True, text=True, check=True
    ).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(f"the server responded with errors: {output}")
    return Throughput(
        float(_match(r"Requests/sec:\s+([\d.]+)", output)),
        int(_match(r"(\d+) requests in", output)),
        _seconds(_match(r"(?m)^\s+50%\s+(\S+)", output)),
        _seconds(_match(r"(?m)^\s+99%\s+(\S+)", output)),
    )


def _match(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"the output of wrk is not understood: {text}")
    return match[1]


def _seconds(text: str) -> float:
    number, unit = _match(r"([\d.]+)", text), _match(r"([a-z]+)$", text)
    return float(number) * _UNITS[unit]
