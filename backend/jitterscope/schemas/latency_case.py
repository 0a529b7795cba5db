"""One latency case with everything that explains it."""

from typing import Literal

from pydantic import Field

from jitterscope.schemas.events import EventItem
from jitterscope.schemas.latencies import LatencyItem
from jitterscope.schemas.model import Answer, QueryModel


class LatencyCaseQuery(QueryModel):
    format: Literal["json", "text", "html", "svg", "png"] | None = Field(
        None,
        description="Else what the `Accept` header prefers: application/json, text/plain, text/html, "
        "image/svg+xml or image/png.",
    )


class CaseStage(Answer):
    """A step from one recorded event to the next; the steps of a case add up to it."""

    name: str = Field(examples=["interrupt entry → timer handler"])
    from_: str = Field(alias="from", examples=["interrupt entry"])
    to: str = Field(examples=["timer handler"])
    start_ns: int = Field(examples=[996_000])
    duration_ns: int = Field(examples=[9_000])


class CaseBlame(Answer):
    """What one cause took of a case; the causes add up to it."""

    cause: str = Field(
        description="nmi, irq, softirq, irqsoff, preemptoff, task, itself, idle, gap (hardware or "
        "hypervisor) or unknown",
        examples=["irqsoff"],
    )
    what: str = Field(description="Which one.", examples=["console_unlock ← vprintk_emit"])
    where: str | None = Field(
        description="Where in the code, in whose context, how fast.",
        examples=["pid 6462, console_unlock+0xc0/0x510"],
    )
    cpu: int | None = Field(description="null where several are added up.", examples=[6])
    duration_ns: int = Field(examples=[9_653_000])
    share: float = Field(description="Of the case, 0 to 1, to six digits.", examples=[0.999689])
    pid: int | None = Field(description="Who ran, or in whose context it was.", examples=[6462])
    prio: int | None = Field(description="The kernel's priority of a task; 120 is nice 0.", examples=[None])
    first_t: int = Field(description="Where it first has a part of the case.", examples=[1_313_000])
    longest_ns: int = Field(description="Its longest piece without a break.", examples=[9_653_000])


class CaseEvidence(Answer):
    """What the case waited behind, in its whole length, even where it began before."""

    cause: str = Field(examples=["irqsoff"])
    what: str = Field(examples=["console_unlock ← vprintk_emit"])
    where: str | None = Field(examples=["pid 6462"])
    cpu: int = Field(examples=[6])
    t: int = Field(examples=[0])
    end: int = Field(examples=[10_966_000])
    duration_ns: int = Field(examples=[10_966_000])
    sentence: str = Field(
        examples=["interrupts were off for 10.966 ms in console_unlock ← vprintk_emit (pid 6462)"]
    )


class LinkSubject(Answer):
    """Whom or what a link is about."""

    kind: str = Field(description="task, interrupt, softirq, function or cpu", examples=["task"])
    name: str = Field(examples=["hog-170"])
    pid: int | None = Field(examples=[170])
    cpu: int = Field(examples=[1])
    prio: int | None = Field(description="The kernel's priority of a task then: 9 is rt 90.", examples=[9])


class LinkEvidence(Answer):
    """An event that a link was concluded from."""

    seq: int = Field(examples=[4181])
    t: int = Field(examples=[592_768_000])
    cpu: int = Field(examples=[1])
    event: str = Field(examples=["sched_switch"])


class LinkBounds(Answer):
    """It held at least from the one to the other."""

    from_: int = Field(alias="from", examples=[592_052_000])
    to: int = Field(examples=[592_758_000])


class LinkNormal(Answer):
    """What the same thing takes elsewhere in the recording around the case."""

    count: int = Field(examples=[1407])
    median_ns: int = Field(description="0 where most take less than a step of the clock.", examples=[6_100])
    p99_ns: int = Field(examples=[7_800])
    rank: int = Field(description="Of this one; the longest is the first.", examples=[2])


class CaseLink(Answer):
    """A stretch of a case, and why it went by; the links tile the case (docs/why.md)."""

    start: int = Field(examples=[592_152_000])
    duration_ns: int = Field(examples=[606_000])
    cpu: int = Field(examples=[1])
    mechanism: str = Field(
        description="irqs_off, idle_exit, armed_late, other_interrupt, stall, handler, deferred, "
        "higher_priority, equal_priority, fair_share, not_preemptible, ipi, throttled, waits_for, "
        "kernel_exit, own_work or unknown",
        examples=["higher_priority"],
    )
    also: list[str] = Field(description="Other mechanisms that held then.", examples=[["wrong_cpu"]])
    subject: LinkSubject | None
    sentence: str = Field(examples=["behind hog-170 (rt 90) for 606 µs"])
    is_late: bool = Field(
        description="It is of the late part: links of one mechanism about one subject, or about tasks of one "
        "name, which together took most of their chain.",
        examples=[True],
    )
    evidence: list[LinkEvidence] = Field(description="At most 8.")
    certainty: str = Field(description="recorded, bounded or inferred", examples=["recorded"])
    bounds: LinkBounds | None
    normal: LinkNormal | None
    deeper: "LinkDeeper | None"


class LinkDeeper(Answer):
    """What a link hangs on: a case of its own, or its chain."""

    case: str | None
    url: str | None
    links: list[CaseLink]


class CasePart(Answer):
    """A number of the tracer's own."""

    name: str = Field(examples=["Blocking thread"])
    value: int | float | str = Field(examples=[85_724])
    unit: str | None = Field(description="`ns`, or null for counts, shares and texts.", examples=["ns"])
    what: str | None = Field(description="Whose number it is.", examples=["bash-183"])
    share: float | None = Field(description="Of the case, 0 to 1.", examples=[0.006733])


class CaseStack(Answer):
    t: int = Field(examples=[11_800])
    cpu: int | None = Field(examples=[0])
    kind: str = Field(description="kernel or user", examples=["kernel"])
    frames: list[str] = Field(description="The innermost first.", examples=[["irq_exit_rcu"]])


class CaseEvent(EventItem):
    is_relevant: bool = Field(description="On a CPU of the case, or about its task.")
    is_key: bool = Field(description="It ends a stage.")


class CaseWindow(Answer):
    """What to show of the trace around the case."""

    start: int = Field(examples=[945_449])
    end: int = Field(examples=[1_064_000])


class CaseAdvice(Answer):
    """What usually helps against a mechanism, where its condition is recorded (docs/advice.md)."""

    name: str = Field(examples=["guest_stall"])
    mechanism: str = Field(examples=["stall"])
    title: str = Field(examples=["The host did not run this virtual CPU"])
    meaning: str
    helps: str
    check: str = Field(description="How to see that it helped.")
    reference: str = Field(
        description="A page of the kernel's documentation, by its path in the kernel's source.",
        examples=["Documentation/filesystems/proc.rst"],
    )


class RecordNext(Answer):
    """A command line that would have recorded what the chain does not know."""

    command: str = Field(
        description="For a root shell; nothing in it comes from the trace but numbers.",
        examples=["trace-cmd record -e sched:sched_switch -b 4096 -o next.dat sleep 10"],
    )
    why: str = Field(examples=["No record says what ran: sched_switch was not recorded."])


class LatencyCase(LatencyItem):
    """docs/latencies.md says what the numbers mean."""

    definition: str = Field(description="From what to what the kind is measured.")
    reported_ns: int | None = Field(description="The number that the tracer states.", examples=[None])
    stages: list[CaseStage] = Field(description="Empty for kinds without steps.")
    blame: list[CaseBlame] = Field(description="The largest first.")
    evidence: list[CaseEvidence]
    why: list[CaseLink] = Field(description="In the order of time. Empty for a tracer's report.")
    advice: list[CaseAdvice] = Field(
        description="Against what took most first, at most 5; only where the condition is recorded."
    )
    record_next: RecordNext | None = Field(description="null where the chain leaves nothing open.")
    parts: list[CasePart]
    stack: CaseStack | None = Field(description="Where the case was in the code.")
    stacks: list[CaseStack] = Field(description="All stacks around it, at most 50.")
    events: list[CaseEvent] = Field(description="At most 400, in the order of the trace.")
    events_truncated: bool
    window: CaseWindow
    normal: str | None = Field(
        description="Id of the case to compare it with: of median length among others of its task and key.",
        examples=["wakeup-1213@2563690119000"],
    )
    call: str | None = Field(
        description="Id of the call that the case is, where its kind is of calls: "
        "`GET /api/v1/traces/{trace_id}/calls/{call_id}` has it."
    )
