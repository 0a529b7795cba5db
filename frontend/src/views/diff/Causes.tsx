import type { DiffAnswer, DiffCause, DiffSide, DiffTimes, SideName } from '../../api/diff';
import { CauseSwatch } from '../../components/cause/Cause';
import { causeName } from '../../components/cause/causeLook';
import { useClock } from '../../components/clock/useClock';
import { Panel } from '../../components/panel/Panel';
import { TaskLink } from '../../components/TaskLink';
import { type Column, Table } from '../../components/table/Table';
import type { Clock } from '../../lib/clock';
import { groupDigits, ns } from '../../lib/ns';
import { sentenceText, visibleText } from '../../lib/visibleText';
import styles from './Causes.module.css';
import { briefDelta, columnUnit, sizeText, type ColumnUnit } from './rowText';
import { StageRulers } from './StageRulers';

/** What makes the difference of two cases: what had the CPU, and in which stage; nothing for calls. */
export function Causes({ answer }: { readonly answer: DiffAnswer }) {
  const { causes, stages, by_events: byEvents } = answer;
  const clock = useClock();
  const { abnormal, normal } = answer;
  if (causes.length === 0) return null;
  const lines = causes.flatMap(linesOf);
  const largest = Math.max(1, ...lines.map(({ delta_ns }) => Math.abs(delta_ns)));
  // One for both tables, because one is beside the other.
  const unit = columnUnit(
    [...lines, ...stages].flatMap(({ abnormal_ns, normal_ns }) => [abnormal_ns, normal_ns]),
    clock,
  );
  return (
    <>
      <StageRulers answer={answer} />
      <div className={styles.columns}>
        <Panel title="Causes" note="what had the CPU">
          <Table
            label="Causes of both sides"
            columns={causeColumns({ unit, clock, largest, abnormal, normal })}
            rows={lines}
            keyOf={({ id }) => id}
          />
        </Panel>
        {stages.length > 0 && (
          <Panel title="Stages" note="between moments that both have">
            <Table
              label="Stages of both sides"
              columns={stageColumns({ unit, clock, largest })}
              rows={stages}
              keyOf={({ from, to }) => `${from} ${to}`}
            />
          </Panel>
        )}
      </div>
      {byEvents !== null && (
        <p className={styles.events}>
          <strong>By the order of events</strong> {sentenceText(byEvents)}
        </p>
      )}
    </>
  );
}

interface CauseLine extends DiffTimes {
  readonly id: string;
  readonly cause: string;
  /** Absent on the line that sums up the cause. */
  readonly what: string | undefined;
}

/** The names that are listed below a cause. */
const MOST_PARTS = 6;

function linesOf({ parts, ...sum }: DiffCause): readonly CauseLine[] {
  const { cause } = sum;
  // On each side another task may be late: both play one part, and the head of the page names them.
  if (cause === 'itself') return [{ ...sum, id: cause, what: undefined }];
  // What has no name but that of its cause says nothing more.
  const own = parts.filter(({ what }) => what !== causeName(cause));
  const named = own.slice(0, MOST_PARTS).map(({ tasks, ...part }) => {
    const count = Math.max(tasks.abnormal, tasks.normal);
    return {
      ...part,
      id: `${cause} ${part.what}`,
      cause,
      what: count > 1 ? `${part.what} × ${groupDigits(count)}` : part.what,
    };
  });
  return [{ ...sum, id: cause, what: undefined }, ...named];
}

const time = (value: number, { unit, clock }: Scale) => (
  <span title={clock.exact(ns(value))}>{value === 0 ? '–' : sizeText(value, unit)}</span>
);

interface Scale {
  /** Of the times of both sides, so that they can be compared as they are read. */
  readonly unit: ColumnUnit;
  readonly clock: Clock;
  /** The difference whose bar is full. */
  readonly largest: number;
}

function timeColumns<Row extends DiffTimes>(scale: Scale): readonly Column<Row>[] {
  const { unit, clock, largest } = scale;
  const sideColumn = (side: SideName): Column<Row> => ({
    id: side,
    title: `${side}, ${unit}`,
    isNumber: true,
    rank: 1,
    cell: (row) => time(row[`${side}_ns`], scale),
  });
  return [
    sideColumn('abnormal'),
    sideColumn('normal'),
    {
      id: 'delta',
      title: clock.isCounting ? 'delta, ticks' : 'delta',
      isNumber: true,
      share: ({ delta_ns }) => Math.abs(delta_ns) / largest,
      shareSide: ({ delta_ns }) => (delta_ns < 0 ? 'normal' : 'abnormal'),
      cell: ({ delta_ns }) => (
        <span
          className={styles.delta}
          data-size={sizeOf(delta_ns, largest)}
          title={clock.exact(ns(delta_ns))}
        >
          {briefDelta(delta_ns, clock)}
        </span>
      ),
    },
  ];
}

/** What is hardly different recedes, and the largest stands out. */
function sizeOf(deltaNs: number, largest: number): 'noise' | 'some' | 'most' {
  const size = Math.abs(deltaNs);
  if (size * 100 < largest) return 'noise';
  return size * 2 >= largest ? 'most' : 'some';
}

interface CauseScale extends Scale {
  readonly abnormal: DiffSide;
  readonly normal: DiffSide;
}

const causeColumns = ({ abnormal, normal, ...scale }: CauseScale): readonly Column<CauseLine>[] => [
  {
    id: 'cause',
    title: 'cause',
    isWidest: true,
    cell: ({ cause, what, ...row }) => (
      <span className={styles.cause} data-part={what !== undefined || undefined}>
        <CauseSwatch cause={cause} what={what ?? ''} />
        {what === undefined ? (
          causeName(cause)
        ) : (
          <code>
            <WithTask side={row.abnormal_ns > 0 ? abnormal : normal} cause={cause} what={what} />
          </code>
        )}
      </span>
    ),
  },
  ...timeColumns<CauseLine>(scale),
];

interface WithTaskProps {
  /** The side that has it. */
  readonly side: DiffSide;
  readonly cause: string;
  readonly what: string;
}

/** `hackbench-2001`: the name leads to the lane of the task around the case; any other text is only that. */
function WithTask({ side, cause, what }: WithTaskProps) {
  const [, comm, pid] = /^(.*)-(\d+)$/.exec(what) ?? [];
  if (comm === undefined || !(cause === 'task' || cause === 'itself')) return visibleText(what);
  const window = {
    start: ns(Math.max(0, side.t)),
    end: ns(Math.max(0, side.t) + Math.max(1, side.duration_ns)),
  };
  return <TaskLink traceId={side.trace} comm={comm} pid={Number(pid)} state={{ window }} />;
}

const stageColumns = (scale: Scale): readonly Column<DiffAnswer['stages'][number]>[] => [
  {
    id: 'stage',
    title: 'stage',
    isWidest: true,
    cell: ({ from, to }) => `${visibleText(from)} → ${visibleText(to)}`,
  },
  ...timeColumns<DiffAnswer['stages'][number]>(scale),
];
