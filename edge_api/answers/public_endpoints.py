"""The public interface: every path and what answers it (interface, section 4)."""

from common.rules.assignment_tokens import AssignmentTokens
from edge_api.answers.config import ConfigEndpoint
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.event import EventEndpoint
from edge_api.answers.event_batch import EventBatchEndpoint
from edge_api.answers.resolve import OfferExposure, ResolveEndpoint

#: The version is carried in the path and is v1 when the path carries none (interface, section 9).
_PREFIXES = ("/api", "/api/v1")


def public_endpoints(offer_exposure: OfferExposure | None, tokens: AssignmentTokens) -> dict[str, Endpoint]:
    """Make the endpoints, by their full paths. No exposures are recorded when nobody takes them."""
    endpoints: dict[str, Endpoint] = {
        "/onboarding/resolve": ResolveEndpoint(offer_exposure, tokens),
        "/config": ConfigEndpoint(),
        "/analytics/event": EventEndpoint(),
        "/analytics/events": EventBatchEndpoint(),
    }
    return {prefix + path: endpoint for prefix in _PREFIXES for path, endpoint in endpoints.items()}
