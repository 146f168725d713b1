"""Whether PostgreSQL answers, is new enough, and has the schema of this release."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, well, wrong
from deploy.doctor.installation import Installation, NotReachedError
from management_api.database.readiness import AWAY, DatabaseReadiness

#: The first with ON DELETE SET NULL of single columns.
_OLDEST = 150_000


def look_at_postgresql(installation: Installation) -> Iterator[Finding]:
    """Report on the server; every other check of PostgreSQL only says that it could not look."""
    try:
        with installation.postgresql() as cursor:
            cursor.execute("SELECT current_setting('server_version_num')::int, current_setting('server_version')")
            [(number, version)] = cursor.fetchall()
    except NotReachedError as error:
        yield wrong(str(error), "Start PostgreSQL, or correct ONBOARDING_DATABASE_URL.")
        return
    if number < _OLDEST:
        yield wrong(f"PostgreSQL is {version}, and 15 is the oldest that will do.", "Upgrade PostgreSQL.")
    else:
        yield well(f"PostgreSQL {version} answers.")
    with installation.database() as database:
        obstacle = DatabaseReadiness(database).obstacle()
    if obstacle is None:
        yield well("The database has a schema that serves this release.")
    elif obstacle != AWAY:
        yield wrong(f"{obstacle}.", "Run `onboarding migrate` of this release, or run the release that it is of.")
