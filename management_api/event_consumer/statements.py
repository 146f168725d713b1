"""The SQL of storing a batch of stream entries.

Each statement writes its rows in the order of their keys, so that two consumers that store overlapping batches wait
for each other and do not deadlock.
"""

#: Gives those of the projects that exist, and keeps them from being deleted until the transaction ends; with the number
#: that a new device would have got.
LOCK_PROJECTS = """
    SELECT projects.id, coalesce(totals.next_number, 0)
    FROM projects LEFT JOIN project_totals AS totals ON totals.project_id = projects.id
    WHERE projects.id = ANY(%s) ORDER BY projects.id FOR KEY SHARE OF projects
"""

#: Stores the exposures that are the first of their flow and variant; the first one stored stays, so that no cell ever
#: counts a moment that the table does not have. Gives those that were stored, with the day counted from 1970-01-01.
STORE_EXPOSURES = """
    INSERT INTO exposures (project_id, device_id, flow_id, experiment_id, variant, exposed_at, platform)
    SELECT project_id, device_id, flow_id, coalesce(experiment_id, ''), coalesce(variant, ''),
        timestamptz 'epoch' + exposed_at_ms * interval '1 millisecond', platform
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[])
        AS given (project_id, device_id, flow_id, experiment_id, variant, exposed_at_ms, platform)
    ORDER BY 1, 2, 3, 4, 5, exposed_at_ms
    ON CONFLICT DO NOTHING
    RETURNING project_id, device_id, flow_id, (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01'
"""

#: Notes when each secret key was last used, by anything in the batch; a key that is gone is not missed.
NOTE_USED_KEYS = """
    WITH locked AS (
        SELECT secret_keys.id, timestamptz 'epoch' + used.at_ms * interval '1 millisecond' AS used_at
        FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS used (project_id, secret_key_id, at_ms)
        JOIN secret_keys ON used.secret_key_id = secret_keys.id AND used.project_id = secret_keys.project_id
        WHERE secret_keys.last_used_at IS NULL
           OR secret_keys.last_used_at < timestamptz 'epoch' + used.at_ms * interval '1 millisecond'
        ORDER BY secret_keys.id
        FOR NO KEY UPDATE OF secret_keys
    )
    UPDATE secret_keys SET last_used_at = greatest(last_used_at, locked.used_at)
    FROM locked WHERE secret_keys.id = locked.id
"""
