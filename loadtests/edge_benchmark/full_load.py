"""As many requests as a server answers, or a part of them: by wrk where it is installed, else by our own generator."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from loadtests.edge_benchmark.cases import Case
from loadtests.management_benchmark.http_load import HttpLoad, Load

CONNECTIONS = 64
_SCRIPT = """
local requests, next = {{ {requests} }}, 0
request = function()
    next = next % #requests + 1
    return requests[next]
end
"""
#: So many milliseconds at most before each request: at random, or all clients would ask at the same moments.
_PAUSE = """
function delay()
    return math.random(0, {longest})
end
"""
_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True, slots=True)
class Throughput:
    """Answers a second, how many there were, and the times of the 50th and 99th of a hundred, in seconds."""

    rate: float
    answers: int
    p50: float
    p99: float


def generator() -> str:
    """Name what makes the load."""
    return (
        "wrk" if shutil.which("wrk") else "the benchmark's own (wrk is not installed, and this one is the slower side)"
    )


def load_fully(case: Case, path: str, port: int, seconds: int, connections: int = CONNECTIONS) -> Throughput:
    """Load a server for so long. Raises RuntimeError when it answers with errors."""
    if shutil.which("wrk") is None:
        return _by_ourselves(case, path, port, Load(seconds, connections))
    return _by_wrk(case, path, port, Load(seconds, connections))


def load_partly(case: Case, path: str, port: int, load: Load) -> Throughput:
    """Load a server at a rate, or a little below it: a client of wrk's pauses after each answer. Raises RuntimeError.

    Times of answers count from when the request was sent; wrk adds what the requests would have waited that it sent
    late for want of an answer.
    """
    if load.rate is None or shutil.which("wrk") is None:
        return _by_ourselves(case, path, port, load)
    pause = load.connections / load.rate * 1000
    return _by_wrk(case, path, port, load, longest_pause_ms=round(2 * pause))


def _by_ourselves(case: Case, path: str, port: int, load: Load) -> Throughput:
    requests = cycle(case.requests(path))
    measured = HttpLoad(port, lambda: next(requests)).run(load)
    times = sorted(measured.times)
    return Throughput(measured.rate, len(times), times[len(times) // 2], times[len(times) * 99 // 100])


def _by_wrk(case: Case, path: str, port: int, load: Load, longest_pause_ms: int = 0) -> Throughput:
    with tempfile.TemporaryDirectory(prefix="edge-benchmark-") as folder:
        file = Path(folder) / "requests.lua"
        script = _SCRIPT.format(requests=", ".join(_quoted(one) for one in case.requests(path)))
        file.write_text(script + (_PAUSE.format(longest=longest_pause_ms) if longest_pause_ms else ""))
        arguments = [
            "wrk",
            "-t1",
            f"-c{load.connections}",
            f"-d{load.seconds:.0f}s",
            "--latency",
            "--timeout",
            "10s",
            "-s",
            str(file),
        ]
        said = subprocess.run(
            [*arguments, f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True
        ).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(f"the server answered with errors: {said}")
    return Throughput(
        float(_found(r"Requests/sec:\s+([\d.]+)", said)),
        int(_found(r"(\d+) requests in", said)),
        _seconds(_found(r"(?m)^\s+50%\s+(\S+)", said)),
        _seconds(_found(r"(?m)^\s+99%\s+(\S+)", said)),
    )


def _quoted(request: bytes) -> str:
    return '"' + "".join(f"\\{byte:03}" if byte < 32 or byte in b'"\\' else chr(byte) for byte in request) + '"'  # noqa: PLR2004 - controls


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"wrk said nothing that is understood: {text}")
    return match[1]


def _seconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", text).groups()  # type: ignore[union-attr]  # wrk writes no other
    return float(number) * _UNITS[unit]
