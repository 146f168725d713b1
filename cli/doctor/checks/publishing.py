"""Changes between the database and the edges: publishers, the outbox, snapshots in Redis."""

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from redis import Redis
from redis.exceptions import NoPermissionError

from cli.console import plural
from cli.doctor.installation import Installation, UnreachableError, get_status
from cli.doctor.result import Result
from common.wire.page_assets import PageAssetError, decode_manifest
from common.wire.redis_keys import INSTALLATION, PAGE_ASSETS, SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import CONTENT_VERSION
from management_api.db.models.outbox import NOTIFY_CHANNEL
from publisher.snapshot_store import SnapshotStore

_WAITING = """
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(updated_at)), 0)::float8
    FROM publications WHERE published_revision < wanted_revision
"""
#: The connection with which a publisher listens runs no other statement.
_LISTENING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = %s
"""
_OK = 200
#: A publisher takes a fraction of a second, and retries a failed project every 30 s.
_LONG_SECONDS = 30


def check_publishers(installation: Installation) -> Iterator[Result]:
    """Check the outbox and the number of publishers."""
    with installation.postgresql() as cursor:
        [(waiting, oldest_seconds)] = cursor.execute(_WAITING).fetchall()
        [(publishers,)] = cursor.execute(_LISTENING, [f"LISTEN {NOTIFY_CHANNEL}"]).fetchall()
    projects = plural(waiting, "project waits", "projects wait")
    backlog = f"{projects} to be published, the oldest change for {oldest_seconds:.0f} s."
    is_late = waiting > 0 and oldest_seconds > _LONG_SECONDS
    if not publishers:
        sentence = f"No publisher listens to the database. {backlog if waiting else 'Nothing waits.'}"
        remedy = "Start `onboarding publisher`; its log says `publisher.outage` where it cannot reach a server."
        yield Result.error(sentence, remedy) if is_late else Result.warning(sentence, remedy)
    elif is_late:
        yield Result.error(
            backlog,
            "Read the log of the publisher: `publication.failed` names a project that cannot be published (a wrong"
            " master key is `InvalidTag`), `publisher.outage` an unreachable server.",
        )
    else:
        listening = plural(publishers, "publisher listens", "publishers listen")
        yield Result.ok(f"{listening}. {backlog if waiting else 'Nothing waits.'}")


_OVERDUE = """
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float8
    FROM flow_schedules WHERE state = 'pending' AND run_at < clock_timestamp()
"""


def check_schedules(installation: Installation) -> Iterator[Result]:
    """Check that scheduled changes of flows run at their time."""
    with installation.postgresql() as cursor:
        [(overdue, oldest_seconds)] = cursor.execute(_OVERDUE).fetchall()
    if oldest_seconds > _LONG_SECONDS:
        schedules = plural(overdue, "schedule is", "schedules are")
        yield Result.error(
            f"{schedules} overdue, the oldest by {oldest_seconds:.0f} s.",
            "The publisher runs schedules: start one, or look for `schedule.defect` in its log.",
        )
    else:
        yield Result.ok("No schedule is overdue.")


#: The number of projects of each kind: the projects that changed last, and projects behind a random offset.
_SAMPLE = 100
_SHOWN = 3
_LATEST = """
    SELECT project_id, published_revision FROM publications
    WHERE published_revision > 0 AND NOT deleted ORDER BY updated_at DESC LIMIT %s
"""
_SOMEWHERE = """
    SELECT project_id, published_revision FROM publications
    WHERE published_revision > 0 AND NOT deleted ORDER BY project_id LIMIT %s
    OFFSET (SELECT floor(random() * greatest(reltuples, 0))::bigint FROM pg_class WHERE oid = 'publications'::regclass)
"""
_PUBLISHED = "SELECT project_id FROM publications WHERE project_id = ANY(%s)"
_INSTALLATION = "SELECT id FROM installation"
_REMEDY = "Run `onboarding snapshots rebuild`; edges take the snapshots over by themselves."


def check_snapshots(installation: Installation) -> Iterator[Result]:
    """Compare the revisions in Redis with the published ones."""
    with installation.postgresql() as cursor:
        published = dict(cursor.execute(_LATEST, [_SAMPLE]).fetchall())
        published |= dict(cursor.execute(_SOMEWHERE, [_SAMPLE]).fetchall())
        [(own_id,)] = cursor.execute(_INSTALLATION).fetchall()
        with installation.redis() as client:
            owner: Any = client.get(INSTALLATION)
            if owner not in {None, own_id.encode()}:
                yield Result.error(
                    "Redis has the snapshots of another database, so publishers of this one write nothing.",
                    "Compare ONBOARDING_DATABASE_URL and ONBOARDING_REDIS_URL. If this is the right Redis, run"
                    " `onboarding snapshots rebuild --adopt-redis`, which deletes the snapshots of other projects.",
                )
                return
            stored = _revisions(client, list(published))
            written = client.get(SNAPSHOT_FORMAT)
            orphans = _orphans(client, cursor)
    if written != str(CONTENT_VERSION).encode():
        yield Result.error(
            "Redis does not have all snapshots in the format of this release: it has lost its data, or the publisher is"
            " of another release.",
            "Start the publisher of this release; it publishes everything by itself.",
        )
    missing = [project for project in published if stored[project] is None]
    older = [project for project, revision in stored.items() if revision is not None and revision < published[project]]
    if missing:
        yield Result.error(f"Redis lacks the published snapshot of {_named(missing)}.", _REMEDY)
    if older:
        yield Result.error(f"Redis has an older snapshot than the published one of {_named(older)}.", _REMEDY)
    if orphans is None:
        yield Result.not_checked(
            "The user of Redis may not SCAN, so snapshots without a project were not searched for."
        )
    elif orphans:
        projects = plural(len(orphans), "project", "projects")
        yield Result.error(
            f"Redis has snapshots of {projects} that the database does not have: {_named(orphans)}. Edges serve them.",
            "If this is the right database, it was restored to an earlier moment: run `onboarding snapshots rebuild`.",
        )
    if not missing and not older and not orphans:
        sample = plural(len(published), "project in the sample", "projects in the sample")
        yield Result.ok(f"Redis has the published snapshot of {sample}.")


def check_pages(installation: Installation) -> Iterator[Result]:
    """Check that the assets of hosted pages are published, and that the public URL leads to an edge."""
    with installation.redis() as client:
        stored: Any = client.get(PAGE_ASSETS)
    try:
        manifest = None if stored is None else decode_manifest(stored)
    except PageAssetError:
        manifest = None
    if manifest is None:
        yield Result.warning(
            "The assets of hosted pages are not published; pages are answered 503.",
            "Start a publisher of a wheel or an image of this release, which contain them.",
        )
        return
    url = installation.settings.edge_public_url
    if url is None:
        yield Result.ok("The assets of hosted pages are published. ONBOARDING_EDGE_PUBLIC_URL is not set here.")
        return
    try:
        status = get_status(url, f"/onboarding/assets/{manifest.js}")
    except UnreachableError as error:
        yield Result.warning(
            f"Hosted pages: {error}", "Correct ONBOARDING_EDGE_PUBLIC_URL, or run this where the URL can be reached."
        )
        return
    if status != _OK:
        yield Result.error(
            f"{url} answers {status} for an asset of hosted pages.",
            "Let the proxy in front send /s/, /onboarding/ and /api/global-config to the edge.",
        )
        return
    yield Result.ok(f"Hosted pages can be loaded at {url}.")


def _revisions(client: Redis, projects: Sequence[str]) -> dict[str, int | None]:
    with client.pipeline(transaction=False) as pipeline:
        for project in projects:
            pipeline.hget(snapshot_key(project), "revision")
        found = pipeline.execute() if projects else []
    revisions = (None if revision is None else int(revision) for revision in found)
    return dict(zip(projects, revisions, strict=True))


def _orphans(client: Redis, cursor: psycopg.Cursor[tuple[Any, ...]]) -> list[str] | None:
    """Return the projects of snapshots without a publication, None where the user may not execute SCAN."""

    def published(project_ids: Sequence[str]) -> set[str]:
        return {project for (project,) in cursor.execute(_PUBLISHED, [list(project_ids)]).fetchall()}

    try:
        return [project for page in SnapshotStore(client).orphans(published) for project, _ in page]
    except NoPermissionError:
        return None


def _named(projects: Sequence[str]) -> str:
    more = f" and {len(projects) - _SHOWN} more" if len(projects) > _SHOWN else ""
    return f"{', '.join(projects[:_SHOWN])}{more}"
