import type { QueryClient } from '@tanstack/react-query';
import { baselinesQuery } from '../../api/baselines';
import { findExperiments } from '../../api/experiments';
import { kindsQuery, tasksQuery, worstQuery } from '../../api/latencies';
import type { LatencyItem } from '../../api/latencyTypes';
import { findFunctions, findTraces, traceQuery } from '../../api/traces';
import { baselineSearch, heldText } from '../../components/experiment/baselineTexts';
import { comparedText, variantsText } from '../../components/experiment/comparisonTexts';
import type { PaletteItem } from '../../components/palette/rankItems';
import { traceNote } from '../../components/palette/traceNote';
import { clockOf, type Clock } from '../../lib/clock';
import { measureOf } from '../../lib/measure';
import { groupDigits, ns } from '../../lib/ns';
import { priorityOf } from '../../lib/priority';
import { taskLabel } from '../../lib/taskKind';
import { kindsWithSamples, usualKind } from '../../lib/usualKind';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import { timelineState, type TimelineState } from '../../viewState/timeline';
import type { RawSearch } from '../../viewState/viewSpec';

interface Asked {
  readonly client: QueryClient;
  readonly signal: AbortSignal;
  /** Empty where no trace is open, for sources that are of none. */
  readonly traceId: string;
  /** What the server searches for; empty for all that it gives at once. */
  readonly q: string;
}

interface Link {
  readonly to: string;
  readonly search?: RawSearch;
}

/** Something that the palette leads to, from lanes in this state. */
export interface Found extends Omit<PaletteItem, 'run'> {
  readonly link: (timeline: TimelineState) => Link;
}

interface Source {
  readonly name: string;
  /** Has something only where a trace is open. */
  readonly isOfTrace: boolean;
  /** There may be more than the server gives at once: it is asked for what is typed, too. */
  readonly isSearched: boolean;
  readonly find: (asked: Asked) => Promise<readonly Found[]>;
}

/** What the palette finds beside actions, in the order in which it is listed while nothing is typed. */
export const SOURCES: readonly Source[] = [
  { name: 'cases', isOfTrace: true, isSearched: false, find: findCases },
  { name: 'tasks', isOfTrace: true, isSearched: false, find: findTasks },
  { name: 'CPUs', isOfTrace: true, isSearched: false, find: findCpus },
  { name: 'functions', isOfTrace: true, isSearched: true, find: functionsOf },
  { name: 'traces', isOfTrace: false, isSearched: true, find: tracesOf },
  { name: 'comparisons', isOfTrace: false, isSearched: true, find: findComparisons },
  { name: 'baselines', isOfTrace: false, isSearched: false, find: findBaselines },
];

const MOST_CASES = 20;
/** The server draws no more lanes of tasks at once. */
const MOST_TASK_LANES = 64;

/** How the times of the open trace are said. */
const clockOfTrace = async (client: QueryClient, traceId: string) =>
  clockOf((await client.ensureQueryData(traceQuery(traceId))).time_unit);

/** The worst case of each kind, then more of the kind that the trace is most likely about. */
async function findCases({ client, traceId }: Asked): Promise<readonly Found[]> {
  const [{ items: kinds }, clock] = await Promise.all([
    client.fetchQuery(kindsQuery(traceId)),
    clockOfTrace(client, traceId),
  ]);
  const usual = usualKind(kinds, '');
  const more = usual
    ? (await client.fetchQuery(worstQuery(traceId, { kind: usual.kind, limit: MOST_CASES }))).items
    : [];
  const worst = kindsWithSamples(kinds).flatMap((kind) => kind.worst ?? []);
  const cases = new Map([...worst, ...more].map((item) => [item.id, item]));
  const worstIds = new Set(worst.map(({ id }) => id));
  return [...cases.values()].map((item) => caseItem(traceId, item, clock, worstIds.has(item.id)));
}

function caseItem(
  traceId: string,
  { id, kind, unit, duration_ns, headline }: LatencyItem,
  clock: Clock,
  isWorst: boolean,
): Found {
  const length = measureOf(unit, clock).text(duration_ns);
  return {
    id: `case ${id}`,
    kind: 'case',
    title: visibleText(headline),
    note: visibleText(isWorst ? `worst ${kind} ${length}` : `${kind} ${length}`),
    isNear: true,
    link: () => ({ to: paths.case(traceId, id) }),
  };
}

/** Names that end in numbers by these. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

/** Tasks, each as a lane of its own beside what the lanes show. */
async function findTasks({ client, traceId }: Asked): Promise<readonly Found[]> {
  const { items } = await client.fetchQuery(tasksQuery(traceId));
  const sorted = items.toSorted((a, b) =>
    BY_NAME.compare(taskLabel(a.comm, a.pid), taskLabel(b.comm, b.pid)),
  );
  return sorted.flatMap(({ pid, comm, prio }): Found[] => {
    if (pid === null || pid === 0) return [];
    const priority = priorityOf(prio)?.text;
    return [
      {
        id: `task ${pid} ${comm}`,
        kind: 'task',
        title: visibleText(taskLabel(comm, pid)),
        ...(priority !== undefined && { note: priority }),
        isNear: true,
        link: (timeline) => {
          const tasks = [...new Set([...timeline.tasks.slice(0, MOST_TASK_LANES - 1), pid])];
          return { to: paths.timeline(traceId), search: timelineState.write({ ...timeline, tasks }) };
        },
      },
    ];
  });
}

/** CPUs, each with only its own lanes. */
async function findCpus({ client, traceId }: Asked): Promise<readonly Found[]> {
  const { cpus } = await client.ensureQueryData(traceQuery(traceId));
  return (cpus ?? []).map((cpu) => ({
    id: `CPU ${cpu}`,
    kind: 'CPU',
    title: `CPU ${cpu}`,
    note: 'only its lanes',
    link: (timeline) => ({
      to: paths.timeline(traceId),
      search: timelineState.write({ ...timeline, cpu: [cpu] }),
    }),
  }));
}

/** Functions, each with its calls over time. */
async function functionsOf({ client, traceId, q, signal }: Asked): Promise<readonly Found[]> {
  const [functions, clock] = await Promise.all([
    findFunctions(traceId, q, signal),
    clockOfTrace(client, traceId),
  ]);
  const { state } = callsState.read({});
  return functions.map(({ symbol, module, count, total_ns }) => ({
    id: `function ${module ?? ''} ${symbol}`,
    kind: 'function',
    title: visibleText(symbol),
    note: `${groupDigits(count)} ${count === 1 ? 'call' : 'calls'}, ${clock.duration(ns(total_ns))}`,
    link: () => ({
      to: paths.calls(traceId),
      search: callsState.write({ ...state, show: 'functions', of: symbol }),
    }),
  }));
}

async function tracesOf({ q, signal }: Asked): Promise<readonly Found[]> {
  const traces = await findTraces(q, signal);
  return traces.map((trace) => ({
    id: `trace ${trace.id}`,
    kind: 'trace',
    title: visibleText(trace.name),
    note: traceNote(trace),
    link: () => ({ to: paths.trace(trace.id) }),
  }));
}

/** Saved comparisons, the last changed first. */
async function findComparisons({ q, signal }: Asked): Promise<readonly Found[]> {
  const experiments = await findExperiments(q, signal);
  return experiments.map(({ slug, name, variants, measure }) => ({
    id: `comparison ${slug}`,
    kind: 'comparison',
    title: visibleText(name),
    note: `${comparedText(measure)}: ${variantsText(variants)}`,
    link: () => ({ to: paths.experiment(slug) }),
  }));
}

/** Baselines, each as the trend of its runs. */
async function findBaselines({ client }: Asked): Promise<readonly Found[]> {
  const { items } = await client.fetchQuery(baselinesQuery);
  return items.map((baseline) => ({
    id: `baseline ${baseline.slug}`,
    kind: 'baseline',
    title: visibleText(baseline.name),
    note: heldText(baseline),
    link: () => ({ to: paths.trend(), search: baselineSearch(baseline) }),
  }));
}
