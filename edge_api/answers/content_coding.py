"""Which content codings a client takes, the most welcome first (RFC 9110, 12.5.3)."""

import re

from common.rules.condition_index import BoundedCache

BROTLI = "br"
GZIP = "gzip"
IDENTITY = "identity"
#: The smallest first: of those that a client takes equally gladly, that one is sent.
_CODINGS = (BROTLI, GZIP, IDENTITY)
_ANY = "*"
_ALIASES = {"x-gzip": GZIP}

#: A coding, alone or with the weight in the only form that it may have.
_MEMBER = re.compile(
    r"(?P<coding>[!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(?P<weight>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?",
    re.IGNORECASE,
)
_MOST_MEMBERS = 50

#: What clients say of themselves is shorter than this.
_LONGEST_REMEMBERED = 128


class ContentCodings:
    """Ranks codings by what clients say, and remembers the ranks: clients are many, what they say is little."""

    def __init__(self) -> None:
        self._known: BoundedCache[str | None, tuple[str, ...]] = BoundedCache()

    def ranked(self, accept_encoding: str | None) -> tuple[str, ...]:
        """Give the codings that may be sent; the plain form is always among them."""
        known = self._known.get(accept_encoding)
        if known is not None:
            return known
        ranked = ranked_codings(accept_encoding)
        if accept_encoding is None or len(accept_encoding) <= _LONGEST_REMEMBERED:
            self._known.put(accept_encoding, ranked)
        return ranked


def ranked_codings(accept_encoding: str | None) -> tuple[str, ...]:
    """Read the header. Who says nothing is sent the plain form; so is who takes nothing that there is."""
    weights = {} if accept_encoding is None else _weights(accept_encoding)
    others = weights.get(_ANY, 0.0)
    welcome = [coding for coding in _CODINGS if weights.get(coding, others) > 0]
    welcome.sort(key=lambda coding: -weights.get(coding, others))
    return tuple(welcome) if IDENTITY in welcome else (*welcome, IDENTITY)


def _weights(accept_encoding: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for member in accept_encoding.split(",", _MOST_MEMBERS)[:_MOST_MEMBERS]:
        read = _MEMBER.fullmatch(member.strip(" \t"))
        # What cannot be read is not taken to be welcome.
        coding, weight = (
            (member.partition(";")[0].strip(), "0") if read is None else (read["coding"], read["weight"] or "1")
        )
        coding = coding.lower()
        weights[_ALIASES.get(coding, coding)] = float(weight)
    return weights
