"""References to media files in screens and themes: `{"media_id": "media_..."}` (media, Use)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import TextClause, select, text
from sqlalchemy.orm import Session

from common.errors import MAX_DETAILS, Detail, InvalidRequestError
from common.ids import IdPrefix, is_id
from common.text import has_forbidden_characters
from management_api.db.models.media import Media
from management_api.media.facts import MediaKind

Json = dict[str, Any]
#: Returns what takes the place of a reference: the name of the member that has it, and the reference.
Replace = Callable[[str, Json], Any]

_PICTURES = frozenset({MediaKind.IMAGE, MediaKind.ANIMATION, MediaKind.LOTTIE, MediaKind.VIDEO})
_STILL = frozenset({MediaKind.IMAGE})
#: The members that take a file, at any depth, and its kinds. `image_url` is the name that the pages' schema prefers.
MEMBERS: Mapping[str, Collection[MediaKind]] = {
    "image": _PICTURES,
    "image_url": _PICTURES,
    "background": _PICTURES - {MediaKind.LOTTIE},
    "poster": _STILL,
    "logo": _STILL,
}
#: The lists whose entries take a file by its id alone, beside the label of an option.
OPTION_LISTS: Mapping[str, Collection[MediaKind]] = {
    "options": {MediaKind.IMAGE, MediaKind.ANIMATION},
    "choices": {MediaKind.IMAGE, MediaKind.ANIMATION},
}
#: The members of a theme that take a file. A font stands there by its id alone, in `typography`.
THEME_MEMBERS: Mapping[str, Collection[MediaKind]] = {
    "background": {MediaKind.IMAGE, MediaKind.ANIMATION},
    "logo": _STILL,
    "fontMediaId": {MediaKind.FONT},
    "headingFontMediaId": {MediaKind.FONT},
}
FONT_MEMBERS = ("fontMediaId", "headingFontMediaId")
MAX_ALT_LENGTH = 300


def _named_in_versions(part: str) -> TextClause:
    return text(
        "SELECT id FROM unnest(CAST(:ids AS text[])) AS given (id) WHERE EXISTS ("  # noqa: S608 - constants
        f"SELECT FROM {part}_versions WHERE {part}_id = :part_id AND position(given.id in document::text) > 0)"
    )


_IN_VERSIONS, _IN_THEME_VERSIONS = _named_in_versions("flow"), _named_in_versions("theme")


class Reference(NamedTuple):
    """A reference: the path of its object, the name of the member that has it, and the object."""

    path: str
    member: str
    value: Json


def references_in(value: object, path: str = "", id_name: str = "media_id") -> Iterator[Reference]:
    """Yield the references in a JSON value; `path` is that of the value, with dots. `id_name` has the id of a file."""
    for name, member in _members(value):
        inner = f"{path}.{name}" if path else str(name)
        if _is_reference(name, member, id_name):
            yield Reference(inner, str(name), member)
        else:
            for place, option in _options(name, member, id_name):
                yield Reference(f"{inner}.{place}", str(name), option)
            yield from references_in(member, inner, id_name)


def theme_references(theme: Mapping[str, Any]) -> Iterator[Reference]:
    """Yield the references in a document of a theme."""
    for name in ("background", "logo"):
        if _is_reference(name, theme.get(name), "media_id"):
            yield Reference(name, name, theme[name])
    for name in FONT_MEMBERS:
        if name in theme.get("typography", {}):
            yield Reference(f"typography.{name}", name, {"media_id": theme["typography"][name]})


def theme_replaced(theme: Mapping[str, Any], replace: Replace) -> Json:
    """Return a document of a theme with something else in place of each reference; None leaves the member out."""
    shown = {**theme, "typography": dict(theme["typography"])}
    for reference in theme_references(theme):
        owner = shown["typography"] if reference.member in FONT_MEMBERS else shown
        owner[reference.member] = replace(reference.member, reference.value)
        if owner[reference.member] is None:
            del owner[reference.member]
    return shown


def replaced(value: Any, replace: Replace, id_name: str = "media_id") -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value with something else in place of each reference."""
    if isinstance(value, dict):
        shown = {
            name: replace(name, member) if _is_reference(name, member, id_name) else replaced(member, replace, id_name)
            for name, member in value.items()
        }
        for name, member in value.items():
            for place, option in _options(name, member, id_name):
                shown[name][place] = _option(shown[name][place], replace(name, {id_name: option[id_name]}), id_name)
        return shown
    return [replaced(member, replace, id_name) for member in value] if isinstance(value, list) else value


def check_references(
    session: Session, project_id: str, parts: Iterable[tuple[str, object]], flow_id: str | None = None
) -> None:
    """Check the references that a request writes: to files of the project, of a fitting kind.

    `parts` are JSON values, behind the names of their fields. A deleted file may stay where a version of the flow has
    it. The caller holds the lock of the project. Raises InvalidRequestError.
    """
    found = [reference for path, part in parts for reference in references_in(part, path)]
    _check(session, project_id, found, {**MEMBERS, **OPTION_LISTS}, flow_id)


def check_theme_references(
    session: Session, project_id: str, theme: Mapping[str, Any], field: str = "", theme_id: str | None = None
) -> None:
    """Check the references in members of a theme, as `check_references` does; `field` is the name of the members."""
    found = [
        reference._replace(path=f"{field}.{reference.path}" if field else reference.path)
        for reference in theme_references(theme)
    ]
    _check(session, project_id, found, THEME_MEMBERS, theme_id, _IN_THEME_VERSIONS)


def _check(
    session: Session,
    project_id: str,
    found: Sequence[Reference],
    members: Mapping[str, Collection[MediaKind]],
    part_id: str | None = None,
    in_versions: TextClause = _IN_VERSIONS,
) -> None:
    if not found:
        return
    named = [reference.value["media_id"] for reference in found]
    ids = {media_id for media_id in named if isinstance(media_id, str) and is_id(IdPrefix.MEDIA, media_id)}
    rows = session.execute(
        select(Media.id, Media.kind, Media.deleted_at).where(Media.project_id == project_id, Media.id.in_(ids))
    ).all()
    deleted = {row.id for row in rows if row.deleted_at is not None}
    if deleted and part_id is not None:
        deleted -= set(session.scalars(in_versions, {"ids": sorted(deleted), "part_id": part_id}))
    kinds = {row.id: row.kind for row in rows if row.id not in deleted}
    details = [detail for reference in found for detail in _problems(reference, kinds, members)]
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])


def screen_parts(screens: Iterable[Mapping[str, Any]], field: str) -> Iterator[tuple[str, object]]:
    """Yield the parts of screens for `check_references`; `field` is the name of their list."""
    for place, screen in enumerate(screens):
        for name in ("content", "settings"):
            yield f"{field}.{place}.{name}", screen[name]


def _problems(
    reference: Reference, kinds: Mapping[str, str], members: Mapping[str, Collection[MediaKind]]
) -> Iterator[Detail]:
    kind = kinds.get(reference.value["media_id"]) if isinstance(reference.value["media_id"], str) else None
    fitting = members[reference.member]
    field = reference.path if reference.member in FONT_MEMBERS else f"{reference.path}.media_id"
    if kind is None:
        yield Detail.invalid(field, "must be a media file of this project")
    elif kind not in fitting:
        yield Detail.invalid(field, f"must be of the kind {' or '.join(sorted(fitting))}")
    alt = reference.value.get("alt", "")
    if not isinstance(alt, str) or len(alt) > MAX_ALT_LENGTH or has_forbidden_characters(alt):
        yield Detail.invalid(f"{reference.path}.alt", f"must be a text of at most {MAX_ALT_LENGTH} characters")


def _options(name: object, member: object, id_name: str) -> Iterator[tuple[int, Json]]:
    """Yield the places and the entries of a list of options that name a file."""
    if name in OPTION_LISTS and isinstance(member, list):
        yield from (
            (place, entry) for place, entry in enumerate(member) if isinstance(entry, dict) and id_name in entry
        )


def _option(option: Json, shown: Json | None, id_name: str) -> Json:
    """Return an option with what takes the place of its file: another name of it, or the image that devices get."""
    others = {name: member for name, member in option.items() if name != id_name}
    if shown is None:
        return others
    return {**others, "image": shown} if "url" in shown else {**others, **shown}


def _is_reference(name: object, member: object, id_name: str) -> bool:
    return name in MEMBERS and isinstance(member, dict) and id_name in member


def _members(value: object) -> Iterable[tuple[object, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()
