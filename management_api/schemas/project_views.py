"""Projects as the interface shows them: each operation has its own members (contract, section 3)."""

from typing import Any

from sqlalchemy import Row

from common.timestamps import format_timestamp
from management_api.operations.project_figures import ProjectFigures
from management_api.operations.projects import ProjectWithKey
from management_api.schemas.envelope import PlainView, ResponseModel, TaggedModel, Timestamp


class ListedSettings(ResponseModel):
    """The settings that a list shows."""

    platforms: list[str]
    default_flow_id: str | None


class CreatedSettings(ListedSettings):
    """The settings that a new project shows."""

    analytics_enabled: bool


class ProjectSettings(CreatedSettings):
    """All settings."""

    custom_domain: str | None


class ListedStats(ResponseModel):
    """The figures that a list shows."""

    total_flows: int
    active_flows: int
    total_users: int


class ProjectStats(ListedStats):
    """All figures; the rate is a fraction."""

    users_today: int
    completion_rate: float


class PublicKeys(ResponseModel):
    """What an SDK is configured with, besides the secret key."""

    project_id: str
    public_key: str


class ProjectListItem(ResponseModel):
    """An item of GET /projects."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: ListedSettings
    stats: ListedStats

    @classmethod
    def of(cls, row: Row[*tuple[Any, ...]]) -> PlainView:
        """Show a row of the list."""
        return {
            "id": row.id,
            "name": row.name,
            "description": row.description,
            "created_at": format_timestamp(row.created_at),
            "updated_at": format_timestamp(row.updated_at),
            "settings": {"platforms": row.platforms, "default_flow_id": row.default_flow_id},
            "stats": {
                "total_flows": row.total_flows,
                "active_flows": row.active_flows,
                "total_users": row.total_users,
            },
        }


class CreatedProject(TaggedModel):
    """The answer of POST /projects."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: CreatedSettings
    api_keys: PublicKeys

    @classmethod
    def of(cls, made: ProjectWithKey) -> "CreatedProject":
        """Show a project that was just made."""
        project = made.project
        return cls(
            id=project.id,
            name=project.name,
            description=project.description,
            created_at=project.created_at,
            updated_at=project.updated_at,
            settings=CreatedSettings.model_validate(project),
            api_keys=PublicKeys(project_id=project.id, public_key=made.public_key),
        )


class ProjectView(TaggedModel):
    """The answer of GET /projects/{project_id}."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: ProjectSettings
    stats: ProjectStats
    api_keys: PublicKeys

    @classmethod
    def of(cls, read: ProjectWithKey, figures: ProjectFigures) -> PlainView:
        """Show everything of a project."""
        project = read.project
        return {
            "id": project.id,
            "name": project.name,
            "description": project.description,
            "created_at": format_timestamp(project.created_at),
            "updated_at": format_timestamp(project.updated_at),
            "settings": {
                "platforms": project.platforms,
                "default_flow_id": project.default_flow_id,
                "analytics_enabled": project.analytics_enabled,
                "custom_domain": project.custom_domain,
            },
            "stats": {
                "total_flows": figures.total_flows,
                "active_flows": figures.active_flows,
                "total_users": figures.total_users,
                "users_today": figures.users_today,
                "completion_rate": figures.completion_rate,
            },
            "api_keys": {"project_id": project.id, "public_key": read.public_key},
        }


class UpdatedProject(TaggedModel):
    """The answer of PUT /projects/{project_id}."""

    id: str
    name: str
    description: str | None
    updated_at: Timestamp
    settings: ProjectSettings

    @classmethod
    def of(cls, project: Row[*tuple[Any, ...]]) -> "UpdatedProject":
        """Show a project that was just changed."""
        return cls(
            id=project.id,
            name=project.name,
            description=project.description,
            updated_at=project.updated_at,
            settings=ProjectSettings.model_validate(project),
        )
