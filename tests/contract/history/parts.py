"""A flow and a theme, each with what the tests of their common history need."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.theme_history import ThemeVersion
from tests.support.clients.management import Management, User, data_of

HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}


@dataclass(frozen=True)
class Part:
    """A flow or a theme of a project."""

    management: Management
    owner: User
    noun: str
    project_id: str
    id: str

    @property
    def path(self) -> str:
        """Return its path."""
        return f"/api/{self.noun}s/{self.id}"

    @property
    def model(self) -> type[Flow | Theme]:
        """Return its model."""
        return Flow if self.noun == "flow" else Theme

    @property
    def version_model(self) -> type[FlowVersion | ThemeVersion]:
        """Return the model of its versions."""
        return FlowVersion if self.noun == "flow" else ThemeVersion

    def document(self, name: str) -> dict[str, Any]:
        """Return a document that can be published."""
        content = {"screens": [HELLO]} if self.noun == "flow" else {"colors": {"primary": "#112233"}}
        return {"name": name, **content}

    def read(self) -> dict[str, Any]:
        """Return the live part."""
        live: dict[str, Any] = data_of(self.owner.get(self.path))
        return live

    def rename(self, name: str, user: User | None = None) -> None:
        """Change the live part directly."""
        data_of((user or self.owner).put(self.path, {"name": name}))

    def save(self, name: str, status: int = 201, **members: object) -> dict[str, Any]:
        """Put a draft and return it."""
        body = {"document": self.document(name), **members}
        draft: dict[str, Any] = data_of(self.owner.put(f"{self.path}/draft", body), status)
        return draft

    def publish(self, **members: object) -> dict[str, Any]:
        """Publish the draft and return the version."""
        version: dict[str, Any] = data_of(self.owner.post(f"{self.path}/publish", members), 201)
        return version

    def version(self, number: int) -> dict[str, Any]:
        """Return the document of a version."""
        document: dict[str, Any] = data_of(self.owner.get(f"{self.path}/versions/{number}"))["document"]
        return document

    def origins(self) -> list[tuple[int, str]]:
        """Return numbers and origins of the versions, the oldest first."""
        versions = data_of(self.owner.get(f"{self.path}/versions", params={"limit": "100"}))
        return [(version["number"], version["origin"]) for version in reversed(versions)]

    def make_older(self, **age: float) -> None:
        """Move the versions into the past."""
        version = self.version_model
        older = update(version).where(version.part_id == self.id)
        with self.management.database.transaction() as session:
            session.execute(older.values(created_at=version.created_at - timedelta(**age)))

    def revision(self) -> int:
        """Return the revision that the project wants to be published."""
        return self.management.publication_of(self.project_id)[0]
