import { useState } from 'react';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { Button } from '../button/Button';
import type { TimeWindow } from '../chart/timeWindow';
import { useClock } from '../clock/useClock';
import { Dialog } from '../dialog/Dialog';
import { Loading } from '../Loading';
import styles from './ExportButton.module.css';

interface ExportFormat {
  readonly name: string;
  readonly title: string;
  /** The tool that reads it. */
  readonly reader: string;
  readonly is_of_calls: boolean;
}

interface ExportPart {
  readonly window?: TimeWindow | undefined;
  /** None means all. */
  readonly cpu?: readonly number[];
}

interface ExportButtonProps {
  readonly trace: { readonly id: string; readonly call_count?: number | null };
  /** Nothing until they are known. */
  readonly formats: readonly ExportFormat[] | undefined;
  readonly look?: 'plain' | 'bare';
  /** What is in sight, where that is not the whole trace. */
  readonly part?: ExportPart;
}

const WHOLE: ExportPart = {};

/** Opens the formats of other tools that the trace, or what is in sight of it, can be saved in. */
export function ExportButton({ trace, formats, look = 'bare', part = WHOLE }: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        Export…
      </Button>
      {isOpen ? <ExportDialog {...{ trace, formats, part }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface ExportDialogProps extends Pick<ExportButtonProps, 'trace' | 'formats'> {
  readonly part: ExportPart;
  readonly onClose: () => void;
}

function ExportDialog({ trace, formats, part, onClose }: ExportDialogProps) {
  const clock = useClock();
  const [isPart, setPart] = useState(true);
  const shown = partText(part, clock);
  const hasCalls = (trace.call_count ?? 0) > 0;
  return (
    <Dialog title="Export for another tool" onClose={onClose}>
      {shown === '' ? null : (
        <label className={styles.part}>
          <input
            type="checkbox"
            checked={isPart}
            onChange={(event) => setPart(event.target.checked)}
            data-takes-focus
          />
          {`only what is visible: ${shown}`}
        </label>
      )}
      {formats ? (
        <ul className={styles.formats}>
          {formats
            .filter((format) => hasCalls || !format.is_of_calls)
            .map(({ name, title, reader }, index) => (
              <li key={name}>
                <a
                  href={exportUrl(trace.id, name, isPart ? part : WHOLE)}
                  download
                  onClick={onClose}
                  data-takes-focus={index === 0}
                >
                  {title}
                </a>
                <span className={styles.reader}>{reader}</span>
              </li>
            ))}
        </ul>
      ) : (
        <Loading what="the formats" />
      )}
    </Dialog>
  );
}

/** `1.20 ms, CPU 0, 1`; empty for the whole trace. */
function partText({ window, cpu = [] }: ExportPart, clock: Clock): string {
  const length = window ? [clock.duration(ns(window.end - window.start))] : [];
  return [...length, ...(cpu.length > 0 ? [`CPU ${cpu.join(', ')}`] : [])].join(', ');
}

/** Where the server makes the file of a trace, or of a part of it, in a format of the catalog. */
function exportUrl(traceId: string, format: string, part: ExportPart): string {
  const query = new URLSearchParams({ format });
  if (part.window) {
    query.set('start', String(part.window.start));
    query.set('end', String(part.window.end));
  }
  if (part.cpu && part.cpu.length > 0) query.set('cpu', part.cpu.join(','));
  return `/api/v1/traces/${encodeURIComponent(traceId)}/export?${query.toString()}`;
}
