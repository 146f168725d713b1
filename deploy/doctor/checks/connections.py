"""Whether PostgreSQL has connections enough for the pools."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, warning, well, wrong
from deploy.doctor.installation import Installation

#: How many there may be and are: of the whole server, and of the database where that is limited.
_USE = """
    SELECT 'PostgreSQL', current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int,
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
    UNION ALL SELECT 'the database', datconnlimit,
        (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend')
    FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
"""
_SCARCE, _EXHAUSTED = 0.75, 0.9
_REMEDY = (
    "Raise max_connections (or the limit of the database), or lower ONBOARDING_DATABASE_POOL_SIZE or the number of"
    " workers: each worker of management takes its pool and one, a publisher two to three, a consumer seven."
)


def look_at_connections(installation: Installation) -> Iterator[Finding]:
    """Report how many connections there are, and how many are taken."""
    with installation.postgresql() as cursor:
        found = cursor.execute(_USE).fetchall()
    for whose, most, taken in found:
        sentence = f"{taken} of the {most} connections of {whose} {'is' if taken == 1 else 'are'} taken."
        if taken >= most * _EXHAUSTED:
            yield wrong(sentence, _REMEDY)
        elif taken >= most * _SCARCE:
            yield warning(sentence, _REMEDY)
        else:
            yield well(sentence)
