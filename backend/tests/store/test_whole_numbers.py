"""Arrays of rows are read as PostgreSQL sends them."""

import psycopg
import pytest

from jitterscope.store.whole_numbers import BIGINT_ARRAY, WholeNumbers


def _loaded(database_url: str, expression: str) -> list[int]:
    with psycopg.connect(database_url) as connection, connection.cursor(binary=True) as cursor:
        cursor.adapters.register_loader(BIGINT_ARRAY, WholeNumbers)
        (found,) = cursor.execute(f"SELECT ({expression})::bigint[]".encode()).fetchone() or [None]
        assert found is not None
        assert found.dtype == "int64"
        listed: list[int] = found.tolist()
        return listed


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'{}'", []),
        ("'{7}'", [7]),
        ("'[5:7]={1,-2,3}'", [1, -2, 3]),
        ("ARRAY[-9223372036854775808, 9223372036854775807]", [-(1 << 63), (1 << 63) - 1]),
        ("SELECT array_agg(n ORDER BY n) FROM generate_series(1, 5000) AS n", list(range(1, 5001))),
    ],
)
def test_numbers_are_those_of_the_row(database_url: str, expression: str, expected: list[int]) -> None:
    assert _loaded(database_url, expression) == expected


@pytest.mark.parametrize("expression", ["'{1,NULL}'", "'{{1,2},{3,4}}'"])
def test_other_arrays_are_refused(database_url: str, expression: str) -> None:
    with pytest.raises(ValueError, match="nulls or several dimensions"):
        _loaded(database_url, expression)
