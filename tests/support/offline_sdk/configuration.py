"""The configuration that an SDK keeps, implemented from docs/write-an-sdk.md; imports nothing of the service."""

from tests.support.offline_sdk.matching import Json


class KeptConfiguration:
    """The body of GET /api/config with the highest `configVersion` that was received."""

    def __init__(self) -> None:
        self.document: Json | None = None

    def receive(self, document: Json) -> Json:
        """Return the configuration to decide by: the received one, unless a newer one is kept."""
        if self.document is None or document["configVersion"] >= self.document["configVersion"]:
            self.document = document
        return self.document
