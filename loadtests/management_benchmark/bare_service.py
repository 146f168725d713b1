"""The yardstick: a bare Falcon application on psycopg and orjson that answers like the management service.

It authenticates, because any real service must; it validates nothing, has no errors but Falcon's, logs nothing, and
knows one caller with every right. Reads run without a transaction block, each change in one. Served by:

    BARE_DATABASE_URL=... gunicorn --worker-class gthread 'loadtests.management_benchmark.bare_service:application()'
"""

import hashlib
import os
import secrets
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import falcon
import orjson
from psycopg import Connection, Cursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb
from psycopg_pool import ConnectionPool
from pyroaring import BitMap

from loadtests.management_benchmark import bare_statements as sql

Request = falcon.Request
Response = falcon.Response
Pool = ConnectionPool[Connection[DictRow]]
PAGE = 20


def application() -> falcon.App[Request, Response]:
    """Make the application from the environment."""
    pool: Pool = ConnectionPool(
        os.environ["BARE_DATABASE_URL"],
        min_size=int(os.environ["BARE_POOL_SIZE"]),
        max_size=int(os.environ["BARE_POOL_SIZE"]),
        kwargs={"autocommit": True, "row_factory": dict_row},
        open=True,
    )
    app = falcon.App()
    app.add_route("/api/projects", Projects(pool))
    app.add_route("/api/projects/{project_id}", Project(pool))
    app.add_route("/api/flows", Flows(pool))
    app.add_route("/api/flows/{flow_id}", Flow(pool))
    return app


class Bare:
    """What the four resources share: a pool, the caller, and the envelope."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @contextmanager
    def reading(self, request: Request) -> Iterator[tuple[Cursor[DictRow], str]]:
        """Give a cursor that commits each statement, and the id of the caller."""
        with self._pool.connection() as connection, connection.cursor() as cursor:
            yield cursor, _authenticated(cursor, request)

    @contextmanager
    def changing(self, request: Request) -> Iterator[tuple[Cursor[DictRow], str]]:
        """Give a cursor inside a transaction, and the id of the caller."""
        with self.reading(request) as (cursor, user_id), cursor.connection.transaction():
            yield cursor, user_id


class Projects(Bare):
    """GET and POST /api/projects."""

    def on_get(self, request: Request, response: Response) -> None:
        """List the caller's projects."""
        page, limit = _page(request)
        with self.reading(request) as (cursor, user_id):
            total = _one(cursor, sql.COUNT_PROJECTS, user_id)["count"]
            rows = cursor.execute(sql.LIST_PROJECTS, [user_id, limit, (page - 1) * limit]).fetchall()
        _answer(response, [_listed_project(row) for row in rows], _pagination(page, limit, total))

    def on_post(self, request: Request, response: Response) -> None:
        """Make a project."""
        body = orjson.loads(request.bounded_stream.read())
        project_id = _new_id("proj")
        with self.changing(request) as (cursor, user_id):
            cursor.execute(sql.LOCK_USER, [user_id])
            _one(cursor, sql.COUNT_OWNED, user_id)
            made = _one(
                cursor, sql.MAKE_PROJECT, project_id, body["name"], body["description"], ["ios", "android"], b"sealed"
            )
            _audit(cursor, project_id, user_id, "project", project_id, body)
            cursor.execute(sql.MAKE_MEMBER, [project_id, user_id])
            cursor.execute(sql.MAKE_PUBLICATION, [project_id])
            _audit(cursor, project_id, user_id, "member", user_id, {"role": "owner"})
            key_id = _new_id("key")
            cursor.execute(sql.MAKE_SECRET_KEY, [key_id, project_id, secrets.token_bytes(32), b"sealed"])
            _audit(cursor, project_id, user_id, "secret_key", key_id, {"expires_at": None})
            cursor.execute(sql.WAKE_PUBLISHER)
        response.status = falcon.HTTP_CREATED
        settings = {"platforms": ["ios", "android"], "default_flow_id": None, "analytics_enabled": True}
        shown = {
            "id": project_id,
            "name": body["name"],
            "description": body["description"],
            "created_at": _moment(made["created_at"]),
            "updated_at": _moment(made["updated_at"]),
            "settings": settings,
            "api_keys": {"project_id": project_id, "public_key": secrets.token_hex(20)},
        }
        _answer(response, shown)


class Project(Bare):
    """GET and PUT /api/projects/{project_id}."""

    def on_get(self, request: Request, response: Response, project_id: str) -> None:
        """Read a project with its figures."""
        with self.reading(request) as (cursor, user_id):
            project = _one(cursor, sql.READ_PROJECT, project_id, user_id)
            figures = _one(cursor, sql.FIGURES, datetime.now(UTC).date(), project_id)
        cells = zip(figures.pop("flow_ids"), figures.pop("event_types"), figures.pop("sets"), strict=True)
        seen = len(_united(figures.pop("seen_today")))
        stats = {**figures, "users_today": seen, "completion_rate": _rate(cells)}
        api_keys = {"project_id": project_id, "public_key": project["public_key_sealed"].hex()}
        shown = {**_project(project), "settings": _settings(project), "stats": stats, "api_keys": api_keys}
        _answer(response, shown)

    def on_put(self, request: Request, response: Response, project_id: str) -> None:
        """Change a project's name and description."""
        body = orjson.loads(request.bounded_stream.read())
        with self.changing(request) as (cursor, user_id):
            project = _one(cursor, sql.LOCK_PROJECT, project_id, user_id)
            cursor.execute(sql.REQUEST_PUBLICATION, [project_id])
            before = {"name": project["name"], "description": project["description"]}
            changed = _one(cursor, sql.CHANGE_PROJECT, body["name"], body["description"], project_id)
            _audit(cursor, project_id, user_id, "project", project_id, body, before)
        shown = {"id": project_id, **body, "updated_at": _moment(changed["updated_at"]), "settings": _settings(project)}
        _answer(response, shown)


class Flows(Bare):
    """GET and POST /api/flows."""

    def on_get(self, request: Request, response: Response) -> None:
        """List the flows of a project."""
        page, limit = _page(request)
        project_id = request.get_param("projectId")
        with self.reading(request) as (cursor, user_id):
            _one(cursor, sql.READ_PROJECT, project_id, user_id)
            total = _one(cursor, sql.COUNT_FLOWS, project_id)["count"]
            rows = cursor.execute(sql.LIST_FLOWS, [project_id, limit, (page - 1) * limit]).fetchall()
            shown = _whole_flows(cursor, rows, sql.SCREENS)
        _answer(response, shown, _pagination(page, limit, total))

    def on_post(self, request: Request, response: Response) -> None:
        """Make a flow without screens."""
        body = orjson.loads(request.bounded_stream.read())
        project_id, flow_id = body["projectId"], _new_id("flow")
        with self.changing(request) as (cursor, user_id):
            _one(cursor, sql.LOCK_PROJECT, project_id, user_id)
            cursor.execute(sql.REQUEST_PUBLICATION, [project_id])
            _one(cursor, sql.COUNT_FLOWS, project_id)
            values = [flow_id, project_id, body["name"], body["description"], body["status"], body["priority"], 10_000]
            cursor.execute(sql.MAKE_FLOW, [*values, Jsonb([])])
            _audit(cursor, project_id, user_id, "flow", flow_id, body)
            changed = _one(cursor, sql.CHANGED_FLOW, flow_id)
            shown = _whole_flows(cursor, [changed], sql.SCREENS)[0]
        response.status = falcon.HTTP_CREATED
        _answer(response, shown)


class Flow(Bare):
    """GET and PUT /api/flows/{flow_id}."""

    def on_get(self, request: Request, response: Response, flow_id: str) -> None:
        """Read a flow with its screens."""
        with self.reading(request) as (cursor, user_id):
            row = _one(cursor, sql.READ_FLOW, flow_id, user_id)
            shown = _whole_flows(cursor, [row], sql.SCREENS_WITH_CONTENT)[0]
        _answer(response, shown)

    def on_put(self, request: Request, response: Response, flow_id: str) -> None:
        """Change a flow's name, description and priority."""
        body = orjson.loads(request.bounded_stream.read())
        with self.changing(request) as (cursor, user_id):
            project_id = _one(cursor, sql.PROJECT_OF_FLOW, flow_id)["project_id"]
            _one(cursor, sql.LOCK_PROJECT, project_id, user_id)
            before = _one(cursor, sql.LOCKED_FLOW, flow_id)
            cursor.execute(sql.REQUEST_PUBLICATION, [project_id])
            cursor.execute(sql.CHANGE_FLOW, [body["name"], body["description"], body["priority"], flow_id])
            changed = {name: before[name] for name in ("name", "description", "priority")}
            _audit(cursor, project_id, user_id, "flow", flow_id, body, changed)
            shown = _whole_flows(cursor, [_one(cursor, sql.CHANGED_FLOW, flow_id)], sql.SCREENS)[0]
        _answer(response, shown)


def _authenticated(cursor: Cursor[DictRow], request: Request) -> str:
    key = (request.auth or "").removeprefix("Bearer ")
    user_id: str = _one(cursor, sql.USER_OF_KEY, hashlib.sha256(key.encode()).digest())["user_id"]
    return user_id


def _one(cursor: Cursor[DictRow], statement: str, *values: object) -> DictRow:
    row = cursor.execute(statement, values).fetchone()
    if row is None:
        raise falcon.HTTPNotFound
    return row


def _audit(
    cursor: Cursor[DictRow],
    project_id: str,
    user_id: str,
    entity: str,
    entity_id: str,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
) -> None:
    action = f"{entity}.{'create' if before is None else 'update'}"
    shown = None if before is None else Jsonb(before)
    cursor.execute(sql.AUDIT, [_new_id("audit"), project_id, user_id, action, entity, entity_id, shown, Jsonb(after)])


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex}"


def _page(request: Request) -> tuple[int, int]:
    return request.get_param_as_int("page", default=1), request.get_param_as_int("limit", default=PAGE)


def _pagination(page: int, limit: int, total: int) -> dict[str, int]:
    return {"page": page, "limit": limit, "total": total, "totalPages": -(-total // limit)}


def _answer(response: Response, data: object, pagination: dict[str, int] | None = None) -> None:
    document = {"success": True, "data": data}
    if pagination is not None:
        document["pagination"] = pagination
    response.content_type = falcon.MEDIA_JSON
    response.data = orjson.dumps(document)


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _project(row: DictRow) -> dict[str, Any]:
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "created_at": _moment(row["created_at"]),
        "updated_at": _moment(row["updated_at"]),
    }


def _listed_project(row: DictRow) -> dict[str, Any]:
    stats = {name: row[name] for name in ("total_flows", "active_flows", "total_users")}
    settings = {"platforms": row["platforms"], "default_flow_id": row["default_flow_id"]}
    return {**_project(row), "settings": settings, "stats": stats}


def _settings(row: DictRow) -> dict[str, Any]:
    return {name: row[name] for name in ("platforms", "default_flow_id", "analytics_enabled", "custom_domain")}


def _whole_flows(cursor: Cursor[DictRow], rows: Sequence[DictRow], screens_statement: str) -> list[dict[str, Any]]:
    ids = [row["id"] for row in rows]
    screens: defaultdict[str, list[DictRow]] = defaultdict(list)
    for screen in cursor.execute(screens_statement, [ids]):
        screens[screen.pop("flow_id")].append(screen)
    return [_flow(row, screens[row["id"]]) for row in rows]


def _flow(row: DictRow, screens: Sequence[DictRow]) -> dict[str, Any]:
    started = _united(row["started"])
    rate = len(started & _united(row["completed"])) / len(started) if started else 0.0
    whole, rest = divmod(row["rollout_buckets"], 100)
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "name": row["name"],
        "description": row["description"],
        "status": row["status"],
        "is_default": row["is_default"],
        "theme_id": row["theme_id"],
        "priority": row["priority"],
        "targeting": {"percentage": row["rollout_buckets"] / 100 if rest else whole, "conditions": row["conditions"]},
        "screens": screens,
        "stats": {"total_views": row["views"], "completion_rate": rate},
        "created_at": _moment(row["created_at"]),
        "updated_at": _moment(row["updated_at"]),
    }


def _united(sets: list[bytes]) -> BitMap:
    return BitMap.union(*map(BitMap.deserialize, sets)) if sets else BitMap()


def _rate(cells: Iterable[tuple[str, str, bytes]]) -> float:
    flows: dict[str, dict[str, BitMap]] = {}
    for flow_id, event_type, devices in cells:
        sets = flows.setdefault(flow_id, {"flow_started": BitMap(), "flow_completed": BitMap()})
        sets[event_type] |= BitMap.deserialize(devices)
    started, completed = BitMap(), BitMap()
    for sets in flows.values():
        started |= sets["flow_started"]
        completed |= sets["flow_started"] & sets["flow_completed"]
    return len(completed) / len(started) if started else 0.0
