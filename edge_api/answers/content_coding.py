"""Which content coding a client takes (RFC 9110, 12.5.3)."""

_MAX_WEIGHTS = 50


def prefers_gzip(accept_encoding: str | None) -> bool:
    """Tell whether the client takes gzip and does not prefer the plain form."""
    if accept_encoding is None:
        return False
    weights = _weights(accept_encoding)
    gzip = max(weights.get("gzip", -1.0), weights.get("x-gzip", -1.0))
    if gzip < 0:
        gzip = weights.get("*", 0.0)
    return gzip > 0 and gzip >= weights.get("identity", 0.0)


def _weights(accept_encoding: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for item in accept_encoding.split(",", _MAX_WEIGHTS)[:_MAX_WEIGHTS]:
        coding, _, parameter = item.partition(";")
        weights[coding.strip().lower()] = _weight(parameter)
    return weights


def _weight(parameter: str) -> float:
    """Read `q=0.5`; no parameter means 1, and a malformed one refuses the coding."""
    name, _, value = parameter.partition("=")
    if not name.strip():
        return 1.0
    try:
        weight = float(value) if name.strip().lower() == "q" else 0.0
    except ValueError:
        return 0.0
    return weight if 0.0 <= weight <= 1.0 else 0.0
