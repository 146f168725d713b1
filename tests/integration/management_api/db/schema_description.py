"""The schema of a database as PostgreSQL itself describes it, so that two databases can be compared."""

from sqlalchemy import Connection, text

#: The event consumer makes the partitions of months and weeks, and not the migrations.
_TABLES = """
    SELECT oid, relname, relkind, reloptions, relreplident, pg_get_expr(relpartbound, oid) AS bound,
        pg_get_partkeydef(oid) AS key, obj_description(oid, 'pg_class') AS comment
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v')
        AND relname !~ '_[0-9]{4}_[0-9]{2}' AND relname <> 'alembic_version'
"""
_QUERIES = {
    "tables": "SELECT relname, relkind, reloptions, relreplident, bound, key, comment FROM {tables} AS t",
    "columns": """
        SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
            CASE WHEN attstorage <> typstorage THEN attstorage END, attcompression, collname,
            pg_get_expr(adbin, adrelid), col_description(t.oid, attnum)
        FROM {tables} AS t JOIN pg_attribute ON attrelid = t.oid JOIN pg_type ON pg_type.oid = atttypid
        LEFT JOIN pg_attrdef ON adrelid = t.oid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
        WHERE attnum > 0 AND NOT attisdropped
    """,
    # The numbers of the columns of a partition may differ from those of its table, so NOT NULL is compared above.
    "constraints": """
        SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid), condeferrable, condeferred, convalidated
        FROM {tables} AS t JOIN pg_constraint ON conrelid = t.oid WHERE contype NOT IN ('n', 't')
    """,
    "indexes": """
        SELECT relname, pg_get_indexdef(indexrelid), indisvalid, indisready, indisclustered
        FROM {tables} AS t JOIN pg_index ON indrelid = t.oid
    """,
    "triggers": """
        SELECT relname, pg_get_triggerdef(pg_trigger.oid), tgenabled
        FROM {tables} AS t JOIN pg_trigger ON tgrelid = t.oid WHERE NOT tgisinternal
    """,
    # Without the white space.
    "functions": """
        SELECT regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    """,
    "sequences": """
        SELECT sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size
        FROM pg_sequences WHERE schemaname = 'public'
    """,
    "types": """
        SELECT typname FROM pg_type LEFT JOIN pg_class ON pg_class.oid = typrelid
        WHERE typnamespace = 'public'::regnamespace AND typelem = 0 AND relname IS NULL
    """,
}

Description = dict[str, list[str]]


def described(connection: Connection) -> Description:
    """Return a line for each object of the schema `public`, by kind and sorted."""
    return {
        kind: sorted(repr(tuple(row)) for row in connection.execute(text(query.replace("{tables}", f"({_TABLES})"))))
        for kind, query in _QUERIES.items()
    }
