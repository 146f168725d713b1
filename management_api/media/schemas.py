"""Bodies, queries and responses of media files (contract of media, section Media library)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from management_api.http.fields import (
    REQUIRED,
    IdText,
    Rule,
    SearchText,
    field_error,
    one_of,
    text_between,
    text_of_pattern,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import Count, ETagModel, ResponseModel, Timestamp, is_none
from management_api.media.facts import MediaKind

MediaName = Annotated[str, text_between(1, 100)]
Digest = Annotated[str, text_of_pattern("[0-9a-f]{64}", "must be 64 hexadecimal digits")]
AltText = Annotated[str, text_between(0, 300)]


def _share(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise field_error("must be a number from 0 to 1")
    return float(value)


Share = Annotated[float, Rule(_share, {"minimum": 0, "maximum": 1})]


#: Of the filter, for tools that upload a file only where it is missing.
_DIGEST = "The SHA-256 of a file: the one that was uploaded, or the one at `url`."


class MediaListQuery(PageQuery):
    """GET /media."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    kind: Annotated[MediaKind, one_of(MediaKind)] | None = None
    search: Annotated[SearchText, Field(description="Part of the name, without regard to case.")] | None = None
    digest: Annotated[Digest, Field(description=_DIGEST)] | None = None


class MediaUploadQuery(RequestModel):
    """POST /media, whose body is the file."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    name: Annotated[MediaName, REQUIRED]
    poster_media_id: (
        Annotated[IdText, Field(description="The still picture of a video, which a video needs.")] | None
    ) = None


class FocalPoint(RequestModel):
    """The part of an image that stays in sight where it is cut."""

    x: Annotated[Share, REQUIRED]
    y: Annotated[Share, REQUIRED]


class MediaUpdateBody(RequestModel):
    """PUT /media/{media_id}; absent members stay as they are, null removes a partner or the focal point."""

    read_only = frozenset(
        {"project_id", "kind", "content_type", "bytes", "width", "height", "duration_seconds", "url", "renditions"}
        | {"placeholder_color", "tones", "metrics", "family", "weight", "style", "uses", "created_by", "poster_url"}
    )

    name: Annotated[MediaName, REQUIRED] = ""
    alt: Annotated[AltText, REQUIRED] = ""
    dark_media_id: IdText | None = None
    poster_media_id: IdText | None = None
    focal_point: FocalPoint | None = None


class Rendition(ResponseModel):
    """A file that is kept of a picture."""

    url: str
    content_type: str
    width: int | None
    height: int | None
    bytes: Count


class UseView(ResponseModel):
    """A flow or a theme that uses a file."""

    id: str
    name: str


class UsesView(ResponseModel):
    """Up to 20 flows and as many themes that use a file."""

    flows: list[UseView]
    themes: list[UseView]


class MediaView(ETagModel):
    """A media file."""

    id: str
    project_id: str
    name: str
    alt: str
    kind: MediaKind
    content_type: str
    bytes: Count = Field(description="Of the file at `url`.")
    width: int | None = Field(description="Of the uploaded file, in pixels. Fonts have none.")
    height: int | None
    duration_seconds: float | None = Field(description="Of animations and videos.")
    family: str | None = Field(description="Of fonts, like `weight` and `style`.")
    weight: int | None
    style: str | None
    dark_media_id: str | None = Field(description="The file that dark pages show instead.")
    poster_media_id: str | None = Field(description="The still picture of a video.")
    focal_point: dict[str, float] | None
    url: str
    renditions: list[Rendition] = Field(description="The kept files, the smallest first.")
    placeholder_color: str | None
    tones: list[str] | None = Field(description="The darkest and the lightest part of an image, where they are known.")
    metrics: dict[str, Any] | None = Field(description="The measures of a font, by which a page reserves its space.")
    uses: UsesView | None = Field(default=None, exclude_if=is_none, description="Of a file that is read by its id.")
    created_at: Timestamp
    updated_at: Timestamp
    created_by: str | None

    @classmethod
    def from_row(cls, row: Any, base_url: str, uses: UsesView | None = None) -> "MediaView":  # noqa: ANN401 - a row or an object
        """Return the view of a row of `media`; `base_url` is the address in front of the project's id."""
        root = f"{base_url}/{row.project_id}/"
        main = row.files[0]
        renditions = [
            Rendition(
                url=root + file["name"],
                content_type=file["content_type"],
                width=file.get("width"),
                height=file.get("height"),
                bytes=file["size"],
            )
            for file in (*row.files[1:], main)
        ]
        names = (name for name in cls.model_fields if name not in _COMPUTED)
        return cls(
            **{name: getattr(row, name) for name in names},
            content_type=main["content_type"],
            bytes=main["size"],
            url=root + main["name"],
            renditions=renditions,
            uses=uses,
        )


_COMPUTED = frozenset({"content_type", "bytes", "url", "renditions", "uses"})
