"""The SQL of storing a batch of stream entries.

Each statement writes its rows in the order of their keys, so that two consumers that store overlapping batches wait
for each other and do not deadlock.
"""

#: Makes the session's own tables that a batch passes through; PostgreSQL empties them at the end of each transaction.
#: `fresh_sightings` holds what was new in the batch, and only from it are the rollups counted.
CREATE_BATCH_TABLES = """
    CREATE TEMPORARY TABLE IF NOT EXISTS incoming_events (
        project_id text, event_id text, event_type text, device_id text, flow_id text, screen_id text,
        experiment_id text, variant text, session_id text, occurred_at_ms bigint, received_at_ms bigint,
        platform text, app_version text, properties jsonb, secret_key_id text
    ) ON COMMIT DELETE ROWS;
    CREATE TEMPORARY TABLE IF NOT EXISTS incoming_exposures (
        project_id text, device_id text, flow_id text, experiment_id text, variant text, exposed_at_ms bigint,
        platform text, secret_key_id text
    ) ON COMMIT DELETE ROWS;
    CREATE TEMPORARY TABLE IF NOT EXISTS fresh_sightings (
        project_id text, device_id text, flow_id text, event_type text, seen_at timestamptz
    ) ON COMMIT DELETE ROWS
"""

#: Gives those of the projects that exist, and keeps them from being deleted until the transaction ends.
LOCK_PROJECTS = "SELECT id FROM projects WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"

#: Sends the events of a batch, in the order of the columns of `incoming_events`.
COPY_EVENTS = "COPY incoming_events FROM STDIN"

#: Sends the exposures of a batch, in the order of the columns of `incoming_exposures`.
COPY_EXPOSURES = "COPY incoming_exposures FROM STDIN"

#: Stores the events whose ids are not there yet, in the table or earlier in the batch.
STORE_EVENTS = """
    WITH stored AS (
        INSERT INTO events (
            project_id, event_id, event_type, device_id, flow_id, screen_id, experiment_id, variant, session_id,
            occurred_at, received_at, platform, app_version, properties
        )
        SELECT project_id, event_id, event_type, device_id, flow_id, screen_id, experiment_id, variant, session_id,
            timestamptz 'epoch' + occurred_at_ms * interval '1 millisecond',
            timestamptz 'epoch' + received_at_ms * interval '1 millisecond',
            platform, app_version, properties
        FROM incoming_events
        ORDER BY project_id, event_id, received_at_ms
        ON CONFLICT DO NOTHING
        RETURNING project_id, device_id, flow_id, event_type, occurred_at
    )
    INSERT INTO fresh_sightings
    SELECT project_id, device_id, coalesce(flow_id, ''), event_type, occurred_at FROM stored
"""

#: Stores the exposures that are the first of their flow and variant; the first one stored stays, so that the rollups
#: never count a moment that the table does not have.
STORE_EXPOSURES = """
    WITH stored AS (
        INSERT INTO exposures (project_id, device_id, flow_id, experiment_id, variant, exposed_at, platform)
        SELECT project_id, device_id, flow_id, coalesce(experiment_id, ''), coalesce(variant, ''),
            timestamptz 'epoch' + exposed_at_ms * interval '1 millisecond', platform
        FROM incoming_exposures
        ORDER BY project_id, device_id, flow_id, coalesce(experiment_id, ''), coalesce(variant, ''), exposed_at_ms
        ON CONFLICT DO NOTHING
        RETURNING project_id, device_id, flow_id, exposed_at
    )
    INSERT INTO fresh_sightings SELECT project_id, device_id, flow_id, NULL, exposed_at FROM stored
"""

#: Notes when each device was first seen.
COUNT_DEVICES = """
    INSERT INTO devices (project_id, device_id, first_seen_at)
    SELECT project_id, device_id, min(seen_at) FROM fresh_sightings
    GROUP BY project_id, device_id
    ORDER BY project_id, device_id
    ON CONFLICT (project_id, device_id) DO UPDATE SET first_seen_at = excluded.first_seen_at
    WHERE excluded.first_seen_at < devices.first_seen_at
"""

#: Adds what each device did on each UTC day with each flow; a row without counts says that the device was there.
COUNT_DAILY_ACTIVITY = """
    INSERT INTO daily_activity (project_id, day, flow_id, device_id, starts, completions)
    SELECT project_id, (seen_at AT TIME ZONE 'UTC')::date AS day, flow_id, device_id,
        count(*) FILTER (WHERE event_type = 'flow_started'), count(*) FILTER (WHERE event_type = 'flow_completed')
    FROM fresh_sightings
    GROUP BY project_id, day, flow_id, device_id
    ORDER BY project_id, day, flow_id, device_id
    ON CONFLICT (project_id, day, flow_id, device_id) DO UPDATE
    SET starts = daily_activity.starts + excluded.starts,
        completions = daily_activity.completions + excluded.completions
    WHERE excluded.starts > 0 OR excluded.completions > 0
"""

#: Notes the first start and the first completion of each flow by each device.
COUNT_FLOW_JOURNEYS = """
    INSERT INTO flow_journeys (project_id, flow_id, device_id, first_started_at, first_completed_at)
    SELECT project_id, flow_id, device_id,
        min(seen_at) FILTER (WHERE event_type = 'flow_started'),
        min(seen_at) FILTER (WHERE event_type = 'flow_completed')
    FROM fresh_sightings
    WHERE flow_id <> '' AND event_type IN ('flow_started', 'flow_completed')
    GROUP BY project_id, flow_id, device_id
    ORDER BY project_id, flow_id, device_id
    ON CONFLICT (project_id, flow_id, device_id) DO UPDATE
    SET first_started_at = least(flow_journeys.first_started_at, excluded.first_started_at),
        first_completed_at = least(flow_journeys.first_completed_at, excluded.first_completed_at)
    WHERE excluded.first_started_at < coalesce(flow_journeys.first_started_at, 'infinity')
       OR excluded.first_completed_at < coalesce(flow_journeys.first_completed_at, 'infinity')
"""

#: Notes when each secret key was last used, by anything in the batch; a key that is gone is not missed.
NOTE_USED_KEYS = """
    WITH used AS (
        SELECT project_id, secret_key_id, timestamptz 'epoch' + max(at_ms) * interval '1 millisecond' AS used_at
        FROM (
            SELECT project_id, secret_key_id, received_at_ms AS at_ms FROM incoming_events
            UNION ALL
            SELECT project_id, secret_key_id, exposed_at_ms FROM incoming_exposures
        ) AS incoming
        WHERE secret_key_id IS NOT NULL
        GROUP BY project_id, secret_key_id
    ), locked AS (
        SELECT secret_keys.id, used.used_at
        FROM secret_keys JOIN used ON used.secret_key_id = secret_keys.id AND used.project_id = secret_keys.project_id
        WHERE secret_keys.last_used_at IS NULL OR secret_keys.last_used_at < used.used_at
        ORDER BY secret_keys.id
        FOR NO KEY UPDATE OF secret_keys
    )
    UPDATE secret_keys SET last_used_at = greatest(last_used_at, locked.used_at)
    FROM locked WHERE secret_keys.id = locked.id
"""
