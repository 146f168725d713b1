"""What is known of a request while it is answered, and the headers that this puts on every answer, errors too."""

import re
import secrets
from dataclasses import dataclass

from common.rate_limits.rulings import LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER, Ruling
from edge_api.answers.answer import HeaderPairs

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_LIMIT, _REMAINING, _RESET = (name.lower().encode() for name in (LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER))


@dataclass(slots=True)
class RequestContext:
    """Grows as the request goes on: a project is known once its credentials were right, a ruling once it is counted."""

    request_id: str
    project_id: str | None = None
    config_version: int | None = None
    ruling: Ruling | None = None

    def headers(self) -> HeaderPairs:
        """Give the headers that the answer carries besides its own (contract, sections 1 and 4)."""
        pairs: HeaderPairs = ((b"x-request-id", self.request_id.encode()), _NO_SNIFFING)
        ruling = self.ruling
        if ruling is not None:
            pairs += (
                (_LIMIT, b"%d" % ruling.limit),
                (_REMAINING, b"%d" % ruling.remaining),
                (_RESET, b"%d" % ruling.resets_at),
            )
        if self.config_version is None:
            return pairs
        return (*pairs, (b"x-config-version", b"%d" % self.config_version))


def request_id_from(incoming: str | None) -> str:
    """Keep a sane incoming request id, or make a new one."""
    if incoming is not None and _SANE_ID.fullmatch(incoming):
        return incoming
    return secrets.token_hex(16)
