"""Compares variants of an experiment, which are groups of traces."""

from jitterscope.explore.compare.comparison import Comparison, compare
from jitterscope.explore.compare.distribution import Distribution, distribution
from jitterscope.explore.compare.measures import Measures, measures
from jitterscope.explore.compare.request import CompareRequest, Measure, Stratum, Variant, Where

__all__ = [
    "CompareRequest",
    "Comparison",
    "Distribution",
    "Measure",
    "Measures",
    "Stratum",
    "Variant",
    "Where",
    "compare",
    "distribution",
    "measures",
]
