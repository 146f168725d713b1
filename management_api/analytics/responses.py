"""The answers to the questions of a flow (contract, section 8, Form responses).

An answer is the `answer` of a stored `question_answered` event of a screen, for any flow of the event, since a
screen is in one flow only. Of a device's answers on a screen in one session the newest counts; events without a session
are of one. An empty answer, such as that of an optional question, counts as none. Each box of a consent is a question.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from common.wire.public_responses import ScreenType
from management_api.analytics.dates import DateRange
from management_api.analytics.filters import check_experiment
from management_api.analytics.schemas import NumbersView, QuestionView, ResponsesQuery, ResponsesView, ValueCountView
from management_api.auth.access import FLOW_WITH_DOCUMENT, Caller, get_for_read
from management_api.db.models.flows import Flow
from management_api.screens.contents import box_names, list_of, text_of

#: Devices may send any value, and people write any text.
MAX_VALUES, MAX_SAMPLES, MAX_VALUE_LENGTH = 1000, 100, 1000
#: The pickers whose answer is one number.
NUMBER_PICKERS = frozenset({"number", "height", "weight"})
#: The columns of the table: a row for each value or text, or one with the numbers.
CSV_COLUMNS = ("screen_id", "question", "question_type", "answers", "value", "count", "mean", "median", "p10", "p90")

_CHOICES = frozenset({ScreenType.QUESTION_SINGLE_CHOICE, ScreenType.QUESTION_MULTIPLE_CHOICE})
QUESTIONS = (*_CHOICES, ScreenType.QUESTION_PICKER, ScreenType.QUESTION_TEXT, ScreenType.CONSENT)
#: A row of kind `total` for each screen with answers; of kind `value` for each value of choices and pickers; of kind
#: `text` for each of the newest texts. The conditions without parameters are those of the index.
_ANSWERS = text("""
    WITH newest AS MATERIALIZED (
        SELECT DISTINCT ON (question_id, device_id, coalesce(session_id, ''))
            question_id AS screen_id, occurred_at, event_id, answer
        FROM (
            SELECT device_id, session_id, occurred_at, event_id, properties -> 'answer' AS answer,
                screen_id || CASE WHEN screen_id = ANY(:consent_ids)
                    THEN '/' || coalesce(properties ->> 'answer_key', '') ELSE '' END AS question_id
            FROM events
            WHERE project_id = :project_id AND screen_id = ANY(:screen_ids) AND event_type = 'question_answered'
                AND properties ? 'answer' AND occurred_at >= :start AND occurred_at < :end
                AND received_at >= CAST(:start AS timestamptz) - interval '1 day'
                AND (CAST(:platform AS text) IS NULL OR platform = :platform)
                AND (CAST(:experiment_id AS text) IS NULL OR experiment_id = :experiment_id)
        ) AS given
        ORDER BY question_id, device_id, coalesce(session_id, ''), occurred_at DESC, event_id DESC
    ), answers AS MATERIALIZED (
        SELECT * FROM (
            SELECT screen_id, occurred_at, event_id, answer, CASE jsonb_typeof(answer)
                WHEN 'array' THEN (
                    SELECT string_agg(part, ' ' ORDER BY place)
                    FROM jsonb_array_elements_text(answer) WITH ORDINALITY AS parts (part, place)
                ) ELSE answer #>> '{}' END AS value
            FROM newest
        ) AS readable WHERE value <> ''
    ), numbers AS (
        SELECT screen_id, CASE WHEN value ~ '^[+-]?[0-9]{1,15}([.][0-9]{1,15})?$' THEN value::float8 END AS number
        FROM answers
    ), chosen AS (
        SELECT screen_id, value FROM answers WHERE screen_id = ANY(:picker_ids)
        UNION ALL
        SELECT screen_id, item FROM answers CROSS JOIN LATERAL (
            SELECT DISTINCT item FROM jsonb_array_elements_text(
                CASE jsonb_typeof(answer) WHEN 'array' THEN answer ELSE jsonb_build_array(answer) END
            ) AS items (item)
        ) AS parts WHERE screen_id = ANY(:choice_ids) AND item <> ''
    ), ranked AS (
        SELECT screen_id, value, count(*) AS count,
            row_number() OVER (PARTITION BY screen_id ORDER BY count(*) DESC, value) AS place
        FROM chosen GROUP BY screen_id, value
    ), texts AS (
        SELECT screen_id, value,
            row_number() OVER (PARTITION BY screen_id ORDER BY occurred_at DESC, event_id DESC) AS place
        FROM answers WHERE screen_id = ANY(:text_ids)
    )
    SELECT 'total' AS kind, screen_id, NULL AS value, 0 AS place, count(*) AS count, count(number) AS numbers,
        avg(number) AS mean, percentile_cont(0.5) WITHIN GROUP (ORDER BY number) AS median,
        percentile_cont(0.1) WITHIN GROUP (ORDER BY number) AS p10,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY number) AS p90
    FROM numbers GROUP BY screen_id
    UNION ALL
    SELECT 'value', screen_id, left(value, :max_length), place, count, 0, NULL, NULL, NULL, NULL
    FROM ranked WHERE place <= :max_values
    UNION ALL
    SELECT 'text', screen_id, left(value, :max_length), place, 1, 0, NULL, NULL, NULL, NULL
    FROM texts WHERE place <= :max_samples
    ORDER BY screen_id, kind, place
""")

_AnswerRow = Row[*tuple[Any, ...]]
#: A screen of the live document.
_Screen = Mapping[str, Any]


def read_responses(session: Session, caller: Caller, query: ResponsesQuery, dates: DateRange) -> ResponsesView:
    """Return the answers to the questions of a flow. Raises FlowNotFoundError, ForbiddenError, NotFoundError."""
    flow = get_for_read(session, caller, Flow, query.flow_id, FLOW_WITH_DOCUMENT)
    if query.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    if query.experiment_id is not None:
        check_experiment(session, flow.project_id, query.experiment_id)
    screens = [screen for screen in flow.document["screens"] if screen["type"] in QUESTIONS]
    answers = _read_answers(session, flow.project_id, screens, query, dates)
    questions = [
        _question(screen, text, answers[question_id])
        for screen in screens
        for question_id, text in _questions_of(screen)
    ]
    return ResponsesView(flow_id=flow.id, first=dates.first, to=dates.last, questions=questions)


def responses_table(view: ResponsesView) -> Iterator[Mapping[str, object]]:
    """Yield the rows of the table; a question without answers has one row."""
    empty = dict.fromkeys(CSV_COLUMNS)
    for question in view.questions:
        columns = {name: getattr(question, name) for name in ("screen_id", "question", "question_type", "answers")}
        base = empty | columns
        if question.numbers is not None:
            yield base | question.numbers.model_dump()
        rows = [value.model_dump() for value in question.distribution or ()]
        rows += [{"value": sample} for sample in question.samples or ()]
        for row in rows:
            yield base | row
        if not rows and question.numbers is None:
            yield base


def _read_answers(
    session: Session, project_id: str, screens: Sequence[_Screen], query: ResponsesQuery, dates: DateRange
) -> Mapping[str, Sequence[_AnswerRow]]:
    """Return the rows of each screen."""
    answers: defaultdict[str, list[_AnswerRow]] = defaultdict(list)
    if not screens:
        return answers
    rows = session.execute(
        _ANSWERS,
        {
            "project_id": project_id,
            "screen_ids": [screen["id"] for screen in screens],
            "choice_ids": [
                question_id
                for screen in screens
                if screen["type"] in {*_CHOICES, ScreenType.CONSENT}
                for question_id, _ in _questions_of(screen)
            ],
            "consent_ids": [screen["id"] for screen in screens if screen["type"] == ScreenType.CONSENT],
            "picker_ids": [screen["id"] for screen in screens if screen["type"] == ScreenType.QUESTION_PICKER],
            "text_ids": [screen["id"] for screen in screens if screen["type"] == ScreenType.QUESTION_TEXT],
            "start": dates.start,
            "end": dates.end,
            "platform": query.platform,
            "experiment_id": query.experiment_id,
            "max_length": MAX_VALUE_LENGTH,
            "max_values": MAX_VALUES,
            "max_samples": MAX_SAMPLES,
        },
    )
    for row in rows:
        answers[row.screen_id].append(row)
    return answers


def _questions_of(screen: _Screen) -> Iterator[tuple[str, str | None]]:
    """Yield the ids of the questions of a screen, and their texts: each box of a consent is a question."""
    if screen["type"] != ScreenType.CONSENT:
        yield screen["id"], _text_of(screen)
        return
    items = list_of("consent", "items", screen["content"])
    for name, item in zip(box_names(screen["content"]), items, strict=True):
        if name:
            yield f"{screen['id']}/{name}", text_of("consent_item", "label", item)


def _question(screen: _Screen, question: str | None, rows: Sequence[_AnswerRow]) -> QuestionView:
    total = next((row for row in rows if row.kind == "total"), None)
    answers = 0 if total is None else total.count
    numbers = None
    if total is not None and total.numbers == answers and _is_numeric(screen):
        numbers = NumbersView.model_validate(total)
    is_text = screen["type"] == ScreenType.QUESTION_TEXT
    return QuestionView(
        screen_id=screen["id"],
        question=question,
        question_type=ScreenType(screen["type"]),
        answers=answers,
        distribution=None
        if is_text or numbers is not None
        else [ValueCountView(value=row.value, count=row.count) for row in rows if row.kind == "value"],
        numbers=numbers,
        samples=[row.value for row in rows if row.kind == "text"] if is_text and numbers is None else None,
    )


def _is_numeric(screen: _Screen) -> bool:
    """Return whether the answers are shown as numbers if all of them are."""
    if screen["type"] == ScreenType.QUESTION_PICKER:
        picker = text_of("question_picker", "picker", screen["content"]).lower()
        return picker in NUMBER_PICKERS or (not picker and not list_of("choice", "options", screen["content"]))
    return bool(screen["type"] == ScreenType.QUESTION_TEXT)


def _text_of(screen: _Screen) -> str | None:
    """Return the question of a screen; content is free, so it may have none."""
    return text_of("screen", "title", screen["content"]) or screen["name"] or None
