/** What a panel shows, as the statement that gives the same numbers over the views of docs/sql.md. */

/** A stretch of the trace; the whole of it if absent. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface SamplesShown {
  readonly kind: string;
  readonly pid?: number | undefined;
  readonly window?: Stretch | undefined;
  /** The part that has one value of a column; a task is `pid`. */
  readonly stratum?: { readonly name: 'cpu' | 'pid' | 'comm' | 'key'; readonly value: string } | undefined;
}

interface CasesShown extends SamplesShown {
  /** Their range of durations, half-open. */
  readonly band?: Stretch | undefined;
  readonly isSmallestFirst?: boolean;
  readonly limit: number;
}

const OF_TRACE = 'trace = ANY ($1)';

/** The longest case of each kind. */
export function worstOfEachSql(): string {
  return lines(
    'SELECT trace, case_id, kind, duration_ns, cpu, pid, comm, headline',
    'FROM worst_case',
    where(OF_TRACE, 'rank = 0'),
    'ORDER BY duration_ns DESC',
  );
}

/** The longest samples of a kind, or the smallest of bare numbers. */
export function worstOfKindSql({ band, limit, isSmallestFirst, ...samples }: CasesShown): string {
  return lines(
    'SELECT trace, t_ns, duration_ns, cpu, pid, comm, key',
    'FROM latency',
    where(
      ...conditionsOf(samples),
      ...(band ? [`duration_ns >= ${band.start}`, `duration_ns < ${band.end}`] : []),
    ),
    `ORDER BY duration_ns${isSmallestFirst ? '' : ' DESC'}, t_ns`,
    `LIMIT ${limit}`,
  );
}

const STATS = [
  'count(*)',
  'min(duration_ns) AS min_ns',
  ...[
    [0.5, 'p50_ns'],
    [0.9, 'p90_ns'],
    [0.99, 'p99_ns'],
    [0.999, 'p99_9_ns'],
    [0.9999, 'p99_99_ns'],
    [0.99999, 'p99_999_ns'],
  ].map(([share, name]) => `percentile_disc(${share}) WITHIN GROUP (ORDER BY duration_ns) AS ${name}`),
  'max(duration_ns) AS max_ns',
  'round(avg(duration_ns)) AS mean_ns',
];

/** The statistics of a kind, whole or by one of its columns. */
export function statisticsSql(samples: SamplesShown, group: string): string {
  const by = group === 'none' ? [] : [GROUPS[group] ?? group];
  return lines(
    `SELECT ${[...by, ...STATS].join(',\n       ')}`,
    'FROM latency',
    where(...conditionsOf(samples)),
    ...(by.length > 0 ? [`GROUP BY ${by.join()}`, `ORDER BY ${by.join()}`] : []),
  );
}

/** The columns whose values divide the samples as the page does. */
const GROUPS: Readonly<Record<string, string>> = { cpu: 'cpu', pid: 'pid', comm: 'comm', key: 'key' };

/** Whether the samples are divided in a way that SQL can do with a column. */
export function isGroupOfSql(group: string): boolean {
  return group === 'none' || Object.hasOwn(GROUPS, group);
}

/** The functions of a trace, by `-total`, `max` … */
export function functionsSql({ q, sort }: { readonly q: string; readonly sort: string }): string {
  const column = sort.replace(/^-/, '');
  const order = column === 'symbol' ? 'name' : column === 'count' ? 'count' : `${column}_ns`;
  return lines(
    'SELECT name, module, count, total_ns, self_ns, min_ns, p50_ns, p99_ns, max_ns',
    'FROM function_total',
    where(OF_TRACE, ...(q === '' ? [] : [`position(lower(${literal(q)}) IN lower(name)) > 0`])),
    `ORDER BY ${order}${sort.startsWith('-') ? ' DESC' : ''}, name`,
  );
}

/** Flags of a call that began before the recording, or was cut off by its end. */
const NOT_WHOLE = 3;

/** The calls of one function that touch a stretch and were recorded from entry to exit, the longest first. */
export function callsSql(symbol: string, window?: Stretch): string {
  return lines(
    'SELECT t_ns, duration_ns, self_ns, cpu, pid, comm, args, retval',
    'FROM slice',
    where(
      OF_TRACE,
      `kind = 'call'`,
      `flags & ${NOT_WHOLE} = 0`,
      // A function of a module is shown with it, and stored apart.
      `(name = ${literal(symbol)} OR name || ' [' || module || ']' = ${literal(symbol)})`,
      ...(window
        ? [`t_ns < ${Math.ceil(window.end)}`, `t_ns + greatest(duration_ns, 1) > ${Math.floor(window.start)}`]
        : []),
    ),
    'ORDER BY duration_ns DESC, t_ns',
  );
}

/** The events of a stretch, of some CPUs or of all. */
export function eventsSql(window: Stretch, cpu: readonly number[]): string {
  return lines(
    'SELECT seq, t_ns, cpu, comm, pid, event, args',
    'FROM event',
    where(
      OF_TRACE,
      `t_ns >= ${Math.floor(window.start)}`,
      `t_ns < ${Math.ceil(window.end)}`,
      ...cpuCondition(cpu),
    ),
    'ORDER BY seq',
  );
}

interface TotalsShown {
  readonly window: Stretch;
  /** All if empty. */
  readonly cpu: readonly number[];
  readonly by: 'name' | 'task' | 'cpu';
  readonly kinds: readonly string[];
}

/** What took the time of a stretch: slices that reach over its edge count with the part inside. */
export function sliceTotalsSql({ window, cpu, by, kinds }: TotalsShown): string {
  const [start, end] = [Math.floor(window.start), Math.ceil(window.end)];
  const groups = [
    ...(by === 'cpu' ? ['cpu'] : []),
    'kind',
    'coalesce(name, comm) AS name',
    // An interrupt is no task's, whatever it interrupted.
    ...(by === 'name' ? [] : ['CASE WHEN name IS NULL THEN pid END AS pid']),
  ];
  return lines(
    `SELECT ${groups.join(', ')}, count(*),`,
    `       sum(least(t_ns + duration_ns, ${end}) - greatest(t_ns, ${start})) AS total_ns,`,
    '       max(duration_ns) AS longest_ns',
    'FROM slice',
    where(
      OF_TRACE,
      `kind IN (${kinds.map(literal).join(', ')})`,
      `NOT (kind = 'sched' AND pid = 0)`,
      `t_ns < ${end}`,
      `t_ns + greatest(duration_ns, 1) > ${start}`,
      ...cpuCondition(cpu),
    ),
    `GROUP BY ${groups.map((_, at) => at + 1).join(', ')}`,
    'ORDER BY total_ns DESC',
  );
}

const cpuCondition = (cpu: readonly number[]) => (cpu.length > 0 ? [`cpu IN (${cpu.join(', ')})`] : []);

/** Samples that touch the window are in it, as on the page. */
function conditionsOf({ kind, pid, window, stratum }: SamplesShown): readonly string[] {
  return [
    OF_TRACE,
    `kind = ${literal(kind)}`,
    ...(pid === undefined ? [] : [`pid = ${pid}`]),
    ...(stratum && stratum.name !== 'pid' ? [stratumCondition(stratum)] : []),
    ...(window ? [`t_ns < ${window.end}`, `t_ns + duration_ns >= ${window.start}`] : []),
  ];
}

function stratumCondition({ name, value }: NonNullable<SamplesShown['stratum']>): string {
  return `${name} = ${name === 'cpu' ? Number(value) : literal(value)}`;
}

/** Names come from untrusted files. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const where = (...conditions: readonly string[]) => `WHERE ${conditions.join('\n  AND ')}`;

const lines = (...parts: readonly string[]) => parts.join('\n');
