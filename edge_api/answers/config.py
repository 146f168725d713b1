"""GET /api/config: everything that an SDK needs to resolve by itself (contract, section 4)."""

from edge_api.answers.answer import Answer
from edge_api.answers.content_coding import ContentCodings
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.entity_tags import first_listed
from edge_api.answers.request_head import RequestHeaders


class ConfigEndpoint:
    """Sends the publisher's finished document, plain or compressed; nothing is compressed here."""

    methods = ("GET", "HEAD")
    body_limit = None

    def __init__(self) -> None:
        self._codings = ContentCodings()

    def answer(self, access: AuthenticatedProject, head: RequestHeaders, _body: bytes) -> Answer:
        """Give the document, or 304 to a client that has it in any of its forms."""
        answers = access.resident.config_responses
        listed = head.if_none_match
        if listed is not None:
            # Nearly always it is the one tag that the client was given.
            known = answers.by_tag.get(listed)
            if known is not None:
                return known.not_modified
        preferred = answers.preferred(self._codings.ranked(head.accept_encoding))
        tag = first_listed(listed, (preferred.tag, *answers.by_tag))
        return preferred.whole if tag is None else answers.by_tag[tag].not_modified
