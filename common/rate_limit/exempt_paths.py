"""Which paths are counted: all but health, metrics and documentation (contract, section 1)."""

_NEVER = frozenset(
    {
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/docs",
        "/api/v1/docs",
        "/api/openapi.json",
        "/api/v1/openapi.json",
    }
)
_NEVER_BELOW = ("/api/docs/", "/api/v1/docs/")


def is_counted(path: str) -> bool:
    """Tell whether a request for the path is counted; one that is not carries no rate-limit headers."""
    return path not in _NEVER and not path.startswith(_NEVER_BELOW)
