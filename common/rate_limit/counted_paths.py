"""The paths whose requests are counted; the table of the edge's routes has its own (contract, section 1)."""

_EXEMPT_PATHS = frozenset(
    {
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/docs",
        "/api/v1/docs",
        "/api/openapi.json",
        "/api/v1/openapi.json",
        "/dashboard",
    }
)
_EXEMPT_PREFIXES = ("/api/docs/", "/api/v1/docs/", "/dashboard/")


def is_counted(path: str) -> bool:
    """Return whether requests for the path are counted; others carry no rate limit headers (contract, section 1)."""
    return path not in _EXEMPT_PATHS and not path.startswith(_EXEMPT_PREFIXES)
