"""What a label may be, wherever it comes from."""

from typing import Annotated

from pydantic import StringConstraints

LabelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_./-]{0,62}$")]
LabelValue = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]

# Labels of one trace. The file that keeps them beside the recording is bounded, too.
MAX_LABELS = 256
