"""GET /api/config: everything that an SDK needs to resolve by itself (contract, section 4)."""

from edge_api.answers.answer import Answer
from edge_api.answers.content_coding import prefers_gzip
from edge_api.answers.credentials import Access
from edge_api.answers.entity_tags import first_listed
from edge_api.answers.request_head import RequestHead


class ConfigEndpoint:
    """Sends the publisher's finished document, plain or compressed."""

    methods = ("GET", "HEAD")
    body_limit = None

    def answer(self, access: Access, head: RequestHead, _body: bytes) -> Answer:
        """Give the document, or 304 to a client that has it in either form."""
        forms = access.resident.config_answers
        preferred, other = (
            (forms.gzip, forms.plain) if prefers_gzip(head.accept_encoding) else (forms.plain, forms.gzip)
        )
        if head.if_none_match is None:
            return preferred.whole
        known = first_listed(head.if_none_match, (preferred.tag, other.tag))
        if known is None:
            return preferred.whole
        return preferred.not_modified if known == preferred.tag else other.not_modified
