"""Writes hundreds of thousands of projects into PostgreSQL by COPY.

The rows are those of the management service, encrypted keys included. Only users, members and audit entries are left
out. The resolves of the benchmark prove that the rows are right.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import orjson
import psycopg
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from loadtests.benchmarks.scale.numbered_ids import numbered_id

_MOST_FLOWS = 1000
_CHUNK = 2000
_NONCE_BYTES = 12
_PLATFORMS = "{ios,android}"
_TYPES = ("welcome", "feature", "permissions")
SCREENS = len(_TYPES)
_ALL_BUCKETS = 10_000
_CONDITIONS = orjson.dumps([{"attribute": "appVersion", "operator": "semver_gte", "value": "9.0.0"}]).decode()
_CONTENT = {
    "title": "Welcome to {name}",
    "subtitle": "Everything that you need for a good start, in less than a minute",
    "button": "Continue",
    "image": "https://images.example/onboarding/{name}.png",
}
_COLORS = orjson.dumps({"primary": "#3355ff", "background": "#ffffff", "text": "#111827"}).decode()
_TYPOGRAPHY = orjson.dumps({"headline": {"fontFamily": "system-ui", "fontSize": 28}, "body": {"fontSize": 16}}).decode()
_RADIUS = orjson.dumps({"button": 12, "card": 16}).decode()
_COPIES = (
    "COPY projects (id, name, platforms, public_key_sealed) FROM STDIN",
    "COPY secret_keys (id, project_id, digest, sealed) FROM STDIN",
    "COPY themes (id, project_id, name, is_default, colors, typography, border_radius) FROM STDIN",
    "COPY flows (id, project_id, name, status, priority, rollout_buckets, conditions) FROM STDIN",
    'COPY screens (id, flow_id, project_id, type, name, "order", content) FROM STDIN',
)
_NAME_DEFAULT_FLOWS = (
    "UPDATE projects SET default_flow_id = made.flow_id"
    " FROM unnest(%s::text[], %s::text[]) AS made (project_id, flow_id) WHERE id = made.project_id"
)
_REQUEST_PUBLICATION = "INSERT INTO publications (project_id) SELECT unnest(%s::text[])"
_NOTIFY_PUBLISHER = "NOTIFY publications"

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SyntheticProject:
    """The credentials and flows of one project."""

    number: int
    flows: int

    @property
    def project_id(self) -> str:
        """The project's id."""
        return numbered_id("proj", self.number)

    @property
    def secret_key(self) -> str:
        """The secret key of the project, in the format of secret keys but without a valid checksum."""
        return f"obk_sk_{hashlib.sha256(self.project_id.encode()).hexdigest()[:36]}"

    @property
    def flow_numbers(self) -> range:
        """The numbers of its flows, the default one first."""
        return range(self.number * _MOST_FLOWS, self.number * _MOST_FLOWS + self.flows)


class ProjectMaker:
    """Writes projects for a service with this master key (base64)."""

    def __init__(self, database_url: str, master_key: str) -> None:
        self._database_url = database_url
        raw = base64.b64decode(master_key)
        sealing = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"onboarding/key-sealing/1").derive(raw)
        self._cipher = AESGCM(sealing)

    def make(self, projects: Iterable[SyntheticProject]) -> Iterator[int]:
        """Write the projects, chunk by chunk, and yield the number written so far. Publishes nothing."""
        made, rest = 0, iter(projects)
        with psycopg.connect(self._database_url) as connection:
            while chunk := list(islice(rest, _CHUNK)):
                self._make_chunk(connection, chunk)
                connection.commit()
                made += len(chunk)
                yield made
            connection.autocommit = True
            connection.execute("VACUUM ANALYZE")

    def _make_chunk(self, connection: psycopg.Connection, chunk: list[SyntheticProject]) -> None:
        for statement, rows in zip(_COPIES, self._rows(chunk), strict=True):
            with connection.cursor().copy(statement) as copy:
                for row in rows:
                    copy.write_row(row)
        project_ids = [project.project_id for project in chunk]
        connection.execute(
            _NAME_DEFAULT_FLOWS, [project_ids, [numbered_id("flow", project.flow_numbers[0]) for project in chunk]]
        )

    def _rows(self, chunk: list[SyntheticProject]) -> tuple[Iterable[Row], ...]:
        return (
            ((project.project_id, f"Project {project.number}", _PLATFORMS, b"") for project in chunk),
            (self._key(project) for project in chunk),
            (
                (
                    numbered_id("theme", project.number),
                    project.project_id,
                    "Daylight",
                    True,
                    _COLORS,
                    _TYPOGRAPHY,
                    _RADIUS,
                )
                for project in chunk
            ),
            (_flow(project, flow) for project in chunk for flow in project.flow_numbers),
            (
                _screen(project, flow, order)
                for project in chunk
                for flow in project.flow_numbers
                for order in range(SCREENS)
            ),
        )

    def _key(self, project: SyntheticProject) -> Row:
        secret_key, project_id = project.secret_key, project.project_id
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, secret_key.encode(), project_id.encode())
        digest = hashlib.sha256(secret_key.encode()).digest()
        return numbered_id("key", project.number), project_id, digest, sealed


def request_publication(connection: psycopg.Connection, projects: Sequence[SyntheticProject]) -> None:
    """Request the first publication of these projects, all in one transaction."""
    with connection.transaction():
        connection.execute(_REQUEST_PUBLICATION, [[project.project_id for project in projects]])
        connection.execute(_NOTIFY_PUBLISHER)


def _flow(project: SyntheticProject, flow: int) -> Row:
    """Return the row of the default flow, which has no conditions, or of another flow, which has."""
    number = flow - project.flow_numbers[0]
    conditions = _CONDITIONS if number else "[]"
    flow_id = numbered_id("flow", flow)
    return flow_id, project.project_id, f"Flow {number}", "active", number, _ALL_BUCKETS, conditions


def _screen(project: SyntheticProject, flow: int, order: int) -> Row:
    flow_id, screen_id = numbered_id("flow", flow), numbered_id("screen", flow * SCREENS + order)
    content = orjson.dumps({key: text.format(name=flow) for key, text in _CONTENT.items()}).decode()
    return screen_id, flow_id, project.project_id, _TYPES[order], f"Screen {order}", order, content
