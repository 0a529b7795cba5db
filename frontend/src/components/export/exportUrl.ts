import type { TimeWindow } from '../chart/timeWindow';

export interface ExportPart {
  readonly window?: TimeWindow | undefined;
  /** None means all. */
  readonly cpu?: readonly number[];
}

/** Where the server makes the file of a trace, or of a part of it, in a format of the catalog. */
export function exportUrl(traceId: string, format: string, part: ExportPart): string {
  const query = new URLSearchParams({ format });
  if (part.window) {
    query.set('start', String(part.window.start));
    query.set('end', String(part.window.end));
  }
  if (part.cpu && part.cpu.length > 0) query.set('cpu', part.cpu.join(','));
  return `/api/v1/traces/${encodeURIComponent(traceId)}/export?${query.toString()}`;
}
