"""Create the schema of release 0.2.0, the oldest that this release upgrades.

The revision has the id of the last migration of release 0.2.0, so a database of that release is at the baseline. The
two tables and the function with which release 0.2.0 served the preview 0.1.0 are left out: revision 0027 drops them.
"""

from alembic import op

revision = "0021"
down_revision = None
branch_labels = None
depends_on = None

CONFIGURATION = """
    CREATE TABLE users (
        id varchar(40) NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        email text,
        name text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_users PRIMARY KEY (id),
        CONSTRAINT uq_users_issuer_subject UNIQUE (issuer, subject)
    );
    CREATE INDEX ix_users_email ON users (lower(email));
    CREATE TABLE api_keys (
        user_id varchar(40) NOT NULL,
        digest bytea NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz,
        CONSTRAINT pk_api_keys PRIMARY KEY (user_id),
        CONSTRAINT uq_api_keys_digest UNIQUE (digest),
        CONSTRAINT fk_api_keys_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
    );
    CREATE TABLE idempotency_keys (
        user_id varchar(40) NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        status smallint NOT NULL,
        etag text,
        body_sealed bytea NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (user_id, key),
        CONSTRAINT ck_idempotency_keys_key_length CHECK (char_length(key) BETWEEN 1 AND 255),
        CONSTRAINT fk_idempotency_keys_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);
    CREATE TABLE projects (
        id varchar(40) NOT NULL,
        name text NOT NULL,
        description text,
        platforms text[] NOT NULL,
        -- The foreign key of the default flow is added below, when there is the table of flows.
        default_flow_id varchar(40),
        analytics_enabled boolean NOT NULL DEFAULT true,
        custom_domain text,
        public_key_sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_projects PRIMARY KEY (id),
        CONSTRAINT ck_projects_description_length CHECK (char_length(description) <= 200),
        CONSTRAINT ck_projects_name_length CHECK (char_length(name) BETWEEN 3 AND 50),
        CONSTRAINT ck_projects_platforms
            CHECK (platforms <@ ARRAY['ios', 'android'] AND cardinality(platforms) BETWEEN 1 AND 2)
    );
    CREATE INDEX ix_projects_default_flow_id ON projects (default_flow_id);
    CREATE TABLE members (
        project_id varchar(40) NOT NULL,
        user_id varchar(40) NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_members PRIMARY KEY (project_id, user_id),
        CONSTRAINT ck_members_role CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
        CONSTRAINT fk_members_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
        CONSTRAINT fk_members_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_members_user_id ON members (user_id);
    CREATE TABLE secret_keys (
        id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        digest bytea NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz,
        last_used_at timestamptz,
        CONSTRAINT pk_secret_keys PRIMARY KEY (id),
        CONSTRAINT uq_secret_keys_digest UNIQUE (digest),
        CONSTRAINT fk_secret_keys_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_secret_keys_project_id ON secret_keys (project_id);
    CREATE TABLE audit_entries (
        id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        user_id varchar(40) NOT NULL,
        action text NOT NULL,
        entity_type text NOT NULL,
        entity_id text NOT NULL,
        before jsonb,
        after jsonb,
        CONSTRAINT pk_audit_entries PRIMARY KEY (id),
        CONSTRAINT fk_audit_entries_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_audit_entries_project_id_at_id ON audit_entries (project_id, at, id);
    CREATE TABLE themes (
        id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        name text NOT NULL,
        description text,
        is_default boolean NOT NULL DEFAULT false,
        colors jsonb NOT NULL DEFAULT '{}',
        typography jsonb NOT NULL DEFAULT '{}',
        border_radius jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_themes PRIMARY KEY (id),
        CONSTRAINT uq_themes_id_project_id UNIQUE (id, project_id),
        CONSTRAINT ck_themes_border_radius CHECK (jsonb_typeof(border_radius) = 'object'),
        CONSTRAINT ck_themes_colors CHECK (jsonb_typeof(colors) = 'object'),
        CONSTRAINT ck_themes_description_length CHECK (char_length(description) <= 500),
        CONSTRAINT ck_themes_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
        CONSTRAINT ck_themes_typography CHECK (jsonb_typeof(typography) = 'object'),
        CONSTRAINT fk_themes_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_themes_project_id_created_at ON themes (project_id, created_at);
    CREATE UNIQUE INDEX uq_themes_default ON themes (project_id) WHERE is_default;
    CREATE TABLE flows (
        id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        name text NOT NULL,
        description text,
        status text NOT NULL DEFAULT 'draft',
        theme_id varchar(40),
        priority integer NOT NULL DEFAULT 0,
        rollout_buckets integer NOT NULL DEFAULT 10000,
        conditions jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_flows PRIMARY KEY (id),
        CONSTRAINT uq_flows_id_project_id UNIQUE (id, project_id),
        CONSTRAINT ck_flows_conditions CHECK (jsonb_typeof(conditions) = 'array'),
        CONSTRAINT ck_flows_description_length CHECK (char_length(description) <= 500),
        CONSTRAINT ck_flows_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
        CONSTRAINT ck_flows_rollout_buckets CHECK (rollout_buckets BETWEEN 0 AND 10000),
        CONSTRAINT ck_flows_status CHECK (status IN ('draft', 'active', 'archived')),
        CONSTRAINT fk_flows_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
        CONSTRAINT fk_flows_theme FOREIGN KEY (theme_id, project_id)
            REFERENCES themes(id, project_id) ON DELETE SET NULL (theme_id)
    );
    CREATE INDEX ix_flows_project_id_created_at ON flows (project_id, created_at);
    CREATE INDEX ix_flows_theme_id ON flows (theme_id);
    CREATE TABLE screens (
        id varchar(40) NOT NULL,
        flow_id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        type text NOT NULL,
        name text,
        "order" integer NOT NULL,
        content jsonb NOT NULL DEFAULT '{}',
        settings jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_screens PRIMARY KEY (id),
        CONSTRAINT uq_screens_flow_id_order UNIQUE (flow_id, "order") DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT ck_screens_content CHECK (jsonb_typeof(content) = 'object'),
        CONSTRAINT ck_screens_name_length CHECK (char_length(name) <= 100),
        CONSTRAINT ck_screens_order CHECK ("order" >= 0),
        CONSTRAINT ck_screens_settings CHECK (jsonb_typeof(settings) = 'object'),
        CONSTRAINT ck_screens_type CHECK (type IN (
            'welcome', 'feature', 'permissions', 'signup', 'question_text', 'question_single_choice',
            'question_multiple_choice', 'question_picker', 'paywall', 'custom'
        )),
        CONSTRAINT fk_screens_flow FOREIGN KEY (flow_id, project_id)
            REFERENCES flows(id, project_id) ON DELETE CASCADE
    );
    CREATE INDEX ix_screens_project_id ON screens (project_id);
    CREATE TABLE qa_devices (
        project_id varchar(40) NOT NULL,
        device_id text NOT NULL,
        flow_id varchar(40) NOT NULL,
        CONSTRAINT pk_qa_devices PRIMARY KEY (project_id, device_id),
        CONSTRAINT ck_qa_devices_device_id_length CHECK (char_length(device_id) BETWEEN 1 AND 256),
        CONSTRAINT fk_qa_devices_flow FOREIGN KEY (flow_id, project_id)
            REFERENCES flows(id, project_id) ON DELETE CASCADE
    );
    CREATE INDEX ix_qa_devices_flow_id ON qa_devices (flow_id);
    CREATE TABLE experiments (
        id varchar(40) NOT NULL,
        project_id varchar(40) NOT NULL,
        name text NOT NULL,
        hypothesis text,
        status text NOT NULL DEFAULT 'draft',
        conditions jsonb NOT NULL DEFAULT '[]',
        traffic_buckets integer NOT NULL DEFAULT 10000,
        variants jsonb NOT NULL,
        primary_event text NOT NULL,
        winner text,
        salt_version integer NOT NULL DEFAULT 1,
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        reallocated_at timestamptz,
        CONSTRAINT pk_experiments PRIMARY KEY (id),
        CONSTRAINT ck_experiments_conditions CHECK (jsonb_typeof(conditions) = 'array'),
        CONSTRAINT ck_experiments_ended_at CHECK ((status = 'completed') = (ended_at IS NOT NULL)),
        CONSTRAINT ck_experiments_hypothesis_length CHECK (char_length(hypothesis) <= 1000),
        CONSTRAINT ck_experiments_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
        CONSTRAINT ck_experiments_salt_version CHECK (salt_version > 0),
        CONSTRAINT ck_experiments_started_at CHECK ((status = 'draft') = (started_at IS NULL)),
        CONSTRAINT ck_experiments_status CHECK (status IN ('draft', 'running', 'paused', 'completed')),
        CONSTRAINT ck_experiments_traffic_buckets CHECK (traffic_buckets BETWEEN 0 AND 10000),
        CONSTRAINT ck_experiments_variants CHECK (jsonb_typeof(variants) = 'array'),
        CONSTRAINT ck_experiments_winner CHECK (winner IS NULL OR status = 'completed'),
        CONSTRAINT fk_experiments_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_experiments_project_id_created_at ON experiments (project_id, created_at);
    CREATE INDEX ix_experiments_under_way ON experiments (project_id) WHERE status IN ('running', 'paused');
    CREATE TABLE publications (
        project_id varchar(40) NOT NULL,
        wanted_revision bigint NOT NULL DEFAULT '1',
        published_revision bigint NOT NULL DEFAULT '0',
        deleted boolean NOT NULL DEFAULT false,
        claimed_until timestamptz,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_publications PRIMARY KEY (project_id),
        CONSTRAINT ck_publications_revisions CHECK (0 <= published_revision AND published_revision <= wanted_revision)
    );
    CREATE INDEX ix_publications_waiting ON publications (updated_at) WHERE published_revision < wanted_revision;
    ALTER TABLE projects ADD CONSTRAINT fk_projects_default_flow FOREIGN KEY (default_flow_id, id)
        REFERENCES flows(id, project_id) ON DELETE SET NULL (default_flow_id);
"""

# Bitmaps are as small as they get, so PostgreSQL shall not compress them.
ROLLUP_COLUMNS = """
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        project_id varchar(40) NOT NULL,
        breakdown text NOT NULL,
        day date,
        event_type text,
        flow_id text,
        screen_id text,
        experiment_id text,
        variant text,
        platform text,
        events bigint NOT NULL,
        devices bytea STORAGE EXTERNAL NOT NULL,
        moments bytea STORAGE EXTERNAL,
        is_merged boolean NOT NULL DEFAULT false
"""
# Partitions are made by the event consumer. The default ones take rows without a partition, so that a missing partition
# stops nothing.
ANALYTICS = f"""
    CREATE SEQUENCE event_stored_no;
    CREATE TABLE events (
        project_id varchar(40) NOT NULL,
        event_id text NOT NULL,
        event_type text NOT NULL,
        device_id text NOT NULL,
        flow_id text,
        screen_id text,
        experiment_id text,
        variant text,
        session_id text,
        occurred_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        platform text,
        app_version text,
        properties jsonb NOT NULL DEFAULT '{{}}',
        stored_no bigint DEFAULT nextval('event_stored_no')
    ) PARTITION BY RANGE (received_at);
    CREATE INDEX ix_events_project_id_occurred_at ON events (project_id, occurred_at);
    CREATE TABLE events_default PARTITION OF events DEFAULT;
    CREATE TABLE event_ids (
        project bigint NOT NULL,
        digest bytea NOT NULL,
        week date NOT NULL,
        CONSTRAINT pk_event_ids PRIMARY KEY (project, digest, week)
    ) PARTITION BY RANGE (week);
    CREATE TABLE event_ids_default PARTITION OF event_ids DEFAULT;
    CREATE TABLE event_storage (
        turn integer NOT NULL,
        turn_since timestamptz NOT NULL DEFAULT clock_timestamp(),
        complete_from timestamptz,
        CONSTRAINT pk_event_storage PRIMARY KEY (turn)
    );
    CREATE TABLE exposures (
        project_id varchar(40) NOT NULL,
        device_id text NOT NULL,
        flow_id text NOT NULL,
        experiment_id text NOT NULL DEFAULT '',
        variant text NOT NULL DEFAULT '',
        exposed_at timestamptz NOT NULL,
        platform text,
        CONSTRAINT pk_exposures PRIMARY KEY (project_id, device_id, flow_id, experiment_id, variant)
    );
    CREATE INDEX ix_exposures_experiment_id ON exposures (project_id, experiment_id, device_id)
        INCLUDE (variant, exposed_at) WHERE experiment_id <> '';
    CREATE TABLE dead_letters (
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        stream text NOT NULL,
        entry_id text NOT NULL,
        body bytea NOT NULL,
        reason text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        project_id varchar(40),
        attempts integer NOT NULL DEFAULT 1,
        last_failed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        replayed_at timestamptz,
        CONSTRAINT pk_dead_letters PRIMARY KEY (id),
        CONSTRAINT uq_dead_letters_stream_entry_id UNIQUE (stream, entry_id),
        CONSTRAINT fk_dead_letters_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE INDEX ix_dead_letters_project_id ON dead_letters (project_id);
    CREATE TABLE devices (
        project_id varchar(40) NOT NULL,
        device_id text NOT NULL,
        number integer NOT NULL,
        erased_at timestamptz,
        CONSTRAINT pk_devices PRIMARY KEY (project_id, device_id) INCLUDE (number)
    );
    CREATE TABLE project_totals (
        project_id varchar(40) NOT NULL,
        devices bigint NOT NULL DEFAULT '0',
        next_number integer NOT NULL DEFAULT 0,
        is_uncounted boolean NOT NULL DEFAULT false,
        CONSTRAINT pk_project_totals PRIMARY KEY (project_id),
        CONSTRAINT fk_project_totals_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE TABLE erased_devices (
        project_id varchar(40) NOT NULL,
        digest bytea NOT NULL,
        erased_at timestamptz NOT NULL,
        pending_number integer,
        CONSTRAINT pk_erased_devices PRIMARY KEY (project_id, digest),
        CONSTRAINT fk_erased_devices_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE TABLE pending_erasures (
        id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
        project_id varchar(40) NOT NULL,
        device_id text NOT NULL,
        number integer,
        last_stored_no bigint NOT NULL,
        last_dead_letter_id bigint NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_pending_erasures PRIMARY KEY (id),
        CONSTRAINT fk_pending_erasures_project_id FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
    CREATE TABLE activity_cells (
        {ROLLUP_COLUMNS},
        CONSTRAINT pk_activity_cells PRIMARY KEY (id)
    );
    CREATE INDEX ix_activity_cells_pieces ON activity_cells (project_id, day) WHERE NOT is_merged;
    CREATE INDEX ix_activity_cells_place ON activity_cells (project_id, breakdown, day, flow_id);
    CREATE TABLE result_cells (
        {ROLLUP_COLUMNS},
        CONSTRAINT pk_result_cells PRIMARY KEY (id)
    );
    CREATE INDEX ix_result_cells_pieces ON result_cells (project_id, day) WHERE NOT is_merged;
    CREATE INDEX ix_result_cells_place ON result_cells (project_id, day, event_type);
    CREATE TABLE maintenance_chores (
        name text NOT NULL,
        succeeded_at timestamptz,
        failing_since timestamptz,
        reason text,
        CONSTRAINT pk_maintenance_chores PRIMARY KEY (name)
    );
    CREATE TABLE schema_compatibility (
        oldest_revision text NOT NULL,
        CONSTRAINT pk_schema_compatibility PRIMARY KEY (oldest_revision)
    );
    INSERT INTO event_storage (turn) VALUES (0);
    INSERT INTO schema_compatibility VALUES ('0021');
"""

# The tables of events have no foreign keys, so these triggers empty a deleted project.
PROJECT_KEY = "('x' || encode(substring(sha256(convert_to(OLD.id, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint"
DELETION = f"""
    CREATE FUNCTION remove_activity_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM events WHERE project_id = OLD.id;
        DELETE FROM exposures WHERE project_id = OLD.id;
        DELETE FROM devices WHERE project_id = OLD.id;
        DELETE FROM activity_cells WHERE project_id = OLD.id;
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER activity_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_activity_of_project();
    CREATE FUNCTION remove_result_cells_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM result_cells WHERE project_id = OLD.id;
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER result_cells_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_result_cells_of_project();
    CREATE FUNCTION remove_event_ids_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM event_ids WHERE project = {PROJECT_KEY};
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER event_ids_removed AFTER DELETE ON projects
        FOR EACH ROW EXECUTE FUNCTION remove_event_ids_of_project();
"""


def upgrade() -> None:
    for statements in (CONFIGURATION, ANALYTICS, DELETION):
        op.execute(statements)
