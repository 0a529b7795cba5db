"""SQL of people: rows of the documented views as JSON, CSV and NDJSON, and what is said where it fails."""

import json
import threading

import httpx2
import pytest
from pydantic import SecretStr

from jitterscope.embedded import EmbeddedPostgres
from jitterscope.store.read_role import DOCUMENTED_VIEWS
from tests.api.service import Service, ServiceMaker
from tests.api.statements import SLOW, ask, refused, rows, statements_running, until


def test_answers_with_columns_units_and_rows(people: Service, trace: str) -> None:
    answer = ask(
        people,
        "SELECT kind, count, max_ns, 1.5 AS half, true AS yes, NULL AS none FROM latency_total "
        "WHERE trace = ANY ($1) AND kind = 'wakeup'; -- all of them",
        traces=[trace],
    ).json()
    assert answer == {
        "columns": [
            {"name": "kind", "type": "text", "unit": None},
            {"name": "count", "type": "int8", "unit": None},
            {"name": "max_ns", "type": "int8", "unit": "ns"},
            {"name": "half", "type": "numeric", "unit": None},
            {"name": "yes", "type": "bool", "unit": None},
            {"name": "none", "type": "text", "unit": None},
        ],
        "rows": [["wakeup", 30, 30_000, 1.5, True, None]],
        "row_count": 1,
        "is_truncated": False,
    }


@pytest.mark.parametrize("view", DOCUMENTED_VIEWS)
def test_every_view_is_read_and_described(people: Service, trace: str, view: str) -> None:
    described = {found["name"]: found for found in people.client.get("/api/v1/sql/views").json()["views"]}
    answer = ask(people, f"SELECT * FROM {view}", traces=[trace]).json()  # noqa: S608 - a list of ours
    assert [column["name"] for column in answer["columns"]] == [
        column["name"] for column in described[view]["columns"]
    ]


def test_traces_come_with_their_labels(people: Service, trace: str) -> None:
    query = "SELECT trace, labels ->> 'board', event_count FROM recording WHERE trace = ANY ($1)"
    events = rows(people, "SELECT count(*) FROM event WHERE trace = ANY ($1)", traces=[trace])
    assert rows(people, query, traces=[trace]) == [[trace, "rpi5", events[0][0]]]


def test_the_numbers_are_those_of_the_page(people: Service, trace: str) -> None:
    stats = people.client.get(f"/api/v1/traces/{trace}/latencies/stats", params={"kind": "wakeup"}).json()
    group = stats["groups"][0]
    found = rows(
        people,
        "SELECT count(*), min(duration_ns), max(duration_ns), "
        "percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ns), "
        "percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ns) "
        "FROM latency WHERE trace = ANY ($1) AND kind = 'wakeup'",
        traces=[trace],
    )
    assert found == [[group[name] for name in ("count", "min_ns", "max_ns", "p50_ns", "p99_ns")]]
    listed = people.client.get(f"/api/v1/traces/{trace}/latencies", params={"kind": "wakeup", "limit": 5})
    worst = rows(
        people,
        "SELECT duration_ns, case_id, headline FROM worst_case "
        "WHERE trace = ANY ($1) AND kind = 'wakeup' ORDER BY duration_ns DESC, t_ns LIMIT 5",
        traces=[trace],
    )
    assert worst == [[item["duration_ns"], item["id"], item["headline"]] for item in listed.json()["items"]]


def test_an_answer_that_is_cut_says_so(people: Service) -> None:
    answer = ask(people, "SELECT n FROM generate_series(1, 1000) AS n ORDER BY n DESC", limit=3).json()
    assert (answer["rows"], answer["is_truncated"]) == ([[1000], [999], [998]], True)
    whole = ask(people, "SELECT n FROM generate_series(1, 3) AS n", limit=3).json()
    assert (whole["row_count"], whole["is_truncated"]) == (3, False)


def test_integers_that_javascript_cannot_hold_are_strings(people: Service) -> None:
    query = "SELECT 9007199254740992, 9007199254740993, sum(n) FROM (VALUES (9223372036854775807)) AS v (n)"
    assert rows(people, query) == [[9007199254740992, "9007199254740993", "9223372036854775807"]]
    values = (
        "SELECT 'NaN'::float8, 'Infinity'::numeric, 'infinity'::timestamp, '{1,2}'::int[], '\\x00'::bytea"
    )
    assert rows(people, values) == [["nan", "inf", "infinity", "{1,2}", "\\x00"]]


def test_csv_runs_nothing_in_a_spreadsheet(people: Service) -> None:
    body = {"sql": "SELECT '=1+1' AS \"@name\", -5 AS number, true AS yes, NULL AS none, 'a,b' AS text"}
    response = people.client.post("/api/v1/sql", json=body, headers={"Accept": "text/csv"})
    assert response.text == "'@name,number,yes,none,text\r\n'=1+1,-5,true,,\"a,b\"\r\n"
    assert response.headers["content-disposition"] == 'attachment; filename="query.csv"'
    assert response.headers["x-truncated"] == "false"


def test_ndjson_keeps_columns_of_one_name(people: Service) -> None:
    body = {"sql": "SELECT 1 AS a, 2 AS a, 'é' AS b UNION ALL SELECT 3, 4, 'f'"}
    response = people.client.post("/api/v1/sql", json=body, headers={"Accept": "application/x-ndjson"})
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert lines == [{"a": 1, "a_2": 2, "b": "é"}, {"a": 3, "a_2": 4, "b": "f"}]


@pytest.mark.parametrize(
    ("sql", "position", "words"),
    [
        ("SELEC 1", 1, 'Syntax error at or near "SELEC"'),
        ("SELECT 1\nFROM nowhere", 15, 'Relation "nowhere" does not exist'),
        ("SELECT 'é', tt_ns FROM event", 13, 'Column "tt_ns" does not exist'),
        ("SELECT 1; SELECT 2", 9, "multiple commands"),
        ("SELECT (1", 10, "Syntax error at end of input"),
    ],
)
def test_an_error_says_where_it_is(people: Service, sql: str, position: int, words: str) -> None:
    problem = refused(people, sql)
    assert words.lower() in str(problem["detail"]).lower()
    assert problem["code"] == "sql_refused"
    if "multiple" not in words:
        assert problem["position"] == position


@pytest.mark.parametrize("condition", ["trace = $1", "$1 = trace", "trace IN ($1)", "trace LIKE $1"])
def test_traces_compared_as_one_are_told_how_to_ask(people: Service, trace: str, condition: str) -> None:
    query = "SELECT kind FROM latency_total WHERE "
    problem = refused(people, query + condition, traces=[trace])
    assert "trace = ANY ($1)" in str(problem["detail"])
    assert ask(people, query + "trace = ANY ($1)", traces=[trace]).status_code == 200


def test_a_limit_past_the_bound_is_refused(people: Service) -> None:
    assert "JITTERSCOPE_MAX_SQL_ROWS" in str(refused(people, "SELECT 1", limit=5_001)["detail"])


def test_a_server_without_the_role_says_what_to_do(service: Service) -> None:
    problem = refused(service, "SELECT 1", 503)
    assert (problem["code"], "JITTERSCOPE_SQL_DATABASE_URL" in str(problem["detail"])) == (
        "sql_unavailable",
        True,
    )
    assert service.client.get("/api/v1/sql/views").json()["unavailable"] == problem["detail"]


def test_a_role_that_may_do_more_is_not_used(make_service: ServiceMaker, database_url: str) -> None:
    service = make_service(sql_database_url=SecretStr(database_url))
    problem = refused(service, "SELECT 1", 503)
    assert problem["code"] == "sql_unavailable"
    assert "so it is not used" in str(problem["detail"])


def test_a_statement_ends_when_its_client_goes(people: Service, postgres: EmbeddedPostgres) -> None:
    with pytest.raises(httpx2.TimeoutException):
        people.client.post("/api/v1/sql", json={"sql": SLOW}, timeout=0.5)
    until(lambda: statements_running(postgres) == 0, 1.0)


def test_more_statements_than_slots_are_told_when_to_come_back(
    people: Service, postgres: EmbeddedPostgres
) -> None:
    threads = [threading.Thread(target=ask, args=(people, SLOW)) for _ in range(2)]
    for thread in threads:
        thread.start()
    until(lambda: statements_running(postgres) == 2)
    response = ask(people, "SELECT 1")
    assert (response.status_code, response.json()["code"]) == (503, "too_many_statements")
    assert int(response.headers["retry-after"]) > 0
    assert people.client.get("/api/v1/traces").status_code == 200
    for thread in threads:
        thread.join()
    assert rows(people, "SELECT 1") == [[1]]
