"""The table of a run, as Markdown, and its place in the documentation."""

import os
import platform
import statistics
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from loadtests.management_benchmark.measuring import Comparison, Plan

BEGIN = "<!-- management benchmark: begin -->"
END = "<!-- management benchmark: end -->"
_PACKAGES = ("falcon", "gunicorn", "sqlalchemy", "psycopg", "orjson")


def table(compared: Sequence[Comparison]) -> str:
    """Give one line for each case."""
    lines = [
        (
            "| Request | ratio (lowest to highest round) | aim | requests/s: management, bare |"
            " processor ms a request: management, bare |"
            " p50/p99 ms at full load: management, bare | p50/p99 ms at half load: management, bare |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    lines.extend(_line(each) for each in compared)
    return "\n".join(lines)


def facts(plan: Plan, pinned: str, server_version: str) -> str:
    """Say what was run, and on what."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{plan.rounds} rounds of {plan.seconds:g} s for each service and request, by turns; one gunicorn worker with"
        f" {plan.threads} threads each; {os.cpu_count()} processors ({platform.machine()}), {pinned}; "
        f"Python {platform.python_version()}, PostgreSQL {server_version}, {packages}."
        f" Load generator: the benchmark's own, on raw sockets, {plan.threads * 2} keep-alive connections."
    )


def write_into(document: Path, section: str) -> None:
    """Replace what stands between the markers. Raises ValueError when the document has none."""
    text = document.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{document} has no {BEGIN} and {END}")
    document.write_text(f"{before}{BEGIN}\n{section}\n{END}{after}")


def command(plan: Plan) -> str:
    """Give the command that makes this run again."""
    options = f"--rounds {plan.rounds} --seconds {plan.seconds:g} --threads {plan.threads}"
    return f"make bench-management OPTIONS='{options}'"


def _line(compared: Comparison) -> str:
    ratios = compared.ratios
    management, bare = compared.management, compared.bare
    cells = [
        compared.case.name,
        f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f} to {max(ratios):.2f})",
        f"{compared.case.aim:.2f}",
        f"{management.rate:.0f}, {bare.rate:.0f}",
        f"{management.milliseconds_of_processor:.2f}, {bare.milliseconds_of_processor:.2f}",
        f"{_percentiles(management.full)}, {_percentiles(bare.full)}",
        f"{_percentiles(management.half)}, {_percentiles(bare.half)}",
    ]
    return f"| {' | '.join(cells)} |"


def _percentiles(times: Sequence[float]) -> str:
    """Give the 50th and the 99th, in milliseconds."""
    ordered = sorted(times)
    return "/".join(f"{ordered[int(len(ordered) * part)] * 1000:.1f}" for part in (0.5, 0.99))
