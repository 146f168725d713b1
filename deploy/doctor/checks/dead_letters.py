"""Whether there are events that PostgreSQL would not store."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, warning, well
from deploy.doctor.installation import Installation

_LETTERS = """
    SELECT split_part(reason, ':', 1) AS kind, count(*) FROM dead_letters
    WHERE replayed_at IS NULL GROUP BY kind ORDER BY count(*) DESC, kind
"""


def look_at_dead_letters(installation: Installation) -> Iterator[Finding]:
    """Report the letters by kind, but for those that are being replayed."""
    with installation.postgresql() as cursor:
        kinds = cursor.execute(_LETTERS).fetchall()
    if kinds:
        named = ", ".join(f"{kind}: {count}" for kind, count in kinds)
        yield warning(
            f"Some events could not be stored ({named}).",
            "See `onboarding events dead-letters list`; when the cause is mended, replay them with `onboarding events"
            " replay-dead-letters`.",
        )
    else:
        yield well("There are no dead letters.")
