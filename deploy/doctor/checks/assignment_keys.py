"""Whether the edges sign with the same keys as each other, and as this environment has them."""

from collections.abc import Iterator

from common.errors import SettingsError
from common.rules.assignment_tokens import AssignmentTokens
from common.settings.types import assignment_keys_of
from deploy.doctor.finding import Finding, unchecked, well, wrong
from deploy.doctor.installation import Installation, NotReachedError, asked
from deploy.local.stack_keys import assignment_keys_in

_HERE = "this environment"


def look_at_assignment_keys(installation: Installation) -> Iterator[Finding]:
    """Compare the fingerprints that edges show; in a rotation they differ in their order, which is well."""
    found = dict(_fingerprints(installation))
    signing = {keys[0] for keys in found.values()}
    strangers = [
        f"{who} does not believe what {other} signs"
        for who, keys in found.items()
        for other, others in found.items()
        if others[0] not in keys
    ]
    if len(found) < 2:  # noqa: PLR2004 - it takes two to compare
        yield unchecked("There are no two places to compare: name edges with --edge-url.")
    elif strangers:
        yield wrong(
            f"The keys of assignment tokens differ: {strangers[0]}.",
            "Give every edge and management the same ONBOARDING_ASSIGNMENT_KEYS, or devices change their variants.",
        )
    else:
        more = "; a rotation is under way" if len(signing) > 1 else ""
        yield well(f"{len(found)} places have the same keys of assignment tokens{more}.")


def _fingerprints(installation: Installation) -> Iterator[tuple[str, list[str]]]:
    try:
        keys = assignment_keys_of(assignment_keys_in(installation.settings))
        yield _HERE, AssignmentTokens(keys).fingerprints
    except SettingsError:
        # Edges can still be compared with each other.
        pass
    for url in installation.edge_urls:
        try:
            _, answer = asked(url, "/health/ready")
        except NotReachedError:
            # The check of services tells of it.
            continue
        shown = answer.get("assignment_keys")
        if isinstance(shown, list) and shown:
            yield f"the edge at {url}", [str(each) for each in shown]
