import { useMemo, useState } from 'react';
import type { ComparedCause, ComparedClassCause, Comparison } from '../../api/compare';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { HelpLink } from '../../components/HelpLink';
import { Panel } from '../../components/panel/Panel';
import { Table, type Column } from '../../components/table/Table';
import { ranges } from '../../lib/ranges';
import { visibleText } from '../../lib/visibleText';
import { groupDigits } from '../../lib/ns';
import { causeColumns } from './causeColumns';
import { SideScroll } from './SideScroll';
import styles from './Compare.module.css';

/** What took the CPUs of the first variant and of another, by class of CPU and by CPU, the largest differences first. */
export function CauseTable({ answer }: { readonly answer: Comparison }) {
  const { causes, classes, ticks, variants } = answer;
  const clock = useClock();
  const columns = useMemo(() => causeColumns(variants, CPU, clock), [variants, clock]);
  const classColumns = useMemo(() => causeColumns(variants, CLASS, clock), [variants, clock]);
  if (causes.length === 0 && ticks.length === 0) return null;
  return (
    <Panel
      title="What took the CPUs"
      note={
        causes.length > 0 ? (
          <>
            share of a CPU’s time; bold where the difference is{' '}
            <HelpLink page="experiments" section="what-is-real" title={HOW_IT_IS_TESTED}>
              real
            </HelpLink>
          </>
        ) : undefined
      }
    >
      {classes ? (
        <>
          <p className={styles.note}>
            {`Isolated: ${cpusText(classes.isolated)}. Housekeeping: ${cpusText(classes.housekeeping)}. Of one CPU of each, on average:`}
          </p>
          <LargestFirst
            label="By class of CPU"
            columns={classColumns}
            rows={classes.causes}
            keyOf={({ variant, cpu_class, cause, what }) => `${variant} ${cpu_class} ${cause} ${what}`}
          />
          <p className={styles.note}>By CPU:</p>
        </>
      ) : causes.length > 0 ? (
        <p className={`${styles.note} ${styles.quiet}`}>
          To sum up isolated and housekeeping CPUs, label the traces with the CPUs that are isolated:{' '}
          <code>isolcpus=1-3</code>
        </p>
      ) : null}
      {causes.length > 0 ? (
        <LargestFirst
          label="What took the CPUs"
          columns={columns}
          rows={causes}
          keyOf={({ variant, cpu, cause, what }) => `${variant} ${cpu} ${cause} ${what}`}
        />
      ) : null}
      {ticks.length > 0 ? (
        <ul className={styles.ticks} aria-label="The tick">
          {ticks.map(({ variant, cpu, product, handler_known: isKnown }) => (
            <li key={`${variant} ${cpu}`}>
              <span
                className={styles.quiet}
              >{`${visibleText(variant)}: ${isKnown ? 'the tick' : 'all interrupts of the timer'} `}</span>
              {product}
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

const HOW_IT_IS_TESTED =
  'The 95 % interval excludes zero, and at most 5 % of the ways to split the traces into two sides differ as much. Each row is tested by itself: of 20 rows without a difference, one may be bold.';

const CPU: Column<ComparedCause> = { id: 'cpu', title: 'CPU', isNumber: true, cell: ({ cpu }) => cpu };
const CLASS: Column<ComparedClassCause> = { id: 'class', title: 'CPUs', cell: (row) => row.cpu_class };

/** As many as say most of it. */
const SHOWN = 12;

interface LargestFirstProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** The first rows, and the others on demand. */
function LargestFirst<Row>({ label, columns, rows, keyOf }: LargestFirstProps<Row>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rows : rows.slice(0, SHOWN);
  return (
    <SideScroll label={`Table of ${label}`}>
      <Table label={label} columns={columns} rows={shown} keyOf={keyOf} />
      {shown.length < rows.length ? (
        <div className={styles.note}>
          <Button onClick={() => setShowsAll(true)}>{`Show all ${groupDigits(rows.length)}`}</Button>
        </div>
      ) : null}
    </SideScroll>
  );
}

const cpusText = (cpus: readonly number[]) =>
  cpus.length === 0 ? 'none' : `${cpus.length === 1 ? 'CPU' : 'CPUs'} ${ranges(cpus)}`;
