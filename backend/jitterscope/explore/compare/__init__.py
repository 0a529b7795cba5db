"""Compares variants of an experiment, which are groups of traces."""

from jitterscope.explore.compare.comparison import Comparison, compare
from jitterscope.explore.compare.request import CompareRequest, Measure, Variant, Where

__all__ = ["CompareRequest", "Comparison", "Measure", "Variant", "Where", "compare"]
