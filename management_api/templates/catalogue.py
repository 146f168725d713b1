"""The built-in templates. They are the YAML files of this package, read once when first needed.

`flows/{id}.yaml` has `name`, `category`, `description`, `theme` (the id of a theme template) and `flow`, a document
whose screens have keys for ids. `themes.yaml` has the themes by their ids, each as the body of POST /themes, and
`screens.yaml` the screens, which management_api/screens/templates.py lists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Any, Protocol, TypeVar

import yaml

from common.ids import IdPrefix, new_id
from management_api.auth.lists import PageRequest

Json = Mapping[str, Any]


class FlowCategory(StrEnum):
    """The subject of a flow template."""

    BUSINESS = "business"
    EDUCATION = "education"
    ENGAGEMENT = "engagement"
    ESSENTIALS = "essentials"
    FINANCE = "finance"
    HEALTH = "health"
    NEWS = "news"
    SHOPPING = "shopping"
    SOCIAL = "social"


@dataclass(frozen=True, slots=True)
class ThemeTemplate:
    """A starting point of a theme; `theme` is a body of POST /themes without the project. The id never changes."""

    id: str
    name: str
    description: str
    theme: Json


@dataclass(frozen=True, slots=True)
class FlowTemplate:
    """A whole flow to start from, with the theme that it was drawn for. The id never changes."""

    id: str
    name: str
    category: FlowCategory
    description: str
    flow: Json
    theme: Json

    @property
    def document(self) -> Json:
        """The document, whose screens have new ids each time, so that a draft may take them as they are."""
        ids = {screen["id"]: new_id(IdPrefix.SCREEN) for screen in self.flow["screens"]}
        screens = [{**screen, "id": ids[screen["id"]], **_with_targets(screen, ids)} for screen in self.flow["screens"]]
        return {**self.flow, "screens": screens}


class _Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


TemplateT = TypeVar("TemplateT", bound=_Named)


def page_of(templates: Sequence[TemplateT], page: PageRequest) -> Sequence[TemplateT]:
    """Return one page. All templates are as old as the release, so times sort them in the order of their ids."""
    if page.sort == "name":
        found = sorted(templates, key=lambda template: (template.name.casefold(), template.id), reverse=page.descending)
    else:
        found = sorted(templates, key=attrgetter("id"), reverse=page.descending)
    first = (page.number - 1) * page.limit
    return found[first : first + page.limit]


def read_templates(name: str) -> Mapping[str, Any]:
    """Return the templates of a file of this package by their ids."""
    found: Mapping[str, Any] = yaml.safe_load(files(__package__).joinpath(name).read_bytes())
    return found


@cache
def theme_templates() -> tuple[ThemeTemplate, ...]:
    """Return the theme templates."""
    themes = read_templates("themes.yaml").items()
    return tuple(ThemeTemplate(theme_id, theme["name"], theme["description"], theme) for theme_id, theme in themes)


@cache
def flow_templates() -> tuple[FlowTemplate, ...]:
    """Return the flow templates."""
    themes = {template.id: template.theme for template in theme_templates()}
    found = []
    for file in files(__package__).joinpath("flows").iterdir():
        if file.name.endswith(".yaml"):
            source = yaml.safe_load(file.read_bytes())
            found.append(
                FlowTemplate(
                    id=file.name.removesuffix(".yaml"),
                    name=source["name"],
                    category=FlowCategory(source["category"]),
                    description=source["description"],
                    flow={"name": source["name"], "description": source["description"], **source["flow"]},
                    theme=themes[source["theme"]],
                )
            )
    return tuple(found)


def _with_targets(screen: Json, ids: Mapping[str, str]) -> Json:
    rules = screen.get("next")
    return {"next": [{**rule, "go_to": ids.get(rule["go_to"], rule["go_to"])} for rule in rules]} if rules else {}
