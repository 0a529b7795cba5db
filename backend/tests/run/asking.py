"""Asking a service that is a process of its own, and may be away."""

import json
import time
import urllib.error
import urllib.request

from tests.api.service import trace_file


def is_ready(port: int) -> bool:
    """Whether the service says that it can work; False as well while nobody answers."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
    except OSError:
        return False
    return True


def seconds_until_loaded(port: int, number: int) -> float:
    """Seconds until the service has taken and loaded a new recording, asked again and again."""
    began = time.monotonic()
    url = f"http://127.0.0.1:{port}/api/v1/traces"
    while time.monotonic() - began < 30:
        try:
            upload = urllib.request.Request(url, trace_file(number), method="POST")
            with urllib.request.urlopen(upload, timeout=5) as answer:  # noqa: S310 - http
                trace_id = json.load(answer)["id"]
            with urllib.request.urlopen(f"{url}/{trace_id}?wait=5", timeout=10) as answer:  # noqa: S310 - http
                if json.load(answer)["status"] == "ready":
                    return time.monotonic() - began
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the service did not come back")
