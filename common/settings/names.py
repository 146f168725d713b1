"""The environment variables that settings are read from, and those that look like one and are none."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

PREFIX = "ONBOARDING_"
#: Behind the variable of a secret: the name of a file that holds it.
FILE_SUFFIX = "_FILE"


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A variable that begins like ours and that nobody reads, and the known one that was perhaps meant."""

    name: str
    meant: str | None

    def __str__(self) -> str:
        suggestion = f"; did you mean {self.meant}?" if self.meant else ""
        return f"{self.name}: is no setting and has no effect{suggestion}"


def variables_of(name: str, field: FieldInfo) -> tuple[str, ...]:
    """Name the variables that a setting is read from, the one to prefer first."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return tuple(str(choice) for choice in alias.choices)
    return (alias if isinstance(alias, str) else f"{PREFIX}{name.upper()}",)


def is_secret(field: FieldInfo) -> bool:
    """Tell whether a setting is never to be shown, and may be given as a file."""
    return _mentions_secret(field.annotation)


def known_names(kinds: Iterable[type[BaseSettings]]) -> frozenset[str]:
    """Name every variable that settings of these kinds are read from."""
    return frozenset(_names_of(kinds))


def unknown_names(environment: Iterable[str], known: frozenset[str]) -> list[UnknownName]:
    """Find the names in the environment that begin like ours and are none of the known ones."""
    strange = sorted(name for name in environment if name.upper().startswith(PREFIX) and name.upper() not in known)
    return [UnknownName(name, _nearest(name.upper(), known)) for name in strange]


def _mentions_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(_mentions_secret(part) for part in get_args(annotation))


def _names_of(kinds: Iterable[type[BaseSettings]]) -> Iterator[str]:
    for kind in kinds:
        for name, field in kind.model_fields.items():
            for variable in variables_of(name, field):
                yield variable
                if is_secret(field):
                    yield variable + FILE_SUFFIX


def _nearest(name: str, known: frozenset[str]) -> str | None:
    # Compared without what they all have in common, which would make any two alike.
    bare = {each.removeprefix(PREFIX): each for each in sorted(known)}
    found = difflib.get_close_matches(name.removeprefix(PREFIX), bare, n=1, cutoff=0.7)
    return bare[found[0]] if found else None
