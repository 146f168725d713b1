"""The results of a check, as tests compare them."""

from collections.abc import Callable, Iterator

from cli.doctor.installation import Installation
from cli.doctor.result import Level, Result


def results_of(
    check: Callable[[Installation], Iterator[Result]], installation: Installation
) -> list[tuple[Level, str]]:
    """Return the levels and sentences of a check, after making sure that each problem has a remedy."""
    results = list(check(installation))
    problems = [result for result in results if result.level in {Level.WARNING, Level.ERROR}]
    assert [problem for problem in problems if not problem.remedy] == []
    return [(result.level, result.message) for result in results]
