import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { worstQuery } from '../../../api/latencies';
import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { useKeys } from '../../../components/keys/keys';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Table } from '../../../components/table/Table';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { groupDigits } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { worstOfEach } from './chooseKind';
import { IncompleteNote } from './IncompleteNote';
import { KindsWithout } from './KindsWithout';
import type { ShownKind } from './shownKind';
import styles from './WorstCases.module.css';
import { worstColumns } from './worstColumns';

interface WorstCasesProps {
  readonly traceId: string;
  readonly kinds: readonly LatencyKind[];
  readonly chosen: ShownKind | undefined;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

const LISTED = 20;
const NO_KIND = { kind: '' };
const NOTHING: readonly LatencyItem[] = [];

/** The longest latencies, worst first: one of each kind, or those of the chosen kind. Each opens its case. */
export function WorstCases({ traceId, kinds, chosen, state, setState }: WorstCasesProps) {
  const box = useRef<HTMLDivElement>(null);
  const isOfKind = state.worst === 'kind' && chosen !== undefined;
  const worst = useQuery({
    ...worstQuery(traceId, {
      ...(chosen?.asked ?? NO_KIND),
      limit: LISTED,
      start: state.window?.start,
      end: state.window?.end,
    }),
    enabled: isOfKind,
  });
  const each = useMemo(() => worstOfEach(kinds), [kinds]);
  const rows: readonly LatencyItem[] = isOfKind ? (worst.data?.items ?? NOTHING) : each;
  const columns = useMemo(() => worstColumns(traceId, rows, kinds), [traceId, rows, kinds]);
  const step = (by: 1 | -1) => focusRow(box.current, by);
  useKeys('Worst cases', [
    { keys: ['j'], does: 'Next case', run: () => step(1) },
    { keys: ['k'], does: 'Previous case', run: () => step(-1) },
    { keys: ['Enter'], does: 'Open the case' },
  ]);
  return (
    <Panel
      title="Worst cases"
      note={isOfKind ? noteOf(chosen) : 'the longest of each kind'}
      actions={
        chosen && (
          <SwitchGroup name="of">
            <Switch isOn={!isOfKind} onClick={() => setState({ worst: 'each' }, { history: 'push' })}>
              each kind
            </Switch>
            <Switch isOn={isOfKind} onClick={() => setState({ worst: 'kind' }, { history: 'push' })}>
              {visibleText(chosen.label)}
            </Switch>
          </SwitchGroup>
        )
      }
    >
      {worst.isError && isOfKind ? <FailedQuery query={worst} /> : null}
      {rows.length > 0 || (isOfKind && worst.isPending) ? (
        <div ref={box} data-rendered={worst.isPlaceholderData ? undefined : state.worst}>
          <Table
            label="Worst cases"
            columns={columns}
            rows={rows}
            keyOf={(row) => row.id}
            skeleton={isOfKind && worst.isPending ? LISTED : 0}
          />
        </div>
      ) : (
        <p className={styles.note}>
          {isOfKind
            ? 'None of this kind in the stretch that is shown. Zoom out, or show the whole trace.'
            : 'This recording holds nothing that takes time from one event to another. What is missing stands below.'}
        </p>
      )}
      <IncompleteNote kinds={isOfKind ? [chosen] : kinds} />
      <KindsWithout kinds={kinds} />
    </Panel>
  );
}

/** How many of the kind there are; of one field, nobody has counted. */
function noteOf({ asked, count }: ShownKind): string {
  return asked.field === undefined ? `the longest of ${groupDigits(count)}` : 'the largest values';
}

/** Moves the focus among the rows' links; from elsewhere on the page, to the first or the last. */
function focusRow(box: HTMLElement | null, by: 1 | -1): void {
  const links = [...(box?.querySelectorAll<HTMLAnchorElement>('tbody tr') ?? [])].flatMap(
    (row) => row.querySelector('a') ?? [],
  );
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by;
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
}
