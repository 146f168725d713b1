"""PostgreSQL: reachable, new enough, with the schema of this release and enough connections."""

from collections.abc import Iterator

from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.result import Result
from management_api.db.health import UNAVAILABLE, DatabaseReadiness

#: The first version with ON DELETE SET NULL for single columns.
_OLDEST = 150_000


def check_postgresql(installation: Installation) -> Iterator[Result]:
    """Check the version and the schema."""
    try:
        with installation.postgresql() as cursor:
            cursor.execute("SELECT current_setting('server_version_num')::int, current_setting('server_version')")
            [(number, version)] = cursor.fetchall()
    except UnreachableError as error:
        yield Result.error(str(error), "Start PostgreSQL, or correct ONBOARDING_DATABASE_URL.")
        return
    if number < _OLDEST:
        yield Result.error(f"PostgreSQL is {version}, and 15 is the oldest supported version.", "Upgrade PostgreSQL.")
    else:
        yield Result.ok(f"PostgreSQL {version} answers.")
    with installation.database() as database:
        problem = DatabaseReadiness(database).problem()
    if problem is None:
        yield Result.ok("The database has a schema that serves this release.")
    elif problem != UNAVAILABLE:
        yield Result.error(
            f"{problem}.", "Run `onboarding migrate` of this release, or run the release that the schema is of."
        )


#: The limit and the number of connections, of the server and, where it has a limit, of the database.
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


def check_connections(installation: Installation) -> Iterator[Result]:
    """Check the number of free connections."""
    with installation.postgresql() as cursor:
        found = cursor.execute(_USE).fetchall()
    for owner, limit, taken in found:
        sentence = f"{taken} of the {limit} connections of {owner} {'is' if taken == 1 else 'are'} taken."
        if taken >= limit * _EXHAUSTED:
            yield Result.error(sentence, _REMEDY)
        elif taken >= limit * _SCARCE:
            yield Result.warning(sentence, _REMEDY)
        else:
            yield Result.ok(sentence)
