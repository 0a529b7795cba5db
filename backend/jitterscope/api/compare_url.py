"""The address of the page of a comparison."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from jitterscope.explore.compare import Measure, Variant, Where


def compare_page_url(
    base_url: str, measure: Measure, variants: Sequence[Variant], where: Where, strata: Sequence[str] = ()
) -> str:
    """The permalink. Names and values may hold the characters that separate them."""
    rows, columns = (*strata, None, None)[:2]
    state = {
        # In this version an address without classes means all of them, as a request does.
        "v": "1",
        "variants": ";".join(_spelled(variant) for variant in variants),
        "kind": measure.kind,
        "key": measure.key,
        "cpu": where.cpu,
        "comm": where.comm,
        "priority": where.priority_class,
        "rows": rows,
        "columns": columns,
    }
    return f"{base_url}/compare?{urlencode({key: one for key, one in state.items() if one is not None})}"


def _spelled(variant: Variant) -> str:
    members = [f"{name}:{quote(value, safe='')}" for name, value in variant.labels] or list(variant.traces)
    return f"{quote(variant.name, safe='')}={','.join(members)}"
