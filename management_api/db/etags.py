"""Entity tags and the preconditions of If-Match (RFC 9110, section 13.1.1).

A tag covers the state that a client can edit. Statistics of projects and flows are not part of it, because an event
must not fail the edit of a client (docs/internals/management.md). The state of a flow includes its screens.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import LargeBinary, Row, inspect, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import PreconditionFailedError
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.projects import Project

#: The columns of a screen in the tag of its flow. `updated_at` stands for content and settings.
SCREEN_STATE: tuple[InstrumentedAttribute[Any], ...] = (
    Screen.id, Screen.type, Screen.name, Screen.order, Screen.updated_at,
)  # fmt: skip


def tag_of(model: type[Model], thing: object, *parts: object) -> str:
    """Return the tag of an object or row with the model's columns, and of further JSON of its state."""
    state = [getattr(thing, name) for name in _state_columns(model)]
    # Sorted: PostgreSQL returns the members of a document in another order than the client sent them.
    return hashlib.sha256(orjson.dumps([state, parts], option=orjson.OPT_SORT_KEYS)).hexdigest()


def project_tag(project: Project | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a project."""
    return tag_of(Project, project)


def screen_tag(screen: Screen | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a screen."""
    return tag_of(Screen, screen)


def theme_tag(theme: Theme | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of a theme."""
    return tag_of(Theme, theme)


def experiment_tag(experiment: Experiment | Row[*tuple[Any, ...]]) -> str:
    """Return the tag of an experiment."""
    return tag_of(Experiment, experiment)


def flow_tag(flow: object, *, is_default: bool, screens: Iterable[Row[Any]]) -> str:
    """Return the tag of a flow; `screens` are rows with SCREEN_STATE, in their order."""
    parts = [[getattr(screen, column.key) for column in SCREEN_STATE] for screen in screens]
    return tag_of(Flow, flow, is_default, parts)


def current_tag(session: Session, part: Flow | Screen | Theme | Experiment) -> str:
    """Return the tag of a locked part of a project; the screens of a flow are read, they belong to its state."""
    if not isinstance(part, Flow):
        return tag_of(type(part), part)
    screens = session.execute(select(*SCREEN_STATE).where(Screen.flow_id == part.id).order_by(Screen.order)).all()
    return flow_tag(part, is_default=part.project.default_flow_id == part.id, screens=screens)


@functools.cache
def _state_columns(model: type[Model]) -> tuple[str, ...]:
    """Return the columns of a model without ciphertexts, which change when the master key is rotated."""
    columns = inspect(model).column_attrs
    return tuple(column.key for column in columns if not isinstance(column.columns[0].type, LargeBinary))


@dataclass(frozen=True, slots=True)
class Precondition:
    """The required state of an object: its tag must be one of `tags`, strong entity tags; None is any state.

    With `must_exist` there must be an object; most changes require that anyway.
    """

    tags: frozenset[str] | None
    must_exist: bool = False

    def check(self, current_tag: Callable[[], str | None]) -> None:
        """Raise PreconditionFailedError if the object is in another state; an object without a tag matches none.

        Call it only while the project is locked.
        """
        if self.tags is None and not self.must_exist:
            return
        tag = current_tag()
        if tag is None or (self.tags is not None and tag not in self.tags):
            raise PreconditionFailedError


#: No `If-Match`.
NO_PRECONDITION = Precondition(tags=None)
