import { useMemo, type RefObject } from 'react';
import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { Button } from '../../../components/button/Button';
import { useClock } from '../../../components/clock/useClock';
import { useKeys } from '../../../components/keys/keys';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { SqlLink } from '../../../components/SqlLink';
import { focusRow } from '../../../components/table/focusRow';
import { Table } from '../../../components/table/Table';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { Choice } from '../../../components/toolbar/Choice';
import { kindsWithSamples } from '../../../lib/usualKind';
import { worstOfEachSql, worstOfKindSql } from '../../../lib/asSql';
import type { Clock } from '../../../lib/clock';
import { groupDigits } from '../../../lib/ns';
import { measureOf, measureOfCase, unitOn, type Measure } from '../../../lib/measure';
import { visibleText } from '../../../lib/visibleText';
import { EXTREMES, type Extreme, type TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { IncompleteNote, KindsWithout } from './KindsWithout';
import type { ShownKind } from './shownKind';
import { useBandCount } from './useBandCount';
import { useWorst } from './useWorst';
import styles from './WorstCases.module.css';
import { worstColumns } from './worstColumns';

interface WorstCasesProps {
  readonly traceId: string;
  readonly kinds: readonly LatencyKind[];
  readonly chosen: ShownKind | undefined;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
  /** Where the rows are, which are shown from elsewhere on the page. */
  readonly box: RefObject<HTMLDivElement | null>;
}

/** The longest latencies, worst first: one of each kind, or those of the chosen kind. Each opens its case. */
export function WorstCases(props: WorstCasesProps) {
  const { traceId, kinds, chosen, state, box } = props;
  const clock = useClock();
  const { query, isOfKind, rows, isWaiting, limit, showMore, extreme } = useWorst(props);
  const bandCount = useBandCount(traceId, chosen?.request, state);
  const columns = useMemo(() => worstColumns(traceId, rows, kinds), [traceId, rows, kinds]);
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
      note={
        isOfKind && chosen
          ? noteOf({ chosen, clock, band: state.band, extreme, listed: rows.length, bandCount })
          : noteOfEach(rows)
      }
      actions={
        <>
          {chosen && <WhichCases {...props} chosen={chosen} isOfKind={isOfKind} />}
          {extreme && <WhichEnd extreme={extreme} setState={props.setState} />}
          <WorstAsSql {...props} isOfKind={isOfKind} extreme={extreme} limit={limit} />
        </>
      }
    >
      {isOfKind && <FailedQuery query={query} />}
      {rows.length > 0 || isWaiting ? (
        <div
          ref={box}
          className={styles.rows}
          tabIndex={-1}
          data-rendered={query.isPlaceholderData ? undefined : state.worst}
        >
          <Table
            label={title}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.id}
            skeleton={isWaiting ? limit : 0}
          />
          {showMore && (
            <p className={styles.more}>
              <Button look="bare" onClick={showMore}>
                Show more
              </Button>
            </p>
          )}
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

interface WorstAsSqlProps extends WorstCasesProps {
  readonly isOfKind: boolean;
  readonly extreme: Extreme | undefined;
  readonly limit: number;
}

/** No column has the number for fields, or for the tasks of one class. */
function WorstAsSql({ traceId, chosen, state, isOfKind, extreme, limit }: WorstAsSqlProps) {
  if (state.priority !== 'any' || (isOfKind && chosen?.request.field !== undefined)) return null;
  const { kind = '', pid } = chosen?.request ?? {};
  const { window, band, stratum } = state;
  const isSmallestFirst = extreme === 'smallest';
  const cases = { kind, pid, window, band, stratum, isSmallestFirst, limit };
  const sql = isOfKind ? worstOfKindSql(cases) : worstOfEachSql();
  if (!isOfKind && pid !== undefined) return null;
  return <SqlLink traceId={traceId} sql={sql} what="the worst cases" />;
}

interface WhichCasesProps extends Pick<WorstCasesProps, 'kinds' | 'setState'> {
  readonly chosen: ShownKind;
  readonly isOfKind: boolean;
}

/** The worst of each kind, or those of one, which the charts below then show, too. */
function WhichCases({ kinds, chosen, isOfKind, setState }: WhichCasesProps) {
  const offered = kindsWithSamples(kinds).map(({ kind }) => kind);
  // A field is chosen below.
  const isField = !offered.includes(chosen.label);
  if (offered.length < 2 && !isField) return null;
  const choose = (kind: string) => {
    const ofKind = { kind, field: '', unit: 'recorded', worst: 'kind' } as const;
    const next =
      kind === ''
        ? ({ worst: 'each' } as const)
        : kind === chosen.label
          ? { worst: 'kind' as const }
          : ofKind;
    setState({ ...next, band: undefined, stratum: undefined }, { history: 'push' });
  };
  return (
    <Choice name="of" isNarrow>
      <select value={isOfKind ? chosen.label : ''} onChange={({ target }) => choose(target.value)}>
        <option value="">each kind</option>
        {(isField ? [chosen.label, ...offered] : offered).map((kind) => (
          <option key={kind} value={kind}>
            {visibleText(kind)}
          </option>
        ))}
      </select>
    </Choice>
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

interface NoteOf {
  readonly clock: Clock;
  readonly chosen: ShownKind;
  readonly band: TraceState['band'];
  readonly extreme: Extreme | undefined;
  readonly listed: number;
  readonly bandCount: number | undefined;
}

/** How many of the kind, or of the chosen durations, there are; not counted for a single field. */
function noteOf({ chosen, clock, band, extreme, listed, bandCount }: NoteOf): string {
  const { request, count, worst } = chosen;
  const measure = measureOf(unitOn(clock, worst?.unit));
  const word = extreme ?? worstWord(measure);
  if (band) {
    const range = `from ${measure.text(band.start)} to ${measure.text(band.end - 1)}`;
    if (bandCount === undefined) return `the ${word} ${range}`;
    return bandCount > listed
      ? `the ${groupDigits(listed)} ${word} of ${groupDigits(bandCount)} ${range}`
      : `all ${groupDigits(bandCount)} ${range}`;
  }
  return request.field === undefined ? `the ${word} of ${groupDigits(count)}` : 'the largest values';
}
