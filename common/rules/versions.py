"""App and OS versions, compared as semantic versions; a missing number counts as 0 (`17` is `17.0.0`)."""

from semver import Version

__all__ = ["Version", "parse_version"]


def parse_version(text: str) -> Version | None:
    """Read a version, or give None for text that is not one."""
    try:
        return Version.parse(text, optional_minor_and_patch=True)
    except ValueError:
        return None
