"""The rows of the management service's table, for reading only: made without any server behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from pydantic import SecretStr

from common.rules.assignment_tokens import AssignmentTokens
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.http.responses import ETagModel
from management_api.http.routes import api_routes, documentation_routes
from management_api.http.routing import Access, Endpoint, Permission, Route
from management_api.projects.quotas import Quotas

#: Falcon's `{device_id:path}` is a `{device_id}` to everyone else.
_CONVERTER = re.compile(r":\w+(?=})")


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one row."""

    method: str
    path: str
    permission: Permission
    declared: Endpoint

    @property
    def is_open(self) -> bool:
        """Whether it asks for no credential; then it is not counted either."""
        return self.permission is Access.OPEN

    @property
    def shows_a_tag(self) -> bool:
        """Whether the answer carries an ETag."""
        return _is_tagged(self.declared.data)

    @property
    def takes_if_match(self) -> bool:
        """Whether it is refused when its thing has another ETag; what has none is never the one that was demanded."""
        return self.method in {"PUT", "DELETE"}

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether it is done once for one key, however often it is sent."""
        return self.method == "POST"


def interface_operations() -> Iterator[Operation]:
    """Give every method of every row."""
    for route in _routes():
        for method, permission in route.permissions.items():
            yield Operation(method, _CONVERTER.sub("", route.path), permission, route.endpoint(method))


def _routes() -> tuple[Route, ...]:
    # Resources connect to nothing until they are asked.
    database = Database(DatabaseSettings(database_url=SecretStr("postgresql://nobody@nowhere/none")))
    quotas = Quotas(*[1] * len(fields(Quotas)))
    vault, assignments = KeyVault(SecretStr("A" * 43 + "=")), AssignmentTokens([b""])
    return *api_routes(database, vault, quotas, assignments), *documentation_routes()


def _is_tagged(data: object) -> bool:
    return isinstance(data, type) and issubclass(data, ETagModel)
