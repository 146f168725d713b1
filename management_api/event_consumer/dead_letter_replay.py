"""Puts dead letters back into their streams, as the entries that they were.

A letter is only marked here; it goes when the consumer has stored its entry (`dead_letters.py`). So the replay may be
interrupted anywhere and begun again.
"""

from collections.abc import Callable, Sequence

from redis import Redis
from sqlalchemy import func, update

from common.wire.redis_keys import ATTEMPTS_FIELD, EVENT_FIELD, LETTER_FIELD, event_stream_of, event_streams
from management_api.database.events import DeadLetter
from management_api.database.transactions import Database
from management_api.event_consumer.dead_letter_reading import WhichLetters, count_letters, pages_of_letters

#: Letters that are sent to Redis at once; a body has some kilobytes.
PAGE = 500


def replay_letters(
    database: Database, redis: Redis, which: WhichLetters, note_progress: Callable[[int, int], None]
) -> int:
    """Replay the letters and tell how many; `note_progress` is called with how many are done, and of how many.

    Raises RedisError and UnavailableError; what was replayed until then stays replayed.
    """
    done = 0
    with database.reading_objects() as session:
        total = count_letters(session, which)
        note_progress(done, total)
        for page in pages_of_letters(session, which, PAGE):
            _send(redis, page)
            _mark(database, page)
            done += len(page)
            note_progress(done, max(done, total))
    return done


def _send(redis: Redis, letters: Sequence[DeadLetter]) -> None:
    with redis.pipeline(transaction=False) as pipeline:
        for letter in letters:
            fields = {EVENT_FIELD: letter.body, LETTER_FIELD: str(letter.id), ATTEMPTS_FIELD: str(letter.attempts)}
            pipeline.xadd(_stream_of(letter), fields)  # type: ignore[arg-type]  # redis-py's dict is invariant
        pipeline.execute()


def _stream_of(letter: DeadLetter) -> str:
    """Name the stream that the entry would go to today; where nobody can say whose it is, the one it came from."""
    if letter.project_id is not None:
        return event_stream_of(letter.project_id)
    return letter.stream if letter.stream in event_streams() else event_streams()[0]


def _mark(database: Database, letters: Sequence[DeadLetter]) -> None:
    """Mark them as replayed, but for those that a consumer has already seen fail again."""
    with database.transaction() as session:
        for letter in letters:
            session.execute(
                update(DeadLetter)
                .where(DeadLetter.id == letter.id, DeadLetter.attempts == letter.attempts)
                .values(replayed_at=func.clock_timestamp())
            )
