"""Media files as devices get them: the addresses and the facts in place of the references (media, Use)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Select, or_, select
from sqlalchemy.orm import aliased

from common.settings.shared import PublicUrlSettings
from common.wire.page_shell import ROOT_OF_PAGE
from common.wire.public_responses import PublicScreen, PublicTheme
from management_api.db.models.media import Media
from management_api.media.facts import MediaKind, Role
from management_api.media.references import references_in, replaced, theme_references, theme_replaced

Json = dict[str, Any]
ThemeT = TypeVar("ThemeT", bound=PublicTheme)

_SRCSET_TYPE = "image/webp"
_OWN_MEMBERS = frozenset({"media_id", "alt"})


class MediaAddresses(NamedTuple):
    """The addresses in front of `/{project id}/{name}`: in responses for apps, and in hosted pages.

    Pages have one relative to their root unless media files have an origin of their own, because a project may have a
    domain of its own, and the policy of pages allows no other origin.
    """

    of_apps: str
    of_pages: str


#: The addresses of an edge that knows its origin by its requests alone.
AT_THE_EDGE = MediaAddresses("/media", f"{ROOT_OF_PAGE}media")


def media_addresses(settings: PublicUrlSettings) -> MediaAddresses:
    """Return the addresses of the settings."""
    return MediaAddresses(
        of_apps=settings.media_base_url or AT_THE_EDGE.of_apps, of_pages=settings.media_url or AT_THE_EDGE.of_pages
    )


@dataclass(frozen=True, slots=True)
class MediaRecord:
    """A media file, as columns of its table. The first one of `files` has the address of the media."""

    id: str
    kind: str
    alt: str
    placeholder_color: str | None
    focal_point: Json | None
    dark_media_id: str | None
    poster_media_id: str | None
    family: str | None
    weight: int | None
    style: str | None
    metrics: Json | None
    tones: Sequence[str] | None
    files: Sequence[Json]


def select_media(
    project_ids: Sequence[str], documents: Iterable[Json | None], themes: Iterable[Json]
) -> Select[*tuple[Any, ...]]:
    """Select the files that documents of flows and of themes name, and their partners.

    A row has the id of the project, then the fields of the record. A file that was deleted since is shown as long as a
    document names it.
    """
    of_screens = (
        reference
        for document in documents
        if document is not None
        for screen in document["screens"]
        for reference in references_in([screen["content"], screen["settings"]])
    )
    of_themes = (reference for theme in themes for reference in theme_references(theme))
    ids = (reference.value["media_id"] for reference in (*of_screens, *of_themes))
    named = {media_id for media_id in ids if isinstance(media_id, str)}
    own = Media.project_id.in_(project_ids)
    found = (
        select(Media.id, Media.dark_media_id, Media.poster_media_id).where(own, Media.id.in_(named)).cte(recursive=True)
    )
    partner = aliased(Media)
    is_partner = or_(partner.id == found.c.dark_media_id, partner.id == found.c.poster_media_id)
    found = found.union(select(partner.id, partner.dark_media_id, partner.poster_media_id).join(found, is_partner))
    columns = [getattr(Media, field.name) for field in fields(MediaRecord)]
    return select(Media.project_id, *columns).where(Media.id.in_(select(found.c.id)))


class ShownMedia:
    """The files of a project at one address."""

    def __init__(self, project_id: str, records: Mapping[str, MediaRecord], address: str) -> None:
        self._records = records
        self._root = f"{address}/{project_id}/"

    def screens(self, screens: Sequence[PublicScreen]) -> tuple[PublicScreen, ...]:
        """Return screens with files in place of references; null where a file is gone."""
        if not self._records:
            return tuple(screens)
        return tuple(
            msgspec.structs.replace(
                screen,
                content=replaced(screen.content, self._shown),
                settings=replaced(screen.settings, self._shown),
            )
            for screen in screens
        )

    def theme(self, theme: ThemeT) -> ThemeT:
        """Return a theme with files in place of references, without members whose file is gone."""
        if not self._records:
            return theme
        looks = {name: getattr(theme, name) for name in ("background", "logo", "typography")}
        shown = theme_replaced(looks, self._shown)
        return msgspec.structs.replace(theme, **{name: shown.get(name, msgspec.UNSET) for name in looks})

    def _shown(self, member: str, reference: Json) -> Json | None:
        record = self._record(reference["media_id"])
        if record is None:
            return None
        others = {name: value for name, value in reference.items() if name not in _OWN_MEMBERS}
        shown = {**others, **self._file(record, reference.get("alt", record.alt))}
        tones = self._tones(record) if member == "background" else []
        return {**shown, "tones": tones} if tones else shown

    def _tones(self, record: MediaRecord) -> list[str]:
        """Return the colours behind the texts on a background, with those of its dark partner; empty if unknown."""
        shown = [record, dark] if (dark := self._record(record.dark_media_id)) else [record]
        return [tone for file in shown for tone in file.tones or ()] if all(file.tones for file in shown) else []

    def _file(self, record: MediaRecord, alt: str) -> Json:
        main, *others = record.files
        if record.kind == MediaKind.FONT:
            font: Json = {"family": record.family, "weight": record.weight, "style": record.style}
            if record.metrics is not None:
                font["metrics"] = record.metrics
            return {"url": self._root + main["name"], "kind": record.kind, **font}
        shown: Json = {
            "url": self._root + main["name"],
            "srcset": [
                {"url": self._root + file["name"], "width": file["width"]}
                for file in others
                if file["role"] == Role.RENDITION and file["content_type"] == _SRCSET_TYPE
            ],
            "width": main["width"],
            "height": main["height"],
            "alt": alt,
            "placeholder": record.placeholder_color,
        }
        if record.kind != MediaKind.IMAGE:
            shown["kind"] = record.kind
            shown["poster"] = self._poster(record)
        if record.focal_point is not None:
            shown["focal_point"] = record.focal_point
        dark = self._record(record.dark_media_id)
        if dark is not None:
            # The partner of a partner would be a circle.
            shown["dark"] = self._file(replace(dark, dark_media_id=None), dark.alt or alt)
        return shown

    def _poster(self, record: MediaRecord) -> str | None:
        """Return the address of the still picture of what moves."""
        own = next((file for file in record.files if file["role"] == Role.POSTER), None)
        if own is not None:
            return self._root + str(own["name"])
        poster = self._record(record.poster_media_id)
        return None if poster is None else self._root + str(poster.files[0]["name"])

    def _record(self, media_id: object) -> MediaRecord | None:
        return self._records.get(media_id) if isinstance(media_id, str) else None
