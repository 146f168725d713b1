"""The management service in the process of a test: the application on PostgreSQL, called with Falcon's test client."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import falcon
from falcon.testing import Result, TestClient
from sqlalchemy import insert, select

from management_api.auth.authentication import Authentication
from management_api.auth.groups import GroupRoles
from management_api.auth.jwt import token_verifier
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.flows import Flow
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User as UserModel
from management_api.http.app import create_app
from management_api.http.middleware import RateLimitMiddleware
from management_api.main import database_of
from management_api.rate_limiter import RateLimiter
from management_api.settings import ManagementSettings
from tests.support.clients.token_issuer import AUDIENCE, ISSUER, TokenIssuer
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.data.rows import add_experiment, add_flow
from tests.support.databases.statement_capture import Statement, captured_statements
from tests.support.openapi.validated_clients import OpenApiValidatedTestClient
from tests.support.rate_limits import HIGH_LIMITS

EDGE_URL = "https://edge.example.com/path"


@dataclass(frozen=True)
class User:
    """A client that sends one user's token with every request."""

    client: TestClient
    headers: dict[str, str] = field(repr=False)

    def request(self, method: str, path: str, **options: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """Send a request; `json`, `body`, `params`, `query_string` and `headers` are Falcon's."""
        headers = {**self.headers, **options.pop("headers", {})}
        return self.client.simulate_request(method, path, headers=headers, **options)

    def get(self, path: str, **options: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """GET a path."""
        return self.request("GET", path, **options)

    def post(self, path: str, json: object = None, **options: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """POST a JSON body."""
        return self.request("POST", path, json=json, **options)

    def put(self, path: str, json: object = None, **options: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """PUT a JSON body."""
        return self.request("PUT", path, json=json, **options)

    def delete(self, path: str, **options: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """DELETE a path."""
        return self.request("DELETE", path, **options)

    def create_project(self, name: str = "Sample app", **members: object) -> dict[str, Any]:
        """Create a project; return its data."""
        project: dict[str, Any] = data_of(self.post("/api/projects", {"name": name, **members}), 201)
        return project

    def create_flow(self, project_id: str, name: str = "Welcome", **members: object) -> dict[str, Any]:
        """Create a flow; return its data."""
        flow: dict[str, Any] = data_of(self.post("/api/flows", {"projectId": project_id, "name": name, **members}), 201)
        return flow

    def api_key(self) -> str:
        """Return the user's personal API key."""
        key: str = data_of(self.get("/api/user/api-key"))["api_key"]
        return key

    def secret_key(self, project_id: str) -> str:
        """Return the newest secret key of a project."""
        key: str = data_of(self.get(f"/api/projects/{project_id}/api-keys"))["secret_keys"][0]["secret_key"]
        return key


@dataclass(frozen=True)
class Management:
    """The application, and its parts for tests that use them directly."""

    app: falcon.App[falcon.Request, falcon.Response]
    database: Database
    vault: KeyVault
    issuer: TokenIssuer
    #: Added to the subjects of users, so that tests which share the application have users and projects of their own.
    suffix: str = ""

    def with_own_users(self) -> Self:
        """Return the same application with users that no other test has."""
        return replace(self, suffix=f"-{secrets.token_hex(4)}")

    def anonymous(self, **headers: str) -> User:
        """Return a client without a token; `headers` are sent with every request."""
        return User(OpenApiValidatedTestClient(self.app), headers)

    def user(self, subject: str = "alice", **claims: object) -> User:
        """Return a client with the token of a user; the first request creates the user."""
        token = self.issuer.token(f"{subject}{self.suffix}", **claims)
        return User(OpenApiValidatedTestClient(self.app), {"Authorization": f"Bearer {token}"})

    def member(self, subject: str, project_id: str, role: Role) -> User:
        """Return a client of a user who has a role in a project."""
        user = self.user(subject)
        user.api_key()
        with self.database.transaction() as session:
            session.execute(
                insert(Member).values(project_id=project_id, user_id=self.user_id(subject), role=role.value)
            )
        return user

    def add_flow(self, project_id: str, status: str = "active") -> str:
        """Add a flow directly to the database; return its id."""
        with self.database.transaction() as session:
            return add_flow(session, session.get_one(Project, project_id), status=status).id

    def add_experiment(self, project_id: str, flow_id: str) -> str:
        """Add a draft between a flow and a new one, and return its id."""
        with self.database.transaction() as session:
            other = add_flow(session, session.get_one(Project, project_id))
            return add_experiment(session, session.get_one(Flow, flow_id), other).id

    def publication_of(self, project_id: str) -> tuple[int, bool]:
        """Return the wanted revision of a project, and whether it is a tombstone."""
        with self.database.transaction() as session:
            publication = session.get_one(Publication, project_id)
            return publication.wanted_revision, publication.deleted

    @contextmanager
    def counted_statements(self) -> Iterator[list[Statement]]:
        """Return a list that fills with the statements that reach the database inside the block."""
        with captured_statements(self.database.engine) as statements:
            yield statements

    def user_id(self, subject: str) -> str:
        """Return the id of a user who has sent a request."""
        with self.database.transaction() as session:
            user_id = session.scalar(select(UserModel.id).where(UserModel.subject == f"{subject}{self.suffix}"))
        assert user_id is not None
        return user_id


def data_of(result: Result, status: int = 200) -> Any:  # noqa: ANN401 - any JSON
    """Return `data` of a response, which must be a success with this status."""
    assert result.status_code == status, result.text
    assert result.json["success"] is True
    return result.json["data"]


@contextmanager
def management_service(
    database_url: str,
    master_key: str,
    folder: Path,
    *,
    clock: Callable[[], float] = time.time,
    **settings: object,
) -> Iterator[Management]:
    """Create the application on a migrated database, with the key set of the identity provider in `folder`.

    `settings` override ManagementSettings; `clock` returns the Unix time for the rate limits.
    """
    issuer = TokenIssuer(folder)
    values = {
        "database_url": database_url,
        "database_pool_size": 16,
        "master_key": master_key,
        "assignment_keys": ASSIGNMENT_KEYS,
        "identity_issuer": ISSUER,
        "identity_audience": AUDIENCE,
        "identity_jwks_file": issuer.jwks_file,
        "edge_public_url": EDGE_URL,
        "media_store": f"file://{folder}/media",
        **HIGH_LIMITS,
        **settings,
    }
    parsed = ManagementSettings.model_validate(values)
    database, vault = database_of(parsed), KeyVault(parsed.master_key)
    tokens = token_verifier(parsed)
    authentication = Authentication(database, vault, tokens, GroupRoles.from_settings(parsed))
    rates = RateLimiter.from_settings(parsed, parsed.redis_url, clock)
    rate_limits = RateLimitMiddleware(rates, parsed, authentication)
    app = create_app(parsed, database, vault, authentication, rate_limits=rate_limits)
    try:
        yield Management(app, database, vault, issuer)
    finally:
        rates.close()
        database.close()
