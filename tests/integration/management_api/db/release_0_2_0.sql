-- A dump of a database with the schema and the processes of release 0.2.0, by pg_dump --inserts.

CREATE FUNCTION public.remove_activity_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    DECLARE
        gone bigint := ('x' || encode(substring(sha256(convert_to(OLD.id, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint;
    BEGIN
        DELETE FROM events WHERE project_id = OLD.id;
        DELETE FROM exposures WHERE project_id = OLD.id;
        DELETE FROM devices WHERE project_id = OLD.id;
        DELETE FROM activity_cells WHERE project_id = OLD.id;
        DELETE FROM recent_event_ids_even WHERE project = gone;
        DELETE FROM recent_event_ids_odd WHERE project = gone;
        RETURN NULL;
    END
    $$;

CREATE FUNCTION public.remove_event_ids_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    BEGIN
        DELETE FROM event_ids WHERE project = ('x' || encode(substring(sha256(convert_to(OLD.id, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint;
        RETURN NULL;
    END $$;

CREATE FUNCTION public.remove_result_cells_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        BEGIN
            DELETE FROM result_cells WHERE project_id = OLD.id;
            RETURN NULL;
        END
        $$;

CREATE FUNCTION public.store_event_ids_unless_known(digests uuid[], projects bigint[], firsts integer[], lasts integer[], known_turn_since timestamp with time zone, suspects uuid[], suspect_projects bigint[], suspect_firsts integer[], suspect_lasts integer[]) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
    DECLARE
        this_week date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
        table_of_turn text;
        any_known boolean;
        former_projects bigint[];
        former_digests uuid[];
    BEGIN
        SELECT CASE turn % 2 WHEN 0 THEN 'recent_event_ids_even' ELSE 'recent_event_ids_odd' END
        INTO STRICT table_of_turn FROM event_storage WHERE turn >= 0 FOR SHARE;
        WITH given AS MATERIALIZED (
            SELECT listed.project, digest FROM unnest(projects, firsts, lasts) AS listed (project, first, last)
            CROSS JOIN LATERAL unnest(digests[listed.first:listed.last]) AS digest
        ), stored AS (
            INSERT INTO event_ids (project, digest, week)
            SELECT project, uuid_send(digest), this_week FROM given
            WHERE NOT EXISTS (
                SELECT FROM event_ids AS known
                WHERE known.project = given.project AND known.digest = uuid_send(given.digest) OFFSET 0
            ) AND NOT EXISTS (
                SELECT FROM recent_event_ids_even AS known
                WHERE known.project = given.project AND known.digest = given.digest OFFSET 0
            ) AND NOT EXISTS (
                SELECT FROM recent_event_ids_odd AS known
                WHERE known.project = given.project AND known.digest = given.digest OFFSET 0
            )
            ON CONFLICT DO NOTHING
            RETURNING event_ids.digest
        ), compared AS (
            SELECT project, digest, uuid_send(digest) NOT IN (SELECT stored.digest FROM stored) AS is_known FROM given
        )
        SELECT coalesce(bool_or(is_known), false),
            coalesce(array_agg(project) FILTER (WHERE is_known), array_agg(project)),
            coalesce(array_agg(digest) FILTER (WHERE is_known), array_agg(digest))
        INTO any_known, former_projects, former_digests FROM compared;
        EXECUTE format(
            'INSERT INTO %I (project, digest) SELECT * FROM unnest($1, $2) %s',
            table_of_turn, CASE WHEN any_known THEN 'ON CONFLICT DO NOTHING' ELSE '' END
        ) USING former_projects, former_digests;
        RETURN NOT any_known;
    END $_$;

CREATE TABLE public.activity_cells (
    id bigint NOT NULL,
    project_id character varying(40) NOT NULL,
    breakdown text NOT NULL,
    day date,
    event_type text,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    platform text,
    events bigint NOT NULL,
    devices bytea NOT NULL,
    moments bytea,
    is_merged boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.activity_cells ALTER COLUMN devices SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.activity_cells ALTER COLUMN moments SET STORAGE EXTERNAL;

ALTER TABLE public.activity_cells ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.activity_cells_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);

CREATE TABLE public.api_keys (
    user_id character varying(40) NOT NULL,
    digest bytea NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE public.audit_entries (
    id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    user_id character varying(40) NOT NULL,
    action text NOT NULL,
    entity_type text NOT NULL,
    entity_id text NOT NULL,
    before jsonb,
    after jsonb
);

CREATE TABLE public.dead_letters (
    id bigint NOT NULL,
    stream text NOT NULL,
    entry_id text NOT NULL,
    body bytea NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    project_id character varying(40),
    attempts integer DEFAULT 1 NOT NULL,
    last_failed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    replayed_at timestamp with time zone
);

ALTER TABLE public.dead_letters ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.devices (
    project_id character varying(40) NOT NULL,
    device_id text NOT NULL,
    number integer NOT NULL,
    erased_at timestamp with time zone
);

CREATE TABLE public.erased_devices (
    project_id character varying(40) NOT NULL,
    digest bytea NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    pending_number integer
);

CREATE TABLE public.event_ids (
    project bigint NOT NULL,
    digest bytea NOT NULL,
    week date NOT NULL
)
PARTITION BY RANGE (week);

CREATE TABLE public.event_ids_2026_11_16 (
    project bigint CONSTRAINT event_ids_project_not_null NOT NULL,
    digest bytea CONSTRAINT event_ids_digest_not_null NOT NULL,
    week date CONSTRAINT event_ids_week_not_null NOT NULL
);

CREATE TABLE public.event_ids_2026_11_23 (
    project bigint CONSTRAINT event_ids_project_not_null NOT NULL,
    digest bytea CONSTRAINT event_ids_digest_not_null NOT NULL,
    week date CONSTRAINT event_ids_week_not_null NOT NULL
);

CREATE TABLE public.event_ids_2026_11_30 (
    project bigint CONSTRAINT event_ids_project_not_null NOT NULL,
    digest bytea CONSTRAINT event_ids_digest_not_null NOT NULL,
    week date CONSTRAINT event_ids_week_not_null NOT NULL
);

CREATE TABLE public.event_ids_default (
    project bigint CONSTRAINT event_ids_project_not_null NOT NULL,
    digest bytea CONSTRAINT event_ids_digest_not_null NOT NULL,
    week date CONSTRAINT event_ids_week_not_null NOT NULL
);

CREATE TABLE public.event_storage (
    turn integer NOT NULL,
    turn_since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    complete_from timestamp with time zone
);

CREATE SEQUENCE public.event_stored_no
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.events (
    project_id character varying(40) NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    device_id text NOT NULL,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    session_id text,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    platform text,
    app_version text,
    properties jsonb DEFAULT '{}'::jsonb NOT NULL,
    stored_no bigint DEFAULT nextval('public.event_stored_no'::regclass)
)
PARTITION BY RANGE (received_at);

CREATE TABLE public.events_2026_11 (
    project_id character varying(40) CONSTRAINT events_project_id_not_null NOT NULL,
    event_id text CONSTRAINT events_event_id_not_null NOT NULL,
    event_type text CONSTRAINT events_event_type_not_null NOT NULL,
    device_id text CONSTRAINT events_device_id_not_null NOT NULL,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    session_id text,
    occurred_at timestamp with time zone CONSTRAINT events_occurred_at_not_null NOT NULL,
    received_at timestamp with time zone CONSTRAINT events_received_at_not_null NOT NULL,
    platform text,
    app_version text,
    properties jsonb DEFAULT '{}'::jsonb CONSTRAINT events_properties_not_null NOT NULL,
    stored_no bigint DEFAULT nextval('public.event_stored_no'::regclass)
);

CREATE TABLE public.events_2026_12 (
    project_id character varying(40) CONSTRAINT events_project_id_not_null NOT NULL,
    event_id text CONSTRAINT events_event_id_not_null NOT NULL,
    event_type text CONSTRAINT events_event_type_not_null NOT NULL,
    device_id text CONSTRAINT events_device_id_not_null NOT NULL,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    session_id text,
    occurred_at timestamp with time zone CONSTRAINT events_occurred_at_not_null NOT NULL,
    received_at timestamp with time zone CONSTRAINT events_received_at_not_null NOT NULL,
    platform text,
    app_version text,
    properties jsonb DEFAULT '{}'::jsonb CONSTRAINT events_properties_not_null NOT NULL,
    stored_no bigint DEFAULT nextval('public.event_stored_no'::regclass)
);

CREATE TABLE public.events_2027_01 (
    project_id character varying(40) CONSTRAINT events_project_id_not_null NOT NULL,
    event_id text CONSTRAINT events_event_id_not_null NOT NULL,
    event_type text CONSTRAINT events_event_type_not_null NOT NULL,
    device_id text CONSTRAINT events_device_id_not_null NOT NULL,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    session_id text,
    occurred_at timestamp with time zone CONSTRAINT events_occurred_at_not_null NOT NULL,
    received_at timestamp with time zone CONSTRAINT events_received_at_not_null NOT NULL,
    platform text,
    app_version text,
    properties jsonb DEFAULT '{}'::jsonb CONSTRAINT events_properties_not_null NOT NULL,
    stored_no bigint DEFAULT nextval('public.event_stored_no'::regclass)
);

CREATE TABLE public.events_default (
    project_id character varying(40) CONSTRAINT events_project_id_not_null NOT NULL,
    event_id text CONSTRAINT events_event_id_not_null NOT NULL,
    event_type text CONSTRAINT events_event_type_not_null NOT NULL,
    device_id text CONSTRAINT events_device_id_not_null NOT NULL,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    session_id text,
    occurred_at timestamp with time zone CONSTRAINT events_occurred_at_not_null NOT NULL,
    received_at timestamp with time zone CONSTRAINT events_received_at_not_null NOT NULL,
    platform text,
    app_version text,
    properties jsonb DEFAULT '{}'::jsonb CONSTRAINT events_properties_not_null NOT NULL,
    stored_no bigint DEFAULT nextval('public.event_stored_no'::regclass)
);

CREATE TABLE public.experiments (
    id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    name text NOT NULL,
    hypothesis text,
    status text DEFAULT 'draft'::text NOT NULL,
    conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
    traffic_buckets integer DEFAULT 10000 NOT NULL,
    variants jsonb NOT NULL,
    primary_event text NOT NULL,
    winner text,
    salt_version integer DEFAULT 1 NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reallocated_at timestamp with time zone,
    CONSTRAINT ck_experiments_conditions CHECK ((jsonb_typeof(conditions) = 'array'::text)),
    CONSTRAINT ck_experiments_ended_at CHECK (((status = 'completed'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT ck_experiments_hypothesis_length CHECK ((char_length(hypothesis) <= 1000)),
    CONSTRAINT ck_experiments_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT ck_experiments_salt_version CHECK ((salt_version > 0)),
    CONSTRAINT ck_experiments_started_at CHECK (((status = 'draft'::text) = (started_at IS NULL))),
    CONSTRAINT ck_experiments_status CHECK ((status = ANY (ARRAY['draft'::text, 'running'::text, 'paused'::text, 'completed'::text]))),
    CONSTRAINT ck_experiments_traffic_buckets CHECK (((traffic_buckets >= 0) AND (traffic_buckets <= 10000))),
    CONSTRAINT ck_experiments_variants CHECK ((jsonb_typeof(variants) = 'array'::text)),
    CONSTRAINT ck_experiments_winner CHECK (((winner IS NULL) OR (status = 'completed'::text)))
);

CREATE TABLE public.exposures (
    project_id character varying(40) NOT NULL,
    device_id text NOT NULL,
    flow_id text NOT NULL,
    experiment_id text DEFAULT ''::text NOT NULL,
    variant text DEFAULT ''::text NOT NULL,
    exposed_at timestamp with time zone NOT NULL,
    platform text
);

CREATE TABLE public.flows (
    id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    name text NOT NULL,
    description text,
    status text DEFAULT 'draft'::text NOT NULL,
    theme_id character varying(40),
    priority integer DEFAULT 0 NOT NULL,
    rollout_buckets integer DEFAULT 10000 NOT NULL,
    conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_flows_conditions CHECK ((jsonb_typeof(conditions) = 'array'::text)),
    CONSTRAINT ck_flows_description_length CHECK ((char_length(description) <= 500)),
    CONSTRAINT ck_flows_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT ck_flows_rollout_buckets CHECK (((rollout_buckets >= 0) AND (rollout_buckets <= 10000))),
    CONSTRAINT ck_flows_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text])))
);

CREATE TABLE public.idempotency_keys (
    user_id character varying(40) NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    etag text,
    body_sealed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_idempotency_keys_key_length CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);

CREATE TABLE public.maintenance_chores (
    name text NOT NULL,
    succeeded_at timestamp with time zone,
    failing_since timestamp with time zone,
    reason text
);

CREATE TABLE public.members (
    project_id character varying(40) NOT NULL,
    user_id character varying(40) NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_members_role CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text, 'owner'::text])))
);

CREATE TABLE public.pending_erasures (
    id bigint NOT NULL,
    project_id character varying(40) NOT NULL,
    device_id text NOT NULL,
    number integer,
    last_stored_no bigint NOT NULL,
    last_dead_letter_id bigint NOT NULL,
    noted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE public.pending_erasures ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.pending_erasures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.project_totals (
    project_id character varying(40) NOT NULL,
    devices bigint DEFAULT '0'::bigint NOT NULL,
    next_number integer DEFAULT 0 NOT NULL,
    is_uncounted boolean DEFAULT false NOT NULL
);

CREATE TABLE public.projects (
    id character varying(40) NOT NULL,
    name text NOT NULL,
    description text,
    platforms text[] NOT NULL,
    default_flow_id character varying(40),
    analytics_enabled boolean DEFAULT true NOT NULL,
    custom_domain text,
    public_key_sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_projects_description_length CHECK ((char_length(description) <= 200)),
    CONSTRAINT ck_projects_name_length CHECK (((char_length(name) >= 3) AND (char_length(name) <= 50))),
    CONSTRAINT ck_projects_platforms CHECK (((platforms <@ ARRAY['ios'::text, 'android'::text]) AND ((cardinality(platforms) >= 1) AND (cardinality(platforms) <= 2))))
);

CREATE TABLE public.publications (
    project_id character varying(40) NOT NULL,
    wanted_revision bigint DEFAULT '1'::bigint NOT NULL,
    published_revision bigint DEFAULT '0'::bigint NOT NULL,
    deleted boolean DEFAULT false NOT NULL,
    claimed_until timestamp with time zone,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_publications_revisions CHECK (((0 <= published_revision) AND (published_revision <= wanted_revision)))
);

CREATE TABLE public.qa_devices (
    project_id character varying(40) NOT NULL,
    device_id text NOT NULL,
    flow_id character varying(40) NOT NULL,
    CONSTRAINT ck_qa_devices_device_id_length CHECK (((char_length(device_id) >= 1) AND (char_length(device_id) <= 256)))
);

CREATE TABLE public.recent_event_ids_even (
    project bigint NOT NULL,
    digest uuid NOT NULL
);

CREATE TABLE public.recent_event_ids_odd (
    project bigint NOT NULL,
    digest uuid NOT NULL
);

CREATE TABLE public.result_cells (
    id bigint NOT NULL,
    project_id character varying(40) NOT NULL,
    breakdown text NOT NULL,
    day date,
    event_type text,
    flow_id text,
    screen_id text,
    experiment_id text,
    variant text,
    platform text,
    events bigint NOT NULL,
    devices bytea NOT NULL,
    moments bytea,
    is_merged boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.result_cells ALTER COLUMN devices SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.result_cells ALTER COLUMN moments SET STORAGE EXTERNAL;

ALTER TABLE public.result_cells ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.result_cells_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.schema_compatibility (
    oldest_revision text NOT NULL
);

CREATE TABLE public.screens (
    id character varying(40) NOT NULL,
    flow_id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    type text NOT NULL,
    name text,
    "order" integer NOT NULL,
    content jsonb DEFAULT '{}'::jsonb NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_screens_content CHECK ((jsonb_typeof(content) = 'object'::text)),
    CONSTRAINT ck_screens_name_length CHECK ((char_length(name) <= 100)),
    CONSTRAINT ck_screens_order CHECK (("order" >= 0)),
    CONSTRAINT ck_screens_settings CHECK ((jsonb_typeof(settings) = 'object'::text)),
    CONSTRAINT ck_screens_type CHECK ((type = ANY (ARRAY['welcome'::text, 'feature'::text, 'permissions'::text, 'signup'::text, 'question_text'::text, 'question_single_choice'::text, 'question_multiple_choice'::text, 'question_picker'::text, 'paywall'::text, 'custom'::text])))
);

CREATE TABLE public.secret_keys (
    id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    digest bytea NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone
);

CREATE TABLE public.themes (
    id character varying(40) NOT NULL,
    project_id character varying(40) NOT NULL,
    name text NOT NULL,
    description text,
    is_default boolean DEFAULT false NOT NULL,
    colors jsonb DEFAULT '{}'::jsonb NOT NULL,
    typography jsonb DEFAULT '{}'::jsonb NOT NULL,
    border_radius jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ck_themes_border_radius CHECK ((jsonb_typeof(border_radius) = 'object'::text)),
    CONSTRAINT ck_themes_colors CHECK ((jsonb_typeof(colors) = 'object'::text)),
    CONSTRAINT ck_themes_description_length CHECK ((char_length(description) <= 500)),
    CONSTRAINT ck_themes_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 50))),
    CONSTRAINT ck_themes_typography CHECK ((jsonb_typeof(typography) = 'object'::text))
);

CREATE TABLE public.users (
    id character varying(40) NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    name text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.event_ids ATTACH PARTITION public.event_ids_2026_11_16 FOR VALUES FROM ('2026-11-16') TO ('2026-11-23');

ALTER TABLE ONLY public.event_ids ATTACH PARTITION public.event_ids_2026_11_23 FOR VALUES FROM ('2026-11-23') TO ('2026-11-30');

ALTER TABLE ONLY public.event_ids ATTACH PARTITION public.event_ids_2026_11_30 FOR VALUES FROM ('2026-11-30') TO ('2026-12-07');

ALTER TABLE ONLY public.event_ids ATTACH PARTITION public.event_ids_default DEFAULT;

ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

ALTER TABLE ONLY public.events ATTACH PARTITION public.events_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');

ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;

INSERT INTO public.activity_cells OVERRIDING SYSTEM VALUE VALUES
	(54, 'proj_1', 'all', '2026-11-17', NULL, NULL, NULL, NULL, NULL, NULL, 11, '\x3b3000000100000500010000000500', NULL, true),
	(55, 'proj_1', 'flow', '2026-11-17', 'question_answered', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', NULL, true),
	(56, 'proj_1', 'flow', '2026-11-17', 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', '\x0c7db8040c954901', true),
	(57, 'proj_1', 'flow', '2026-11-17', 'screen_viewed', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', NULL, true),
	(58, 'proj_1', 'flow', '2026-11-17', 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000400', '\x0ce66e03', true),
	(59, 'proj_1', 'flow', '2026-11-17', 'screen_viewed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', NULL, true),
	(60, 'proj_1', 'flow', '2026-11-17', 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', '\x0c72b701', true),
	(61, 'proj_1', 'flow', '2026-11-17', 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', '\x0c090103', true),
	(62, 'proj_1', 'flow', '2026-11-17', 'question_answered', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(63, 'proj_1', 'full', '2026-11-17', 'question_answered', 'flow_1', 'screen_2', 'exp_1', 'a', 'ios', 2, '\x3a30000001000000000001001000000002000400', NULL, true),
	(64, 'proj_1', 'full', '2026-11-17', 'flow_completed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 2, '\x3a30000001000000000001001000000001000500', NULL, true),
	(65, 'proj_1', 'full', '2026-11-17', 'screen_viewed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 2, '\x3a30000001000000000001001000000001000500', '\x0c4f25020cc3dc03', true),
	(66, 'proj_1', 'full', '2026-11-17', 'flow_started', 'flow_1', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000400', NULL, true),
	(107, 'proj_1', 'all', '2026-11-17', NULL, NULL, NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000200', NULL, false),
	(108, 'proj_1', 'flow', '2026-11-17', 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000200', '\x0c5a2605', false),
	(109, 'proj_1', 'screen', '2026-11-17', 'flow_started', NULL, NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000200', NULL, false),
	(110, 'proj_1', 'variant', '2026-11-17', NULL, NULL, NULL, 'exp_1', 'a', NULL, 1, '\x3a3000000100000000000000100000000200', NULL, false),
	(111, 'proj_1', 'platform', '2026-11-17', NULL, NULL, NULL, NULL, NULL, 'ios', 1, '\x3a3000000100000000000000100000000200', NULL, false),
	(112, 'proj_1', 'full', '2026-11-17', 'flow_started', 'flow_1', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000200', NULL, false),
	(113, 'proj_1', 'ever', NULL, 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 3, '\x3a30000001000000000001001000000002000400', NULL, false),
	(114, 'proj_1', 'all', '2026-11-18', NULL, NULL, NULL, NULL, NULL, NULL, 12, '\x3b3000000100000500010000000500', NULL, false),
	(115, 'proj_1', 'flow', '2026-11-18', 'screen_viewed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', NULL, false),
	(116, 'proj_1', 'screen', '2026-11-18', 'screen_viewed', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\x0c4f25020cdb6d000cc3dc03', false),
	(117, 'proj_1', 'variant', '2026-11-18', NULL, NULL, NULL, 'exp_1', 'b', NULL, 6, '\x3a300000010000000000020010000000010003000500', NULL, false),
	(118, 'proj_1', 'platform', '2026-11-18', NULL, NULL, NULL, NULL, NULL, 'android', 6, '\x3a300000010000000000020010000000010003000500', NULL, false),
	(119, 'proj_1', 'full', '2026-11-18', 'screen_viewed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', '\x0cdb6d00', false),
	(120, 'proj_1', 'flow', '2026-11-18', 'question_answered', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(121, 'proj_1', 'screen', '2026-11-18', 'question_answered', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(122, 'proj_1', 'variant', '2026-11-18', NULL, NULL, NULL, 'exp_1', 'a', NULL, 6, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(123, 'proj_1', 'platform', '2026-11-18', NULL, NULL, NULL, NULL, NULL, 'ios', 6, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(124, 'proj_1', 'full', '2026-11-18', 'question_answered', 'flow_1', 'screen_2', 'exp_1', 'a', 'ios', 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(125, 'proj_1', 'flow', '2026-11-18', 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', '\x0c7db8040c954901', false),
	(126, 'proj_1', 'screen', '2026-11-18', 'flow_completed', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', NULL, false),
	(127, 'proj_1', 'full', '2026-11-18', 'flow_completed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 2, '\x3a30000001000000000001001000000001000500', NULL, false),
	(128, 'proj_1', 'ever', NULL, 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 3, '\x3a30000001000000000001001000000001000500', NULL, false),
	(129, 'proj_1', 'flow', '2026-11-18', 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', '\x0c72b701', false),
	(130, 'proj_1', 'screen', '2026-11-18', 'flow_started', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(131, 'proj_1', 'full', '2026-11-18', 'flow_started', 'flow_2', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, false),
	(132, 'proj_1', 'ever', NULL, 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 2, '\x3a3000000100000000000000100000000000', NULL, false),
	(67, 'proj_1', 'full', '2026-11-17', 'screen_viewed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', '\x0cdb6d00', true),
	(68, 'proj_1', 'full', '2026-11-17', 'flow_started', 'flow_2', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(69, 'proj_1', 'full', '2026-11-17', 'flow_completed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', NULL, true),
	(70, 'proj_1', 'full', '2026-11-17', 'question_answered', 'flow_2', 'screen_2', 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(71, 'proj_1', 'platform', '2026-11-17', NULL, NULL, NULL, NULL, NULL, 'android', 6, '\x3a300000010000000000020010000000010003000500', NULL, true),
	(72, 'proj_1', 'platform', '2026-11-17', NULL, NULL, NULL, NULL, NULL, 'ios', 5, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(73, 'proj_1', 'screen', '2026-11-17', 'screen_viewed', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\x0c4f25020cdb6d000cc3dc03', true),
	(74, 'proj_1', 'screen', '2026-11-17', 'question_answered', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(75, 'proj_1', 'screen', '2026-11-17', 'flow_completed', NULL, 'screen_2', NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', NULL, true),
	(76, 'proj_1', 'screen', '2026-11-17', 'flow_started', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000000000400', NULL, true),
	(77, 'proj_1', 'variant', '2026-11-17', NULL, NULL, NULL, 'exp_1', 'b', NULL, 6, '\x3a300000010000000000020010000000010003000500', NULL, true),
	(78, 'proj_1', 'variant', '2026-11-17', NULL, NULL, NULL, 'exp_1', 'a', NULL, 5, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(79, 'proj_1', 'all', '2026-11-16', NULL, NULL, NULL, NULL, NULL, NULL, 9, '\x3b3000000100000500010000000500', NULL, true),
	(80, 'proj_1', 'exposure', '2026-11-16', NULL, 'flow_1', NULL, NULL, NULL, NULL, 6, '\x3b3000000100000500010000000500', NULL, true),
	(81, 'proj_1', 'flow', '2026-11-16', 'screen_viewed', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', NULL, true),
	(82, 'proj_1', 'flow', '2026-11-16', 'question_answered', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000200', NULL, true),
	(83, 'proj_1', 'flow', '2026-11-16', 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', '\x0c5a26050ce66e03', true),
	(84, 'proj_1', 'flow', '2026-11-16', 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000100', '\x0c7db804', true),
	(85, 'proj_1', 'flow', '2026-11-16', 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', '\x0c72b701', true),
	(86, 'proj_1', 'flow', '2026-11-16', 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', '\x0c090103', true),
	(87, 'proj_1', 'flow', '2026-11-16', 'question_answered', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(88, 'proj_1', 'full', '2026-11-16', 'screen_viewed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 2, '\x3a30000001000000000001001000000001000500', '\x0c4f25020cc3dc03', true),
	(89, 'proj_1', 'full', '2026-11-16', 'question_answered', 'flow_1', 'screen_2', 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000200', NULL, true),
	(90, 'proj_1', 'full', '2026-11-16', 'flow_started', 'flow_1', NULL, 'exp_1', 'a', 'ios', 2, '\x3a30000001000000000001001000000002000400', NULL, true),
	(91, 'proj_1', 'full', '2026-11-16', 'flow_completed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000100', NULL, true),
	(92, 'proj_1', 'full', '2026-11-16', 'flow_started', 'flow_2', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(93, 'proj_1', 'full', '2026-11-16', 'flow_completed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', NULL, true),
	(94, 'proj_1', 'full', '2026-11-16', 'question_answered', 'flow_2', 'screen_2', 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, true),
	(95, 'proj_1', 'platform', '2026-11-16', NULL, NULL, NULL, NULL, NULL, 'ios', 5, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(96, 'proj_1', 'platform', '2026-11-16', NULL, NULL, NULL, NULL, NULL, 'android', 4, '\x3a300000010000000000020010000000010003000500', NULL, true),
	(97, 'proj_1', 'screen', '2026-11-16', 'flow_started', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(98, 'proj_1', 'screen', '2026-11-16', 'screen_viewed', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', '\x0c4f25020cc3dc03', true),
	(99, 'proj_1', 'screen', '2026-11-16', 'question_answered', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000000000200', NULL, true),
	(100, 'proj_1', 'screen', '2026-11-16', 'flow_completed', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000300', NULL, true),
	(101, 'proj_1', 'variant', '2026-11-16', NULL, NULL, NULL, 'exp_1', 'a', NULL, 5, '\x3a300000010000000000020010000000000002000400', NULL, true),
	(102, 'proj_1', 'variant', '2026-11-16', NULL, NULL, NULL, 'exp_1', 'b', NULL, 4, '\x3a300000010000000000020010000000010003000500', NULL, true),
	(103, 'proj_1', 'ever', NULL, 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 3, '\x3a30000001000000000001001000000002000400', NULL, true),
	(104, 'proj_1', 'ever', NULL, 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 3, '\x3a30000001000000000001001000000001000500', NULL, true),
	(105, 'proj_1', 'ever', NULL, 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 2, '\x3a3000000100000000000000100000000000', NULL, true),
	(106, 'proj_1', 'ever', NULL, 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 2, '\x3a3000000100000000000000100000000300', NULL, true),
	(133, 'proj_1', 'flow', '2026-11-18', 'screen_viewed', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', NULL, false),
	(134, 'proj_1', 'full', '2026-11-18', 'screen_viewed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 2, '\x3a30000001000000000001001000000001000500', '\x0c4f25020cc3dc03', false),
	(135, 'proj_1', 'flow', '2026-11-18', 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', '\x0c090103', false),
	(136, 'proj_1', 'full', '2026-11-18', 'flow_completed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', NULL, false),
	(137, 'proj_1', 'ever', NULL, 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 2, '\x3a3000000100000000000000100000000300', NULL, false),
	(138, 'proj_1', 'flow', '2026-11-18', 'flow_started', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', '\x0c5a26050ce66e03', false),
	(139, 'proj_1', 'full', '2026-11-18', 'flow_started', 'flow_1', NULL, 'exp_1', 'a', 'ios', 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(140, 'proj_1', 'flow', '2026-11-18', 'question_answered', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', NULL, false),
	(141, 'proj_1', 'full', '2026-11-18', 'question_answered', 'flow_2', 'screen_2', 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, false),
	(142, 'proj_1', 'all', '2026-11-19', NULL, NULL, NULL, NULL, NULL, NULL, 7, '\x3b3000000100000500010000000500', NULL, false),
	(143, 'proj_1', 'flow', '2026-11-19', 'screen_viewed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', NULL, false),
	(144, 'proj_1', 'screen', '2026-11-19', 'screen_viewed', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000300', '\x0c4f25020cdb6d00', false),
	(145, 'proj_1', 'variant', '2026-11-19', NULL, NULL, NULL, 'exp_1', 'b', NULL, 4, '\x3a300000010000000000020010000000010003000500', NULL, false),
	(146, 'proj_1', 'platform', '2026-11-19', NULL, NULL, NULL, NULL, NULL, 'android', 4, '\x3a300000010000000000020010000000010003000500', NULL, false),
	(147, 'proj_1', 'full', '2026-11-19', 'screen_viewed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', '\x0cdb6d00', false),
	(148, 'proj_1', 'flow', '2026-11-19', 'question_answered', 'flow_1', NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(149, 'proj_1', 'screen', '2026-11-19', 'question_answered', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(150, 'proj_1', 'variant', '2026-11-19', NULL, NULL, NULL, 'exp_1', 'a', NULL, 3, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(151, 'proj_1', 'platform', '2026-11-19', NULL, NULL, NULL, NULL, NULL, 'ios', 3, '\x3a300000010000000000020010000000000002000400', NULL, false),
	(152, 'proj_1', 'full', '2026-11-19', 'question_answered', 'flow_1', 'screen_2', 'exp_1', 'a', 'ios', 2, '\x3a30000001000000000001001000000002000400', NULL, false),
	(153, 'proj_1', 'flow', '2026-11-19', 'flow_completed', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000500', '\x0c954901', false);
INSERT INTO public.activity_cells OVERRIDING SYSTEM VALUE VALUES
	(154, 'proj_1', 'screen', '2026-11-19', 'flow_completed', NULL, 'screen_2', NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000003000500', NULL, false),
	(155, 'proj_1', 'full', '2026-11-19', 'flow_completed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000500', NULL, false),
	(156, 'proj_1', 'flow', '2026-11-19', 'flow_started', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', '\x0c72b701', false),
	(157, 'proj_1', 'screen', '2026-11-19', 'flow_started', NULL, NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', NULL, false),
	(158, 'proj_1', 'full', '2026-11-19', 'flow_started', 'flow_2', NULL, 'exp_1', 'a', 'ios', 1, '\x3a3000000100000000000000100000000000', NULL, false),
	(159, 'proj_1', 'flow', '2026-11-19', 'screen_viewed', 'flow_1', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000100', NULL, false),
	(160, 'proj_1', 'full', '2026-11-19', 'screen_viewed', 'flow_1', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000100', '\x0c4f2502', false),
	(161, 'proj_1', 'flow', '2026-11-19', 'flow_completed', 'flow_2', NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000300', '\x0c090103', false),
	(162, 'proj_1', 'full', '2026-11-19', 'flow_completed', 'flow_2', 'screen_2', 'exp_1', 'b', 'android', 1, '\x3a3000000100000000000000100000000300', NULL, false),
	(163, 'proj_1', 'exposure', '2026-11-16', NULL, 'flow_1', NULL, NULL, NULL, NULL, -1, '\x3a30000000000000', NULL, false);

INSERT INTO public.alembic_version VALUES
	('0021');

INSERT INTO public.api_keys VALUES
	('user_1', '\x646967657374', '\x7365616c6564', '2026-11-24 13:09:23.600603+00', NULL);

INSERT INTO public.audit_entries VALUES
	('audit_1', 'proj_1', '2026-11-24 13:09:23.655845+00', 'user_1', 'create', 'flow', 'flow_1', NULL, '{"name": "F"}');

INSERT INTO public.dead_letters OVERRIDING SYSTEM VALUE VALUES
	(1, 'onboarding:events:0', '1-0', '\x6a756e6b', 'Unreadable: x', '2026-11-24 13:09:23.677447+00', 'proj_1', 1, '2026-11-24 13:09:23.677447+00', NULL);

INSERT INTO public.devices VALUES
	('proj_1', 'phone_0', 0, NULL),
	('proj_1', 'phone_1', 1, NULL),
	('proj_1', 'phone_2', 2, NULL),
	('proj_1', 'phone_3', 3, NULL),
	('proj_1', 'phone_4', 4, NULL);

INSERT INTO public.erased_devices VALUES
	('proj_1', '\x34b49db224fbe9b31b60ea593fcd18a00a65ff6cbb5210b6683b39d8b93e90f4', '2026-11-20 12:00:00+00', NULL);

INSERT INTO public.event_ids_2026_11_16 VALUES
	(-516244834949131232, '\x06a1609a214f9323ef8d70f0208e8425', '2026-11-16'),
	(-516244834949131232, '\x122d9f27574c7dc54115a297f21f843b', '2026-11-16'),
	(-516244834949131232, '\x29aaad2dc95c450be1d2b2eff67a6091', '2026-11-16'),
	(-516244834949131232, '\x30015d65880c26ee1e839e229a2fd79c', '2026-11-16'),
	(-516244834949131232, '\x565f2920344137bf2d12ce6882567f05', '2026-11-16'),
	(-516244834949131232, '\x59caa9a01437c1fbdf3d6ab666d70839', '2026-11-16'),
	(-516244834949131232, '\x74b0ff21fd56714b79306a052459241e', '2026-11-16'),
	(-516244834949131232, '\x75dc7d3ab23ece88bd0c8a9e539a9cd9', '2026-11-16'),
	(-516244834949131232, '\x77a814f6ad77f4f93cf37fd29a0d9a40', '2026-11-16'),
	(-516244834949131232, '\x77c198711f09bb2f62576d5689f329a2', '2026-11-16'),
	(-516244834949131232, '\x7f924de105f3c17ea8d15a86feb30357', '2026-11-16'),
	(-516244834949131232, '\x7fcb218a72fc30e5accf25e5ebb37cc4', '2026-11-16'),
	(-516244834949131232, '\x80cf3ef545caee0b6d94ac9851e7814c', '2026-11-16'),
	(-516244834949131232, '\x83aeea5b09d284aa9518bf0280087d48', '2026-11-16'),
	(-516244834949131232, '\x9fd256f57b51449118c9dd4fa6b478f3', '2026-11-16'),
	(-516244834949131232, '\xa3bc27159fb58b1fddbff2f31e380cde', '2026-11-16'),
	(-516244834949131232, '\xb4279db5d74c4d3b101ae5ac6376b24f', '2026-11-16'),
	(-516244834949131232, '\xcfe14f928ba2564a2da772c042d889b5', '2026-11-16'),
	(-516244834949131232, '\xe5552205efc6122c15ed543b91efd502', '2026-11-16'),
	(-516244834949131232, '\xef52333fec1eddc5711343b06a973586', '2026-11-16'),
	(-516244834949131232, '\x0590ac5959ba217bc36688985caecca8', '2026-11-16'),
	(-516244834949131232, '\x0722028e72812994369099e893d9f522', '2026-11-16'),
	(-516244834949131232, '\x0e998fc57fc936b1a4c7e6301cdcf324', '2026-11-16'),
	(-516244834949131232, '\x148446828e39cb9e7ba092e46afcfe2f', '2026-11-16'),
	(-516244834949131232, '\x173da227d1dff92e82b909b412ceef93', '2026-11-16'),
	(-516244834949131232, '\x222521f89f32c67fbf9dc2848b1c4c5b', '2026-11-16'),
	(-516244834949131232, '\x22b989adc5409da83a1d9313e094912f', '2026-11-16'),
	(-516244834949131232, '\x641335343ac959ed4c7ab83e84afd413', '2026-11-16'),
	(-516244834949131232, '\x6ae95af15dbbfb27a482784fb41db954', '2026-11-16'),
	(-516244834949131232, '\x89e99803a0c0b28ce9e2b36314e08636', '2026-11-16'),
	(-516244834949131232, '\x8fbdda0abc425f628e07a59142e52801', '2026-11-16'),
	(-516244834949131232, '\x9dc0f5b201ce0da1992e3b496e99e934', '2026-11-16'),
	(-516244834949131232, '\xa5edd25e02d273ce1457a8c6ea9ee8d4', '2026-11-16'),
	(-516244834949131232, '\xacd5d5936348e4a0436b81dfe251a848', '2026-11-16'),
	(-516244834949131232, '\xbc14eca1076e360fd35583c93c3339f0', '2026-11-16'),
	(-516244834949131232, '\xd1029943348beff568270645a9df346d', '2026-11-16'),
	(-516244834949131232, '\xd4bcfd43207281affd54ea1299eee3d0', '2026-11-16'),
	(-516244834949131232, '\xe017ae632684c260069c302cf0fb8691', '2026-11-16'),
	(-516244834949131232, '\xec5d25baa7bbe822ee22e141396f1eb0', '2026-11-16'),
	(-516244834949131232, '\xeec868e51a7857175079210b19abf895', '2026-11-16');

INSERT INTO public.event_storage VALUES
	(0, '2026-11-24 13:09:07.020279+00', NULL);

INSERT INTO public.events_2026_11 VALUES
	('proj_1', 'evt_0', 'flow_started', 'phone_0', 'flow_2', NULL, 'exp_1', 'a', NULL, '2026-11-16 07:59:59.5+00', '2026-11-16 08:00:00+00', 'ios', '1.2', '{}', 1),
	('proj_1', 'evt_1', 'screen_viewed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-16 09:59:59.5+00', '2026-11-16 10:00:00+00', 'android', '1.2', '{}', 2),
	('proj_1', 'evt_2', 'question_answered', 'phone_2', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-16 11:59:59.5+00', '2026-11-16 12:00:00+00', 'ios', '1.2', '{"answer": "x"}', 3),
	('proj_1', 'evt_3', 'flow_completed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-16 13:59:59.5+00', '2026-11-16 14:00:00+00', 'android', '1.2', '{}', 4),
	('proj_1', 'evt_4', 'flow_started', 'phone_4', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-16 15:59:59.5+00', '2026-11-16 16:00:00+00', 'ios', '1.2', '{}', 5),
	('proj_1', 'evt_5', 'screen_viewed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-16 17:59:59.5+00', '2026-11-16 18:00:00+00', 'android', '1.2', '{}', 6),
	('proj_1', 'evt_6', 'question_answered', 'phone_0', 'flow_2', 'screen_2', 'exp_1', 'a', NULL, '2026-11-16 19:59:59.5+00', '2026-11-16 20:00:00+00', 'ios', '1.2', '{"answer": "x"}', 7),
	('proj_1', 'evt_7', 'flow_completed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-16 21:59:59.5+00', '2026-11-16 22:00:00+00', 'android', '1.2', '{}', 8),
	('proj_1', 'evt_8', 'flow_started', 'phone_2', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-16 23:59:59.5+00', '2026-11-17 00:00:00+00', 'ios', '1.2', '{}', 9),
	('proj_1', 'evt_9', 'screen_viewed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 01:59:59.5+00', '2026-11-17 02:00:00+00', 'android', '1.2', '{}', 10),
	('proj_1', 'evt_10', 'question_answered', 'phone_4', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-17 03:59:59.5+00', '2026-11-17 04:00:00+00', 'ios', '1.2', '{"answer": "x"}', 11),
	('proj_1', 'evt_11', 'flow_completed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 05:59:59.5+00', '2026-11-17 06:00:00+00', 'android', '1.2', '{}', 12),
	('proj_1', 'evt_12', 'flow_started', 'phone_0', 'flow_2', NULL, 'exp_1', 'a', NULL, '2026-11-17 07:59:59.5+00', '2026-11-17 08:00:00+00', 'ios', '1.2', '{}', 13),
	('proj_1', 'evt_13', 'screen_viewed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 09:59:59.5+00', '2026-11-17 10:00:00+00', 'android', '1.2', '{}', 14),
	('proj_1', 'evt_14', 'question_answered', 'phone_2', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-17 11:59:59.5+00', '2026-11-17 12:00:00+00', 'ios', '1.2', '{"answer": "x"}', 15),
	('proj_1', 'evt_15', 'flow_completed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 13:59:59.5+00', '2026-11-17 14:00:00+00', 'android', '1.2', '{}', 16),
	('proj_1', 'evt_16', 'flow_started', 'phone_4', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-17 15:59:59.5+00', '2026-11-17 16:00:00+00', 'ios', '1.2', '{}', 17),
	('proj_1', 'evt_17', 'screen_viewed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 17:59:59.5+00', '2026-11-17 18:00:00+00', 'android', '1.2', '{}', 18),
	('proj_1', 'evt_18', 'question_answered', 'phone_0', 'flow_2', 'screen_2', 'exp_1', 'a', NULL, '2026-11-17 19:59:59.5+00', '2026-11-17 20:00:00+00', 'ios', '1.2', '{"answer": "x"}', 19),
	('proj_1', 'evt_19', 'flow_completed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-17 21:59:59.5+00', '2026-11-17 22:00:00+00', 'android', '1.2', '{}', 20),
	('proj_1', 'evt_20', 'flow_started', 'phone_2', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-17 23:59:59.5+00', '2026-11-18 00:00:00+00', 'ios', '1.2', '{}', 21),
	('proj_1', 'evt_21', 'screen_viewed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 01:59:59.5+00', '2026-11-18 02:00:00+00', 'android', '1.2', '{}', 22),
	('proj_1', 'evt_22', 'question_answered', 'phone_4', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-18 03:59:59.5+00', '2026-11-18 04:00:00+00', 'ios', '1.2', '{"answer": "x"}', 23),
	('proj_1', 'evt_23', 'flow_completed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 05:59:59.5+00', '2026-11-18 06:00:00+00', 'android', '1.2', '{}', 24),
	('proj_1', 'evt_24', 'flow_started', 'phone_0', 'flow_2', NULL, 'exp_1', 'a', NULL, '2026-11-18 07:59:59.5+00', '2026-11-18 08:00:00+00', 'ios', '1.2', '{}', 25),
	('proj_1', 'evt_25', 'screen_viewed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 09:59:59.5+00', '2026-11-18 10:00:00+00', 'android', '1.2', '{}', 26),
	('proj_1', 'evt_26', 'question_answered', 'phone_2', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-18 11:59:59.5+00', '2026-11-18 12:00:00+00', 'ios', '1.2', '{"answer": "x"}', 27),
	('proj_1', 'evt_27', 'flow_completed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 13:59:59.5+00', '2026-11-18 14:00:00+00', 'android', '1.2', '{}', 28),
	('proj_1', 'evt_28', 'flow_started', 'phone_4', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-18 15:59:59.5+00', '2026-11-18 16:00:00+00', 'ios', '1.2', '{}', 29),
	('proj_1', 'evt_29', 'screen_viewed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 17:59:59.5+00', '2026-11-18 18:00:00+00', 'android', '1.2', '{}', 30),
	('proj_1', 'evt_30', 'question_answered', 'phone_0', 'flow_2', 'screen_2', 'exp_1', 'a', NULL, '2026-11-18 19:59:59.5+00', '2026-11-18 20:00:00+00', 'ios', '1.2', '{"answer": "x"}', 31),
	('proj_1', 'evt_31', 'flow_completed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-18 21:59:59.5+00', '2026-11-18 22:00:00+00', 'android', '1.2', '{}', 32),
	('proj_1', 'evt_32', 'flow_started', 'phone_2', 'flow_1', NULL, 'exp_1', 'a', NULL, '2026-11-18 23:59:59.5+00', '2026-11-19 00:00:00+00', 'ios', '1.2', '{}', 33),
	('proj_1', 'evt_33', 'screen_viewed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-19 01:59:59.5+00', '2026-11-19 02:00:00+00', 'android', '1.2', '{}', 34),
	('proj_1', 'evt_34', 'question_answered', 'phone_4', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-19 03:59:59.5+00', '2026-11-19 04:00:00+00', 'ios', '1.2', '{"answer": "x"}', 35),
	('proj_1', 'evt_35', 'flow_completed', 'phone_5', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-19 05:59:59.5+00', '2026-11-19 06:00:00+00', 'android', '1.2', '{}', 36),
	('proj_1', 'evt_36', 'flow_started', 'phone_0', 'flow_2', NULL, 'exp_1', 'a', NULL, '2026-11-19 07:59:59.5+00', '2026-11-19 08:00:00+00', 'ios', '1.2', '{}', 37),
	('proj_1', 'evt_37', 'screen_viewed', 'phone_1', 'flow_1', 'screen_2', 'exp_1', 'b', NULL, '2026-11-19 09:59:59.5+00', '2026-11-19 10:00:00+00', 'android', '1.2', '{}', 38),
	('proj_1', 'evt_38', 'question_answered', 'phone_2', 'flow_1', 'screen_2', 'exp_1', 'a', NULL, '2026-11-19 11:59:59.5+00', '2026-11-19 12:00:00+00', 'ios', '1.2', '{"answer": "x"}', 39),
	('proj_1', 'evt_39', 'flow_completed', 'phone_3', 'flow_2', 'screen_2', 'exp_1', 'b', NULL, '2026-11-19 13:59:59.5+00', '2026-11-19 14:00:00+00', 'android', '1.2', '{}', 40);

INSERT INTO public.experiments VALUES
	('exp_1', 'proj_1', 'Button', NULL, 'running', '[]', 10000, '[{"key": "a", "name": "A", "weight": 5000, "flow_id": "flow_1"}, {"key": "b", "name": "B", "weight": 5000, "flow_id": "flow_2"}]', 'flow_completed', NULL, 1, '2026-11-18 00:00:00+00', NULL, '2026-11-24 13:09:23.66409+00', '2026-11-24 13:09:23.66409+00', NULL);

INSERT INTO public.exposures VALUES
	('proj_1', 'phone_0', 'flow_1', 'exp_1', 'a', '2026-11-16 07:00:00+00', NULL),
	('proj_1', 'phone_1', 'flow_1', 'exp_1', 'b', '2026-11-16 07:00:00+00', NULL),
	('proj_1', 'phone_2', 'flow_1', 'exp_1', 'a', '2026-11-16 07:00:00+00', NULL),
	('proj_1', 'phone_3', 'flow_1', 'exp_1', 'b', '2026-11-16 07:00:00+00', NULL),
	('proj_1', 'phone_4', 'flow_1', 'exp_1', 'a', '2026-11-16 07:00:00+00', NULL);

INSERT INTO public.flows VALUES
	('flow_1', 'proj_1', 'Flow', NULL, 'active', 'theme_1', 10, 5050, '[{"value": "ios", "operator": "eq", "attribute": "platform"}]', '2026-11-24 13:09:23.629728+00', '2026-11-24 13:09:23.629728+00'),
	('flow_2', 'proj_1', 'Other', NULL, 'draft', NULL, 0, 10000, '[]', '2026-11-24 13:09:23.630088+00', '2026-11-24 13:09:23.630088+00');

INSERT INTO public.idempotency_keys VALUES
	('user_1', 'key', '\x7072696e74', 201, NULL, '\x7365616c6564', '2026-11-20 12:00:00+00');

INSERT INTO public.maintenance_chores VALUES
	('event_ids', '2026-11-24 13:09:24.495149+00', NULL, NULL),
	('partitions', '2026-11-24 13:09:24.530948+00', NULL, NULL),
	('retention', '2026-11-24 13:09:24.563575+00', NULL, NULL),
	('compaction', '2026-11-24 13:09:24.690171+00', NULL, NULL),
	('erasures', '2026-11-24 13:09:24.740508+00', NULL, NULL),
	('counting', '2026-11-24 13:09:24.761982+00', NULL, NULL);

INSERT INTO public.members VALUES
	('proj_1', 'user_1', 'owner', '2026-11-24 13:09:23.619628+00');

INSERT INTO public.pending_erasures OVERRIDING SYSTEM VALUE VALUES
	(1, 'proj_1', 'phone_5', 5, 41, 1, '2026-11-20 12:00:00+00');

INSERT INTO public.project_totals VALUES
	('proj_1', 5, 6, false);

INSERT INTO public.projects VALUES
	('proj_1', 'Old', NULL, '{ios,android}', 'flow_1', true, NULL, '\x7365616c6564', '2026-11-24 13:09:23.606837+00', '2026-11-24 13:09:23.606837+00');

INSERT INTO public.publications VALUES
	('proj_1', 7, 6, false, NULL, '2026-11-24 13:09:23.65314+00');

INSERT INTO public.qa_devices VALUES
	('proj_1', 'phone_1', 'flow_2');

INSERT INTO public.result_cells OVERRIDING SYSTEM VALUE VALUES
	(9, 'proj_1', 'type', '2026-11-17', 'flow_completed', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\xf3de6d00f3522502f3c6dc03', true),
	(10, 'proj_1', 'type', '2026-11-17', 'flow_started', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000000000400', '\xf3e96e03f375b701', true),
	(11, 'proj_1', 'type', '2026-11-17', 'question_answered', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', '\xf3bbdb00f32f9302f3a34a04', true),
	(12, 'proj_1', 'type', '2026-11-17', 'screen_viewed', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\xf30c0103f380b804f3984901', true),
	(13, 'proj_1', 'type', '2026-11-16', 'flow_completed', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000300', '\xf3de6d00f3522502', true),
	(14, 'proj_1', 'type', '2026-11-16', 'flow_started', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', '\xf3e96e03f3010000f375b701', true),
	(15, 'proj_1', 'type', '2026-11-16', 'question_answered', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000000000200', '\xf3bbdb00f32f9302', true),
	(16, 'proj_1', 'type', '2026-11-16', 'screen_viewed', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000500', '\xf30c0103f3984901', true),
	(17, 'proj_1', 'type', '2026-11-17', 'flow_started', NULL, NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000200', '\xf3010000', false),
	(18, 'proj_1', 'type', '2026-11-18', 'screen_viewed', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\xf30c0103f380b804f3984901', false),
	(19, 'proj_1', 'type', '2026-11-18', 'question_answered', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', '\xf3bbdb00f32f9302f3a34a04', false),
	(20, 'proj_1', 'type', '2026-11-18', 'flow_completed', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000010003000500', '\xf3de6d00f3522502f3c6dc03', false),
	(21, 'proj_1', 'type', '2026-11-18', 'flow_started', NULL, NULL, NULL, NULL, NULL, 3, '\x3a300000010000000000020010000000000002000400', '\xf3e96e03f3010000f375b701', false),
	(22, 'proj_1', 'type', '2026-11-19', 'screen_viewed', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000001000300', '\xf30c0103f380b804', false),
	(23, 'proj_1', 'type', '2026-11-19', 'question_answered', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000002000400', '\xf32f9302f3a34a04', false),
	(24, 'proj_1', 'type', '2026-11-19', 'flow_completed', NULL, NULL, NULL, NULL, NULL, 2, '\x3a30000001000000000001001000000003000500', '\xf3522502f3c6dc03', false),
	(25, 'proj_1', 'type', '2026-11-19', 'flow_started', NULL, NULL, NULL, NULL, NULL, 1, '\x3a3000000100000000000000100000000000', '\xf3e96e03', false);

INSERT INTO public.schema_compatibility VALUES
	('0014');

INSERT INTO public.screens VALUES
	('screen_1', 'flow_1', 'proj_1', 'welcome', NULL, 0, '{"title": "Hello", "weight": 0.10}', '{}', '2026-11-24 13:09:23.636809+00', '2026-11-24 13:09:23.636809+00'),
	('screen_2', 'flow_1', 'proj_1', 'question_text', 'Name', 1, '{"title": "Your name?"}', '{"skippable": true}', '2026-11-24 13:09:23.637211+00', '2026-11-24 13:09:23.637211+00');

INSERT INTO public.secret_keys VALUES
	('key_1', 'proj_1', '\x646967657374', '\x7365616c6564', '2026-11-24 13:09:23.625299+00', NULL, NULL);

INSERT INTO public.themes VALUES
	('theme_1', 'proj_1', 'Dark', NULL, false, '{"primary": "#112233"}', '{}', '{}', '2026-11-24 13:09:23.627088+00', '2026-11-24 13:09:23.627088+00');

INSERT INTO public.users VALUES
	('user_1', 'https://id', 'alice', 'alice@example.com', 'Alice', '2026-11-24 13:09:23.593106+00');

SELECT pg_catalog.setval('public.activity_cells_id_seq', 163, true);

SELECT pg_catalog.setval('public.dead_letters_id_seq', 1, true);

SELECT pg_catalog.setval('public.event_stored_no', 41, true);

SELECT pg_catalog.setval('public.pending_erasures_id_seq', 1, true);

SELECT pg_catalog.setval('public.result_cells_id_seq', 25, true);

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY public.event_ids
    ADD CONSTRAINT pk_event_ids PRIMARY KEY (project, digest, week);

ALTER TABLE ONLY public.event_ids_2026_11_16
    ADD CONSTRAINT event_ids_2026_11_16_pkey PRIMARY KEY (project, digest, week);

ALTER TABLE ONLY public.event_ids_2026_11_23
    ADD CONSTRAINT event_ids_2026_11_23_pkey PRIMARY KEY (project, digest, week);

ALTER TABLE ONLY public.event_ids_2026_11_30
    ADD CONSTRAINT event_ids_2026_11_30_pkey PRIMARY KEY (project, digest, week);

ALTER TABLE ONLY public.event_ids_default
    ADD CONSTRAINT event_ids_default_pkey PRIMARY KEY (project, digest, week);

ALTER TABLE ONLY public.activity_cells
    ADD CONSTRAINT pk_activity_cells PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (user_id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT pk_audit_entries PRIMARY KEY (id);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT pk_dead_letters PRIMARY KEY (id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT pk_devices PRIMARY KEY (project_id, device_id) INCLUDE (number);

ALTER TABLE ONLY public.erased_devices
    ADD CONSTRAINT pk_erased_devices PRIMARY KEY (project_id, digest);

ALTER TABLE ONLY public.event_storage
    ADD CONSTRAINT pk_event_storage PRIMARY KEY (turn);

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT pk_experiments PRIMARY KEY (id);

ALTER TABLE ONLY public.exposures
    ADD CONSTRAINT pk_exposures PRIMARY KEY (project_id, device_id, flow_id, experiment_id, variant);

ALTER TABLE ONLY public.flows
    ADD CONSTRAINT pk_flows PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (user_id, key);

ALTER TABLE ONLY public.maintenance_chores
    ADD CONSTRAINT pk_maintenance_chores PRIMARY KEY (name);

ALTER TABLE ONLY public.members
    ADD CONSTRAINT pk_members PRIMARY KEY (project_id, user_id);

ALTER TABLE ONLY public.pending_erasures
    ADD CONSTRAINT pk_pending_erasures PRIMARY KEY (id);

ALTER TABLE ONLY public.project_totals
    ADD CONSTRAINT pk_project_totals PRIMARY KEY (project_id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT pk_projects PRIMARY KEY (id);

ALTER TABLE ONLY public.publications
    ADD CONSTRAINT pk_publications PRIMARY KEY (project_id);

ALTER TABLE ONLY public.qa_devices
    ADD CONSTRAINT pk_qa_devices PRIMARY KEY (project_id, device_id);

ALTER TABLE ONLY public.recent_event_ids_even
    ADD CONSTRAINT pk_recent_event_ids_even PRIMARY KEY (project, digest);

ALTER TABLE ONLY public.recent_event_ids_odd
    ADD CONSTRAINT pk_recent_event_ids_odd PRIMARY KEY (project, digest);

ALTER TABLE ONLY public.result_cells
    ADD CONSTRAINT pk_result_cells PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_compatibility
    ADD CONSTRAINT pk_schema_compatibility PRIMARY KEY (oldest_revision);

ALTER TABLE ONLY public.screens
    ADD CONSTRAINT pk_screens PRIMARY KEY (id);

ALTER TABLE ONLY public.secret_keys
    ADD CONSTRAINT pk_secret_keys PRIMARY KEY (id);

ALTER TABLE ONLY public.themes
    ADD CONSTRAINT pk_themes PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT pk_users PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_digest UNIQUE (digest);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT uq_dead_letters_stream_entry_id UNIQUE (stream, entry_id);

ALTER TABLE ONLY public.flows
    ADD CONSTRAINT uq_flows_id_project_id UNIQUE (id, project_id);

ALTER TABLE ONLY public.screens
    ADD CONSTRAINT uq_screens_flow_id_order UNIQUE (flow_id, "order") DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.secret_keys
    ADD CONSTRAINT uq_secret_keys_digest UNIQUE (digest);

ALTER TABLE ONLY public.themes
    ADD CONSTRAINT uq_themes_id_project_id UNIQUE (id, project_id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT uq_users_issuer_subject UNIQUE (issuer, subject);

CREATE INDEX ix_events_project_id_occurred_at ON ONLY public.events USING btree (project_id, occurred_at);

CREATE INDEX events_2026_11_project_id_occurred_at_idx ON public.events_2026_11 USING btree (project_id, occurred_at);

CREATE INDEX events_2026_12_project_id_occurred_at_idx ON public.events_2026_12 USING btree (project_id, occurred_at);

CREATE INDEX events_2027_01_project_id_occurred_at_idx ON public.events_2027_01 USING btree (project_id, occurred_at);

CREATE INDEX events_default_project_id_occurred_at_idx ON public.events_default USING btree (project_id, occurred_at);

CREATE INDEX ix_activity_cells_pieces ON public.activity_cells USING btree (project_id, day) WHERE (NOT is_merged);

CREATE INDEX ix_activity_cells_place ON public.activity_cells USING btree (project_id, breakdown, day, flow_id);

CREATE INDEX ix_audit_entries_project_id_at_id ON public.audit_entries USING btree (project_id, at, id);

CREATE INDEX ix_dead_letters_project_id ON public.dead_letters USING btree (project_id);

CREATE INDEX ix_experiments_project_id_created_at ON public.experiments USING btree (project_id, created_at);

CREATE INDEX ix_experiments_under_way ON public.experiments USING btree (project_id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text]));

CREATE INDEX ix_exposures_experiment_id ON public.exposures USING btree (project_id, experiment_id, device_id) INCLUDE (variant, exposed_at) WHERE (experiment_id <> ''::text);

CREATE INDEX ix_flows_project_id_created_at ON public.flows USING btree (project_id, created_at);

CREATE INDEX ix_flows_theme_id ON public.flows USING btree (theme_id);

CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);

CREATE INDEX ix_members_user_id ON public.members USING btree (user_id);

CREATE INDEX ix_projects_default_flow_id ON public.projects USING btree (default_flow_id);

CREATE INDEX ix_publications_waiting ON public.publications USING btree (updated_at) WHERE (published_revision < wanted_revision);

CREATE INDEX ix_qa_devices_flow_id ON public.qa_devices USING btree (flow_id);

CREATE INDEX ix_result_cells_pieces ON public.result_cells USING btree (project_id, day) WHERE (NOT is_merged);

CREATE INDEX ix_result_cells_place ON public.result_cells USING btree (project_id, day, event_type);

CREATE INDEX ix_screens_project_id ON public.screens USING btree (project_id);

CREATE INDEX ix_secret_keys_project_id ON public.secret_keys USING btree (project_id);

CREATE INDEX ix_themes_project_id_created_at ON public.themes USING btree (project_id, created_at);

CREATE INDEX ix_users_email ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX uq_themes_default ON public.themes USING btree (project_id) WHERE is_default;

ALTER INDEX public.pk_event_ids ATTACH PARTITION public.event_ids_2026_11_16_pkey;

ALTER INDEX public.pk_event_ids ATTACH PARTITION public.event_ids_2026_11_23_pkey;

ALTER INDEX public.pk_event_ids ATTACH PARTITION public.event_ids_2026_11_30_pkey;

ALTER INDEX public.pk_event_ids ATTACH PARTITION public.event_ids_default_pkey;

ALTER INDEX public.ix_events_project_id_occurred_at ATTACH PARTITION public.events_2026_11_project_id_occurred_at_idx;

ALTER INDEX public.ix_events_project_id_occurred_at ATTACH PARTITION public.events_2026_12_project_id_occurred_at_idx;

ALTER INDEX public.ix_events_project_id_occurred_at ATTACH PARTITION public.events_2027_01_project_id_occurred_at_idx;

ALTER INDEX public.ix_events_project_id_occurred_at ATTACH PARTITION public.events_default_project_id_occurred_at_idx;

CREATE TRIGGER activity_removed AFTER DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION public.remove_activity_of_project();

CREATE TRIGGER event_ids_removed AFTER DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION public.remove_event_ids_of_project();

CREATE TRIGGER result_cells_removed AFTER DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION public.remove_result_cells_of_project();

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT fk_audit_entries_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT fk_dead_letters_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.erased_devices
    ADD CONSTRAINT fk_erased_devices_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.experiments
    ADD CONSTRAINT fk_experiments_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.flows
    ADD CONSTRAINT fk_flows_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.flows
    ADD CONSTRAINT fk_flows_theme FOREIGN KEY (theme_id, project_id) REFERENCES public.themes(id, project_id) ON DELETE SET NULL (theme_id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT fk_idempotency_keys_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.members
    ADD CONSTRAINT fk_members_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.members
    ADD CONSTRAINT fk_members_user_id FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pending_erasures
    ADD CONSTRAINT fk_pending_erasures_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.project_totals
    ADD CONSTRAINT fk_project_totals_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT fk_projects_default_flow FOREIGN KEY (default_flow_id, id) REFERENCES public.flows(id, project_id) ON DELETE SET NULL (default_flow_id);

ALTER TABLE ONLY public.qa_devices
    ADD CONSTRAINT fk_qa_devices_flow FOREIGN KEY (flow_id, project_id) REFERENCES public.flows(id, project_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.screens
    ADD CONSTRAINT fk_screens_flow FOREIGN KEY (flow_id, project_id) REFERENCES public.flows(id, project_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.secret_keys
    ADD CONSTRAINT fk_secret_keys_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.themes
    ADD CONSTRAINT fk_themes_project_id FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

