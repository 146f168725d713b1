"""What a client demands of a thing before it is changed: the `If-Match` of a request (RFC 9110, section 13.1.1)."""

from collections.abc import Callable
from dataclasses import dataclass

from common.errors import PreconditionFailedError


@dataclass(frozen=True, slots=True)
class Precondition:
    """The state that a thing must be in. `tags` are strong entity tags, one of which must be its own; None: any."""

    tags: frozenset[str] | None

    def check(self, current_tag: Callable[[], str | None]) -> None:
        """Raise PreconditionFailedError if the thing is in another state; one without a tag is in none.

        Call it under the project's lock only.
        """
        if self.tags is not None and current_tag() not in self.tags:
            raise PreconditionFailedError


#: No `If-Match`, or one that only asks that the thing exists, which every change does anyway.
ANY_STATE = Precondition(tags=None)
