interface Loaded {
  readonly slice_count: number | null;
  readonly call_count: number | null;
}

/** Whether a timeline has lanes: calls are slices, too, but are drawn on the page of calls. */
export function hasLanes({ slice_count: slices, call_count: calls }: Loaded): boolean {
  return slices !== calls;
}
