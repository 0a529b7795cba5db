"""Parts that end, hang or cannot be started, by a clock of the test's own."""

from dataclasses import dataclass, field

from jitterscope.run.supervisor import PartError, Supervisor


@dataclass
class FakePart:
    """Ends with `code`, and notes when it was started."""

    name: str = "the part"
    code: int | None = None
    is_hung: bool = False
    refusal: str = ""
    start_count: int = 0
    log: str = "no room\nno rest"

    def start(self) -> None:
        self.start_count += 1
        if self.refusal:
            raise PartError(self.refusal)

    def exit_code(self) -> int | None:
        return self.code

    def end_if_hung(self) -> bool:
        was_hung, self.is_hung = self.is_hung, False
        return was_hung

    def end_of_log(self) -> str:
        return self.log


@dataclass
class Watch:
    """A supervisor of one part, and the clock."""

    part: FakePart = field(default_factory=FakePart)
    said: list[str] = field(default_factory=list)
    now: float = 1000.0

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.said.append)
        self.supervisor.watch([self.part], self.now)

    def after(self, seconds: float) -> bool:
        """Whether the service goes on, looked at ten times a second."""
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            if not self.supervisor.look(self.now):
                return False
        return True


def test_what_has_worked_is_started_again_at_once() -> None:
    watch = Watch()
    watch.after(60)
    watch.part.code = -9
    watch.after(0.1)
    watch.part.code = None
    watch.after(0.1)
    assert watch.part.start_count == 1
    assert watch.said == ["the part ended with -9; it is started again"]


def test_what_keeps_ending_is_started_ever_more_slowly_and_told_twice() -> None:
    watch = Watch()
    watch.after(60)
    watch.part.code = 1
    assert watch.after(600)
    # 0, 0.5, 1, 2, 4, 8, 16 s, then every 30 s.
    assert 20 <= watch.part.start_count <= 28
    assert watch.said == [
        "the part ended with 1; it is started again",
        "the part ended with 1, the 5th time in a row; the end of its log:\nno room\nno rest",
        "the part is tried again, at least every 30 s",
    ]
    watch.part.code = None
    watch.after(60)
    assert watch.said[-1] == "the part runs again"
    watch.part.code = 1
    watch.after(0.1)
    assert watch.said[-1] == "the part ended with 1; it is started again"


def test_the_service_gives_up_on_what_never_worked() -> None:
    watch = Watch(FakePart(code=3, log=""))
    assert not watch.after(60)
    assert watch.said[-1] == "the part ended with 3, the 5th time in a row; it logged nothing"
    assert watch.part.start_count == 4


def test_what_cannot_be_started_counts_as_ended() -> None:
    watch = Watch()
    watch.after(60)
    watch.part.code, watch.part.refusal = -9, "no memory"
    assert watch.after(60)
    assert watch.said[1].startswith("the part cannot be started: no memory, the 5th time in a row; ")
    watch.part.code, watch.part.refusal = None, ""
    watch.after(60)
    assert watch.said[-1] == "the part runs again"


def test_what_hangs_is_replaced() -> None:
    watch = Watch()
    watch.after(60)
    watch.part.is_hung = True
    watch.after(1)
    assert watch.part.start_count == 1
    assert watch.said == ["the part gave no sign of life and was killed; it is started again"]
