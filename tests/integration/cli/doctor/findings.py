"""The findings of a check, as tests compare them."""

from collections.abc import Callable, Iterator

from cli.doctor.finding import Finding, Level
from cli.doctor.installation import Installation


def findings_of(
    check: Callable[[Installation], Iterator[Finding]], installation: Installation
) -> list[tuple[Level, str]]:
    """Return the levels and sentences of a check, after making sure that each problem has a remedy."""
    findings = list(check(installation))
    problems = [finding for finding in findings if finding.level in {Level.WARNING, Level.WRONG}]
    assert [problem for problem in problems if not problem.remedy] == []
    return [(finding.level, finding.sentence) for finding in findings]
