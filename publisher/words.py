"""The scripts with the words of pages by language. English is in the script of all pages."""

from functools import lru_cache

from common.rules.locales import ProjectLocales
from common.wire.page_assets import AssetManifest
from common.wire.page_shell import ASSETS_PATH, ROOT_OF_PAGE, word_scripts
from publisher.locales import aliases_of

ENGLISH = "en"
_SCRIPT_LENGTH = 4


class PageWords:
    """The words that the assets of a release have: none before there were languages."""

    def __init__(self, manifest: AssetManifest) -> None:
        self._scripts = {_tag(language): name for language, name in word_scripts(manifest).items()}
        languages = (ENGLISH, *self._scripts)
        self._languages = ProjectLocales(languages, aliases_of(languages))
        self._others = manifest.js

    def script(self, locale: str) -> str | None:
        """Return the name of the script of a locale's language, None for English, and where there is none."""
        return self._scripts.get(self._languages.match(locale))

    def addresses(self, locales: tuple[str, ...]) -> dict[str, str]:
        """Return the addresses of the scripts from a page, empty without scripts.

        A locale without words has the script of all pages, which a page may link twice.
        """
        if not self._scripts:
            return {}
        names = {locale: self.script(locale) or self._others for locale in locales}
        return {locale: f"{ROOT_OF_PAGE}{ASSETS_PATH}{name}" for locale, name in names.items()}


@lru_cache(maxsize=4)
def page_words(manifest: AssetManifest) -> PageWords:
    """Return the words of a manifest."""
    return PageWords(manifest)


def _tag(name: str) -> str:
    """Return the canonical tag of a language in lower case: `zh-hans` is `zh-Hans`."""
    return "-".join(part.title() if len(part) == _SCRIPT_LENGTH else part for part in name.split("-"))
