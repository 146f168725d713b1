#!/bin/sh
# The work of an administrator of PostgreSQL, in an image that has its programs. Connections follow PGHOST, PGPORT, PGUSER and
# PGPASSWORD; URLs of the service in $SECRETS name the passwords of the two roles.
#
#   roles              make the owner (migrations, event consumer) and the app role (all others), or renew their rights
#   dump               write a dump of the database to standard output
#   restore DATABASE   read a dump from standard input into DATABASE; a database of that name is kept as DATABASE_before_TIME
#   drill              like restore, into `onboarding_drill`, of which the last one is dropped
set -eu
database=${POSTGRES_DB:-onboarding}
secrets=${SECRETS:-/run/secrets}

password_of() { sed 's,^[^:]*://[^:]*:\([^@]*\)@.*,\1,' "$secrets/$1"; }
sql() { psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "$@"; }

grant() {
    OWNER_PASSWORD=$(password_of database_url) APP_PASSWORD=$(password_of database_url_app) sql --dbname="$1" <<'END'
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest(ARRAY['onboarding', 'onboarding_app']) AS name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE onboarding PASSWORD :'owner_password';
ALTER ROLE onboarding_app PASSWORD :'app_password';
ALTER DATABASE :"DBNAME" OWNER TO onboarding;
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE :"DBNAME" TO onboarding_app;
GRANT USAGE ON SCHEMA public TO onboarding_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO onboarding_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO onboarding_app;
ALTER DEFAULT PRIVILEGES FOR ROLE onboarding IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO onboarding_app;
ALTER DEFAULT PRIVILEGES FOR ROLE onboarding IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO onboarding_app;
END
}

# Into a new database, so that a dump that ends early replaces nothing.
restore() {
    sql --dbname=postgres --command="DROP DATABASE IF EXISTS restoring" \
        --command="CREATE DATABASE restoring OWNER onboarding TEMPLATE template0"
    pg_restore --dbname=restoring --no-owner --no-privileges --role=onboarding --exit-on-error
    grant restoring
    # A restored database has no statistics.
    sql --dbname=restoring --command="ANALYZE"
    sql --dbname=postgres --set=name="$1" --set=former="$2" <<'END'
SELECT format('ALTER DATABASE %I RENAME TO %I', datname, :'former') FROM pg_database WHERE datname = :'name' \gexec
ALTER DATABASE restoring RENAME TO :"name";
END
}

case ${1:-} in
    roles)
        # The administrator of volumes of release 0.2.0 is `onboarding`.
        psql --dbname="$database" --command="" 2>/dev/null || export PGUSER=onboarding
        grant "$database" ;;
    dump) exec pg_dump --format=custom --dbname="$database" ;;
    restore) restore "${2:?the name of the database}" "$2_before_$(date -u +%Y%m%dT%H%M%SZ)" ;;
    drill)
        sql --dbname=postgres --command="DROP DATABASE IF EXISTS onboarding_drill"
        restore onboarding_drill onboarding_drill_before ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
