import { useWarningLines } from '../../api/traces';
import type { Trace, Warning } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Count } from '../../components/Quantity';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { traceState } from '../../viewState/trace';
import { useViewState } from '../../viewState/useViewState';
import { Panel } from '../../components/panel/Panel';
import styles from './WarningsPanel.module.css';

/** What was wrong with the file: nothing is dropped without being counted here, with its place and its text. */
export function WarningsPanel({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(traceState);
  const total = trace.warnings.reduce((sum, warning) => sum + warning.count, 0);
  return (
    <Panel title="Warnings" note={<>{groupDigits(total)} in total</>}>
      <ul className={styles.warnings}>
        {trace.warnings.map((warning) => (
          <WarningRow
            key={warning.code}
            trace={trace}
            warning={warning}
            isOpen={state.warning === warning.code}
            onToggle={() =>
              setState({ warning: state.warning === warning.code ? '' : warning.code }, { history: 'push' })
            }
          />
        ))}
      </ul>
    </Panel>
  );
}

interface WarningRowProps {
  readonly trace: Trace;
  readonly warning: Warning;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function WarningRow({ trace, warning, isOpen, onToggle }: WarningRowProps) {
  return (
    <li>
      <button type="button" className={styles.warning} aria-expanded={isOpen} onClick={onToggle}>
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span>
        <span className={warning.severity === 'info' ? styles.mild : styles.count}>
          <Count value={warning.count} />
        </span>
        <span>{visibleText(warning.sentence)}</span>
        <span className={styles.place}>{place(warning.first_line, warning.first_byte_offset)}</span>
      </button>
      {isOpen ? (
        <div className={styles.details}>
          {warning.remedy === '' ? null : <p>{visibleText(warning.remedy)}</p>}
          <WarningLines trace={trace} warning={warning} />
          <p className={styles.code}>
            <code>{visibleText(warning.code)}</code>
          </p>
        </div>
      ) : null}
    </li>
  );
}

function WarningLines({ trace, warning }: { readonly trace: Trace; readonly warning: Warning }) {
  const lines = useWarningLines(trace.id, warning.code);
  if (lines.isError) return <FailedQuery query={lines} />;
  if (!lines.data) return <Loading what="the lines" />;
  const items = lines.data.pages.flatMap((page) => page.items);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach it */}
      <ol className={styles.lines} tabIndex={0} aria-label="Lines">
        {items.map((item) => (
          <li key={`${item.byte_offset}:${item.line}`} className={styles.line}>
            <span className={styles.number}>{place(item.line, item.byte_offset)}</span>
            <samp>{visibleText(item.sample)}</samp>
          </li>
        ))}
      </ol>
      {lines.hasNextPage ? (
        <Button disabled={lines.isFetchingNextPage} onClick={() => void lines.fetchNextPage()}>
          Show more lines
        </Button>
      ) : items.length < warning.count ? (
        <p className={styles.code}>
          The first {groupDigits(items.length)} of {groupDigits(warning.count)} were kept.
        </p>
      ) : null}
    </>
  );
}

/** Nothing for what belongs to no place: a call that is still open at the end of the file, for one. */
function place(line: number | null, byteOffset: number): string {
  if (line === null && byteOffset === 0) return '';
  return line === null ? `byte ${groupDigits(byteOffset)}` : `line ${groupDigits(line)}`;
}
