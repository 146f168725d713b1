"""Machine translation of missing texts, by a service that the operator names: off without one.

Two public request formats are known: chat completions as OpenAI has them, and DeepL's. Texts go to this address alone,
when an editor asks for it. Redirects are not followed, and neither texts nor the key are logged.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Any

import msgspec
import structlog
import urllib3
from pydantic import SecretStr

from common.errors import UnavailableError
from common.settings.types import MachineKind
from management_api.settings import ManagementSettings
from management_api.translations.states import variables_of

_LOG = structlog.stdlib.get_logger(__name__)

#: Texts of one request of an editor: the number, and their characters together.
MAX_TEXTS = 100
MAX_CHARACTERS = 20_000
#: DeepL takes 50 texts at once.
_BATCH = 50
_TIMEOUT = urllib3.Timeout(connect=5, read=25)
_MAX_REPLY_BYTES = 1024 * 1024
_OK = 200
_VARIABLE = re.compile(r"(\{\{[^{}]*\}\})")
_KEPT = re.compile(r"</?k>")
_PROMPT = (
    "Translate the texts of an app's onboarding from {source} into {target} (BCP 47 tags). Keep everything in double "
    "braces such as {{{{answers.name|you}}}} exactly as it is. Answer with a JSON object whose member `texts` is the "
    "list of the translations, as many as texts, in their order."
)


class _Message(msgspec.Struct):
    content: str


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class _Texts(msgspec.Struct):
    texts: list[str]


class _Translated(msgspec.Struct):
    text: str


class _DeepL(msgspec.Struct):
    translations: list[_Translated]


class MachineTranslator:
    """Translates texts by requests to one service. It can be used by several threads."""

    def __init__(self, url: str, kind: MachineKind, key: SecretStr | None, model: str | None) -> None:
        self._url = url.rstrip("/")
        self._kind = kind
        self._key = key
        self._model = model
        self._pool = urllib3.PoolManager(timeout=_TIMEOUT, retries=False, maxsize=4)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        """Return the translation of each text; None for one that has lost a variable, or came back empty.

        Raises UnavailableError where the service does not answer, or not with these texts.
        """
        found: list[str | None] = []
        for place in range(0, len(texts), _BATCH):
            batch = texts[place : place + _BATCH]
            try:
                translated = self._translated(batch, source, target)
            except (urllib3.exceptions.HTTPError, msgspec.DecodeError, UnicodeDecodeError, _RefusedError) as error:
                _LOG.warning("machine_translation_failed", reason=type(error).__name__, detail=_detail(error))
                raise UnavailableError(
                    "The service for machine translation has given no translation", retry_after_seconds=30
                ) from None
            found += [_kept(text, base) for text, base in zip(translated, batch, strict=True)]
        return found

    def _translated(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        body: dict[str, Any]
        if self._kind == "deepl":
            # Variables are elements that are not translated.
            body = {
                "text": [_with_elements(text) for text in texts],
                "source_lang": source.partition("-")[0].upper(),
                "target_lang": target.upper(),
                "tag_handling": "xml",
                "ignore_tags": ["k"],
            }
            reply = self._post("/v2/translate", "DeepL-Auth-Key", body)
            translated = [item.text for item in msgspec.json.decode(reply, type=_DeepL).translations]
            translated = [unescape(_KEPT.sub("", text)) for text in translated]
        else:
            messages = [
                {"role": "system", "content": _PROMPT.format(source=source, target=target)},
                {"role": "user", "content": msgspec.json.encode({"texts": texts}).decode()},
            ]
            body = {"messages": messages, "temperature": 0, "response_format": {"type": "json_object"}}
            if self._model:
                body["model"] = self._model
            reply = self._post("/chat/completions", "Bearer", body)
            [choice, *_] = msgspec.json.decode(reply, type=_Completion).choices or [_Choice(_Message(""))]
            translated = msgspec.json.decode(choice.message.content, type=_Texts).texts
        if len(translated) != len(texts):
            raise _RefusedError(f"{len(translated)} texts for {len(texts)}")
        return translated

    def _post(self, path: str, scheme: str, body: dict[str, Any]) -> bytes:
        url = self._url if self._url.endswith(path) else f"{self._url}{path}"
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"{scheme} {self._key.get_secret_value()}"
        response = self._pool.request(
            "POST", url, body=msgspec.json.encode(body), headers=headers, redirect=False, preload_content=False
        )
        try:
            content = response.read(_MAX_REPLY_BYTES + 1)
        finally:
            response.release_conn()
        if response.status != _OK:
            raise _RefusedError(f"status {response.status}")
        if len(content) > _MAX_REPLY_BYTES:
            raise _RefusedError("a reply that is too large")
        return content


class _RefusedError(Exception):
    """The service has refused the texts, or answered something else."""


def translator_of(settings: ManagementSettings) -> MachineTranslator | None:
    """Return the translator that the settings name; None without one."""
    if settings.translate_url is None:
        return None
    return MachineTranslator(
        settings.translate_url, settings.translate_kind, settings.translate_key, settings.translate_model
    )


def chosen(texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the keys and texts of one request, up to its limits. HTML and addresses are left to people."""
    characters = 0
    for number, (key, text) in enumerate((key, text) for key, text in texts if is_drafted(key, text)):
        characters += len(text)
        if number >= MAX_TEXTS or (number > 0 and characters > MAX_CHARACTERS):
            return
        yield key, text


def is_drafted(key: str, text: str) -> bool:
    """Return whether a machine may translate a text: no HTML and no address, and not too long."""
    is_address = re.match(r"\s*(https?://|data:)", text, re.IGNORECASE) is not None
    return not key.endswith("/html") and not is_address and len(text) <= MAX_CHARACTERS


def _with_elements(text: str) -> str:
    return "".join(
        f"<k>{escape(part, quote=False)}</k>" if _VARIABLE.fullmatch(part) else escape(part, quote=False)
        for part in _VARIABLE.split(text)
    )


def _kept(text: str, base: str) -> str | None:
    return text if text.strip() and variables_of(text) == variables_of(base) else None


def _detail(error: Exception) -> str:
    # Other errors may have the address or texts in their message.
    return str(error) if isinstance(error, _RefusedError) else ""
