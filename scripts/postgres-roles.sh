#!/bin/sh
# Creates the service's role and database in a new PostgreSQL container, so that the service is not a superuser there.
# The postgres image runs it once, when it initialises its volume; it needs POSTGRES_USER and JITTERSCOPE_DATABASE_PASSWORD.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$JITTERSCOPE_DATABASE_PASSWORD" \
    --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE jitterscope LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE jitterscope OWNER jitterscope;
REVOKE ALL ON DATABASE jitterscope, postgres, template1 FROM PUBLIC;
SQL
