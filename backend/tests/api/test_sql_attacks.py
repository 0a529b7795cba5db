"""What SQL of people must not do: each attack, and that the service goes on as before."""

import httpx2
import psycopg
import pytest

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.embedded.roles import READER
from tests.api.service import Service
from tests.api.statements import DATABASE, ask, refused, rows, statements_running, until


def check(service: Service, sql: str, code: str) -> str:
    """The sentence of a refusal, which holds nothing of the server. The next statement runs as ever."""
    problem = refused(service, sql)
    assert problem["code"] == code, problem
    detail = str(problem["detail"])
    assert not any(secret in detail for secret in ("/", "postgres.conf", "text[]", "Traceback")), detail
    assert rows(service, "SELECT 1") == [[1]]
    return detail


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE trace",
        "SELECT 1) AS p LIMIT 1) AS q UNION ALL SELECT q.* FROM (SELECT p.* FROM (SELECT 2",
        "COMMIT",
        "BEGIN READ WRITE",
        "SET ROLE jitterscope",
        "SET statement_timeout = 0",
        "RESET ALL",
        "SHOW hba_file",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY (SELECT 1) TO STDOUT",
        "COPY event FROM '/etc/passwd'",
        "DO $$ BEGIN END $$",
        "CREATE TEMP TABLE door (x integer)",
        "SELECT 1 INTO door",
        "PREPARE door AS SELECT 1",
        "EXECUTE jitterscope_sql ('{}')",
        "DEALLOCATE ALL",
        "DECLARE door CURSOR WITH HOLD FOR SELECT 1",
        "LISTEN procrastinate_any_queue",
        "NOTIFY procrastinate_any_queue",
        "LOCK TABLE trace",
        "EXPLAIN ANALYZE SELECT 1",
        "VACUUM",
        "CALL door()",
        "WITH gone AS (DELETE FROM event RETURNING 1) SELECT * FROM gone",
        "SELECT $2",
    ],
)
def test_only_one_query_is_run(people: Service, sql: str) -> None:
    check(people, sql, "sql_refused")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM trace",
        "SELECT * FROM label",
        "SELECT * FROM procrastinate_jobs",
        "SELECT * FROM idempotency_key",
        "SELECT * FROM event FOR UPDATE",
        "SELECT nextval('trace_key_seq')",
        "SELECT rolpassword FROM pg_authid",
        "SELECT passwd FROM pg_shadow",
        "SELECT query FROM pg_stat_activity",
        "SELECT pg_stat_get_backend_activity(1)",
        "SELECT * FROM pg_file_settings",
        "SELECT pg_hba_file_rules()",
        "SELECT current_setting('data_directory')",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT pg_ls_dir('.')",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_import('PG_VERSION')",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT set_config('role', 'jitterscope', false)",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT pg_sleep(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock(n) FROM generate_series(1, 1000000) AS n",
        "SELECT pg_notify('procrastinate_any_queue', '{}')",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_cancel_backend(1)",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "SELECT pg_export_snapshot()",
        "SELECT pg_current_xact_id()",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT * FROM ts_stat('SELECT to_tsvector(args) FROM event')",
        "SELECT pg_reload_conf()",
    ],
)
def test_what_is_not_a_documented_view_is_out_of_reach(people: Service, sql: str) -> None:
    assert "may read the views recording, event" in check(people, sql, "sql_not_allowed")


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT count(*) FROM generate_series(1, 1000000000000)", ("sql_timeout", "sql_too_large")),
        (
            "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
            ("sql_timeout",),
        ),
        ("SELECT count(*) FROM pg_class a, pg_class b, pg_class c, pg_class d", ("sql_timeout",)),
        (
            "SELECT sum(length(regexp_replace(repeat('ab', 10000) || n, '((a|b|ab)*)*c\\1', ''))) "
            "FROM generate_series(1, 100000) AS n",
            ("sql_timeout", "sql_refused"),
        ),
        ("SELECT repeat('x', 1000000000)", ("sql_too_large",)),
        ("SELECT repeat('x', 200000) AS q", ("sql_too_large",)),
        ("SELECT repeat('x', 60000), repeat('y', 60000)", ("sql_too_large",)),
        (
            "SELECT array_agg(repeat('x', 1000)) FROM generate_series(1, 500000)",
            ("sql_too_large", "sql_timeout"),
        ),
        (
            "SELECT n, repeat('y', 100) FROM generate_series(1, 20000000) n ORDER BY 2, 1 DESC",
            ("sql_too_large", "sql_timeout"),
        ),
        ("SELECT 10.0 ^ 131000 ^ 2", ("sql_refused",)),
        (f"SELECT {'(-' * 6000}1{')' * 6000}", ("sql_refused",)),
    ],
)
def test_time_memory_and_disk_are_bounded(people: Service, sql: str, code: tuple[str, ...]) -> None:
    response = ask(people, sql)
    assert response.status_code == 422, response.text
    assert response.json()["code"] in code, response.text
    assert rows(people, "SELECT 1") == [[1]]


def test_the_kernel_bounds_what_postgresql_does_not(people: Service) -> None:
    # PostgreSQL itself would make a value of up to 1 GiB.
    problem = refused(people, "SELECT length(repeat('x', 1000000000))")
    assert "JITTERSCOPE_SQL_MEMORY_BYTES" in str(problem["detail"])


def test_an_answer_is_cut_at_its_size(people: Service) -> None:
    response = ask(people, "SELECT repeat('x', 50000) FROM generate_series(1, 1000)", limit=1_000)
    assert response.json()["is_truncated"] is True
    assert 500_000 < len(response.content) < 1_100_000


def test_a_statement_leaves_no_connection_behind(people: Service, postgres: EmbeddedPostgres) -> None:
    for _ in range(3):
        ask(people, "SELECT 1")
        ask(people, "SELECT 1 / 0")
        ask(people, "SELECT repeat('x', 50000) FROM generate_series(1, 1000)")
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND datname = %s"

        def are_gone() -> bool:
            return connection.execute(query, (READER, DATABASE)).fetchone() == (0,)

        until(are_gone)
    assert statements_running(postgres) == 0


@pytest.mark.parametrize("sql", ["SELECT '\0'", "SELECT chr(0)", "SELECT U&'\\0000'", "SELECT E'\\xff'"])
def test_text_that_is_none_is_refused(people: Service, sql: str) -> None:
    assert ask(people, sql).status_code == 422


def test_a_lone_surrogate_is_refused(people: Service) -> None:
    body = b'{"sql": "SELECT \'\\ud800\'"}'
    headers = {"Content-Type": "application/json"}
    assert people.client.post("/api/v1/sql", content=body, headers=headers).status_code == 422


@pytest.mark.parametrize("trace", ["a,b", "{}", '"', "a'b", "a b", "", "x" * 65])
def test_ids_of_traces_cannot_change_the_statement(people: Service, trace: str) -> None:
    assert ask(people, "SELECT $1", traces=[trace]).status_code == 422


def test_ids_of_traces_are_an_array(people: Service) -> None:
    assert rows(people, "SELECT cardinality($1), $1[2]", traces=["abc", "d-e"]) == [[2, "d-e"]]


def test_settings_show_no_path_and_roles_no_password(people: Service) -> None:
    assert rows(people, "SELECT name FROM pg_settings WHERE setting ~ '^/'") == []
    assert {row[0] for row in rows(people, "SELECT rolpassword FROM pg_roles")} == {"********"}


def test_another_page_cannot_run_a_statement(people: Service) -> None:
    headers = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
    response = httpx2.post(
        f"{people.base_url}/api/v1/sql", content=b'{"sql": "SELECT 1"}', headers=headers, trust_env=False
    )
    assert response.status_code == 403
