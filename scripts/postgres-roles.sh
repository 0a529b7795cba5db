#!/bin/sh
# Creates the service's role and database in a new PostgreSQL container, so that the service is not a superuser there,
# and the role of people's SQL, which reads the documented views alone. The postgres image runs it once, when it
# initialises its volume; it needs POSTGRES_USER, JITTERSCOPE_DATABASE_PASSWORD and JITTERSCOPE_READ_PASSWORD.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$JITTERSCOPE_DATABASE_PASSWORD" \
    --set read_password="$JITTERSCOPE_READ_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE jitterscope LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE ROLE jitterscope_read LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE CONNECTION LIMIT 8 PASSWORD :'read_password';
ALTER ROLE jitterscope_read SET default_transaction_read_only = on;
ALTER ROLE jitterscope_read SET statement_timeout = '30s';
ALTER ROLE jitterscope_read SET lock_timeout = '1s';
ALTER ROLE jitterscope_read SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE jitterscope_read SET temp_file_limit = '256MB';
CREATE DATABASE jitterscope OWNER jitterscope;
REVOKE ALL ON DATABASE jitterscope, postgres, template1 FROM PUBLIC;
GRANT CONNECT ON DATABASE jitterscope TO jitterscope_read;
SQL
# What `jitterscope read-role` prints: takes from that role what reaches beyond a query of its own.
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname jitterscope <<'SQL'
DO $do$
DECLARE routine regprocedure;
BEGIN
    FOR routine IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
          AND proname ~ '^(lo_creat|lo_create|lo_from_bytea|set_config|pg_notify|pg_sleep.*|pg_(try_)?advisory_.*|pg_cancel_backend|pg_terminate_backend|pg_stat_get_activity|pg_stat_get_backend_.*|pg_logical_emit_message|pg_export_snapshot|pg_current_xact_id|txid_current|(query|cursor|table|schema|database)_to_xml.*|ts_stat|ts_rewrite)$'
          AND has_function_privilege('jitterscope_read', oid, 'EXECUTE')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', routine);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO jitterscope', routine);
    END LOOP;
END $do$;
SQL
