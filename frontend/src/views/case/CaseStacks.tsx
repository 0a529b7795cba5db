import type { CaseStack, LatencyCase } from '../../api/latencyTypes';
import { useClock } from '../../components/clock/useClock';
import { Panel } from '../../components/panel/Panel';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './CaseStacks.module.css';

/** The stacks that were recorded in or near the case, innermost function first; nothing where there is none. */
export function CaseStacks({ latencyCase }: { readonly latencyCase: LatencyCase }) {
  const clock = useClock();
  const all = new Map<string, CaseStack>();
  for (const stack of [...(latencyCase.stack ? [latencyCase.stack] : []), ...latencyCase.stacks]) {
    all.set(`${stack.t} ${stack.kind} ${stack.frames.join('\n')}`, stack);
  }
  if (all.size === 0) return null;
  return (
    <Panel title={all.size === 1 ? 'Stack' : 'Stacks'} note="innermost function first">
      <div className={styles.stacks}>
        {[...all].map(([key, stack]) => (
          <section key={key}>
            <h3 className={styles.title}>
              {visibleText(stack.kind)}, {sinceText(stack.t - latencyCase.t, clock)}
            </h3>
            <ol className={styles.frames}>
              {frameKeys(stack.frames).map(({ id, frame }) => (
                <li key={id}>{visibleText(frame)}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Panel>
  );
}

function sinceText(since: number, clock: Clock): string {
  return `${clock.duration(ns(Math.abs(since)))} ${since < 0 ? 'before' : 'after'} its start`;
}

/** The same function may be on a stack twice. */
function frameKeys(frames: readonly string[]): readonly { readonly id: string; readonly frame: string }[] {
  return frames.map((frame, depth) => ({ id: `${depth} ${frame}`, frame }));
}
