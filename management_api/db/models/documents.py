"""The stored form of the documents of flows and of themes (contract, section 7, Model).

Every document that is read passes `upcast`, because it is the result of the column type. So versions and drafts of each
former release have the form of this one. A newer release adds members: a process keeps those that it does not have, and
passes them on. The defaults of a new flow and of a new screen are here, too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Dialect, Text, cast, func
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

from management_api.db.models.base import Document

Json = dict[str, Any]

#: The bytes of the documents of a project's flows that are not archived, drafts included, in the stored form. A
#: snapshot has up to three times as many bytes, and the publisher writes none above 64 MiB.
MAX_PUBLISHED_BYTES = 16 * 1024 * 1024

#: The schema number of documents that this release writes, in their member `schema`; without it the number is 1.
#: Raise it, and add a step, when a member changes its form. A new member with a default needs neither.
SCHEMA = 2
#: The same for documents of themes.
THEME_SCHEMA = 1


def _drop_priority(document: Mapping[str, Any]) -> Json:
    """Return a document of schema 1 as one of schema 2: the order of flows is a column of theirs."""
    return {name: value for name, value in document.items() if name != "priority"}


#: The members of a screen that a document may leave out, with their defaults. `id` and `type` are always there.
SCREEN_DEFAULTS: Mapping[str, Any] = {"name": None, "content": {}, "settings": {}}
#: Members that a document has only where they have items, so that a flow without logic is what it was before.
LOGIC_OF_SCREEN, LOGIC_OF_FLOW = ("show_if", "next"), ("variables",)
#: Left out where it is empty, too: the translations of a screen, by locale and pointer.
LOCALIZATIONS = "localizations"
SCREEN_MEMBERS = ("type", *SCREEN_DEFAULTS, *LOGIC_OF_SCREEN, LOCALIZATIONS)

#: The step from each schema to the next one.
_STEPS: Sequence[Callable[[Mapping[str, Any]], Json]] = (_drop_priority,)


def upcast(document: Mapping[str, Any]) -> Json:
    """Return a document of any release in the form of this one; absent members have their defaults.

    The document of a newer release keeps its schema number, and all members that this release does not have.
    """
    schema = document.get("schema", 1)
    present = {name: value for name, value in document.items() if name != "schema" or schema > SCHEMA}
    for step in _STEPS[schema - 1 :]:
        present = step(present)
    return {
        "description": None,
        "theme_id": None,
        **present,
        "targeting": {"percentage": 100, "conditions": [], **present.get("targeting", {})},
        "screens": [{**SCREEN_DEFAULTS, **screen} for screen in present.get("screens", ())],
    }


def without_empty_members(document: Mapping[str, Any]) -> Json:
    """Return a document without logic and localizations that have no items."""
    screens = [_without_empty(screen, (*LOGIC_OF_SCREEN, LOCALIZATIONS)) for screen in document["screens"]]
    return {**_without_empty(document, LOGIC_OF_FLOW), "screens": screens}


def _without_empty(members: Mapping[str, Any], names: Collection[str]) -> Json:
    return {name: value for name, value in members.items() if value or name not in names}


_MEDIA_NAME = '"media_id"'
#: Of the longest description: addresses, and two alternative texts of 300 characters.
MEDIA_BYTES = 4000


def stored_bytes_of(document: InstrumentedAttribute[Any]) -> ColumnElement[int]:
    """Return the bytes of a stored document as PostgreSQL returns it, which writes the digits of 1e300 out.

    Each name of a media file counts as the description that the publisher puts in its place.
    """
    content = cast(document, Text)
    without_names = func.octet_length(func.replace(content, _MEDIA_NAME, ""))
    names = (func.octet_length(content) - without_names) // len(_MEDIA_NAME)
    return func.octet_length(content) + names * MEDIA_BYTES


class StoredDocument(TypeDecorator[Json]):
    """The column type of documents: reads return the present form, writes have a schema number."""

    impl = Document
    cache_ok = True
    #: The schema number of documents that this release writes.
    schema: ClassVar[int]

    @staticmethod
    def present_form(document: Json) -> Json:
        """Return a stored document of any release in the form of this one."""
        raise NotImplementedError

    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        """Return the type of a value that a part of a document is compared with: JSON, no document."""
        return self.impl_instance.coerce_compared_value(op, value)

    def process_bind_param(self, value: Json | None, dialect: Dialect) -> Json | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the stored form."""
        return None if value is None else {"schema": self.schema, **value}

    def process_result_value(self, value: Json | None, dialect: Dialect) -> Json | None:  # noqa: ARG002 - SQLAlchemy's
        """Return the present form of a stored document."""
        return None if value is None else self.present_form(value)


class FlowDocument(StoredDocument):
    """The column type of documents of flows."""

    cache_ok = True
    schema = SCHEMA
    present_form = staticmethod(upcast)


class ThemeDocument(StoredDocument):
    """The column type of documents of themes. All releases have one form, to which each adds members."""

    cache_ok = True
    schema = THEME_SCHEMA

    @staticmethod
    def present_form(document: Json) -> Json:
        """Return a stored document without its schema number, unless a newer release has written it."""
        if document.get("schema", THEME_SCHEMA) > THEME_SCHEMA:
            return document
        return {name: value for name, value in document.items() if name != "schema"}
