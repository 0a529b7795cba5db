import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import { worstQuery } from '../../../api/latencies';
import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { useKeys } from '../../../components/keys/keys';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { SqlLink } from '../../../components/SqlLink';
import { focusRow } from '../../../components/table/focusRow';
import { Table } from '../../../components/table/Table';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { worstOfEachSql, worstOfKindSql } from '../../../lib/asSql';
import { groupDigits } from '../../../lib/ns';
import { measureOf, measureOfCase, type Measure } from '../../../lib/measure';
import { visibleText } from '../../../lib/visibleText';
import { EXTREMES, type Extreme, type TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { worstOfEach } from './worstOfEach';
import { IncompleteNote, KindsWithout } from './KindsWithout';
import { hasOneKind, listedExtreme } from './listedExtreme';
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
export function WorstCases(props: WorstCasesProps) {
  const { traceId, kinds, chosen, state } = props;
  const box = useRef<HTMLDivElement>(null);
  const { query, isOfKind, rows, isWaiting, extreme } = useWorst(props);
  const columns = useMemo(() => worstColumns(traceId, rows, kinds), [traceId, rows, kinds]);
  useShowWhatWasChosen(box, state.band?.start);
  const title = titleOf(rows, extreme);
  const step = (by: 1 | -1) => focusRow(box.current, by);
  useKeys('Worst cases', [
    { keys: ['j'], does: 'Next case', run: () => step(1) },
    { keys: ['k'], does: 'Previous case', run: () => step(-1) },
    { keys: ['Enter'], does: 'Open the case' },
  ]);
  return (
    <Panel
      title={title}
      note={isOfKind && chosen ? noteOf(chosen, state.band, extreme) : noteOfEach(rows)}
      actions={
        <>
          {chosen && (
            <WhichCases {...props} chosen={chosen} isOfKind={isOfKind} hasBand={state.band !== undefined} />
          )}
          {extreme && <WhichEnd extreme={extreme} setState={props.setState} />}
          <WorstAsSql {...props} isOfKind={isOfKind} extreme={extreme} />
        </>
      }
    >
      {isOfKind && <FailedQuery query={query} />}
      {rows.length > 0 || isWaiting ? (
        <div ref={box} data-rendered={query.isPlaceholderData ? undefined : state.worst}>
          <Table
            label={title}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.id}
            skeleton={isWaiting ? LISTED : 0}
          />
        </div>
      ) : (
        <p className={styles.note}>{isOfKind ? NONE_IN_SIGHT : NOTHING_MEASURED}</p>
      )}
      <IncompleteNote kinds={isOfKind && chosen ? [chosen] : kinds} />
      <KindsWithout kinds={kinds} />
    </Panel>
  );
}

const NONE_IN_SIGHT = 'No cases of this kind in this window. Zoom out or show the whole trace.';
const NOTHING_MEASURED = 'Nothing in this recording can be measured. What to record is listed below.';

/** The rows: of the chosen kind those in the window, which the server is asked for; of each kind what is known. */
function useWorst({ traceId, kinds, chosen, state }: WorstCasesProps) {
  const ofNumbers = listedExtreme(chosen, state);
  const isOfKind =
    chosen !== undefined && (state.worst === 'kind' || (ofNumbers !== undefined && hasOneKind(kinds)));
  const extreme = isOfKind ? ofNumbers : undefined;
  const query = useQuery({
    ...worstQuery(traceId, {
      ...(chosen?.request ?? NO_KIND),
      ...(extreme === 'smallest' && { sort: 'duration' }),
      limit: LISTED,
      start: state.window?.start,
      end: state.window?.end,
      // Half-open in the address, and both ends included where the server is asked.
      min: state.band && `${state.band.start}ns`,
      max: state.band && `${state.band.end - 1}ns`,
    }),
    enabled: isOfKind,
  });
  const each = useMemo(() => worstOfEach(kinds), [kinds]);
  const rows: readonly LatencyItem[] = isOfKind ? (query.data?.items ?? NOTHING) : each;
  return { query, isOfKind, rows, isWaiting: isOfKind && query.isPending, extreme };
}

interface WorstAsSqlProps extends WorstCasesProps {
  readonly isOfKind: boolean;
  readonly extreme: Extreme | undefined;
}

/** No column has the number for fields, or for the tasks of one class. */
function WorstAsSql({ traceId, chosen, state, isOfKind, extreme }: WorstAsSqlProps) {
  if (state.priority !== 'any' || (isOfKind && chosen?.request.field !== undefined)) return null;
  const { kind = '', pid } = chosen?.request ?? {};
  const { window, band, stratum } = state;
  const isSmallestFirst = extreme === 'smallest';
  const cases = { kind, pid, window, band, stratum, isSmallestFirst, limit: LISTED };
  const sql = isOfKind ? worstOfKindSql(cases) : worstOfEachSql();
  if (!isOfKind && pid !== undefined) return null;
  return <SqlLink traceId={traceId} sql={sql} what="the worst cases" />;
}

/** A band is chosen further down on the page: its cases come into view, but not those that a link opens with. */
function useShowWhatWasChosen(box: RefObject<HTMLElement | null>, band: number | undefined): void {
  const before = useRef(band);
  useEffect(() => {
    if (band !== before.current && band !== undefined) {
      box.current?.closest('section')?.scrollIntoView({ block: 'start' });
    }
    before.current = band;
  }, [band, box]);
}

interface WhichCasesProps extends Pick<WorstCasesProps, 'setState'> {
  readonly chosen: ShownKind;
  readonly isOfKind: boolean;
  /** Cases of some durations only are listed. */
  readonly hasBand: boolean;
}

function WhichCases({ chosen, isOfKind, hasBand, setState }: WhichCasesProps) {
  return (
    <SwitchGroup name="of">
      <Switch
        isOn={!isOfKind}
        onClick={() => setState({ worst: 'each', band: undefined, stratum: undefined }, { history: 'push' })}
      >
        each kind
      </Switch>
      <Switch
        isOn={isOfKind && !hasBand}
        onClick={() => setState({ worst: 'kind', band: undefined }, { history: 'push' })}
      >
        {visibleText(chosen.label)}
      </Switch>
    </SwitchGroup>
  );
}

/** Bare numbers have two ends, of which either may be the one that is looked for. */
function WhichEnd({ extreme, setState }: { readonly extreme: Extreme } & Pick<WorstCasesProps, 'setState'>) {
  return (
    <SwitchGroup name="from the">
      {EXTREMES.map((end) => (
        <Switch
          key={end}
          isOn={end === extreme}
          onClick={() => setState({ extreme: end }, { history: 'push' })}
        >
          {end}
        </Switch>
      ))}
    </SwitchGroup>
  );
}

function titleOf(rows: readonly LatencyItem[], extreme: Extreme | undefined): string {
  if (extreme === undefined) return areNumbers(rows) ? 'Largest values' : 'Worst cases';
  return extreme === 'smallest' ? 'Smallest values' : 'Largest values';
}

/** A large count may be a good one: of numbers without a unit nobody can say which is the worst. */
const areNumbers = (rows: readonly LatencyItem[]) =>
  rows.length > 0 && rows.every((row) => !measureOfCase(row).isTime);

/** A trace may hold numbers and lengths of time. */
function noteOfEach(rows: readonly LatencyItem[]): string {
  const [first = 'worst', ...others] = new Set(rows.map((row) => worstWord(measureOfCase(row))));
  return `the ${others.length > 0 ? 'worst or largest' : first} of each kind`;
}

/** The worst case need not be the longest: a task that starts is listed below those that the recording is about. */
const worstWord = ({ isTime, largest }: Measure) => (isTime ? 'worst' : largest);

/** How many of the kind there are; not counted for a single field. */
function noteOf(
  { request, count, worst }: ShownKind,
  band: TraceState['band'],
  extreme: Extreme | undefined,
): string {
  const measure = measureOf(worst?.unit);
  const word = extreme ?? worstWord(measure);
  if (band) return `the ${word} from ${measure.text(band.start)} to ${measure.text(band.end - 1)}`;
  return request.field === undefined ? `the ${word} of ${groupDigits(count)}` : 'the largest values';
}
