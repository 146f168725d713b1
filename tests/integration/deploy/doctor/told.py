"""What a check says, as a test compares it."""

from collections.abc import Callable, Iterator

from deploy.doctor.finding import Finding, Level
from deploy.doctor.installation import Installation


def told(look: Callable[[Installation], Iterator[Finding]], installation: Installation) -> list[tuple[Level, str]]:
    """Give the levels and sentences of a check; whatever is not well says what to do."""
    findings = list(look(installation))
    assert [each for each in findings if each.level in {Level.WARNING, Level.WRONG} and not each.remedy] == []
    return [(each.level, each.sentence) for each in findings]
