import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LatencyCase, LatencyItem } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { CompareLink } from '../../components/compare/CompareLink';
import { FailedLine } from '../../components/problem/FailedLine';
import { KeyHint } from '../../components/keys/KeyHint';
import { useKeys } from '../../components/keys/keys';
import { useFlags } from '../../components/term/meanings';
import { Term } from '../../components/term/Term';
import { ViewLink } from '../../components/ViewLink';
import { measureOfCase } from '../../lib/measure';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { traceState } from '../../viewState/trace';
import styles from './CaseHead.module.css';
import { overTime } from './overTime';
import { rankText, samplesOf, useNeighbours, type Neighbours } from './useNeighbours';
import { CaseExport } from './CaseExport';

interface CaseHeadProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
}

/** The sentence of the case, its rank among its kind, and what can be done from here. */
export function CaseHead({ trace, latencyCase }: CaseHeadProps) {
  const navigate = useNavigate();
  const [isExporting, setExporting] = useState(false);
  const neighbours = useNeighbours(trace.id, latencyCase);
  // A bare number is no time in which anything could have happened.
  const { isTime } = measureOfCase(latencyCase);
  const way = overTime(trace, latencyCase);
  const open = (item: Pick<LatencyItem, 'id'> | undefined) => {
    if (item) void navigate({ to: paths.case(trace.id, item.id) });
  };
  useKeys('Case', [
    { keys: ['j', 'J'], does: 'Next case of this kind', run: () => open(neighbours.next) },
    { keys: ['k', 'K'], does: 'Previous case of this kind', run: () => open(neighbours.previous) },
    ...(way === undefined
      ? []
      : [
          {
            keys: ['t', 'T'],
            does: way.does,
            run: () => void navigate({ to: way.to, search: way.search as never }), // routes come from a table, so the router cannot know their search types
          },
        ]),
    {
      keys: ['c', 'C'],
      does: 'Open the normal case',
      run: () => open(latencyCase.normal === null ? undefined : { id: latencyCase.normal }),
    },
    { keys: ['x', 'X'], does: 'Export as text, page, picture or JSON', run: () => setExporting(true) },
  ]);
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <Place trace={trace} latencyCase={latencyCase} neighbours={neighbours} />
        <span className={styles.ways}>
          {isTime && <CompareLink page="Case" abnormal={{ trace: trace.id, id: latencyCase.id }} />}
          {latencyCase.normal === null ? null : (
            <ViewLink to={paths.case(trace.id, latencyCase.normal)} title="A typical case of this kind">
              Normal case <KeyHint>C</KeyHint>
            </ViewLink>
          )}
          {way === undefined ? null : (
            <ViewLink to={way.to} search={way.search}>
              Open in {way.name} <KeyHint>T</KeyHint>
            </ViewLink>
          )}
          <Button look="bare" onClick={() => setExporting(true)}>
            Export <KeyHint>X</KeyHint>
          </Button>
        </span>
      </div>
      {latencyCase.flags.includes(STARTING) && <RankedLast />}
      <h1 className={styles.headline}>{sentenceText(latencyCase.headline)}</h1>
      {isExporting ? (
        <CaseExport traceId={trace.id} latencyCase={latencyCase} onClose={() => setExporting(false)} />
      ) : null}
    </header>
  );
}

function Place({ trace, latencyCase, neighbours }: CaseHeadProps & { readonly neighbours: Neighbours }) {
  const { title, rank, count, previous, next, failed } = neighbours;
  const ofKind = traceState.write({ ...traceState.read({}).state, ...samplesOf(latencyCase), worst: 'kind' });
  return (
    <nav className={styles.place} aria-label="Cases of this kind">
      <Term title="All cases of this kind" meaning={latencyCase.definition}>
        <ViewLink to={paths.trace(trace.id)} search={ofKind}>
          {visibleText(title)}
        </ViewLink>
      </Term>
      <span className={styles.rank}>{rank === undefined ? null : rankText(rank, count)}</span>
      {failed ? (
        <FailedLine query={failed}>Could not list the other cases.</FailedLine>
      ) : (
        <>
          <Step traceId={trace.id} to={previous} letter="K">
            ‹ previous
          </Step>
          <Step traceId={trace.id} to={next} letter="J">
            next ›
          </Step>
        </>
      )}
    </nav>
  );
}

/** The mark of those that come last among the worst, however long they are. */
const STARTING = 'starting';

/** Why a case that may be the longest has the rank of one of the shortest. */
function RankedLast() {
  const meaning = useFlags().get(STARTING) ?? '';
  return (
    <p className={styles.note}>
      <Term title={STARTING} meaning={meaning}>
        <ViewLink to={paths.help('latencies')} hash="flags">
          Ranked last
        </ViewLink>
      </Term>
      : its task was new, and began this sleep only after it was due.
    </p>
  );
}

interface StepProps {
  readonly traceId: string;
  readonly to: LatencyItem | undefined;
  readonly letter: string;
  readonly children: string;
}

function Step({ traceId, to, letter, children }: StepProps) {
  const clock = useClock();
  if (to === undefined) {
    return (
      <span className={styles.none}>
        {children} <KeyHint>{letter}</KeyHint>
      </span>
    );
  }
  return (
    <ViewLink to={paths.case(traceId, to.id)} title={visibleText(to.headline)}>
      {children} <span className={styles.leadsTo}>{measureOfCase(to, clock).text(to.duration_ns)}</span>{' '}
      <KeyHint>{letter}</KeyHint>
    </ViewLink>
  );
}
