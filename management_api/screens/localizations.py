"""Translations of screens: `localizations`, by locale and by the pointer of a text of the content (languages)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import orjson
from pydantic import BeforeValidator, Field, PlainSerializer

from common.errors import MAX_DETAILS, Detail, InvalidRequestError
from common.wire.screen_contents import texts_of
from management_api.http.fields import REQUIRED, Rule, field_error
from management_api.http.requests import RequestModel
from management_api.http.responses import ResponseModel, is_none

Json = dict[str, Any]
#: Translations as they are stored: a text and its source, by locale and pointer.
Stored = Mapping[str, Mapping[str, Mapping[str, Any]]]

MAX_LOCALIZATIONS_BYTES = 256 * 1024
MAX_POINTER_LENGTH = 1000


class Translation(RequestModel):
    """A translated text. A plain string stands for it, too."""

    text: Annotated[str, REQUIRED]
    source: str | None = Field(
        default=None, description="The text of the content that was translated; the present one where it is left out."
    )
    machine: bool | None = Field(
        default=None, description="Whether a machine has made the translation, and it is not confirmed yet."
    )


class TranslationView(ResponseModel):
    """A translated text, and the text of the content that was translated."""

    text: str
    source: str
    machine: bool | None = Field(default=None, exclude_if=is_none, description="Made by a machine, and not confirmed.")


def _translation(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


def _short_pointers(value: object) -> object:
    if isinstance(value, dict) and any(len(pointer) > MAX_POINTER_LENGTH for pointer in value):
        raise field_error(f"must not have pointers above {MAX_POINTER_LENGTH} characters")
    return value


Localizations = dict[
    str,
    Annotated[
        dict[
            str,
            Annotated[
                Translation,
                BeforeValidator(_translation, json_schema_input_type=str | Translation),
                PlainSerializer(
                    lambda translation: {
                        "text": translation.text,
                        "source": translation.source,
                        **({"machine": True} if translation.machine else {}),
                    }
                ),
            ],
        ],
        Rule(_short_pointers, {"propertyNames": {"maxLength": MAX_POINTER_LENGTH}}),
    ],
]
LocalizationsView = dict[str, dict[str, TranslationView]]


class WrittenScreen(NamedTuple):
    """A screen that a request writes, behind the name of its field, with the translations that stood before."""

    field: str
    screen: Json
    former: Sequence[Stored] = ()


def check_localizations(locales: Sequence[str], screens: Iterator[WrittenScreen]) -> None:
    """Complete the translations that a request writes, and store them in the screens. `locales` has the default first.

    A translation that stood before may stay although nothing can be translated there. Raises InvalidRequestError for
    other pointers to no text, for other locales, and for too many bytes.
    """
    details = [detail for written in screens for detail in _complete(locales, written)]
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])


def _complete(locales: Sequence[str], written: WrittenScreen) -> Iterator[Detail]:
    screen, given = written.screen, written.screen.get("localizations")
    if not given:
        return
    texts = texts_of(screen["type"], screen["content"])
    canonical = {locale.lower(): locale for locale in locales[1:]}
    stored: dict[str, Json] = {}
    for named, translations in given.items():
        locale = canonical.get(named.lower(), named)
        former = {pointer: text for screens in written.former for pointer, text in screens.get(locale, {}).items()}
        for pointer, translation in translations.items():
            field = f"{written.field}.{named}.{pointer}"
            if pointer not in former and locale not in canonical.values():
                yield Detail.invalid(field, "must be of a language of the project that is not the default")
            elif pointer not in former and pointer not in texts:
                yield Detail.invalid(field, "must name a text of the content that can be translated")
            base = texts.get(pointer, former.get(pointer, {}).get("source", ""))
            source = base if translation["source"] is None else translation["source"]
            stored.setdefault(locale, {})[pointer] = {**translation, "source": source}
    screen["localizations"] = stored
    if len(orjson.dumps(stored)) > MAX_LOCALIZATIONS_BYTES:
        yield _too_large(written.field)


def check_size(localizations: Json, field: str) -> None:
    """Raise InvalidRequestError for the translations of a screen that are too large."""
    if len(orjson.dumps(localizations)) > MAX_LOCALIZATIONS_BYTES:
        raise InvalidRequestError([_too_large(field)])


def _too_large(field: str) -> Detail:
    return Detail.invalid(field, f"must have at most {MAX_LOCALIZATIONS_BYTES} bytes as JSON")


def written_screens(
    screens: Sequence[Json], field: str, former: Callable[[str], Sequence[Stored]] = lambda _: ()
) -> Iterator[WrittenScreen]:
    """Yield the screens of a document that a request writes. `former` returns the translations before, by the id."""
    for place, screen in enumerate(screens):
        yield WrittenScreen(f"{field}.{place}.localizations", screen, former(screen["id"]))
