"""GET /api/config: everything that an SDK needs to resolve offline (contract, section 4).

The publisher has made the document in each content coding; the endpoint selects one by Accept-Encoding (RFC 9110,
12.5.3) and answers 304 by If-None-Match (RFC 9110, 13.1.2). It compresses nothing.
"""

import re
from functools import lru_cache

from edge_api.api.config_representations import BROTLI, GZIP, IDENTITY
from edge_api.api.headers import header_text, match_etag
from edge_api.api.request import ACCEPT_ENCODING, IF_NONE_MATCH, AuthenticatedProject, RequestContext
from edge_api.api.response import Response

#: The smallest first: of codings with equal weight, that one is sent.
_CODINGS = (BROTLI, GZIP, IDENTITY)
_ANY = "*"
_ALIASES = {"x-gzip": GZIP}
#: A coding, with or without a weight.
_MEMBER = re.compile(
    r"(?P<coding>[!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(?P<weight>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",
    re.IGNORECASE,
)
_MAX_MEMBERS = 50


class ConfigEndpoint:
    """Sends the document that the publisher has made."""

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Return the document, or 304 for a client that has it in any coding."""
        headers = request.headers
        representations = project.snapshot.config_responses
        if IF_NONE_MATCH in headers:
            # Most clients send the one tag that they were given.
            not_modified = representations.not_modified.get(headers[IF_NONE_MATCH])
            if not_modified is not None:
                return not_modified
        listed = header_text(headers, IF_NONE_MATCH)
        preferred = representations.preferred(accepted_codings(header_text(headers, ACCEPT_ENCODING)))
        tag = match_etag(listed, (preferred.tag, *representations.by_tag))
        return preferred.full if tag is None else representations.by_tag[tag].not_modified


# Clients are many, but the values of Accept-Encoding few.
@lru_cache(maxsize=256)
def accepted_codings(accept_encoding: str | None) -> tuple[str, ...]:
    """Return the codings that may be sent, the preferred first. The plain form is always among them."""
    weights = {} if accept_encoding is None else _weights(accept_encoding)
    others = weights.get(_ANY, 0.0)
    accepted = [coding for coding in _CODINGS if weights.get(coding, others) > 0]
    accepted.sort(key=lambda coding: -weights.get(coding, others))
    return tuple(accepted) if IDENTITY in accepted else (*accepted, IDENTITY)


def _weights(accept_encoding: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for member in accept_encoding.split(",", _MAX_MEMBERS)[:_MAX_MEMBERS]:
        read = _MEMBER.fullmatch(member.strip(" \t"))
        # A malformed member is not accepted.
        coding, weight = (
            (member.partition(";")[0].strip(), "0") if read is None else (read["coding"], read["weight"] or "1")
        )
        coding = coding.lower()
        weights[_ALIASES.get(coding, coding)] = float(weight)
    return weights
