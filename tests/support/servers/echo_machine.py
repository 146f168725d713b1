"""A service for machine translation that answers each text with itself, as OpenAI's chat completions do."""

import json

from tests.support.servers.recording_service import Received, RecordingService, Reply


class EchoMachine(RecordingService):
    """Listens on a loopback address; a context manager."""

    def _record(self, received: Received) -> Reply:
        sent = json.loads(json.loads(received.body)["messages"][-1]["content"])
        message = {"role": "assistant", "content": json.dumps(sent)}
        return Reply(body=json.dumps({"choices": [{"message": message}]}).encode())
