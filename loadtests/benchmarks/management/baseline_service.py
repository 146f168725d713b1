"""The baseline: a bare Falcon application on psycopg and orjson with the responses of the management service.

It authenticates, but it validates nothing, has only the errors of Falcon, logs nothing, and
has one caller with all roles. Reads run without a transaction block, each change in one. Served by:

    BARE_DATABASE_URL=... gunicorn -k gthread 'loadtests.benchmarks.management.baseline_service:application()'
"""

import hashlib
import os
import secrets
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import falcon
import orjson
from psycopg import Connection, Cursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads
from psycopg_pool import ConnectionPool

from loadtests.benchmarks.management import bare_statements as sql
from loadtests.benchmarks.management.bare_responses import (
    completion_rate,
    flow_members,
    format_time,
    project_item,
    project_members,
    settings_of,
    union,
)

Request = falcon.Request
Response = falcon.Response
Pool = ConnectionPool[Connection[DictRow]]
PAGE = 20


def application() -> falcon.App[Request, Response]:
    """Return the application with the settings of the environment."""
    return create_app(pool_of(os.environ["BARE_DATABASE_URL"], int(os.environ["BARE_POOL_SIZE"])))


def pool_of(database_url: str, size: int) -> Pool:
    """Open the connections; psycopg prepares repeated statements on the server."""
    kwargs = {"autocommit": True, "row_factory": dict_row}
    return ConnectionPool(
        database_url, min_size=size, max_size=size, kwargs=kwargs, configure=_read_json_fast, open=True
    )


def create_app(pool: Pool) -> falcon.App[Request, Response]:
    """Return the application."""
    app = falcon.App()
    app.add_route("/api/projects", Projects(pool))
    app.add_route("/api/projects/{project_id}", Project(pool))
    app.add_route("/api/flows", Flows(pool))
    app.add_route("/api/flows/{flow_id}", Flow(pool))
    return app


def _read_json_fast(connection: Connection[DictRow]) -> None:
    set_json_loads(orjson.loads, connection)


class BareResource:
    """The base of the four resources: the pool and the caller."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @contextmanager
    def reading(self, request: Request) -> Iterator[tuple[Cursor[DictRow], str]]:
        """Yield a cursor that commits each statement, and the id of the caller."""
        with self._pool.connection() as connection, connection.cursor() as cursor:
            yield cursor, _authenticated(cursor, request)

    @contextmanager
    def transaction(self, request: Request) -> Iterator[tuple[Cursor[DictRow], str]]:
        """Yield a cursor inside a transaction, and the id of the caller."""
        with self.reading(request) as (cursor, user_id), cursor.connection.transaction():
            yield cursor, user_id


class Projects(BareResource):
    """GET and POST /api/projects."""

    def on_get(self, request: Request, response: Response) -> None:
        """List the caller's projects."""
        page, limit = _page(request)
        with self.reading(request) as (cursor, user_id):
            total = _one(cursor, sql.COUNT_PROJECTS, user_id)["count"]
            rows = cursor.execute(sql.LIST_PROJECTS, [user_id, limit, (page - 1) * limit]).fetchall()
        _respond(response, [project_item(row) for row in rows], _pagination(page, limit, total))

    def on_post(self, request: Request, response: Response) -> None:
        """Create a project."""
        body = orjson.loads(request.bounded_stream.read())
        project_id = _new_id("proj")
        with self.transaction(request) as (cursor, user_id):
            settings = {"platforms": ["ios", "android"], "default_flow_id": None, "analytics_enabled": True}
            entry = _entry(project_id, user_id, "project", project_id, {**body, **settings, "custom_domain": None})
            values = [project_id, body["name"], body["description"], settings["platforms"], b"sealed"]
            created = _one(cursor, sql.MAKE_PROJECT, *entry, *values)
            entry = _entry(project_id, user_id, "member", user_id, {"role": "owner"})
            _one(cursor, sql.MAKE_MEMBER, *entry, project_id, user_id)
            key_id = _new_id("key")
            entry = _entry(project_id, user_id, "secret_key", key_id, {"expires_at": None})
            _one(cursor, sql.MAKE_SECRET_KEY, *entry, key_id, project_id, secrets.token_bytes(32), b"sealed")
            _one(cursor, sql.MAKE_PUBLICATION, project_id)
            _one(cursor, sql.LOCK_USER, user_id)
            _one(cursor, sql.COUNT_OWNED, user_id)
        response.status = falcon.HTTP_CREATED
        data = {
            "id": project_id,
            "name": body["name"],
            "description": body["description"],
            "created_at": format_time(created["created_at"]),
            "updated_at": format_time(created["updated_at"]),
            "settings": settings,
            "api_keys": {"project_id": project_id, "public_key": secrets.token_hex(20)},
        }
        _respond(response, data)


class Project(BareResource):
    """GET and PUT /api/projects/{project_id}."""

    def on_get(self, request: Request, response: Response, project_id: str) -> None:
        """Read a project with its statistics."""
        with self.reading(request) as (cursor, user_id):
            project = _one(cursor, sql.READ_PROJECT, datetime.now(UTC).date(), project_id, user_id)
        rollups = zip(project["flow_ids"], project["event_types"], project["sets"], strict=True)
        counts = {name: project[name] for name in ("total_flows", "active_flows", "total_users")}
        seen = len(union(project["seen_today"]))
        stats = {**counts, "users_today": seen, "completion_rate": completion_rate(rollups)}
        api_keys = {"project_id": project_id, "public_key": project["public_key_sealed"].hex()}
        data = {**project_members(project), "settings": settings_of(project), "stats": stats, "api_keys": api_keys}
        _respond(response, data)

    def on_put(self, request: Request, response: Response, project_id: str) -> None:
        """Change a project's name and description."""
        body = orjson.loads(request.bounded_stream.read())
        with self.transaction(request) as (cursor, user_id):
            project = _one(cursor, sql.LOCK_PROJECT, project_id, user_id)
            before = {"name": project["name"], "description": project["description"]}
            entry = _entry(project_id, user_id, "project", project_id, body, before)
            changed = _one(cursor, sql.CHANGE_PROJECT, *entry, body["name"], body["description"], project_id)
        data = {
            "id": project_id,
            **body,
            "updated_at": format_time(changed["updated_at"]),
            "settings": settings_of(project),
        }
        _respond(response, data)


class Flows(BareResource):
    """GET and POST /api/flows."""

    def on_get(self, request: Request, response: Response) -> None:
        """List the flows of a project."""
        page, limit = _page(request)
        project_id = request.get_param("projectId")
        with self.reading(request) as (cursor, user_id):
            _one(cursor, sql.ROLE, project_id, user_id)
            total = _one(cursor, sql.COUNT_FLOWS, project_id)["count"]
            rows = cursor.execute(sql.LIST_FLOWS, [project_id, limit, (page - 1) * limit]).fetchall()
        _respond(response, [flow_members(row) for row in rows], _pagination(page, limit, total))

    def on_post(self, request: Request, response: Response) -> None:
        """Create a flow without screens."""
        body = orjson.loads(request.bounded_stream.read())
        project_id, flow_id = body["projectId"], _new_id("flow")
        with self.transaction(request) as (cursor, user_id):
            _one(cursor, sql.LOCK_PROJECT, project_id, user_id)
            _one(cursor, sql.COUNT_OF_PROJECT, project_id)
            columns = {name: body[name] for name in ("name", "description", "status", "priority")}
            after = {**columns, "theme_id": None, "rollout_buckets": 10_000, "conditions": []}
            values = [flow_id, project_id, *columns.values(), 10_000, "[]"]
            entry = _entry(project_id, user_id, "flow", flow_id, after)
            created = _one(cursor, sql.MAKE_FLOW, *entry, *values)
            _one(cursor, sql.MAKE_VERSION, "created", user_id, flow_id)
        response.status = falcon.HTTP_CREATED
        stats: dict[str, Any] = {"is_default": False, "views": 0, "started": [], "completed": [], "screens": None}
        _respond(response, flow_members({**created, **stats}))


class Flow(BareResource):
    """GET and PUT /api/flows/{flow_id}."""

    def on_get(self, request: Request, response: Response, flow_id: str) -> None:
        """Read a flow with its screens."""
        with self.reading(request) as (cursor, user_id):
            row = _one(cursor, sql.READ_FLOW, flow_id, user_id)
        _respond(response, flow_members(row))

    def on_put(self, request: Request, response: Response, flow_id: str) -> None:
        """Change a flow's name, description and priority."""
        body = orjson.loads(request.bounded_stream.read())
        with self.transaction(request) as (cursor, user_id):
            flow = _one(cursor, sql.LOCK_FLOW, flow_id, user_id)
            before = {name: flow[name] for name in ("name", "description", "priority")}
            entry = _entry(flow["project_id"], user_id, "flow", flow_id, body, before)
            _one(cursor, sql.CHANGE_FLOW, *entry, body["name"], body["description"], body["priority"], flow_id)
            newest = _one(cursor, sql.NEWEST_VERSION, user_id, flow_id)
            if newest["is_replaceable"] and not newest["is_live"]:
                cursor.execute(sql.REPLACE_VERSION, (flow_id, newest["number"]))
            elif not newest["is_live"]:
                _one(cursor, sql.MAKE_VERSION, "direct", user_id, flow_id)
            changed = _one(cursor, sql.CHANGED_FLOW, flow_id)
        _respond(response, flow_members(changed))


def _authenticated(cursor: Cursor[DictRow], request: Request) -> str:
    key = (request.auth or "").removeprefix("Bearer ")
    user_id: str = _one(cursor, sql.USER_OF_KEY, hashlib.sha256(key.encode()).digest())["user_id"]
    return user_id


def _one(cursor: Cursor[DictRow], statement: str, *values: object) -> DictRow:
    row = cursor.execute(statement, values).fetchone()
    if row is None:
        raise falcon.HTTPNotFound
    return row


def _entry(
    project_id: str,
    user_id: str,
    entity: str,
    entity_id: str,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> list[str | None]:
    """Return the values of an entry in the audit log, in the order of its columns."""
    action = f"{entity}.{'create' if before is None else 'update'}"
    former = None if before is None else orjson.dumps(before).decode()
    return [_new_id("audit"), project_id, user_id, action, entity, entity_id, former, orjson.dumps(after).decode()]


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex}"


def _page(request: Request) -> tuple[int, int]:
    return request.get_param_as_int("page", default=1), request.get_param_as_int("limit", default=PAGE)


def _pagination(page: int, limit: int, total: int) -> dict[str, int]:
    return {"page": page, "limit": limit, "total": total, "totalPages": -(-total // limit)}


def _respond(response: Response, data: object, pagination: dict[str, int] | None = None) -> None:
    document = {"success": True, "data": data}
    if pagination is not None:
        document["pagination"] = pagination
    response.content_type = falcon.MEDIA_JSON
    response.data = orjson.dumps(document)
