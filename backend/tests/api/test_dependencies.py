"""What routers depend on costs a request no thread."""

import inspect
from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from jitterscope.main import create_app


def calls_of(dependant: Dependant) -> Iterator[object]:
    yield dependant.call
    for needed in dependant.dependencies:
        yield from calls_of(needed)


def test_nothing_is_called_on_a_thread_to_find_out_what_a_router_needs() -> None:
    """FastAPI calls whatever is no coroutine, classes included, on a thread: two turns of the loop each."""
    contexts = iter_route_contexts(create_app().routes)
    routes = [context.original_route for context in contexts if isinstance(context.original_route, APIRoute)]
    calls = {call for route in routes for call in calls_of(route.dependant)}
    assert len(calls) > len(routes) > 40
    on_threads = {
        getattr(call, "__qualname__", repr(call))
        for call in calls
        if not (inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call))
    }
    assert on_threads == set()
