"""Matching of a wanted language with the locales of a project (docs/bucketing.md, Languages)."""

from collections.abc import Iterable, Mapping

#: A longer tag matches nothing.
MAX_TAG_LENGTH = 64
#: Maximum entries. The memo is cleared when full, so invented tags cannot grow it.
_MAX_MATCHED = 1_000


class ProjectLocales:
    """The locales of a project, the default first, with the aliases that the publisher makes for them."""

    def __init__(self, locales: Iterable[str], aliases: Mapping[str, str]) -> None:
        self.tags = tuple(locales)
        self._known = {alias.lower(): tag for alias, tag in aliases.items()}
        self._known |= {tag.lower(): tag for tag in self.tags}
        self._matched: dict[str | None, str] = {}

    @property
    def default(self) -> str:
        """The default locale."""
        return self.tags[0]

    def match(self, wanted: str | None) -> str:
        """Return the locale for a wanted tag, which may be malformed or absent: the default where none matches."""
        matched = self._matched.get(wanted)
        if matched is None:
            matched = self.find(wanted) or self.default
            if len(self._matched) >= _MAX_MATCHED:
                self._matched.clear()
            self._matched[wanted] = matched
        return matched

    def find(self, wanted: str | None) -> str | None:
        """Return the locale that a tag matches, or None."""
        if wanted is None or len(wanted) > MAX_TAG_LENGTH:
            return None
        tag = wanted.replace("_", "-").lower()
        while tag:
            found = self._known.get(tag)
            if found is not None:
                return found
            tag = tag.rpartition("-")[0]
            if len(tag) == 1 or tag[-2:-1] == "-":
                tag = tag[:-2]
        return None


def fallbacks(locale: str, locales: Iterable[str]) -> list[str]:
    """Return the locales whose texts stand for a missing text, the best first: the locale, and its shorter forms.

    The base texts follow, which are those of the first of `locales`.
    """
    others = list(locales)[1:]
    parts = locale.split("-")
    shorter = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
    return [tag for tag in shorter if tag in others]
