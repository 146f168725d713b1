"""Rate limits for tests that are not about rate limits: they send more than a client may."""

_PLENTY = 1_000_000

#: By the names of the settings.
HIGH_LIMITS = {
    "rate_limit_per_secret_key": _PLENTY,
    "rate_limit_per_api_key": _PLENTY,
    "rate_limit_per_jwt": _PLENTY,
    "rate_limit_unauthenticated": _PLENTY,
}

#: By the names of the environment variables.
HIGH_LIMIT_VARIABLES = {f"ONBOARDING_{name.upper()}": str(limit) for name, limit in HIGH_LIMITS.items()}
