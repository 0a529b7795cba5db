"""What takes the time of CPUs and tasks, summed over the whole trace."""

from pydantic import Field

from jitterscope.schemas.model import Answer, QueryModel


class InterferenceQuery(QueryModel):
    cpu: str | None = Field(None, max_length=4_000, description="CPUs, separated by commas.")
    pid: str | None = Field(None, max_length=4_000, description="Only these tasks, separated by commas.")


class CauseTime(Answer):
    """Times are net: every nanosecond of a CPU counts to one cause, the innermost, so that causes add up."""

    cause: str = Field(
        description="`irq`, `softirq`, `task`, `idle`, `irqsoff`, `preemptoff` ...; `unknown` where switches "
        "are missing and an unknown task ran.",
        examples=["irq"],
    )
    what: str | None = Field(
        description="The interrupt, the softirq, the task, or where it was switched off.",
        examples=["local_timer"],
    )
    pid: int | None = Field(description="Of a task.", examples=[None])
    count: int = Field(examples=[1_500])
    total_ns: int = Field(examples=[3_000_000])
    share: float | None = Field(
        description="Of the CPU's span, or of the time the task ran; null where that is not known.",
        examples=[0.0021],
    )
    max_ns: int = Field(examples=[9_000])
    max_t: int = Field(description="When the longest one began.", examples=[998_000])
    period_ns: int | None = Field(description="From one to the next on average.", examples=[1_000_000])


class CpuTime(Answer):
    cpu: int = Field(examples=[1])
    is_isolated: bool = Field(description="Where the label or fact `isolcpus` or `isolated` lists it.")
    span_ns: int = Field(description="Duration of the trace.", examples=[2_160_000_000])
    busy_ns: int | None = Field(
        description="How long tasks that are not idle were switched in, with what interrupted them; null "
        "where no switches were recorded."
    )
    by: list[CauseTime] = Field(description="The 100 that took the most time, the most first.")


class TaskTime(Answer):
    pid: int | None = Field(examples=[1213])
    comm: str = Field(examples=["cyclictest"])
    ran_ns: int | None = Field(
        description="How long it was switched in, with what interrupted it; null where not recorded.",
        examples=[40_000_000],
    )
    by: list[CauseTime] = Field(description="What interrupted it.")


class Ticks(Answer):
    """The ticks of a CPU: the interrupts of its own timer that run the scheduler's tick."""

    cpu: int = Field(examples=[1])
    is_handler_known: bool = Field(
        description="False where no recorded handler shows which interrupts of the timer are ticks: "
        "all count."
    )
    count: int = Field(examples=[1_500])
    mean_ns: int = Field(examples=[2_000])
    max_ns: int = Field(examples=[9_000])
    period_ns: int | None = Field(examples=[1_000_000])
    rate_hz_milli: int | None = Field(description="Thousandths of a hertz.", examples=[1_000_000])
    share: float = Field(description="Of the CPU's span.", examples=[0.002])


class Interference(Answer):
    cpus: list[CpuTime]
    tasks: list[TaskTime] = Field(description="The 100 that were interrupted for longest, the longest first.")
    ticks: list[Ticks]
