"""Appends records to the event streams of Redis: many in one round trip, on connections of their own."""

import asyncio
from collections.abc import Sequence

from common.redis.async_links import ConnectionFactory
from common.wire.redis_keys import event_stream_of, event_streams
from edge_api.events.pending_write import PendingWrite
from edge_api.events.stream_writer import InFlightWrite, StreamWriter


class EventStreams:
    """One lane for all streams, or a lane for each where they may live on several servers."""

    def __init__(self, links: ConnectionFactory, *, replicas: int = 0) -> None:
        """Take what gives the connections, and how many replicas must have what is called durable."""
        streams = event_streams()
        self._links = links
        if links.are_split:
            self._lanes = {stream: StreamWriter(links, stream, replicas=replicas) for stream in streams}
        else:
            self._lanes = dict.fromkeys(streams, StreamWriter(links, streams[0], replicas=replicas))

    def send(self, submissions: Sequence[PendingWrite], time_limit_seconds: float) -> InFlightWrite | None:
        """Send all records at once if they go one way, and that is open; else nothing is sent and None given."""
        return None if self._links.are_split else self._only_lane.send(submissions, time_limit_seconds)

    async def append(
        self, submissions: Sequence[PendingWrite], time_limit_seconds: float, sent: InFlightWrite | None = None
    ) -> list[Exception | None]:
        """Append all records and say of each submission whether it is durable (None) or why that is not known.

        `sent` is what :meth:`send` gave for them. Never raises but when it is cancelled. After the time limit the
        connection is given up, and with it all that is under way.
        """
        if not self._links.are_split:
            return await self._only_lane.append(submissions, time_limit_seconds, sent)
        shares: dict[str, list[int]] = {}
        for number, submission in enumerate(submissions):
            shares.setdefault(event_stream_of(submission.project_id), []).append(number)
        appending = [
            self._lanes[stream].append([submissions[number] for number in numbers], time_limit_seconds)
            for stream, numbers in shares.items()
        ]
        fates: list[Exception | None] = [None] * len(submissions)
        for numbers, some in zip(shares.values(), await asyncio.gather(*appending), strict=True):
            for number, fate in zip(numbers, some, strict=True):
                fates[number] = fate
        return fates

    @property
    def _only_lane(self) -> StreamWriter:
        return next(iter(self._lanes.values()))

    async def aclose(self) -> None:
        """Close all connections."""
        for lane in self._lanes.values():
            lane.close()
        await self._links.aclose()
