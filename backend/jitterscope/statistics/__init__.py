"""Statistics that cross traces, of histograms and sums."""
