import { lazy, Suspense } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Loading } from '../../components/Loading';
import { Panel } from '../../components/panel/Panel';
import { measureOfCase } from '../../lib/measure';
import { recordedOrigin } from '../../lib/stamp';
import { Blame } from './Blame';
import { CaseEvents } from './CaseEvents';
import { CaseFacts } from './CaseFacts';
import { CaseHead } from './CaseHead';
import styles from './CasePage.module.css';
import { CaseStacks } from './CaseStacks';
import { Stages } from './Stages';
import { TracerParts } from './TracerParts';

// The chart library is large, and the sentence at the top should not wait for it.
const CaseTimeline = lazy(() => import('./CaseTimeline'));

interface CasePageProps {
  readonly trace: Trace;
  readonly found: LatencyCase;
}

/** One latency from its headline down to its events: how late, through which stages, because of what. */
export function CasePage({ trace, found }: CasePageProps) {
  // A bare number is no time that anything could have taken.
  const { isTime } = measureOfCase(found);
  return (
    <article className={styles.page} data-rendered={found.id}>
      <CaseHead trace={trace} found={found} />
      <CaseFacts found={found} originNs={recordedOrigin(trace)} />
      {found.stages.length > 0 ? <Stages found={found} /> : null}
      <div className={isTime ? styles.columns : undefined}>
        {isTime && <Blame traceId={trace.id} found={found} />}
        <div className={styles.around}>
          <Panel title="Around it">
            <Suspense fallback={<Loading what="the timeline" />}>
              <CaseTimeline trace={trace} found={found} />
            </Suspense>
          </Panel>
          {found.parts.length > 0 ? <TracerParts parts={found.parts} /> : null}
          <CaseStacks found={found} />
        </div>
      </div>
      <CaseEvents trace={trace} found={found} />
    </article>
  );
}
