import { bytesText } from './bytes';
import { countText } from './ns';

interface ReadingProgress {
  readonly status: string;
  readonly stage: string | null;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly events: number;
}

/** What is being done of how much: `parsing · 12.0 MiB of 52.8 MiB · 51,200 events`. */
export function progressWords(progress: ReadingProgress): string {
  const { stage, status, bytes_done: done, bytes_total: total, events } = progress;
  return [
    stage ?? status,
    ...(total > 0 ? [`${bytesText(done)} of ${bytesText(total)}`] : []),
    ...(events > 0 ? [countText(events, 'event')] : []),
  ].join(' · ');
}
