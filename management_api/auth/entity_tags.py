"""Entity tags: the state of an object that a client can edit, and the state that a change requires (`If-Match`).

Statistics of projects and flows are no part of a tag, because an event must not fail the edit of a client
(docs/internals/management.md). The state of a flow includes its live document. RFC 9110, section 13.1.1.
"""

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import LargeBinary, inspect
from sqlalchemy.orm import Session

from common.errors import PreconditionFailedError
from management_api.db.models.base import Model
from management_api.db.models.documents import StoredDocument
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowVersion, ScreenId
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.media import Media


def etag(state: object) -> str:
    """Return the tag of a state, which is JSON."""
    # Sorted: PostgreSQL returns the members of a document in another order than the client sent them.
    return hashlib.sha256(orjson.dumps(state, option=orjson.OPT_SORT_KEYS)).hexdigest()


def tag_of(model: type[Model], row: object, *parts: object) -> str:
    """Return the tag of an object or row with the model's columns, and of further JSON of its state."""
    return etag([[getattr(row, name) for name in _state_columns(model)], parts])


def flow_tag(flow: object, document: Mapping[str, Any], *, is_default: bool) -> str:
    """Return the tag of a flow and its live document."""
    return tag_of(Flow, flow, is_default, document)


def current_tag(session: Session, part: Flow | ScreenId | Theme | Experiment | Media) -> str:
    """Return the tag of a locked part of a project; the live document of a flow is read, it belongs to its state."""
    if not isinstance(part, Flow):
        return tag_of(type(part), part)
    live = session.get_one(FlowVersion, (part.id, part.live_version))
    return flow_tag(part, live.document, is_default=part.project.default_flow_id == part.id)


@functools.cache
def _state_columns(model: type[Model]) -> tuple[str, ...]:
    """Return the columns of a model whose values are its state.

    Ciphertexts change when the master key is rotated. The document of a draft gains members with a new release, and a
    pending schedule names the draft's tag; `updated_at` stands for the document.
    """
    columns = inspect(model).column_attrs
    left_out = (LargeBinary, StoredDocument) if "updated_at" in columns else (LargeBinary,)
    return tuple(column.key for column in columns if not isinstance(column.columns[0].type, left_out))


@dataclass(frozen=True, slots=True)
class Precondition:
    """The state of an object that a request requires, by `If-Match` or `If-None-Match`.

    `tags` are strong entity tags, one of which the object must have; None accepts every state. `must_exist` is
    `If-Match: *`: the object must exist, also where the change would create it. `must_be_new` is `If-None-Match: *`:
    the object must not exist.
    """

    tags: frozenset[str] | None
    must_exist: bool = False
    must_be_new: bool = False

    def check(self, current_tag: Callable[[], str | None]) -> None:
        """Raise PreconditionFailedError if the object is in another state; an object without a tag matches none.

        Call it only while the project is locked.
        """
        if self == NO_PRECONDITION:
            return
        tag = current_tag()
        is_other = tag is not None if self.must_be_new else tag is None
        if is_other or (self.tags is not None and tag not in self.tags):
            raise PreconditionFailedError


#: Neither `If-Match` nor `If-None-Match`.
NO_PRECONDITION = Precondition(tags=None)
