"""Files of one run: what a program measured, and the trace of it."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.model import Answer


class RunFileItem(Answer):
    id: str = Field(examples=["gq3tqmzqmjrd"])
    name: str = Field(examples=["cyc-run01.cyclictest"])
    is_measurement: bool = Field(description="Whether it is a file of measurements, and no trace.")
    by: Literal["with", "run", "name"] = Field(
        description="What says so: the label `with` of the file of measurements, a label `run` that both "
        "have, or their names."
    )
    url: str = Field(description="Its page.", examples=["http://127.0.0.1:8000/t/gq3tqmzqmjrd"])


class ThreadTieItem(Answer):
    """The largest value that a program reports for a thread, and the case in the trace that it was."""

    measurement: str = Field(description="The id of the file.", examples=["gq3tqmzqmjrd"])
    trace: str = Field(description="The id of the trace.", examples=["7hrkt6poljf7"])
    source: str = Field(examples=["cyclictest thread 1"])
    says_ns: int = Field(examples=[6_356_000])
    says_count: int = Field(description="Values of the thread.", examples=[1_000])
    case_id: str = Field(examples=["cyclic-1359@2563695119000"])
    case_url: str = Field(examples=["http://127.0.0.1:8000/t/7hrkt6poljf7/cases/cyclic-1359@2563695119000"])
    case_ns: int = Field(examples=[6_353_800])
    case_count: int = Field(description="Cases of the task.", examples=[1_000])
    pid: int = Field(examples=[1359])
    by: Literal["cycle", "break", "largest"] = Field(
        description="`cycle` if both are the same cycle of the thread, `break` if both are the last before "
        "the run broke, `largest` if all that is known is that no other is longer."
    )
    difference_ns: int = Field(description="How much more the program reports.", examples=[2_200])
    usual_difference_ns: int | None = Field(
        description="The same of the medians; null where the file does not list all values.", examples=[2_000]
    )
    is_close: bool = Field(description="Whether the two can be the same wakeup.")
    summary: str = Field(
        examples=["cyclictest says 6,356 µs on thread 1; case cyclic-1359@2563695119000 is 6,353.8 µs"]
    )
    why: str = Field(description="What is known of the difference.")


class RunAnswer(Answer):
    is_measurement: bool = Field(description="Whether the file that was asked for is one of measurements.")
    tied: list[RunFileItem] = Field(
        description="Files of the same run: traces of measurements, or the reverse."
    )
    proposed: list[RunFileItem] = Field(
        description="Those that may be: give the file of measurements the label `with` and the id of its "
        "trace."
    )
    threads: list[ThreadTieItem] = Field(description="Of the first four files.")
    notes: list[str] = Field(description="Why threads could not be distinguished.")
