"""The paths of hosted pages: their templates, which stand for them in metrics, logs and traces, and their tickets.

A ticket is a credential, so no path of a request with a ticket is written anywhere.
"""

import re

GLOBAL_CONFIG_PATHS = ("/api/global-config", "/api/v1/global-config")
PREVIEW_PATH = "/onboarding/preview"
ASSET_PATH = "/onboarding/assets/{asset}"
PAGE_PATH = "/s/{ticket}/onboarding/{flow_id}/{number}"
TICKET_RESOLVE_PATH = "/s/{ticket}/api/onboarding/resolve"
TICKET_EVENTS_PATH = "/s/{ticket}/api/analytics/events"

#: The templates; every other path stands for itself.
PAGE_TEMPLATES = (PREVIEW_PATH, ASSET_PATH, PAGE_PATH, TICKET_RESOLVE_PATH, TICKET_EVENTS_PATH)
_PATTERNS = tuple((re.compile(re.sub(r"{\w+}", "[^/]+", path), re.DOTALL), path) for path in PAGE_TEMPLATES)
_HAS_TICKET = re.compile("/s/([^/]*)")
_IS_PAGE = re.compile("(?:/s/[^/]*)?/onboarding(?:/|$)")
#: A ticket at any other place, as in a path with a slash too many. Ids are shorter.
_LONG = re.compile("[A-Za-z0-9_-]{60,}")


def template_of(path: str) -> str:
    """Return the template of a path; of an unknown path itself, without anything like a ticket."""
    if path.startswith(("/s/", "/onboarding/")):
        for pattern, template in _PATTERNS:
            if pattern.fullmatch(path) is not None:
                return template
    if path.startswith("/s/"):
        return "/s/{ticket}"
    return _LONG.sub("{ticket}", path)


def ticket_in(path: str) -> str | None:
    """Return the ticket of a path; None for a path that has no place for one."""
    found = _HAS_TICKET.match(path)
    return None if found is None else found[1]


def is_page(path: str) -> bool:
    """Return whether a browser shows the response, so that an error has to be HTML."""
    return _IS_PAGE.match(path) is not None
