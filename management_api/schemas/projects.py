"""Projects as the interface takes them (contract, section 3)."""

import re
from typing import Annotated

from pydantic import Field

from management_api.operations.projects import NewProject, ProjectChanges
from management_api.schemas.page_query import PageQuery
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import (
    REQUIRED,
    IdText,
    ProjectDescription,
    ProjectName,
    SearchText,
    complaint,
)

#: In the order that is stored and shown.
PLATFORMS = ("ios", "android")
LONGEST_HOST_NAME = 253
#: Labels of letters, digits and inner hyphens; at least two, the last one no number, so that an address is none.
HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def _platforms(value: object) -> list[str]:
    if not isinstance(value, list) or not value or any(item not in PLATFORMS for item in value):
        raise complaint("must be an array of ios, android or both")
    if len(set(value)) != len(value):
        raise complaint("must not name a platform twice")
    return [platform for platform in PLATFORMS if platform in value]


def _host_name(value: object) -> str:
    name = value.strip().lower() if isinstance(value, str) else ""
    if len(name) > LONGEST_HOST_NAME or not HOST_NAME.fullmatch(name):
        raise complaint("must be a host name such as onboarding.example.com, or null")
    return name


Platforms = Annotated[
    list[str],
    Rule(_platforms, {"items": {"enum": list(PLATFORMS)}, "minItems": 1, "uniqueItems": True}),
]
HostName = Annotated[
    str,
    Rule(
        _host_name,
        {"format": "hostname", "description": "A host name of two or more labels; it is stored in lower case"},
    ),
]


class ProjectListQuery(PageQuery):
    """GET /projects."""

    search: SearchText = ""


class ProjectCreateBody(RequestModel):
    """POST /projects."""

    name: Annotated[ProjectName, REQUIRED]
    description: ProjectDescription | None = None
    platforms: Platforms = Field(default_factory=lambda: list(PLATFORMS))

    def new_project(self) -> NewProject:
        """Give what the project is made of."""
        return NewProject(name=self.name, description=self.description, platforms=self.platforms)


class ProjectSettingsBody(RequestModel):
    """The `settings` of a PUT; what is left out stays as it is."""

    platforms: Platforms = Field(default_factory=list)
    default_flow_id: IdText | None = None
    analytics_enabled: bool = True
    custom_domain: HostName | None = None


class ProjectUpdateBody(RequestModel):
    """PUT /projects/{project_id}; what is left out stays as it is."""

    name: ProjectName = ""
    description: ProjectDescription | None = None
    settings: ProjectSettingsBody = ProjectSettingsBody()

    def changes(self) -> ProjectChanges:
        """Give what was sent, and nothing else."""
        changes: ProjectChanges = {}
        if "name" in self.model_fields_set:
            changes["name"] = self.name
        if "description" in self.model_fields_set:
            changes["description"] = self.description
        changes.update(_changed_settings(self.settings))
        return changes


def _changed_settings(settings: ProjectSettingsBody) -> ProjectChanges:
    changes: ProjectChanges = {}
    if "platforms" in settings.model_fields_set:
        changes["platforms"] = settings.platforms
    if "default_flow_id" in settings.model_fields_set:
        changes["default_flow_id"] = settings.default_flow_id
    if "analytics_enabled" in settings.model_fields_set:
        changes["analytics_enabled"] = settings.analytics_enabled
    if "custom_domain" in settings.model_fields_set:
        changes["custom_domain"] = settings.custom_domain
    return changes
