"""The two who call the service: someone's dashboard, and a phone."""

from typing import Any

import httpx


class Dashboard:
    """Calls the management service as one user; any answer but a success is an AssertionError."""

    def __init__(self, client: httpx.Client, management_url: str, bearer: str) -> None:
        self._client = client
        self._url = f"{management_url}/api"
        self._headers = {"Authorization": f"Bearer {bearer}"}

    def get(self, path: str) -> Any:  # noqa: ANN401 - the shape depends on the path
        return self._data(self._client.get(self._url + path, headers=self._headers))

    def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._data(self._client.post(self._url + path, headers=self._headers, json=body))

    def put(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._data(self._client.put(self._url + path, headers=self._headers, json=body))

    def delete(self, path: str) -> httpx.Response:
        return self._client.delete(self._url + path, headers=self._headers)

    @staticmethod
    def _data(response: httpx.Response) -> Any:  # noqa: ANN401 - as above
        assert response.is_success, response.text
        return response.json()["data"]


class Phone:
    """Calls the edge as an installation of one project's app."""

    def __init__(self, client: httpx.Client, edge_url: str, project_id: str, secret_key: str) -> None:
        self.project_id = project_id
        self._client = client
        self._url = f"{edge_url}/api"
        self._headers = {"X-Project-Id": project_id, "X-Secret-Key": secret_key}

    def resolve(self, device_id: str) -> httpx.Response:
        return self._post("/onboarding/resolve", {"deviceId": device_id, "platform": "ios"})

    def resolved_flow(self, device_id: str) -> dict[str, Any] | None:
        """Return the answer of a resolve, or None when it is not a success (yet)."""
        response = self.resolve(device_id)
        document: dict[str, Any] = response.json()
        return document if response.is_success else None

    def config(self, *, etag: str | None = None) -> httpx.Response:
        return self._client.get(
            f"{self._url}/config", headers=self._headers | ({"If-None-Match": etag} if etag else {})
        )

    def report(self, event_type: str, device_id: str, flow_id: str | None, **members: str) -> httpx.Response:
        """Report an event; it must be accepted."""
        event = {"eventType": event_type, "deviceId": device_id, **members}
        response = self._post("/analytics/event", event | ({"flowId": flow_id} if flow_id else {}))
        assert response.status_code == 201, response.text
        return response

    def report_batch(self, events: list[dict[str, Any]]) -> set[str]:
        """Report events; return the ids of the accepted ones."""
        response = self._post("/analytics/events", {"events": events})
        assert response.is_success, response.text
        return {result["eventId"] for result in response.json()["results"] if result["status"] == "accepted"}

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self._client.post(self._url + path, headers=self._headers, json=body)
