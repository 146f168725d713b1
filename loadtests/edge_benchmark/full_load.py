"""As many requests as a server answers: by wrk where it is installed, else by our own generator."""

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
    wrk = shutil.which("wrk")
    if wrk is None:
        requests = cycle(case.requests(path))
        measured = HttpLoad(port, lambda: next(requests)).run(Load(seconds, connections))
        times = sorted(measured.times)
        return Throughput(measured.rate, len(times), times[len(times) // 2], times[len(times) * 99 // 100])
    with tempfile.TemporaryDirectory(prefix="edge-benchmark-") as folder:
        script = Path(folder) / "requests.lua"
        script.write_text(_SCRIPT.format(requests=", ".join(_quoted(one) for one in case.requests(path))))
        arguments = [wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script)]
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
