"""The table of an experiment."""

from collections.abc import Callable

from jitterscope.explore.compare.card import Card
from jitterscope.explore.compare.strata import Strata
from jitterscope.schemas.strata import CompareStrata, StratumAxis, StratumCell


def strata_answer(strata: Strata | None, longest_url: Callable[[Card], str | None]) -> CompareStrata | None:
    """None where no table was requested."""
    if strata is None:
        return None
    axes = [
        StratumAxis(by=str(stratum), values=list(values))
        for stratum, values in zip(strata.by, strata.values, strict=True)
    ]
    cells = [
        StratumCell.model_validate(
            {
                "variant": cell.variant,
                "row": cell.row,
                "column": cell.column,
                "traces": cell.traces,
                "count": cell.card.samples,
                "max_url": longest_url(cell.card),
            }
            | {
                stat: cell.card.numbers.get(stat)
                for stat in ("mean_ns", "stdev_ns", "p50_ns", "p99_ns", "max_ns")
            }
        )
        for cell in strata.cells
    ]
    return CompareStrata(
        rows=axes[0],
        columns=axes[1] if len(axes) > 1 else None,
        cells=cells,
        has_more=strata.has_more,
    )
