"""Text as bodies of requests hold it: what PostgreSQL does not keep is refused in this one place."""

from typing import Annotated

from pydantic import StringConstraints

# PostgreSQL keeps no NUL in text.
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
Note = Annotated[Text, StringConstraints(max_length=4_000)]
# One that is too short or of other characters is of no trace, which the answer says.
AnyTraceId = Annotated[Text, StringConstraints(max_length=64)]
# What people call something they saved.
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
# Ends a permalink: `isolated-cpu-1-before-and-after`.
Slug = Annotated[str, StringConstraints(max_length=80, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
# Of a trace that a page remembers; it may be gone.
RememberedTraceId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
# Of a kind of latency.
KindName = Annotated[Text, StringConstraints(max_length=64)]
# Of what a recording names: a field, a source, a task.
RecordedName = Annotated[Text, StringConstraints(max_length=512)]
